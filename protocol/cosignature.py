"""Witness cosignatures: C2SP tlog-cosignature, the Ed25519 kind `cosignature/v1` (signature type 0x04).

A cosignature says: at this second, this was the largest consistent tree of this log that the witness had seen. It is a
note signature whose bytes are a big-endian 64-bit POSIX time followed by an Ed25519 signature over

    cosignature/v1
    time <seconds>
    <the whole text of the checkpoint>

so the same checkpoint signed by a log and by a witness can never be taken for one another.
"""

from __future__ import annotations

from typing import Final

from .faults import LogFault
from .strict import MAX_SIZE

SIGNATURE_SIZE: Final = 8 + 64


def message(seconds: int, text: bytes) -> bytes:
    """The bytes a witness signs for the checkpoint text `text` at POSIX time `seconds` (1 to 2^63-1)."""
    if not 0 < seconds <= MAX_SIZE:
        raise LogFault("NOTE_MALFORMED", f"a cosignature cannot bear the time {seconds}")
    return b"cosignature/v1\ntime %d\n" % seconds + text


def pack(seconds: int, signature: bytes) -> bytes:
    """Time and 64-byte Ed25519 signature as they stand in the note signature."""
    return seconds.to_bytes(8, "big") + signature


def unpack(data: bytes) -> tuple[int, bytes]:
    """(POSIX seconds, Ed25519 signature) of the note signature bytes. Raises NOTE_MALFORMED."""
    if len(data) != SIGNATURE_SIZE:
        raise LogFault("NOTE_MALFORMED", f"a cosignature has {SIGNATURE_SIZE} bytes, this one {len(data)}")
    return int.from_bytes(data[:8], "big"), data[8:]
