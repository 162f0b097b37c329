"""A log published by Tessera, grown one entry at a time: every root, tile, bundle and checkpoint byte for byte."""

from logkit import told
from support import shared
from tollbench.protocol.checkpoint import open_checkpoint
from tollbench.protocol.merkle import Tree, leaf_hash
from tollbench.protocol.note import VerifierKey
from tollbench.protocol.proofs import verify_consistency, verify_inclusion
from tollbench.protocol.tiles import ENTRIES, Tile, TileReader, bundle_bytes, edge, new_tiles, tile_bytes

KEY = VerifierKey.parse("example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx")
WORDS = b"one two three four five six seven eit nain ten ileven twelf threeten fourten fivten".split()


def _checkpoint(size):
    return open_checkpoint(shared(f"vectors/tessera-log/checkpoint.{size}").read_bytes(), (KEY,))[0]


def test_every_root_tile_bundle_and_checkpoint(capsys):
    tree, files = Tree(), 0
    for size in range(len(WORDS) + 1):
        checkpoint = _checkpoint(size)
        assert (checkpoint.size, checkpoint.root) == (size, tree.root())
        for tile in new_tiles(size - 1, size) if size else ():
            made = bundle_bytes(WORDS[:size]) if tile.level == ENTRIES else tile_bytes(tree, tile)
            assert made == shared(f"vectors/tessera-log/{tile.path}").read_bytes(), tile.path
            files += 1
        if size < len(WORDS):
            tree.append(WORDS[size])
    published = [path for path in shared("vectors/tessera-log/tile").rglob("*") if path.is_file()]
    assert files == len(published) == 30
    assert shared("vectors/tessera-log/checkpoint").read_bytes().startswith(b"example.com/log/testdata\n15\n")
    told(capsys, f"Tessera: 16 checkpoints verified, {files} tiles and bundles byte for byte")


def test_partial_tile_paths_name_the_published_files():
    published = shared("vectors/tessera-log/tile")
    for size in range(1, 16):
        assert [tile.path for tile in edge(size)] == [f"tile/0/000.p/{size}"]
    assert {Tile.parse(f"tile/{path.relative_to(published)}").width for path in published.glob("0/000.p/*")} == {
        *range(1, 16)
    }


def test_every_head_reads_proves_and_extends_the_one_before():
    def fetch(path):
        file = shared("vectors/tessera-log") / path
        return file.read_bytes() if file.is_file() else None

    for size in range(1, 16):
        head = _checkpoint(size)
        reader = TileReader(fetch, size, head.root)
        assert reader.entries(0) == WORDS[:size]
        tree = Tree()
        tree.extend(WORDS[:size])
        for index in range(size):
            verify_inclusion(leaf_hash(WORDS[index]), index, size, tree.inclusion_proof(index), head.root)
        for old in range(1, size):
            verify_consistency(old, size, _checkpoint(old).root, head.root, tree.consistency_proof(old))
