"""Measures: which sums and ordered columns each figure is made of. Every equation of the protocol stands once, here.

A measure is a `Sum` of an integer expression or an `Order` (the sorted values) of an integer column, over the rows for
which a condition holds. Expressions are plain operators on the columns of a row: + - * & | and comparisons. There is no
`and`, `or`, `if`, division or floating point, so that the same declarations can later be compiled to SQL. Law enters
through the row rules below, each the evaluator of one rule; switched off, a row rule gives its neutral reading.

`compiled` turns the declarations into one Python loop over the rows, which is as fast as a loop written by hand.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from ..rules.evaluators import computes
from ..rules.law import Law
from .attempts import BASIS, UNKNOWN


class Expr:
    """A traced expression: its Python text and the columns it reads. Only the listed operators exist."""

    __slots__ = ("code", "columns")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, code: str, columns: frozenset[str]) -> None:
        self.code = code
        self.columns = columns

    def _with(self, operator: str, other: Operand, *, swapped: bool = False) -> Expr:
        right = lift(other)
        pair = (right.code, self.code) if swapped else (self.code, right.code)
        return Expr(f"({pair[0]} {operator} {pair[1]})", self.columns | right.columns)

    def __add__(self, other: Operand) -> Expr:
        return self._with("+", other)

    def __radd__(self, other: Operand) -> Expr:
        return self._with("+", other, swapped=True)

    def __sub__(self, other: Operand) -> Expr:
        return self._with("-", other)

    def __rsub__(self, other: Operand) -> Expr:
        return self._with("-", other, swapped=True)

    def __mul__(self, other: Operand) -> Expr:
        return self._with("*", other)

    def __rmul__(self, other: Operand) -> Expr:
        return self._with("*", other, swapped=True)

    def __and__(self, other: Operand) -> Expr:
        return self._with("&", other)

    def __or__(self, other: Operand) -> Expr:
        return self._with("|", other)

    def __lt__(self, other: Operand) -> Expr:
        return self._with("<", other)

    def __le__(self, other: Operand) -> Expr:
        return self._with("<=", other)

    def __gt__(self, other: Operand) -> Expr:
        return self._with(">", other)

    def __ge__(self, other: Operand) -> Expr:
        return self._with(">=", other)

    def __eq__(self, other: Operand) -> Expr:  # type: ignore[override]
        return self._with("==", other)

    def __ne__(self, other: Operand) -> Expr:  # type: ignore[override]
        return self._with("!=", other)

    def __bool__(self) -> bool:
        raise TypeError("a measure has no truth value while it is declared; combine conditions with & and |")


Operand = Expr | int | str


def lift(value: Operand) -> Expr:
    """A constant as an expression; `TypeError` for anything but whole numbers, truth values and words."""
    if isinstance(value, Expr):
        return value
    if type(value) not in (int, bool, str):
        raise TypeError(f"{value!r} cannot stand in a measure: only whole numbers and words can")
    return Expr(repr(value), frozenset())


class _Row:
    """The symbols of a row: any attribute is the column of that name."""

    def __getattr__(self, column: str) -> Expr:
        return Expr(column, frozenset((column,)))


ROW: Any = _Row()


@dataclass(frozen=True, slots=True, eq=False)
class Sum:
    """The sum of an integer expression over the rows where the condition holds."""

    of: Expr
    where: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """The values of an integer column over the rows where the condition holds; `finish` sorts them."""

    of: Expr
    where: Expr


class Totals(NamedTuple):
    """The sufficient statistics of one group of attempts; every figure is finished from these alone.

    Counts of attempts first; then sums over the resolved official ones (`n` of them, p in basis points, `timed` of them
    with a deadline on record); then the
    ordered columns, seconds and cents, over all of them and over the crossings.
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
    odds: array[int]
    times: array[int]
    elapsed: array[int]
    costs: array[int]
    toll_times: array[int]
    toll_costs: array[int]


NONE = -1
"""What stands for a missing outcome in the column o."""

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


def scored(law: Law) -> Expr:
    """The attempts that count: resolved, official, with an outcome, and no lapse where lapses are neutral (A-04, A-06).

    Integrity is decided by the ledger and only read here; a stopped attempt has no outcome (A-08).
    """
    counted: Expr = (ROW.end != "") & (ROW.integrity == "official") & (ROW.end != "stopped") & (ROW.o != NONE)
    if law.params("TB-OUT-015")["lapse_scored"]:
        return counted
    stated: Expr = counted & (ROW.end != "lapsed")
    return stated


