"""Finishing: from the totals of a group to its published figures. The only place that divides, rounds or draws.

Everything here is exact (`Fraction`) except interval ends, which are rounded half to even. A figure is
`{value, n, low, high, method, rule}`; its value, low and high are text that `Fraction()` reads exactly, n is the number
of attempts (or other counting units) behind it, `method` says how the interval was drawn and `rule` which rule the
value computes. A rule that is switched off gives a figure without a value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import Any, NamedTuple

from ..rules.evaluators import computes, is_off
from ..rules.law import Law
from . import luck as chance
from .attempts import BASIS
from .intervals import (
    Clusters,
    Interval,
    clopper_pearson,
    fixed,
    median_ranks,
    ratio_interval,
    wilson,
    wilson_with_continuity,
)
from .measures import Totals

UNDRAWN = "none"
CLOSED_FORM = "wilson_with_continuity"
"""The method of edges beyond the exact limit."""


class Figure(NamedTuple):
    """One published figure; see the module."""

    value: str | None
    n: int
    low: str | None
    high: str | None
    method: str
    rule: str

    def as_dict(self) -> dict[str, Any]:
        """The figure as a JSON object."""
        return self._asdict()


def exact(value: Fraction | int, places: int = 0) -> str:
    """The exact text of a rational: a decimal with at least `places` decimals where it terminates, else `a/b`."""
    value = Fraction(value)
    rest, twos, fives = value.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return fixed(value, max(places, twos, fives)) if rest == 1 else f"{value.numerator}/{value.denominator}"


def in_order(values: list[int]) -> list[int]:
    """The values of an ordered column, sorted where they stand: sorting them again takes a single look."""
    values.sort()
    return values


def median(values: Sequence[int]) -> Fraction | None:
    """The exact median of sorted whole numbers: of an even count the mean of the middle two (A-17); None of none."""
    return quantile(values, Fraction(1, 2))


def quantile(values: Sequence[int], q: Fraction) -> Fraction | None:
    """The exact q-quantile of sorted whole numbers; where q falls between two of them, their mean."""
    if not values:
        return None
    at = q * len(values)
    upper = values[min(len(values) - 1, int(at))]
    lower = values[ceil(at) - 1] if at.denominator == 1 and at >= 1 else upper
    return Fraction(lower + upper, 2)


class Drawing:
    """How intervals are drawn under one edition (TB-BOARD-002, ruling A-31).

    `exact_limit` is the number of attempts up to which luck and edges are computed exactly; beyond it closed forms
    stand in, and the method of the figure says so. While TB-BOARD-002 is switched off nothing is drawn.
    """

    def __init__(self, law: Law, exact_limit: int = chance.EXACT_LIMIT) -> None:
        params = law.params("TB-BOARD-002")
        self.level: Decimal = params["level"]
        self.z: Decimal = params["z"]
        self.places: int = params["decimals"]
        self.median_min_n: int = params["median_min_n"]
        self.methods: Mapping[str, Any] = params
        self.exact_limit = exact_limit
        self.off = is_off("TB-BOARD-002")

    def figure(self, value: str | None, n: int, interval: Interval | None, method: str, rule: str) -> Figure:
        """A figure with its interval rounded to the published decimals. `method` names the parameter of the method."""
        if interval is None or self.off:
            return Figure(value, n, None, None, UNDRAWN, rule)
        ends = (fixed(interval.low, self.places), fixed(interval.high, self.places))
        name = CLOSED_FORM if method == "edge_method" and n > self.exact_limit else self.methods[method]
        return Figure(value, n, *ends, f"{name}:{self.level}", rule)

    def edge(self, totals: Totals, scale: int) -> Interval:
        """The edge interval of `scale` times the mean outcome minus mean p: of R for scale n, of G for scale 1."""
        k, n = totals.successes, totals.n
        exactly = n <= self.exact_limit
        found = clopper_pearson(k, n, self.level) if exactly else wilson_with_continuity(k, n, self.z)
        return found.shifted(scale, Fraction(-totals.p * scale, BASIS * n))

    def rate(self, part: int, whole: int, rule: str) -> Figure:
        """A share with Wilson's interval; no value where there is nothing to share."""
        if not whole:
            return self.figure(None, 0, None, "rate_method", rule)
        return self.figure(exact(Fraction(part, whole)), whole, wilson(part, whole, self.z), "rate_method", rule)

    def sum_of_points(self, totals: Totals, rule: str) -> Figure:
        """The sum of o minus p with its edge interval `n * ClopperPearson(k, n) - sum(p)`."""
        value, n = exact(Fraction(totals.points, BASIS), 2), totals.n
        if not n:
            return self.figure(value, 0, None, "edge_method", rule)
        return self.figure(value, n, self.edge(totals, n), "edge_method", rule)

    def middle(self, values: list[int], rule: str) -> Figure:
        """The median of whole numbers with the order statistics that enclose it; none below the least n."""
        ordered = in_order(values)
        n, value = len(ordered), median(ordered)
        text = None if value is None else exact(value)
        ranks = median_ranks(n, self.level) if n >= self.median_min_n else None
        if ranks is None:
            return self.figure(text, n, None, "median_method", rule)
        if self.off:
            return Figure(text, n, None, None, UNDRAWN, rule)
        ends = (str(ordered[ranks[0] - 1]), str(ordered[ranks[1] - 1]))
        return Figure(text, n, *ends, f"{self.methods['median_method']}:{self.level}", rule)


