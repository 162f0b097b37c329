"""Steps about wants: intake, card, review, posting, and how a want leaves the board."""

from __future__ import annotations

from typing import Any

from pytest_bdd import given, parsers, then, when

from steps import folk
from steps.lives import Life
from tollbench.domain.commands import Actor
from tollbench.domain.deal.commands import (
    ApproveOutcome,
    EndDeal,
    FundEscrow,
    RecordInterimOutcome,
    RequestOutcomeApproval,
    SignDeal,
)
from tollbench.domain.milestone.commands import FileReceipt
from tollbench.domain.person.commands import CompleteVerification
from tollbench.domain.target.card import FROZEN, agent_view, card_hash
from tollbench.domain.target.commands import (
    AmendTarget,
    BuyPriority,
    CloseTarget,
    DeclineWant,
    GiveTerms,
    PassReview,
    PostTarget,
    RecordIntake,
    RefineTarget,
    RepostTarget,
    WithdrawTarget,
)

THE_WANT = "the want"
INTAKE: dict[str, Any] = {
    "want": "My bicycle is broken and I need it by May",
    "time_and_energy": "two evenings a week",
    "money_and_resources": "100 dollars and a garage",
    "proven_paths": "a shop once did it",
    "budget_cents": 10_000,
    "timeline_seconds": 30 * 86_400,
    "person_contribution": "I can bring the bicycle",
    "location": "12 Elm Street, Portland",
    "region": "Oregon",
    "category": "service",
    "delivery": "location_dependent",
}
CARD: dict[str, Any] = {
    "want": "A bicycle repaired",
    "time_and_energy": "evenings",
    "money_and_resources": "100 dollars",
    "proven_paths": "a shop once did it",
    "finish_line_form": "object_at_door",
    "finish_line": "The repaired bicycle stands at the door",
    "approval_cadence_seconds": 86_400,
    "ownership": "What the money bought belongs to the person",
}
FIELDS = {
    "want": ["want"],
    "baseline": ["time_and_energy", "money_and_resources", "proven_paths"],
    "time and energy": ["time_and_energy"],
    "money and resources": ["money_and_resources"],
    "proven paths": ["proven_paths"],
    "budget": ["budget_cents"],
    "timeline": ["timeline_seconds"],
    "contribution": ["person_contribution"],
    "location": ["location"],
    "region": ["region"],
    "category": ["category"],
    "delivery": ["delivery"],
    "finish line": ["finish_line"],
    "finish line form": ["finish_line_form"],
    "approval cadence": ["approval_cadence_seconds"],
    "ownership": ["ownership"],
}


def value(field: str, written: str) -> Any:
    """What a scenario writes for a field: a whole number where the field is one, text with its escapes resolved."""
    if field.endswith(("_cents", "_seconds")):
        return int(written)
    return written.encode("ascii", "backslashreplace").decode("unicode_escape")


def changed(fields: dict[str, Any], name: str, written: str | None) -> dict[str, Any]:
    """The fields with the one of this name left out or set."""
    return fields | {field: None if written is None else value(field, written) for field in FIELDS[name]}


def poster(life: Life) -> Actor:
    """The poster of the want."""
    return folk.poster_of(life, life.ids[THE_WANT])


def target(life: Life) -> Any:
    """The present state of the want."""
    return life.bench.state(life.ids[THE_WANT])


def recorded(life: Life, name: str, **fields: Any) -> str:
    """A want of this person after intake."""
    life.ids[THE_WANT] = life.do(RecordIntake(**(INTAKE | fields)), folk.person(life, name)).id
    return life.ids[THE_WANT]


def refined(life: Life, name: str, **fields: Any) -> str:
    """A want of this person with a complete card."""
    intake = {field: fields.pop(field) for field in ("budget_cents",) if field in fields}
    recorded(life, name, **intake)
    life.do(RefineTarget(target=life.ids[THE_WANT], **(CARD | fields)), folk.person(life, name))
    return life.ids[THE_WANT]


def terms(life: Life, *left_out: str) -> None:
    """Give the poster every term but those left out."""
    listed = life.bench.law().params("TB-TARGET-015")["terms"]
    told = [term for term in listed if term not in left_out]
    life.do(GiveTerms(target=life.ids[THE_WANT], terms=told), folk.steward(life))


