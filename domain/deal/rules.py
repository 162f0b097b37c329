"""What the card of a deal must hold to, and when a deal may be acted on.

Source: paper, section 4 (The deal); rulings A-23, A-40, A-58, A-60, A-62 and A-71.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.evaluators import Finding, Judgement, guard, requires
from ..target.state import CLOSED, Target
from ..world import Case
from . import statements
from .commands import ProposeDeal
from .pulse import after
from .resolution import first_due, is_terminal, passed
from .state import OF_CARD, OF_TARGET, Deal

WHILE_ACTIVE = (
    "escrow.funded",
    "escrow.released",
    "milestone.receipt.filed",
    "milestone.approval.requested",
    "milestone.approved",
    "milestone.declined",
    "milestone.revised",
    "ask.opened",
    "ask.answered",
    "outcome.approval.requested",
    "outcome.approved",
    "outcome.declined",
    "deal.resolved",
    "deal.interim_outcome.recorded",
    "agent.checkin.posted",
    "system_record.changed",
)
"""What happens on a running attempt only."""
ONCE_SIGNED = (
    "escrow.reversed",
    "payment.settled",
    "deal.subsidy.declared",
    "deal.engine_revenue.recorded",
    "deal.satisfaction.recorded",
)
"""What may also happen after the end: money moves on, and records are completed."""
BY_CLOCK = ("expired", "lapsed")


@guard("TB-CMD-007", on=(*WHILE_ACTIVE, *ONCE_SIGNED))
def deal_is_active(case: Case) -> Judgement:
    """TB-CMD-007: a deal is acted on while it is signed and unresolved; what the clock has ended is over."""
    deal = case.state
    if not isinstance(deal, Deal):
        return None
    if deal.signed_at is None:
        return case.finding("deal", f"the deal is {deal.status}, not signed", "act on a signed deal")
    if case.event.type in ONCE_SIGNED:
        return None
    if is_terminal(case.law, deal.resolution):
        return case.finding(
            "deal",
            f"the attempt was {deal.resolution} at {deal.resolved_at}; a terminal state is terminal",
            "act on a running attempt",
        )
    if case.event.type == "outcome.approved" or case.data.get("resolution") in BY_CLOCK:
        return None
    owed = None if deal.resolution else first_due(case.law, passed(case.law, deal, case.at), case.at)
    if owed is not None:
        return case.finding(
            "deal", f"the attempt ended by {owed[0]} at {owed[1]}", "let the system sweep the deal; it is over"
        )
    return None


@guard("TB-DEAL-001", on="deal.proposed", private=True)
def allocation_sums_to_the_total(case: Case) -> Judgement:
    """TB-DEAL-001: the ask is split over the listed heads, to the cent."""
    ask = case.request
    if not isinstance(ask, ProposeDeal):
        return None
    heads, found = case.params["allocation_heads"], []
    for head, cents in ask.allocation.items():
        if head not in heads:
            found.append(case.finding(f"allocation.{head}", f"{head} is no head of the ask", f"use {', '.join(heads)}"))
        elif cents < 0:
            found.append(case.finding(f"allocation.{head}", f"{cents} cents is below zero", "give zero or more"))
    spent = sum(ask.allocation.values())
    if case.params["heads_sum_to_total"] and spent != ask.total_cents:
        detail = f"the heads sum to {spent} cents, the total is {ask.total_cents}"
        found.append(case.finding("allocation", detail, "split exactly the total"))
    return found


@guard("TB-DEAL-002", on=("deal.signed", "deal.declined"))
def the_person_decides_once(case: Case) -> Judgement:
    """TB-DEAL-002: the person agrees to a proposed deal or declines it, once."""
    status = case.state.status if isinstance(case.state, Deal) else "unknown"
    if status != "proposed":
        return case.finding("deal", f"the deal is {status} already", "decide on a deal that is proposed")
    return None


@guard("TB-DEAL-003", on="deal.proposed", private=True)
def nothing_recurs(case: Case) -> Iterator[Finding]:
    """TB-DEAL-003: one total, one time frame, one end; a schedule stays inside them and no term repeats."""
    ask, data = case.request, case.data
    if not isinstance(ask, ProposeDeal):
        return
    missing = {"total": data["total_cents"] < 0, "timeline": data["timeline_seconds"] <= 0}
    for term in case.params["required_terms"]:
        if missing.get(term):
            yield case.finding(term, f"the deal names no {term}", f"give the {term} of the one attempt")
    for place, entry in enumerate(ask.schedule):
        where = f"schedule.{place}"
        if entry.repeats is not None and not case.params["recurring_allowed"]:
            yield case.finding(f"{where}.repeats", "a charge repeats", "lay the spending out in single entries")
        if entry.amount_cents < 0:
            yield case.finding(f"{where}.amount_cents", "the amount is below zero", "give zero or more")
        if entry.after_seconds > data["timeline_seconds"]:
            yield case.finding(f"{where}.after_seconds", "the entry lies after the end", "end inside the timeline")
    laid_out = sum(entry.amount_cents for entry in ask.schedule)
    if laid_out > max(0, data["total_cents"]):
        yield case.finding("schedule", f"the schedule lays out {laid_out} cents", "stay inside the total")


@guard("TB-DEAL-004", on=("deal.proposed", "deal.signed"))
def ask_is_within_the_ceiling(case: Case) -> Judgement:
    """TB-DEAL-004 (ruling A-23): the total does not exceed the ceiling frozen on the card."""
    target, total = case.world.state(case.data["target"]), case.data["total_cents"]
    if isinstance(target, Target) and total > target.ceiling_cents:
        return case.finding(
            "total_cents",
            f"{total} cents is above the frozen ceiling of {target.ceiling_cents}",
            "ask for the ceiling or less; to raise it the person posts a new want",
        )
    return None


@guard("TB-DEAL-005", on=("deal.proposed", "deal.signed"))
def card_is_signed(case: Case) -> Judgement:
    """TB-DEAL-005: the card carries the agent's signature when it is proposed, the person's when it is agreed."""
    holder, terms = case.data["passport"], case.data
    if case.event.type == "deal.signed":
        holder = case.data["person"]
        terms = case.state.terms if isinstance(case.state, Deal) else case.data
    statement = statements.deal_card(case.event.stream, terms)
    flaw = statements.flaw(case.world, holder, statement, case.data)
    if flaw is not None:
        return case.finding("signature", f"the deal card does not bind its signer: {flaw}", "sign the deal card")
    return None


@guard("TB-PRIV-009", on="deal.proposed")
def salt_is_fresh(case: Case) -> Judgement:
    """TB-PRIV-009: a commitment appears once; equal ones would tell that two private cards are the same."""
    if case.world.related(OF_CARD, case.data["card_commitment"]):
        return case.finding(
            "salt",
            "this very card was committed to before, under the same salt",
            "bring 32 fresh random bytes, or none",
        )
    return None


@guard("TB-DEAL-006", on="deal.amended")
def card_is_frozen(case: Case) -> Judgement:
    """TB-DEAL-006: the numbers that delivery is scored against are never rewritten."""
    frozen = ", ".join(case.params["frozen_terms"])
    return case.finding(
        "deal",
        f"a deal card is never rewritten; frozen are {frozen}",
        "decline the deal before it is signed, or end it",
    )


requires("TB-DEAL-008", event="deal.signed", field="card_version")


@guard("TB-DEAL-009", on=("deal.proposed", "deal.signed"))
def deadline_is_inside_the_timeline(case: Case) -> Judgement:
    """TB-DEAL-009 (ruling A-58): the timeline is at most the card's, and the deadline is signing plus timeline."""
    target, seconds = case.world.state(case.data["target"]), case.data["timeline_seconds"]
    if isinstance(target, Target) and seconds > target.timeline_seconds:
        return case.finding(
            "timeline_seconds",
            f"{seconds} seconds is longer than the card's timeline of {target.timeline_seconds}",
            "promise delivery within the card's timeline",
        )
    due = after(case.at, seconds)
    if case.event.type == "deal.signed" and case.data["deadline"] != due:
        return case.finding("timeline_seconds", f"the deadline is not {due}", "let signing fix the deadline")
    return None


