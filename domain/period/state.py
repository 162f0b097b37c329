"""The state of a period: closed or not."""

from __future__ import annotations

from dataclasses import dataclass

from ...protocol.envelope import Event
from ..streams import State, stream_kind

KIND = stream_kind("period")


@dataclass(frozen=True, kw_only=True)
class Period(State):
    """A closed period; one that is not closed has no state. `edition` and `log_position` are those of its close."""

    period: str
    name: str
    edition: str
    log_position: int
    closed_at: str


def stream_of(name: str) -> str:
    """The stream of a period, one for each name."""
    return f"period-{name}"


@KIND.on("period.closed")
def _closed(state: Period | None, event: Event) -> Period:
    data = event.data
    return state or Period(
        id=event.stream,
        period=data["period"],
        name=data["name"],
        edition=data["edition"],
        log_position=data["log_position"],
        closed_at=event.at,
    )