def passing(life: Life, **fields: Any) -> PassReview:
    """A pass on all criteria, but for the fields given."""
    criteria = list(life.bench.law().params("TB-TARGET-013")["criteria"])
    return PassReview(target=life.ids[THE_WANT], **({"criteria": criteria} | fields))


def reviewed(life: Life, name: str, **fields: Any) -> str:
    """A want of this person that a steward may post."""
    refined(life, name, **fields)
    terms(life)
    life.do(passing(life), folk.steward(life))
    return life.ids[THE_WANT]


def posting(life: Life, **fields: Any) -> PostTarget:
    """A posting of the want in the Short class without dials, but for the fields given."""
    told: dict[str, Any] = {"reference_class": "proven_path"}
    return PostTarget(target=life.ids[THE_WANT], **(told | fields))


def posted(life: Life, name: str, odds: dict[str, Any] | None = None, **fields: Any) -> str:
    """A want of this person on the board."""
    reviewed(life, name, **fields)
    life.do(posting(life, **(odds or {})), folk.steward(life))
    return life.ids[THE_WANT]


# -- given -------------------------------------------------------------------------------------------------------------


@given(parsers.parse('a recorded want of "{name}"'))
def a_recorded_want(life: Life, name: str) -> None:
    recorded(life, name)


@given(parsers.parse('a refined want of "{name}"'))
def a_refined_want(life: Life, name: str) -> None:
    refined(life, name)


@given(parsers.parse('a reviewed want of "{name}"'))
def a_reviewed_want(life: Life, name: str) -> None:
    reviewed(life, name)


@given(parsers.parse('a posted want of "{name}"'))
def a_posted_want(life: Life, name: str) -> None:
    posted(life, name)


@given(parsers.parse('a reviewed want of "{name}" with a budget of {cents:d} cents'))
def a_reviewed_want_with_budget(life: Life, name: str, cents: int) -> None:
    reviewed(life, name, budget_cents=cents)


@given(parsers.parse('a reviewed want of "{name}" without {field}'))
def a_reviewed_want_without(life: Life, name: str, field: str) -> None:
    reviewed(life, name, **dict.fromkeys(FIELDS[field]))


@given(parsers.parse('a want with the finish line "{words}", reviewed for "{name}"'))
def a_reviewed_want_ending(life: Life, words: str, name: str) -> None:
    reviewed(life, name, finish_line=value("finish_line", words))


@given(parsers.parse('a refined want of "{name}" whose poster received every term but {term}'))
def a_want_without_a_term(life: Life, name: str, term: str) -> None:
    refined(life, name)
    terms(life, term)
    life.do(passing(life), folk.steward(life))


# -- when --------------------------------------------------------------------------------------------------------------


@when(parsers.parse('"{name}" records a want without {field}'))
def records_without(life: Life, name: str, field: str) -> None:
    life.attempt(RecordIntake(**changed(INTAKE, field, None)), folk.person(life, name))


@when(parsers.parse('"{name}" records a want with {field} "{written}"'))
def records_with(life: Life, name: str, field: str, written: str) -> None:
    life.attempt(RecordIntake(**changed(INTAKE, field, written)), folk.person(life, name))
    if life.done is not None:
        life.ids[THE_WANT] = life.done.id


@when(parsers.parse('"{name}" records a want and says nothing'))
def records_nothing(life: Life, name: str) -> None:
    life.attempt(RecordIntake(), folk.person(life, name))


@when(parsers.parse("the want is refined without {field}"))
def refines_without(life: Life, field: str) -> None:
    fields = changed(CARD, field, None)
    life.attempt(RefineTarget(target=life.ids[THE_WANT], **fields), poster(life))


@when(parsers.parse('the want is refined with {field} "{written}"'))
def refines_with(life: Life, field: str, written: str) -> None:
    name = "budget_ceiling_cents" if field == "budget" else FIELDS[field][0]
    fields = CARD | {name: value(name, written)}
    life.attempt(RefineTarget(target=life.ids[THE_WANT], **fields), poster(life))


@when(parsers.parse('only its {field} is refined to "{written}"'))
def refines_only(life: Life, field: str, written: str) -> None:
    name = FIELDS[field][0]
    life.attempt(RefineTarget(target=life.ids[THE_WANT], **{name: value(name, written)}), poster(life))


