"""Ranking: the weekly table, its crown, and the season that sums thirteen weeks.

A table is drawn from the totals of each agent in one week (or season). The crown is awarded when the week closes, on
the figures as the log stood then, and never awarded again (ruling A-27).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from ..rules.evaluators import computes
from ..rules.law import Law
from .finish import in_order, median
from .measures import Totals


class Standing(NamedTuple):
    """An agent in a table: its points in basis points, its median agent-court time there, the number of attempts."""

    agent: str
    points: int
    time: Fraction | None
    n: int


class Place(NamedTuple):
    """A standing with its rank; equal standings share one."""

    rank: int
    standing: Standing


def standings(law: Law, totals: Mapping[str, Totals]) -> list[Standing]:
    """Every agent with enough resolved official attempts there (A-12: at least one); negative totals stand."""
    least = int(law.params("TB-RANK-006")["min_official_resolutions"])
    return [
        Standing(agent, group.points, median(in_order(group.times)), group.n)
        for agent, group in totals.items()
        if group.n >= least
    ]


def _by_points_alone(found: Iterable[Standing]) -> list[Place]:
    return _placed(sorted(found, key=lambda s: (-s.points, s.agent)), lambda s: s.points)


@computes("TB-RANK-009", neutral=_by_points_alone)
def table(params: Mapping[str, Any], found: Iterable[Standing]) -> list[Place]:
    """The table: most points first; equal points by the lower median time, no time last; still equal shares the rank,
    and the next rank skips (1, 2, 2, 4)."""

    def key(s: Standing) -> tuple[int, bool, Fraction]:
        return (-s.points, s.time is None, s.time or Fraction(0))

    return _placed(sorted(found, key=lambda s: (*key(s), s.agent)), key)


def _placed(ordered: list[Standing], key: Any) -> list[Place]:
    places: list[Place] = []
    for index, standing in enumerate(ordered):
        same = bool(places) and key(standing) == key(places[-1].standing)
        places.append(Place(places[-1].rank if same else index + 1, standing))
    return places


@computes("TB-RANK-006", neutral=())
def champions(params: Mapping[str, Any], places: Iterable[Place]) -> tuple[str, ...]:
    """Who wears the crown of a week: whoever stands first, several where they tie (A-13)."""
    return tuple(
        place.standing.agent
        for place in places
        if place.rank == 1 and (params["negative_champions"] or place.standing.points >= 0)
    )


@computes("TB-RANK-011", neutral=0)
def season_points(params: Mapping[str, Any], weekly: Mapping[str, int]) -> int:
    """The points of a season: its weeks added up, in basis points."""
    return sum(weekly.values())


@computes("TB-RANK-002", neutral=lambda season, latest: season == latest)
def in_career(params: object, season: int, latest: int) -> bool:
    """Whether attempts of a season count in the career layer: always, because it is never reset."""
    return True


def week_table(law: Law, totals: Mapping[str, Totals]) -> list[Place]:
    """The places of one week."""
    return table(law, standings(law, totals))


def season_table(law: Law, weeks: Mapping[str, Mapping[str, Totals]], season: Mapping[str, Totals]) -> list[Place]:
    """The places of a season. `weeks` gives the totals of each week by agent, `season` those of all its weeks."""
    found = [
        Standing(
            agent,
            season_points(law, {week: groups[agent].points for week, groups in weeks.items() if agent in groups}),
            median(in_order(group.times)),
            group.n,
        )
        for agent, group in season.items()
        if group.n
    ]
    return table(law, found)
