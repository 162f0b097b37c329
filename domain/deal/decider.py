"""What commands about the card, the questions and the end of a deal cause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..commands import handles
from ..milestone.decider import approve_step
from ..passport.market import reuse
from ..system_record.state import SystemRecord, in_force
from ..target.state import Target
from ..world import Proposed, World
from . import figures, resolution, statements
from .checkin import overdue, pulse_due, set_due
from .commands import (
    AmendDeal,
    AnswerAsk,
    AppealOutcome,
    ApproveOutcome,
    DeclineDeal,
    DeclineOutcome,
    EndDeal,
    ExpireDeal,
    LapseDeal,
    OpenAsk,
    ProposeDeal,
    RequestOutcomeApproval,
    SignDeal,
    StopDeal,
    SweepDeal,
    WalkDeal,
)
from .private import committed
from .pulse import after
from .state import OUTCOME, Deal, due_of


@handles(ProposeDeal)
def propose_deal(cmd: ProposeDeal, world: World) -> Iterator[Proposed]:
    """Put the card on the ledger over the agent's signature; its words go to the vault."""
    target = Target.of(world, cmd.target)
    proposal = target.proposals.get(cmd.proposal)
    if proposal is None:
        world.lacks("proposal", f"{target.id} has no proposal {cmd.proposal}", "name the proposal that was chosen")
        return
    passport = world.state(proposal.passport)
    record = in_force(world, proposal.passport)
    deal = world.new_id("deal")
    card = cmd.model_dump(mode="json", include={"steps", "allocation", "schedule"})
    salt = None if cmd.salt is None else bytes.fromhex(cmd.salt)
    readers = (target.person, proposal.passport, "steward")
    pins = {**target.pins, "bid.submitted": proposal.edition}
    terms: dict[str, Any] = {
        "target": target.id,
        "proposal": proposal.id,
        "passport": proposal.passport,
        "person": target.person,
        "operator": getattr(passport, "operator", target.person),
        "system": cmd.system or (None if record is None else record.id),
        "card_version": target.card_version,
        "card_hash": target.card_hash,
        "total_cents": cmd.total_cents,
        "timeline_seconds": _timeline(cmd, world),
        "step_cents": [step.amount_cents for step in cmd.steps],
        "outcome_cents": cmd.outcome_cents,
        "card_commitment": world.commit("deal.card", card, subject=deal, readers=readers, salt=salt),
        "pins": pins,
    }
    statement = statements.deal_card(deal, terms)
    terms |= statements.signed(world, proposal.passport, statement, cmd.signature)
    yield Proposed(deal, "deal.proposed", terms, pins=pins)


def _timeline(cmd: ProposeDeal, world: World) -> int:
    if cmd.timeline_seconds is not None:
        return cmd.timeline_seconds
    per_day: int = world.law.params("TB-DEAL-009")["seconds_per_timeline_day"]
    return (cmd.timeline_days or 0) * per_day


@handles(DeclineDeal)
def decline_deal(cmd: DeclineDeal, world: World) -> Iterator[Proposed]:
    """Close the proposed deal; the want stays, and another proposal may be picked."""
    deal = Deal.of(world, cmd.deal)
    yield Proposed(deal.id, "deal.declined", committed(world, deal, "reason", cmd.reason))


@handles(SignDeal)
def sign_deal(cmd: SignDeal, world: World) -> Iterator[Proposed]:
    """Start the attempt: freeze the numbers, the card version and the System Record, and fix the deadline."""
    deal = Deal.of(world, cmd.deal)
    law = world.law_of(deal)
    edition = world.law.current.version
    data = {
        **{name: deal.terms[name] for name in ("target", "proposal", "passport", "person", "card_version", "system")},
        **_system(world, deal),
        "total_cents": deal.total_cents,
        "timeline_seconds": deal.timeline_seconds,
        "deadline": after(world.at, deal.timeline_seconds),
        "steps": len(deal.milestones),
        "outcome_cents": deal.outcome_cents,
        "standard": figures.standard(law, deal.total_cents),
        "ownership": figures.ownership(law, deal.total_cents),
        **statements.signed(world, deal.person, statements.deal_card(deal.id, deal.terms), cmd.signature),
        "edition": edition,
        "pins": {**deal.pins, "deal.signed": edition},
    }
    yield Proposed(deal.id, "deal.signed", data)
    fee = getattr(world.state(deal.target), "priority_fees_cents", 0)
    gift = figures.gift_cents(law.params("TB-BID-013")["gift_share"], fee)
    if gift:
        yield Proposed(deal.id, "deal.acceptance_gift_paid", {"passport": deal.passport, "amount_cents": gift})
    yield from reuse(world, deal.id)
    yield from set_due(world, deal.id)