@when(parsers.parse("the poster edits the {field} of the posted card"))
def edits_posted(life: Life, field: str) -> None:
    edits: dict[str, Any] = {
        "want": "Another want",
        "finish line": "Another finish",
        "budget": 99,
        "timeline": 99,
        "approval cadence": 99,
        "verification": "verified",
        "p": "0.10",
    }
    names = {"verification": "verification", "p": "p", "budget": "budget_ceiling_cents"}
    name = names.get(field) or FIELDS[field][0]
    life.attempt(AmendTarget(target=life.ids[THE_WANT], **{name: edits[field]}), poster(life))


@when("a steward passes the want")
def steward_passes(life: Life) -> None:
    life.attempt(passing(life), folk.steward(life))


@when(parsers.parse("a steward passes the want without finding it {criterion}"))
def steward_passes_without(life: Life, criterion: str) -> None:
    criteria = [each for each in life.bench.law().params("TB-TARGET-013")["criteria"] if each != criterion]
    life.attempt(passing(life, criteria=criteria), folk.steward(life))


@when(parsers.parse('a steward finds the want "{found}" and passes it'))
def steward_passes_prohibited(life: Life, found: str) -> None:
    life.attempt(passing(life, found=[found]), folk.steward(life))


@given(parsers.parse('a steward declined it as "{reason}"'))
def steward_declined(life: Life, reason: str) -> None:
    life.do(DeclineWant(target=life.ids[THE_WANT], reason_class=reason, reason="We do not do this"), folk.steward(life))


@when(parsers.parse('a steward declines the want as "{reason}" saying "{words}"'))
def steward_declines(life: Life, reason: str, words: str) -> None:
    told = value("reason", words)
    life.attempt(DeclineWant(target=life.ids[THE_WANT], reason_class=reason, reason=told), folk.steward(life))


@when(parsers.parse('a steward declines the want as "{reason}" without a reason in words'))
def steward_declines_dumbly(life: Life, reason: str) -> None:
    life.attempt(DeclineWant(target=life.ids[THE_WANT], reason_class=reason), folk.steward(life))


@when(parsers.parse('a steward declines the want and points to "{door}"'))
def steward_points(life: Life, door: str) -> None:
    told = DeclineWant(target=life.ids[THE_WANT], reason_class="other_door", reason="Not for agents", pointer=door)
    life.attempt(told, folk.steward(life))


@when("a steward posts the want")
def steward_posts(life: Life) -> None:
    life.attempt(posting(life), folk.steward(life))


@when(parsers.parse('"{name}" posts the want'))
def somebody_posts(life: Life, name: str) -> None:
    life.attempt(posting(life), folk.person(life, name))


@when("the poster withdraws the want")
def withdraws(life: Life) -> None:
    life.attempt(WithdrawTarget(target=life.ids[THE_WANT]), poster(life))


@given("the poster withdrew the want")
def withdrew(life: Life) -> None:
    life.do(WithdrawTarget(target=life.ids[THE_WANT]), poster(life))


@when("the poster closes the want")
def closes(life: Life) -> None:
    life.attempt(CloseTarget(target=life.ids[THE_WANT]), poster(life))


@when("the poster posts the want again")
def reposts(life: Life) -> None:
    life.attempt(RepostTarget(target=life.ids[THE_WANT]), poster(life))
    if life.done is not None:
        life.ids["the new want"] = life.done.id


@when(parsers.parse('"{name}" posts the want of "{other}" again'))
def reposts_of_other(life: Life, name: str, other: str) -> None:
    life.attempt(RepostTarget(target=life.ids[THE_WANT]), folk.person(life, name))


@when(parsers.parse("the poster buys priority for {cents:d} cents"))
def buys_priority(life: Life, cents: int) -> None:
    life.attempt(BuyPriority(target=life.ids[THE_WANT], fee_cents=cents), poster(life))


# -- then --------------------------------------------------------------------------------------------------------------


@then(parsers.parse("TB-{rule} names {fields}"))
def names_fields(life: Life, rule: str, fields: str) -> None:
    named = [problem.field for problem in life.refused if problem.rule == f"TB-{rule}"]
    assert named == [field.strip() for field in fields.split(",")]


@then(parsers.parse('the want is in the tier "{tier}"'))
def in_tier(life: Life, tier: str) -> None:
    known = life.bench.law().params("TB-TARGET-007")["tiers"]
    assert tier in known
    assert life.last_event("target.posted").data["budget_tier"] == tier == target(life).tier


@then(parsers.parse('the ledger holds "{words}" nowhere'))
def ledger_lacks(life: Life, words: str) -> None:
    assert all(words.encode() not in body for _, body in life.bench.log())


