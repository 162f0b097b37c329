"""The board: every figure that the protocol publishes, as one JSON document.

`board` is a pure function of attempts, closings and law: the same log gives the same bytes, in whatever order the
attempts arrive. Native and historic attempts never share a figure (TB-AUDIT-007). Numbers are integers or text that
`Fraction()` reads; there is no floating point.

    header      what the document is: format, origin, edition with hash, log position, statements that stay attached
    line        "measurement begins" while nothing is resolved
    overall     all attempts, with their per-band split; no Toll across bands
    strata      the same by budget tier, verification, category, delivery setting and standard
    agents, systems, models    the three roll-ups
    weeks, seasons, quarters   tables, crowns, calibration audit and Toll
    digest      what the weekly State of the Toll is made of
    attempts    one row each, with the evidence behind it
    corrections what changed in a closed period

What a reporting rule demands is declared below as a path of the document; while such a rule is switched off, the path
is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..protocol import canonical
from ..rules.evaluators import is_off, registry, requires
from ..rules.law import Law
from . import finish, periods, sections
from .attempts import AgentFacts, AttemptFacts, Closing, LedgerFacts
from .corrections import corrections
from .finish import Drawing
from .luck import EXACT_LIMIT
from .periods import Books
from .public_rows import row
from .ranking import in_career
from .sections import Desk
from .tally import Tally

FORMAT, VERSION = "toll-board", 1
DOCUMENT = "board"

OBSERVATIONAL = (
    "Figures describe the attempts each agent chose to accept. They are observational and do not rank agents or models "
    "on identical tasks."
)
BY_MODEL = (
    "Figures by base model are descriptive, not causal: harnesses and human supervision differ between systems. An "
    "attempt that declares several models counts in full for each, and rows by model are never added up."
)
AFFILIATION = (
    "The author of Toll Bench is affiliated with Book of Houses, which operates the benchmark and its marketplace."
)
RUBRIC_CAVEAT = "The reference classes behind the odds measured people; agents may do better or worse."

requires("TB-BAND-008", event="board", field="**.bands")
requires("TB-BOARD-001", event="board", field="strata")
requires("TB-BOARD-002", event="board", field="**.low")
requires("TB-BOARD-003", event="board", field="agents.*.accepted_passed")
requires("TB-BOARD-004", event="board", field="**.small_sample")
requires("TB-BOARD-006", event="board", field="digest")
requires("TB-BOARD-009", event="board", field="quarters")
requires("TB-BOARD-010", event="board", field="quarters.*.qualifiers")
requires("TB-BOARD-012", event="board", field="corrections")
requires("TB-CAL-002", event="board", field="quarters.*.calibration")
requires("TB-CAL-004", event="board", field="**.mark")
requires("TB-CLOCK-004", event="board", field="**.elapsed")
requires("TB-CLOCK-006", event="board", field="**.agent_days")
requires("TB-CLOCK-007", event="board", field="**.time_distribution")
requires("TB-CLOCK-009", event="board", field="attempts.*.handoffs")
requires("TB-COST-004", event="board", field="attempts.*.ceiling_cents")
requires("TB-COST-011", event="board", field="attempts.*.adherence")
requires("TB-EVID-002", event="board", field="attempts.*.evidence.tiers")
requires("TB-EVID-003", event="board", field="attempts.*.evidence.events")
requires("TB-AUDIT-007", event="board", field="**.origin")
requires("TB-GOV-015", event="board", field="header.affiliation")
requires("TB-MODEL-002", event="board", field="models")
requires("TB-MODEL-004", event="board", field="header.by_model")
requires("TB-MODEL-006", event="board", field="header.observational")
requires("TB-ODDS-016", event="board", field="header.rubric_caveat")
requires("TB-OUT-004", event="board", field="attempts.*.free_mark")
requires("TB-PASS-002", event="board", field="agents.*.passport")
requires("TB-PASS-004", event="board", field="agents.*.record")
requires("TB-PASS-005", event="board", field="agents.*.bench_rating")
requires("TB-PRIV-006", event="board", field="attempts.*.agent")
requires("TB-RANK-007", event="board", field="weeks.*.crown")
requires("TB-RANK-010", event="board", field="**.time")
requires("TB-SCORE-007", event="board", field="systems.*.bands")
requires("TB-SCORE-009", event="board", field="**.counts")
requires("TB-SCORE-011", event="board", field="**.task_mix")
requires("TB-TOLL-004", event="board", field="overall.bands.*.toll")
requires("TB-TOLL-005", event="board", field="**.crossings")
requires("TB-TOLL-007", event="board", field="**.headline")

_ACT_THEMSELVES = frozenset(("TB-BOARD-002", "TB-COST-011", "TB-PRIV-006", "TB-TOLL-004"))
"""Rules whose absence shows otherwise than by a path left out: in the place where the figure is made."""


def board(
    rows: Iterable[AttemptFacts],
    closings: Sequence[Closing],
    law: Law,
    position: int,
    origin: str,
    *,
    agents: Sequence[AgentFacts] = (),
    resales: int = 0,
    priority_fee_cents: int = 0,
    exact_limit: int = EXACT_LIMIT,
) -> dict[str, Any]:
    """The board of one origin (`native` or `historic`) at a log position.

    `rows` are the attempts in any order; `agents` what the ledger says about Passports. Luck is computed exactly up to
    `exact_limit` attempts a figure.
    """
    attempts = sorted(rows, key=lambda r: (r.resolved_at is None, r.resolved_at or r.signed_at, r.deal))
    names = {r.agent: r.agent_name for r in attempts} | {a.agent: a.name for a in agents}
    desk = Desk(law, Drawing(law, exact_limit), names)
    books = Books(desk, Tally().add(attempts, law), attempts, sorted(closings))
    found = {
        **figures(books, position, origin, agents),
        "attempts": [row(desk, each) for each in attempts],
        "corrections": corrections(books),
    }
    found["digest"] = {
        **found["digest"],
        "workflow_resale_volume": finish.resale_volume(law, resales).as_dict(),
        "posting_priority_fee_cents": str(priority_fee_cents),
    }
    return without_switched_off(found)


def board_of(facts: LedgerFacts, law: Law) -> dict[str, Any]:
    """The board of a bench: its native attempts, and under `historic` those imported from published results."""
    native = board(
        [each for each in facts.attempts if each.origin == "native"],
        facts.closings,
        law,
        facts.position,
        "native",
        agents=facts.agents,
        resales=facts.resales,
        priority_fee_cents=facts.priority_fee_cents,
    )
    imported = [each for each in facts.attempts if each.origin == "historic"]
    historic = board(imported, (), law, facts.position, "historic") if imported or facts.unreadable else None
    if historic is not None:
        historic["unreadable_rows"] = facts.unreadable
    return {**native, "historic": historic}


def board_bytes(document: Mapping[str, Any]) -> bytes:
    """The canonical bytes of a board (RFC 8785)."""
    return canonical.dumps(dict(document))


def figures(books: Books, position: int | None, origin: str, agents: Sequence[AgentFacts] = ()) -> dict[str, Any]:
    """Every section that is computed from the tally, without the single rows."""
    desk, tally = books.desk, books.tally
    return {
        **summary(books, position, origin),
        "strata": sections.strata(desk, tally),
        "agents": _agents(books, agents),
        "systems": [
            {"agent": name[0], "system_version": name[1], **found}
            for name, found in sections.roll(desk, tally, "system_version")
        ],
        "models": _models(books),
    }


def summary(books: Books, position: int | None, origin: str, places: int | None = None) -> dict[str, Any]:
    """The sections that are no roll-up: all attempts by band, the periods, the digest. Of the tables of weeks and
    seasons the first `places` lines, by default all."""
    desk, tally = books.desk, books.tally
    whole = sections.overall(desk, tally, books.by_band)
    empty = whole is None or not whole["counts"]["resolved_official"]
    return {
        "format": FORMAT,
        "version": VERSION,
        "header": header(desk.law, position, origin),
        "line": desk.law.params("TB-BOARD-005")["empty_line"] if empty else None,
        "overall": whole,
        "weeks": periods.weeks(books, places),
        "seasons": periods.seasons(books, places),
        "quarters": periods.quarters(books),
        "digest": _digest(desk, tally),
    }


def header(law: Law, position: int | None, origin: str) -> dict[str, Any]:
    """What the document says about itself. `root` and `witness` are null until tree heads are published."""
    return {
        "origin": origin,
        "edition": law.current.version,
        "rulebook": law.current.hash,
        "log_position": position,
        "root": None,
        "witness": None,
        "interval_level": str(law.params("TB-BOARD-002")["level"]),
        "observational": OBSERVATIONAL,
        "by_model": BY_MODEL,
        "rubric_caveat": RUBRIC_CAVEAT,
        "affiliation": AFFILIATION,
    }


def _agents(books: Books, known: Sequence[AgentFacts]) -> list[dict[str, Any]]:
    """The agent roll-up, and every registered agent without an attempt; career figures never reset (TB-RANK-002)."""
    desk = books.desk
    rolled = dict(sections.roll(desk, career(books), "agent"))
    facts = {each.agent: each for each in known}
    deals: dict[str, list[str]] = {}
    for attempt in books.rows:
        deals.setdefault(attempt.agent, []).append(attempt.deal)
    return [
        {
            "agent": name,
            "name": desk.names.get(name, name),
            **rolled.get(name, {}),
            "record": deals.get(name, []),
            **_passport(desk, facts.get(name)),
        }
        for name in sorted(rolled.keys() | facts.keys())
    ]


def career(books: Books) -> Tally:
    """The attempts of the career layer: all of them."""
    windows, law = books.desk.windows, books.desk.law
    latest = max((windows.season_of(week) for week in books.weeks()), default=0)
    kept = {
        key: cell
        for key, cell in books.tally.cells.items()
        if not key[4] or in_career(law, windows.season_of(key[4]), latest)
    }
    return Tally(kept)


def _passport(desk: Desk, facts: AgentFacts | None) -> dict[str, Any]:
    if facts is None:
        return {}
    return {
        "finalist_rate": finish.finalist_rate(desk.law, facts.namings, facts.proposals, desk.draw).as_dict(),
        "accepted_passed": {"accepted": facts.accepted, "passed": facts.passed},
        "passport": {
            "operator": facts.operator,
            "version_lineage": list(facts.versions),
            "base_models": list(facts.models),
            "active_targets": list(facts.active),
            "houses_served": facts.houses,
            "breaches": list(facts.breaches),
            "new_work_suspended": facts.suspended,
        },
    }


def _models(books: Books) -> list[dict[str, Any]]:
    weekly: dict[str, dict[str, Any]] = {}
    groups = books.tally.by(lambda c: ((model, c.week) for model in c.models) if c.week else (), ())
    for (model, week), totals in sorted(groups.items()):
        if totals.n:
            figure = finish.week_points(books.desk.law, totals, books.desk.draw)
            weekly.setdefault(model, {})[week] = figure.as_dict()
    return [
        {"model": name, **found, "week_points": weekly.get(name, {})}
        for name, found in sections.roll(books.desk, books.tally, "base_model")
    ]


def _digest(desk: Desk, tally: Tally) -> dict[str, Any]:
    """What the State of the Toll is made of, beside the crown: the per-band figures stand under `overall`."""
    totals = tally.by(lambda cell: ("all",), ()).get("all")
    rate = None if totals is None else finish.funding_rate(desk.law, totals, desk.draw).as_dict()
    return {"sections": list(desk.law.params("TB-BOARD-006")["sections"]), "free_lane_funding_rate": rate}


def without_switched_off(document: dict[str, Any]) -> dict[str, Any]:
    """The document without the paths of reporting rules that are switched off."""
    for demand in registry().requirements_on(DOCUMENT):
        if is_off(demand.rule) and demand.field and demand.rule not in _ACT_THEMSELVES:
            _leave_out(document, demand.field.split("."))
    return document


def _leave_out(node: Any, path: list[str]) -> None:
    """Remove a path: `*` stands for every member of an object or list, `**` for any depth."""
    head, rest = path[0], path[1:]
    members = list(node.values()) if isinstance(node, dict) else node if isinstance(node, list) else []
    if head == "**":
        _leave_out(node, rest)
        for member in members:
            _leave_out(member, path)
    elif head == "*":
        for member in members:
            _leave_out(member, rest)
    elif isinstance(node, dict) and head in node:
        if rest:
            _leave_out(node[head], rest)
        else:
            del node[head]
