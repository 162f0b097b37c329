"""In which window an attempt counts: the week, and with it the season, in which it resolved (TB-RANK-005)."""

from __future__ import annotations

from ..domain.period.calendar import Calendar, calendar
from ..rules.evaluators import computes

__all__ = ["Calendar", "calendar", "landing"]


@computes("TB-RANK-005", neutral=lambda signed_at, resolved_at: signed_at)
def landing(params: object, signed_at: int, resolved_at: int) -> int:
    """The instant that decides in which week an attempt counts: that of its resolution, whenever it was accepted."""
    return resolved_at
