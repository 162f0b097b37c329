"""Tracing: declarations of sums and ordered columns in plain operators, compiled into one Python loop.

An expression on the columns of a row is written with + - * & | and comparisons. What Python records of it is its text
and the columns it reads, never a value, so there can be no `and`, `or`, `if`, division or floating point in it: the
same declarations can later be compiled to SQL. The loop is as fast as one written by hand: conditions that many
statistics share are computed once a row, and columns that are the same for every row are folded into the text.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any

_APPLY: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_ALONE: Mapping[str, tuple[object, object]] = {"&": (True, False), "|": (False, True), "*": (1, 0), "+": (0, None)}
"""For an operator: the constant that leaves the other side as it is, and the one that decides alone."""
_VARIES = object()


class Expr:
    """A traced expression: its Python text, the columns it reads, and its value where it is constant."""

    __slots__ = ("code", "columns", "value")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, code: str, columns: frozenset[str], value: object = _VARIES) -> None:
        self.code = code
        self.columns = columns
        self.value = value

    @property
    def constant(self) -> bool:
        """Whether it is the same for every row."""
        return self.value is not _VARIES

    def _with(self, sign: str, other: Operand, *, swapped: bool = False) -> Expr:
        left, right = (lift(other), self) if swapped else (self, lift(other))
        if left.constant and right.constant:
            return lift(_APPLY[sign](left.value, right.value))
        if sign in _ALONE:
            same, decides = _ALONE[sign]
            for one, rest in ((left, right), (right, left)):
                if one.constant and one.value == same:
                    return rest
                if one.constant and one.value == decides:
                    return one
        return Expr(f"({left.code} {sign} {right.code})", left.columns | right.columns)

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
    return Expr(repr(value), frozenset(), value)


class Columns:
    """The symbols of a row: any attribute is the column of that name, a constant where `same` gives its value."""

    def __init__(self, same: Mapping[str, Any] | None = None) -> None:
        self._same = same or {}

    def __getattr__(self, column: str) -> Expr:
        return lift(self._same[column]) if column in self._same else Expr(column, frozenset((column,)))


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


Shape = tuple[Any, ...]
"""How a row is laid out: names of columns, and tuples of them."""
Cells = dict[tuple[Any, ...], list[Any]]
Loop = Callable[[Iterable[tuple[Any, ...]], Cells], None]


@dataclass(frozen=True, slots=True)
class Compiled:
    """One loop: `run(rows, cells)` adds rows, tuples of `columns` in that order, to the cells by their keys."""

    columns: Shape
    source: str
    run: Loop = field(repr=False)


def compiled(declared: Mapping[str, Sum | Order], keys: Mapping[str, Expr], columns: Shape = ()) -> Compiled:
    """Compile declarations into one loop over rows, grouped by the key expressions.

    `columns` is the order in which rows come, by default the columns read, sorted; some may come in a tuple of their
    own. Raises `ValueError` where it lacks one that is read.
    """
    read = frozenset[str]().union(*(m.of.columns | m.where.columns for m in declared.values()))
    read = read.union(*(key.columns for key in keys.values()))
    columns = columns or tuple(sorted(read))
    if lacking := read.difference(*(each if isinstance(each, tuple) else (each,) for each in columns)):
        raise ValueError(f"the rows lack the columns {', '.join(sorted(lacking))}")
    blocks: dict[str, list[str]] = {}
    open_, close, fresh = [], [], []
    for index, measure in enumerate(declared.values()):
        adds, code = isinstance(measure, Sum), measure.of.code
        fresh.append("0" if adds else "[]")
        if measure.where.value in (False, 0) or (adds and measure.of.value in (False, 0)):
            continue
        where = "" if measure.where.constant else measure.where.code
        blocks.setdefault(where, []).append(f"s{index} += {code}" if adds else f"s{index}({code})")
        open_.append(f"s{index} = cell[{index}]" if adds else f"s{index} = cell[{index}].append")
        close += [f"cell[{index}] = s{index}"] if adds else []
    names = _pattern(columns)
    varying = {name: key for name, key in keys.items() if not key.constant}
    source = _TEMPLATE.format(
        chunk=_CHUNK,
        names=names,
        short=f"{', '.join(key.code for key in varying.values())},",
        parts=f"{', '.join(varying)},",
        key=f"{', '.join(key.code if key.constant else name for name, key in keys.items())},",
        fresh=f"[{', '.join(fresh)}]",
        open=_indented(open_, 12),
        body=_indented(_guarded(blocks), 16),
        close=_indented(close, 12),
    )
    return Compiled(columns, source, _loop(source))


_CHUNK = 300_000
"""Rows that are gathered by key before they are folded: a cell's statistics are then added up in local variables, its
rows one after the other, which is far kinder to the processor's cache than touching another cell with every row."""

_TEMPLATE = """\
def run(rows, cells):
    rows = iter(rows)
    while True:
        groups = defaultdict(list)
        for row in islice(rows, {chunk}):
            {names} = row
            groups[{short}].append(row)
        if not groups:
            return
        for ({parts}), group in groups.items():
            key = ({key})
            cell = cells.get(key)
            if cell is None:
                cell = cells[key] = {fresh}
{open}
            for {names} in group:
{body}
{close}
"""


def _pattern(columns: Shape) -> str:
    return "".join(f"({_pattern(each)}), " if isinstance(each, tuple) else f"{each}, " for each in columns)


def _indented(lines: list[str], by: int) -> str:
    return "\n".join(" " * by + line for line in lines)


def _guarded(blocks: Mapping[str, list[str]]) -> list[str]:
    """The statements under their conditions. A condition that stands inside later ones gets a name and is computed
    once a row."""
    lines: list[str] = []
    names: dict[str, str] = {}
    conditions = list(blocks)
    for index, where in enumerate(conditions):
        if not where:
            lines += blocks[where]
            continue
        short = where
        for code, name in names.items():
            short = short.replace(code, name)
        if any(where in later for later in conditions[index + 1 :]):
            names[where] = f"w{index}"
            lines.append(f"w{index} = {short}")
            short = f"w{index}"
        lines += [f"if {short}:", *(f"    {line}" for line in blocks[where])]
    return lines


@lru_cache(maxsize=64)
def _loop(source: str) -> Loop:
    """The function of a generated text; it holds nothing but the traced operators above."""
    space: dict[str, Any] = {"defaultdict": defaultdict, "islice": islice}
    exec(source, space)
    run: Loop = space["run"]
    return run
