"""Measures: which sums and ordered columns each figure is made of. Every equation of the protocol stands once, here.

A measure is a `Sum` of an integer expression or an `Order` (the sorted values) of an integer column, over the rows for
which a condition holds (`trace`). Law enters through the row rules, each the evaluator of one rule; switched off, a row
rule gives its neutral reading.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..rules.evaluators import computes
from ..rules.law import Law
from .attempts import BASIS, UNKNOWN
from .trace import Columns, Expr, Order, Sum, lift

ROW: Any = Columns()
"""The columns of a row as symbols."""


class Totals(NamedTuple):
    """The sufficient statistics of one group of attempts; every figure is finished from these alone.

    Counts of attempts first; then sums over the resolved official ones (`n` of them, p in basis points, `timed` of them
    with a deadline on record); then the ordered columns, seconds and cents, over all of them and over the crossings.
    """

    accepted: int
    unresolved: int
    provisional: int
    under_review: int
    invalidated: int
    stopped: int
    neutral: int
    shared: int
    n: int
    successes: int
    p: int
    points: int
    variance: int
    approved: int
    committed: int
    approved_squared: int
    approved_committed: int
    committed_squared: int
    timed: int
    on_time: int
    crossings: int
    free_crossings: int
    free_deals: int
    funded: int
    odds: list[int]
    times: list[int]
    elapsed: list[int]
    costs: list[int]
    toll_times: list[int]
    toll_costs: list[int]


# --- row rules -------------------------------------------------------------------------------------------------------


@computes("TB-RANK-008", neutral=lambda o, p_bp, t_seconds: o * BASIS - p_bp - t_seconds)
def points(params: Mapping[str, Any], o: Any, p_bp: Any, t_seconds: Any) -> Any:
    """The points of one attempt, o minus p in basis points: neither time nor anything else enters."""
    return o * BASIS - p_bp


@computes("TB-RANK-005", neutral=lambda signed_at, resolved_at: signed_at)
def landing(params: object, signed_at: int, resolved_at: int) -> int:
    """The instant that decides in which week an attempt counts: that of its resolution, whenever it was accepted."""
    return resolved_at


@computes("TB-TOLL-002", neutral=lambda scored, o: scored)
def crossing(params: Mapping[str, Any], scored: Any, o: Any) -> Any:
    """Which attempts make the Toll: of the resolved official ones those that delivered."""
    return scored & (o == 1)


def scored(law: Law, row: Any = ROW) -> Expr:
    """The attempts that count: resolved with an outcome, official, and no lapse where lapses are neutral (A-04, A-06).

    Integrity is decided by the ledger and only read here; an open or stopped attempt is not `scorable` (A-08).
    """
    counted: Expr = (row.scorable == 1) & (row.integrity == "official")
    if law.params("TB-OUT-015")["lapse_scored"]:
        return counted
    stated: Expr = counted & (row.end != "lapsed")
    return stated


def measures(law: Law, row: Any = ROW) -> dict[str, Sum | Order]:
    """The declarations, by the field of `Totals` each one fills, under the editions that govern these rows."""
    counts = scored(law, row)
    crossed: Expr = crossing(law, counts, row.o)
    free = counts & (row.standard == "free")
    return {
        "accepted": Sum(lift(1), lift(1)),
        "unresolved": Sum(lift(1), row.resolved == 0),
        "provisional": Sum(lift(1), (row.scorable == 1) & (row.integrity == "provisional")),
        "under_review": Sum(lift(1), row.under_review == 1),
        "invalidated": Sum(lift(1), row.integrity == "invalidated"),
        "stopped": Sum(lift(1), row.end == "stopped"),
        "neutral": Sum(counts == 0, (row.end == "lapsed") & ((row.integrity == "official") | (row.scorable == 0))),
        "shared": Sum(lift(1), row.shared == 1),
        "n": Sum(lift(1), counts),
        "successes": Sum(row.o, counts),
        "p": Sum(row.p_bp, counts),
        "points": Sum(points(law, row.o, row.p_bp, row.t_seconds), counts),
        "variance": Sum(row.p_bp * (BASIS - row.p_bp), counts),
        "approved": Sum(row.k, counts),
        "committed": Sum(row.m, counts),
        "approved_squared": Sum(row.k * row.k, counts),
        "approved_committed": Sum(row.k * row.m, counts),
        "committed_squared": Sum(row.m * row.m, counts),
        "timed": Sum(lift(1), counts & (row.on_time != UNKNOWN)),
        "on_time": Sum(row.on_time, counts & (row.on_time != UNKNOWN)),
        "crossings": Sum(lift(1), crossed),
        "free_crossings": Sum(row.c_cents == 0, crossed),
        "free_deals": Sum(lift(1), free),
        "funded": Sum(row.funded, free),
        "odds": Order(row.p_bp, counts),
        "times": Order(row.t_seconds, counts),
        "elapsed": Order(row.elapsed_seconds, counts & (row.elapsed_seconds != UNKNOWN)),
        "costs": Order(row.c_cents, counts),
        "toll_times": Order(row.t_seconds, crossed),
        "toll_costs": Order(row.c_cents, crossed),
    }
