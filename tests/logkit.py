"""Helpers of the log tests: keys that are always the same, a log held in a dictionary, and counts on the terminal."""

import base64
from collections.abc import Callable, Iterable

import pytest

from tollbench.protocol.checkpoint import Checkpoint
from tollbench.protocol.faults import LogFault
from tollbench.protocol.merkle import Tree
from tollbench.protocol.note import COSIGNATURE, ED25519, SigningKey
from tollbench.protocol.tiles import ENTRIES, WIDTH, bundle_bytes, new_tiles, tile_bytes

ORIGIN = "log.example/bench"
LOG_KEY = SigningKey(ORIGIN, ED25519, bytes(range(32)))
WITNESSES = tuple(SigningKey(f"witness{n}.example/w", COSIGNATURE, bytes((n,)) * 32) for n in range(1, 5))
SECONDS = 1_790_000_000


def b64(text: str | None) -> bytes:
    """Bytes of a base64 field of a vector file, which may be null."""
    return base64.b64decode(text or "")


def entries(count: int) -> list[bytes]:
    """Different entries of 32 bytes."""
    return [n.to_bytes(32, "big") for n in range(count)]


def tree_of(items: Iterable[bytes]) -> Tree:
    """A tree over the entries."""
    tree = Tree()
    tree.extend(items)
    return tree


def head(tree: Tree, origin: str = ORIGIN) -> Checkpoint:
    """The unsigned checkpoint of a tree."""
    return Checkpoint(origin, tree.size, tree.root())


def cosigned(checkpoint: Checkpoint, *witnesses: SigningKey, key: SigningKey = LOG_KEY) -> bytes:
    """The checkpoint signed by the log and the witnesses."""
    note = checkpoint.signed_by(key)
    added = b"".join(witness.sign(note.text.encode(), SECONDS).line().encode() for witness in witnesses)
    return note.render() + added


def published(items: list[bytes]) -> dict[str, bytes]:
    """Tiles and bundles of a log by path."""
    tree, files = tree_of(items), {}
    for tile in new_tiles(0, tree.size):
        first = tile.number * WIDTH
        if tile.level == ENTRIES:
            files[tile.path] = bundle_bytes(items[first : first + tile.width])
        else:
            files[tile.path] = tile_bytes(tree, tile)
    return files


def fault_of(call: Callable[[], object]) -> str:
    """The code of the fault that a call ends in; an empty string where it ends well."""
    try:
        call()
    except LogFault as fault:
        return fault.code
    return ""


def told(capsys: pytest.CaptureFixture[str], line: str) -> None:
    """Print a count past pytest's capture, so that it stands in the output of an ordinary run."""
    with capsys.disabled():
        print(f"\n  [vectors] {line}", end="", flush=True)
