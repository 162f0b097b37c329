"""The tally: attempts folded into cells, and cells rolled up into any grouping.

A cell holds the totals of all attempts that share agent, system version, models, band, week and strata. Sums add and
ordered columns join, so the order in which attempts arrive never changes a figure, and every grouping of the board
(by agent, by model, by band, by week, by stratum) is a roll-up of the same cells.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from ..domain.period.calendar import calendar
from ..domain.target.odds import band_index
from ..rules.law import Law
from .attempts import AttemptFacts
from .measures import ROW, Totals, landing, measures
from .trace import Cells, Compiled, Shape, compiled, lift


class Cell(NamedTuple):
    """What the attempts of one cell have in common. `band` is the index of equation (1), `week` "" while open."""

    agent: str
    system_version: str
    models: tuple[str, ...]
    band: int
    week: str
    tier: str
    verified: str
    category: str
    delivery: str
    standard: str


ORDERED = ("odds", "times", "elapsed", "costs", "toll_times", "toll_costs")
"""The ordered columns of the totals."""
_DERIVED = ("end", "o", "resolved", "scorable", "week")


def loop(law: Law, row: Any = ROW, columns: Shape = ()) -> Compiled:
    """The compiled loop under the editions that govern these rows. `row` may hold constants for columns that are the
    same for all of them, `columns` the order in which rows come."""
    keys = {
        "agent": row.agent,
        "system_version": row.system_version,
        "models": row.models,
        "band": lift(band_index(law, row.p_bp)),
        "week": row.week,
        "tier": row.tier,
        "verified": row.verified_now,
        "category": row.category,
        "delivery": row.delivery,
        "standard": row.standard,
    }
    declared = measures(law, row)
    assert tuple(declared) == Totals._fields, "the declarations and the totals name the same statistics"
    return compiled(declared, keys, columns)


class Tally:
    """Cells, and the ways to roll them up."""

    def __init__(self, cells: Cells | None = None) -> None:
        self.cells: Cells = {} if cells is None else cells

    def add(self, rows: Iterable[AttemptFacts], law: Law) -> Tally:
        """Fold attempts in, each under the editions it pins and the amendments that reach it by its resolution."""
        alike: dict[tuple[tuple[tuple[str, str], ...], int], list[AttemptFacts]] = {}
        for row in rows:
            alike.setdefault((row.editions, law.era_of(row.resolved_at)), []).append(row)
        for (pins, _), some in alike.items():
            governing = law.pinned(dict(law.pins) | dict(pins)).read_at(some[0].resolved_at)
            plan = loop(governing)
            plan.run(_columns(some, plan.columns, governing), self.cells)
        return self

    def by(self, groups: Callable[[Cell], Iterable[Hashable]], ordered: Iterable[str] = ORDERED) -> dict[Any, Totals]:
        """The totals of each group; `groups` names the groups of a cell (none, one, or one a model).

        Of the ordered columns only those named are joined, the others stay empty: a large tally is rolled up in a
        fraction of the time where sums are all that is asked for.
        """
        joins = [Totals._fields.index(name) for name in ordered]
        blank: list[Any] = [[] if name in ORDERED else 0 for name in Totals._fields]
        sums = [index for index, value in enumerate(blank) if value == 0]
        merged: dict[Hashable, list[Any]] = {}
        for key, cell in self.cells.items():
            for group in groups(Cell._make(key)):
                into = merged.get(group)
                if into is None:
                    into = merged[group] = [0 if value == 0 else [] for value in blank]
                for index in sums:
                    into[index] += cell[index]
                for index in joins:
                    into[index] += cell[index]
        return {group: Totals._make(merged[group]) for group in merged}

    def items(self) -> Iterator[tuple[Cell, int, int]]:
        """The cells with their counts of resolved official attempts and of successes."""
        n, successes = Totals._fields.index("n"), Totals._fields.index("successes")
        for key, cell in self.cells.items():
            yield Cell._make(key), cell[n], cell[successes]


def _columns(rows: list[AttemptFacts], columns: tuple[str, ...], law: Law) -> Iterator[tuple[Any, ...]]:
    """The rows as tuples of the columns the loop reads. Open attempts have end and week ""; `scorable` is 1 for a
    resolved attempt that has an outcome."""
    facts = tuple(name for name in columns if name not in _DERIVED)
    read = attrgetter(*facts)
    windows = calendar(law)
    pick = itemgetter(*((*facts, *_DERIVED).index(name) for name in columns))
    for row in rows:
        week = "" if row.resolved_at is None else windows.week(landing(law, row.signed_at, row.resolved_at))
        resolved, scorable = int(row.end is not None), int(row.end not in (None, "stopped") and row.o is not None)
        yield pick((*read(row), row.end or "", row.o or 0, resolved, scorable, week))