def _absent(rule: str) -> Callable[..., Figure]:
    """The neutral of a figure: no value."""
    return lambda *given: Figure(None, 0, None, None, UNDRAWN, rule)


@computes("TB-SCORE-002", neutral=_absent("TB-SCORE-002"))
def success_rate(params: object, totals: Totals, draw: Drawing) -> Figure:
    """Equation (2): S, the share of resolved official attempts that delivered."""
    return draw.rate(totals.successes, totals.n, "TB-SCORE-002")


@computes("TB-SCORE-003", neutral=_absent("TB-SCORE-003"))
def bench_rating(params: object, totals: Totals, draw: Drawing) -> Figure:
    """Equation (3): R, the sum of o minus p over the resolved official attempts."""
    return draw.sum_of_points(totals, "TB-SCORE-003")


@computes("TB-RANK-004", neutral=_absent("TB-RANK-004"))
def week_points(params: object, totals: Totals, draw: Drawing) -> Figure:
    """Equation (10): W, the sum of o minus p over the attempts that resolved in the week."""
    return draw.sum_of_points(totals, "TB-RANK-004")


@computes("TB-SCORE-004", neutral=_absent("TB-SCORE-004"))
def verified_steps(params: object, totals: Totals, draw: Drawing) -> Figure:
    """Equation (4): V, approved steps over committed steps, with the attempt as the cluster of its interval."""
    if not totals.committed:
        return draw.figure(None, 0, None, "step_rate_method", "TB-SCORE-004")
    sums = Clusters(
        totals.n,
        totals.approved,
        totals.committed,
        totals.approved_squared,
        totals.approved_committed,
        totals.committed_squared,
    )
    value = exact(Fraction(totals.approved, totals.committed))
    return draw.figure(value, totals.n, ratio_interval(sums, draw.level), "step_rate_method", "TB-SCORE-004")


@computes("TB-SCORE-005", neutral=_absent("TB-SCORE-005"))
def finalist_rate(params: object, namings: int, proposals: int, draw: Drawing) -> Figure:
    """Equation (5): F, finalist namings over proposals, both on targets whose choice is closed (A-30)."""
    return draw.rate(namings, proposals, "TB-SCORE-005")


@computes("TB-COST-010", neutral=None)
def adherence(params: object, c_cents: int, b_cents: int) -> str | None:
    """Equation (6): A = C / B of one attempt, exact; None (not applicable) at the $0 tier."""
    return exact(Fraction(c_cents, b_cents)) if b_cents else None


@computes("TB-TOLL-003", neutral=_absent("TB-TOLL-003"))
def toll_median(params: object, values: list[int], draw: Drawing) -> Figure:
    """Equation (7): the median of T (seconds) or C (cents) over the crossings of one band."""
    return draw.middle(values, "TB-TOLL-003")


@computes("TB-TOLL-006", neutral=_absent("TB-TOLL-006"))
def free_share(params: object, totals: Totals, draw: Drawing) -> Figure:
    """Equation (8): the crossings that cost the person nothing over all crossings of the band."""
    return draw.rate(totals.free_crossings, totals.crossings, "TB-TOLL-006")


