"""Signed notes: C2SP signed-note, a text with one or more signatures under it.

    <text, ending in a line feed>
    <one blank line>
    — <key name> <base64 of a 4-byte key id and the signature>
    — ...

The text is everything up to the last blank line; it may hold blank lines itself. A note is UTF-8 without any control
character but the line feed. The key id is the start of SHA-256(name, line feed, type byte, public key); name and id
together say which key signed and how. Two types are read: 0x01, plain Ed25519 over the text, and 0x04, the Ed25519
cosignature of a witness (`cosignature`). Signatures of keys that are not asked for are carried along unread; a
signature of a key that is asked for must verify, or the whole note is refused.

A verifier key is written `<name>+<key id, 8 hex digits>+<base64 of type byte and public key>`, a signing key
`PRIVATE+KEY+<name>+<key id>+<base64 of type byte and seed>`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from . import cosignature, signature
from .faults import LogFault
from .strict import decode64, encode64

MAX_NOTE: Final = 1_000_000
MAX_SIGNATURES: Final = 100
ED25519: Final = 0x01
COSIGNATURE: Final = 0x04
_DASH: Final = "\u2014 "
_CONTROL: Final = re.compile(r"[\x00-\x09\x0b-\x1f]")
_KEY_ID: Final = re.compile(r"[0-9a-f]{8}", re.ASCII)
_PRIVATE: Final = "PRIVATE+KEY+"


def check_name(name: str) -> str:
    """Return a usable key name: not empty, no Unicode space, no plus, no control character. Raises KEY_MALFORMED."""
    if not name or "+" in name or any(char.isspace() or ord(char) < 0x20 for char in name):
        raise LogFault("KEY_MALFORMED", f"{name[:60]!r} is no key name")
    return name


def key_id(name: str, kind: int, public: bytes) -> bytes:
    """The 4-byte key id of a key name, signature type and public key."""
    return sha256(name.encode() + b"\n" + bytes((kind,)) + public).digest()[:4]


@dataclass(frozen=True, slots=True)
class NoteSignature:
    """One signature line: key name, 4-byte key id and the bytes after it."""

    name: str
    key_id: bytes
    data: bytes

    def line(self) -> str:
        """The line as it stands in a note, line feed included."""
        return f"{_DASH}{self.name} {encode64(self.key_id + self.data)}\n"


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A public key that may sign notes: name, type (0x01 or 0x04) and 32 bytes.

    Raises KEY_MALFORMED, or KEY_WEAK for a key that can bind nobody (`signature.check_key`).
    """

    name: str
    kind: int
    public: bytes

    def __post_init__(self) -> None:
        check_name(self.name)
        if self.kind not in (ED25519, COSIGNATURE):
            raise LogFault("KEY_MALFORMED", f"signature type {self.kind:#04x} of {self.name} is not read here")
        try:
            signature.check_key(self.public.hex())
        except signature.KeyRefused as refused:
            raise LogFault("KEY_WEAK", f"{self.name}: {refused}") from None

    @classmethod
    def parse(cls, text: str) -> VerifierKey:
        """Read a verifier key. Raises KEY_MALFORMED or KEY_WEAK."""
        name, stated, material = _key_parts(text)
        key = cls(name, material[0], material[1:])
        if key.key_id.hex() != stated:
            raise LogFault("KEY_MALFORMED", f"the key id of {name} is {key.key_id.hex()}, not {stated}")
        return key

    @property
    def key_id(self) -> bytes:
        """The 4-byte key id."""
        return key_id(self.name, self.kind, self.public)

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{encode64(bytes((self.kind,)) + self.public)}"

    def made(self, signed: NoteSignature) -> bool:
        """Whether the line claims to be of this key; says nothing about its validity."""
        return signed.name == self.name and signed.key_id == self.key_id

    def verifies(self, text: bytes, signed: NoteSignature) -> bool:
        """Whether the signature is valid for the note text under this key."""
        if self.kind == ED25519:
            return signature.verify(self.public.hex(), text, signed.data.hex())
        try:
            seconds, ed25519 = cosignature.unpack(signed.data)
            return signature.verify(self.public.hex(), cosignature.message(seconds, text), ed25519.hex())
        except LogFault:
            return False


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private key that signs notes: name, type and the 32-byte seed of RFC 8032. Its text form is a secret."""

    name: str
    kind: int
    seed: bytes

    @classmethod
    def parse(cls, text: str) -> SigningKey:
        """Read a signing key. Raises KEY_MALFORMED; the message never holds the secret."""
        if not text.startswith(_PRIVATE):
            raise LogFault("KEY_MALFORMED", "a signing key starts with PRIVATE+KEY+")
        try:
            name, stated, material = _key_parts(text.removeprefix(_PRIVATE))
        except LogFault:
            raise LogFault("KEY_MALFORMED", "the signing key cannot be read") from None
        key = cls(name, material[0], material[1:])
        if key.verifier.key_id.hex() != stated:
            raise LogFault("KEY_MALFORMED", f"the key id in the signing key of {name} is not of this key")
        return key

    def secret_text(self) -> str:
        """The text form with the seed in it."""
        return f"{_PRIVATE}{self.name}+{self.verifier.key_id.hex()}+{encode64(bytes((self.kind,)) + self.seed)}"

    def __repr__(self) -> str:
        return f"SigningKey({self.name!r}, secret)"

    @property
    def verifier(self) -> VerifierKey:
        """The verifier key that belongs to it."""
        return VerifierKey(self.name, self.kind, bytes.fromhex(signature.public_of(self.seed)))

    def sign(self, text: bytes, seconds: int = 0) -> NoteSignature:
        """Sign a note text; `seconds` is the POSIX time that a cosignature states and is unused by a plain one."""
        if self.kind == ED25519:
            data = bytes.fromhex(signature.sign(self.seed, text))
        else:
            signed = signature.sign(self.seed, cosignature.message(seconds, text))
            data = cosignature.pack(seconds, bytes.fromhex(signed))
        return NoteSignature(self.name, self.verifier.key_id, data)


@dataclass(frozen=True, slots=True)
class Note:
    """A parsed note: the text with its final line feed, and every signature, known or not, verified or not."""

    text: str
    signatures: tuple[NoteSignature, ...]

    @classmethod
    def parse(cls, data: bytes) -> Note:
        """Read a note without checking any signature. Raises NOTE_TOO_LARGE, NOTE_MALFORMED or BASE64_JUNK."""
        if len(data) > MAX_NOTE:
            raise LogFault("NOTE_TOO_LARGE", f"the note has {len(data)} bytes, the limit is {MAX_NOTE}")
        try:
            whole = data.decode("utf-8")
        except UnicodeDecodeError:
            raise LogFault("NOTE_MALFORMED", "the note is not UTF-8") from None
        if _CONTROL.search(whole):
            raise LogFault("NOTE_MALFORMED", "the note holds a control character")
        text, blank, block = whole.rpartition("\n\n")
        if not blank or not block.endswith("\n"):
            raise LogFault("NOTE_MALFORMED", "the note does not end in a blank line and signature lines")
        return cls(text + "\n", parse_signatures(block))

    def render(self) -> bytes:
        """The note as bytes."""
        return f"{self.text}\n{''.join(signed.line() for signed in self.signatures)}".encode()

    def verified(self, keys: Sequence[VerifierKey]) -> tuple[tuple[VerifierKey, NoteSignature], ...]:
        """Every signature made by one of `keys` with its key, each key once.

        Raises SIGNATURE_WRONG where one does not verify, KEY_AMBIGUOUS where two keys share name and id, and
        NOTE_UNSIGNED where none of the keys signed.
        """
        _refuse_ambiguous(keys)
        text = self.text.encode()
        found: dict[VerifierKey, NoteSignature] = {}
        for signed in self.signatures:
            for key in keys:
                if not key.made(signed):
                    continue
                if not key.verifies(text, signed):
                    raise LogFault("SIGNATURE_WRONG", f"the signature of {key.name} does not fit the text")
                found.setdefault(key, signed)
        if not found:
            signers = ", ".join(sorted({signed.name for signed in self.signatures}))
            raise LogFault("NOTE_UNSIGNED", f"none of {len(keys)} trusted keys signed; signed by {signers}")
        return tuple(found.items())


def parse_signatures(block: str) -> tuple[NoteSignature, ...]:
    """Read the signature lines of a note or of a witness's answer. Raises NOTE_MALFORMED or BASE64_JUNK."""
    lines = block.split("\n")[:-1]
    if not lines or not block.endswith("\n"):
        raise LogFault("NOTE_MALFORMED", "there is no complete signature line")
    if len(lines) > MAX_SIGNATURES:
        raise LogFault("NOTE_MALFORMED", f"the note has {len(lines)} signatures, the limit is {MAX_SIGNATURES}")
    return tuple(_parse_signature(line) for line in lines)


