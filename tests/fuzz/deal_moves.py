"""Sensible next steps on a deal: work, answers, money, reviews, the end, and what comes after it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from fuzz.moves import Move, attestations, private
from fuzz.stage import SYSTEM, Stage
from tollbench.domain.commands import Actor
from tollbench.domain.deal.checkin import OpenLivenessReview, PostCheckIn, SweepOverdue
from tollbench.domain.deal.commands import (
    AnswerAsk,
    ApproveOutcome,
    DeclareSubsidy,
    DeclineDeal,
    DeclineOutcome,
    EndDeal,
    ExpireDeal,
    FundEscrow,
    LapseDeal,
    OpenAsk,
    RecordEngineRevenue,
    RecordInterimOutcome,
    RecordSatisfaction,
    ReleaseEscrow,
    RequestOutcomeApproval,
    ReverseRelease,
    SettlePayment,
    SignDeal,
    StopDeal,
    SweepDeal,
    WalkDeal,
)
from tollbench.domain.deal.reviews import (
    CloseReview,
    InvalidateOutcome,
    OpenReview,
    RecordRelatedParty,
    RecordScreening,
)
from tollbench.domain.deal.sales import (
    AgreeSplit,
    DisablePaymentLink,
    PromoteVenture,
    RecordExternalSale,
    RegisterPaymentLink,
)
from tollbench.domain.deal.state import Deal
from tollbench.domain.erasure import EraseVault
from tollbench.domain.milestone.commands import (
    ApproveMilestone,
    DeclineMilestone,
    FileReceipt,
    RequestApproval,
    ReviseMilestone,
)
from tollbench.domain.milestone.state import Milestone
from tollbench.domain.passport.state import Passport
from tollbench.domain.passport.stewardship import CloseLivenessReview, RestoreNewWork, SuspendNewWork
from tollbench.domain.system_record.commands import RecordConfigChange

BLANK = "sha256:" + "0" * 64


def of_deal(stage: Stage, random: Random, deal: Deal) -> Iterator[Move]:
    """What could be done with this deal."""
    poster = Actor("person", deal.person)
    if deal.status == "proposed":
        yield from attestations(stage, random, deal.target, deal.passport)
        yield Move(SignDeal, {"deal": deal.id}, poster)
        if random.random() < 0.15:
            yield Move(DeclineDeal, {"deal": deal.id, "reason": private(random)}, poster)
    elif deal.status == "signed":
        for _ in range(3):  # what leads on comes up more often than what is only recorded
            yield from _work(stage, random, deal)
            yield from _answers(random, deal, poster)
        yield from _ends(stage, random, deal, poster)
    if deal.signed_at is not None:
        yield from _money(random, deal, poster)
        yield from _records(random, deal, poster)
        yield from _reviews(stage, random, deal)
        yield from _sales(random, deal, poster)
    if random.random() < 0.05:
        commitment = random.choice((deal.card_commitment, BLANK))
        yield Move(EraseVault, {"stream": deal.id, "commitment": commitment}, random.choice((poster, stage.steward)))


def _work(stage: Stage, random: Random, deal: Deal) -> Iterator[Move]:
    agent, named = Actor("agent", deal.passport), {"deal": deal.id}
    for step in deal.milestones.values():
        yield from _on_step(random, deal, step, agent)
    pulse = {name: private(random) for name in ("changed", "now", "next")}
    yield Move(PostCheckIn, named | pulse | {"progress_percent": random.choice((0, 0, 25, 50, 100))}, agent)
    if random.random() < 0.4:
        yield Move(OpenAsk, named | {"question": private(random)}, agent)
    if deal.outcome in ("open", "declined") and random.random() < 0.5:
        yield Move(RequestOutcomeApproval, named, agent)
    if random.random() < 0.05:
        yield Move(RecordConfigChange, named | {"harness_version": f"h {stage.commands}"}, agent)
    if random.random() < 0.15:
        yield Move(RecordInterimOutcome, named | {"what": private(random)}, agent)


def _on_step(random: Random, deal: Deal, step: Milestone, agent: Actor) -> Iterator[Move]:
    one = {"deal": deal.id, "milestone": step.number}
    if step.status == "open" and not step.receipts:
        yield Move(FileReceipt, one | {"sha256": f"sha256:{random.randrange(10**60):064x}"}, agent)
    elif step.status == "open":
        both = random.random() < 0.2
        yield Move(RequestApproval, one | {"with_outcome": both and deal.outcome in ("open", "declined")}, agent)
    elif step.status == "declined":
        yield Move(ReviseMilestone, one | {"note": private(random)}, agent)


def _answers(random: Random, deal: Deal, poster: Actor) -> Iterator[Move]:
    named = {"deal": deal.id}
    for ask in deal.asks.values():
        if ask.open:
            yield Move(AnswerAsk, named | {"ask": ask.id, "answer": private(random)}, poster)
    for step in deal.milestones.values():
        if step.status == "requested" or random.random() < 0.1:
            one = named | {"milestone": step.number}
            yield Move(ApproveMilestone, one, poster)
            if random.random() < 0.3:
                end = {"reason": private(random), "end": random.random() < 0.35}
                yield Move(DeclineMilestone, one | end, poster)
    if deal.outcome == "requested" or random.random() < 0.1:
        waiting = next((step.number for step in deal.milestones.values() if step.status == "requested"), None)
        yield Move(ApproveOutcome, named | {"with_milestone": waiting}, poster)
        if random.random() < 0.3:
            yield Move(DeclineOutcome, named | {"reason": private(random), "end": random.random() < 0.35}, poster)


def _ends(stage: Stage, random: Random, deal: Deal, poster: Actor) -> Iterator[Move]:
    named = {"deal": deal.id}
    clock = (SYSTEM, stage.steward, poster, Actor("agent", deal.passport))
    for command in (SweepDeal, ExpireDeal, LapseDeal, SweepOverdue):
        if random.random() < 0.1:
            yield Move(command, named, random.choice(clock))
    if random.random() < 0.12:
        yield Move(EndDeal, named | {"reason": private(random)}, poster)
    if random.random() < 0.1:
        yield Move(WalkDeal, named | {"reason": private(random)}, Actor("agent", deal.passport))
    if random.random() < 0.06:
        stop = {"ground": "law", "names": "An act on tea", "reason": private(random)}
        yield Move(StopDeal, named | stop, stage.steward)


def _money(random: Random, deal: Deal, poster: Actor) -> Iterator[Move]:
    named, money = {"deal": deal.id}, deal.money
    if deal.active and money.funded < deal.total_cents:
        for left in (deal.total_cents - money.funded,) * 4:
            cents = random.choice((left, left, left, 1, deal.total_cents))
            yield Move(FundEscrow, named | {"amount_cents": cents}, random.choice((poster, SYSTEM)))
    if random.random() < 0.1:
        release, cents = random.choice([(step.subject, step.amount_cents) for step in deal.milestones.values()])
        yield Move(ReleaseEscrow, named | {"release": release, "amount_cents": cents}, poster)
    if money.settled < money.paid_out:
        cents = random.choice((money.paid_out - money.settled, 0, 1))
        yield Move(SettlePayment, named | {"amount_cents": cents}, SYSTEM)
    for release in money.released:
        left = money.left_of(release)
        if left and random.random() < 0.3:
            last = money.paid_out - money.taken_back == left
            kind = random.choice(("full" if last else "partial", "partial", "chargeback"))
            fields = named | {"release": release, "amount_cents": random.choice((left, 1, left + 1)), "kind": kind}
            yield Move(ReverseRelease, fields, SYSTEM)


def _records(random: Random, deal: Deal, poster: Actor) -> Iterator[Move]:
    named, agent = {"deal": deal.id}, Actor("agent", deal.passport)
    if random.random() < 0.15:
        rating = {"score": random.choice((0, 1, 10, 11)), "words": private(random)}
        yield Move(RecordSatisfaction, named | rating, poster)
    if random.random() < 0.1:
        own = random.choice((0, 5_000, 2**53 - 1))
        yield Move(DeclareSubsidy, named | {"contributed": random.random() < 0.5, "own_spending_cents": own}, agent)
    if random.random() < 0.1:
        cents = random.choice((0, 1, 90_000, 2**53 - 1))
        yield Move(RecordEngineRevenue, named | {"amount_cents": cents}, random.choice((agent, SYSTEM)))


def _reviews(stage: Stage, random: Random, deal: Deal) -> Iterator[Move]:
    named, steward = {"deal": deal.id}, stage.steward
    for review in deal.reviews:
        finding = random.choice(("cleared", "cleared", "confirmed"))
        yield Move(CloseReview, named | {"review": review, "finding": finding, "reasons": private(random)}, steward)
    if random.random() < 0.04:
        yield Move(OpenReview, named | {"ground": "fraud", "suspicion": private(random)}, steward)
    if random.random() < 0.04:
        yield Move(RecordScreening, named | {"indicators": ["device"], "evidence": private(random)}, steward)
    if random.random() < 0.04:
        related = {"related": random.random() < 0.3, "reasons": private(random)}
        yield Move(RecordRelatedParty, named | related, steward)
    if random.random() < 0.03:
        yield Move(InvalidateOutcome, named | {"ground": "fraud", "reasons": private(random)}, steward)
    passport = stage.bench.state(deal.passport)
    if isinstance(passport, Passport):
        yield from _liveness(random, deal, passport, steward)


def _liveness(random: Random, deal: Deal, passport: Passport, steward: Actor) -> Iterator[Move]:
    named = {"passport": passport.id}
    for review in passport.reviews:
        yield Move(SuspendNewWork, named | {"review": review}, steward)
        close = {"review": review, "finding": random.choice(("excused", "upheld")), "reason": private(random)}
        yield Move(CloseLivenessReview, named | close, steward)
    if passport.suspended:
        yield Move(RestoreNewWork, named, steward)
    if random.random() < 0.05:
        yield Move(OpenLivenessReview, named | {"deal": deal.id}, steward)


def _sales(random: Random, deal: Deal, poster: Actor) -> Iterator[Move]:
    named, agent, venture = {"deal": deal.id}, Actor("agent", deal.passport), deal.venture
    if venture is None:
        if random.random() < 0.08:
            yield Move(RegisterPaymentLink, named | {"person_bp": 6_501, "address": private(random)}, agent)
        return
    link = {"link": venture.link}
    if random.random() < 0.3:
        yield Move(AgreeSplit, named | link, poster)
        yield Move(PromoteVenture, named | link, poster)
        cents = random.choice((1, 3, 10_001, 2**53 - 1))
        yield Move(RecordExternalSale, named | link | {"gross_cents": cents}, random.choice((agent, SYSTEM)))
    if random.random() < 0.05:
        yield Move(DisablePaymentLink, named | link, agent)
