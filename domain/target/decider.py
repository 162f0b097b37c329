"""What commands about a want cause, from intake to its end without a deal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..commands import handles
from ..deal.state import OF_TARGET, Deal
from ..names import stated
from ..person.state import Person
from ..rulebook.state import Rulebook
from ..world import Proposed, World
from . import odds
from .card import FACTORS, body_fields, card_hash, first_body, posted_body, refined_body, tier
from .commands import (
    AmendTarget,
    AssignBand,
    BuyPriority,
    CloseTarget,
    DeclineWant,
    GiveTerms,
    PassReview,
    PostTarget,
    RecordIntake,
    RefineTarget,
    RepostTarget,
    WithdrawTarget,
)
from .state import Target


@handles(RecordIntake)
def record_intake(cmd: RecordIntake, world: World) -> Iterator[Proposed]:
    """Open a target with the person's answers; the texts go to the vault."""
    figures = {name: getattr(cmd, name) for name in ("budget_cents", "timeline_seconds", "category", "delivery")}
    body = {
        "want": cmd.want,
        "baseline": {factor: getattr(cmd, factor) for factor in FACTORS},
        "person_contribution": cmd.person_contribution,
        "location": cmd.location,
        "region": cmd.region,
        **figures,
    }
    yield _intake(world, world.new_id("target"), world.actor.id, body)


def _intake(world: World, target: str, person: str, body: Mapping[str, Any]) -> Proposed:
    factors = [factor for factor in FACTORS if stated(body["baseline"][factor])]
    answers = {
        "want": stated(body["want"]),
        "baseline": bool(factors),
        "budget_tier": body["budget_cents"] is not None,
        "timeline": bool(body["timeline_seconds"]),
        "person_contribution": stated(body["person_contribution"]),
        "location": stated(body["location"]),
    }
    data = {
        "person": person,
        "intake_commitment": world.commit("intake", dict(body), subject=target, readers=(person, "steward")),
        "answers": [answer for answer, there in answers.items() if there],
        "factors": factors,
        "budget_cents": body["budget_cents"],
        "budget_tier": tier(world.law, body["budget_cents"]),
        "timeline_seconds": body["timeline_seconds"],
        "category": body["category"],
        "delivery": body["delivery"],
        "region": body["region"] or "",
    }
    return Proposed(target, "target.intake.recorded", data)


@handles(RefineTarget)
def refine_target(cmd: RefineTarget, world: World) -> Iterator[Proposed]:
    """Commit the next version of the card."""
    target = Target.of(world, cmd.target)
    before = _card_body(world, target) or first_body(target)
    yield _refined(world, target, refined_body(before, cmd))


def _card_body(world: World, target: Target) -> Mapping[str, Any] | None:
    found: Mapping[str, Any] | None = world.reveal(target.card_commitment) if target.card_commitment else None
    return found


def _refined(world: World, target: Target, body: Mapping[str, Any]) -> Proposed:
    data = {
        "card_version": target.card_version + 1,
        "card_commitment": world.commit("card", dict(body), subject=target.id, readers=(target.person, "steward")),
        "fields": body_fields(body),
        "finish_form": body["finish_line"]["form"],
        "budget_ceiling_cents": body["budget_ceiling_cents"],
    }
    return Proposed(target.id, "target.card.refined", data)


@handles(GiveTerms)
def give_terms(cmd: GiveTerms, world: World) -> Iterator[Proposed]:
    """Note the terms that the poster received."""
    target = Target.of(world, cmd.target)
    yield Proposed(target.id, "target.terms.given", {"terms": sorted(set(cmd.terms)), "to": target.person})


@handles(PassReview)
def pass_review(cmd: PassReview, world: World) -> Iterator[Proposed]:
    """Pass the card version that stands now."""
    target = Target.of(world, cmd.target)
    data = {"card_version": target.card_version, "criteria": cmd.criteria, "found": cmd.found}
    yield Proposed(target.id, "target.review.passed", data)


@handles(DeclineWant)
def decline_want(cmd: DeclineWant, world: World) -> Iterator[Proposed]:
    """Decline the want; the reason in plain words is for the person."""
    target = Target.of(world, cmd.target)
    data: dict[str, Any] = {"reason_class": cmd.reason_class, "reason_commitment": None}
    if stated(cmd.reason):
        body = {"reason": cmd.reason}
        readers = (target.person, "steward")
        data["reason_commitment"] = world.commit("decline_reason", body, subject=target.id, readers=readers)
    if stated(cmd.pointer):
        data["pointer"] = cmd.pointer
    yield Proposed(target.id, "target.review.declined", data)


@handles(PostTarget)
def post_target(cmd: PostTarget, world: World) -> Iterator[Proposed]:
    """Freeze the odds, then publish the card with them; a campaign stage is linked to the one before."""
    target = Target.of(world, cmd.target)
    before = None if cmd.after is None else Target.of(world, cmd.after)
    frozen = _odds(cmd, world, before)
    yield Proposed(target.id, "target.odds.frozen", frozen)
    stage = None if before is None else _stage(before)
    yield Proposed(target.id, "target.posted", _posted(world, target, frozen["p"], stage))
    if stage is not None:
        yield Proposed(target.id, "campaign.stage.linked", stage)


