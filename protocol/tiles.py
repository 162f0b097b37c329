"""Tiles: C2SP tlog-tiles, the tree and its entries as static files of at most 256 hashes or entries.

A tile of level L and number N holds the hashes of complete nodes of tree level 8 * L, from N * 256 on: 256 of them if
it is full, fewer at the growing edge, when its path ends in `.p/<width>`. Full tiles never change. A bundle holds the
entries under a level-0 tile, each with its length before it as two bytes.

    tile/0/x001/x234/067          full tile 1,234,067 of level 0
    tile/1/000.p/17               17 nodes of the first tile of level 1
    tile/entries/000              the first 256 entries

`TileReader` believes no tile. The partial tiles along the edge must hash to the root of the checkpoint; a full tile
must hash to the node that its parent tile states; an entry must hash to its leaf. A partial tile may be gone once the
full one is there; then the first part of the full one is read in its place.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from .faults import LogFault
from .merkle import EMPTY_ROOT, HASH_SIZE, Tree, leaf_hash, node_hash, range_root
from .strict import MAX_SIZE

WIDTH: Final = 256
TILE_LEVELS: Final = 8
MAX_ENTRY: Final = 65535
MAX_BUNDLE: Final = WIDTH * (2 + MAX_ENTRY)
ENTRIES: Final = -1
_PATH: Final = re.compile(r"tile/(entries|0|[1-5]?[0-9]|6[0-3])/((?:x[0-9]{3}/)*)([0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?")

Fetch = Callable[[str], bytes | None]


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """Name of a tile: level (0 to 7, `ENTRIES` for a bundle), number in that level, width (256 if full)."""

    level: int
    number: int
    width: int = WIDTH

    @property
    def path(self) -> str:
        """Path of the tile below the prefix of the log."""
        digits = str(self.number)
        digits = digits.zfill(-(-len(digits) // 3) * 3)
        groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
        name = "/".join([*("x" + group for group in groups[:-1]), groups[-1]])
        level = "entries" if self.level == ENTRIES else str(self.level)
        return f"tile/{level}/{name}" + (f".p/{self.width}" if self.width < WIDTH else "")

    @classmethod
    def parse(cls, path: str) -> Tile:
        """The tile of a path. Raises TILE_PATH for any spelling but the one that `path` gives."""
        match = _PATH.fullmatch(path)
        if match:
            level, groups, last, width = match.groups()
            number = int(groups.replace("x", "").replace("/", "") + last)
            tile = cls(ENTRIES if level == "entries" else int(level), number, int(width) if width else WIDTH)
            if tile.path == path:
                return tile
        raise LogFault("TILE_PATH", f"{path[:80]!r} is no path of a tile")

    @property
    def full(self) -> Tile:
        """The full tile in whose place a partial one stands."""
        return Tile(self.level, self.number)


def edge(size: int) -> list[Tile]:
    """The partial tiles of a tree of `size` entries, lowest level first; bundles are not among them."""
    widths = [(level, size >> (TILE_LEVELS * level)) for level in range(TILE_LEVELS)]
    return [Tile(level, nodes // WIDTH, nodes % WIDTH) for level, nodes in widths if nodes % WIDTH]


def new_tiles(old: int, size: int) -> Iterator[Tile]:
    """Every tile and bundle that a log grown from `old` to `size` entries must serve and did not serve before.

    A bundle comes before its level-0 tile and a tile before its parent, full ones before the partial one.
    """
    for level in range(TILE_LEVELS):
        before, now = old >> (TILE_LEVELS * level), size >> (TILE_LEVELS * level)
        if now == before:
            return
        for number in range(before // WIDTH, -(-now // WIDTH)):
            tile = Tile(level, number, min(WIDTH, now - number * WIDTH))
            if level == 0:
                yield Tile(ENTRIES, number, tile.width)
            yield tile


def tile_bytes(tree: Tree, tile: Tile) -> bytes:
    """Content of a tile of hashes, `width` times 32 bytes. Raises INDEX_RANGE where the tree is too small."""
    start = tile.number * WIDTH
    return tree.nodes(TILE_LEVELS * tile.level, start, start + tile.width)


def bundle_bytes(entries: Sequence[bytes]) -> bytes:
    """Content of a bundle of 1 to 256 entries of at most 65,535 bytes each."""
    if not 0 < len(entries) <= WIDTH or any(len(entry) > MAX_ENTRY for entry in entries):
        raise LogFault("TILE_TRUNCATED", "a bundle has 1 to 256 entries of at most 65,535 bytes")
    return b"".join(len(entry).to_bytes(2, "big") + entry for entry in entries)


def bundle_entries(data: bytes, width: int) -> list[bytes]:
    """The `width` entries of a bundle, no more and no fewer. Raises TILE_TRUNCATED."""
    entries: list[bytes] = []
    at = 0
    while at < len(data):
        end = at + 2 + int.from_bytes(data[at : at + 2], "big")
        if at + 2 > len(data) or end > len(data) or len(entries) == width:
            raise LogFault("TILE_TRUNCATED", f"the bundle breaks off or runs over after {len(entries)} entries")
        entries.append(data[at + 2 : end])
        at = end
    if len(entries) < width:
        raise LogFault("TILE_TRUNCATED", f"the bundle has {len(entries)} entries, its path says {width}")
    return entries


class TileReader:
    """Authenticated reading of a tiled log at one checkpoint, from any source of bytes.

    `fetch` gives the content at a path below the prefix, or None if there is none. Every hash and entry handed out
    is under `root`. At most `keep` verified full tiles of 8 KiB stay in memory.
    """

    def __init__(self, fetch: Fetch, size: int, root: bytes, keep: int = 512) -> None:
        if not 0 <= size <= MAX_SIZE:
            raise LogFault("INDEX_RANGE", f"no tree has {size} entries")
        self._fetch = fetch
        self.size = size
        self._keep = keep
        self._full: OrderedDict[Tile, bytes] = OrderedDict()
        self._edge = {tile.level: self._read(tile) for tile in edge(size)}
        if self._edge_root() != root:
            raise LogFault("TILE_FORGED", f"the partial tiles do not hash to the root at size {size}")

    def _read(self, tile: Tile) -> bytes:
        """Bytes of a tile of hashes, unverified, from its own path or else from the full tile's."""
        for candidate in (tile, tile.full):
            data = self._fetch(candidate.path)
            if data is not None:
                wanted = candidate.width * HASH_SIZE
                if len(data) != wanted:
                    raise LogFault("TILE_TRUNCATED", f"{len(data)} bytes where {wanted} belong", candidate.path)
                return data[: tile.width * HASH_SIZE]
        raise LogFault("TILE_MISSING", "neither this tile nor the full one is there", tile.path)

    def _edge_root(self) -> bytes:
        """Root of the whole tree from the partial tiles alone: they hold all its peaks."""
        return range_root(self._edge_node, 0, self.size) if self.size else EMPTY_ROOT

    def _edge_node(self, level: int, index: int) -> bytes:
        tile_level, within = divmod(level, TILE_LEVELS)
        start = (index << within) % WIDTH
        return _fold(self._edge[tile_level], start, start + (1 << within))

    def tile(self, level: int, number: int) -> bytes:
        """The verified hashes of a tile, as many as it has at this size. Raises INDEX_RANGE and TILE_*."""
        nodes = self.size >> (TILE_LEVELS * level)
        if level < 0 or not 0 <= number * WIDTH < nodes:
            raise LogFault("INDEX_RANGE", f"level {level} has no tile {number} at size {self.size}")
        if number == nodes // WIDTH:
            return self._edge[level]
        tile = Tile(level, number)
        held = self._full.get(tile)
        if held is not None:
            self._full.move_to_end(tile)
            return held
        data = self._read(tile)
        if _fold(data, 0, WIDTH) != self.node(TILE_LEVELS * (level + 1), number):
            raise LogFault("TILE_FORGED", "the tile does not hash to the node its parent states", tile.path)
        self._full[tile] = data
        if len(self._full) > self._keep:
            self._full.popitem(last=False)
        return data

    def node(self, level: int, index: int) -> bytes:
        """Hash of the complete node (level, index), verified; fits `merkle.Node`. Raises INDEX_RANGE and TILE_*."""
        if level < 0 or index < 0 or (index + 1) << level > self.size:
            raise LogFault("INDEX_RANGE", f"node {index} of level {level} is not complete at size {self.size}")
        tile_level, within = divmod(level, TILE_LEVELS)
        first = index << within
        start = first % WIDTH
        return _fold(self.tile(tile_level, first // WIDTH), start, start + (1 << within))

    def entries(self, number: int) -> list[bytes]:
        """The verified entries of bundle `number`. Raises INDEX_RANGE, TILE_* and BUNDLE_FORGED."""
        width = min(WIDTH, self.size - number * WIDTH)
        if number < 0 or width < 1:
            raise LogFault("INDEX_RANGE", f"bundle {number} lies outside a tree of {self.size}")
        tile = Tile(ENTRIES, number, width)
        found, leaves = self._bundle(tile), self.tile(0, number)
        for at, entry in enumerate(found):
            if leaf_hash(entry) != leaves[at * HASH_SIZE : (at + 1) * HASH_SIZE]:
                raise LogFault("BUNDLE_FORGED", f"entry {number * WIDTH + at} does not hash to its leaf", tile.path)
        return found

    def _bundle(self, tile: Tile) -> list[bytes]:
        for candidate in (tile, tile.full):
            data = self._fetch(candidate.path)
            if data is not None:
                try:
                    return bundle_entries(data, candidate.width)[: tile.width]
                except LogFault as fault:
                    raise fault.at(candidate.path) from None
        raise LogFault("TILE_MISSING", "neither this bundle nor the full one is there", tile.path)


def _fold(hashes: bytes, start: int, end: int) -> bytes:
    """Root over hashes [start, end) of a tile; their number is a power of two."""
    row = [hashes[at * HASH_SIZE : (at + 1) * HASH_SIZE] for at in range(start, end)]
    while len(row) > 1:
        row = [node_hash(row[at], row[at + 1]) for at in range(0, len(row), 2)]
    return row[0]
