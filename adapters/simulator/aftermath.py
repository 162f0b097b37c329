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


def settle(attempt: Attempt) -> Script[None]:
    """Everything that the plot has in store once the attempt is resolved."""
    if attempt.has("refusals"):
        refusals(attempt)
    yield from _records(attempt)
    if attempt.plot.ending == DELIVERED:
        if not any(attempt.has(extra) for extra in _TAINTED):
            attempt.cast.delivered.append(
                Delivered(attempt.plot.wish.category, attempt.winner, attempt.poster, attempt.deal, attempt.receipts[1])
            )
        yield from _money(attempt)
    yield from _integrity(attempt)
    if attempt.has("sales"):
        yield from sales(attempt)
    if attempt.has("erased"):
        yield attempt.life.days(3, 9)
        attempt.life.do(EraseVault(stream=attempt.target, commitment=attempt.intake_commitment), attempt.poster.actor)


def _records(attempt: Attempt) -> Script[None]:
    do, deal, agent, poster = attempt.life.do, attempt.deal, attempt.worker, attempt.poster.actor
    yield attempt.life.hours(1, 30)
    if attempt.has("rated"):
        score = attempt.life.dice.between(1, 5) + (5 if attempt.plot.ending == DELIVERED else 0)
        do(RecordSatisfaction(deal=deal, score=score, words="Said what it did, did what it said."), poster)
    if attempt.has("subsidised"):
        do(DeclareSubsidy(deal=deal, contributed=attempt.life.dice.chance(50), own_spending_cents=12 * CENTS), agent)
    if attempt.has("engine"):
        do(RecordEngineRevenue(deal=deal, amount_cents=attempt.life.dice.between(10, 80) * CENTS), agent)


def _money(attempt: Attempt) -> Script[None]:
    """Settlement of a paid delivery, and what returns of it."""
    if not attempt.released or attempt.has("unsettled"):
        return
    yield attempt.life.days(1, 4)
    attempt.life.do(SettlePayment(deal=attempt.deal, amount_cents=sum(attempt.released.values())), SYSTEM)
    if attempt.has("partial_refund"):
        yield attempt.life.days(2, 6)
        _reverse(attempt, "milestone-1", attempt.released["milestone-1"] // 2, "partial")
    if attempt.has("full_refund"):
        yield attempt.life.days(4, 12)
        *earlier, last = attempt.released.items()
        for release, cents in earlier:
            _reverse(attempt, release, cents, "partial")
        _reverse(attempt, *last, "full")
    if attempt.has("chargeback"):
        yield attempt.life.days(8, 20)
        _reverse(attempt, "outcome", attempt.released["outcome"], "chargeback")


def _reverse(attempt: Attempt, release: str, cents: int, kind: str) -> None:
    fields = {"deal": attempt.deal, "release": release, "amount_cents": cents, "kind": kind}
    attempt.life.do(ReverseRelease.model_validate(fields), SYSTEM)


def _integrity(attempt: Attempt) -> Script[None]:
    """Reviews and findings, cleared and confirmed, and a verification that comes after the week was closed."""
    do, deal, steward = attempt.life.do, attempt.deal, attempt.cast.steward
    if attempt.has("screened"):
        yield attempt.life.days(1, 3)
        do(RecordScreening(deal=deal, indicators=["device"], evidence="One device, two accounts."), SYSTEM)
        yield attempt.life.days(1, 3)
        do(RecordRelatedParty(deal=deal, related=False, reasons="A shared library computer."), steward)
    for extra, finding in (("cleared", "cleared"), ("confirmed", "confirmed")):
        if attempt.has(extra):
            yield attempt.life.days(1, 5)
            opened = do(OpenReview(deal=deal, ground="fraud", suspicion="The receipt was edited."), steward)
            review = opened.events[0].data["review"]
            yield attempt.life.days(2, 9)
            fields = {"deal": deal, "review": review, "finding": finding, "reasons": "See the file."}
            do(CloseReview.model_validate(fields), steward)
    if attempt.has("finding"):
        yield attempt.life.days(2, 6)
        do(InvalidateOutcome(deal=deal, ground="technical_recording_error", reasons="Wrong deal."), steward)
    if attempt.has("late_verification") and not attempt.poster.verified:
        yield attempt.life.until(week_start(attempt.life.now) + WEEK + attempt.life.dice.between(DAY, 3 * DAY))
        if not attempt.poster.verified:
            verify(attempt.life, attempt.cast, attempt.poster)
