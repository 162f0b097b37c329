"""Steps about bidding: proposals, finalists, questions, the pick, and who may read what."""

from __future__ import annotations

from typing import Any

from pytest_bdd import given, parsers, then, when

from steps import folk
from steps.lives import Life
from tollbench.domain.commands import Actor
from tollbench.domain.deal.commands import DeclineDeal
from tollbench.domain.target.bid_commands import (
    AnswerQuestion,
    AskQuestion,
    ChooseProposal,
    NameFinalist,
    PlanStep,
    WithdrawProposal,
)
from tollbench.domain.target.commands import BuyPriority, CloseTarget, RecordIntake, WithdrawTarget

BIDDERS = ("alder", "birch", "cedar", "dogwood")
UNKNOWN = Actor("agent", "passport-00000000-0000-5000-8000-000000000000")


def bid(life: Life, name: str) -> str:
    """The proposal of this agent on the want of the scenario."""
    return folk.proposal(life, life.ids["the want"], name)


def poster(life: Life) -> Actor:
    """The poster of the want of the scenario."""
    return folk.poster_of(life, life.ids["the want"])


def choose(life: Life, name: str) -> ChooseProposal:
    return ChooseProposal(target=life.ids["the want"], proposal=bid(life, name))


def name_it(life: Life, name: str) -> NameFinalist:
    return NameFinalist(target=life.ids["the want"], proposal=bid(life, name))


def submit(life: Life, who: str | Actor, **fields: Any) -> None:
    """Try to file a proposal as this actor, or as the agent of this name."""
    by = folk.agent(life, who) if isinstance(who, str) else who
    life.attempt(folk.plan(life.ids["the want"], **fields), by)


@given("a posted want")
def a_posted_want(life: Life) -> None:
    folk.want(life)


@given("a want posted with card version 2")
def second_version(life: Life) -> None:
    folk.want(life, second_version=True)


@given(parsers.parse("a want that is {state}"))
def want_in_state(life: Life, state: str) -> None:
    if state == "not yet posted":
        intake = RecordIntake(
            want="A wall painted",
            time_and_energy="weekends",
            money_and_resources="none",
            proven_paths="none",
            budget_cents=0,
            timeline_seconds=86_400,
            person_contribution="the paint",
            location="12 Elm Street",
            region="Oregon",
            category="home",
            delivery="location_dependent",
        )
        life.ids["the want"] = life.do(intake, folk.person(life, "Ada")).id
        return
    target = folk.want(life)
    if state == "withdrawn":
        life.do(WithdrawTarget(target=target), poster(life))
    elif state == "closed without pick":
        life.do(CloseTarget(target=target), poster(life))
    else:
        folk.chosen(life, target, "alder")


@given(parsers.parse("a posted want with {count:d} bids"))
def want_with_bids(life: Life, count: int) -> None:
    folk.want(life)
    for name in BIDDERS[:count]:
        bid(life, name)


@given(parsers.parse('"{name}" has bid on it'))
def has_bid(life: Life, name: str) -> None:
    bid(life, name)


@when("a system without a Passport bids on it")
def unregistered_bids(life: Life) -> None:
    submit(life, UNKNOWN)


@when(parsers.parse('"{name}" bids on it'))
def bids_on_it(life: Life, name: str) -> None:
    submit(life, life.actors.get(name) or name)


@when(parsers.parse('"{name}" bids on card version {version:d}'))
def bids_on_version(life: Life, name: str, version: int) -> None:
    submit(life, name, card_version=version)


@when(parsers.parse('"{name}" bids with {count:d} steps'))
def bids_with_steps(life: Life, name: str, count: int) -> None:
    step = PlanStep(what="Do it", time_seconds=60, person_approval="the whole")
    submit(life, name, steps=[step] * count)


@when(parsers.parse('"{name}" bids with a second step whose "{part}" is {value}'))
def bids_with_broken_step(life: Life, name: str, part: str, value: str) -> None:
    step: dict[str, Any] = {"what": "Do it", "time_seconds": 60, "person_approval": "the whole"}
    broken = {**step, part: " \t "}
    if value == "missing":
        del broken[part]
    submit(life, name, steps=[PlanStep(**step), PlanStep(**broken)])


@when(parsers.parse('"{name}" asks {total:d} cents, split {ad_spend:d}, {tools:d} and {own_work:d}'))
def asks_split(life: Life, name: str, total: int, ad_spend: int, tools: int, own_work: int) -> None:
    heads = {"ad_spend": ad_spend, "tools": tools, "own_work": own_work}
    submit(life, name, total_cents=total, allocation=heads)


@when(parsers.parse('"{name}" asks {total:d} cents without saying for what'))
def asks_unsplit(life: Life, name: str, total: int) -> None:
    submit(life, name, total_cents=total, allocation=None)