def _system(world: World, deal: Deal) -> dict[str, Any]:
    """The System Record as the signed deal copies it; without one the guards refuse the deal."""
    record = world.state(deal.system) if deal.system else None
    if not isinstance(record, SystemRecord):
        return dict.fromkeys(
            ("system_hash", "system_version", "agent_name", "base_models", "harness_version", "autonomy_level")
        )
    return {
        "system_hash": record.record_hash,
        "system_version": record.system_version,
        "agent_name": record.agent_name,
        "base_models": record.models_json,
        "harness_version": record.harness_version,
        "autonomy_level": record.autonomy_level,
    }


@handles(AmendDeal)
def amend_deal(cmd: AmendDeal, world: World) -> Iterator[Proposed]:
    """Nothing of a card is ever rewritten."""
    deal = Deal.of(world, cmd.deal)
    terms = [name for name in ("total_cents", "timeline_seconds", "steps") if getattr(cmd, name) is not None]
    yield Proposed(deal.id, "deal.amended", {"terms": terms})


@handles(OpenAsk)
def open_ask(cmd: OpenAsk, world: World) -> Iterator[Proposed]:
    """Open a question; the agent's clock pauses while one is open."""
    deal = Deal.of(world, cmd.deal)
    data = {
        "ask": world.new_id("ask"),
        "answerable_by": cmd.answerable_by,
        **committed(world, deal, "question", cmd.question),
        "lapses_at": resolution.lapses_at(world, deal),
    }
    yield Proposed(deal.id, "ask.opened", data, subject=data["ask"])


@handles(AnswerAsk)
def answer_ask(cmd: AnswerAsk, world: World) -> Iterator[Proposed]:
    """Answer a question; with the last open one the agent's clock starts again."""
    deal = Deal.of(world, cmd.deal)
    if cmd.ask not in deal.asks:
        world.lacks("ask", f"{deal.id} has no ask {cmd.ask}", "name an ask of this deal")
        return
    data = {"ask": cmd.ask, **committed(world, deal, "answer", cmd.answer)}
    yield Proposed(deal.id, "ask.answered", data, subject=cmd.ask)
    yield from set_due(world, deal.id)


@handles(RequestOutcomeApproval)
def request_outcome_approval(cmd: RequestOutcomeApproval, world: World) -> Iterator[Proposed]:
    """Put the finish line to the person, which pauses the agent's clock."""
    deal = Deal.of(world, cmd.deal)
    yield Proposed(deal.id, "outcome.approval.requested", {"lapses_at": resolution.lapses_at(world, deal)})


@handles(ApproveOutcome)
def approve_outcome(cmd: ApproveOutcome, world: World) -> Iterator[Proposed]:
    """Deliver: the signed finish line, what it releases, and the resolution at this very instant.

    After the deadline, or after a lapse fell due, the approval is recorded, releases nothing, and the attempt resolves
    as the clock demands.
    """
    if cmd.with_milestone is not None:
        yield from approve_step(world, cmd.deal, cmd.with_milestone, cmd.milestone_signature)
    deal = Deal.of(world, cmd.deal)
    law = world.law_of(deal)
    found = resolution.first_due(law, [("approval", world.at), *resolution.passed(law, deal, world.at)], world.at)
    kind, due = found or ("approval", world.at)
    amount = deal.outcome_cents if kind == "approval" else 0
    signed = statements.signed(world, deal.person, statements.outcome_approval(deal), cmd.signature)
    yield Proposed(deal.id, "outcome.approved", {"amount_cents": amount, **signed})
    if kind != "approval":
        yield from resolution.clock_resolution(world, deal, (kind, due))
        return
    if amount:
        yield Proposed(deal.id, "escrow.released", {"amount_cents": amount, "cause": OUTCOME})
    landed = resolution.resolved_by_approval(law, world.at, deal.deadline or world.at)
    yield from resolution.resolve(world, deal.id, "delivered", landed)


