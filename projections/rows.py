"""Rows of a view: JSON objects by key, which a fold reads and replaces one event at a time.

A store keeps them beside the log so that a board needs no full replay; in memory they are a dictionary. A row holds
only JSON values (text, integers, truth values, null, lists, objects), so its canonical bytes are the same either way.
"""

from __future__ import annotations

from collections.abc import ItemsView
from typing import Any, Protocol

Row = dict[str, Any]


class Rows(Protocol):
    """What a fold may do with rows."""

    def get(self, key: str) -> Row | None:
        """The row, or None. A fold that changes it hands it back to `put`."""

    def put(self, key: str, row: Row) -> None:
        """Write the row in place of the present one."""


class MemoryRows:
    """Rows in memory."""

    def __init__(self) -> None:
        self._rows: dict[str, Row] = {}

    def get(self, key: str) -> Row | None:
        """The row, or None."""
        return self._rows.get(key)

    def put(self, key: str, row: Row) -> None:
        """Write the row in place of the present one."""
        self._rows[key] = row

    def items(self) -> ItemsView[str, Row]:
        """All rows by key."""
        return self._rows.items()
