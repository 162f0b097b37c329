"""Scenes that need more than one actor: a silent agent under review, a system that changes, sales, the refusals."""

from __future__ import annotations

from ...domain.deal.checkin import OpenLivenessReview
from ...domain.deal.commands import AmendDeal, AnswerAsk, AppealOutcome, OpenAsk, ReleaseEscrow
from ...domain.deal.sales import (
    AgreeSplit,
    DisablePaymentLink,
    PromoteVenture,
    RecordExternalSale,
    RegisterPaymentLink,
)
from ...domain.passport.stewardship import CloseLivenessReview, RestoreNewWork, SuspendNewWork
from ...domain.system_record.commands import RecordConfigChange
from ...domain.target.commands import AmendTarget, AssignBand
from .attempt import CENTS, Attempt
from .cast import SYSTEM, declare
from .stage import HOUR, Script, SeasonError, Wait


def when_free(attempt: Attempt) -> Script[bool]:
    """Wait until the agent has no deal between pick and signature, and its new work is not suspended. False where it
    is too busy: then the scene is left out."""
    agent, life = attempt.winner, attempt.life
    patience = life.now + attempt.share(20, 20).micros
    while agent.pending or agent.resting_until > life.now:
        if life.now > patience:
            return False
        yield life.hours(1, 3)
    return True


def silence(attempt: Attempt) -> Script[None]:
    """The agent posts no pulse. The sweep opens a review; stewards suspend and restore new work, and close it while an
    ask stops the clock, so that the next review has to be opened by hand."""
    do, steward, agent = attempt.life.do, attempt.cast.steward, attempt.winner
    yield attempt.life.hours(2, 4)
    if not (yield from when_free(attempt)):
        return
    review = attempt.life.stage.review_of(attempt.deal)
    if review is None:
        raise SeasonError(f"{attempt.life.where()}: no liveness review was opened on a silent deal")
    agent.resting_until = attempt.life.now + 12 * HOUR
    do(SuspendNewWork(passport=agent.id, review=review), steward)
    yield Wait(11 * HOUR)
    do(RestoreNewWork(passport=agent.id), steward)
    ask = do(OpenAsk(deal=attempt.deal, question="Shall I wait for the clinic?"), attempt.worker).id
    yield attempt.life.hours(1, 2)
    close = CloseLivenessReview(passport=agent.id, review=review, finding="excused", reason="A power cut, shown.")
    do(close, steward)
    yield attempt.life.minutes(5, 50)
    opened = do(OpenLivenessReview(passport=agent.id, deal=attempt.deal), steward)
    by_hand = str(opened.events[0].subject)
    yield attempt.life.hours(1, 3)
    do(AnswerAsk(deal=attempt.deal, ask=ask, answer="Yes, until Friday."), attempt.poster.actor)
    yield attempt.life.hours(3, 6)
    do(CloseLivenessReview(passport=agent.id, review=by_hand, finding="upheld"), steward)


def change_of_system(attempt: Attempt) -> Script[None]:
    """The agent changes its harness in the middle of the attempt, says so, and declares the next version."""
    if not (yield from when_free(attempt)):
        return
    agent = attempt.winner
    agent.versions += 1
    attempt.life.do(RecordConfigChange(deal=attempt.deal, harness_version=f"h{agent.versions}"), attempt.worker)
    declare(attempt.life, agent, start=attempt.life.stage.clock.now.date().isoformat())


def sales(attempt: Attempt) -> Script[None]:
    """What the agent built is sold through the platform's link; in the end the agent shuts the link off."""
    do, agent, poster, deal = attempt.life.do, attempt.worker, attempt.poster.actor, attempt.deal
    link = do(RegisterPaymentLink(deal=deal, person_bp=6_500, address="shop 17"), agent).id
    yield attempt.life.hours(2, 20)
    do(AgreeSplit(deal=deal, link=link), poster)
    yield attempt.life.hours(2, 20)
    do(PromoteVenture(deal=deal, link=link), poster)
    for _ in range(3):
        yield attempt.life.days(1, 3)
        do(RecordExternalSale(deal=deal, gross_cents=attempt.life.dice.between(5, 90) * CENTS + 1, link=link), SYSTEM)
    if attempt.has("breach"):
        yield attempt.life.days(1, 4)
        do(DisablePaymentLink(deal=deal, link=link), agent)


def refusals(attempt: Attempt) -> None:
    """Every command that exists only to be refused."""
    refused, agent, poster, steward = attempt.life.refused, attempt.worker, attempt.poster.actor, attempt.cast.steward
    refused(AmendTarget(target=attempt.target, finish_line="Something easier."), poster, "TB-TARGET-012")
    refused(AssignBand(target=attempt.target, band="moonshot"), steward, "TB-BAND-003")
    refused(AmendDeal(deal=attempt.deal, total_cents=attempt.total_cents * 2), agent, "TB-DEAL-006")
    refused(ReleaseEscrow(deal=attempt.deal, release="milestone-1", amount_cents=1), poster, "TB-COST-002")
    refused(AppealOutcome(deal=attempt.deal, statement="It was done well."), agent, "TB-OUT-012")


ALWAYS_REFUSED = frozenset(
    request.__name__ for request in (AmendTarget, AssignBand, AmendDeal, ReleaseEscrow, AppealOutcome)
)
"""The commands that no actor ever gets carried out."""
