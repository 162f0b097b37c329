"""What requests, answers and ends of an attempt must hold to.

Source: paper, sections 2.2 (Evaluation signal, Resolved and delivered) and 4; rulings A-06 to A-09, A-44, A-52, A-60.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.evaluators import Finding, Judgement, guard, requires
from ..world import Case
from . import statements
from .resolution import in_time
from .state import Deal

requires("TB-BAND-007", event="deal.interim_outcome.recorded")
requires("TB-CLOCK-002", event="deal.resolved", field="resolved_at")
requires("TB-OUT-014", event="passport.breach.recorded")


@guard("TB-CLOCK-010", on="ask.opened")
def only_the_person_can_answer(case: Case) -> Judgement:
    """TB-CLOCK-010 (rulings A-18, A-19): the clock pauses for the person alone; other waiting is the agent's court."""
    who = case.data["answerable_by"]
    if who not in case.params["answerable_by"]:
        return case.finding("answerable_by", f"{who} can answer this", "ask only what nobody else can answer")
    return None


@guard("TB-OUT-003", on=("outcome.approval.requested", "outcome.approved"))
def free_delivery_has_receipts(case: Case) -> Judgement:
    """TB-OUT-003 (ruling A-52): under the free standard no finish line without a receipt on the ledger."""
    deal = case.state
    if not isinstance(deal, Deal) or deal.standard != "free" or "receipts_present" not in case.params["conditions"]:
        return None
    if not any(step.filed for step in deal.milestones.values()):
        return case.finding(
            "deal", "no receipt is on the ledger", "file the receipt of a milestone first, with FileReceipt"
        )
    return None


@guard("TB-OUT-008", on="deal.resolved")
def expiry_follows_the_deadline(case: Case) -> Judgement:
    """TB-OUT-008: a miss by expiry is recorded when the timeline has run out, at its deadline."""
    deal, data = case.state, case.data
    if data["resolution"] != "expired" or not isinstance(deal, Deal) or deal.deadline is None:
        return None
    if in_time(case.law, case.at, deal.deadline):
        return case.finding("deal", f"the deadline {deal.deadline} has not passed", "wait until it has")
    return None


@guard("TB-OUT-012", on="outcome.appealed")
def no_appeal(case: Case) -> Judgement:
    """TB-OUT-012: the person's decision is final."""
    return case.finding("deal", "an agent cannot contest the person's decision", "accept the decision as it stands")


@guard("TB-OUT-015", on="deal.resolved")
def lapse_waits_its_time(case: Case) -> Judgement:
    """TB-OUT-015 (ruling A-06): a target lapses when what only the person can answer was open for the whole term."""
    deal = case.state
    if case.data["resolution"] != "lapsed" or not isinstance(deal, Deal):
        return None
    first = min(deal.requests.values(), default=None)
    if first is None or case.at < first:
        detail = "nothing waits for the person" if first is None else f"the first open request lapses at {first}"
        return case.finding("deal", detail, "wait until the request has been open long enough")
    return None


@guard("TB-OUT-018", on="deal.resolved")
def stop_names_safety_or_law(case: Case) -> Iterator[Finding]:
    """TB-OUT-018 (ruling A-08): a steward stops an attempt on a published safety rule or a law, never on quality."""
    data = case.data
    if data["resolution"] != "stopped":
        return
    if case.actor.role != case.params["actor"]:
        yield case.finding("by", f"a {case.actor.role} cannot stop an attempt", "let a steward decide")
    if data["ground"] not in case.params["grounds"]:
        grounds = ", ".join(case.params["grounds"])
        yield case.finding("ground", f"{data['ground']} is no ground to stop an attempt", f"name one of {grounds}")


@guard("TB-OUT-020", on="outcome.approved")
def finish_line_is_signed(case: Case) -> Judgement:
    """TB-OUT-020 (ruling A-60): the finish line is approved over the person's own signature."""
    deal = case.state
    if not isinstance(deal, Deal):
        return None
    flaw = statements.flaw(case.world, deal.person, statements.outcome_approval(deal), case.data)
    if flaw is not None:
        return case.finding("signature", f"the approval does not bind the person: {flaw}", "sign the finish line")
    return None


@guard("TB-EVID-005", on="deal.satisfaction.recorded")
def satisfaction_is_the_persons_own(case: Case) -> Iterator[Finding]:
    """TB-EVID-005 (ruling A-43): the person on the target rates it once, on the scale."""
    deal, score = case.state, case.data["score"]
    low, high = case.params["scale_min"], case.params["scale_max"]
    if not low <= score <= high:
        yield case.finding("score", f"{score} is not on the scale from {low} to {high}", "rate on the scale")
    if isinstance(deal, Deal) and case.actor.id != deal.person:
        yield case.finding("by", "only the person on the target rates it", "leave the rating to the person")
    if isinstance(deal, Deal) and deal.satisfaction is not None:
        yield case.finding("score", f"the person has rated it already: {deal.satisfaction}", "keep the rating given")
