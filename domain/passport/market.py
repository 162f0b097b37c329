"""Workflow resale: an agent that delivered offers the proven path to the next person with the same want.

Source: paper, section 4 (Workflow resale) and 2.4. An offer rests on the ledger: the delivered deal, and the hash of a
receipt that its person approved. What the offer says is private to the two sides.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, NotRequired

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from ...protocol.envelope import Event
from ...rules.evaluators import Judgement, guard, requires
from ..commands import Cents, Command, DealId, PassportId, Private, TargetId, handles
from ..deal.state import KIND as DEAL
from ..deal.state import Deal
from ..events import Cents as PublicCents
from ..events import Commitment, Digest, Id, register
from ..streams import replace
from ..target.state import Target
from ..world import Case, Proposed, World
from .state import KIND, Offer, Passport

ReceiptHash = Annotated[str, StringConstraints(pattern=r"^(sha256:)?[0-9a-f]{64}$")]
"""The SHA-256 of a receipt on the ledger."""


class WorkflowOffered(TypedDict):
    """A proven path offered on this target: the earlier delivered deal, its target, an approved receipt, the price."""

    offer: Id
    target: Id
    prior_deal: Id
    prior_target: Id
    receipt: Digest | None
    price_cents: PublicCents
    pitch_commitment: NotRequired[Commitment]


class WorkflowReused(TypedDict):
    """This attempt reuses the path of an earlier delivered deal, as offered at that price."""

    offer: Id
    prior_deal: Id
    price_cents: PublicCents


register("passport", {"workflow.offered": WorkflowOffered})
register("deal", {"workflow.reused": WorkflowReused})
requires("TB-RESALE-004", event="workflow.reused")


@KIND.on("workflow.offered")
def _offered(state: Passport, event: Event) -> Passport:
    data = event.data
    offer = Offer(data["offer"], data["prior_deal"], data["receipt"] or "", data["price_cents"])
    return replace(state, offers={**state.offers, data["target"]: offer})


@DEAL.on("workflow.reused")
def _reused(state: Deal, event: Event) -> Deal:
    return replace(state, workflow=event.data["prior_deal"])


class OfferWorkflow(Command):
    """Offer the path of a delivered deal on another person's target with the same want (sent by the agent).

    `receipt` is the SHA-256 of a receipt that the earlier person approved; `pitch` is read by the two sides.
    """

    passport: PassportId
    target: TargetId
    prior_deal: DealId
    price_cents: Annotated[Cents, Field(ge=0)]
    receipt: ReceiptHash | None = None
    pitch: Private | None = None


@handles(OfferWorkflow)
def offer_workflow(cmd: OfferWorkflow, world: World) -> Iterator[Proposed]:
    """Offer the path; a later offer on the same target takes the place of the earlier one."""
    passport, target = Passport.of(world, cmd.passport), Target.of(world, cmd.target)
    prior = Deal.of(world, cmd.prior_deal)
    digest = None if cmd.receipt is None else "sha256:" + cmd.receipt.removeprefix("sha256:")
    data: dict[str, object] = {
        "offer": world.new_id("offer"),
        "target": target.id,
        "prior_deal": prior.id,
        "prior_target": prior.target,
        "receipt": digest,
        "price_cents": cmd.price_cents,
    }
    if cmd.pitch is not None:
        data["pitch_commitment"] = world.commit(
            "workflow_pitch",
            {"pitch": cmd.pitch},
            subject=target.id,
            readers=(passport.id, target.person, "steward"),
        )
    yield Proposed(passport.id, "workflow.offered", data)


def reuse(world: World, deal_id: str) -> Iterator[Proposed]:
    """What a signing adds where the agent offered a proven path on this target (TB-RESALE-004)."""
    deal = Deal.of(world, deal_id)
    passport = world.state(deal.passport)
    offer = passport.offers.get(deal.target) if isinstance(passport, Passport) else None
    if offer is not None:
        data = {"offer": offer.id, "prior_deal": offer.prior_deal, "price_cents": offer.price_cents}
        yield Proposed(deal_id, "workflow.reused", data)


@guard("TB-RESALE-001", on="workflow.offered")
def offer_follows_a_success(case: Case) -> Judgement:
    """TB-RESALE-001: only a path that this very agent delivered is offered, to someone else, with the same want."""
    prior, target = case.world.state(case.data["prior_deal"]), case.world.state(case.data["target"])
    fix = "name a delivered deal of this agent, for another person's open want of the same kind"
    if not isinstance(prior, Deal) or prior.passport != case.event.stream or prior.o != 1:
        return case.finding("prior_deal", "this agent has not delivered that deal", fix)
    if prior.integrity == "invalidated":
        return case.finding("prior_deal", "that delivery was invalidated", fix)
    earlier = case.world.state(prior.target)
    if isinstance(target, Target) and isinstance(earlier, Target):
        if target.person == earlier.person:
            return case.finding("target", "this is the same person's want", fix)
        if target.category != earlier.category:
            return case.finding("target", f"the earlier want was {earlier.category}, not {target.category}", fix)
        if not target.open:
            return case.finding("target", "this want takes no proposals", fix)
    return None


@guard("TB-RESALE-002", on="workflow.offered")
def offer_rests_on_a_receipt(case: Case) -> Judgement:
    """TB-RESALE-002: the offer points at a receipt of that success which its person approved."""
    prior = case.world.state(case.data["prior_deal"])
    steps = prior.milestones.values() if isinstance(prior, Deal) else ()
    if not any(case.data["receipt"] in step.receipts for step in steps if step.status == "approved"):
        return case.finding(
            "receipt",
            "the ledger has no such approved receipt on the earlier deal",
            "give the SHA-256 of a receipt whose milestone its person approved",
        )
    return None
