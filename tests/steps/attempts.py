"""Steps about a running attempt: receipts, requests, answers, the finish line, every end, and the time it takes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from pytest_bdd import given, parsers, then, when

from steps import folk
from steps.deals import SPOILT, ada, alder, deal, forged
from steps.lives import Life
from tollbench.domain.commands import Actor, Command
from tollbench.domain.deal import statements
from tollbench.domain.deal.commands import (
    AnswerAsk,
    AppealOutcome,
    ApproveOutcome,
    DeclineOutcome,
    EndDeal,
    ExpireDeal,
    LapseDeal,
    OpenAsk,
    RequestOutcomeApproval,
    StopDeal,
    WalkDeal,
)
from tollbench.domain.deal.figures import evidence
from tollbench.domain.milestone.commands import (
    ApproveMilestone,
    DeclineMilestone,
    FileReceipt,
    RequestApproval,
    ReviseMilestone,
)
from tollbench.domain.person.commands import CompleteVerification
from tollbench.protocol import instants

SHA, B3 = "sha256:" + "ab" * 32, "b3:" + "cd" * 32


def send(life: Life, command: type[Command], by: Actor, **fields: Any) -> None:
    """Send a command about the deal, which may be refused."""
    life.attempt(command(deal=life.ids["the deal"], **fields), by)


def ask(life: Life, place: str) -> str:
    """The id of the first, second, … ask of the deal."""
    return list(deal(life).asks)[("first", "second", "third").index(place)]


# -- milestones ------------------------------------------------------------------------------------------------------


@given(parsers.parse("alder filed a receipt for step {step:d}"))
@when(parsers.parse("alder files a receipt for step {step:d}"))
def files(life: Life, step: int) -> None:
    send(life, FileReceipt, alder(life), milestone=step, sha256=SHA)


@when(parsers.parse('alder files the {algorithm} hash "{text}" for step {step:d}'))
def files_hash(life: Life, algorithm: str, text: str, step: int) -> None:
    hashes = {"sha256": SHA, algorithm: text.replace("{64}", "ab" * 32).replace("{63}", "a" * 63)}
    send(life, FileReceipt, alder(life), milestone=step, **hashes)


@when(parsers.parse('alder delivers step {step:d} to "{place}"'))
def delivers_to(life: Life, step: int, place: str) -> None:
    send(life, FileReceipt, alder(life), milestone=step, sha256=SHA, destination=place)


@when(parsers.parse("alder files a receipt for step {step:d} with the bytes of the artifact"))
def files_bytes(life: Life, step: int) -> None:
    send(life, FileReceipt, alder(life), milestone=step, sha256=SHA, artifact="R0lGODlhAQABAAAAACw=")


@given(parsers.re(r"alder put step (?P<step>\d+) to Ada"))
@when(parsers.re(r"alder puts step (?P<step>\d+) to Ada(?P<line> together with the finish line)?"))
def puts(life: Life, step: str, line: str | None = None) -> None:
    send(life, RequestApproval, alder(life), milestone=int(step), with_outcome=bool(line))


@given(parsers.parse("Ada approved step {step:d}"))
@when(parsers.parse("Ada approves step {step:d}"))
def approves(life: Life, step: int) -> None:
    send(life, ApproveMilestone, ada(life), milestone=step)


@when(parsers.re(r"Ada approves step (?P<step>\d+) with the key of seed (?P<seed>\d+)" + SPOILT))
def approves_with(life: Life, step: str, seed: str, how: str | None) -> None:
    state = deal(life)
    statement = statements.milestone_approval(state, state.milestones[int(step)])
    send(life, ApproveMilestone, ada(life), milestone=int(step), signature=forged(statement, int(seed), how))


@when(parsers.parse("alder approves its own step {step:d}"))
def approves_own(life: Life, step: int) -> None:
    send(life, ApproveMilestone, alder(life), milestone=step)


@given(parsers.parse("step {step:d} is delivered and approved"))
def step_done(life: Life, step: int) -> None:
    files(life, step)
    puts(life, str(step))
    approves(life, step)


@given(parsers.re(r"Ada declined step (?P<step>\d+)"))
@when(parsers.re(r"Ada declines step (?P<step>\d+)(?P<end> and ends the target there)?"))
def declines_step(life: Life, step: str, end: str | None = None) -> None:
    send(life, DeclineMilestone, ada(life), milestone=int(step), reason="Not that one", end=bool(end))


@given(parsers.parse("alder revised step {step:d}"))
@when(parsers.parse("alder revises step {step:d}"))
def revises(life: Life, step: int) -> None:
    send(life, ReviseMilestone, alder(life), milestone=step, note="Another one")


@then(parsers.parse('step {step:d} is "{status}"'))
def step_is(life: Life, step: int, status: str) -> None:
    assert deal(life).milestones[step].status == status


@then(parsers.parse("the approval of step {step:d} covers {count:d} receipt and releases {cents:d} cents"))
def approval_covers(life: Life, step: int, count: int, cents: int) -> None:
    data = life.last_event("milestone.approved").data
    assert (data["milestone"], len(data["receipts"]), data["amount_cents"]) == (step, count, cents)
    assert life.last_event("escrow.released").data == {"amount_cents": cents, "cause": f"milestone-{step}"}


@then(parsers.parse('the receipt names "{place}"'))
def receipt_names(life: Life, place: str) -> None:
    assert life.last_event("milestone.receipt.filed").data["destination"] == place


# -- asks ------------------------------------------------------------------------------------------------------------


@given("alder asked Ada something")
@when("alder asks Ada something")
def asks(life: Life) -> None:
    send(life, OpenAsk, alder(life), question="Which colour?")


@when(parsers.parse('alder asks something that "{who}" could answer'))
def asks_other(life: Life, who: str) -> None:
    send(life, OpenAsk, alder(life), question="When will the permit come?", answerable_by=who)


@given(parsers.re(r"Ada answered the (?P<place>first|second) ask"))
@when(parsers.re(r"Ada answers the (?P<place>first|second) ask"))
def answers(life: Life, place: str) -> None:
    send(life, AnswerAsk, ada(life), ask=ask(life, place), answer="Blue")


# -- the finish line and the other ends ------------------------------------------------------------------------------


@given("alder put the finish line to Ada")
@when("alder puts the finish line to Ada")
def puts_line(life: Life) -> None:
    send(life, RequestOutcomeApproval, alder(life))


@when(parsers.re(r"Ada approves the finish line(?: together with step (?P<step>\d+))?"))
def approves_line(life: Life, step: str | None = None) -> None:
    send(life, ApproveOutcome, ada(life), with_milestone=None if step is None else int(step))


@when(parsers.re(r"Ada approves the finish line with the key of seed (?P<seed>\d+)" + SPOILT))
def approves_line_with(life: Life, seed: str, how: str | None) -> None:
    signature = forged(statements.outcome_approval(deal(life)), int(seed), how)
    send(life, ApproveOutcome, ada(life), signature=signature)


@given("the finish line is reached")
def reached(life: Life) -> None:
    files(life, 1)
    puts_line(life)
    approves_line(life)
    assert deal(life).resolution == "delivered", life.refused


@given("Ada declined the finish line")
@when(parsers.re(r"Ada declines the finish line(?P<end> and ends the target there)?"))
def declines_line(life: Life, end: str | None = None) -> None:
    send(life, DeclineOutcome, ada(life), reason="It does not ride", end=bool(end))


@when("alder appeals the decision")
def appeals(life: Life) -> None:
    send(life, AppealOutcome, alder(life), statement="It does ride")


@given("Ada ended the attempt")
@when("Ada ends the attempt")
def ends(life: Life) -> None:
    send(life, EndDeal, ada(life), reason="Changed my mind")


@when("alder ends the attempt in the place of Ada")
def ends_for_her(life: Life) -> None:
    send(life, EndDeal, alder(life))


@when("alder walks away")
def walks(life: Life) -> None:
    send(life, WalkDeal, alder(life), reason="Too hard")


@when("Ada walks away in the place of alder")
def walks_for_it(life: Life) -> None:
    send(life, WalkDeal, ada(life))


@when(parsers.parse('a steward stops the attempt for "{ground}", naming "{names}"'))
def stops(life: Life, ground: str, names: str) -> None:
    send(life, StopDeal, folk.steward(life), ground=ground, names=names)


@when(parsers.parse('Ada stops the attempt for "{ground}"'))
def stops_herself(life: Life, ground: str) -> None:
    send(life, StopDeal, ada(life), ground=ground, names="TB-REVIEW-001")


@when("a steward calls the attempt expired")
def calls_expired(life: Life) -> None:
    send(life, ExpireDeal, folk.steward(life))


@when("a steward calls the attempt lapsed")
def calls_lapsed(life: Life) -> None:
    send(life, LapseDeal, folk.steward(life))


@when("the clock is swept")
def swept(life: Life) -> None:
    life.bench.sweep()


@when("the clock is swept under an edition in which a lapse is neutral")
def swept_neutral(life: Life) -> None:
    book = life.bench.editions
    life.bench.editions = book.standing_in(book.current.with_value("TB-OUT-015", "lapse_scored", False))
    life.bench.sweep()


@given(parsers.parse('the attempt came to be "{end}"'))
@when(parsers.parse('the attempt comes to be "{end}"'))
def came_to_be(life: Life, end: str) -> None:
    ways: dict[str, Any] = {
        "delivered": reached,
        "ended": ends,
        "walked": walks,
        "stopped": lambda life: stops(life, "law", "Oregon Revised Statutes 164"),
        "declined": lambda life: (puts_line(life), declines_line(life, " and ends")),
        "expired": lambda life: (move_to(life, deal(life).deadline, microseconds=1), swept(life)),
        "delivered after all": lambda life: (puts_line(life), approves_line(life)),
        "lapsed": lambda life: (asks(life), move_to(life, min(deal(life).requests.values())), swept(life)),
    }
    if end == "declined":
        files(life, 1)
    ways[end](life)
    assert deal(life).resolution == end.split()[0], life.refused


# -- time ------------------------------------------------------------------------------------------------------------


def move_to(life: Life, instant: str, **shift: int) -> None:
    """Turn the clock to an instant, or so much after it."""
    life.clock.now = instants.parse(instant) + timedelta(**shift)


@given(parsers.re(r"it is (?P<count>\d+) (?P<unit>day|hour|second|microsecond)s? later"))
def later(life: Life, count: str, unit: str) -> None:
    life.clock.forward(**{f"{unit}s": int(count)})


MOMENT = r"it is (?:exactly|(?P<count>\d+) (?P<unit>day|second|microsecond)s? (?P<side>before|after))"


@given(parsers.re(MOMENT + r" the (?P<what>deadline|lapse)"))
@when(parsers.re(MOMENT + r" the (?P<what>deadline|lapse)"))
def moment(life: Life, count: str | None, unit: str | None, side: str | None, what: str) -> None:
    state = deal(life)
    instant = state.deadline if what == "deadline" else min(state.requests.values())
    amount = int(count or 0) * (-1 if side == "before" else 1)
    move_to(life, instant, **{f"{unit or 'day'}s": amount})


# -- what came of it -------------------------------------------------------------------------------------------------


@then(parsers.re(r'the attempt is "(?P<end>\w+)" (?:with outcome (?P<o>[01])|without an outcome)'))
def attempt_is(life: Life, end: str, o: str | None) -> None:
    state, event = deal(life), life.last_event("deal.resolved")
    assert (state.status, state.resolution) == ("resolved", end)
    assert event.data["o"] == state.o == (None if o is None else int(o))


@then(parsers.parse('the deal stands under the "{standard}" standard'))
def standard_is(life: Life, standard: str) -> None:
    assert life.last_event("deal.signed").data["standard"] == deal(life).standard == standard


@then(parsers.parse("the attempt counts {k:d} of {m:d} steps"))
def steps_counted(life: Life, k: int, m: int) -> None:
    steps = deal(life).milestones.values()
    assert (sum(step.status == "approved" for step in steps), len(steps)) == (k, m)


@then(parsers.parse('the Passport of alder shows {count:d} breach, "{kind}" on this deal'))
def passport_shows(life: Life, count: int, kind: str) -> None:
    assert life.bench.state(alder(life).id).breaches == count
    event = life.last_event("passport.breach.recorded")
    assert (event.stream, event.data) == (alder(life).id, {"deal": life.ids["the deal"], "kind": kind})


@given("the log so far is kept")
def log_kept(life: Life) -> None:
    life.things["log"] = [body for _, body in life.bench.log()]


@then("the log begins as it was kept")
def log_unchanged(life: Life) -> None:
    log = [body for _, body in life.bench.log()]
    assert log[: len(life.things["log"])] == life.things["log"] and len(log) > len(life.things["log"])


@then("the attempt goes on")
def goes_on(life: Life) -> None:
    assert deal(life).active and "deal.resolved" not in life.types()


@then(parsers.parse('it resolved at "{instant}"'))
def resolved_at(life: Life, instant: str) -> None:
    assert life.last_event("deal.resolved").data["resolved_at"] == deal(life).resolved_at == instant


@then(parsers.parse("it resolved exactly at the {what}"))
def resolved_exactly(life: Life, what: str) -> None:
    asked = [e.data["lapses_at"] for e in life.bench.events() if e.type in ("ask.opened", "outcome.approval.requested")]
    assert deal(life).resolved_at == (deal(life).deadline if what == "deadline" else min(asked))


@then(parsers.parse('the integrity of the outcome is "{state}"'))
def integrity_is(life: Life, state: str) -> None:
    assert deal(life).integrity == state


@then(parsers.parse('the integrity moved from "{old}" to "{new}" on the ground "{ground}" because of "{because}"'))
def integrity_moved(life: Life, old: str, new: str, ground: str, because: str) -> None:
    data = life.last_event("outcome.integrity_changed").data
    assert data == {"from": old, "to": new, "ground": ground, "because": because}


@when("the checks of Ada are completed")
def checks_completed(life: Life) -> None:
    life.attempt(CompleteVerification(person=ada(life).id, checks=["identity", "uniqueness"]), folk.steward(life))


@then(parsers.parse('the outcome was "{old}" at its resolution and is "{new}" now'))
def integrity_was(life: Life, old: str, new: str) -> None:
    events = [e for e in life.bench.events() if e.type in ("deal.resolved", "outcome.integrity_changed")]
    assert [e.type for e in events] == ["deal.resolved", "outcome.integrity_changed"]
    assert (events[1].data["from"], events[1].data["to"], deal(life).integrity) == (old, new, new)


@then(parsers.re(r"the clock (?P<what>runs|is paused)"))
def clock_is(life: Life, what: str) -> None:
    state = deal(life)
    assert (state.turn_since is not None) == (what == "runs") == (not state.requests)


# -- what the board says ---------------------------------------------------------------------------------------------


@then(parsers.re(r"the row of the attempt shows (?P<field>\w+) (?P<value>\S+)"))
def row_shows(life: Life, field: str, value: str) -> None:
    row = next(row for row in life.bench.board()["attempts"] if row["deal"] == life.ids["the deal"])
    assert str(row[field]) == value


@then(parsers.re(r'the Bench rating of alder is "(?P<value>[^"]+)" over (?P<n>\d+) attempts?'))
def rating_is(life: Life, value: str, n: str) -> None:
    agent = next(agent for agent in life.bench.board()["agents"] if agent["agent"] == alder(life).id)
    assert (agent["bench_rating"]["value"], agent["bench_rating"]["n"]) == (value, int(n))


@then(parsers.parse('the evidence of the attempt is "{tiers}"'))
@then(parsers.re('the evidence of the attempt is "(?P<tiers>)"'))
def evidence_is(life: Life, tiers: str) -> None:
    assert ", ".join(evidence(life.bench.law().pinned(deal(life).pins), deal(life))) == tiers


@then(parsers.parse('the signed card says the "{thing}" is of the "{party}"'))
def owned_by(life: Life, thing: str, party: str) -> None:
    assert life.last_event("deal.signed").data["ownership"][thing] == party
