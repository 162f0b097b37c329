"""Quantities of one deal that the domain itself decides by: its standard, whose what is, its evidence.

Each is the evaluator of its rule; the board's figures are computed from the same facts in the projections.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_FLOOR, Decimal
from typing import Any

from ...rules.evaluators import computes
from ...rules.law import Law
from ..milestone.state import Milestone
from .state import Deal


@computes("TB-OUT-001", neutral="free")
def standard(params: Mapping[str, Any], total_cents: int) -> str:
    """TB-OUT-001 (ruling A-70): a deal with money is verified under the paid standard, any other under the free one."""
    paid, free = params["standards"]
    return str(paid if total_cents > params["paid_above_cents"] else free)


@computes("TB-OWN-003", neutral={})
def ownership_at_zero(params: Mapping[str, Any]) -> dict[str, str]:
    """TB-OWN-003: at $0 the engine is the agent's and the results are the person's."""
    return {"engine": params["engine_owner"], "results": params["results_owner"]}


@computes("TB-OWN-004", neutral={})
def ownership_when_paid(params: Mapping[str, Any]) -> dict[str, str]:
    """TB-OWN-004: what the money bought belongs to the person."""
    return {"purchases": params["purchased_owner"]}


def ownership(law: Law, total_cents: int) -> dict[str, str]:
    """Whose is what, by the signed total."""
    return ownership_when_paid(law) if total_cents > 0 else ownership_at_zero(law)


def _looks_delivered(step: Milestone) -> bool:
    return step.status == "approved" or step.filed > 0


@computes("TB-MILE-006", neutral=_looks_delivered)
def closed_by_approval(params: object, step: Milestone) -> bool:
    """TB-MILE-006: a step is closed by the person's approval; a receipt only shows which version was delivered."""
    return step.status == "approved"


def approved(law: Law, deal: Deal, release: str) -> bool:
    """Whether the person approved what this release is for: a milestone, or the finish line."""
    step = milestone_of(deal, release)
    return deal.outcome == "approved" if step is None else closed_by_approval(law, step)


def milestone_of(deal: Deal, release: str) -> Milestone | None:
    """The milestone that a release names; None for the finish line or a milestone that the card does not have."""
    return next((step for step in deal.milestones.values() if step.subject == release), None)


def signed_amount(deal: Deal, release: str) -> int | None:
    """The amount that the signed card gives this release; None where the card has no such step."""
    step = milestone_of(deal, release)
    if step is not None:
        return step.amount_cents
    return deal.outcome_cents if release == "outcome" else None


@computes("TB-EVID-001", neutral=())
def evidence(params: Mapping[str, Any], deal: Deal) -> tuple[str, ...]:
    """TB-EVID-001: the tiers of evidence that are on record, strongest first."""
    with_receipt = any(step.status == "approved" and step.filed for step in deal.milestones.values())
    recorded = (deal.money.payment_settled, with_receipt, deal.satisfaction is not None)
    return tuple(tier for tier, there in zip(params["tiers"], recorded, strict=True) if there)


@computes("TB-EVID-004", neutral=lambda approved, score: approved or score is not None)
def finish_line_reached(params: object, approved: bool, score: int | None) -> bool:
    """TB-EVID-004: only the approval of the finish line makes a success; a rating, however high, never does."""
    return approved


def gift_cents(share: Decimal, fee_cents: int) -> int:
    """The part of a posting-priority fee that passes to the chosen agent: whole cents, rounded down (TB-BID-013)."""
    return int((fee_cents * share).to_integral_value(ROUND_FLOOR))
