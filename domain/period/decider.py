"""What closing a period causes, and when a period may be closed."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.evaluators import Finding, guard
from ..commands import handles
from ..world import Case, Proposed, World
from .calendar import end_of
from .commands import ClosePeriod
from .state import Period, stream_of


@handles(ClosePeriod)
def close_period(cmd: ClosePeriod, world: World) -> Iterator[Proposed]:
    """Note the edition and the log position that the figures of the period are read at."""
    ended = end_of(world.law, cmd.period, cmd.name)
    if ended is None:
        world.lacks("name", f"there is no {cmd.period} {cmd.name}", "name it like 2026-W35, season-1 or quarter-1")
        return
    data = {
        "period": cmd.period,
        "name": cmd.name,
        "ended_at": ended,
        "edition": world.law.current.version,
        "log_position": world.facts.position(),
    }
    yield Proposed(stream_of(cmd.name), "period.closed", data)


@guard("TB-RANK-013", on="period.closed")
def closes_once_after_its_end(case: Case) -> Iterator[Finding]:
    """TB-RANK-013: a period closes when it is over, once."""
    data = case.data
    if case.at < data["ended_at"]:
        yield case.finding("name", f"{data['name']} ends at {data['ended_at']}", "close it when it is over")
    if isinstance(case.state, Period):
        yield case.finding("name", f"{data['name']} was closed at {case.state.closed_at}", "a close is final")
