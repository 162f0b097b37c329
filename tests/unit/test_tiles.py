"""Tiles: paths, what a growing log must serve, and a reader that believes no file."""

import pytest

from logkit import entries, fault_of, published, tree_of
from tollbench.protocol.merkle import consistency_path, inclusion_path
from tollbench.protocol.tiles import ENTRIES, Tile, TileReader, bundle_bytes, bundle_entries, edge, new_tiles

SIZE = 700
ITEMS = entries(SIZE)
TREE = tree_of(ITEMS)
FILES = published(ITEMS)


def _reader(files, size=SIZE):
    return TileReader(files.get, size, TREE.root(size))


def _read_all(files, size=SIZE):
    reader = _reader(files, size)
    for number in range(-(-size // 256)):
        assert reader.entries(number) == ITEMS[number * 256 : min(size, number * 256 + 256)]


@pytest.mark.parametrize(
    ("tile", "path"),
    [
        (Tile(0, 0), "tile/0/000"),
        (Tile(0, 1234067), "tile/0/x001/x234/067"),
        (Tile(1, 273, 112), "tile/1/273.p/112"),
        (Tile(7, 0, 1), "tile/7/000.p/1"),
        (Tile(ENTRIES, 1000, 255), "tile/entries/x001/000.p/255"),
    ],
)
def test_paths(tile, path):
    assert tile.path == path
    assert Tile.parse(path) == tile


@pytest.mark.parametrize(
    "path",
    [
        "",
        "tile/0/0",
        "tile/0/0000",
        "tile/00/000",
        "tile/64/000",
        "tile/-1/000",
        "tile/0/x000/001",
        "tile/0/001/002",
        "tile/0/000.p/0",
        "tile/0/000.p/256",
        "tile/0/000.p/01",
        "tile/0/../000",
        "/tile/0/000",
        "tile/0/000/",
        "tile/0/\uff10\uff10\uff10",
        "tile/data/000",
    ],
)
def test_any_other_spelling_of_a_path_is_refused(path):
    assert fault_of(lambda: Tile.parse(path)) == "TILE_PATH"


def test_edge_of_the_example_in_the_specification():
    assert edge(70_000) == [Tile(0, 273, 112), Tile(1, 1, 17), Tile(2, 0, 1)]
    assert edge(256) == [Tile(1, 0, 1)]
    assert edge(0) == []
    made = list(new_tiles(0, 70_000))
    assert len([tile for tile in made if tile.level == 0]) == 274
    assert [tile for tile in made if tile.level > 0] == [Tile(1, 0), Tile(1, 1, 17), Tile(2, 0, 1)]


@pytest.mark.parametrize("old", [0, 1, 255, 256, 257, 511, 512, 699, 700])
def test_growing_in_two_steps_serves_all_that_one_step_does(old):
    assert {*new_tiles(0, old), *new_tiles(old, SIZE)} >= {*new_tiles(0, SIZE)}
    assert all(tile.width <= 256 for tile in new_tiles(old, SIZE))
    if old == SIZE:
        assert list(new_tiles(old, SIZE)) == []


def test_every_node_and_proof_is_read_from_tiles():
    for size in (1, 2, 255, 256, 257, 511, 512, 513, 700):
        reader = _reader(published(ITEMS[:size]), size)
        for index in range(0, size, 13):
            assert inclusion_path(reader.node, index, size) == TREE.inclusion_proof(index, size)
        for old in range(1, size + 1, 17):
            assert consistency_path(reader.node, old, size) == TREE.consistency_proof(old, size)
        _read_all(published(ITEMS[:size]), size)


def test_empty_log_needs_no_tile():
    assert _reader({}, 0).size == 0
    assert fault_of(lambda: TileReader({}.get, 0, bytes(32))) == "TILE_FORGED"


def test_every_changed_byte_of_every_file_is_noticed():
    for path, data in FILES.items():
        for at in range(0, len(data), 97):
            changed = data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :]
            assert fault_of(lambda p=path, c=changed: _read_all(FILES | {p: c})) in (
                "TILE_FORGED",
                "TILE_TRUNCATED",
                "BUNDLE_FORGED",
            ), path


@pytest.mark.parametrize("path", sorted(FILES))
def test_truncated_or_missing_file_is_noticed(path):
    assert fault_of(lambda: _read_all(FILES | {path: FILES[path][:-1]})) == "TILE_TRUNCATED"
    assert fault_of(lambda: _read_all(FILES | {path: b""})) == "TILE_TRUNCATED"
    assert fault_of(lambda: _read_all(FILES | {path: FILES[path] + b"\0"})) == "TILE_TRUNCATED"
    assert fault_of(lambda: _read_all({at: data for at, data in FILES.items() if at != path})) == "TILE_MISSING"


def test_partial_tile_that_is_gone_is_read_from_the_full_one():
    full = published(ITEMS)
    for size in (300, 400, 511):
        small = published(ITEMS[:size])
        kept = {path: data for path, data in (small | full).items() if ".p/" not in path or path.startswith("tile/1")}
        assert f"tile/0/001.p/{size - 256}" not in kept
        _read_all(kept, size)


def test_tile_of_another_log_under_the_same_path_is_refused():
    other = published([bytes(32)] * SIZE)
    for path in FILES:
        assert fault_of(lambda p=path: _read_all(FILES | {p: other[p]})) in ("TILE_FORGED", "BUNDLE_FORGED"), path


def test_node_outside_the_tree_is_refused():
    reader = _reader(FILES)
    for level, index in ((0, SIZE), (0, -1), (-1, 0), (9, 1), (1, 350), (70, 0)):
        assert fault_of(lambda level=level, index=index: reader.node(level, index)) == "INDEX_RANGE"
    assert fault_of(lambda: reader.entries(3)) == "INDEX_RANGE"


def test_verified_tiles_are_kept_within_a_bound():
    reads = []
    reader = TileReader(lambda path: reads.append(path) or FILES.get(path), SIZE, TREE.root(), keep=1)
    for _ in range(3):
        reader.node(0, 5)
    assert reads.count("tile/0/000") == 1
    reader.node(0, 300)
    reader.node(0, 5)
    assert reads.count("tile/0/000") == 2


def test_bundles_hold_entries_of_any_length():
    items = [b"", b"x", b"y" * 65535]
    assert bundle_entries(bundle_bytes(items), 3) == items
    for unfit in ([], [b""] * 257, [b"z" * 65536]):
        assert fault_of(lambda unfit=unfit: bundle_bytes(unfit)) == "TILE_TRUNCATED"
