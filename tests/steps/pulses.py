"""Steps about work pulses: posting, missing, reading, and what they leave untouched."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from pytest_bdd import given, parsers, then, when

from steps import folk
from steps.lives import Life
from tollbench.adapters.pulses import liveness, pulses
from tollbench.adapters.views import fold_in_memory
from tollbench.domain.commands import Actor, Command
from tollbench.domain.deal.checkin import PostCheckIn, SweepOverdue, pulse_due
from tollbench.domain.deal.commands import AnswerAsk, EndDeal, FundEscrow, OpenAsk
from tollbench.domain.deal.state import Deal
from tollbench.domain.milestone.commands import ApproveMilestone, DeclineMilestone, FileReceipt, RequestApproval
from tollbench.domain.passport.state import Passport
from tollbench.projections.board import board_of
from tollbench.projections.facts import ledger
from tollbench.projections.pulses import PublicPulses, PulseView
from tollbench.protocol import envelope, instants

RECEIPT = "sha256:" + "ab" * 32


# -- short ways --------------------------------------------------------------------------------------------------------


def running(life: Life, name: str = "alder", poster: str = "Ada", **fields: Any) -> str:
    """A signed deal of this agent with a verified poster; its id."""
    folk.verified(life, poster)
    if not life.bench.related("systems_of_passport", folk.agent(life, name).id):
        folk.system(life, name)
    target = folk.want(life, poster)
    life.ids[f"want of {poster}"] = target
    folk.chosen(life, target, name)
    deal = folk.signed_deal(life, target, name, **fields)
    life.ids[f"deal of {poster}"] = deal
    return deal


def deal(life: Life) -> Deal:
    """The attempt of the scenario."""
    return Deal.of(life.bench, life.ids["deal of Ada"])


def deal_events(life: Life) -> list[Any]:
    """The events of the attempt, in order."""
    return [event for event in life.bench.events() if event.stream == deal(life).id]


def check_in(life: Life, **fields: Any) -> PostCheckIn:
    """A complete pulse on the attempt, but for the fields given."""
    told: dict[str, Any] = {
        "changed": "Parts were chosen",
        "now": "Ordering the parts",
        "next": "Fit the parts",
        "blocker": "The shop opens at nine",
        "progress_percent": 0,
    }
    return PostCheckIn(deal=deal(life).id, **(told | fields))


def post(life: Life, name: str, **fields: Any) -> None:
    """Try to post a pulse as this agent."""
    life.attempt(check_in(life, **fields), folk.agent(life, name))


def actor(life: Life, name: str) -> Actor:
    """The actor of this name: lower case is an agent, everybody else is there already or a person."""
    if name in life.actors:
        return life.actors[name]
    return folk.agent(life, name) if name[0].islower() else folk.person(life, name)


def passport(life: Life, name: str = "alder") -> Passport:
    """The Passport of this agent."""
    return Passport.of(life.bench, life.ids[name])


def signed_at(life: Life) -> int:
    return instants.micros(deal(life).signed_at or "")


def by_steward(life: Life, request: Command) -> None:
    life.attempt(request, folk.steward(life))


# -- the attempt and its clock -----------------------------------------------------------------------------------------


@given(parsers.parse('a running attempt of "{name}" for "{poster}"'))
def a_running_attempt(life: Life, name: str, poster: str) -> None:
    running(life, name, poster)


@given(parsers.re(r"(?P<count>\d+) (?P<unit>day|hour|minute|second)s? ha(?:ve|s) passed"))
def time_has_passed(life: Life, count: str, unit: str) -> None:
    life.clock.forward(**{f"{unit}s": int(count)})


@given("the overdue sweep has run")
@given("a sweep without review has recorded what is overdue")
@when("the overdue sweep runs")
def sweep(life: Life) -> None:
    life.bench.sweep()


@when("a steward sweeps for overdue pulses")
def steward_sweeps(life: Life) -> None:
    by_steward(life, SweepOverdue(deal=deal(life).id))


@given("the escrow of the attempt is funded")
def funded(life: Life) -> None:
    life.do(FundEscrow(deal=deal(life).id, amount_cents=10_000), life.actors["Ada"])


@given(parsers.parse('"{name}" has filed the first step'))
def has_filed(life: Life, name: str) -> None:
    life.do(FileReceipt(deal=deal(life).id, milestone=1, sha256=RECEIPT), life.actors[name])


@given(parsers.parse('"{name}" has put the first step to "{poster}"'))
def has_put(life: Life, name: str, poster: str) -> None:
    life.do(RequestApproval(deal=deal(life).id, milestone=1), life.actors[name])


@given(parsers.parse('"{poster}" has approved the first step'))
def has_approved(life: Life, poster: str) -> None:
    has_filed(life, "alder")
    has_put(life, "alder", poster)
    life.do(ApproveMilestone(deal=deal(life).id, milestone=1), life.actors[poster])


@when(parsers.re(r'"(?P<poster>\w+)" (?P<answer>approves|declines) the first step'))
def answers_step(life: Life, poster: str, answer: str) -> None:
    request = ApproveMilestone if answer == "approves" else DeclineMilestone
    if answer == "approves" and not deal(life).money.funded:
        funded(life)
    life.attempt(request(deal=deal(life).id, milestone=1), life.actors[poster])


@given(parsers.parse('"{name}" has asked "{poster}" something'))
def has_asked(life: Life, name: str, poster: str) -> None:
    life.ids["the ask"] = life.do(OpenAsk(deal=deal(life).id, question="Which colour?"), life.actors[name]).id


@when(parsers.parse('"{poster}" answers the ask'))
def answers_ask(life: Life, poster: str) -> None:
    life.attempt(AnswerAsk(deal=deal(life).id, ask=life.ids["the ask"], answer="Blue"), life.actors[poster])


@given(parsers.parse('"{poster}" has ended the attempt'))
def has_ended(life: Life, poster: str) -> None:
    life.do(EndDeal(deal=deal(life).id), life.actors[poster])


# -- posting -----------------------------------------------------------------------------------------------------------


@given(parsers.parse('"{name}" has posted a pulse at {progress:d}'))
def has_posted(life: Life, name: str, progress: int) -> None:
    life.do(check_in(life, progress_percent=progress), folk.agent(life, name))


@when(parsers.re(r'"(?P<name>[^"]+)" posts a pulse at (?P<progress>-?\d+)(?: about step (?P<step>\d+))?'))
def posts_at(life: Life, name: str, progress: str, step: str | None) -> None:
    post(life, name, progress_percent=int(progress), step=int(step) if step else None)


@when(parsers.parse('"{name}" posts a pulse without "{field}"'))
def posts_without(life: Life, name: str, field: str) -> None:
    post(life, name, **{field: None})


@when(parsers.re(r'"(?P<name>[^"]+)" posts a pulse(?: at (?P<progress>\d+))? whose "(?P<field>\w+)" is "(?P<text>.*)"'))
def posts_text(life: Life, name: str, progress: str | None, field: str, text: str) -> None:
    post(life, name, **{"progress_percent": int(progress or 0), field: text})


@when(parsers.parse('"{name}" posts a pulse whose "{field}" has {count:d} characters'))
def posts_long(life: Life, name: str, field: str, count: int) -> None:
    post(life, name, **{field: "x" * count})


@when(
    parsers.re(
        r'"(?P<name>\w+)" posts a pulse whose "(?P<field>\w+)" is (?P<count>\d+) times (?P<what>an e .*|a bicycle)'
    )
)
def posts_repeated(life: Life, name: str, field: str, count: str, what: str) -> None:
    sign = "\U0001f6b2" if what == "a bicycle" else "e\u0301"
    post(life, name, **{field: sign * int(count)})


@when(parsers.parse('"{name}" posts a pulse whose "{field}" is a repository token with zero-width spaces in it'))
def posts_hidden(life: Life, name: str, field: str) -> None:
    post(life, name, **{field: "\u200b".join("ghp_0123456789abcdefghijABCDEFGHIJ")})


@when(
    parsers.parse(
        '"{name}" posts a pulse with nothing but a "{field}" of {count:d} characters and a progress of {progress:d}'
    )
)
def posts_all_wrong(life: Life, name: str, field: str, count: int, progress: int) -> None:
    nothing = dict.fromkeys(("changed", "now", "next", "blocker"))
    post(life, name, **(nothing | {field: "x" * count, "progress_percent": progress}))


@when(parsers.parse('"{name}" posts a pulse that wants the next one due after {seconds:d} seconds'))
def posts_due(life: Life, name: str, seconds: int) -> None:
    at = instants.from_micros(instants.micros(life.clock()) + seconds * 1_000_000)
    post(life, name, next_due_at=instants.text(at))


@when(parsers.parse('"{name}" posts pulses at 0, 25, 50, 75 and 100'))
def posts_all(life: Life, name: str) -> None:
    for progress in (0, 25, 50, 75, 100):
        has_posted(life, name, progress)


@when(parsers.parse('"{name}" posts a pulse at 0 that names a blocker'))
def posts_blocker(life: Life, name: str) -> None:
    post(life, name, blocker="Waiting for the person")


@when(parsers.parse('"{name}" posts a pulse that asks the person something'))
def posts_ask(life: Life, name: str) -> None:
    post(life, name, asks_person=True)


@when(parsers.parse('"{name}" posts a pulse that requests the approval of its work'))
def posts_request(life: Life, name: str) -> None:
    post(life, name, requests_approval=True)


# -- what became of it -------------------------------------------------------------------------------------------------


@then(parsers.re(r"(?P<rule>TB-[A-Z]+-\d{3}) has no objection"))
def no_objection(life: Life, rule: str) -> None:
    assert rule not in [problem.rule for problem in life.refused]


@then(parsers.re(r"the refusal (?P<speaks>speaks|does not speak) of the limit"))
def speaks_of_limit(life: Life, speaks: str) -> None:
    said = any("is later than" in problem.detail for problem in life.refused)
    assert said == (speaks == "speaks")


@then(parsers.parse("the next pulse is due {seconds:d} seconds after it"))
def due_after_it(life: Life, seconds: int) -> None:
    event = life.last_event("agent.checkin.posted")
    assert instants.micros(event.data["next_due_at"]) - instants.micros(event.at) == seconds * 1_000_000


@then(parsers.parse("the next pulse is due {seconds:d} seconds from now"))
def due_from_now(life: Life, seconds: int) -> None:
    due = pulse_due(deal(life))
    assert due is not None and instants.micros(due) - instants.micros(life.clock()) == seconds * 1_000_000


@then(parsers.parse('the last event is "{type_}"'))
def last_event_is(life: Life, type_: str) -> None:
    assert life.types()[-1] == type_


@then("no pulse was overdue")
def none_overdue(life: Life) -> None:
    assert "agent.checkin.overdue" not in life.types()


@then(parsers.re(r"pulses were overdue (?P<spans>[\d, and]+) seconds after the signing"))
def overdue_at(life: Life, spans: str) -> None:
    wanted = [int(span) for span in spans.replace("and", ",").replace(" ", "").split(",") if span]
    found = [e.data["due_at"] for e in deal_events(life) if e.type == "agent.checkin.overdue"]
    assert [(instants.micros(at) - signed_at(life)) // 1_000_000 for at in found] == wanted


@then(parsers.parse('it is still the turn of "{name}"'))
def still_its_turn(life: Life, name: str) -> None:
    assert deal(life).turn_since == deal(life).signed_at
    assert not deal(life).requests


@then("the attempt is unresolved, with its whole escrow")
def unresolved_and_whole(life: Life) -> None:
    assert deal(life).active and deal(life).money.balance == deal(life).money.funded == 10_000


# -- reading -----------------------------------------------------------------------------------------------------------


@when(parsers.parse('"{name}" reads the pulse'))
def reads_pulse(life: Life, name: str) -> None:
    commitment = life.last_event("agent.checkin.posted").data["pulse_commitment"]
    life.read(commitment, actor(life, name))


@then("the pulse is shown")
def pulse_shown(life: Life) -> None:
    assert not life.refused and life.things["read"]["now"] == "Ordering the parts"


@when(parsers.parse('"{name}" looks at the pulses'))
def looks_at_pulses(life: Life, name: str) -> None:
    life.things["view"] = pulses(life.bench, deal(life).id, by=life.actors[name])


def view(life: Life) -> PulseView:
    found = life.things["view"]
    assert isinstance(found, PulseView)
    return found


@then(parsers.parse("the header bar stands at {percent:d}"))
def header_bar(life: Life, percent: int) -> None:
    assert view(life).header["percent"] == percent == view(life).header["steps"][1]


@then(parsers.parse("the card shows the latest pulse, {age:d} seconds old and due in {due:d} seconds"))
def card_shows(life: Life, age: int, due: int) -> None:
    card = view(life).card
    assert card["latest_pulse"]["now"] == "Ordering the parts" and card["age"] == age
    assert instants.micros(card["next_due_at"]) - instants.micros(life.clock()) == due * 1_000_000


@then(parsers.re(r"the update is (?P<late>not overdue|overdue)"))
def update_overdue(life: Life, late: str) -> None:
    assert view(life).card["update_overdue"] == (late == "overdue")


@then(parsers.parse("the thread of step {step:d} holds {count:d} pulses"))
def thread_holds(life: Life, step: int, count: int) -> None:
    assert len(view(life).threads.get(step, ())) == count


@when("anybody looks at the public pulses")
def public_look(life: Life) -> None:
    life.things["public"] = liveness(life.bench, deal(life).id)


@then(
    parsers.re(
        r"it shows (?P<posted>\d+) pulses?, (?P<overdue>none|\d+) overdue, and that "
        r"(?P<said>the next one is owed|an update is overdue|no pulse is owed)"
    )
)
def public_shows(life: Life, posted: str, overdue: str, said: str) -> None:
    found = life.things["public"]
    assert isinstance(found, PublicPulses)
    states = {"the next one is owed": "pulse_owed", "an update is overdue": "update_overdue"}
    assert len(found.posted) == int(posted) and len(found.overdue) == (0 if overdue == "none" else int(overdue))
    assert found.liveness == states.get(said, "no_pulse_owed")


@then("no word and no percentage of the pulse is on the ledger")
def no_content_public(life: Life) -> None:
    log = b"".join(body for _, body in life.bench.log())
    for words in (b"Parts were chosen", b"Ordering the parts", b"Fit the parts", b"The shop opens", b"percent"):
        assert words not in log
    assert b"Ordering" not in json.dumps(life.things["public"]).encode()


# -- scores ------------------------------------------------------------------------------------------------------------


def board_without(life: Life, left_out: Callable[[str], bool]) -> dict[str, Any]:
    """The board of the log read without the event types that are left out; its position aside."""
    kept = [(leaf, body) for leaf, body in life.bench.log() if not left_out(envelope.from_bytes(body).type)]
    law = life.bench.law()
    board = board_of(ledger(fold_in_memory(kept).items(), law), law)
    board["header"] = {name: value for name, value in board["header"].items() if name != "log_position"}
    return board


def is_pulse(type_: str) -> bool:
    """Whether this event type is about pulses and liveness."""
    return type_.startswith(("agent.checkin.", "deal.pulse_due.", "liveness.review."))


@then("the board is the same when the log is read without pulses")
def same_board(life: Life) -> None:
    assert any(is_pulse(type_) for type_ in life.types())
    assert board_without(life, is_pulse) == board_without(life, lambda type_: False)


@then(parsers.parse("the board holds {count:d} crossing in {seconds:d} seconds"))
def crossing_in(life: Life, count: int, seconds: int) -> None:
    toll = life.bench.board()["overall"]["bands"]["short"]["toll"]
    assert (toll["crossings"], toll["time"]["value"]) == (count, str(seconds))
