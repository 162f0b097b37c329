"""What follows an attempt: settlement, ratings, sales, reversals, reviews, late verification, erasure."""

from __future__ import annotations

from ...domain.deal.commands import (
    DeclareSubsidy,
    RecordEngineRevenue,
    RecordSatisfaction,
    ReverseRelease,
    SettlePayment,
)
from ...domain.deal.reviews import CloseReview, InvalidateOutcome, OpenReview, RecordRelatedParty, RecordScreening
from ...domain.erasure import EraseVault
from .attempt import CENTS, Attempt
from .cast import SYSTEM, Delivered, verify
from .plots import DELIVERED
from .scenes import refusals, sales
from .stage import DAY, WEEK, Script, week_start

_TAINTED = ("confirmed", "finding", "full_refund", "chargeback")


def settle(life: Attempt) -> Script[None]:
    """Everything that the plot has in store once the attempt is resolved."""
    if life.has("refusals"):
        refusals(life)
    yield from _records(life)
    if life.plot.ending == DELIVERED:
        if not any(life.has(extra) for extra in _TAINTED):
            life.cast.delivered.append(
                Delivered(life.plot.wish.category, life.winner, life.poster, life.deal, life.receipts[1])
            )
        yield from _money(life)
    yield from _integrity(life)
    if life.has("sales"):
        yield from sales(life)
    if life.has("erased"):
        yield life.life.days(3, 9)
        life.life.do(EraseVault(stream=life.target, commitment=life.intake_commitment), life.poster.actor)


def _records(life: Attempt) -> Script[None]:
    do, deal, agent, poster = life.life.do, life.deal, life.worker, life.poster.actor
    yield life.life.hours(1, 30)
    if life.has("rated"):
        score = life.life.dice.between(6, 10) if life.plot.ending == DELIVERED else life.life.dice.between(1, 6)
        do(RecordSatisfaction(deal=deal, score=score, words="Said what it did, did what it said."), poster)
    if life.has("subsidised"):
        do(DeclareSubsidy(deal=deal, contributed=life.life.dice.chance(50), own_spending_cents=12 * CENTS), agent)
    if life.has("engine"):
        do(RecordEngineRevenue(deal=deal, amount_cents=life.life.dice.between(10, 80) * CENTS), agent)


def _money(life: Attempt) -> Script[None]:
    """Settlement of a paid delivery, and what returns of it."""
    if not life.released or life.has("unsettled"):
        return
    yield life.life.days(1, 4)
    life.life.do(SettlePayment(deal=life.deal, amount_cents=sum(life.released.values())), SYSTEM)
    if life.has("partial_refund"):
        yield life.life.days(2, 6)
        _reverse(life, "milestone-1", life.released["milestone-1"] // 2, "partial")
    if life.has("full_refund"):
        yield life.life.days(4, 12)
        *earlier, last = life.released.items()
        for release, cents in earlier:
            _reverse(life, release, cents, "partial")
        _reverse(life, *last, "full")
    if life.has("chargeback"):
        yield life.life.days(8, 20)
        _reverse(life, "outcome", life.released["outcome"], "chargeback")


def _reverse(life: Attempt, release: str, cents: int, kind: str) -> None:
    fields = {"deal": life.deal, "release": release, "amount_cents": cents, "kind": kind}
    life.life.do(ReverseRelease.model_validate(fields), SYSTEM)


def _integrity(life: Attempt) -> Script[None]:
    """Reviews and findings, cleared and confirmed, and a verification that comes after the week was closed."""
    do, deal, steward = life.life.do, life.deal, life.cast.steward
    if life.has("screened"):
        yield life.life.days(1, 3)
        do(RecordScreening(deal=deal, indicators=["device"], evidence="One device, two accounts."), SYSTEM)
        yield life.life.days(1, 3)
        do(RecordRelatedParty(deal=deal, related=False, reasons="A shared library computer."), steward)
    for extra, finding in (("cleared", "cleared"), ("confirmed", "confirmed")):
        if life.has(extra):
            yield life.life.days(1, 5)
            opened = do(OpenReview(deal=deal, ground="fraud", suspicion="The receipt was edited."), steward)
            review = opened.events[0].data["review"]
            yield life.life.days(2, 9)
            fields = {"deal": deal, "review": review, "finding": finding, "reasons": "See the file."}
            do(CloseReview.model_validate(fields), steward)
    if life.has("finding"):
        yield life.life.days(2, 6)
        do(InvalidateOutcome(deal=deal, ground="technical_recording_error", reasons="Wrong deal."), steward)
    if life.has("late_verification") and not life.poster.verified:
        yield life.life.until(week_start(life.life.now) + WEEK + life.life.dice.between(DAY, 3 * DAY))
        if not life.poster.verified:
            verify(life.life, life.cast, life.poster)
