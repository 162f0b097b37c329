"""Strict readers for the two encodings that every log format shares.

Base64 is RFC 4648 section 4 with padding and nothing else; a tree size or index is an ASCII decimal without sign,
leading zero or separator (C2SP tlog-checkpoint). What a lenient reader lets pass here becomes a second spelling of a
signed value, so both readers accept exactly one spelling of each value.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Final

from .faults import LogFault

MAX_SIZE: Final = 2**63 - 1
_DECIMAL: Final = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)


def encode64(data: bytes) -> str:
    """Standard padded base64 of `data`."""
    return base64.b64encode(data).decode("ascii")


def decode64(text: str, what: str) -> bytes:
    """Bytes of standard padded base64; `what` names the field. Raises BASE64_JUNK for any other spelling."""
    try:
        data = binascii.a2b_base64(text.encode("ascii"), strict_mode=True)
    except (ValueError, UnicodeEncodeError):
        raise LogFault("BASE64_JUNK", f"{what} is not base64: {text[:60]!r}") from None
    if encode64(data) != text:
        raise LogFault("BASE64_JUNK", f"{what} is not in its one base64 spelling: {text[:60]!r}")
    return data


def decode_hash(text: str, what: str) -> bytes:
    """The 32 bytes of a SHA-256 value in base64. Raises BASE64_JUNK."""
    data = decode64(text, what)
    if len(data) != 32:
        raise LogFault("BASE64_JUNK", f"{what} holds {len(data)} bytes, a SHA-256 value has 32")
    return data


def decimal(text: str, what: str) -> int:
    """A number from 0 to 2^63-1 in its one decimal spelling; `what` names it. Raises SIZE_MALFORMED."""
    if not _DECIMAL.fullmatch(text) or int(text) > MAX_SIZE:
        raise LogFault("SIZE_MALFORMED", f"{what} is not a plain decimal number below 2^63: {text[:60]!r}")
    return int(text)
