"""The life of a want up to the signature: intake, card, review, posting, bids, finalists, pick, deal card."""

from __future__ import annotations

from ...domain.deal.commands import DeclineDeal, FundEscrow, ProposeDeal, SignDeal, Spend, Step
from ...domain.passport.market import OfferWorkflow
from ...domain.person.commands import FileAttestation
from ...domain.target.bid_commands import (
    AnswerQuestion,
    AskQuestion,
    ChooseProposal,
    Head,
    NameFinalist,
    PlanStep,
    SubmitProposal,
    WithdrawProposal,
)
from ...domain.target.commands import (
    BuyPriority,
    CloseTarget,
    DeclineWant,
    GiveTerms,
    PassReview,
    PostTarget,
    RecordIntake,
    RefineTarget,
    WithdrawTarget,
)
from ...protocol import instants
from .attempt import CENTS, Attempt
from .cast import SYSTEM, Agent
from .stage import Script
from .wishes import CRITERIA, REGIONS, TERMS

_CADENCE = 2 * 86_400
_SLACK = 3
"""A card allows so many times what the chosen plan will need."""
CARD_VERSION = 2


def to_the_board(attempt: Attempt, after: str | None = None) -> Script[bool]:
    """From intake to the posted card; False where the want never gets there. `after`: the campaign stage before."""
    yield from _draft(attempt)
    do, steward, target = attempt.life.do, attempt.cast.steward, attempt.target
    yield attempt.life.hours(4, 30)
    if attempt.plot.ending == "unwelcome":
        reason, pointer = "This needs a doctor's decision, not an agent.", "Ask your clinic for its patient advocate"
        do(DeclineWant(target=target, reason_class="unverifiable", reason=reason, pointer=pointer), steward)
        yield attempt.life.hours(2, 40)
        do(WithdrawTarget(target=target), attempt.poster.actor)
        return False
    do(PassReview(target=target, criteria=list(CRITERIA)), steward)
    do(GiveTerms(target=target, terms=list(TERMS)), SYSTEM)
    yield attempt.life.hours(1, 12)
    plot = attempt.plot
    do(PostTarget(target=target, reference_class=plot.reference_class, dials=list(plot.dials), after=after), steward)
    if attempt.has("priority"):
        do(BuyPriority(target=target, fee_cents=25 * CENTS), attempt.poster.actor)
    return True


def _draft(attempt: Attempt) -> Script[None]:
    """Intake and two versions of the card; a repost has the first of both and sets its own figures in the second."""
    do, poster, wish = attempt.life.do, attempt.poster.actor, attempt.plot.wish
    second = {"target": attempt.target, "time_and_energy": "Evenings only, and every second Saturday."}
    if attempt.target:
        figures = {"budget_ceiling_cents": _ceiling(attempt), "timeline_seconds": _card_seconds(attempt)}
        do(RefineTarget.model_validate(second | figures), poster)
        return
    recorded = do(_intake(attempt), poster)
    attempt.target, attempt.intake_commitment = recorded.id, recorded.events[0].data["intake_commitment"]
    yield attempt.life.hours(1, 20)
    first = RefineTarget(
        target=attempt.target,
        want=wish.want,
        time_and_energy="Evenings and one day of the weekend.",
        money_and_resources="What the ceiling says, and a phone.",
        proven_paths="A neighbour once had something like this done.",
        finish_line_form=wish.form,
        finish_line=wish.finish,
        approval_cadence_seconds=_CADENCE,
        ownership="What the money bought and the results are mine; the tools stay with the agent.",
    )
    do(first, poster)
    yield attempt.life.hours(1, 10)
    do(RefineTarget.model_validate(second | {"target": attempt.target}), poster)


def _intake(attempt: Attempt) -> RecordIntake:
    wish, plot = attempt.plot.wish, attempt.plot
    return RecordIntake(
        want=wish.want,
        time_and_energy="Evenings.",
        money_and_resources="Little beyond the budget.",
        proven_paths="None that I know of.",
        budget_cents=_ceiling(attempt),
        timeline_seconds=_card_seconds(attempt),
        person_contribution="I answer questions on the same day and am at home on Saturdays.",
        location=f"{plot.number} Mill Lane",
        region=REGIONS[plot.number % len(REGIONS)],
        category=wish.category,
        delivery=wish.delivery,
    )