@handles(DeclineOutcome)
def decline_outcome(cmd: DeclineOutcome, world: World) -> Iterator[Proposed]:
    """Decline the finish line; the agent may try again until the deadline unless the person ends the target here."""
    deal = Deal.of(world, cmd.deal)
    yield Proposed(deal.id, "outcome.declined", committed(world, deal, "reason", cmd.reason))
    if cmd.end:
        yield from resolution.resolve(world, deal.id, "declined", world.at)
    else:
        yield from set_due(world, deal.id)


@handles(AppealOutcome)
def appeal_outcome(cmd: AppealOutcome, world: World) -> Iterator[Proposed]:
    """The person's decision is final."""
    deal = Deal.of(world, cmd.deal)
    yield Proposed(deal.id, "outcome.appealed", committed(world, deal, "statement", cmd.statement))


@handles(EndDeal)
def end_deal(cmd: EndDeal, world: World) -> Iterator[Proposed]:
    """The person ends the attempt."""
    deal = Deal.of(world, cmd.deal)
    reason = committed(world, deal, "reason", cmd.reason)
    yield from resolution.resolve(world, deal.id, "ended", world.at, **reason)


@handles(WalkDeal)
def walk_deal(cmd: WalkDeal, world: World) -> Iterator[Proposed]:
    """The agent walks; its Passport says so for ever."""
    deal = Deal.of(world, cmd.deal)
    reason = committed(world, deal, "reason", cmd.reason)
    yield from resolution.resolve(world, deal.id, "walked", world.at, **reason)
    yield Proposed(deal.passport, "passport.breach.recorded", {"deal": deal.id, "kind": "walked"})


@handles(StopDeal)
def stop_deal(cmd: StopDeal, world: World) -> Iterator[Proposed]:
    """A steward stops the attempt for safety or law; it is unscored, and what was earned stays earned."""
    deal = Deal.of(world, cmd.deal)
    reason = committed(world, deal, "reason", cmd.reason)
    named = {"ground": cmd.ground, "names": cmd.names}
    yield from resolution.resolve(world, deal.id, "stopped", world.at, **named, **reason)


@handles(ExpireDeal)
def expire_deal(cmd: ExpireDeal, world: World) -> Iterator[Proposed]:
    """Resolve at the deadline, unless a lapse fell due before it."""
    deal = Deal.of(world, cmd.deal)
    yield from _by_clock(world, deal, ("expiry", deal.deadline or world.at))


@handles(LapseDeal)
def lapse_deal(cmd: LapseDeal, world: World) -> Iterator[Proposed]:
    """Resolve where the first open request lapses, unless the deadline came before it."""
    deal = Deal.of(world, cmd.deal)
    yield from _by_clock(world, deal, ("lapse", min(deal.requests.values(), default=resolution.lapses_at(world, deal))))


def _by_clock(world: World, deal: Deal, wanted: resolution.Candidate) -> Iterator[Proposed]:
    law = world.law_of(deal)
    owed = resolution.passed(law, deal, world.at, lapse_now=True)
    yield from resolution.clock_resolution(world, deal, resolution.first_due(law, owed, world.at) or wanted)


@handles(SweepDeal)
def sweep_deal(cmd: SweepDeal, world: World) -> Iterator[Proposed]:
    """Do the one thing that fell due first: resolve, or record the pulses overdue until then. Nothing due: nothing."""
    deal = Deal.of(world, cmd.deal)
    ends, pulse = due_of(deal), pulse_due(deal)
    if pulse is not None and pulse <= world.at and (ends is None or pulse < ends):
        yield from overdue(world, deal.id, min(world.at, ends or world.at))
    elif ends is not None and ends <= world.at:
        yield from _sweep(world, deal)


def _sweep(world: World, deal: Deal) -> Iterator[Proposed]:
    law = world.law_of(deal)
    owed = resolution.passed(law, deal, world.at, lapse_now=True)
    found = resolution.first_due(law, owed, world.at)
    if found is None:
        return
    if found[0] == "expiry" and figures.finish_line_reached(law, deal.outcome == "approved", deal.satisfaction):
        yield from resolution.resolve(world, deal.id, "delivered", found[1])
    else:
        yield from resolution.clock_resolution(world, deal, found)
