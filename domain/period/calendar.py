"""The calendar: weeks and seasons, and when a period ends (ruling A-11).

Weeks are ISO weeks in the timezone that the registry names, half-open from Monday 00:00 to the next Monday 00:00.
Season k is a run of whole weeks counted from the epoch Monday; the calibration quarter is the same window. All
instants are whole microseconds since 1970-01-01T00:00:00Z, so a naive instant cannot get here.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from ...protocol import instants
from ...rules.law import Law

_DAY_MICROS = 86_400_000_000
_DAYS = 7


class Calendar:
    """The windows of one edition: `timezone` an IANA name, `epoch` the Monday on which season 1 starts."""

    def __init__(self, timezone: str, epoch: date, weeks_per_season: int) -> None:
        self.timezone = ZoneInfo(timezone)
        self.epoch = epoch
        self.weeks_per_season = weeks_per_season
        self._fixed = timezone == "UTC"
        self._names: dict[int, str] = {}

    def week(self, at: int) -> str:
        """The ISO week of an instant, such as `2026-W35`."""
        slot = at // _DAY_MICROS if self._fixed else at
        name = self._names.get(slot)
        if name is None:
            year, week, _ = self._day(at).isocalendar()
            name = f"{year:04d}-W{week:02d}"
            if self._fixed:
                self._names[slot] = name
        return name

    def season(self, at: int) -> int:
        """The season of an instant; season 1 starts at the epoch, earlier ones count down from 0."""
        return self.season_of(self.week(at))

    def season_of(self, week: str) -> int:
        """The season that a week belongs to."""
        return (monday(week) - self.epoch).days // _DAYS // self.weeks_per_season + 1

    def weeks_of(self, season: int) -> list[str]:
        """The names of the weeks of a season, in order; at the rim of the years 1 to 9999 those that there are."""
        first = self.epoch.toordinal() + _DAYS * (season - 1) * self.weeks_per_season
        days = range(first, first + _DAYS * self.weeks_per_season, _DAYS)
        mondays = (date.fromordinal(day) for day in days if 1 <= day <= date.max.toordinal())
        return [f"{year:04d}-W{week:02d}" for year, week, _ in (each.isocalendar() for each in mondays)]

    def bounds(self, week: str) -> tuple[int, int]:
        """Start (inclusive) and end (exclusive) of a week as instants."""
        start = monday(week)
        return self._midnight(start), self._midnight(start + timedelta(days=_DAYS))

    def season_bounds(self, season: int) -> tuple[int, int]:
        """Start (inclusive) and end (exclusive) of a season as instants. `OverflowError` if it lacks weeks."""
        weeks = self.weeks_of(season)
        if len(weeks) < self.weeks_per_season:
            raise OverflowError(f"season {season} reaches beyond the years 1 to 9999")
        return self.bounds(weeks[0])[0], self.bounds(weeks[-1])[1]

    def _day(self, at: int) -> date:
        return instants.from_micros(at).astimezone(self.timezone).date()

    def _midnight(self, day: date) -> int:
        return instants.micros(datetime.combine(day, time(), self.timezone))


def calendar(law: Law) -> Calendar:
    """The calendar of the edition that governs (parameters of TB-RANK-004 and TB-RANK-011)."""
    week, season = law.params("TB-RANK-004"), law.params("TB-RANK-011")
    return _calendar(week["week_timezone"], season["season_epoch"], season["weeks_per_season"])


@lru_cache(maxsize=16)
def _calendar(timezone: str, epoch: str, weeks: int) -> Calendar:
    return Calendar(timezone, date.fromisoformat(epoch), weeks)


@lru_cache(maxsize=4_096)
def monday(week: str) -> date:
    """The Monday of an ISO week such as `2026-W35`. Raises `ValueError` for a text that names no week."""
    year, _, number = week.partition("-W")
    if len(week) != 8 or not (year.isdigit() and number.isdigit()):
        raise ValueError(f"{week!r} is no ISO week like 2026-W35")
    return date.fromisocalendar(int(year), int(number), 1)


def end_of(law: Law, period: str, name: str) -> str | None:
    """When a period ends, exclusive, as UTC text; None for a name that names no such period.

    A week at the rim of the calendar, whose season would reach beyond it, is no period either.
    """
    windows = calendar(law)
    try:
        if period == "week":
            end = windows.bounds(name)[1]
            windows.season_bounds(windows.season_of(name))
        elif name.startswith(f"{period}-"):
            end = windows.season_bounds(int(name.partition("-")[2]))[1]
        else:
            return None
        return instants.text(instants.from_micros(end))
    except (ValueError, OverflowError):
        return None