def _parse_signature(line: str) -> NoteSignature:
    name, space, encoded = line.removeprefix(_DASH).partition(" ")
    if not line.startswith(_DASH) or not space:
        raise LogFault("NOTE_MALFORMED", f"no signature line: {line[:60]!r}")
    try:
        check_name(name)
    except LogFault as fault:
        raise LogFault("NOTE_MALFORMED", fault.detail) from None
    data = decode64(encoded, f"the signature of {name}")
    if len(data) < 5:
        raise LogFault("NOTE_MALFORMED", f"the signature of {name} is too short to hold a key id")
    return NoteSignature(name, data[:4], data[4:])


def sign_note(text: str, keys: Iterable[SigningKey], seconds: int = 0) -> Note:
    """A note over `text`, which ends in a line feed, signed by every key in order."""
    if not text.endswith("\n") or _CONTROL.search(text):
        raise LogFault("NOTE_MALFORMED", "a note text ends in a line feed and holds no control character")
    return Note(text, tuple(key.sign(text.encode(), seconds) for key in keys))


def _refuse_ambiguous(keys: Sequence[VerifierKey]) -> None:
    seen: set[tuple[str, bytes]] = set()
    for key in keys:
        if (key.name, key.key_id) in seen:
            raise LogFault("KEY_AMBIGUOUS", f"two trusted keys are named {key.name} with id {key.key_id.hex()}")
        seen.add((key.name, key.key_id))


def _key_parts(text: str) -> tuple[str, str, bytes]:
    """(name, stated key id, type byte and 32 bytes) of a key's text form."""
    parts = text.split("+", 2)
    if len(parts) != 3 or not _KEY_ID.fullmatch(parts[1]):
        raise LogFault("KEY_MALFORMED", f"{text[:80]!r} does not read <name>+<key id>+<base64>")
    try:
        material = decode64(parts[2], "the key")
    except LogFault as fault:
        raise LogFault("KEY_MALFORMED", fault.detail) from None
    if len(material) != 33:
        raise LogFault("KEY_MALFORMED", f"the key of {parts[0]} has {len(material)} bytes, a type byte and 32 are read")
    return check_name(parts[0]), parts[1], material
