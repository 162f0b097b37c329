"""What integrity reviews must hold to, and what they do to an attempt.

Source: paper, sections 2.2 (Verification and integrity states) and 4 (Related-party and self-payment controls).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...rules.evaluators import Judgement, computes, guard
from ..world import Case
from .state import RELATED, Deal, sides


@guard("TB-OUT-013", on="integrity.review.opened")
def reviews_concern_integrity_only(case: Case) -> Judgement:
    """TB-OUT-013: the platform reviews integrity on a listed ground; it never judges the work in the person's place."""
    ground, grounds = case.data["ground"], case.params["grounds"]
    if ground not in grounds:
        return case.finding("ground", f"{ground} is no integrity ground", f"name one of {', '.join(grounds)}")
    return None


@guard("TB-INTEG-005", on=("integrity.review.closed", "outcome.integrity_changed"))
def invalidation_has_a_ground(case: Case) -> Judgement:
    """TB-INTEG-005: only a listed integrity finding invalidates; quality and taste are no ground."""
    ground, grounds = case.data["ground"], case.params["grounds"]
    invalidates = case.data.get("finding") == "confirmed" or case.data.get("to") == "invalidated"
    if invalidates and ground not in grounds:
        return case.finding("ground", f"{ground} is no ground of invalidation", f"name one of {', '.join(grounds)}")
    return None


@guard("TB-INTEG-010", on="integrity.screening.recorded")
def indicators_are_listed(case: Case) -> Judgement:
    """TB-INTEG-010: screening names the overlaps it saw by the listed indicators."""
    listed = case.params["indicators"]
    return [
        case.finding("indicators", f"{each} is no screening indicator", f"name one of {', '.join(listed)}")
        for each in case.data["indicators"]
        if each not in listed
    ]


@guard("TB-INTEG-009", on="deal.signed")
def no_shared_beneficial_party(case: Case) -> Judgement:
    """TB-INTEG-009: nobody stands on both sides of a paid attempt: not as poster and operator at once, and not where
    a steward found that one party is behind both."""
    deal = case.state
    if not isinstance(deal, Deal) or not case.data["total_cents"]:
        return None
    if deal.person == deal.operator or case.world.related(RELATED, sides(deal)):
        return case.finding(
            "deal",
            "one beneficial party stands on both sides of this paid deal",
            "let an agent of another operator take it, or make it a deal without payment",
        )
    return None


@computes("TB-INTEG-011", neutral=False)
def suspicion_holds(params: Mapping[str, Any], deal: Deal) -> bool:
    """TB-INTEG-011 (ruling A-67): an attempt under review stays, or turns, provisional while the finding is open."""
    return bool(deal.reviews) and params["while_open"] == "provisional"


@computes("TB-INTEG-012", neutral=None)
def confirmed_ground(params: Mapping[str, Any], deal: Deal) -> str | None:
    """TB-INTEG-012: the confirmed finding that takes the attempt out of official scoring, if there is one.

    A paid attempt with one beneficial party on both sides is one by itself (TB-INTEG-009).
    """
    if deal.confirmed is None and deal.related and deal.total_cents:
        return "prohibited_related_party"
    return deal.confirmed