def _odds(cmd: PostTarget, world: World, before: Target | None) -> dict[str, Any]:
    anchor = odds.anchor(world.law, cmd.reference_class, Rulebook.now(world).anchors)
    derived = odds.derive(world.law, anchor, cmd.dials)
    own = derived.p if cmd.p is None else odds.number(cmd.p)
    p = own if before is None else odds.stage_number(world.law, own, before.p)
    return {
        "class": cmd.reference_class,
        "anchor": odds.text(anchor),
        "dials": [{"id": dial, "step": odds.text(step)} for dial, step in derived.steps],
        "nominal": odds.text(derived.nominal),
        "p": odds.text(p),
    }


def _stage(before: Target) -> dict[str, Any]:
    root, number = before.campaign or (before.id, 1)
    return {"root": root, "stage": number + 1, "after": before.id}


def _posted(world: World, target: Target, p: str, stage: Mapping[str, Any] | None) -> dict[str, Any]:
    person = world.state(target.person)
    body = _card_body(world, target) or first_body(target)
    data = {
        "person": target.person,
        "card": {"want": body["want"], "baseline": body["baseline"]},
        "card_version": target.card_version,
        "finish_line": body["finish_line"],
        "budget_ceiling_cents": body["budget_ceiling_cents"],
        "budget_tier": tier(world.law, body["budget_ceiling_cents"]),
        "timeline_seconds": body["timeline_seconds"],
        "approval_cadence_seconds": body["approval_cadence_seconds"],
        "verification": "verified" if isinstance(person, Person) and person.verified else "unverified",
        "category": body["category"],
        "delivery": body["delivery"],
        "region": body["region"],
        "ownership": body["ownership"],
        "p": p,
        "edition": world.law.current.version,
    }
    data["card_hash"] = card_hash(data)
    if target.repost_of is not None:
        data["repost_of"] = target.repost_of
    if stage is not None:
        data["campaign"] = stage
    return data


@handles(AmendTarget)
def amend_target(cmd: AmendTarget, world: World) -> Iterator[Proposed]:
    """Name the frozen fields that would be rewritten."""
    target = Target.of(world, cmd.target)
    if not target.posted:
        world.lacks("target", f"{target.id} is not posted and has no frozen card", "send RefineTarget")
        return
    fields = [name for name, value in cmd.model_dump(exclude={"target"}).items() if value is not None]
    yield Proposed(target.id, "target.amended", {"fields": fields})


@handles(AssignBand)
def assign_band(cmd: AssignBand, world: World) -> Iterator[Proposed]:
    """Name the band that would be set."""
    yield Proposed(Target.of(world, cmd.target).id, "target.band.assigned", {"band": cmd.band})


@handles(WithdrawTarget)
def withdraw_target(cmd: WithdrawTarget, world: World) -> Iterator[Proposed]:
    """Take the want back."""
    yield Proposed(Target.of(world, cmd.target).id, "target.withdrawn", {"state": "withdrawn"})


@handles(CloseTarget)
def close_target(cmd: CloseTarget, world: World) -> Iterator[Proposed]:
    """Close the want without a pick."""
    yield Proposed(Target.of(world, cmd.target).id, "target.closed", {"state": "closed_without_pick"})


@handles(RepostTarget)
def repost_target(cmd: RepostTarget, world: World) -> Iterator[Proposed]:
    """Open a new want with the intake, the card and the assets of the failed one; review and odds start anew."""
    old = Target.of(world, cmd.target)
    intake = world.reveal(old.intake_commitment)
    if intake is None:
        world.lacks("target", f"the intake of {old.id} was erased", "record a new intake")
        return
    new = world.new_id("target")
    yield _intake(world, new, old.person, {**intake, "budget_cents": old.ceiling_cents})
    yield Proposed(new, "target.reposted", _assets(world, old))
    target = world.state(new)
    if isinstance(target, Target):
        yield _refined(world, target, posted_body(old))


def _assets(world: World, old: Target) -> dict[str, Any]:
    deals = [world.state(stream) for stream in world.related(OF_TARGET, old.id)]
    failed = next((deal for deal in reversed(deals) if isinstance(deal, Deal) and deal.status == "resolved"), None)
    if failed is None:
        return {"repost_of": old.id, "deal": None, "receipts": []}
    steps = sorted(failed.milestones.items())
    data = {
        "repost_of": old.id,
        "deal": failed.id,
        "receipts": [digest for _, step in steps for digest in step.receipts],
    }
    plan = old.proposals.get(failed.proposal)
    if plan is not None:
        data["plan_commitment"] = plan.commitment
    return data


@handles(BuyPriority)
def buy_priority(cmd: BuyPriority, world: World) -> Iterator[Proposed]:
    """Write the fee as a line of its own."""
    yield Proposed(Target.of(world, cmd.target).id, "target.priority_purchased", {"fee_cents": cmd.fee_cents})