@guard("TB-DEAL-010", on="deal.proposed")
def step_amounts_are_within_the_total(case: Case) -> Iterator[Finding]:
    """TB-DEAL-010 (ruling A-71): each step and the finish line has an amount from 0 up, together at most the total."""
    data = case.data
    amounts = [("outcome_cents", data["outcome_cents"])]
    amounts += [(f"steps.{place}.amount_cents", cents) for place, cents in enumerate(data["step_cents"])]
    for field, cents in amounts:
        if cents < 0:
            yield case.finding(field, f"{cents} cents is below zero", "give zero or more")
    spent = sum(cents for _, cents in amounts)
    if spent > data["total_cents"]:
        detail = f"the amounts sum to {spent} cents, the total is {data['total_cents']}"
        yield case.finding("steps", detail, "keep the sum of the amounts within the total")


@guard("TB-DEAL-011", on=("deal.proposed", "deal.signed"))
def proposal_is_the_chosen_one(case: Case) -> Iterator[Finding]:
    """TB-DEAL-011: a deal comes of the proposal that the person chose, on a want that still stands, one at a time."""
    target = case.world.state(case.data["target"])
    if not isinstance(target, Target):
        return
    if target.status in CLOSED:
        yield case.finding("target", f"the want is {target.status}", "propose deals on wants that stand")
    if target.chosen != case.data["proposal"]:
        yield case.finding("proposal", "the person has not chosen this proposal", "wait for the pick")
    for id in case.world.related(OF_TARGET, target.id):
        other = case.world.state(id)
        if id != case.event.stream and isinstance(other, Deal) and other.status != "declined":
            yield case.finding("target", f"the want has a deal already: {id}", "have that deal declined first")