@when(
    parsers.parse('"{name}" asks 10000 cents with steps of {first:d} and {second:d} and {finish:d} for the finish line')
)
def asks_steps(life: Life, name: str, first: int, second: int, finish: int) -> None:
    steps = [
        PlanStep(what="Do it", time_seconds=60, person_approval="it", amount_cents=cents) for cents in (first, second)
    ]
    submit(life, name, steps=steps, outcome_cents=finish)


@when(parsers.parse('"{name}" bids on it, superseding its bid'))
def supersedes_own(life: Life, name: str) -> None:
    submit(life, name, supersedes=bid(life, name))


@when(parsers.parse('"{name}" bids on it, superseding the bid of "{other}"'))
def supersedes_other(life: Life, name: str, other: str) -> None:
    submit(life, name, supersedes=bid(life, other))


@given(parsers.parse('"{name}" has withdrawn its bid'))
def has_withdrawn(life: Life, name: str) -> None:
    life.do(WithdrawProposal(target=life.ids["the want"], proposal=bid(life, name)), folk.agent(life, name))


@when(parsers.parse('"{name}" withdraws its bid'))
def withdraws(life: Life, name: str) -> None:
    life.attempt(WithdrawProposal(target=life.ids["the want"], proposal=bid(life, name)), folk.agent(life, name))


# -- finalists and the pick ------------------------------------------------------------------------------------------


@given(parsers.parse("{count:d} of them are finalists"))
def finalists(life: Life, count: int) -> None:
    for name in BIDDERS[:count]:
        life.do(name_it(life, name), poster(life))
    life.things["named"] = count


@given("the first of them has withdrawn")
def first_withdraws(life: Life) -> None:
    has_withdrawn(life, BIDDERS[0])


@when("the person names the next one")
def names_next(life: Life) -> None:
    place = life.things.get("named", 0)
    life.attempt(name_it(life, BIDDERS[place]), poster(life))


@when("the person names the same one again")
def names_again(life: Life) -> None:
    names_next(life)


@when(parsers.parse('"{name}" names the first of them'))
def other_names(life: Life, name: str) -> None:
    life.attempt(name_it(life, BIDDERS[0]), folk.person(life, name))


@given("the person has chosen the first of them")
def first_chosen(life: Life) -> None:
    life.do(choose(life, BIDDERS[0]), poster(life))


@given(parsers.parse('the person has chosen "{name}"'))
def has_chosen(life: Life, name: str) -> None:
    life.do(choose(life, name), poster(life))


@given("its deal was proposed")
def deal_proposed(life: Life) -> None:
    folk.system(life, BIDDERS[0])
    life.ids["the deal"] = folk.proposed_deal(life, life.ids["the want"], BIDDERS[0])


@given("its deal was proposed and declined")
def deal_declined(life: Life) -> None:
    deal_proposed(life)
    life.do(DeclineDeal(deal=life.ids["the deal"]), poster(life))


@when("the person chooses the second of them")
def second_chosen(life: Life) -> None:
    life.attempt(choose(life, BIDDERS[1]), poster(life))


@when(parsers.parse('the person chooses "{name}"'))
def chooses(life: Life, name: str) -> None:
    life.attempt(choose(life, name), poster(life))


@when("the person closes the want without choosing")
def closes(life: Life) -> None:
    life.attempt(CloseTarget(target=life.ids["the want"]), poster(life))


@given(parsers.parse('"{name}" is a finalist, then {event}'))
def finalist_then(life: Life, name: str, event: str) -> None:
    life.do(name_it(life, name), poster(life))
    if event == "nothing more happens":
        return
    has_chosen(life, name)
    if event == "its deal is signed":
        folk.system(life, name)
        folk.signed_deal(life, life.ids["the want"], name)


# -- questions ---------------------------------------------------------------------------------------------------------


def ask(life: Life, name: str) -> AskQuestion:
    return AskQuestion(target=life.ids["the want"], proposal=bid(life, name), text="Which parts do you use?")


def answer(life: Life, name: str, number: int) -> AnswerQuestion:
    target, proposal = life.ids["the want"], bid(life, name)
    return AnswerQuestion(target=target, proposal=proposal, question=number, text="New ones")


@given(parsers.parse('"{name}" is a finalist who was asked a question'))
def asked_finalist(life: Life, name: str) -> None:
    life.do(name_it(life, name), poster(life))
    life.do(ask(life, name), poster(life))


@given(parsers.parse('"{name}" is a finalist who has answered a question'))
def answered_finalist(life: Life, name: str) -> None:
    asked_finalist(life, name)
    life.do(answer(life, name, 1), folk.agent(life, name))


@when(parsers.parse('the person asks "{name}" a question'))
def asks_question(life: Life, name: str) -> None:
    life.attempt(ask(life, name), poster(life))


