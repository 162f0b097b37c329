"""Steps about integrity: reviews, findings, invalidation, screening, related parties."""

from __future__ import annotations

from typing import Any

from pytest_bdd import given, parsers, then, when

from steps import folk
from steps.lives import Life
from steps.pulses import RECEIPT, actor, deal, deal_events, running
from tollbench.domain.commands import Actor
from tollbench.domain.deal.commands import (
    ApproveOutcome,
    EndDeal,
    FundEscrow,
    RequestOutcomeApproval,
    SettlePayment,
    SignDeal,
)
from tollbench.domain.deal.reviews import (
    CloseReview,
    InvalidateOutcome,
    OpenReview,
    RecordRelatedParty,
    RecordScreening,
)
from tollbench.domain.deal.state import Deal
from tollbench.domain.milestone.commands import ApproveMilestone, FileReceipt, RequestApproval
from tollbench.domain.person.commands import RegisterPerson


def deliver(life: Life, id: str, name: str = "alder") -> None:
    """Take a running attempt to a paid, settled delivery with every step approved."""
    state = Deal.of(life.bench, id)
    poster, agent = Actor("person", state.person), life.actors[name]
    if state.total_cents and not state.money.funded:
        life.do(FundEscrow(deal=id, amount_cents=state.total_cents), poster)
    for step in state.milestones.values():
        if step.status != "approved":
            life.do(FileReceipt(deal=id, milestone=step.number, sha256=RECEIPT), agent)
            life.do(RequestApproval(deal=id, milestone=step.number), agent)
            life.do(ApproveMilestone(deal=id, milestone=step.number), poster)
    life.do(RequestOutcomeApproval(deal=id), agent)
    life.do(ApproveOutcome(deal=id), poster)
    if state.total_cents:
        life.do(SettlePayment(deal=id, amount_cents=state.total_cents), Actor.system())


def open_reviews(life: Life) -> list[str]:
    """The open reviews of the attempt, oldest first."""
    return list(deal(life).reviews)


# -- attempts ----------------------------------------------------------------------------------------------------------


@given(parsers.parse('a delivered attempt of "{name}" for "{poster}"'))
def delivered_attempt(life: Life, name: str, poster: str) -> None:
    deliver(life, running(life, name, poster), name)


@given(parsers.parse('a missed attempt of "{name}" for "{poster}"'))
def missed_attempt(life: Life, name: str, poster: str) -> None:
    life.do(EndDeal(deal=running(life, name, poster)), life.actors[poster])


@when("the attempt is delivered")
def is_delivered(life: Life) -> None:
    deliver(life, deal(life).id)


# -- reviews -----------------------------------------------------------------------------------------------------------


@when(parsers.parse('a steward opens a review on the ground "{ground}"'))
def steward_opens(life: Life, ground: str) -> None:
    life.attempt(OpenReview(deal=deal(life).id, ground=ground, suspicion="One card paid twice"), folk.steward(life))


@given(parsers.parse('a steward has opened a review on the ground "{ground}"'))
def steward_has_opened(life: Life, ground: str) -> None:
    life.ids["the review"] = life.do(OpenReview(deal=deal(life).id, ground=ground), folk.steward(life)).id


@when(parsers.parse('"{who}" opens a review on the ground "{ground}"'))
def other_opens(life: Life, who: str, ground: str) -> None:
    life.attempt(OpenReview(deal=deal(life).id, ground=ground), life.actors[who])


@given(parsers.parse('the review is closed as "{finding}"'))
@when(parsers.parse('a steward closes the review as "{finding}"'))
def steward_closes(life: Life, finding: Any) -> None:
    life.do(CloseReview(deal=deal(life).id, review=open_reviews(life)[0], finding=finding), folk.steward(life))


@when(parsers.parse('a steward closes the same review as "{finding}"'))
def closes_again(life: Life, finding: Any) -> None:
    request = CloseReview(deal=deal(life).id, review=life.ids["the review"], finding=finding)
    life.attempt(request, folk.steward(life))


@when(parsers.parse('a steward invalidates the outcome on the ground "{ground}"'))
def invalidates(life: Life, ground: str) -> None:
    request = InvalidateOutcome(deal=deal(life).id, ground=ground, reasons="As the bank says")
    life.attempt(request, folk.steward(life))


@given(parsers.parse('a steward has invalidated the outcome on the ground "{ground}"'))
def has_invalidated(life: Life, ground: str) -> None:
    life.do(InvalidateOutcome(deal=deal(life).id, ground=ground), folk.steward(life))


@then(parsers.parse('the attempt went from "{old}" to "{new}" on the ground "{ground}"'))
def went(life: Life, old: str, new: str, ground: str) -> None:
    change = life.last_event("outcome.integrity_changed")
    assert change.stream == deal(life).id
    assert (change.data["from"], change.data["to"], change.data["ground"]) == (old, new, ground)
    assert deal(life).integrity == new


@then(parsers.re(r"the attempt is (?P<state>official|provisional|invalidated)"))
def attempt_is(life: Life, state: str) -> None:
    assert deal(life).integrity == state


