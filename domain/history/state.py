"""The state of an import stream: which rows of the file are ledgered."""

from __future__ import annotations

from dataclasses import dataclass

from ...protocol.envelope import Event
from ..streams import State, replace, stream_kind

KIND = stream_kind("import")


@dataclass(frozen=True, kw_only=True)
class History(State):
    """Rows are imported in the order of the file, so the last line number says it all."""

    last_row: int = 1


@KIND.on("attempt.imported")
def imported(state: History | None, event: Event) -> History:
    """Note the row."""
    return replace(state or History(id=event.stream), last_row=event.data["row"])
