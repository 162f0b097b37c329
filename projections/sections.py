"""The metric sections of the board: one group of attempts at a time, always with its bands beside it.

A group is everything, an agent, a system version, a base model or a stratum. Its figures across bands are published
only with the per-band split (ruling A-68), and the Toll exists per band alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ..domain.period.calendar import Calendar, calendar
from ..domain.target.odds import bands
from ..rules.evaluators import computes, is_off
from ..rules.law import Law
from . import finish
from .attempts import BASIS
from .finish import Drawing, Figure, exact
from .measures import Totals
from .quantities import shown_days
from .tally import Cell, Tally

STRATA: Mapping[str, Callable[[Cell], str]] = {
    "budget_tier": lambda cell: cell.tier,
    "person_verification": lambda cell: cell.verified,
    "category": lambda cell: cell.category,
    "delivery_setting": lambda cell: cell.delivery,
    "standard": lambda cell: cell.standard,
}
"""The strata beside the band, and the verification standard that marks free rows."""

Groups = Callable[[Cell], Iterable[Hashable]]


@computes("TB-MODEL-001", neutral=())
def rollups(params: Mapping[str, Any]) -> tuple[str, ...]:
    """The groupings in which every figure is published: agent, system version, base model."""
    return tuple(params["rollups"])


MEMBERS: Mapping[str, Groups] = {
    "agent": lambda cell: (cell.agent,),
    "system_version": lambda cell: ((cell.agent, cell.system_version),),
    "base_model": lambda cell: cell.models,
}
"""Which groups of each roll-up an attempt belongs to. An attempt of several base models counts in full for each."""


@dataclass(slots=True)
class Desk:
    """What every section needs: the law, how intervals are drawn, the windows, and the agents' names."""

    law: Law
    draw: Drawing
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def windows(self) -> Calendar:
        """The calendar of this law."""
        return calendar(self.law)

    @property
    def bands(self) -> tuple[str, ...]:
        """The names of the bands in the order of their index."""
        return bands(self.law)

    def under(self, law: Law) -> Desk:
        """The same desk under another law."""
        return self if law is self.law else Desk(law, Drawing(law, self.draw.exact_limit), self.names)


def joined(groups: Iterable[Totals]) -> Totals:
    """The totals of several disjoint groups together."""
    parts = list(groups)
    if len(parts) == 1:
        return parts[0]
    whole: list[Any] = [value[:] if isinstance(value, list) else value for value in parts[0]]
    for part in parts[1:]:
        for index, value in enumerate(part):
            whole[index] += value
    return Totals._make(whole)


def counts(totals: Totals) -> dict[str, int]:
    """The counting units: attempts and successes, and what is counted apart (A-04, A-05, A-08, A-61)."""
    return {
        "attempts": totals.accepted,
        "open": totals.unresolved,
        "resolved_official": totals.n,
        "successes": totals.successes,
        "provisional": totals.provisional,
        "under_review": totals.under_review,
        "invalidated": totals.invalidated,
        "stopped": totals.stopped,
        "neutral_lapses": totals.neutral,
        "shared_models": totals.shared,
    }


def rating(desk: Desk, totals: Totals) -> dict[str, Any]:
    """R with what it must be read against: the expected successes, their variance and the luck band."""
    return {
        **finish.bench_rating(desk.law, totals, desk.draw).as_dict(),
        "sum_p": exact(Fraction(totals.p, BASIS), 2),
        "null_variance": exact(Fraction(totals.variance, BASIS**2), 2),
        "luck": finish.luck_of(totals, desk.draw),
    }


def timed(desk: Desk, figure: Figure) -> dict[str, Any]:
    """A figure of seconds with its agent-days beside it."""
    value = None if figure.value is None else Fraction(figure.value)
    return {**figure.as_dict(), "agent_days": shown_days(desk.law, value)}


def metrics(desk: Desk, totals: Totals) -> dict[str, Any]:
    """The figures of a group that exist across bands and in each band."""
    least = int(desk.law.params("TB-CAL-003")["official_min_resolved"])
    return {
        "counts": counts(totals),
        "small_sample": totals.n < least,
        "success_rate": finish.success_rate(desk.law, totals, desk.draw).as_dict(),
        "bench_rating": rating(desk, totals),
        "verified_steps": finish.verified_steps(desk.law, totals, desk.draw).as_dict(),
        "time": timed(desk, finish.time_median(totals, desk.draw)),
        "elapsed": finish.elapsed_median(totals, desk.draw).as_dict(),
        "cost": finish.cost_median(totals, desk.draw).as_dict(),
        "on_time": finish.on_time_share(totals, desk.draw).as_dict(),
    }


def toll(desk: Desk, totals: Totals) -> dict[str, Any]:
    """The Toll of one band: the median time and cost of its crossings, their number, and the free share."""
    return {
        "headline": "time",
        "time": timed(desk, finish.toll_median(desk.law, totals.toll_times, desk.draw)),
        "cost": finish.toll_median(desk.law, totals.toll_costs, desk.draw).as_dict(),
        "crossings": totals.crossings,
        "free_share": finish.free_share(desk.law, totals, desk.draw).as_dict(),
    }