def _ceiling(attempt: Attempt) -> int:
    return attempt.plot.total * CENTS * 5 // 4


def _card_seconds(attempt: Attempt) -> int:
    return _SLACK * _days(attempt) * 86_400


def _days(attempt: Attempt) -> int:
    """The deal timeline in days, by what the plot needs time for. The dice stand still: the same at every call."""
    if attempt.has("pulsed"):
        return 1
    if attempt.plot.ending.startswith("lapsed"):
        return 25
    return 5 + attempt.plot.number * 7 % 16


# -- bids --------------------------------------------------------------------------------------------------------------


def to_the_signature(attempt: Attempt) -> Script[bool]:
    """From the first bid to the signed deal; False where the want ends without one."""
    yield from _bids(attempt)
    do, poster = attempt.life.do, attempt.poster.actor
    if attempt.plot.ending == "withdrawn":
        yield attempt.life.hours(5, 30)
        do(WithdrawTarget(target=attempt.target), poster)
        return False
    yield from _finalists(attempt)
    if attempt.plot.ending == "closed":
        do(CloseTarget(target=attempt.target), poster)
        return False
    if attempt.has("declined_deal"):
        runner_up = attempt.rivals[0]
        yield from _pick(attempt, *runner_up)
        attempt.deal = _propose(attempt, runner_up[0], runner_up[1])
        yield attempt.life.hours(3, 20)
        do(DeclineDeal(deal=attempt.deal, reason="The dates do not fit after all."), poster)
        runner_up[0].pending -= 1
    yield from _pick(attempt, attempt.winner, attempt.proposal)
    yield attempt.life.hours(1, 8)
    yield from _sign(attempt)
    return True


def _bidders(attempt: Attempt) -> list[Agent]:
    """The agent that will win and up to three others, never one that the poster operates."""
    dice, agents = attempt.life.dice, [agent for agent in attempt.cast.agents if not agent.booked]
    winner = attempt.cast.agent(attempt.plot.agent) if attempt.plot.agent else dice.pick(agents)
    others = [agent for agent in agents if agent is not winner]
    attempt.agent = winner
    return [winner, *dice.some(others, 2 + dice.below(2))]