@computes("TB-CAL-001", neutral=_absent("TB-CAL-001"))
def calibration_gap(params: object, totals: Totals, draw: Drawing) -> Figure:
    """Equation (9): G, mean outcome minus mean p over resolved official attempts."""
    n = totals.n
    if not n:
        return draw.figure(None, 0, None, "edge_method", "TB-CAL-001")
    value = exact(Fraction(totals.successes * BASIS - totals.p, BASIS * n))
    return draw.figure(value, n, draw.edge(totals, 1), "edge_method", "TB-CAL-001")


@computes("TB-CAL-003", neutral=False)
def official_reading(params: Mapping[str, Any], resolved: int) -> bool:
    """Whether a gap is an official reading: enough verified targets resolved in the band and quarter."""
    return resolved >= int(params["official_min_resolved"])


@computes("TB-BOARD-007", neutral=_absent("TB-BOARD-007"))
def funding_rate(params: object, totals: Totals, draw: Drawing) -> Figure:
    """The share of resolved $0 deals that funded themselves (A-55)."""
    return draw.rate(totals.funded, totals.free_deals, "TB-BOARD-007")


@computes("TB-BOARD-008", neutral=_absent("TB-BOARD-008"))
def resale_volume(params: object, accepted_resales: int) -> Figure:
    """How many resold workflows were accepted (A-55)."""
    return Figure(str(accepted_resales), accepted_resales, None, None, UNDRAWN, "TB-BOARD-008")


@computes("TB-TOLL-008", neutral=False)
def retired(params: Mapping[str, Any], median_costs: Sequence[Fraction | None], readings: Sequence[bool]) -> bool:
    """Whether the benchmark has met its own end: in one season the median crossing costs nothing in every band (A-38).

    `median_costs` (cents) and `readings` (official or not) stand for the bands; a band without crossings has None.
    """
    free = all(cost is not None and cost <= params["median_cost_cents"] for cost in median_costs)
    return free and (all(readings) or not params["official_reading"])


def luck_of(totals: Totals, draw: Drawing) -> dict[str, Any] | None:
    """How much of R luck explains: the luck band of R and the tail probabilities under the frozen odds.

    The band is the range of R an agent that exactly meets the odds would land in. None where nothing is resolved.
    """
    if not totals.n or draw.off:
        return None
    found = chance.luck(totals.odds, totals.successes, draw.level, exact_limit=draw.exact_limit)
    low, high = (exact(Fraction(count * BASIS - totals.p, BASIS), 2) for count in (found.low, found.high))
    return {
        "low": low,
        "high": high,
        "p_at_most": found.at_most,
        "p_at_least": found.at_least,
        "p_two_sided": found.two_sided,
        "method": f"{found.method}:{draw.level}",
    }


def time_median(totals: Totals, draw: Drawing) -> Figure:
    """The median agent-court time of all resolved official attempts, in seconds (A-65)."""
    return draw.middle(totals.times, "TB-RANK-010")


def elapsed_median(totals: Totals, draw: Drawing) -> Figure:
    """The median calendar time from signing to resolution, in seconds (TB-CLOCK-004)."""
    return draw.middle(totals.elapsed, "TB-CLOCK-004")


def cost_median(totals: Totals, draw: Drawing) -> Figure:
    """The median cost to the person over all resolved official attempts, in cents."""
    return draw.middle(totals.costs, "TB-COST-001")


def on_time_share(totals: Totals, draw: Drawing) -> Figure:
    """The share of resolved official attempts delivered inside their deal timeline."""
    return draw.rate(totals.on_time, totals.timed, "TB-CLOCK-008")


def distribution(values: list[int], quantiles: Sequence[str]) -> dict[str, Any]:
    """Least, greatest and the named quantiles of whole numbers, exact text; the count beside them."""
    ordered = in_order(values)
    found = {q: quantile(ordered, Fraction(q)) for q in quantiles}
    return {
        "n": len(ordered),
        "least": ordered[0] if ordered else None,
        "greatest": ordered[-1] if ordered else None,
        "quantiles": {q: None if value is None else exact(value) for q, value in found.items()},
    }