@when(parsers.parse('"{name}" answers question {number:d}'))
def answers(life: Life, name: str, number: int) -> None:
    life.attempt(answer(life, name, number), folk.agent(life, name))


@when(parsers.parse('"{name}" answers the question put to "{other}"'))
def answers_for(life: Life, name: str, other: str) -> None:
    life.attempt(answer(life, other, 1), folk.agent(life, name))


# -- reading -----------------------------------------------------------------------------------------------------------


def proposal_row(life: Life, name: str) -> str:
    proposal = bid(life, name)
    return str(life.bench.state(life.ids["the want"]).proposals[proposal].commitment)


@when(parsers.parse('"{name}" opens its own proposal'))
def opens_own(life: Life, name: str) -> None:
    life.read(proposal_row(life, name), folk.agent(life, name))


@when(parsers.parse('"{name}" opens the proposal of "{other}"'))
def opens_other(life: Life, name: str, other: str) -> None:
    row = proposal_row(life, other)
    life.read(row, folk.person(life, name) if name[0].isupper() else folk.agent(life, name))


@when(parsers.parse('the poster opens the proposal of "{name}"'))
def poster_opens(life: Life, name: str) -> None:
    life.read(proposal_row(life, name), poster(life))


@when(parsers.parse('a steward opens the proposal of "{name}"'))
def steward_opens(life: Life, name: str) -> None:
    life.read(proposal_row(life, name), folk.steward(life))


@when(parsers.parse('"{name}" opens the answer of "{other}"'))
def opens_answer(life: Life, name: str, other: str) -> None:
    life.read(life.last_event("proposal.answer_filed").data["answer_commitment"], folk.agent(life, name))


@then("the plan is shown")
def plan_shown(life: Life) -> None:
    assert not life.refused and life.things["read"]["pitch"] == "Steady hands"


@then("no word of the plan is in the log")
def plan_not_in_log(life: Life) -> None:
    log = b"".join(body for _, body in life.bench.log())
    assert life.last_event("proposal.submitted").data["proposal_commitment"].startswith("sha256:")
    for words in ("Order the parts", "the test ride", "Steady hands", "own_work"):
        assert words.encode() not in log


@then("the want can still be read by anybody")
def want_is_public(life: Life) -> None:
    assert life.last_event("target.posted").data["card"]["want"] == "A bicycle repaired"


@then(parsers.parse("the bid on the ledger cites card version {version:d}"))
def bid_cites(life: Life, version: int) -> None:
    assert life.last_event("proposal.submitted").data["card_version"] == version


@then(parsers.parse("the ledger holds {count:d} naming"))
def namings(life: Life, count: int) -> None:
    assert life.types().count("proposal.finalist_named") == count


@then(parsers.parse('one proposal of "{name}" stands and one is superseded'))
def stands_and_superseded(life: Life, name: str) -> None:
    passport = life.ids[name]
    proposals = life.bench.state(life.ids["the want"]).proposals.values()
    assert sorted(p.status for p in proposals if p.passport == passport) == ["open", "superseded"]


# -- the acceptance gift -----------------------------------------------------------------------------------------------


@given(parsers.parse("a posted want whose poster bought priority for {fee:d} cents"))
def want_with_priority(life: Life, fee: int) -> None:
    target = folk.want(life)
    life.do(BuyPriority(target=target, fee_cents=fee), poster(life))


@when(parsers.parse('the deal of "{name}" on it is signed'))
def deal_signed(life: Life, name: str) -> None:
    folk.chosen(life, life.ids["the want"], name)
    folk.signed_deal(life, life.ids["the want"], name)


@then(parsers.parse('an acceptance gift of {cents:d} cents goes to "{name}"'))
def gift(life: Life, cents: int, name: str) -> None:
    event = life.last_event("deal.acceptance_gift_paid")
    assert event.stream == life.ids["the deal"]
    assert event.data == {"passport": life.ids[name], "amount_cents": cents}


@then("the money of the deal holds nothing of it")
def gift_is_no_cost(life: Life) -> None:
    assert life.bench.state(life.ids["the deal"]).money.accounts == {"person": 0, "escrow": 0, "agent": 0}
    (row,) = life.bench.facts().attempts
    assert row.c_cents == 0 and not row.subsidy


@then("there is no acceptance gift")
def no_gift(life: Life) -> None:
    assert "deal.acceptance_gift_paid" not in life.types()


@when(parsers.parse('"{name}" asks for {cents:d} cents within {seconds:d} seconds'))
def asks_for(life: Life, name: str, cents: int, seconds: int) -> None:
    heads = {"ad_spend": 0, "tools": 0, "own_work": cents}
    submit(life, name, total_cents=cents, allocation=heads, timeline_seconds=seconds)
