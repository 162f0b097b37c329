"""What the rows of a results file can show, rule by rule, in one pass.

`Checker.rows` yields the rows that count in the order that the compiled loop of the tally reads. A row counts unless a
cell that figures need does not have its form, or its deal stood in an earlier row. A p outside the bounds, a wrong band
or a wrong week are findings, and the row still counts, with what follows from p and `resolved_at`.

The loop is written for a million rows: texts with few values are read once and remembered, a row is judged rule by rule
only where one cheap comparison fails, and ids are remembered by their 64-bit hash alone.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import Any, NamedTuple

from ...domain.deal.figures import standard
from ...domain.period.calendar import calendar
from ...domain.target.card import tier
from ...domain.target.odds import band_index, bands
from ...projections import historic
from ...projections.attempts import BASIS, NOT_RECORDED, UNKNOWN
from ...projections.historic import CellError
from ...projections.public_rows import exact_p
from ...protocol import instants
from ...rules.evaluators import requires
from ...rules.law import Law
from .findings import Findings
from .reader import ResultsFile

FORM, ONCE, ORDER = "TB-AUDIT-003", "TB-AUDIT-004", "TB-AUDIT-005"
BOUNDS, ONE_P, THREE_BANDS, BAND_LAW = "TB-ODDS-010", "TB-ODDS-003", "TB-BAND-001", "TB-BAND-002"
DELIVERED, STATES, WEEK, SCALE = "TB-OUT-006", "TB-OUT-005", "TB-RANK-005", "TB-EVID-005"
CLOCK, ADHERENCE, ZERO_COST, STANDARD = "TB-CLOCK-002", "TB-COST-010", "TB-COST-008", "TB-OUT-001"
TIERS = "TB-TARGET-007"

requires("TB-AUDIT-003", event="audit", field="rows.cells")
requires("TB-AUDIT-004", event="audit", field="rows.deal_id")
requires("TB-AUDIT-005", event="audit", field="rows.resolved_at")

READ = (
    *("deal_id", "target_id", "card_type", "keeper", "lane", "band", "p_frozen", "outcome", "resolution", "agent"),
    *("model", "T_agent_minutes", "C_usd", "B_usd", "toll", "satisfaction", "week_resolved", "posted_at"),
    "resolved_at",
)
"""The columns in the order in which the loop unpacks them, which is that of the public results: such a file needs no
picking of cells."""
_ZERO = timedelta(0)


class Memo(dict[Any, Any]):
    """What was read from each text so far; None for a text that does not have its form. It stops learning when a
    column turns out to have ever new values: at `most` of them."""

    def __init__(self, read: Callable[[Any], Any], most: int = 65_536) -> None:
        super().__init__()
        self._read = read
        self._most = most

    def __missing__(self, text: Any) -> Any:
        try:
            value = self._read(text)
        except CellError:
            value = None
        if len(self) < self._most:
            self[text] = value
        return value


class Row(NamedTuple):
    """A row as far as it is read: p in basis points, T in seconds, money in cents, `kind` the verification standard,
    `landed` the week of `resolved`. `posted` is None where that cell, which no figure needs, does not have its form."""

    line: int
    lane: str
    band: str
    p: int
    o: int
    resolution: str
    t: int
    c: int
    b: int
    kind: str
    week: str
    landed: str
    posted: datetime | None
    resolved: datetime


def _moment(text: str) -> datetime | None:
    try:
        return instants.parse(text)
    except ValueError:
        return None


class Checker:
    """The checks of one audit. `models` has the first line of each model as spelled."""

    def __init__(self, law: Law, findings: Findings) -> None:
        self.models: dict[str, int] = {}
        self._law = law
        self._findings = findings
        self._windows = calendar(law)
        self._names = bands(law)
        states = law.params(STATES)
        scored, classes = dict(states["outcome_of"]), states["historic_classes"]
        self._unscored = frozenset(states["unscored_states"])
        self._outcomes: dict[str, int] = {**dict.fromkeys((*states["unscored_states"], *classes), 0), **scored}
        self._bounds = [int(law.params(BOUNDS)[name] * BASIS) for name in ("p_min", "p_max")]
        self._scale = [int(law.params(SCALE)[name]) for name in ("scale_min", "scale_max")]
        self._deals: set[int] = set()
        self._deal_of, self._target_of, self._line_of = array("q"), array("q"), array("q")
        self._p_of: dict[int, int] = {}
        self._split: dict[int, tuple[str, set[int]]] = {}
        self._steps = sorted({law.params(STANDARD)["paid_above_cents"], *law.params(TIERS)["tier_max_cents"].values()})
        self._repeated: list[tuple[int, str]] = []
        self._left_out = 0
        self._line: Callable[[], int] = lambda: 0

    @property
    def read(self) -> int:
        """The rows seen."""
        return len(self._deal_of) + len(self._repeated) + self._left_out

    def rows(self, file: ResultsFile) -> Iterator[tuple[Any, ...]]:
        """The rows that count, as tuples of `COLUMNS`. Findings are noted on the way, the rest by `close`."""
        pick, width = itemgetter(*(file.columns[name] for name in READ)), len(file.columns)
        plain = tuple(file.columns) == READ
        p_at, t_of, cents, who = Memo(self._banded), Memo(historic.minutes), Memo(historic.dollars), Memo(self._who)
        aside, strata, money = Memo(self._aside), Memo(self._strata), Memo(self._money_agrees)
        fixed, utc, at = self._windows.timezone.key == "UTC", UTC, datetime.fromisoformat
        week_of = Memo(lambda day: self._windows.week((day - _EPOCH) * _DAY))
        deals, p_of, steps = self._deals, self._p_of, self._steps
        deal_of, target_of, line_of = self._deal_of.append, self._target_of.append, self._line_of.append
        rows, counted = file.rows, 0
        self._line = lambda: rows.line_num
        for cells in rows:
            if len(cells) != width:
                self._width(rows.line_num, len(cells), width)
                continue
            texts = cells if plain else pick(cells)
            (
                deal, target, _, _, lane, band, p_text, o_text, resolution, agent, model,
                t_text, c_text, b_text, toll, rating, week, posted_at, resolved_at,
            ) = texts  # fmt: skip
            frozen, t, c, b = p_at[p_text], t_of[t_text], cents[c_text], cents[b_text]
            system = who[agent, model, resolution, o_text]
            posted: Any = None
            resolved: Any = None
            try:  # the usual spelling, in UTC with six digits, is read at once, any other by the strict reader
                if posted_at[4:11:3] == "--T" == resolved_at[4:11:3] and len(posted_at) == 32 == len(resolved_at):
                    posted, resolved = at(posted_at), at(resolved_at)
                if resolved is None or posted.tzinfo is not utc or resolved.tzinfo is not utc:
                    posted, resolved = _moment(posted_at), _moment(resolved_at)
            except ValueError:
                posted, resolved = _moment(posted_at), _moment(resolved_at)
            if (
                frozen is None or t is None or c is None or b is None or system is None or posted is None
                or resolved is None or ((toll or rating) and aside[toll, rating] is None)
                or not deal or not target or deal.strip() is not deal or target.strip() is not target
            ) and not self._usable(rows.line_num, texts):  # fmt: skip
                self._left_out += 1
                continue
            key = hash(deal)
            deals.add(key)
            if len(deals) == counted:
                self._repeated.append((rows.line_num, deal))
                continue
            counted += 1
            deal_of(key)
            key = hash(target)
            target_of(key)
            line_of(rows.line_num)
            p, right = frozen
            if p_of.setdefault(key, p) != p:
                self._split.setdefault(key, (target, {p_of[key]}))[1].add(p)
            landed = week_of[resolved.toordinal()] if fixed else self._windows.week(instants.micros(resolved))
            step = bisect_left(steps, b)
            known, o, agrees = system
            if (
                band != right or week != landed or not agrees or posted is None
                or ((c or b or lane != "free") and not money[lane, step, c > b, c > 0])
                or (waited := resolved - posted) < _ZERO or t > waited.days * 86_400 + waited.seconds
            ):  # fmt: skip
                kind = strata[step][0]
                row = (rows.line_num, lane, band, p, o, resolution, t, c, b, kind, week, landed, posted, resolved)
                self._judge(Row._make(row))
            yield known, p, t, c, strata[step], landed

    def _banded(self, text: str) -> tuple[int, str | None]:
        """p, and the band it gives; no band where p is outside the bounds, so that the row is looked at."""
        p, (least, most) = historic.probability(text), self._bounds
        return p, self._names[band_index(self._law, p)] if self._names and least <= p <= most else None

    def _who(self, texts: tuple[str, str, str, str]) -> tuple[tuple[Any, ...], int, bool]:
        """What the loop reads of agent, model, state and outcome, as `COLUMNS` has it; o; whether the state has it."""
        agent, model, resolution, o_text = map(historic.word, texts)
        self.models.setdefault(model, self._line())
        o, end = historic.outcome(o_text), historic.end_of(self._law, resolution)
        return (agent, (model,), end, o, int(end not in self._unscored)), o, self._outcomes.get(resolution) == o

    def _aside(self, texts: tuple[str, str]) -> bool | None:
        """Whether the cells that no figure needs are in order; None where they are not."""
        toll, rating = texts
        historic.optional_number(toll)
        found, (low, high) = historic.score(rating), self._scale
        return True if found is None or low <= found <= high else None

    def _strata(self, step: int) -> tuple[str, str]:
        """The verification standard and the budget tier of the totals up to a step of the law (beyond the last one)."""
        b = self._steps[step] if step < len(self._steps) else self._steps[-1] + 1
        return standard(self._law, b), tier(self._law, b) or NOT_RECORDED

    def _money_agrees(self, facts: tuple[str, int, bool, bool]) -> bool:
        """Whether lane, standard and cost of a row agree."""
        lane, step, above_total, costs = facts
        free = self._strata(step)[0] == "free"
        return lane in _LANES and (lane == "free") == free and not above_total and not (free and costs)

    def _width(self, line: int, found: int, wanted: int) -> None:
        """Note a row with a wrong number of cells; a blank line is none."""
        if found:
            self._left_out += 1
            fix = "give every row one cell a column, and quote cells that hold commas"
            self._findings.add(FORM, line, "", f"the row has {found} cells, the header {wanted}", fix)

    def _usable(self, line: int, texts: Sequence[str]) -> bool:
        """Note every cell without its form and a rating off the scale; whether the row counts all the same."""
        usable = True
        for name, text in zip(READ, texts, strict=True):
            try:
                value = _READERS[name](text)
            except CellError as error:
                self._findings.add(FORM, line, name, str(error), error.fix)
                usable = usable and name not in historic.CELLS
                continue
            if name == "satisfaction" and value is not None:
                self._rating(line, value)
        return usable

    def _rating(self, line: int, rating: int) -> None:
        low, high = self._scale
        if not low <= rating <= high:
            detail = f"a satisfaction of {rating} is outside {low} to {high}"
            self._findings.add(SCALE, line, "satisfaction", detail, f"rate from {low} to {high}, or leave it blank")

    def close(self) -> None:
        """Note what only all rows together show: deals that stand in several rows, targets with several p."""
        if self._repeated:
            first = dict(zip(reversed(self._deal_of), reversed(self._line_of), strict=True))
            for line, deal in self._repeated:
                detail = f"deal {deal} stands in line {first[hash(deal)]} already; this row is not counted"
                fix = "keep one row a deal"
                self._findings.add(ONCE, line, "deal_id", detail, fix, (first[hash(deal)], line))
        if self._split:
            self._one_p_a_target()

    def _one_p_a_target(self) -> None:
        lines: dict[int, list[int]] = {key: [] for key in self._split}
        for key, line in zip(self._target_of, self._line_of, strict=True):
            if key in lines:
                lines[key].append(line)
        for key, (target, values) in self._split.items():
            found = ", ".join(exact_p(p) for p in sorted(values))
            detail = f"target {target} has {len(values)} frozen probabilities: {found}"
            fix = "a target has one frozen p; a repost is a target of its own"
            self._findings.add(ONE_P, lines[key][0], "p_frozen", detail, fix, tuple(lines[key]))

    def _judge(self, row: Row) -> None:
        """Note every finding of a row that may have one."""
        self._odds(row)
        self._ending(row)
        self._money(row)
        self._time(row)

    def _odds(self, row: Row) -> None:
        p, (least, most) = exact_p(row.p), self._bounds
        if not least <= row.p <= most:
            detail = f"p is {p}, outside {exact_p(least)} to {exact_p(most)}"
            self._findings.add(BOUNDS, row.line, "p_frozen", detail, "freeze p inside the bounds of the rubric")
        if self._names and row.band not in self._names:
            detail = f"{row.band[:40]!r} is none of the bands {', '.join(self._names)}"
            self._findings.add(THREE_BANDS, row.line, "band", detail, "name the band that p gives")
        elif self._names and row.band != (band := self._names[band_index(self._law, row.p)]):
            self._findings.add(BAND_LAW, row.line, "band", f"p = {p} is {band}, not {row.band}", f"write {band}")

    def _ending(self, row: Row) -> None:
        wanted = self._outcomes.get(row.resolution)
        if wanted is None:
            detail = f"{row.resolution[:40]!r} is no terminal state"
            fix = f"use one of {', '.join(sorted(self._outcomes))}"
            self._findings.add(STATES, row.line, "resolution", detail, fix)
        elif row.o != wanted:
            detail = f"a target that is {row.resolution} has o = {wanted}, not {row.o}"
            self._findings.add(DELIVERED, row.line, "outcome", detail, "delivered means resolved with o = 1")
        if row.week != row.landed:
            detail = f"it resolved in week {row.landed}, not {row.week[:20]}"
            self._findings.add(WEEK, row.line, "week_resolved", detail, f"write {row.landed}")

    def _money(self, row: Row) -> None:
        if row.lane not in _LANES:
            detail = f"{row.lane[:40]!r} is no lane"
            self._findings.add(FORM, row.line, "lane", detail, f"write {' or '.join(_LANES)}")
        elif (row.lane == "free") != (row.kind == "free"):
            detail = f"a total of {_dollars(row.b)} is the {row.kind} standard, the lane says {row.lane}"
            self._findings.add(STANDARD, row.line, "lane", detail, "a total above zero is paid, zero is free")
        if row.kind == "free" and row.c:
            detail = f"at a total of $0 the person was charged {_dollars(row.c)}"
            self._findings.add(ZERO_COST, row.line, "C_usd", detail, "book engine earnings as funding, not as cost")
        elif row.c > row.b:
            detail = f"the cost {_dollars(row.c)} is above the stated total {_dollars(row.b)}"
            self._findings.add(ADHERENCE, row.line, "C_usd", detail, "correct the cost or the total")

    def _time(self, row: Row) -> None:
        if row.posted is None:
            return
        waited = row.resolved - row.posted
        if waited < _ZERO:
            detail = "it resolved before it was posted"
            self._findings.add(ORDER, row.line, "resolved_at", detail, "correct posted_at or resolved_at")
        elif row.t > waited.days * 86_400 + waited.seconds:
            detail = f"{row.t // 60} minutes of agent time do not fit between posting and resolution"
            self._findings.add(CLOCK, row.line, "T_agent_minutes", detail, "the clock starts at the signing or later")


_READERS: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(READ, str),
    **historic.CELLS,
    "toll": historic.optional_number,
    "satisfaction": historic.score,
    "posted_at": historic.instant,
}
_LANES = ("free", "funded")
_EPOCH, _DAY = datetime(1970, 1, 1, tzinfo=UTC).toordinal(), 86_400_000_000
COLUMNS = (("agent", "models", "end", "o", "scorable"), "p_bp", "t_seconds", "c_cents", ("standard", "tier"), "week")
"""The columns of the rows that `Checker` yields. Those that few texts decide come together in one remembered tuple."""
SAME: dict[str, Any] = {
    **dict.fromkeys(("category", "delivery", "system_version", "verified_now"), NOT_RECORDED),
    **dict.fromkeys(("elapsed_seconds", "on_time"), UNKNOWN),
    **dict.fromkeys(("funded", "k", "m", "shared", "under_review"), 0),
    "integrity": "official",
    "resolved": 1,
}
"""What the format does not record, and so is the same for every row."""


def _dollars(cents: int) -> str:
    return f"${cents // 100}.{cents % 100:02d}"
