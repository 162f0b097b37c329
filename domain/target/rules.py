"""Rules that judge a want on its way to the board, on it, and off it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...protocol.canonical import MAX_INT
from ...rules.evaluators import Finding, Judgement, guard, requires
from ..deal.state import OF_TARGET, Deal
from ..names import stated
from ..world import Case, World
from .card import FACTORS, body_fields
from .state import CLOSED, Target

requires("TB-TARGET-011", event="target.posted", field="card_version")
requires("TB-REVIEW-004", event="target.posted")
requires("TB-PRIV-005", event="target.posted", field="card")

SIGNED = ("signed", "resolved")
_FIELD_OF = {
    "baseline": FACTORS[0],
    "budget_tier": "budget_cents",
    "timeline": "timeline_seconds",
    "approval_cadence": "approval_cadence_seconds",
}


def deals_of(world: World, target: str) -> list[Deal]:
    """The deals on a target, oldest first, declined ones too."""
    found = (world.state(stream) for stream in world.related(OF_TARGET, target))
    return [deal for deal in found if isinstance(deal, Deal)]


def _spoken(name: str) -> str:
    return name.replace("_", " ")


def _named(name: str) -> str:
    """A part of the intake or card in words, with the fields that make it where they have other names."""
    return f"{name} ({', '.join(FACTORS)})" if name == "baseline" else _spoken(name)


# -- stage one: intake -----------------------------------------------------------------------------------------------


@guard("TB-TARGET-003", on="target.intake.recorded")
def intake_is_complete(case: Case) -> Judgement:
    """TB-TARGET-003: every required answer is on file."""
    return [
        case.finding(_FIELD_OF.get(name, name), f"the intake does not answer: {_named(name)}", "give this answer")
        for name in case.params["required_fields"]
        if name not in case.data["answers"]
    ]


@guard("TB-TARGET-004", on="target.intake.recorded")
def baseline_covers_every_factor(case: Case) -> Judgement:
    """TB-TARGET-004: the baseline speaks to all three factors."""
    return [
        case.finding(factor, f"the baseline says nothing of {_spoken(factor)}", "say where the person stands in it")
        for factor in case.params["baseline_factors"]
        if factor not in case.data["factors"]
    ]


@guard("TB-TARGET-005", on="target.intake.recorded")
def location_is_captured(case: Case) -> Judgement:
    """TB-TARGET-005: a location, always; the public record shows its coarse region only."""
    found = []
    if "location" not in case.data["answers"]:
        found.append(case.finding("location", "there is no location", "give the place, even for remote delivery"))
    if not stated(case.data["region"]):
        found.append(case.finding("region", "there is no coarse region for the card", "name a city, state or country"))
    return found


@guard("TB-TARGET-006", on=("target.intake.recorded", "target.card.refined", "target.posted"))
def budget_is_not_negative(case: Case) -> Judgement:
    """TB-TARGET-006: a budget is any amount from zero upward."""
    field = "budget_cents" if case.event.type == "target.intake.recorded" else "budget_ceiling_cents"
    cents, least = case.data[field], case.params["budget_min_cents"]
    if cents is not None and cents < least:
        return case.finding(
            field, f"a budget of {cents} cents is below {least}", f"name a budget from {least} cents up"
        )
    return None


@guard("TB-TARGET-017", on=("target.intake.recorded", "target.posted"))
def strata_are_recorded(case: Case) -> Judgement:
    """TB-TARGET-017: category and delivery setting are among those that reports stratify by."""
    vocabularies = {"category": case.params["categories"], "delivery": case.params["delivery_settings"]}
    return [
        case.finding(
            field,
            f"{case.data[field]!r} is no {field} of the registry" if case.data[field] else f"there is no {field}",
            f"name one of {', '.join(known)}",
        )
        for field, known in vocabularies.items()
        if case.data[field] not in known
    ]


# -- stage two: the card ---------------------------------------------------------------------------------------------


@guard("TB-TARGET-008", on=("target.card.refined", "target.posted"))
def card_states_six_things(case: Case) -> Judgement:
    """TB-TARGET-008: the card holds all six fields."""
    there = case.data["fields"] if case.event.type == "target.card.refined" else _posted_fields(case.data)
    return [
        case.finding(_FIELD_OF.get(name, name), f"the card does not state: {_named(name)}", "refine the card with it")
        for name in case.params["card_fields"]
        if name not in there
    ]


def _posted_fields(data: Mapping[str, Any]) -> list[str]:
    card = data["card"]
    if card is None:
        return []
    return body_fields({**data, "want": card["want"], "baseline": card["baseline"]})


@guard("TB-TARGET-009", on=("target.card.refined", "target.posted"))
def finish_line_has_a_form(case: Case) -> Judgement:
    """TB-TARGET-009: an object at the door, a booking on the calendar, or money in the account."""
    finish_line = (
        case.data["finish_form"] if case.event.type == "target.card.refined" else case.data["finish_line"]["form"]
    )
    forms = case.params["finish_line_forms"]
    if finish_line is not None and finish_line not in forms:
        return case.finding(
            "finish_line_form", f"{finish_line} is no form of a finish line", f"name one of {', '.join(forms)}"
        )
    return None


@guard("TB-TARGET-010", on="target.posted")
def finish_line_is_verifiable(case: Case) -> Judgement:
    """TB-TARGET-010: a want is posted only when its finish line is concrete."""
    finish_line = case.data["finish_line"]
    if finish_line["form"] is None or not stated(finish_line["statement"]):
        return case.finding(
            "target",
            "the want has no finish line that could be verified",
            "refine the card: choose a form and say exactly what will have happened",
        )
    return None


@guard("TB-TARGET-016", on="target.posted")
def ownership_is_stated(case: Case) -> Judgement:
    """TB-TARGET-016: who will own what is stated before posting."""
    if not stated(case.data["ownership"]):
        return case.finding("ownership", "the card does not say who will own what", "refine the card with ownership")
    return None


# -- stage three: review, and the order of the stages ----------------------------------------------------------------


@guard("TB-TARGET-002", on=("target.review.passed", "target.review.declined", "target.posted", "target.closed"))
def stages_in_order(case: Case) -> Judgement:
    """TB-TARGET-002: intake, refinement, review, posting: each once, in this order."""
    target: Target = case.state
    if case.event.type == "target.closed":
        return None if target.posted else _stage(case, "it is not posted", "withdraw it, or post it first")
    if case.event.type != "target.posted":
        if target.posted:
            return _stage(case, "it is posted already, and review comes before", "leave it as it stands")
        if case.event.type == "target.review.passed" and not target.card_version:
            return _stage(case, "there is no refined card to review", "refine the card first")
        return None
    if target.posted:
        return None
    return list(_missing_stages(case, target))


def _missing_stages(case: Case, target: Target) -> Iterator[Finding]:
    if not target.card_version:
        yield _stage(case, "stage refinement is missing", "refine the card")
    if not target.reviewed_version or target.reviewed_version != target.card_version:
        yield _stage(case, "stage steward review is missing for the present card", "let a steward review the card")


def _stage(case: Case, detail: str, fix: str) -> Finding:
    return case.finding("target", f"this want cannot take that step: {detail}", fix)


@guard("TB-REVIEW-001", on="target.posted")
def review_comes_first(case: Case) -> Judgement:
    """TB-REVIEW-001: a steward passed the very card that goes to the board."""
    target: Target = case.state
    if target.posted or (target.reviewed_version and target.reviewed_version == target.card_version):
        return None
    return case.finding("target", "no steward has passed the card as it stands", "let a steward review the card")


@guard("TB-REVIEW-002", on="target.review.passed")
def prohibited_requests_do_not_pass(case: Case) -> Judgement:
    """TB-REVIEW-002: what is illegal, a scam, political or against the safety rules cannot pass."""
    prohibited = case.params["prohibited_classes"]
    named = [found for found in case.data["found"] if found in prohibited]
    if case.state.declined in prohibited and case.state.declined not in named:
        named.append(case.state.declined)
    return [
        case.finding("found", f"this request is {_spoken(each)}", "decline the want and name the reason")
        for each in named
    ]


@guard("TB-TARGET-013", on="target.review.passed")
def kept_wants_meet_every_criterion(case: Case) -> Judgement:
    """TB-TARGET-013: a want that is kept is legitimate, actionable and verifiable."""
    return [
        case.finding("criteria", f"the review does not find the want {criterion}", "find it so, or decline the want")
        for criterion in case.params["criteria"]
        if criterion not in case.data["criteria"]
    ]


@guard("TB-REVIEW-003", on="target.review.declined")
def decline_names_its_reason(case: Case) -> Judgement:
    """TB-REVIEW-003: the reason is on file in plain words."""
    if case.data["reason_commitment"] is None:
        return case.finding("reason", "the decline gives no reason in plain words", "tell the person why")
    return None


@guard("TB-TARGET-015", on=("target.terms.given", "target.posted"))
def terms_were_delivered(case: Case) -> Judgement:
    """TB-TARGET-015: the poster received every applicable term before the target becomes active."""
    if case.event.type == "target.terms.given":
        unknown = [term for term in case.data["terms"] if term not in case.params["terms"]]
        known = ", ".join(case.params["terms"])
        return [
            case.finding("terms", f"there are no terms on {_spoken(term)}", f"give of: {known}") for term in unknown
        ]
    missing = [term for term in case.params["terms"] if term not in case.state.terms]
    if missing:
        return case.finding(
            "target",
            f"the poster has not received the terms on {', '.join(map(_spoken, missing))}",
            f"give these terms with GiveTerms: {', '.join(missing)}",
        )
    return None


# -- on the board, and off it ----------------------------------------------------------------------------------------


@guard("TB-TARGET-001", on=("deal.proposed", "deal.signed"))
def attempts_need_a_posted_want(case: Case) -> Judgement:
    """TB-TARGET-001: an attempt is opened against a want that is on the board, and nothing else."""
    target = case.world.state(case.data["target"])
    if isinstance(target, Target) and target.status == "posted":
        return None
    return case.finding("target", f"{case.data['target']} is not on the board", "name a posted want")


@guard("TB-TARGET-012", on=("target.amended", "target.card.refined", "target.posted"))
def frozen_fields_stand(case: Case) -> Judgement:
    """TB-TARGET-012: what was posted is never rewritten."""
    if not case.state.posted:
        return None
    return case.finding(
        "target",
        f"the card was frozen when it was posted at {case.state.posted_at}",
        "withdraw the want and post a new one",
    )


_STEPS = (
    "target.card.refined",
    "target.terms.given",
    "target.review.passed",
    "target.review.declined",
    "target.posted",
    "target.priority_purchased",
    "target.withdrawn",
    "target.closed",
)


@guard("TB-TARGET-021", on=_STEPS)
def closed_is_closed(case: Case) -> Judgement:
    """TB-TARGET-021: a want that was withdrawn or closed stays so."""
    if case.state.status in CLOSED:
        return case.finding("target", f"this want is {_spoken(case.state.status)}", "record a new want")
    return None


@guard("TB-TARGET-020", on=("target.withdrawn", "target.closed"))
def no_way_back_after_signing(case: Case) -> Judgement:
    """TB-TARGET-020: a want is taken back only while no deal on it was signed."""
    signed = [deal.id for deal in deals_of(case.world, case.event.stream) if deal.status in SIGNED]
    if signed:
        return case.finding("target", f"{signed[0]} was signed on this want", "end the deal instead")
    return None


@guard("TB-TARGET-018", on="target.reposted")
def only_failed_wants_are_reposted(case: Case) -> Judgement:
    """TB-TARGET-018: what is posted again is a want whose deal resolved without delivery."""
    deal = case.world.state(case.data["deal"]) if case.data["deal"] else None
    resolution = deal.resolution if isinstance(deal, Deal) else None
    if resolution in case.params["repost_after"]:
        return None
    how = "its deal is not resolved" if resolution is None else f"its deal was {resolution}"
    return case.finding("target", f"{case.data['repost_of']} did not fail: {how}", "record a new want")


@guard("TB-BID-012", on="target.priority_purchased")
def priority_is_bought_before_a_deal(case: Case) -> Judgement:
    """TB-BID-012: the poster of a want on the board may pay for attention, before any deal exists."""
    target: Target = case.state
    found = []
    fee, fixed, least = case.data["fee_cents"], case.params["fee_fixed_cents"], case.params["fee_min_cents"]
    if fixed is not None and fee != fixed:
        found.append(case.finding("fee_cents", f"the fee is {fixed} cents", f"pay {fixed} cents"))
    elif fee < least:
        found.append(case.finding("fee_cents", f"{fee} cents is below {least}", f"pay {least} cents or more"))
    elif target.priority_fees_cents + fee > MAX_INT:
        found.append(case.finding("fee_cents", "the fees of this want add up to more than a record holds", "pay less"))
    if target.status != "posted":
        found.append(case.finding("target", "the want is not on the board", "post it first"))
    if any(deal.status != "declined" for deal in deals_of(case.world, target.id)):
        found.append(case.finding("target", "there is a deal already, and nothing left to attract", "leave it"))
    return found


@guard("TB-CAMP-001", on="campaign.stage.linked")
def stages_follow_one_another(case: Case) -> Judgement:
    """TB-CAMP-001: a stage follows a posted want of the same person, one stage at a time (ruling A-49)."""
    before = case.world.state(case.data["after"])
    found = []
    if not isinstance(before, Target) or not before.posted or before.id == case.event.stream:
        return case.finding("after", f"{case.data['after']} is no want that was posted before", "name the stage before")
    if before.person != case.state.person:
        found.append(case.finding("after", "the stage before is another person's", "name a want of the same person"))
    if _running(case.world, before):
        found.append(
            case.finding("after", "the stage before is still running", "post the next stage when it is resolved")
        )
    for stream in case.world.related("stages_after_target", before.id):
        other = case.world.state(stream)
        if isinstance(other, Target) and stream != case.event.stream and _stands(case.world, other):
            found.append(
                case.finding("after", f"{stream} follows this stage already", f"name {stream} as the stage before")
            )
    return found


def _running(world: World, target: Target) -> bool:
    return target.status not in CLOSED and not any(deal.status == "resolved" for deal in deals_of(world, target.id))


def _stands(world: World, target: Target) -> bool:
    delivered = any(deal.resolution == "delivered" for deal in deals_of(world, target.id))
    return delivered or _running(world, target)
