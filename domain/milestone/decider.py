"""What commands about a milestone cause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..commands import handles
from ..deal import resolution, statements
from ..deal.checkin import set_due
from ..deal.private import committed
from ..deal.state import Deal
from ..world import Proposed, World
from .commands import ApproveMilestone, DeclineMilestone, FileReceipt, RequestApproval, ReviseMilestone
from .state import Milestone


def _step(world: World, deal: Deal, number: int, field: str = "milestone") -> Milestone | None:
    step = deal.milestones.get(number)
    if step is None:
        fix = f"name a milestone from 1 to {len(deal.milestones)}"
        world.lacks(field, f"{deal.id} has no milestone {number}", fix)
    return step


@handles(FileReceipt)
def file_receipt(cmd: FileReceipt, world: World) -> Iterator[Proposed]:
    """Enter the content hash of what went to the person."""
    deal = Deal.of(world, cmd.deal)
    step = _step(world, deal, cmd.milestone)
    if step is None:
        return
    data: dict[str, Any] = {"milestone": step.number, "sha256": cmd.sha256, "destination": cmd.destination}
    if cmd.blake3 is not None:
        data["blake3"] = cmd.blake3
    yield Proposed(deal.id, "milestone.receipt.filed", data, subject=step.subject)


@handles(RequestApproval)
def request_approval(cmd: RequestApproval, world: World) -> Iterator[Proposed]:
    """Put the milestone to the person, which pauses the agent's clock."""
    deal = Deal.of(world, cmd.deal)
    step = _step(world, deal, cmd.milestone)
    if step is None:
        return
    lapse = {"lapses_at": resolution.lapses_at(world, deal)}
    data = {"milestone": step.number, **lapse}
    yield Proposed(deal.id, "milestone.approval.requested", data, subject=step.subject)
    if cmd.with_outcome:
        yield Proposed(deal.id, "outcome.approval.requested", lapse)


def approve_step(world: World, deal_id: str, number: int, signature: str | None) -> Iterator[Proposed]:
    """The signed approval, and in the same transaction exactly the money it releases."""
    deal = Deal.of(world, deal_id)
    step = _step(world, deal, number)
    if step is None:
        return
    data = {
        "milestone": step.number,
        "receipts": list(step.receipts),
        "amount_cents": step.amount_cents,
        **statements.signed(world, deal.person, statements.milestone_approval(deal, step), signature),
    }
    yield Proposed(deal.id, "milestone.approved", data, subject=step.subject)
    if step.amount_cents:
        released = {"amount_cents": step.amount_cents, "cause": step.subject}
        yield Proposed(deal.id, "escrow.released", released, subject=step.subject)


@handles(ApproveMilestone)
def approve_milestone(cmd: ApproveMilestone, world: World) -> Iterator[Proposed]:
    """Approve the step; the agent has the turn again."""
    yield from approve_step(world, cmd.deal, cmd.milestone, cmd.signature)
    yield from set_due(world, cmd.deal)


@handles(DeclineMilestone)
def decline_milestone(cmd: DeclineMilestone, world: World) -> Iterator[Proposed]:
    """Decline the step; the agent may revise it unless the person ends the target in the same act."""
    deal = Deal.of(world, cmd.deal)
    step = _step(world, deal, cmd.milestone)
    if step is None:
        return
    data = {"milestone": step.number, **committed(world, deal, "reason", cmd.reason)}
    yield Proposed(deal.id, "milestone.declined", data, subject=step.subject)
    if cmd.end:
        yield from resolution.resolve(world, deal.id, "declined", world.at)
    else:
        yield from set_due(world, deal.id)


@handles(ReviseMilestone)
def revise_milestone(cmd: ReviseMilestone, world: World) -> Iterator[Proposed]:
    """Take the declined step up again."""
    deal = Deal.of(world, cmd.deal)
    step = _step(world, deal, cmd.milestone)
    if step is not None:
        data = {"milestone": step.number, **committed(world, deal, "note", cmd.note)}
        yield Proposed(deal.id, "milestone.revised", data, subject=step.subject)
