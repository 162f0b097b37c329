"""From the rows of the fold to facts: attempts, agents and closings as the ledger has them at one position.

Here the agent's clock, the cost kept and the attribution to base models are derived, each under the editions that the
attempt pinned and the amendments that reached it by its resolution.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from ..domain.system_record.rules import attributed_models, declared_model
from ..rules.law import Law
from .attempts import BASIS, AgentFacts, AttemptFacts, Change, Closing, LedgerFacts
from .fold import BENCH
from .fold import apply as apply
from .historic import attempt_of
from .quantities import agent_seconds, cost_kept, counted_as, on_time, pauses
from .rows import Row

Kind = Mapping[str, Row]


@dataclass(slots=True)
class _Ledger:
    """The rows by kind, and what many facts need."""

    law: Law
    targets: Kind
    deals: Kind
    passports: Kind
    people: Kind
    systems: Kind
    aliases: Mapping[str, str] = field(default_factory=dict)


def ledger(rows: Iterable[tuple[str, Row]], law: Law) -> LedgerFacts:
    """The facts that the rows hold, at the position they were folded to."""
    kinds: dict[str, dict[str, Row]] = defaultdict(dict)
    for key, row in rows:
        kinds[key.partition("-")[0]][key] = row
    rulebook = kinds["rulebook"].get("rulebook", {"aliases": {}, "anchors": []})
    book = _Ledger(
        law,
        kinds["target"],
        {key: row for key, row in kinds["deal"].items() if "signed_at" in row},
        {key: row for key, row in kinds["passport"].items() if "name" in row},
        kinds["person"],
        kinds["system"],
        {**law.params("TB-MODEL-003")["aliases"], **rulebook["aliases"]},
    )
    native = [_attempt(book, key, book.deals[key]) for key in sorted(book.deals)]
    imported, unreadable = _imported(kinds["import"], law)
    closings = (Closing(*each) for row in kinds["period"].values() for each in row["closings"])
    return LedgerFacts(
        position=kinds[BENCH].get(BENCH, {"position": 0})["position"],
        attempts=(*native, *imported),
        unreadable=unreadable,
        closings=tuple(sorted(closings)),
        agents=tuple(_agents(book)),
        resales=sum(1 for row in book.deals.values() if row.get("resale")),
        priority_fee_cents=sum(sum(row["fees_cents"]) for row in book.targets.values()),
        anchor_changes=tuple(rulebook["anchors"]),
    )


def _attempt(book: _Ledger, key: str, row: Row) -> AttemptFacts:
    law = book.law.pinned({**book.law.pins, **row["pins"]}).read_at(row.get("resolved_at"))
    counted = counted_as(law, row["target"], book.targets[row["target"]]["campaign"])
    target, person = book.targets[counted], book.people.get(row["person"], {"verified": False})
    resolved = row.get("resolved_at")
    history = tuple(_history(law, row))
    return AttemptFacts(
        deal=key,
        target=counted,
        agent=row["passport"],
        agent_name=row["agent_name"],
        system_version=row["system_version"],
        models=attributed_models(law, row["base_models"], book.aliases),
        declared_models=tuple(declared_model(model["name"], model["version"]) for model in row["base_models"]),
        p_bp=int(Decimal(target["p"]) * BASIS),
        o=row.get("o"),
        end=row.get("end"),
        k=len(row["approved"]),
        m=row["steps"],
        t_seconds=0 if resolved is None else _clock(law, row),
        elapsed_seconds=0 if resolved is None else (resolved - row["signed_at"]) // 1_000_000,
        c_cents=_cost(law, row, None),
        b_cents=row["total_cents"],
        d_seconds=row["timeline_seconds"],
        ceiling_cents=target["budget_ceiling_cents"],
        subsidy=row["subsidy"],
        integrity=history[-1].integrity if history else "provisional",
        under_review=bool(row["reviews"]),
        verification_at_posting=target["verification"],
        verified_now="verified" if person["verified"] else "unverified",
        standard=row["standard"],
        tier=target["budget_tier"],
        category=target["category"],
        delivery=target["delivery"],
        poster=row["person"],
        reference_class=target["class"],
        signed_at=row["signed_at"],
        resolved_at=resolved,
        deadline=row["deadline"],
        on_time=on_time(law, row.get("o"), row.get("landed_at"), row["deadline"]),
        handoffs=len(row["asks"]),
        changed_system=row["changed"],
        settled=row["settled"],
        receipted=row["receipted"],
        satisfaction=row.get("satisfaction"),
        funded=row["total_cents"] == 0 and row["earned"],
        profile=row["profile"],
        editions=tuple(sorted(row["pins"].items())),
        evidence=(*target["events"], *row["events"]),
        history=history,
    )


def _clock(law: Law, row: Row) -> int:
    """Agent-court time of a resolved attempt in seconds; a request that is still open pauses to the end."""
    end = row["resolved_at"]
    asks = [(opened, end if answered is None else answered) for opened, answered in row["asks"]]
    return agent_seconds(law, row["signed_at"], end, pauses(law, asks))


def _cost(law: Law, row: Row, upto: int | None) -> int:
    """Cost to the person in cents, with everything that stands up to a leaf index (None: all)."""
    moved = [each for each in row["money"] if upto is None or each[0] <= upto]
    return cost_kept(law, sum(released for _, released, _ in moved), sum(back for _, _, back in moved))


def _history(law: Law, row: Row) -> Iterator[Change]:
    """The states of a resolved attempt from its resolution on: every change of integrity or of the cost kept."""
    if not row["integrity"]:
        return
    start = row["integrity"][0][0]
    steps = [(leaf, state, cause) for leaf, state, cause in row["integrity"]]
    steps += [(leaf, None, "escrow.reversed" if back else "escrow.released") for leaf, _, back in row["money"]]
    integrity = "provisional"
    for leaf, state, cause in sorted(steps, key=lambda step: step[0]):
        if leaf < start:
            continue
        integrity = state or integrity
        yield Change(leaf, integrity, _cost(law, row, leaf), cause)


def _imported(rows: Kind, law: Law) -> tuple[list[AttemptFacts], int]:
    """The imported attempts and the number of rows that could not be read. The first row of a deal id counts."""
    found: dict[str, AttemptFacts] = {}
    unreadable = 0
    for row in sorted((row for row in rows.values() if "columns" in row), key=lambda row: int(row["leaf"])):
        attempt = attempt_of(row["columns"], law, row["leaf"])
        if attempt is None:
            unreadable += 1
        else:
            found.setdefault(attempt.deal, attempt)
    return list(found.values()), unreadable


def _agents(book: _Ledger) -> Iterator[AgentFacts]:
    closed = sorted(target["closed"] for target in book.targets.values() if _closed(target))
    bids: dict[str, set[str]] = defaultdict(set)
    named: dict[str, set[str]] = defaultdict(set)
    for key, target in book.targets.items():
        for proposal, agent in target["proposals"].items():
            if _closed(target):  # one proposal an agent and target, however often it was superseded
                bids[agent].add(key)
                if proposal in target["named"]:
                    named[agent].add(key)
    for key in sorted(book.passports):
        passport = book.passports[key]
        deals = [row for row in book.deals.values() if row["passport"] == key]
        records = sorted((s for s in book.systems.values() if s.get("passport") == key), key=lambda s: s["leaf"])
        seen = len(closed) - bisect_right(closed, passport["since"])
        yield AgentFacts(
            agent=key,
            name=passport["name"],
            operator=passport["operator"],
            versions=tuple(dict.fromkeys(record["system_version"] for record in records)),
            models=tuple(dict.fromkeys(model for record in records for model in _declared(record))),
            proposals=len(bids[key]),
            namings=len(named[key]),
            accepted=len(deals),
            passed=max(0, seen - len(bids[key])),
            active=tuple(sorted(row["target"] for row in deals if "resolved_at" not in row)),
            houses=len({row["person"] for row in deals if "resolved_at" in row}),
            breaches=tuple(passport["breaches"]),
            suspended=passport["suspended"],
        )


def _closed(target: Row) -> bool:
    """Whether the choice on a posted target is closed."""
    return "closed" in target and "posted" in target


def _declared(record: Row) -> Iterator[str]:
    models: list[dict[str, Any]] = record["base_models"]
    return (declared_model(model["name"], model["version"]) for model in models)
