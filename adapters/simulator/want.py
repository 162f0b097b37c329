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


def to_the_board(life: Attempt, after: str | None = None) -> Script[bool]:
    """From intake to the posted card; False where the want never gets that far. `after` is the campaign stage before."""
    yield from _draft(life)
    do, steward, target = life.life.do, life.cast.steward, life.target
    yield life.life.hours(4, 30)
    if life.plot.ending == "unwelcome":
        reason, pointer = "This needs a doctor's decision, not an agent.", "Ask your clinic for its patient advocate"
        do(DeclineWant(target=target, reason_class="unverifiable", reason=reason, pointer=pointer), steward)
        yield life.life.hours(2, 40)
        do(WithdrawTarget(target=target), life.poster.actor)
        return False
    do(PassReview(target=target, criteria=list(CRITERIA)), steward)
    do(GiveTerms(target=target, terms=list(TERMS)), SYSTEM)
    yield life.life.hours(1, 12)
    plot = life.plot
    do(PostTarget(target=target, reference_class=plot.reference_class, dials=list(plot.dials), after=after), steward)
    if life.has("priority"):
        do(BuyPriority(target=target, fee_cents=25 * CENTS), life.poster.actor)
    return True


def _draft(life: Attempt) -> Script[None]:
    """Intake and two versions of the card; a repost has both already and gets its second version only."""
    do, poster, wish = life.life.do, life.poster.actor, life.plot.wish
    if not life.target:
        recorded = do(_intake(life), poster)
        life.target, life.intake_commitment = recorded.id, recorded.events[0].data["intake_commitment"]
        yield life.life.hours(1, 20)
        first = RefineTarget(
            target=life.target,
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
        yield life.life.hours(1, 10)
    do(RefineTarget(target=life.target, time_and_energy="Evenings only, and every second Saturday."), poster)


def _intake(life: Attempt) -> RecordIntake:
    wish, plot = life.plot.wish, life.plot
    return RecordIntake(
        want=wish.want,
        time_and_energy="Evenings.",
        money_and_resources="Little beyond the budget.",
        proven_paths="None that I know of.",
        budget_cents=_ceiling(life),
        timeline_seconds=_SLACK * _days(life) * 86_400,
        person_contribution="I answer questions on the same day and am at home on Saturdays.",
        location=f"{plot.number} Mill Lane",
        region=REGIONS[plot.number % len(REGIONS)],
        category=wish.category,
        delivery=wish.delivery,
    )


def _ceiling(life: Attempt) -> int:
    return life.plot.total * CENTS * 5 // 4


def _days(life: Attempt) -> int:
    """The deal timeline in days, by what the plot needs time for. The dice stand still: the same at every call."""
    if life.has("pulsed"):
        return 1
    if life.plot.ending.startswith("lapsed"):
        return 24
    return 5 + life.plot.number * 7 % 16


# -- bids --------------------------------------------------------------------------------------------------------------


def to_the_signature(life: Attempt) -> Script[bool]:
    """From the first bid to the signed deal; False where the want ends without one."""
    yield from _bids(life)
    do, poster = life.life.do, life.poster.actor
    if life.plot.ending == "withdrawn":
        yield life.life.hours(5, 30)
        do(WithdrawTarget(target=life.target), poster)
        return False
    yield from _finalists(life)
    if life.plot.ending == "closed":
        do(CloseTarget(target=life.target), poster)
        return False
    if life.has("declined_deal"):
        runner_up = life.rivals[0]
        yield from _pick(life, *runner_up)
        life.deal = _propose(life, runner_up[0], runner_up[1])
        yield life.life.hours(3, 20)
        do(DeclineDeal(deal=life.deal, reason="The dates do not fit after all."), poster)
        runner_up[0].pending -= 1
    yield from _pick(life, life.winner, life.proposal)
    yield life.life.hours(1, 8)
    yield from _sign(life)
    return True


def _bidders(life: Attempt) -> list[Agent]:
    """The agent that will win and up to three others, never one that the poster operates."""
    dice, agents = life.life.dice, life.cast.agents
    winner = life.cast.agent(life.plot.agent) if life.plot.agent else dice.pick(agents)
    others = [agent for agent in agents if agent is not winner]
    life.agent = winner
    return [winner, *dice.some(others, 2 + dice.below(2))]


def _bids(life: Attempt) -> Script[None]:
    do, plot = life.life.do, life.plot
    winner, *others = _bidders(life)
    _terms(life)
    for agent in others:
        yield life.life.hours(1, 12)
        life.rivals.append((agent, do(_proposal(life, ask=life.total_cents * 9 // 8), agent.actor).id))
    yield life.life.hours(1, 12)
    if life.has("resale"):
        _offer_path(life, winner)
    life.proposal = do(_proposal(life, ask=life.total_cents), winner.actor).id
    if life.has("bid_changes"):
        yield life.life.hours(1, 6)
        better = _proposal(life, ask=life.total_cents, supersedes=life.proposal)
        life.proposal = do(better, winner.actor).id
        agent, proposal = life.rivals.pop()
        do(WithdrawProposal(target=life.target, proposal=proposal, reason="No time for it."), agent.actor)
    if plot.ending in ("closed", "withdrawn"):
        yield life.life.hours(10, 40)


def _terms(life: Attempt) -> None:
    """The numbers of the winning plan: what each step and the finish line release, and the timeline."""
    life.total_cents = life.plot.total * CENTS
    life.timeline_seconds = _days(life) * 86_400
    each = life.total_cents // (life.steps + 2)
    life.amounts = [each] * life.steps
    life.outcome_cents = life.total_cents - each * (life.steps + 1)


def _proposal(life: Attempt, *, ask: int, supersedes: str | None = None) -> SubmitProposal:
    steps = [
        PlanStep(
            what=what,
            time_seconds=life.timeline_seconds // (life.steps + 1),
            person_approval="what was found or done, before the next step",
            amount_cents=amount,
        )
        for what, amount in zip(life.plot.wish.steps, life.amounts, strict=True)
    ]
    return SubmitProposal(
        target=life.target,
        card_version=CARD_VERSION,
        total_cents=ask,
        allocation=_heads(ask),
        steps=steps,
        outcome_cents=life.outcome_cents,
        timeline_seconds=life.timeline_seconds,
        pitch="Small steps, and a word from you before each of them.",
        supersedes=supersedes,
    )


def _heads(total: int) -> dict[Head, int]:
    tools = total // 4
    return {"ad_spend": total // 10, "tools": tools, "own_work": total - total // 10 - tools}


def _offer_path(life: Attempt, winner: Agent) -> None:
    """Offer a path that the agent delivered before, where there is one for another poster with the same want."""
    category, poster = life.plot.wish.category, life.poster
    for prior in life.cast.delivered:
        if prior.agent is winner and prior.category == category and prior.poster is not poster:
            offer = OfferWorkflow(
                passport=winner.id,
                target=life.target,
                prior_deal=prior.deal,
                price_cents=15 * CENTS,
                receipt=prior.receipt,
                pitch="The same route as last time, with the plumber who came on the day.",
            )
            life.life.do(offer, winner.actor)
            return


# -- finalists, pick and card ------------------------------------------------------------------------------------------


def _finalists(life: Attempt) -> Script[None]:
    do, poster, target = life.life.do, life.poster.actor, life.target
    yield life.life.hours(6, 40)
    do(NameFinalist(target=target, proposal=life.proposal), poster)
    for _, proposal in life.rivals[: life.life.dice.below(3)]:
        do(NameFinalist(target=target, proposal=proposal), poster)
    yield life.life.hours(1, 5)
    do(AskQuestion(target=target, proposal=life.proposal, text="Who does the second step?"), poster)
    yield life.life.hours(1, 5)
    answer = AnswerQuestion(target=target, proposal=life.proposal, question=1, text="I do, with a local partner.")
    do(answer, life.worker)
    yield life.life.hours(1, 20)


def _pick(life: Attempt, agent: Agent, proposal: str) -> Script[None]:
    """Choose the proposal, once its agent takes new work; from now on its system stands until the signature."""
    while agent.resting_until > life.life.now:
        yield life.life.until(agent.resting_until)
    agent.pending += 1
    life.life.do(ChooseProposal(target=life.target, proposal=proposal), life.poster.actor)


def _propose(life: Attempt, agent: Agent, proposal: str) -> str:
    """Propose the deal of a chosen plan, after both sides attested that they did not know each other."""
    do, target = life.life.do, life.target
    for side, by in (("poster", life.poster.actor), ("operator", agent.operator)):
        fields = {"target": target, "passport": agent.id, "side": side, "related": False}
        do(FileAttestation.model_validate(fields | {"statement": "We never met."}), by)
    week = 7 * 86_400
    card = ProposeDeal(
        target=target,
        proposal=proposal,
        total_cents=life.total_cents,
        allocation=dict(_heads(life.total_cents)),
        timeline_seconds=life.timeline_seconds,
        steps=[
            Step(what=what, amount_cents=amount)
            for what, amount in zip(life.plot.wish.steps, life.amounts, strict=True)
        ],
        outcome_cents=life.outcome_cents,
        schedule=[Spend(after_seconds=min(week, life.timeline_seconds), amount_cents=life.total_cents // 4)]
        if life.total_cents
        else [],
    )
    return do(card, agent.actor).id


def _sign(life: Attempt) -> Script[None]:
    do, agent, poster = life.life.do, life.winner, life.poster.actor
    life.deal = _propose(life, agent, life.proposal)
    yield life.life.hours(1, 16)
    told = {event.type: event.data for event in do(SignDeal(deal=life.deal), poster).events}
    agent.pending -= 1
    life.deadline = instants.micros(told["deal.signed"]["deadline"])
    life.pulse_due = instants.micros(told["deal.pulse_due.set"]["next_due_at"])
    if life.total_cents:
        yield life.life.minutes(1, 20)
        do(FundEscrow(deal=life.deal, amount_cents=life.total_cents), SYSTEM)
