"""What stewards do about a silent agent: suspend new work, restore it, close the review.

Source: the pulse amendment and ruling A-37. A suspension holds back new deals only; deals that run go on, and what an
approved outcome has earned stays earned.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from ...rules.evaluators import Judgement, guard
from ..commands import Cents, Command, PassportId, Private, ReviewId, handles
from ..deal.checkin import set_due
from ..deal.state import Deal
from ..world import Case, Proposed, World
from .liveness import Finding
from .state import Passport


class SuspendNewWork(Command):
    """Hold back new deals of this agent while one of its liveness reviews is open (sent by a steward)."""

    passport: PassportId
    review: ReviewId


class RestoreNewWork(Command):
    """Let this agent take new deals again (sent by a steward)."""

    passport: PassportId


class CloseLivenessReview(Command):
    """Close a liveness review with a finding (sent by a steward). A suspension that rests on it ends with it.

    `forfeit_cents` asks to take back what the agent has earned on the deal; TB-PULSE-018 always refuses that.
    """

    passport: PassportId
    review: ReviewId
    finding: Finding
    reason: Private | None = None
    forfeit_cents: Annotated[Cents, Field(ge=0)] = 0


def _open_review(world: World, passport: Passport, review: str) -> bool:
    if review in passport.reviews:
        return True
    world.lacks("review", f"{passport.id} has no open liveness review {review}", "name a liveness review that is open")
    return False


@handles(SuspendNewWork)
def suspend_new_work(cmd: SuspendNewWork, world: World) -> Iterator[Proposed]:
    """Suspend on account of an open review; a repeat changes nothing."""
    passport = Passport.of(world, cmd.passport)
    if _open_review(world, passport, cmd.review) and passport.suspended != cmd.review:
        yield Proposed(passport.id, "passport.new_work.suspended", {"review": cmd.review})


@handles(RestoreNewWork)
def restore_new_work(cmd: RestoreNewWork, world: World) -> Iterator[Proposed]:
    """End the suspension; where there is none nothing changes."""
    passport = Passport.of(world, cmd.passport)
    if passport.suspended is not None:
        yield Proposed(passport.id, "passport.new_work.restored", {"review": passport.suspended})


@handles(CloseLivenessReview)
def close_liveness_review(cmd: CloseLivenessReview, world: World) -> Iterator[Proposed]:
    """Close the review, end the suspension that rests on it, and set the next due time of a deal that still runs."""
    passport = Passport.of(world, cmd.passport)
    if not _open_review(world, passport, cmd.review):
        return
    deal = Deal.of(world, passport.reviews[cmd.review])
    closed: dict[str, object] = {"review": cmd.review, "finding": cmd.finding}
    if cmd.reason is not None:
        closed["reason_commitment"] = world.commit(
            "liveness_reason",
            {"reason": cmd.reason},
            subject=passport.id,
            readers=(passport.id, passport.operator, "steward"),
        )
    if cmd.forfeit_cents:
        yield Proposed(deal.id, "deal.payment.forfeited", {"review": cmd.review, "amount_cents": cmd.forfeit_cents})
    yield Proposed(passport.id, "liveness.review.closed", closed)
    if passport.suspended == cmd.review:
        yield Proposed(passport.id, "passport.new_work.restored", {"review": cmd.review})
    yield from set_due(world, deal.id)


@guard("TB-PULSE-017", on=("deal.proposed", "deal.signed"))
def new_work_is_not_suspended(case: Case) -> Judgement:
    """TB-PULSE-017 (ruling A-37): while its new work is suspended, an agent gets no new deal."""
    passport = case.world.state(case.data["passport"])
    if isinstance(passport, Passport) and passport.suspended is not None:
        return case.finding(
            "passport",
            f"new work of {passport.id} is suspended on account of {passport.suspended}",
            "finish the deals that run; a steward restores new work when the review allows it",
        )
    return None


@guard("TB-PULSE-018", on="deal.payment.forfeited")
def earned_payment_stays(case: Case) -> Judgement:
    """TB-PULSE-018: no liveness review takes back payment that an approved outcome has earned."""
    return case.finding(
        "forfeit_cents",
        "a liveness review erases no payment already earned",
        "close the review without it; money returns only by a reversal on its own grounds",
    )