@then(parsers.parse("the card is at version {version:d} and states all six fields"))
def card_version(life: Life, version: int) -> None:
    data = life.last_event("target.card.refined").data
    assert data["card_version"] == version
    assert data["fields"] == list(life.bench.law().params("TB-TARGET-008")["card_fields"])


@then("the posted card has one version and a hash over every frozen field")
def card_is_frozen(life: Life) -> None:
    data = life.last_event("target.posted").data
    assert data["card_version"] == 1
    assert data["card_hash"] == card_hash(data)
    for field in FROZEN:
        assert card_hash(dict(data) | {field: "something else"}) != data["card_hash"]


@then("the card on the ledger is as it was posted")
def card_unchanged(life: Life) -> None:
    data = life.last_event("target.posted").data
    state = target(life)
    assert (state.card, state.card_hash, state.verification) == (data["card"], card_hash(data), data["verification"])
    assert life.types().count("target.posted") == 1


@then(parsers.parse('the card says the person is "{status}" and the person is verified now'))
def verified_later(life: Life, status: str) -> None:
    assert target(life).verification == status
    assert life.bench.state(target(life).person).verified


@then("an agent is given the six card fields and no identity")
def agent_sees(life: Life) -> None:
    state = target(life)
    view = agent_view(life.bench.law(), state)
    assert list(view) == list(life.bench.law().params("TB-TARGET-014")["agent_view_fields"])
    assert all(view.values())
    assert state.person not in str(view) and "Ada" not in str(view)


@then(parsers.parse('the posted want carries category "{category}", delivery "{delivery}" and "{verification}"'))
def carries_strata(life: Life, category: str, delivery: str, verification: str) -> None:
    data = life.last_event("target.posted").data
    assert (data["category"], data["delivery"], data["verification"]) == (category, delivery, verification)


@then("the want is on the board with its odds")
def on_the_board(life: Life) -> None:
    state = target(life)
    assert state.open and state.card is not None and state.p is not None
    assert life.last_event("target.posted").data["p"] == str(state.p)


@then("anyone can read the want and its baseline from the ledger")
def readable(life: Life) -> None:
    card = life.last_event("target.posted").data["card"]
    assert card["want"] == CARD["want"]
    assert card["baseline"]["time_and_energy"] == CARD["time_and_energy"]


@then("the want is not on the board")
def off_the_board(life: Life) -> None:
    assert not target(life).open
    assert "target.posted" not in life.types()


@then(parsers.parse('the want is closed as "{state}" and no attempt was made'))
def closed_as(life: Life, state: str) -> None:
    assert target(life).status == state
    assert "deal.signed" not in life.types() and "deal.resolved" not in life.types()


@then(parsers.parse('the poster can read the reason "{words}" and the ledger cannot'))
def reason_readable(life: Life, words: str) -> None:
    commitment = life.last_event("target.review.declined").data["reason_commitment"]
    assert life.bench.reveal(commitment, by=poster(life)) == {"reason": words}
    ledger_lacks(life, words)


@then(parsers.parse('the decline points to "{door}"'))
def points_to(life: Life, door: str) -> None:
    assert life.last_event("target.review.declined").data["pointer"] == door


@then("the decline points nowhere")
def points_nowhere(life: Life) -> None:
    assert "pointer" not in life.last_event("target.review.declined").data


@then("the new want carries the receipts, the plan and the card of the old one, and has no odds yet")
def carries_assets(life: Life) -> None:
    old, new = target(life), life.bench.state(life.ids["the new want"])
    assert new.repost_of == old.id and new.p is None and new.status == "refined"
    assert new.receipts == tuple(life.things["receipts"]) and new.receipts
    assert new.plan_commitment == old.proposals[old.chosen].commitment
    body = life.bench.reveal(new.card_commitment, by=poster(life))
    assert body["want"] == old.card["want"] and body["finish_line"] == old.finish_line


@then(parsers.parse("a fee line of {cents:d} cents stands on the want and on no deal"))
def fee_line(life: Life, cents: int) -> None:
    event = life.last_event("target.priority_purchased")
    assert event.data == {"fee_cents": cents} and event.stream == life.ids[THE_WANT]
    assert target(life).priority_fees_cents == cents


# -- deals on the want -----------------------------------------------------------------------------------------------


