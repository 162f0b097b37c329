"""Ed25519 signatures (RFC 8032) over domain-separated canonical statements.

What is signed is never bare data but a statement: the bytes `tollbench/<kind>` `\\n` followed by the canonical JSON of
the body. The kind ends at the line feed, which it may not hold, so a signature given for one kind of statement can not
be shown as one for another. Keys and signatures are written as lower-case hex, 64 and 128 digits.

A public key is refused when its encoding is not the canonical one, when it is no point of the curve, or when the point
has small order: with such a key one signature can fit many statements, and an approval would bind nobody.
"""

import re
from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from .canonical import JSON, dumps

_P = 2**255 - 19
_D = -121665 * pow(121666, -1, _P) % _P
_KEY = re.compile(r"[0-9a-f]{64}")
_SIGNATURE = re.compile(r"[0-9a-f]{128}")
_KIND = re.compile(r"[a-z0-9]+([._/-][a-z0-9]+)*")

# y coordinates of the eight points whose order divides 8: order 4, 1, 2, and the two pairs of order 8
_SMALL_ORDER_Y = frozenset({
    0,
    1,
    _P - 1,
    int.from_bytes(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"),
    int.from_bytes(bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"), "little"),
})


class KeyRefused(ValueError):
    """The text is no Ed25519 public key that may be registered."""


def check_key(public_hex: str) -> str:
    """Return the key when it may be registered; `KeyRefused` with the reason when not."""
    if not _KEY.fullmatch(public_hex):
        raise KeyRefused("an Ed25519 public key is written as 64 lower-case hex digits")
    y = int.from_bytes(bytes.fromhex(public_hex), "little") & ((1 << 255) - 1)
    if y >= _P:
        raise KeyRefused("the key encodes its point in a non-canonical way")
    if y in _SMALL_ORDER_Y:
        raise KeyRefused("the key is a point of small order")
    if not _on_curve(y):
        raise KeyRefused("the key is no point of the curve")
    return public_hex


def statement(kind: str, body: JSON) -> bytes:
    """The bytes to sign: `tollbench/<kind>\\n` and the canonical body.

    `kind` is lower-case ASCII words joined by `.`, `_`, `/` or `-` (`deal.signed`); `ValueError` for another one,
    `CanonicalError` for a body that is no canonical JSON.
    """
    if not _KIND.fullmatch(kind):
        raise ValueError(f"{kind!r} is no statement kind")
    return b"tollbench/" + kind.encode("ascii") + b"\n" + dumps(body)


def sign(private: bytes, message: bytes) -> str:
    """Sign a statement with a 32-byte private key (the RFC 8032 seed); 128 hex digits."""
    return _private_key(private).sign(message).hex()


def verify(public_hex: str, message: bytes, signature_hex: str) -> bool:
    """Whether the signature is valid for the statement under the key; False also for a key `check_key` refuses."""
    if not _SIGNATURE.fullmatch(signature_hex):
        return False
    try:
        _public_key(public_hex).verify(bytes.fromhex(signature_hex), message)
    except (KeyRefused, InvalidSignature):
        return False
    return True


def public_of(private: bytes) -> str:
    """The public key of a 32-byte private key, 64 hex digits."""
    return _private_key(private).public_key().public_bytes_raw().hex()


def _on_curve(y: int) -> bool:
    # RFC 8032, 5.1.3: x^2 = (y^2 - 1) / (d y^2 + 1) must be a square; u/v is one exactly where u*v is.
    square = y * y % _P
    product = (square - 1) * (_D * square + 1) % _P
    return pow(product, (_P - 1) // 2, _P) <= 1


@lru_cache(maxsize=4096)
def _public_key(public_hex: str) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(check_key(public_hex)))


@lru_cache(maxsize=256)
def _private_key(private: bytes) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(private)
