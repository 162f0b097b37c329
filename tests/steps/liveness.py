"""Steps about liveness reviews and the suspension of new work."""

from __future__ import annotations

from typing import Any

from pytest_bdd import given, parsers, then, when

from steps import folk
from steps.lives import Life
from steps.pulses import by_steward, deal, passport
from tollbench.domain.deal.checkin import OpenLivenessReview
from tollbench.domain.deal.commands import SignDeal
from tollbench.domain.passport.stewardship import CloseLivenessReview, RestoreNewWork, SuspendNewWork

NO_REVIEW = "review-00000000-0000-5000-8000-000000000000"


def review(life: Life) -> str:
    """The one liveness review that is open."""
    (found,) = passport(life).reviews
    return found


@given("the bench sets due times of ten minutes")
def ten_minutes(life: Life) -> None:
    book = life.bench.editions
    life.things["shorter"] = book.standing_in(book.current.with_value("TB-PULSE-004", "interval", "PT10M"))
    life.bench.editions = life.things["shorter"]


@given(parsers.parse("{count:d} more silent due times of ten minutes have passed"))
def silent_due_times(life: Life, count: int) -> None:
    for _ in range(count):
        life.clock.forward(minutes=10)
        life.bench.sweep()


@given(parsers.parse('"{name}" is under a liveness review'))
def under_review(life: Life, name: str) -> None:
    life.clock.forward(minutes=90)
    life.bench.sweep()
    assert review(life)


@then("no liveness review is open")
def no_review(life: Life) -> None:
    assert not passport(life).reviews and "liveness.review.opened" not in life.types()


@then(parsers.parse("a liveness review over {misses:d} misses is open"))
def review_open(life: Life, misses: int) -> None:
    event = life.last_event("liveness.review.opened")
    assert event.data == {"deal": deal(life).id, "misses": misses} and event.subject == review(life)


@when("a steward opens a liveness review")
def steward_opens(life: Life) -> None:
    by_steward(life, OpenLivenessReview(passport=passport(life).id, deal=deal(life).id))


@when(parsers.parse('a steward closes the liveness review as "{finding}"'))
def steward_closes(life: Life, finding: Any) -> None:
    by_steward(life, CloseLivenessReview(passport=passport(life).id, review=review(life), finding=finding))


@when(parsers.parse("a steward closes the liveness review and takes back {cents:d} cents"))
def steward_takes_back(life: Life, cents: int) -> None:
    request = CloseLivenessReview(
        passport=passport(life).id, review=review(life), finding="upheld", forfeit_cents=cents
    )
    by_steward(life, request)


@then(parsers.parse('"{name}" still keeps {cents:d} cents'))
def still_keeps(life: Life, name: str, cents: int) -> None:
    assert deal(life).money.accounts["agent"] == cents


@given(parsers.parse('a steward has suspended new work of "{name}"'))
def has_suspended(life: Life, name: str) -> None:
    life.do(SuspendNewWork(passport=life.ids[name], review=review(life)), folk.steward(life))
    assert passport(life).suspended == review(life)


@when(parsers.parse('a steward suspends new work of "{name}" over a review that does not exist'))
def suspends_over_nothing(life: Life, name: str) -> None:
    by_steward(life, SuspendNewWork(passport=life.ids[name], review=NO_REVIEW))


@when(parsers.parse('"{who}" tries to suspend new work of "{name}"'))
def other_suspends(life: Life, who: str, name: str) -> None:
    life.attempt(SuspendNewWork(passport=life.ids[name], review=review(life)), life.actors[who])


@when(parsers.parse('a steward restores new work of "{name}"'))
def restores(life: Life, name: str) -> None:
    by_steward(life, RestoreNewWork(passport=life.ids[name]))


@given(parsers.parse('"{name}" is chosen by "{poster}"'))
def is_chosen(life: Life, name: str, poster: str) -> None:
    target = life.ids[f"want of {poster}"] = folk.want(life, poster)
    folk.chosen(life, target, name)


@given(parsers.parse('"{name}" has a deal for "{poster}" that waits for her signature'))
def waiting_deal(life: Life, name: str, poster: str) -> None:
    is_chosen(life, name, poster)
    life.ids[f"deal of {poster}"] = folk.proposed_deal(life, life.ids[f"want of {poster}"], name)


@when(parsers.parse('"{name}" proposes the deal to "{poster}"'))
def proposes_to(life: Life, name: str, poster: str) -> None:
    life.attempt(folk.deal_card(life, life.ids[f"want of {poster}"], name), life.actors[name])


@when(parsers.parse('"{poster}" signs her deal'))
def signs_hers(life: Life, poster: str) -> None:
    life.attempt(SignDeal(deal=life.ids[f"deal of {poster}"]), life.actors[poster])