def gap(desk: Desk, totals: Totals) -> dict[str, Any]:
    """The calibration gap with its standing: an official reading, or marked as too small to interpret."""
    official = finish.official_reading(desk.law, totals.n)
    mark = None if official else desk.law.params("TB-CAL-004")["mark"]
    return {
        **finish.calibration_gap(desk.law, totals, desk.draw).as_dict(),
        "official_reading": official,
        "mark": mark,
    }


def in_band(desk: Desk, totals: Totals) -> dict[str, Any]:
    """Everything published of one group in one band."""
    quantiles = desk.law.params("TB-CLOCK-007")["quantiles"]
    return {
        **metrics(desk, totals),
        "time_distribution": finish.distribution(totals.times, [str(q) for q in quantiles]),
        "cost_distribution": finish.distribution(totals.costs, [str(q) for q in quantiles]),
        "toll": toll(desk, totals),
        "gap": gap(desk, totals),
    }


def group(desk: Desk, by_band: Mapping[int, Totals]) -> dict[str, Any]:
    """A group across bands with its per-band split. No Toll across bands (TB-TOLL-004)."""
    for totals in by_band.values():
        for values in (totals.times, totals.costs, totals.elapsed):
            finish.in_order(values)  # sorted runs join into a whole that is sorted in one look
    whole = joined(by_band[index] for index in sorted(by_band))
    blended = {"toll": toll(desk, whole)} if is_off("TB-TOLL-004") else {}
    names = desk.bands
    return {
        **metrics(desk, whole),
        **blended,
        "bands": {names[index]: in_band(desk, by_band[index]) for index in sorted(by_band) if index < len(names)},
    }


def split(tally: Tally, groups: Groups) -> dict[Any, dict[int, Totals]]:
    """The totals of each group in each band."""
    found: dict[Any, dict[int, Totals]] = {}
    for (group_name, band), totals in tally.by(lambda cell: ((each, cell.band) for each in groups(cell))).items():
        found.setdefault(group_name, {})[band] = totals
    return found


def mix(tally: Tally, desk: Desk, groups: Groups) -> dict[Any, dict[str, dict[str, dict[str, int]]]]:
    """The task mix of each group: resolved official attempts and successes by stratum."""
    names = desk.bands
    strata: dict[str, Callable[[Cell], str]] = {
        "band": lambda cell: names[cell.band] if cell.band < len(names) else "unbanded",
        **STRATA,
    }
    found: dict[Any, dict[str, dict[str, dict[str, int]]]] = {}
    for cell, n, successes in tally.items():
        if not n:
            continue
        for name in groups(cell):
            per_stratum = found.setdefault(name, {})
            for stratum, of in strata.items():
                entry = per_stratum.setdefault(stratum, {}).setdefault(of(cell), {"n": 0, "successes": 0})
                entry["n"] += n
                entry["successes"] += successes
    return found


def strata(desk: Desk, tally: Tally) -> dict[str, dict[str, Any]]:
    """Every stratum beside the band: its groups with their per-band split."""
    whole = _Once(lambda: group(desk, split(tally, lambda cell: ("all",))["all"]))

    def groups(of: Callable[[Cell], str]) -> dict[str, Any]:
        names = sorted({of(cell) for cell, _, _ in tally.items()})
        if len(names) == 1:  # a stratum that does not divide the attempts: the figures are those of all
            return {names[0]: whole.value()}
        found = split(tally, lambda cell: (of(cell),))
        return {name: group(desk, found[name]) for name in names}

    return {stratum: groups(of) for stratum, of in STRATA.items()}


class _Once:
    """A value that is made when it is first asked for."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._made: Any = None

    def value(self) -> Any:
        if self._made is None:
            self._made = self._make()
        return self._made


def overall(desk: Desk, tally: Tally, by_band: Mapping[int, Totals]) -> dict[str, Any] | None:
    """All attempts, split by band; None where there are none."""
    if not by_band:
        return None
    return {
        **group(desk, by_band),
        "gap": gap(desk, joined(by_band.values())),
        "task_mix": mix(tally, desk, lambda cell: ("all",)).get("all", {}),
    }


def roll(desk: Desk, tally: Tally, rollup: str) -> list[tuple[Any, dict[str, Any]]]:
    """The groups of one roll-up with their figures, sorted by name."""
    if rollup not in rollups(desk.law):
        return []
    members = MEMBERS[rollup]
    mixes = mix(tally, desk, members)
    return [
        (name, {**group(desk, by_band), "task_mix": mixes.get(name, {})})
        for name, by_band in sorted(split(tally, members).items())
    ]


def median_costs(by_band: Mapping[int, Totals]) -> list[Fraction | None]:
    """The exact median cost of the crossings of each band, in cents."""
    return [finish.median(finish.in_order(totals.toll_costs)) for _, totals in sorted(by_band.items())]
