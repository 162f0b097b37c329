"""Weeks, seasons and quarters: tables, crowns, the calibration audit, and what changed after a close.

A period that was closed is read under the edition of its close. The crown is awarded on the figures as the log stood at
the close; every later change of a figure of a closed period is an entry of the corrections log (TB-BOARD-012).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from . import finish, sections
from .attempts import BASIS, AttemptFacts, Closing
from .finish import exact, in_order, median
from .measures import Totals, landing
from .ranking import Place, champions, season_table, week_table
from .sections import Desk
from .tally import Tally

WEEK, SEASON, QUARTER = "week", "season", "quarter"
_TOLLS = ("toll_times", "toll_costs")
LONG_AGO = 0
"""An instant before every amendment."""


@dataclass(slots=True)
class Books:
    """The tally of all attempts with, where they are at hand, the attempts themselves and the closings.

    An audit of a large file has the tally alone; it closes no period and so has no crown to award or correct.
    """

    desk: Desk
    tally: Tally
    rows: Sequence[AttemptFacts] = ()
    closings: Sequence[Closing] = ()
    _weekly: dict[str, dict[str, Totals]] | None = field(default=None, repr=False)
    _banded: dict[int, Totals] | None = field(default=None, repr=False)
    _landed: dict[str, list[AttemptFacts]] | None = field(default=None, repr=False)

    def closing(self, period: str, name: str) -> Closing | None:
        """The close of a period, if it was closed."""
        return next((c for c in self.closings if c.period == period and c.name == name), None)

    def desk_of(self, closing: Closing | None) -> Desk:
        """The desk under the edition of the close, which no later amendment reaches; the present one if open."""
        law = self.desk.law
        if closing is None or closing.edition == law.current.version:
            return self.desk
        return self.desk.under(law.pinned({**law.pins, "period.closed": closing.edition}).read_at(LONG_AGO))

    @property
    def by_band(self) -> dict[int, Totals]:
        """The totals of all attempts in each band."""
        if self._banded is None:
            self._banded = self.tally.by(lambda cell: (cell.band,))
        return self._banded

    @property
    def weekly(self) -> dict[str, dict[str, Totals]]:
        """The totals of each week by agent."""
        if self._weekly is None:
            self._weekly = {}
            groups = self.tally.by(lambda c: ((c.week, c.agent),) if c.week else (), ("times",))
            for (week, agent), totals in groups.items():
                self._weekly.setdefault(week, {})[agent] = totals
        return self._weekly

    def landed(self, week: str) -> list[AttemptFacts]:
        """The attempts that resolved in a week."""
        if self._landed is None:
            self._landed = {}
            law, windows = self.desk.law, self.desk.windows
            for row in self.rows:
                if row.resolved_at is not None:
                    name = windows.week(landing(law, row.signed_at, row.resolved_at))
                    self._landed.setdefault(name, []).append(row)
        return self._landed.get(week, [])

    def by_agent(self, week: str, closing: Closing | None) -> dict[str, Totals]:
        """The present totals of a week by agent, under the law of its close."""
        desk = self.desk_of(closing)
        return self.weekly.get(week, {}) if desk is self.desk else by_agent(desk, self.landed(week))

    def weeks(self) -> list[str]:
        """Every week with a resolution, and every closed week, in order."""
        closed = {c.name for c in self.closings if c.period == WEEK}
        return sorted(closed | {week for week, groups in self.weekly.items() if any(t.n for t in groups.values())})

    def seasons(self) -> list[int]:
        """Every season with such a week, and every closed one, in order."""
        found = {self.desk.windows.season_of(week) for week in self.weeks()}
        return sorted(found | {number(c.name) for c in self.closings if c.period in (SEASON, QUARTER)})


def number(name: str) -> int:
    """The number of a season or quarter: 1 for `season-1`."""
    return int(name.partition("-")[2])


def by_agent(desk: Desk, rows: Iterable[AttemptFacts]) -> dict[str, Totals]:
    """The totals of these attempts by agent."""
    return Tally().add(rows, desk.law).by(lambda cell: (cell.agent,))


def as_of(rows: Iterable[AttemptFacts], position: int) -> list[AttemptFacts]:
    """The attempts that were resolved when the log held `position` events, as they stood then."""
    return [then for row in rows if (then := row.as_of(position)) is not None]


def weeks(books: Books, places: int | None = None) -> list[dict[str, Any]]:
    """Every week: its table (the first `places` lines of it), the total points, by-model points, and the crown."""
    models: dict[str, dict[str, Totals]] = {}
    groups = books.tally.by(lambda c: ((c.week, model) for model in c.models) if c.week else (), ())
    for (week, model), totals in groups.items():
        models.setdefault(week, {})[model] = totals
    return [_week(books, week, models.get(week, {}), places) for week in books.weeks()]


def _week(books: Books, week: str, models: Mapping[str, Totals], most: int | None) -> dict[str, Any]:
    closing = books.closing(WEEK, week)
    desk, totals = books.desk_of(closing), books.by_agent(week, closing)
    places = week_table(desk.law, totals)
    return {
        "week": week,
        "season": desk.windows.season_of(week),
        **_closed(closing),
        "places": len(places),
        "table": [_line(desk, place, totals[place.standing.agent]) for place in places[:most]],
        "total_points": exact(Fraction(sum(group.points for group in totals.values()), BASIS), 2),
        "models": [
            {
                "model": model,
                "points": finish.week_points(desk.law, group, desk.draw).as_dict(),
                "shared_models": group.shared,
            }
            for model, group in sorted(models.items())
            if group.n
        ],
        "crown": _crown(books, desk, week, closing, places, totals),
    }


def _closed(closing: Closing | None) -> dict[str, Any]:
    if closing is None:
        return {"closed": False, "closed_at_position": None, "edition": None}
    return {"closed": True, "closed_at_position": closing.position, "edition": closing.edition}


def _line(desk: Desk, place: Place, totals: Totals) -> dict[str, Any]:
    return {
        "rank": place.rank,
        "agent": place.standing.agent,
        "name": desk.names.get(place.standing.agent, place.standing.agent),
        "points": finish.week_points(desk.law, totals, desk.draw).as_dict(),
        "successes": totals.successes,
        "time": sections.timed(desk, finish.time_median(totals, desk.draw)),
    }


def _crown(
    books: Books,
    desk: Desk,
    week: str,
    closing: Closing | None,
    places: list[Place],
    totals: Mapping[str, Totals],
) -> dict[str, Any]:
    """Who leads an open week; who was crowned at the close of a closed one, marked where that would differ now."""
    leaders = champions(desk.law, places)
    if closing is None:
        return {"awarded": False, "champions": list(leaders), "marked": False, **_behind(desk, leaders, totals)}
    then = by_agent(desk, as_of(books.landed(week), closing.position))
    crowned = champions(desk.law, week_table(desk.law, then))
    marked = crowned != leaders
    found = {"awarded": True, "champions": list(crowned), "marked": marked, **_behind(desk, crowned, then)}
    if marked:
        found["now"] = {"champions": list(leaders), **_behind(desk, leaders, totals)}
    return found


def _behind(desk: Desk, leaders: Sequence[str], totals: Mapping[str, Totals]) -> dict[str, Any]:
    """The points and the sample behind a crown."""
    return {
        "names": [desk.names.get(agent, agent) for agent in leaders],
        "figures": {agent: finish.week_points(desk.law, totals[agent], desk.draw).as_dict() for agent in leaders},
    }


def seasons(books: Books, places: int | None = None) -> list[dict[str, Any]]:
    """Every season: the table that sums its thirteen weeks (the first `places` lines of it)."""
    return [_season(books, season, places) for season in books.seasons()]


def season_places(
    desk: Desk, weekly: Mapping[str, Mapping[str, Totals]]
) -> tuple[list[Place], Mapping[str, Totals]]:
    """The table of a season and the totals behind it, from the totals of its weeks by agent."""
    merged: dict[str, list[Totals]] = {}
    for groups in weekly.values():
        for agent, totals in groups.items():
            merged.setdefault(agent, []).append(totals)
    whole = {agent: sections.joined(parts) for agent, parts in merged.items()}
    return season_table(desk.law, weekly, whole), whole


def _season(books: Books, season: int, most: int | None) -> dict[str, Any]:
    closing = books.closing(SEASON, f"{SEASON}-{season}")
    desk = books.desk_of(closing)
    names = desk.windows.weeks_of(season)
    if desk is books.desk:
        weekly = {week: books.weekly[week] for week in names if week in books.weekly}
    else:
        weekly = {week: by_agent(desk, books.landed(week)) for week in names}
    places, totals = season_places(desk, weekly)
    return {
        "season": season,
        "weeks": names,
        **_closed(closing),
        "places": len(places),
        "table": [
            {
                "rank": place.rank,
                "agent": place.standing.agent,
                "name": desk.names.get(place.standing.agent, place.standing.agent),
                "points": {
                    **finish.week_points(desk.law, totals[place.standing.agent], desk.draw).as_dict(),
                    "value": exact(Fraction(place.standing.points, BASIS), 2),
                    "rule": "TB-RANK-011",
                },
                "successes": totals[place.standing.agent].successes,
                "time": sections.timed(desk, finish.time_median(totals[place.standing.agent], desk.draw)),
                "weekly": {
                    week: exact(Fraction(groups[place.standing.agent].points, BASIS), 2)
                    for week, groups in sorted(weekly.items())
                    if place.standing.agent in groups and groups[place.standing.agent].n
                },
            }
            for place in places[:most]
        ],
    }


def quarters(books: Books) -> list[dict[str, Any]]:
    """Every quarter: the calibration audit of the odds and the Toll of each band over its crossings."""
    return [_quarter(books, season) for season in books.seasons()]


def quarter_tally(books: Books, desk: Desk, season: int) -> Tally:
    """The attempts of one quarter."""
    names = frozenset(desk.windows.weeks_of(season))
    if desk is books.desk and all(key[4] in names for key in books.tally.cells):
        return books.tally
    if desk is books.desk:
        return Tally({key: cell for key, cell in books.tally.cells.items() if key[4] in names})
    return Tally().add([row for week in sorted(names) for row in books.landed(week)], desk.law)


def _quarter(books: Books, season: int) -> dict[str, Any]:
    closing = books.closing(QUARTER, f"{QUARTER}-{season}")
    desk = books.desk_of(closing)
    tally = quarter_tally(books, desk, season)
    by_band = books.by_band if tally is books.tally else tally.by(lambda cell: (cell.band,), _TOLLS)
    names = [name for index, name in enumerate(desk.bands) if index in by_band]
    ordered = [by_band[index] for index in sorted(by_band)]
    audit = {name: sections.gap(desk, totals) for name, totals in zip(names, ordered, strict=True)}
    costs = [median(in_order(totals.toll_costs)) for totals in ordered]
    every = len(names) == len(desk.bands) > 0
    return {
        "quarter": season,
        **_closed(closing),
        "calibration": audit,
        "toll": {name: sections.toll(desk, totals) for name, totals in zip(names, ordered, strict=True)},
        "retired": every
        and finish.retired(desk.law, costs, [finish.official_reading(desk.law, totals.n) for totals in ordered]),
        "qualifiers": {
            "resolved": {name: sections.counts(totals) for name, totals in zip(names, ordered, strict=True)},
            "verification": verification(tally),
            "task_mix": sections.mix(tally, desk, lambda cell: ("all",)).get("all", {}),
        },
    }


def verification(tally: Tally) -> dict[str, int]:
    """Attempts by the present verification of the person."""
    found = tally.by(lambda cell: (cell.verified,), ())
    return {name: totals.accepted for name, totals in sorted(found.items())}
