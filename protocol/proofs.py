"""Verification of Merkle proofs: RFC 9162 sections 2.1.3 and 2.1.4, and proofs about subtrees.

Each kind of proof is checked twice, by two verifiers that share no step: one follows the recursive definition of the
tree from the root down, the other runs the bit algorithm of the RFC from the leaf up. A proof counts only where both
accept it, so a slip in either cannot let a false proof through.

A subtree [start, end) is a node of some tree over the log: `start` is a multiple of the smallest power of two not below
its width (draft-ietf-plants-merkle-tree-certs, section 4.1). Ordinary proofs are the case start = 0.

What an inclusion proof does not show: the size. For most positions several sizes give a path of the same shape, so a
proof made at one size verifies at a band of others with the same root. Size and root must therefore come from one
signed checkpoint, which closes the band.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .faults import LogFault
from .merkle import EMPTY_ROOT, HASH_SIZE, node_hash, split
from .strict import MAX_SIZE, decode_hash

MAX_PATH: Final = 63


def verify_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> None:
    """Check that the leaf hash `leaf` stands at `index` in the tree of `size` entries with this root.

    Hashes have 32 bytes. Raises INDEX_RANGE, PROOF_TOO_LONG, PROOF_MALFORMED or PROOF_WRONG; returns nothing.
    """
    _check_hashes((leaf, root), path)
    if not 0 <= index < size <= MAX_SIZE:
        raise LogFault("INDEX_RANGE", f"entry {index} lies outside a tree of {size}")
    by_definition = _inclusion_down(leaf, index, size, path)
    by_bits = _inclusion_up(leaf, index, size, path)
    if by_definition is None or by_definition != by_bits or by_definition != root:
        raise LogFault("PROOF_WRONG", f"the path of {len(path)} hashes does not lead from entry {index} to the root")


def verify_subtree_inclusion(leaf: bytes, index: int, start: int, end: int, path: Sequence[bytes], root: bytes) -> None:
    """Check that `leaf` stands at position `index` of the log inside the subtree [start, end) with this root."""
    _check_subtree(start, end, MAX_SIZE)
    if not start <= index < end:
        raise LogFault("INDEX_RANGE", f"entry {index} lies outside the subtree {start} to {end}")
    verify_inclusion(leaf, index - start, end - start, path, root)


def verify_consistency(old: int, size: int, old_root: bytes, root: bytes, path: Sequence[bytes]) -> None:
    """Check that the tree of `old` entries with `old_root` is a prefix of the tree of `size` entries with `root`.

    From size 0 there is nothing to prove, so that is refused. Raises as `verify_inclusion` does.
    """
    if old == 0:
        raise LogFault("INDEX_RANGE", "an empty tree is a prefix of every tree; there is nothing to prove")
    verify_subtree_consistency(0, old, size, old_root, root, path)


def verify_subtree_consistency(
    start: int, end: int, size: int, subtree: bytes, root: bytes, path: Sequence[bytes]
) -> None:
    """Check that the subtree [start, end) with hash `subtree` lies in the tree of `size` entries with `root`.

    An empty subtree is accepted with the hash of the empty tree and no path; it says nothing about the root.
    """
    _check_hashes((subtree, root), path)
    if start == end and 0 <= start <= size:
        if path or subtree != EMPTY_ROOT:
            raise LogFault("PROOF_WRONG", "an empty subtree has the empty hash and no path")
        return
    _check_subtree(start, end, size)
    by_definition = _consistency_down(start, end, size, path, subtree)
    by_bits = _consistency_up(start, end, size, path, subtree)
    if by_definition is None or by_definition != by_bits or by_definition != (subtree, root):
        raise LogFault("PROOF_WRONG", f"the path of {len(path)} hashes does not join {start}..{end} to size {size}")


def lines_above(data: bytes, limit: int, what: str) -> tuple[list[str], bytes, bytes]:
    """The lines above the blank line, that blank line (empty where there is none), and the checkpoint below it.

    Proof files and requests to a witness share this shape; `what` names the one at hand. Raises PROOF_MALFORMED.
    """
    if len(data) > limit:
        raise LogFault("PROOF_MALFORMED", f"{what} has {len(data)} bytes, the limit is {limit}")
    head, blank, checkpoint = data.partition(b"\n\n")
    try:
        return head.decode("ascii").split("\n"), blank, checkpoint
    except UnicodeDecodeError:
        raise LogFault("PROOF_MALFORMED", "the lines above the checkpoint are not ASCII") from None


def read_path(lines: Sequence[str]) -> tuple[bytes, ...]:
    """The hashes of a proof, one base64 line each. Raises PROOF_TOO_LONG or BASE64_JUNK."""
    _check_length(lines)
    return tuple(decode_hash(line, "a hash of the proof") for line in lines)


def _check_length(path: Sequence[object]) -> None:
    if len(path) > MAX_PATH:
        raise LogFault("PROOF_TOO_LONG", f"the proof has {len(path)} hashes")


def _check_hashes(hashes: Sequence[bytes], path: Sequence[bytes]) -> None:
    _check_length(path)
    if any(len(hashed) != HASH_SIZE for hashed in (*hashes, *path)):
        raise LogFault("PROOF_MALFORMED", "every hash of a proof has 32 bytes")


def _check_subtree(start: int, end: int, size: int) -> None:
    if not 0 <= start < end <= size <= MAX_SIZE:
        raise LogFault("INDEX_RANGE", f"{start} to {end} is no part of a tree of {size}")
    if start % (1 << (end - start - 1).bit_length()):
        raise LogFault("INDEX_RANGE", f"{start} to {end} is no subtree of any tree")


def _inclusion_down(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """Root that the path gives by the definition of PATH, or None where its length does not fit."""
    if size == 1:
        return None if path else leaf
    if not path:
        return None
    half = split(size)
    if index < half:
        left = _inclusion_down(leaf, index, half, path[:-1])
        return None if left is None else node_hash(left, path[-1])
    right = _inclusion_down(leaf, index - half, size - half, path[:-1])
    return None if right is None else node_hash(path[-1], right)


def _inclusion_up(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """Root by the algorithm of section 2.1.3.2: walk up, shifting the leaf's and the last leaf's position."""
    here, last, root = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            return None
        if here & 1 or here == last:
            root = node_hash(sibling, root)
            while not here & 1 and here:
                here, last = here >> 1, last >> 1
        else:
            root = node_hash(root, sibling)
        here, last = here >> 1, last >> 1
    return root if last == 0 else None


def _consistency_down(
    start: int, end: int, size: int, path: Sequence[bytes], known: bytes | None
) -> tuple[bytes, bytes] | None:
    """(subtree hash, root) by the definition of SUBPROOF; `known` is the subtree hash where no path node repeats it."""
    if start == 0 and end == size:
        if known is not None:
            return None if path else (known, known)
        return (path[0], path[0]) if len(path) == 1 else None
    if not path:
        return None
    half, top, below = split(size), path[-1], path[:-1]
    if end <= half:
        pair = _consistency_down(start, end, half, below, known)
        return None if pair is None else (pair[0], node_hash(pair[1], top))
    if start >= half:
        pair = _consistency_down(start - half, end - half, size - half, below, known)
        return None if pair is None else (pair[0], node_hash(top, pair[1]))
    pair = _consistency_down(0, end - half, size - half, below, None)
    return None if pair is None else (node_hash(top, pair[0]), node_hash(top, pair[1]))


def _consistency_up(
    start: int, end: int, size: int, path: Sequence[bytes], subtree: bytes
) -> tuple[bytes, bytes] | None:
    """(subtree hash, root) by the algorithm of section 2.1.4.2, with a third counter for the subtree's first leaf."""
    first, last, final = start, end - 1, size - 1
    if last == final:
        while first != last:
            first, last, final = first >> 1, last >> 1, final >> 1
    else:
        while first != last and last & 1:
            first, last, final = first >> 1, last >> 1, final >> 1
    rest = list(path)
    if first == last:
        inner = outer = subtree
    elif rest:
        inner = outer = rest.pop(0)
    else:
        return None
    for sibling in rest:
        if final == 0:
            return None
        if last & 1 or last == final:
            if first < last:
                inner = node_hash(sibling, inner)
            outer = node_hash(sibling, outer)
            while not last & 1 and last:
                first, last, final = first >> 1, last >> 1, final >> 1
        else:
            outer = node_hash(outer, sibling)
        first, last, final = first >> 1, last >> 1, final >> 1
    return (inner, outer) if final == 0 else None
