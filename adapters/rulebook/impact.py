"""Impact: what a change of the law would change in results that are already there.

A recount reads the same facts (attempts, closings) under a changed edition and compares every figure with what the
present law gives. It is a recount, not a forecast: agents and people would have acted differently. Three modes:

* `recount`      every attempt and period is read under the changed edition, whatever it pinned;
* `prospective`  only attempts signed from an instant on are; earlier ones keep what they pinned;
* `pinned`       everything keeps what it pinned, which must reproduce the published board byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfoNotFoundError

from ...domain.period.calendar import calendar
from ...domain.target.odds import band_index, bands
from ...projections.attempts import AttemptFacts, LedgerFacts
from ...projections.board import board_bytes, board_of, figures, without_switched_off
from ...projections.finish import Drawing
from ...projections.historic import attempt_of
from ...projections.luck import EXACT_LIMIT
from ...projections.measures import landing
from ...projections.periods import Books
from ...projections.sections import Desk
from ...projections.tally import Tally
from ...protocol.edition import Edition, Shelf
from ...protocol.parameter_types import DECIMAL, parse_type, seconds
from ...rules.law import Law
from ..bench import Bench
from ..public_data.audit import LARGE, LARGE_LIMIT, audit
from ..public_data.reader import open_results

Mode = Literal["recount", "prospective", "pinned"]
FAMILIES: Mapping[str, str] = {
    "success_rate": "S",
    "bench_rating": "R",
    "points": "W",
    "total_points": "W",
    "verified_steps": "V",
    "finalist_rate": "F",
    "toll": "Toll",
    "gap": "G",
    "calibration": "G",
}
"""Which named figure each part of the board belongs to; everything else counts as `other`."""
MAX_SWEEP = 200


class ChangeError(ValueError):
    """The change that was asked for cannot be made; the message says why and how to write it."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """The facts that are recounted, the law they were published under, and what was published.

    `published` gives the bytes of the published board, `again` those that the facts give, each read under what it
    pinned; None where nothing was published.
    """

    facts: LedgerFacts
    law: Law
    published: Callable[[], bytes] | None = None
    again: Callable[[], bytes] | None = None


@dataclass(frozen=True, slots=True)
class Amended:
    """A changed edition and the words for the change."""

    edition: Edition
    words: str


@dataclass(slots=True)
class Impact:
    """What a recount changes. Pairs are (before, after).

    `rebanded`, `moved` and `outcomes` are by deal; `crowns` by week; `figures` are (place, family, before, after);
    `unchanged` names the families of figures that stay as they are (per-band splits count for the Toll and G
    alone, which exist per band). `differs` is for the mode `pinned` only.
    """

    mode: Mode
    change: str
    attempts: int
    rebanded: dict[str, tuple[str, str]] = field(default_factory=dict)
    moved: dict[str, tuple[str, str]] = field(default_factory=dict)
    outcomes: dict[str, tuple[str, str]] = field(default_factory=dict)
    crowns: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    figures: list[tuple[str, str, Any, Any]] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    differs: bool = False

    def as_dict(self) -> dict[str, Any]:
        """The impact as JSON."""
        return {
            "mode": self.mode,
            "change": self.change,
            "attempts": self.attempts,
            "rebanded": self.rebanded,
            "moved": self.moved,
            "outcomes": self.outcomes,
            "crowns": self.crowns,
            "figures": [
                {"place": place, "family": family, "before": before, "after": after}
                for place, family, before, after in self.figures
            ],
            "unchanged": self.unchanged,
            "differs": self.differs,
        }


# -- what is recounted -------------------------------------------------------------------------------------------------


def read_bench(bench: Bench) -> Ledger:
    """The ledger of a bench: its facts, its law and its live board."""
    live, facts, law = bench.board_bytes(), bench.facts(fresh=True), bench.law()
    return Ledger(facts, law, lambda: live, lambda: board_bytes(board_of(facts, law)))


def read_results(path: Path, shelf: Shelf) -> Ledger:
    """A published results file as a ledger of historic attempts; what was published is the board of its audit.

    Rows that cannot be read as attempts are left out, and of several with one deal id the first counts. The audit makes
    its figures while it reads the file; here they are made from the attempts. Raises `UnusableFile` where the file is
    no results file.
    """
    law, found, read = Law(shelf), dict[str, AttemptFacts](), 0
    with open_results(path, law) as file:
        names = list(file.columns)
        for line, cells in file.numbered():
            read += 1
            row = attempt_of(dict(zip(names, cells, strict=True)), law, line) if len(cells) == len(names) else None
            if row is not None:
                found.setdefault(row.deal, row)
    facts = LedgerFacts(attempts=tuple(found.values()))
    return Ledger(facts, law, lambda: board_bytes(audit(path, law).board()), lambda: _audited(facts, law, read))


def _audited(facts: LedgerFacts, law: Law, rows: int) -> bytes:
    """The board that an audit of `rows` rows publishes, from the attempts: figures without single rows."""
    draw = Drawing(law, EXACT_LIMIT if rows <= LARGE else LARGE_LIMIT)
    books = Books(Desk(law, draw), Tally().add(facts.attempts, law))
    return board_bytes(without_switched_off(figures(books, None, "historic")))


# -- the change --------------------------------------------------------------------------------------------------------


def amended(law: Law, change: str) -> Amended:
    """The edition in force with one parameter changed; `change` is written `RULE.parameter=value`."""
    left, equals, text = change.partition("=")
    rule, dot, name = left.strip().partition(".")
    if not (equals and dot):
        raise ChangeError(f"{change!r} is no change; write RULE.parameter=value")
    entry = law.current.rules.get(rule)
    if entry is None:
        raise ChangeError(f"edition {law.current.version} has no rule {rule}; `toll rules trace` lists the rules")
    parameter = next((each for each in entry.parameters if each.name == name), None)
    if parameter is None:
        has = ", ".join(each.name for each in entry.parameters) or "none"
        raise ChangeError(f"{rule} has no parameter {name}; it has: {has}")
    value = _written(parameter.type, text.strip())
    problem = parse_type(parameter.type).problem(value)
    if problem is not None:
        raise ChangeError(f"{rule}.{name}: {problem}")
    return Amended(law.current.with_value(rule, name, value), f"{rule}.{name}: {parameter.value} -> {text.strip()}")


def sweep(law: Law, change: str) -> Iterator[Amended]:
    """One edition for each step of `RULE.parameter=a..b`: whole numbers by 1, decimals by their last written digit."""
    left, _, span = change.partition("=")
    low, dots, high = span.partition("..")
    if not dots:
        raise ChangeError(f"{change!r} is no sweep; write RULE.parameter=a..b")
    if not (DECIMAL.fullmatch(low) and DECIMAL.fullmatch(high)):
        raise ChangeError(f"{span!r} is no range of numbers; write it like 0.45..0.55 or 10..30")
    places = max(len(end.partition(".")[2]) for end in (low, high))
    value, last, unit = Decimal(low), Decimal(high), Decimal(1).scaleb(-places)
    if not 0 <= (last - value) / unit <= MAX_SWEEP:
        raise ChangeError(f"{span!r} has to rise, by at most {MAX_SWEEP} steps of {unit}")
    while value <= last:
        yield amended(law, f"{left}={value:.{places}f}")
        value += unit


def _written(type_: str, text: str) -> Any:
    kind = type_.removesuffix("|null")
    if kind == "bool":
        return {"true": True, "false": False}.get(text, text)
    if kind == "int" and text.lstrip("-").isdigit() and text.isascii():
        return int(text)
    if kind == "duration":
        try:
            seconds(text)
        except ValueError as error:
            raise ChangeError(str(error)) from None
    if kind.startswith("list["):
        return [_written(kind[5:-1], part.strip()) for part in text.split(",") if part.strip()]
    return text


# -- the recount -------------------------------------------------------------------------------------------------------


def impact(ledger: Ledger, change: Amended, mode: Mode, since: int | None = None) -> Impact:
    """Recount the ledger under the change and list every difference.

    `since` (microseconds since 1970) is where the mode `prospective` starts: attempts signed from then on are read
    under the change. Raises `ChangeError` where the changed edition cannot be computed with.
    """
    before_law = ledger.law
    found = Impact(mode, change.words, len(ledger.facts.attempts))
    if mode == "pinned":
        found.differs = not reproduces(ledger)
        found.unchanged = sorted({*FAMILIES.values(), "bands", "crowns", "weeks"}) if not found.differs else []
        return found
    after_law = Law(before_law.shelf.standing_in(change.edition), change.edition.version)
    kept = since if mode == "prospective" else None
    try:
        before = _Count(ledger.facts, before_law, None)
        after = _Count(ledger.facts, after_law, before_law, kept)
        _compare(found, before, after)
    except ZoneInfoNotFoundError as error:
        raise ChangeError(f"there is no such timezone: {error}") from None
    except (ArithmeticError, IndexError, ValueError) as error:
        raise ChangeError(f"the figures cannot be computed under {change.words}: {error}") from None
    return found


def reproduces(ledger: Ledger) -> bool:
    """Whether the facts, each under what it pinned, give the published board byte for byte.

    Raises `ChangeError` where nothing was published.
    """
    if ledger.published is None or ledger.again is None:
        raise ChangeError("nothing was published from these facts, so there is nothing to reproduce")
    return ledger.again() == ledger.published()


class _Count:
    """The figures of one reading of the facts, and where each attempt stands in it.

    With `others` (the law before) the attempts are read without their pins; with `since` those signed earlier keep
    being read under the law before.
    """

    def __init__(self, facts: LedgerFacts, law: Law, others: Law | None, since: int | None = None) -> None:
        self.law = law
        changed = [row for row in facts.attempts if others is None or since is None or row.signed_at >= since]
        kept = [] if others is None or since is None else [r for r in facts.attempts if r.signed_at < since]
        rows = changed if others is None else [replace(row, editions=()) for row in changed]
        tally = Tally().add(rows, law)
        closings = facts.closings
        if others is not None:
            tally.add(kept, others)
            closings = tuple(closing._replace(edition=law.current.version) for closing in closings)
        names = {row.agent: row.agent_name for row in facts.attempts} | {a.agent: a.name for a in facts.agents}
        every = [*rows, *kept]
        books = Books(Desk(law, Drawing(law), names), tally, every, sorted(closings))
        self.figures = figures(books, facts.position, "recount", facts.agents)
        self.places = dict(_placed(rows, law))
        self.places.update(_placed(kept, others or law))


def _placed(rows: list[AttemptFacts], law: Law) -> Iterator[tuple[str, tuple[str, str, str]]]:
    """Band, week and scored outcome of each attempt under the law that governs it."""
    for row in rows:
        governing = law.pinned(dict(law.pins) | dict(row.editions)).read_at(row.resolved_at)
        names = bands(governing)
        band = names[int(band_index(governing, row.p_bp))]
        if row.resolved_at is None:
            yield row.deal, (band, "open", "open")
            continue
        week = calendar(governing).week(landing(governing, row.signed_at, row.resolved_at))
        neutral = row.end == "lapsed" and not governing.params("TB-OUT-015")["lapse_scored"]
        yield row.deal, (band, week, "neutral" if neutral else str(row.o))


def _compare(found: Impact, before: _Count, after: _Count) -> None:
    for deal, old in before.places.items():
        new = after.places[deal]
        for pairs, index in ((found.rebanded, 0), (found.moved, 1), (found.outcomes, 2)):
            if old[index] != new[index]:
                pairs[deal] = (old[index], new[index])
    crowns = [_crowns(count.figures) for count in (before, after)]
    for week in sorted(crowns[0].keys() | crowns[1].keys()):
        pair = (crowns[0].get(week), crowns[1].get(week))
        if pair[0] != pair[1]:
            found.crowns[week] = pair
    flat = [dict(_flat(count.figures, ())) for count in (before, after)]
    for place in sorted(flat[0].keys() | flat[1].keys()):
        old_value, new_value = flat[0].get(place), flat[1].get(place)
        if old_value != new_value:
            found.figures.append(("/".join(place), _family(place), old_value, new_value))
    changed = {family for place, family, _, _ in found.figures if family in ("Toll", "G") or "bands" not in place}
    whole = {"bands": found.rebanded, "weeks": found.moved, "crowns": found.crowns, "outcomes": found.outcomes}
    families = [family for family in dict.fromkeys(FAMILIES.values()) if family not in changed]
    found.unchanged = families + [name for name, pairs in whole.items() if not pairs]


def _crowns(document: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Week to [names, points] of its crown."""
    found = {}
    for week in document["weeks"]:
        crown = week["crown"]
        if crown["champions"]:
            points = crown["figures"][crown["champions"][0]]["value"]
            found[week["week"]] = [crown["names"][0] if len(crown["names"]) == 1 else crown["names"], points]
    return found


_KEYS = ("agent", "model", "week", "season", "quarter")


def _flat(node: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every figure of a board by its place, as [value, n]; counts and texts as they stand."""
    if isinstance(node, Mapping):
        if "rule" in node and "value" in node:
            yield path, [node["value"], node["n"]]
            return
        for name, item in node.items():
            if name not in ("header", "crown", "rank", "low", "high", "luck", "record", "accepted_passed", "digest"):
                yield from _flat(item, (*path, str(name)))
    elif isinstance(node, list):
        for index, item in enumerate(node):
            names = [str(item[key]) for key in _KEYS if key in item] if isinstance(item, Mapping) else []
            version = [str(item["system_version"])] if isinstance(item, Mapping) and "system_version" in item else []
            yield from _flat(item, (*path, " ".join([*names[:1], *version]) or str(index)))
    else:
        yield path, node


def _family(place: tuple[str, ...]) -> str:
    return next((FAMILIES[part] for part in reversed(place) if part in FAMILIES), "other")
