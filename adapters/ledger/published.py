"""A published log as a reader sees it: checkpoint, policy, tiles, bundles of entries, and bodies beside them.

    checkpoint          the newest signed and cosigned head
    vkey, policy        how the log says it is to be checked; a reader pins its own and only compares
    tile/...            C2SP tlog-tiles; an entry is the 32-byte hash of an event
    bodies/<N>[.p/<W>]  the canonical bytes of the same events, one a line, numbered as the bundles are

A body is believed when it hashes to its entry, an entry when it hashes to its leaf, a leaf when it leads to the root.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ...protocol.checkpoint import Checkpoint
from ...protocol.envelope import event_hash
from ...protocol.faults import LogFault
from ...protocol.merkle import consistency_path, inclusion_path, range_root
from ...protocol.tiles import ENTRIES, WIDTH, Tile, TileReader
from ...protocol.tlog_proof import TlogProof
from .rules import gives_proofs

Fetch = Callable[[str], bytes | None]
BODIES: Final = "bodies"


def body_path(number: int, width: int) -> str:
    """Path of the bodies that belong to bundle `number` of `width` entries."""
    return BODIES + Tile(ENTRIES, number, width).path.removeprefix("tile/entries")


def body_bytes(bodies: list[bytes]) -> bytes:
    """Content of a file of bodies; canonical JSON holds no line feed, so one ends each body."""
    return b"".join(body + b"\n" for body in bodies)


class PublishedLog:
    """A published log at one head that the caller has verified. `fetch` gives a file's bytes, or None.

    Raises TILE_FORGED or TILE_MISSING at once where the edge of the tree does not fit the head.
    """

    def __init__(self, fetch: Fetch, head: Checkpoint) -> None:
        self.head = head
        self._fetch = fetch
        self._tiles = TileReader(fetch, head.size, head.root)

    @property
    def node(self) -> Callable[[int, int], bytes]:
        """The verified nodes of the tree."""
        return self._tiles.node

    def tile(self, tile: Tile) -> bytes:
        """The verified hashes of a tile, in the width that the head gives it. Raises INDEX_RANGE and TILE_*."""
        return self._tiles.tile(tile.level, tile.number)

    def bundles(self) -> range:
        """Numbers of all bundles."""
        return range(-(-self.head.size // WIDTH))

    def entries(self, number: int) -> list[bytes]:
        """The verified entries of a bundle."""
        return self._tiles.entries(number)

    def bodies(self, number: int) -> list[bytes]:
        """The verified bodies of a bundle. Raises BODY_FORGED, BODY_MISSING and what `TileReader.entries` raises."""
        entries = self.entries(number)
        width = len(entries)
        for at_width in (width, WIDTH):
            path = body_path(number, at_width)
            data = self._fetch(path)
            if data is not None:
                bodies = data.split(b"\n")
                if bodies.pop() or len(bodies) != at_width:
                    raise LogFault("BODY_FORGED", f"{len(bodies)} whole lines where {at_width} bodies belong", path)
                first = number * WIDTH
                return [_checked(path, first + at, bodies[at], entry) for at, entry in enumerate(entries)]
        raise LogFault("BODY_MISSING", "neither these bodies nor the full file is there", body_path(number, width))

    def events(self, start: int = 0) -> Iterator[tuple[int, bytes]]:
        """Every event from this leaf index on, as `(leaf index, canonical bytes)`, verified bundle by bundle."""
        for number in range(start // WIDTH, len(self.bundles())):
            for leaf, body in enumerate(self.bodies(number), number * WIDTH):
                if leaf >= start:
                    yield leaf, body

    def body(self, leaf: int) -> bytes:
        """The verified body of one event. Raises INDEX_RANGE."""
        if not 0 <= leaf < self.head.size:
            raise LogFault("INDEX_RANGE", f"event {leaf} lies outside a log of {self.head.size}")
        return self.bodies(leaf // WIDTH)[leaf % WIDTH]

    def proof(self, leaf: int, note: bytes) -> TlogProof:
        """The offline proof of one event under the head, which is `note`."""
        path = inclusion_path(self.node, leaf, self.head.size) if gives_proofs() else ()
        return TlogProof(leaf, tuple(path), note)

    def consistency(self, old: int, new: int | None = None) -> list[bytes]:
        """Consistency proof from an older size to a newer one, by default the head's; empty from size 0.

        Raises INDEX_RANGE.
        """
        size = self._within(self.head.size if new is None else new)
        return consistency_path(self.node, old, size) if old else []

    def root_at(self, size: int) -> bytes:
        """The root when the log held `size` events. Raises INDEX_RANGE."""
        return range_root(self.node, 0, self._within(size))

    def _within(self, size: int) -> int:
        if not 0 <= size <= self.head.size:
            raise LogFault("INDEX_RANGE", f"the published log has {self.head.size} events, not {size}")
        return size


def _checked(path: str, leaf: int, body: bytes, entry: bytes) -> bytes:
    if event_hash(body) != entry:
        raise LogFault("BODY_FORGED", f"the body of event {leaf} does not hash to its entry", path)
    return body
