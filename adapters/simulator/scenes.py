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


def when_free(life: Attempt) -> Script[None]:
    """Wait until the agent has no deal between pick and signature."""
    while life.winner.pending:
        yield life.life.hours(1, 3)


def silence(life: Attempt) -> Script[None]:
    """The agent posts no pulse. The sweep opens a review; stewards suspend and restore new work, and close it while an
    ask stops the clock, so that the next review has to be opened by hand."""
    do, steward, agent = life.life.do, life.cast.steward, life.winner
    yield life.life.hours(2, 4)
    yield from when_free(life)
    review = life.life.stage.review_of(life.deal)
    if review is None:
        raise SeasonError(f"{life.life.where()}: no liveness review was opened on a silent deal")
    agent.resting_until = life.life.now + 12 * HOUR
    do(SuspendNewWork(passport=agent.id, review=review), steward)
    yield Wait(11 * HOUR)
    do(RestoreNewWork(passport=agent.id), steward)
    ask = do(OpenAsk(deal=life.deal, question="Shall I wait for the clinic?"), life.worker).id
    yield life.life.hours(1, 2)
    close = CloseLivenessReview(passport=agent.id, review=review, finding="excused", reason="A power cut, shown.")
    do(close, steward)
    yield life.life.minutes(5, 50)
    opened = do(OpenLivenessReview(passport=agent.id, deal=life.deal), steward)
    by_hand = str(opened.events[0].subject)
    yield life.life.hours(1, 3)
    do(AnswerAsk(deal=life.deal, ask=ask, answer="Yes, until Friday."), life.poster.actor)
    yield life.life.hours(3, 6)
    do(CloseLivenessReview(passport=agent.id, review=by_hand, finding="upheld"), steward)


def change_of_system(life: Attempt) -> Script[None]:
    """The agent changes its harness in the middle of the attempt, says so, and declares the next version."""
    yield from when_free(life)
    agent = life.winner
    agent.versions += 1
    life.life.do(RecordConfigChange(deal=life.deal, harness_version=f"h{agent.versions}"), life.worker)
    declare(life.life, agent, start=life.life.stage.clock.now.date().isoformat())


def sales(life: Attempt) -> Script[None]:
    """What the agent built is sold through the platform's link; in the end the agent shuts the link off."""
    do, agent, poster, deal = life.life.do, life.worker, life.poster.actor, life.deal
    link = do(RegisterPaymentLink(deal=deal, person_bp=6_500, address="shop 17"), agent).id
    yield life.life.hours(2, 20)
    do(AgreeSplit(deal=deal, link=link), poster)
    yield life.life.hours(2, 20)
    do(PromoteVenture(deal=deal, link=link), poster)
    for _ in range(3):
        yield life.life.days(1, 3)
        do(RecordExternalSale(deal=deal, gross_cents=life.life.dice.between(5, 90) * CENTS + 1, link=link), SYSTEM)
    if life.has("breach"):
        yield life.life.days(1, 4)
        do(DisablePaymentLink(deal=deal, link=link), agent)


def refusals(life: Attempt) -> None:
    """Every command that exists only to be refused."""
    refused, agent, poster, steward = life.life.refused, life.worker, life.poster.actor, life.cast.steward
    refused(AmendTarget(target=life.target, finish_line="Something easier."), poster, "TB-TARGET-012")
    refused(AssignBand(target=life.target, band="moonshot"), steward, "TB-BAND-003")
    refused(AmendDeal(deal=life.deal, total_cents=life.total_cents * 2), agent, "TB-DEAL-006")
    refused(ReleaseEscrow(deal=life.deal, release="milestone-1", amount_cents=1), poster, "TB-COST-002")
    refused(AppealOutcome(deal=life.deal, statement="It was done well."), agent, "TB-OUT-012")


ALWAYS_REFUSED = frozenset(
    request.__name__ for request in (AmendTarget, AssignBand, AmendDeal, ReleaseEscrow, AppealOutcome)
)
"""The commands that no actor ever gets carried out."""
