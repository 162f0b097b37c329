"""Live views: rows folded from the log, kept in the store so that a board does not need a full replay.

A view pulls pages from the log by leaf index. The rows that a page changes and the view's new position commit in one
transaction, so an event is folded exactly once whatever happens in between. A rebuild folds beside the live view and
then takes its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..domain.events import read
from ..projections.facts import apply
from ..projections.rows import MemoryRows, Row, Rows
from ..protocol import canonical
from ..protocol.envelope import Event
from .store import SqliteStore
from .store.unit import PAGE, Unit, as_json

VIEW = "facts"
Fold = Callable[[Rows, int, Event], None]


class StoredRows:
    """The rows of a view inside one transaction: read when first asked for, written back by `flush`."""

    def __init__(self, unit: Unit, view: str) -> None:
        self._unit = unit
        self._view = view
        self._read: dict[str, Row | None] = {}
        self._changed: set[str] = set()

    def get(self, key: str) -> Row | None:
        """The row, or None."""
        if key not in self._read:
            body = self._unit.view_row(self._view, key)
            self._read[key] = None if body is None else as_json(body, f"row {key} of view {self._view}")
        return self._read[key]

    def put(self, key: str, row: Row) -> None:
        """Write the row in place of the present one."""
        self._read[key] = row
        self._changed.add(key)

    def flush(self) -> None:
        """Write what changed."""
        for key in sorted(self._changed):
            self._unit.put_view_row(self._view, key, canonical.dumps(dict(self._read[key] or {})))


def catch_up(store: SqliteStore, view: str = VIEW, page: int = PAGE, fold: Fold = apply) -> int:
    """Fold everything that the view has not seen yet; returns its position (the next leaf index)."""
    while True:
        with store.unit(write=True) as unit:
            position = unit.view_position(view)
            events = unit.page(position, page)
            if not events:
                return position
            rows = StoredRows(unit, view)
            for leaf, body in events:
                fold(rows, leaf, read(body))
            rows.flush()
            unit.set_view_position(view, events[-1][0] + 1)


def rebuild(store: SqliteStore, view: str = VIEW) -> int:
    """Fold the whole log anew beside the live view, then let the result take its place."""
    beside = f"{view}~new"
    with store.unit(write=True) as unit:
        unit.drop_view(beside)
    position = catch_up(store, beside)
    with store.unit(write=True) as unit:
        unit.rename_view(beside, view)
    return position


def stored_rows(unit: Unit, view: str = VIEW) -> Iterator[tuple[str, Any]]:
    """Every row of the live view by key, as it stands in this transaction."""
    for key, body in unit.view_rows(view):
        yield key, as_json(body, f"row {key} of view {view}")


def fold_in_memory(log: Iterable[tuple[int, bytes]], fold: Fold = apply) -> MemoryRows:
    """The rows that the log gives, folded from scratch."""
    rows = MemoryRows()
    for leaf, body in log:
        fold(rows, leaf, read(body))
    return rows
