"""Rules of bidding: open wants, the frozen card, complete plans, sealed bids, finalists, one pick at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...rules.evaluators import Finding, Judgement, guard, requires
from ..boundary import RECEIVED
from ..deal.state import OF_TARGET, Deal
from ..names import stated
from ..passport.state import Passport
from ..world import Case, World
from .bid_commands import SubmitProposal
from .state import Target

FINISH_LINE = "outcome_cents"


@guard("TB-PASS-003", on=(RECEIVED, "proposal.submitted"))
def bidder_has_a_passport(case: Case) -> Judgement:
    """TB-PASS-003: a bid comes from a registered agent."""
    if not isinstance(case.request, SubmitProposal) or isinstance(case.world.state(case.actor.id), Passport):
        return None
    return case.finding(
        "by", f"{case.actor.id} holds no Passport", "register the agent first; reading the board needs no registration"
    )


@guard("TB-BID-001", on="proposal.submitted")
def want_is_open(case: Case) -> Judgement:
    """TB-BID-001: a bid goes against a want that is on the board and not picked."""
    target = case.state
    if isinstance(target, Target) and target.open:
        return None
    why = (
        "a proposal was picked" if getattr(target, "chosen", None) else f"it is {getattr(target, 'status', 'unknown')}"
    )
    return case.finding("target", f"the want takes no bids: {why}", "bid on a want that is open on the board")


@guard("TB-BID-003", on="proposal.submitted")
def bid_answers_the_frozen_card(case: Case) -> Judgement:
    """TB-BID-003: every bid binds to the one card version that posting froze."""
    frozen, cited = case.state.card_version, case.data["card_version"]
    if cited != frozen:
        return case.finding(
            "card_version",
            f"the bid cites card version {cited}; the frozen card is version {frozen}",
            f"read the card again and bid on version {frozen}",
        )
    return None


@guard("TB-BID-005", on="proposal.submitted", private=True)
def plan_spells_out_its_steps(case: Case) -> Iterator[Finding]:
    """TB-BID-005: each step says what is done, how long it takes, and what the person must approve at it."""
    plan = _plan(case)
    if plan is None or (case.params["plan_owed"] != "with_proposal" and not plan["steps"]):
        return
    if len(plan["steps"]) < case.params["min_steps"]:
        yield case.finding("steps", "the plan has too few steps", f"state at least {case.params['min_steps']}")
    for place, step in enumerate(plan["steps"]):
        for part in case.params["step_fields"]:
            name = "time_seconds" if part == "time" else part
            if step[name] is None or (isinstance(step[name], str) and not stated(step[name])):
                yield case.finding(f"steps.{place}.{name}", f"step {place + 1} lacks its {part}", f"state its {part}")


@guard("TB-BID-006", on="proposal.submitted", private=True)
def ask_is_allocated(case: Case) -> Iterator[Finding]:
    """TB-BID-006 (ruling A-71): the heads of the ask sum to it exactly, what approvals release to at most it."""
    plan = _plan(case)
    if plan is None:
        return
    total, heads, steps = plan["total_cents"], plan["allocation"], plan["steps"]
    if total < 0:
        yield case.finding("total_cents", "an ask is not negative", "ask for 0 or more")
    if heads is None:
        yield case.finding("allocation", "the ask is not split", "split it over ad_spend, tools and own_work")
    elif sum(heads.values()) != total or min(heads.values(), default=0) < 0:
        detail = f"the heads sum to {sum(heads.values())} cents, the ask is {total}; no head is below 0"
        yield case.finding("allocation", detail, "make the heads sum to the ask exactly")
    amounts = [plan[FINISH_LINE], *(step["amount_cents"] for step in steps)]
    if sum(amounts) > total or min(amounts) < 0:
        detail = f"approvals would release {sum(amounts)} cents of an ask of {total}; no amount is below 0"
        yield case.finding("steps", detail, "keep the amounts of steps and finish line within the ask")


@guard("TB-BID-016", on="proposal.submitted", private=True)
def ask_fits_the_card(case: Case) -> Iterator[Finding]:
    """TB-BID-016 (rulings A-23, A-58): an ask stays within the ceiling and the timeline that posting froze."""
    plan, target = _plan(case), case.state
    if plan is None or not isinstance(target, Target):
        return
    if plan["total_cents"] > target.ceiling_cents:
        detail = f"{plan['total_cents']} cents is above the frozen ceiling of {target.ceiling_cents}"
        yield case.finding(
            "total_cents", detail, "ask for the ceiling or less; to raise it the person posts a new want"
        )
    if plan["timeline_seconds"] > target.timeline_seconds:
        detail = f"{plan['timeline_seconds']} seconds is longer than the card's {target.timeline_seconds}"
        yield case.finding("timeline_seconds", detail, "promise the card's timeline or less")


@guard("TB-BID-007", on="proposal.finalist_named")
def at_most_three_finalists(case: Case) -> Judgement:
    """TB-BID-007 (ruling A-30): so many distinct namings a target in total, whatever becomes of the finalists."""
    named, most = case.state.namings, case.params["max_finalists"]
    if len(named) >= most:
        return case.finding(
            "proposal",
            f"{len(named)} finalists were named already, the most there can be",
            "choose among them, or none",
        )
    return None


requires("TB-BID-008", event="proposal.finalist_named")
requires("TB-PRIV-003", event="proposal.submitted", field="proposal_commitment")
requires("TB-PRIV-004", event="deal.proposed", field="card_commitment")


@guard("TB-BID-009", on="proposal.finalist_named")
def naming_comes_before_the_pick(case: Case) -> Judgement:
    """TB-BID-009: finalists are named while the person has not chosen."""
    if case.state.open:
        return None
    return case.finding("target", "the choice on this want is made or over", "name finalists before choosing")


@guard("TB-BID-010", on=("proposal.question_asked", "proposal.answer_filed"))
def only_finalists_until_the_pick(case: Case) -> Iterator[Finding]:
    """TB-BID-010: questions go to finalists, and finalists answer, until the choice is made."""
    proposal = case.state.proposals[case.data["proposal"]]
    if not proposal.finalist:
        yield case.finding("proposal", f"{proposal.id} is no finalist", "name it a finalist first")
    if not case.state.open:
        yield case.finding("target", "the choice on this want is made or over", "ask and answer before the pick")


@guard("TB-BID-011", on="proposal.chosen")
def one_choice_at_a_time(case: Case) -> Judgement:
    """TB-BID-011: at most one proposal is picked at a time; another only after the deal was declined."""
    target = case.state
    if target.status != "posted":
        return case.finding("target", f"this want is {target.status}", "choose on a want that is on the board")
    if target.chosen is not None and not _declined(case.world, target):
        return case.finding(
            "proposal", f"{target.chosen} is picked already", "decline its deal first, or stay with the pick"
        )
    return None


@guard("TB-BID-015", on=("proposal.submitted", "proposal.superseded", "proposal.withdrawn"))
def one_proposal_an_agent_and_target(case: Case) -> Judgement:
    """TB-BID-015 (ruling A-30): one proposal an agent and target; withdrawing is final, what was judged stands."""
    target: Target = case.state
    if case.event.type == "proposal.submitted":
        earlier = [each for each in target.proposals.values() if each.passport == case.data["passport"]]
        if any(each.status == "withdrawn" for each in earlier):
            return case.finding("target", "this agent withdrew from this want", "bid on another want")
        if sum(each.status == "open" for each in earlier) >= case.params["proposals_per_agent_and_target"]:
            return case.finding(
                "target", "this agent has a proposal there", "name it in `supersedes`, or leave it as it is"
            )
    elif case.event.type == "proposal.superseded":
        old = target.proposals[case.data["proposal"]]
        if old.finalist or not target.open:
            return case.finding("supersedes", "the person has judged this proposal", "let it stand, or withdraw it")
    elif any(deal.status in ("signed", "resolved") for deal in _deals(case.world, target.id, case.data["proposal"])):
        return case.finding(
            "proposal", "its deal is signed", "a signed deal ends by delivery, walking away or its person"
        )
    return None


def _plan(case: Case) -> Any:
    """The body of the proposal; None where the event carries no commitment to one."""
    return case.world.reveal(case.data["proposal_commitment"])


def _deals(world: World, target: str, proposal: str) -> Iterator[Deal]:
    for id in world.related(OF_TARGET, target):
        deal = world.state(id)
        if isinstance(deal, Deal) and deal.proposal == proposal:
            yield deal


def _declined(world: World, target: Target) -> bool:
    deals = list(_deals(world, target.id, target.chosen or ""))
    return bool(deals) and all(deal.status == "declined" for deal in deals)
