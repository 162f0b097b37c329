"""The corrections log: what changed in a period after it was closed, with the figures before and after.

A pure function of the attempts' histories and the closings. A late verification, an invalidation, a review, money that
came back or a resolution ledgered late is an entry where it moved a figure; a change that would have crowned somebody
else is said so, and the crown stays where it was awarded (rulings A-26, A-27, A-61, A-67).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from . import finish
from .attempts import BASIS, AttemptFacts, Closing
from .finish import exact, in_order, median
from .measures import Totals
from .periods import QUARTER, SEASON, WEEK, Books, as_of, by_agent, number, season_places
from .ranking import Place, champions, week_table
from .sections import Desk
from .tally import Tally


def corrections(books: Books) -> list[dict[str, Any]]:
    """Every entry, by log position, then by period."""
    found = [entry for closing in books.closings for entry in _of(books, closing)]
    order = {WEEK: 0, SEASON: 1, QUARTER: 2}
    return sorted(found, key=lambda e: (e["position"], order[e["period"]], e["name"], e["attempt"]))


def _of(books: Books, closing: Closing) -> Iterator[dict[str, Any]]:
    desk = books.desk_of(closing)
    weeks = [closing.name] if closing.period == WEEK else desk.windows.weeks_of(number(closing.name))
    rows = [row for week in weeks for row in books.landed(week)]
    changes = sorted(
        ((change.position, row.deal, change.cause, row) for row in rows for change in row.history),
        key=lambda item: item[:2],
    )
    later = [change for change in changes if change[0] >= closing.position]
    before = as_of(rows, closing.position)
    for position, deal, cause, row in later:
        after = as_of(rows, position + 1)
        figures = _figures(closing.period, desk, row, before), _figures(closing.period, desk, row, after)
        if figures[0] != figures[1]:
            yield {
                "position": position,
                "period": closing.period,
                "name": closing.name,
                "attempt": deal,
                "agent": row.agent,
                "cause": cause,
                "before": figures[0],
                "after": figures[1],
            }
        before = after


def _figures(period: str, desk: Desk, row: AttemptFacts, rows: Sequence[AttemptFacts]) -> dict[str, Any]:
    """The figures of a period that a change of this attempt can move."""
    if period == QUARTER:
        return _quarter(desk, row, rows)
    if period == WEEK:
        places = week_table(desk.law, by_agent(desk, rows))
        return {**_standing(places, row.agent), "champions": list(champions(desk.law, places))}
    places, _ = season_places(desk, {"season": by_agent(desk, rows)})
    return _standing(places, row.agent)


def _standing(places: Sequence[Place], agent: str) -> dict[str, Any]:
    place = next((each for each in places if each.standing.agent == agent), None)
    if place is None:
        return {"points": None, "n": 0, "rank": None}
    return {"points": exact(Fraction(place.standing.points, BASIS), 2), "n": place.standing.n, "rank": place.rank}


def _quarter(desk: Desk, row: AttemptFacts, rows: Sequence[AttemptFacts]) -> dict[str, Any]:
    by_band = Tally().add(rows, desk.law).by(lambda cell: (cell.band,))
    index = next(iter(Tally().add([row], desk.law).by(lambda cell: (cell.band,))))
    name = desk.bands[index] if index < len(desk.bands) else "unbanded"
    found: Totals | None = by_band.get(index)
    if found is None:
        return {"band": name, "n": 0}
    middle = [median(in_order(values)) for values in (found.toll_times, found.toll_costs)]
    time, cost = (None if value is None else exact(value) for value in middle)
    return {
        "band": name,
        "n": found.n,
        "gap": finish.calibration_gap(desk.law, found, desk.draw).value,
        "official_reading": finish.official_reading(desk.law, found.n),
        "crossings": found.crossings,
        "toll_time": time,
        "toll_cost": cost,
        "free_share": finish.free_share(desk.law, found, desk.draw).value,
    }
