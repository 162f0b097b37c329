"""The target card: what it says, what it leaves out, and the hash that freezes it (paper, 2.1 and 2.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from ...protocol.canonical import dumps
from ...rules.evaluators import computes
from ...rules.law import Law
from ..names import stated
from .commands import RefineTarget
from .state import Target

FACTORS = ("time_and_energy", "money_and_resources", "proven_paths")
"""The baseline's fields, in the order in which commands and cards have them."""
FROZEN = (
    "card",
    "card_version",
    "finish_line",
    "budget_ceiling_cents",
    "budget_tier",
    "timeline_seconds",
    "approval_cadence_seconds",
    "verification",
    "category",
    "delivery",
    "region",
    "ownership",
    "p",
)
"""What the card hash covers: everything in `target.posted` that a bidder relies on."""


@computes("TB-TARGET-007", neutral="unclassified")
def _tier(params: Mapping[str, Any], cents: int) -> str:
    bounds: Mapping[str, int] = params["tier_max_cents"]
    tiers: tuple[str, ...] = params["tiers"]
    return next(tier for tier in tiers if tier not in bounds or cents <= bounds[tier])


def tier(law: Law, cents: int | None) -> str | None:
    """TB-TARGET-007: the budget tier of an amount; None where no budget is named."""
    return None if cents is None else _tier(law, cents)


def card_hash(data: Mapping[str, Any]) -> str:
    """The hash of a posted card, `sha256:…` over the canonical bytes of its frozen fields."""
    return "sha256:" + sha256(dumps({field: data[field] for field in FROZEN})).hexdigest()


def first_body(target: Target) -> dict[str, Any]:
    """What a card starts from: the figures of the intake, and no words yet."""
    return {
        "want": None,
        "baseline": dict.fromkeys(FACTORS),
        "finish_line": {"form": None, "statement": None},
        "budget_ceiling_cents": target.ceiling_cents,
        "timeline_seconds": target.timeline_seconds,
        "approval_cadence_seconds": None,
        "category": target.category,
        "delivery": target.delivery,
        "region": target.region,
        "ownership": None,
    }


def posted_body(target: Target) -> dict[str, Any]:
    """The card of a posted target as the body that the next want starts from."""
    card: Mapping[str, Any] = target.card or {"want": None, "baseline": dict.fromkeys(FACTORS)}
    return {
        **first_body(target),
        "want": card["want"],
        "baseline": dict(card["baseline"]),
        "finish_line": dict(target.finish_line) if target.finish_line else {"form": None, "statement": None},
        "approval_cadence_seconds": target.approval_cadence_seconds,
        "ownership": target.ownership,
    }


def refined_body(before: Mapping[str, Any], cmd: RefineTarget) -> dict[str, Any]:
    """The body of the next card version: what the command states, and else what stood before."""
    given = {name: value for name, value in cmd.model_dump(exclude={"target"}).items() if value is not None}
    baseline = {factor: given.pop(factor, before["baseline"][factor]) for factor in FACTORS}
    finish_line = {
        "form": given.pop("finish_line_form", before["finish_line"]["form"]),
        "statement": given.pop("finish_line", before["finish_line"]["statement"]),
    }
    return {**before, **given, "baseline": baseline, "finish_line": finish_line}


def body_fields(body: Mapping[str, Any]) -> list[str]:
    """The names of the card fields that a body states (the names that TB-TARGET-008 lists)."""
    finish_line = body["finish_line"] or {}
    holds = {
        "want": stated(body["want"]),
        "baseline": all(stated(text) for text in body["baseline"].values()),
        "budget_tier": body["budget_ceiling_cents"] is not None,
        "timeline": bool(body["timeline_seconds"]),
        "finish_line": bool(finish_line.get("form")) and stated(finish_line.get("statement")),
        "approval_cadence": bool(body["approval_cadence_seconds"]),
    }
    return [field for field, there in holds.items() if there]


_VIEWS: Mapping[str, Callable[[Target], Any]] = {
    "want": lambda target: (target.card or {}).get("want"),
    "baseline": lambda target: (target.card or {}).get("baseline"),
    "budget_ceiling": lambda target: target.ceiling_cents,
    "timeline": lambda target: target.timeline_seconds,
    "finish_line": lambda target: target.finish_line,
    "approval_cadence": lambda target: target.approval_cadence_seconds,
}


@computes("TB-TARGET-014", neutral={})
def agent_view(params: Mapping[str, Any], target: Target) -> Mapping[str, Any]:
    """TB-TARGET-014: what an agent is given of a posted target; money in cents, durations in seconds, no identity."""
    return {field: _VIEWS[field](target) for field in params["agent_view_fields"]}
