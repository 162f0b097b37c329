"""Content hashes of an artifact, read from disk piece by piece: what a receipt files.

The platform hosts nothing (TB-OWN-001): the bytes are hashed where they lie and go nowhere. SHA-256 is mandatory on a
receipt, BLAKE3 stands beside it (ruling A-39).
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

from blake3 import blake3

PIECE = 1 << 20
"""Bytes read at a time, so that memory does not grow with the artifact."""


class ContentHashes(NamedTuple):
    """The hashes as `FileReceipt` takes them, `sha256:…` and `b3:…`, and the size in bytes."""

    sha256: str
    blake3: str
    size: int


def content_hashes(path: str | Path) -> ContentHashes:
    """Hash a file of any size. Raises `OSError` where it cannot be read."""
    first, second, size = hashlib.sha256(), blake3(), 0
    with Path(path).open("rb", buffering=0) as artifact:
        while piece := artifact.read(PIECE):
            first.update(piece)
            second.update(piece)
            size += len(piece)
    return ContentHashes(f"sha256:{first.hexdigest()}", f"b3:{second.hexdigest()}", size)