@given(parsers.parse('the poster chose the proposal of "{agent}" on the want'))
def chose(life: Life, agent: str) -> None:
    folk.chosen(life, life.ids[THE_WANT], agent)


@given(parsers.parse('"{agent}" proposed a deal on the want'))
def proposed(life: Life, agent: str) -> None:
    folk.chosen(life, life.ids[THE_WANT], agent)
    life.ids["the deal"] = folk.proposed_deal(life, life.ids[THE_WANT], agent)


@given(parsers.parse('a signed deal of "{agent}" on the want'))
def signed(life: Life, agent: str) -> None:
    folk.chosen(life, life.ids[THE_WANT], agent)
    folk.signed_deal(life, life.ids[THE_WANT], agent)


@given(parsers.parse('"{agent}" filed a receipt on the want'))
def filed(life: Life, agent: str) -> None:
    digest = "sha256:" + "ab" * 32
    life.do(FileReceipt(deal=life.ids["the deal"], milestone=1, sha256=digest), folk.agent(life, agent))
    life.things["receipts"] = [digest]


@given("the deal on the want ran out of time")
def ran_out(life: Life) -> None:
    life.clock.forward(days=21)
    life.bench.sweep()
    assert life.bench.state(life.ids["the deal"]).resolution == "expired"


@given("the poster ended the deal on the want")
def ended(life: Life) -> None:
    life.do(EndDeal(deal=life.ids["the deal"]), poster(life))


@given(parsers.parse('the deal of "{agent}" on the want was delivered'))
def was_delivered(life: Life, agent: str) -> None:
    deal = life.ids["the deal"]
    life.do(FundEscrow(deal=deal, amount_cents=10_000), poster(life))
    life.do(RequestOutcomeApproval(deal=deal), folk.agent(life, agent))
    life.do(ApproveOutcome(deal=deal), poster(life))


@when(parsers.parse('"{agent}" proposes a deal on the want'))
def proposes(life: Life, agent: str) -> None:
    folk.attested(life, life.ids[THE_WANT], agent)
    life.attempt(folk.deal_card(life, life.ids[THE_WANT], agent), folk.agent(life, agent))


@when("the poster signs the deal on the want")
def signs(life: Life) -> None:
    life.attempt(SignDeal(deal=life.ids["the deal"]), poster(life))


@when("the identity of the poster is checked later")
def checked_later(life: Life) -> None:
    told = CompleteVerification(person=poster(life).id, checks=["identity", "uniqueness"])
    life.attempt(told, folk.steward(life))


@when(parsers.parse('"{agent}" records the outcome "{words}" on the way to the want'))
def on_the_way(life: Life, agent: str, words: str) -> None:
    life.attempt(RecordInterimOutcome(deal=life.ids["the deal"], what=words), folk.agent(life, agent))


@then("the outcome on the way is a commitment on the ledger and the deal still runs")
def interim_recorded(life: Life) -> None:
    event = life.last_event("deal.interim_outcome.recorded")
    assert list(event.data) == ["outcome_commitment"] and event.stream == life.ids["the deal"]
    assert life.bench.state(life.ids["the deal"]).status == "signed"


@given("the board was read")
def board_read(life: Life) -> None:
    life.things["board"] = life.bench.board()


@then(parsers.parse('all that moved on the board is that "{agent}" passed one more want over'))
def only_passed_moved(life: Life, agent: str) -> None:
    before, after = life.things["board"], life.bench.board()
    for board in (before, after):
        del board["header"]["log_position"]
    passed = [next(each for each in board["agents"] if each["agent"] == life.ids[agent]) for board in (before, after)]
    was, now = (each.pop("accepted_passed") for each in passed)
    assert now["passed"] == was["passed"] + 1 and now["accepted"] == was["accepted"]
    assert before == after


@then(parsers.parse("the want has {count:d} attempt"))
def attempts(life: Life, count: int) -> None:
    deals = [life.bench.state(stream) for stream in life.bench.related("deals_of_target", life.ids[THE_WANT])]
    assert sum(deal.status == "signed" for deal in deals) == count


@when(parsers.parse('"{name}" passes the own want'))
def passes_own(life: Life, name: str) -> None:
    life.attempt(passing(life), folk.person(life, name))


@when(parsers.parse('the steward gives the terms on "{term}"'))
def gives_terms(life: Life, term: str) -> None:
    life.attempt(GiveTerms(target=life.ids[THE_WANT], terms=[term]), folk.steward(life))
