"""Proofs of trees up to 600 entries: every one that is made verifies, every changed one is refused.

The one exception is inherent: a proof says nothing about the size except through its shape, so another size with a path
of the same shape is accepted with the same root. The tests pin that band down exactly.
"""

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from logkit import entries, fault_of, tree_of
from tollbench.protocol.merkle import EMPTY_ROOT, leaf_hash, node_hash, split
from tollbench.protocol.proofs import verify_consistency, verify_inclusion

LARGEST = 600
ENTRIES = entries(LARGEST)
TREE = tree_of(ENTRIES)


@cache
def _root(start: int, end: int) -> bytes:
    """Root by the recursive definition of RFC 9162, section 2.1.1."""
    if end - start < 2:
        return leaf_hash(ENTRIES[start]) if end > start else EMPTY_ROOT
    middle = start + split(end - start)
    return node_hash(_root(start, middle), _root(middle, end))


def _inclusion_shape(index: int, size: int) -> str:
    """Which side each hash of an inclusion path is on, from the root down."""
    if size < 2:
        return ""
    half = split(size)
    return "r" + _inclusion_shape(index, half) if index < half else "l" + _inclusion_shape(index - half, size - half)


def _consistency_shape(old: int, size: int, known: bool = True) -> str:
    """Which side each hash of a consistency path is on, from the root down, and whether the old root closes it."""
    if old == size:
        return "!" if known else "."
    half = split(size)
    if old <= half:
        return "r" + _consistency_shape(old, half, known)
    return "l" + _consistency_shape(old - half, size - half, False)


def _flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


sizes = st.integers(1, LARGEST)


def test_every_root_is_that_of_the_definition():
    assert [TREE.root(size) for size in range(LARGEST + 1)] == [_root(0, size) for size in range(LARGEST + 1)]


def test_appending_one_by_one_or_in_runs_gives_one_tree():
    single, by_leaf = tree_of([]), tree_of([])
    for at, entry in enumerate(ENTRIES):
        assert single.append(entry) == at
    by_leaf.extend_leaves(leaf_hash(entry) for entry in ENTRIES)
    assert single.root() == by_leaf.root() == TREE.root()


@given(st.data())
def test_every_inclusion_proof_verifies_at_every_historic_size(data):
    size = data.draw(sizes)
    for index in range(0, size, max(1, size // 40)):
        verify_inclusion(leaf_hash(ENTRIES[index]), index, size, TREE.inclusion_proof(index, size), _root(0, size))


@given(st.data())
def test_every_consistency_proof_verifies_between_any_two_sizes(data):
    size = data.draw(sizes)
    for old in range(1, size + 1, max(1, size // 40)):
        verify_consistency(old, size, _root(0, old), _root(0, size), TREE.consistency_proof(old, size))


@given(st.data())
def test_every_changed_bit_of_an_inclusion_proof_is_refused(data):
    size = data.draw(sizes)
    index = data.draw(st.integers(0, size - 1))
    parts = [leaf_hash(ENTRIES[index]), _root(0, size), *TREE.inclusion_proof(index, size)]
    at, bit = data.draw(st.integers(0, len(parts) - 1)), data.draw(st.integers(0, 255))
    leaf, root, *path = [_flipped(part, bit) if n == at else part for n, part in enumerate(parts)]
    assert fault_of(lambda: verify_inclusion(leaf, index, size, path, root)) == "PROOF_WRONG"


@given(st.data())
def test_every_changed_bit_of_a_consistency_proof_is_refused(data):
    size = data.draw(sizes)
    old = data.draw(st.integers(1, size))
    parts = [_root(0, old), _root(0, size), *TREE.consistency_proof(old, size)]
    at, bit = data.draw(st.integers(0, len(parts) - 1)), data.draw(st.integers(0, 255))
    old_root, root, *path = [_flipped(part, bit) if n == at else part for n, part in enumerate(parts)]
    assert fault_of(lambda: verify_consistency(old, size, old_root, root, path)) == "PROOF_WRONG"


@given(st.data())
def test_every_changed_index_is_refused(data):
    size = data.draw(st.integers(2, LARGEST))
    index = data.draw(st.integers(0, size - 1))
    path, leaf, root = TREE.inclusion_proof(index, size), leaf_hash(ENTRIES[index]), _root(0, size)
    others = [other for other in range(-1, size + 2) if other != index]
    codes = {fault_of(lambda other=other: verify_inclusion(leaf, other, size, path, root)) for other in others}
    assert codes <= {"PROOF_WRONG", "INDEX_RANGE"}


@given(st.data())
def test_another_size_is_accepted_only_where_the_path_keeps_its_shape(data):
    size = data.draw(sizes)
    index = data.draw(st.integers(0, size - 1))
    path, leaf, root = TREE.inclusion_proof(index, size), leaf_hash(ENTRIES[index]), _root(0, size)
    for other in range(1, 2 * LARGEST, 7):
        same = index < other and _inclusion_shape(index, other) == _inclusion_shape(index, size)
        refused = fault_of(lambda other=other: verify_inclusion(leaf, index, other, path, root))
        assert bool(refused) is not same


@given(st.data())
def test_another_pair_of_sizes_is_accepted_only_where_the_path_keeps_its_shape(data):
    size = data.draw(sizes)
    old = data.draw(st.integers(1, size))
    path, shape = TREE.consistency_proof(old, size), _consistency_shape(old, size)
    for other_old, other in ((old, size + n) for n in range(-20, 20)):
        same = 0 < other_old <= other and _consistency_shape(other_old, other) == shape
        roots = _root(0, old), _root(0, size)
        refused = fault_of(lambda a=other_old, b=other, r=roots: verify_consistency(a, b, *r, path))
        assert bool(refused) is not same


@given(st.data())
def test_every_changed_old_size_is_refused(data):
    size = data.draw(st.integers(2, LARGEST))
    old = data.draw(st.integers(1, size))
    path, roots = TREE.consistency_proof(old, size), (_root(0, old), _root(0, size))
    for other in (other for other in range(size + 2) if other != old):
        assert fault_of(lambda other=other: verify_consistency(other, size, *roots, path)) != ""


@given(st.data())
def test_a_path_with_a_hash_more_or_less_is_refused(data):
    size = data.draw(sizes)
    index = data.draw(st.integers(0, size - 1))
    path, leaf, root = TREE.inclusion_proof(index, size), leaf_hash(ENTRIES[index]), _root(0, size)
    at = data.draw(st.integers(0, len(path)))
    longer = [*path[:at], bytes(32), *path[at:]]
    assert fault_of(lambda: verify_inclusion(leaf, index, size, longer, root)) == "PROOF_WRONG"
    if path:
        assert fault_of(lambda: verify_inclusion(leaf, index, size, path[:-1], root)) == "PROOF_WRONG"