@then(parsers.parse("the integrity of the attempt changed {count:d} times"))
def changed_times(life: Life, count: int) -> None:
    assert [e.type for e in deal_events(life)].count("outcome.integrity_changed") == count


@then(parsers.parse("its outcome is still {o:d}, with every event before in its place"))
def still_auditable(life: Life, o: int) -> None:
    events = deal_events(life)
    assert [event.version for event in events] == list(range(1, len(events) + 1))
    assert deal(life).o == o and life.last_event("deal.resolved").data["o"] == o
    assert {"deal.signed", "milestone.approved", "outcome.approved", "payment.settled"} <= {e.type for e in events}


@then(
    parsers.re(
        r"the board counts (?P<n>\d+) official attempts?, (?P<out>\d+) invalidated, "
        r"(?:with a rating of (?P<rating>\S+)|without a rating)"
    )
)
def board_counts(life: Life, n: str, out: str, rating: str | None) -> None:
    board = life.bench.board()
    counts = board["overall"]["counts"]
    assert (counts["resolved_official"], counts["invalidated"]) == (int(n), int(out))
    assert board["overall"]["bench_rating"]["value"] == (rating or "0.00")
    assert board["overall"]["success_rate"]["value"] == {"0": None, "1": "1" if rating == "0.30" else "0"}[n]
    assert [row["deal"] for row in board["attempts"]] == [deal(life).id]


# -- screening ---------------------------------------------------------------------------------------------------------


def screening(life: Life, *indicators: str) -> RecordScreening:
    return RecordScreening(deal=deal(life).id, indicators=list(indicators), evidence="Same phone, 04:10 and 04:12")


@when(parsers.parse('screening sees "{first}" and "{second}"'))
def sees(life: Life, first: str, second: str) -> None:
    life.attempt(screening(life, first, second), Actor.system())


@given(parsers.parse('screening has seen "{first}" and "{second}"'))
def has_seen(life: Life, first: str, second: str) -> None:
    life.do(screening(life, first, second), Actor.system())


@then(parsers.parse('the screening record names "{first}" and "{second}"'))
def names(life: Life, first: str, second: str) -> None:
    assert life.last_event("integrity.screening.recorded").data["indicators"] == [first, second]


@when(parsers.parse('"{who}" reads the screening evidence'))
def reads_evidence(life: Life, who: str) -> None:
    sealed = life.last_event("integrity.screening.recorded").data["evidence_commitment"]
    life.read(sealed, actor(life, who))


@then("the evidence is shown")
def evidence_shown(life: Life) -> None:
    assert not life.refused and life.things["read"]["text"].startswith("Same phone")


# -- related parties ---------------------------------------------------------------------------------------------------


@given(
    parsers.re(
        r'a (?P<kind>paid|free) deal between "(?P<poster>\w+)" as the person and "(?P<operator>\w+)" as the operator'
    )
)
def deal_between(life: Life, kind: str, poster: str, operator: str) -> None:
    for name, role in ((operator, "operator"), (poster, "person")):
        if name not in life.ids:
            capacity: list[Any] = ["person", "operator"] if poster == operator else [role]
            life.ids[name] = life.do(RegisterPerson(capacity=capacity, name=name), Actor.system()).id
        life.actors[name] = Actor("operator" if role == "operator" else "person", life.ids[name])
    by = Actor("operator", life.ids[operator])
    life.actors[operator] = by
    folk.agent(life, "alder", operator)
    folk.system(life, "alder")
    life.actors[poster] = Actor("person", life.ids[poster])
    _propose(life, poster, free=kind == "free")


@given("another paid deal between the two")
def another_deal(life: Life) -> None:
    _propose(life, "Ada")


def _propose(life: Life, poster: str, *, free: bool = False) -> None:
    target = folk.want(life, poster)
    nothing = {"ad_spend": 0, "tools": 0, "own_work": 0}
    plan: dict[str, Any] = {}
    card: dict[str, Any] = {}
    if free:
        one = folk.plan(target).steps[0].model_copy(update={"amount_cents": 0})
        plan = {"total_cents": 0, "allocation": nothing, "steps": [one], "outcome_cents": 0}
        step = folk.Step(what="The parts list is approved")
        card = {"total_cents": 0, "allocation": nothing, "steps": [step], "outcome_cents": 0}
    folk.proposal(life, target, "alder", **plan)
    folk.chosen(life, target, "alder")
    life.ids["the deal between"] = folk.proposed_deal(life, target, "alder", **card)


def _found(life: Life, related: bool) -> RecordRelatedParty:
    id = life.ids.get("the deal between") or deal(life).id
    return RecordRelatedParty(deal=id, related=related, reasons="One company register entry")


@given(parsers.re(r"a steward has found them (?P<what>not to be|to be) one party"))
def has_found_related(life: Life, what: str) -> None:
    life.do(_found(life, what == "to be"), folk.steward(life))


@when("a steward finds them to be one party")
def finds_related(life: Life) -> None:
    life.attempt(_found(life, True), folk.steward(life))


@when("the deal between them is signed")
def is_signed(life: Life) -> None:
    id = life.ids["the deal between"]
    life.attempt(SignDeal(deal=id), Actor("person", Deal.of(life.bench, id).person))