def _bids(attempt: Attempt) -> Script[None]:
    do, plot = attempt.life.do, attempt.plot
    winner, *others = _bidders(attempt)
    _terms(attempt)
    for agent in others:
        yield attempt.life.hours(1, 12)
        attempt.rivals.append((agent, do(_proposal(attempt, ask=attempt.total_cents * 9 // 8), agent.actor).id))
    yield attempt.life.hours(1, 12)
    if attempt.has("resale"):
        _offer_path(attempt, winner)
    attempt.proposal = do(_proposal(attempt, ask=attempt.total_cents), winner.actor).id
    if attempt.has("bid_changes"):
        yield attempt.life.hours(1, 6)
        better = _proposal(attempt, ask=attempt.total_cents, supersedes=attempt.proposal)
        attempt.proposal = do(better, winner.actor).id
        agent, proposal = attempt.rivals.pop()
        do(WithdrawProposal(target=attempt.target, proposal=proposal, reason="No time for it."), agent.actor)
    if plot.ending in ("closed", "withdrawn"):
        yield attempt.life.hours(10, 40)


def _terms(attempt: Attempt) -> None:
    """The numbers of the winning plan: what each step and the finish line release, and the timeline."""
    attempt.total_cents = attempt.plot.total * CENTS
    attempt.timeline_seconds = _days(attempt) * 86_400
    each = attempt.total_cents // (attempt.steps + 2)
    attempt.amounts = [each] * attempt.steps
    attempt.outcome_cents = attempt.total_cents - each * (attempt.steps + 1)


def _proposal(attempt: Attempt, *, ask: int, supersedes: str | None = None) -> SubmitProposal:
    steps = [
        PlanStep(
            what=what,
            time_seconds=attempt.timeline_seconds // (attempt.steps + 1),
            person_approval="what was found or done, before the next step",
            amount_cents=amount,
        )
        for what, amount in zip(attempt.plot.wish.steps, attempt.amounts, strict=True)
    ]
    return SubmitProposal(
        target=attempt.target,
        card_version=CARD_VERSION,
        total_cents=ask,
        allocation=_heads(ask),
        steps=steps,
        outcome_cents=attempt.outcome_cents,
        timeline_seconds=attempt.timeline_seconds,
        pitch="Small steps, and a word from you before each of them.",
        supersedes=supersedes,
    )


def _heads(total: int) -> dict[Head, int]:
    tools = total // 4
    return {"ad_spend": total // 10, "tools": tools, "own_work": total - total // 10 - tools}


def _offer_path(attempt: Attempt, winner: Agent) -> None:
    """Offer a path that the agent delivered before, where there is one for another poster with the same want."""
    category, poster = attempt.plot.wish.category, attempt.poster
    for prior in attempt.cast.delivered:
        if prior.agent is winner and prior.category == category and prior.poster is not poster:
            offer = OfferWorkflow(
                passport=winner.id,
                target=attempt.target,
                prior_deal=prior.deal,
                price_cents=15 * CENTS,
                receipt=prior.receipt,
                pitch="The same route as last time, with the plumber who came on the day.",
            )
            attempt.life.do(offer, winner.actor)
            return


# -- finalists, pick and card ------------------------------------------------------------------------------------------


def _finalists(attempt: Attempt) -> Script[None]:
    do, poster, target = attempt.life.do, attempt.poster.actor, attempt.target
    yield attempt.life.hours(6, 40)
    do(NameFinalist(target=target, proposal=attempt.proposal), poster)
    for _, proposal in attempt.rivals[: attempt.life.dice.below(3)]:
        do(NameFinalist(target=target, proposal=proposal), poster)
    yield attempt.life.hours(1, 5)
    do(AskQuestion(target=target, proposal=attempt.proposal, text="Who does the second step?"), poster)
    yield attempt.life.hours(1, 5)
    answer = AnswerQuestion(target=target, proposal=attempt.proposal, question=1, text="I do, with a local partner.")
    do(answer, attempt.worker)
    yield attempt.life.hours(1, 20)


def _pick(attempt: Attempt, agent: Agent, proposal: str) -> Script[None]:
    """Choose the proposal, once its agent takes new work; from now on its system stands until the signature."""
    while agent.resting_until > attempt.life.now:
        yield attempt.life.until(agent.resting_until)
    agent.pending += 1
    attempt.life.do(ChooseProposal(target=attempt.target, proposal=proposal), attempt.poster.actor)


def _propose(attempt: Attempt, agent: Agent, proposal: str) -> str:
    """Propose the deal of a chosen plan, after both sides attested that they did not know each other."""
    do, target = attempt.life.do, attempt.target
    for side, by in (("poster", attempt.poster.actor), ("operator", agent.operator)):
        fields = {"target": target, "passport": agent.id, "side": side, "related": False}
        do(FileAttestation.model_validate(fields | {"statement": "We never met."}), by)
    week = 7 * 86_400
    card = ProposeDeal(
        target=target,
        proposal=proposal,
        total_cents=attempt.total_cents,
        allocation={str(head): cents for head, cents in _heads(attempt.total_cents).items()},
        timeline_seconds=attempt.timeline_seconds,
        steps=[
            Step(what=what, amount_cents=amount)
            for what, amount in zip(attempt.plot.wish.steps, attempt.amounts, strict=True)
        ],
        outcome_cents=attempt.outcome_cents,
        schedule=[Spend(after_seconds=min(week, attempt.timeline_seconds), amount_cents=attempt.total_cents // 4)]
        if attempt.total_cents
        else [],
    )
    return do(card, agent.actor).id


def _sign(attempt: Attempt) -> Script[None]:
    do, agent, poster = attempt.life.do, attempt.winner, attempt.poster.actor
    attempt.deal = _propose(attempt, agent, attempt.proposal)
    yield attempt.life.hours(1, 16)
    told = {event.type: event.data for event in do(SignDeal(deal=attempt.deal), poster).events}
    agent.pending -= 1
    attempt.deadline = instants.micros(told["deal.signed"]["deadline"])
    attempt.pulse_due = instants.micros(told["deal.pulse_due.set"]["next_due_at"])
    if attempt.total_cents:
        yield attempt.life.minutes(1, 20)
        do(FundEscrow(deal=attempt.deal, amount_cents=attempt.total_cents), SYSTEM)
