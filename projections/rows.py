"""What a fold writes to: rows of plain JSON by key, the same in memory and in a store.

A fold is a pure function `apply(rows, position, event)`. It reads and writes rows and nothing else, so that the same
log gives the same rows wherever it is folded, page by page or at once. Rows are canonical JSON (no floats); a fold
never changes a row in place but puts a new one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

Row = Mapping[str, Any]


class Rows(Protocol):
    """Rows by key. Keys are `<kind>/<id>`, so that one view can hold several kinds."""

    def get(self, key: str) -> Row | None:
        """The row, or None."""

    def put(self, key: str, row: Row) -> None:
        """Write the row in place of the present one."""


class MemoryRows:
    """Rows in a dictionary."""

    def __init__(self) -> None:
        self._rows: dict[str, Row] = {}

    def get(self, key: str) -> Row | None:
        """The row, or None."""
        return self._rows.get(key)

    def put(self, key: str, row: Row) -> None:
        """Write the row in place of the present one."""
        self._rows[key] = row

    def items(self) -> Iterator[tuple[str, Row]]:
        """Every row by key."""
        yield from sorted(self._rows.items())
