"""The Merkle tree of the log: RFC 9162 section 2.1 with SHA-256.

A leaf is hashed as SHA-256(0x00 || entry), an inner node as SHA-256(0x01 || left || right); the empty tree hashes to
SHA-256 of nothing. A tree of n > 1 entries splits at the largest power of two below n. So every *complete* node, one
that spans 2^level entries from a multiple of 2^level on, is final once its entries are in, and any root or proof of
any size, today's or an old one, is a handful of complete nodes hashed together.

`Node` is that idea as a function: (level, index) to the 32 bytes of the complete node over the entries
[index * 2^level, (index + 1) * 2^level). Proofs are made from such a function alone, in O(log n), whether the nodes
lie in memory (`Tree`) or in published tiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Final

from .faults import LogFault

HASH_SIZE: Final = 32
EMPTY_ROOT: Final = sha256(b"").digest()

Node = Callable[[int, int], bytes]


def leaf_hash(entry: bytes) -> bytes:
    """Hash of one log entry as a leaf."""
    return sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Hash of an inner node over its two children of 32 bytes each."""
    return sha256(b"\x01" + left + right).digest()


def split(width: int) -> int:
    """The largest power of two below `width`; `width` is at least 2."""
    return 1 << ((width - 1).bit_length() - 1)


def range_root(node: Node, start: int, end: int) -> bytes:
    """Merkle tree hash of the entries [start, end); `start` is a multiple of a power of two not below end - start."""
    if start == end:
        return EMPTY_ROOT
    peaks = []
    while start < end:
        level = (end - start).bit_length() - 1
        peaks.append(node(level, start >> level))
        start += 1 << level
    root = peaks.pop()
    while peaks:
        root = node_hash(peaks.pop(), root)
    return root


def inclusion_path(node: Node, index: int, size: int) -> list[bytes]:
    """Inclusion proof (RFC 9162, 2.1.3.1) of entry `index` in the tree of `size` entries, leaf's sibling first.

    Raises INDEX_RANGE unless 0 <= index < size.
    """
    if not 0 <= index < size:
        raise LogFault("INDEX_RANGE", f"entry {index} lies outside a tree of {size}")
    path = []
    level, last = 0, size - 1
    while last:
        sibling = index ^ 1
        if sibling < last:
            path.append(node(level, sibling))
        elif sibling == last:
            path.append(range_root(node, sibling << level, size))
        level, index, last = level + 1, index >> 1, last >> 1
    return path


def consistency_path(node: Node, old: int, size: int) -> list[bytes]:
    """Consistency proof (RFC 9162, 2.1.4.1) that the tree of `old` entries is a prefix of the tree of `size` entries.

    Raises INDEX_RANGE unless 0 < old <= size; an empty tree is a prefix of every tree and needs no proof.
    """
    if not 0 < old <= size:
        raise LogFault("INDEX_RANGE", f"no consistency proof leads from size {old} to size {size}")
    path = []
    start, end, known = 0, size, True
    while old != end:
        middle = start + split(end - start)
        if old <= middle:
            path.append(range_root(node, middle, end))
            end = middle
        else:
            path.append(range_root(node, start, middle))
            start, known = middle, False
    if not known:
        path.append(range_root(node, start, end))
    path.reverse()
    return path


class Tree:
    """An append-only tree in memory that keeps every complete node, about 64 bytes an entry.

    Each level is one flat array of 32-byte hashes. Any historic size can be asked for a root or a proof.
    """

    def __init__(self) -> None:
        self._levels: list[bytearray] = [bytearray()]

    @property
    def size(self) -> int:
        """Number of entries."""
        return len(self._levels[0]) // HASH_SIZE

    def append(self, entry: bytes) -> int:
        """Add one entry and return its index."""
        index = at = self.size
        node = sha256(b"\x00" + entry).digest()
        for level in self._levels:
            level += node
            if not at & 1:
                return index
            node = sha256(b"\x01" + level[-2 * HASH_SIZE :]).digest()
            at >>= 1
        self._levels.append(bytearray(node))
        return index

    def extend(self, entries: Iterable[bytes]) -> None:
        """Add entries in order."""
        leaves = self._levels[0]
        try:
            for entry in entries:
                leaves += sha256(b"\x00" + entry).digest()
        finally:
            self._grow()

    def extend_leaves(self, hashes: Iterable[bytes]) -> None:
        """Add leaf hashes of 32 bytes each in order, for a reader that has hashes and no entries."""
        leaves = self._levels[0]
        try:
            for hashed in hashes:
                if len(hashed) != HASH_SIZE:
                    raise LogFault("PROOF_MALFORMED", f"a leaf hash has 32 bytes, this one {len(hashed)}")
                leaves += hashed
        finally:
            self._grow()

    def _grow(self) -> None:
        """Compute every inner node that has become complete; a pair already hashed is never hashed again."""
        for level in range(64):
            below = self._levels[level]
            if len(below) < 2 * HASH_SIZE:
                return
            if len(self._levels) == level + 1:
                self._levels.append(bytearray())
            above = self._levels[level + 1]
            begin, end = 2 * len(above), len(below) - 2 * HASH_SIZE + 1
            if begin >= end:
                return
            for at in range(begin, end, 2 * HASH_SIZE):
                above += sha256(b"\x01" + below[at : at + 2 * HASH_SIZE]).digest()

    def node(self, level: int, index: int) -> bytes:
        """Hash of the complete node (level, index). Raises INDEX_RANGE when it is not complete yet."""
        return self.nodes(level, index, index + 1)

    def nodes(self, level: int, start: int, end: int) -> bytes:
        """The hashes of complete nodes [start, end) of a level, joined; a published tile is such a run."""
        if level < len(self._levels) and 0 <= start <= end <= len(self._levels[level]) // HASH_SIZE:
            return bytes(self._levels[level][start * HASH_SIZE : end * HASH_SIZE])
        raise LogFault("INDEX_RANGE", f"nodes {start} to {end} of level {level} are not complete at size {self.size}")

    def root(self, size: int | None = None) -> bytes:
        """Root at `size` entries, today's by default. Raises INDEX_RANGE for a size the tree has not reached."""
        return range_root(self.node, 0, self._known(size))

    def inclusion_proof(self, index: int, size: int | None = None) -> list[bytes]:
        """Inclusion proof of entry `index` at `size` entries, today's by default. Raises INDEX_RANGE."""
        return inclusion_path(self.node, index, self._known(size))

    def consistency_proof(self, old: int, size: int | None = None) -> list[bytes]:
        """Consistency proof from `old` to `size` entries, today's by default. Raises INDEX_RANGE."""
        return consistency_path(self.node, old, self._known(size))

    def _known(self, size: int | None) -> int:
        if size is None:
            return self.size
        if not 0 <= size <= self.size:
            raise LogFault("INDEX_RANGE", f"the tree has {self.size} entries, not {size}")
        return size
