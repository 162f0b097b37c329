"""What milestones must hold to: receipts first, one answer to one request, approvals over a signature.

Source: paper, sections 2.2 (Execution) and 4 (Milestone reviews, Delivery and ownership); rulings A-39, A-44, A-52.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...rules.evaluators import Finding, Judgement, guard, requires
from ..deal import statements
from ..deal.state import Deal
from ..world import Case
from .commands import FileReceipt
from .state import Milestone

requires("TB-MILE-002", event="milestone.declined")


def step_of(case: Case) -> Milestone | None:
    """The milestone that the event is about."""
    return case.state.milestones.get(case.data["milestone"]) if isinstance(case.state, Deal) else None


@guard("TB-MILE-001", on=("deal.proposed", "deal.signed"))
def deal_has_review_moments(case: Case) -> Judgement:
    """TB-MILE-001: every deal has built-in milestone reviews."""
    data, least = case.data, case.params["min_milestones"]
    steps = data["steps"] if case.event.type == "deal.signed" else len(data["step_cents"])
    if steps < least:
        return case.finding("steps", f"the card has {steps} steps, at least {least} is needed", "commit to steps")
    return None


@guard("TB-MILE-003", on="milestone.receipt.filed")
def work_goes_to_the_person(case: Case) -> Judgement:
    """TB-MILE-003: work is delivered to the person's own repository or possession."""
    place, places = case.data["destination"], case.params["destinations"]
    if place not in places:
        return case.finding("destination", f"{place} is not the person's", f"deliver to {' or '.join(places)}")
    return None


@guard("TB-MILE-004", on="milestone.receipt.filed")
def receipt_is_a_content_hash(case: Case) -> Iterator[Finding]:
    """TB-MILE-004 (ruling A-39): a receipt is a SHA-256 of what was delivered, beside it a BLAKE3 where given."""
    for field, name in (("sha256", "required_hash"), ("blake3", "optional_hash")):
        value, algorithm = case.data.get(field), case.params[name]
        if value is not None and not re.fullmatch(rf"{algorithm}:[0-9a-f]{{64}}", value):
            fix = f"write {algorithm}: and 64 lower-case hex digits"
            yield case.finding(field, f"this is no {field} content hash", fix)


@guard("TB-OWN-001", on="milestone.receipt.filed", private=True)
def no_bytes_are_taken(case: Case) -> Judgement:
    """TB-OWN-001: the platform hosts nothing; a receipt carries hashes, never the artifact."""
    request = case.request
    if isinstance(request, FileReceipt) and request.artifact is not None and not case.params["bytes_kept"]:
        return case.finding("artifact", "the platform takes no artifact", "deliver to the person and file its hash")
    return None


@guard("TB-MILE-005", on="milestone.approval.requested")
def receipt_comes_first(case: Case) -> Judgement:
    """TB-MILE-005 (ruling A-52): a milestone is put to the person after a receipt; a revised one after a new one."""
    step, least = step_of(case), case.law.params("TB-MILE-004")["min_receipts"]
    if step is not None and len(step.receipts) < least:
        since = " since it was revised" if step.declines else ""
        return case.finding(
            "milestone", f"the milestone has no receipt{since}", "file the receipt of the delivery with FileReceipt"
        )
    return None


@guard("TB-MILE-007", on="milestone.approved")
def approval_is_signed(case: Case) -> Judgement:
    """TB-MILE-007: the person signs the approval, and with it which receipts it covers and what it releases."""
    deal, step = case.state, step_of(case)
    if step is None or not isinstance(deal, Deal):
        return None
    flaw = statements.flaw(case.world, deal.person, statements.milestone_approval(deal, step), case.data)
    if flaw is not None:
        return case.finding("signature", f"the approval does not bind the person: {flaw}", "sign the approval")
    return None


@guard("TB-MILE-008", on="milestone.revised")
def only_a_declined_step_is_revised(case: Case) -> Judgement:
    """TB-MILE-008 (ruling A-44): after a decline the agent may take the step up again."""
    step = step_of(case)
    if step is not None and step.status != "declined":
        return case.finding("milestone", f"the milestone is {step.status}, not declined", "revise a declined milestone")
    return None


@guard(
    "TB-MILE-009",
    on=(
        "milestone.receipt.filed",
        "milestone.approval.requested",
        "milestone.approved",
        "milestone.declined",
        "outcome.approval.requested",
        "outcome.approved",
        "outcome.declined",
        "ask.answered",
    ),
)
def one_answer_to_one_request(case: Case) -> Judgement:
    """TB-MILE-009: what is put to the person is open once and answered once; an approval is not taken up again."""
    deal = case.state
    if not isinstance(deal, Deal):
        return None
    kind, _, act = case.event.type.rpartition(".")
    if kind == "ask":
        status, field = ("requested" if deal.asks[case.data["ask"]].open else "answered"), "ask"
    elif kind.startswith("outcome"):
        status, field = deal.outcome, "deal"
    else:
        step = step_of(case)
        status, field = ("unknown" if step is None else step.status), "milestone"
    allowed = _ALLOWED[act] if kind != "outcome.approval" else ("open", "declined")
    if status not in allowed:
        return case.finding(field, f"it is {status}: it cannot be {act} now", f"act when it is {' or '.join(allowed)}")
    return None


_ALLOWED = {
    "filed": ("open", "requested", "declined"),
    "requested": ("open",),
    "approved": ("requested",),
    "declined": ("requested",),
    "answered": ("requested",),
}
"""The states of a request in which each act on it is possible."""
