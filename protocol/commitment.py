"""Salted commitments to private matter, and fingerprints of public bytes.

A commitment is `"sha256:" + hex(SHA-256(domain || 0x00 || salt || canonical bytes))`. The domain is non-empty printable
ASCII and ends at the zero byte, the salt is exactly 32 bytes of secret entropy, the body is canonical JSON: so no two
triples share an input. Events carry the commitment; salt and body lie in the vault. Erasing the vault row leaves a
commitment that still fits every proof and can no longer be opened or guessed.

A fingerprint is `"b3:" + hex(BLAKE3-256(bytes))` (ruling A-39); it names public bytes such as an edition of the
rulebook and hides nothing.
"""

import hmac
from hashlib import sha256

from blake3 import blake3

from .canonical import JSON, dumps

SALT_BYTES = 32


def commit(domain: str, salt: bytes, body: JSON) -> str:
    """Commit to `body` under `domain`: `sha256:` and 64 lower-case hex digits.

    Raises `ValueError` for a domain that is empty or not printable ASCII, or a salt that is not 32 bytes;
    `CanonicalError` for a body that is no canonical JSON.
    """
    if not domain or not domain.isascii() or not domain.isprintable():
        raise ValueError(f"a commitment domain is non-empty printable ASCII, not {domain!r}")
    if len(salt) != SALT_BYTES:
        raise ValueError(f"a salt has {SALT_BYTES} bytes, not {len(salt)}")
    return "sha256:" + sha256(domain.encode("ascii") + b"\x00" + salt + dumps(body)).hexdigest()


def verify(commitment: str, domain: str, salt: bytes, body: JSON) -> bool:
    """Whether `commitment` opens to exactly this domain, salt and body; raises as `commit` does."""
    return hmac.compare_digest(commitment.encode(), commit(domain, salt, body).encode())


def fingerprint(data: bytes) -> str:
    """The BLAKE3 fingerprint of public bytes: `b3:` and 64 lower-case hex digits."""
    return "b3:" + blake3(data).hexdigest()
