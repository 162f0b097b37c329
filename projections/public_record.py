"""The public record of one attempt: what anyone may see of a target and its deal, gathered from public events alone.

Source: paper, section 4 (the transparency log shows the target, its odds, the accepting system, the deal's terms,
receipts, answers, payment, verification, integrity, satisfaction and the final status; TB-LEDGER-007). The words of the
deal's steps stay private (ruling A-40): of the deal the record has totals, timeline and the number of steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..protocol.envelope import Event
from ..rules.evaluators import computes
from ..rules.law import Law

Fields = dict[str, Any]


def _target(events: Iterable[Event]) -> Any:
    for event in events:
        if event.type == "target.posted":
            data = event.data
            names = ("card", "finish_line", "budget_ceiling_cents", "timeline_seconds", "category", "delivery")
            return {"id": event.stream, **{name: data[name] for name in names}}
    return None


def _odds(events: Iterable[Event]) -> Any:
    return next((dict(event.data) for event in events if event.type == "target.odds.frozen"), None)


def _system(events: Iterable[Event]) -> Any:
    for event in events:
        if event.type == "deal.signed":
            data = event.data
            names = ("agent_name", "system", "system_version", "system_hash", "base_models", "harness_version")
            return {"passport": data["passport"], **{name: data[name] for name in names}}
    return None


def _terms(events: Iterable[Event]) -> Any:
    for event in events:
        if event.type == "deal.signed":
            data = event.data
            return {
                "total_cents": data["total_cents"],
                "timeline_seconds": data["timeline_seconds"],
                "deadline": data["deadline"],
                "step_count": data["steps"],
                "standard": data["standard"],
                "ownership": data["ownership"],
            }
    return None


def _receipts(events: Iterable[Event]) -> Any:
    return [
        {"milestone": event.data["milestone"], "sha256": event.data["sha256"], "at": event.at}
        for event in events
        if event.type == "milestone.receipt.filed"
    ]


_ANSWERS = ("milestone.approved", "milestone.declined", "outcome.approved", "outcome.declined")


def _answers(events: Iterable[Event]) -> Any:
    return [{"what": e.type, "about": e.subject or "outcome", "at": e.at} for e in events if e.type in _ANSWERS]


_MONEY = ("escrow.funded", "escrow.released", "escrow.reversed", "escrow.returned", "payment.settled")


def _payment(events: Iterable[Event]) -> Any:
    sums = dict.fromkeys((name.partition(".")[2] for name in _MONEY), 0)
    for event in events:
        if event.type in _MONEY:
            sums[event.type.partition(".")[2]] += event.data["amount_cents"]
    return {f"{name}_cents": cents for name, cents in sums.items()}


def _verification(events: Iterable[Event]) -> Any:
    found = {"at_posting": "unverified", "now": "unverified"}
    for event in events:
        if event.type == "target.posted":
            found["at_posting"] = event.data["verification"]
        elif event.type == "person.verified" and event.data["verified"]:
            found["now"] = "verified"
    return found


def _integrity(events: Iterable[Event]) -> Any:
    state, open_reviews = None, 0
    for event in events:
        if event.type == "deal.resolved":
            state = "provisional"
        elif event.type == "outcome.integrity_changed":
            state = event.data["to"]
        elif event.type in ("integrity.review.opened", "integrity.review.closed"):
            open_reviews += 1 if event.type.endswith("opened") else -1
    return {"state": state, "under_review": open_reviews > 0}


def _satisfaction(events: Iterable[Event]) -> Any:
    scores = [event.data["score"] for event in events if event.type == "deal.satisfaction.recorded"]
    return scores[-1] if scores else "not recorded"


def _status(events: Iterable[Event]) -> Any:
    for event in events:
        if event.type == "deal.resolved":
            return {"resolution": event.data["resolution"], "o": event.data["o"], "at": event.data["resolved_at"]}
    return "open"


_SOURCES: Mapping[str, Callable[[Iterable[Event]], Any]] = {
    "target": _target,
    "frozen_odds": _odds,
    "agent_system_version": _system,
    "deal_terms": _terms,
    "milestone_receipts": _receipts,
    "approvals_declines": _answers,
    "payment_state": _payment,
    "human_verification_state": _verification,
    "integrity_state": _integrity,
    "satisfaction_score": _satisfaction,
    "final_status": _status,
}


@computes("TB-LEDGER-007", neutral=())
def shown_fields(params: Mapping[str, Any]) -> tuple[str, ...]:
    """TB-LEDGER-007: which fields the public record has, in the order of the rule."""
    return tuple(params["public_fields"])


def public_record(law: Law, events: Iterable[Event]) -> Fields:
    """The public record of an attempt from the events of its target, its deal and its person, in log order."""
    seen = list(events)
    return {field: _SOURCES[field](seen) for field in shown_fields(law)}