def measures(law: Law) -> dict[str, Sum | Order]:
    """The declarations, by the field of `Totals` each one fills, under the editions that govern these rows."""
    every, resolved = lift(1), ROW.end != ""
    counts = scored(law)
    crossed: Expr = crossing(law, counts, ROW.o)
    free = counts & (ROW.standard == "free")
    return {
        "accepted": Sum(lift(1), every),
        "unresolved": Sum(lift(1), ROW.end == ""),
        "provisional": Sum(lift(1), resolved & (ROW.integrity == "provisional") & (ROW.o != NONE)),
        "under_review": Sum(lift(1), ROW.under_review == 1),
        "invalidated": Sum(lift(1), resolved & (ROW.integrity == "invalidated")),
        "stopped": Sum(lift(1), ROW.end == "stopped"),
        "neutral": Sum(counts == 0, (ROW.end == "lapsed") & ((ROW.integrity == "official") | (ROW.o == NONE))),
        "shared": Sum(lift(1), ROW.shared == 1),
        "n": Sum(lift(1), counts),
        "successes": Sum(ROW.o, counts),
        "p": Sum(ROW.p_bp, counts),
        "points": Sum(points(law, ROW.o, ROW.p_bp, ROW.t_seconds), counts),
        "variance": Sum(ROW.p_bp * (BASIS - ROW.p_bp), counts),
        "approved": Sum(ROW.k, counts),
        "committed": Sum(ROW.m, counts),
        "approved_squared": Sum(ROW.k * ROW.k, counts),
        "approved_committed": Sum(ROW.k * ROW.m, counts),
        "committed_squared": Sum(ROW.m * ROW.m, counts),
        "timed": Sum(lift(1), counts & (ROW.on_time != UNKNOWN)),
        "on_time": Sum(ROW.on_time, counts & (ROW.on_time != UNKNOWN)),
        "crossings": Sum(lift(1), crossed),
        "free_crossings": Sum(ROW.c_cents == 0, crossed),
        "free_deals": Sum(lift(1), free),
        "funded": Sum(ROW.funded, free),
        "odds": Order(ROW.p_bp, counts),
        "times": Order(ROW.t_seconds, counts),
        "elapsed": Order(ROW.elapsed_seconds, counts & (ROW.elapsed_seconds != UNKNOWN)),
        "costs": Order(ROW.c_cents, counts),
        "toll_times": Order(ROW.t_seconds, crossed),
        "toll_costs": Order(ROW.c_cents, crossed),
    }


# --- the loop --------------------------------------------------------------------------------------------------------

Cells = dict[tuple[Any, ...], list[Any]]
Loop = Callable[[Iterable[tuple[Any, ...]], Cells], None]


@dataclass(frozen=True, slots=True)
class Compiled:
    """One loop: `run(rows, cells)` adds rows, tuples of `columns` in that order, to the cells by their keys."""

    columns: tuple[str, ...]
    source: str
    run: Loop = field(repr=False)


def compiled(declared: Mapping[str, Sum | Order], keys: Mapping[str, Expr]) -> Compiled:
    """Compile declarations into one loop over rows, grouped by the key expressions."""
    read = frozenset[str]().union(*(m.of.columns | m.where.columns for m in declared.values()))
    read = read.union(*(key.columns for key in keys.values()))
    columns = tuple(sorted(read))
    blocks: dict[str, list[str]] = {}
    fresh = []
    for index, measure in enumerate(declared.values()):
        fresh.append("0" if isinstance(measure, Sum) else "array('q')")
        line = f"cell[{index}] += {measure.of.code}" if isinstance(measure, Sum) else None
        blocks.setdefault(measure.where.code, []).append(line or f"cell[{index}].append({measure.of.code})")
    lines = ["def run(rows, cells):", "    get = cells.get", f"    for {', '.join(columns)}, in rows:"]
    lines.append(f"        key = ({', '.join(key.code for key in keys.values())},)")
    lines += ["        cell = get(key)", "        if cell is None:"]
    lines.append(f"            cell = cells[key] = [{', '.join(fresh)}]")
    for where, body in blocks.items():
        indent = "        "
        if where != "1":
            lines.append(f"        if {where}:")
            indent = "            "
        lines += [indent + line for line in body]
    source = "\n".join(lines)
    return Compiled(columns, source, _loop(source))


@lru_cache(maxsize=64)
def _loop(source: str) -> Loop:
    """The function of a generated text; it holds nothing but the traced operators above."""
    space: dict[str, Any] = {"array": array}
    exec(source, space)
    run: Loop = space["run"]
    return run
