"""Steps for the stories of failure: repeats, probes, retries, and what each side is told to do."""

from __future__ import annotations

from typing import Any

from pytest_bdd import given, parsers, then, when

from steps import folk
from steps.attempts import SHA, ask, files, puts, send
from steps.deals import ada, alder, deal, forged
from steps.lives import Life
from tollbench.domain.commands import Actor, Command
from tollbench.domain.deal import statements
from tollbench.domain.deal.checkin import PostCheckIn, pulse_due
from tollbench.domain.deal.commands import AnswerAsk, DeclareSubsidy, OpenAsk, ReleaseEscrow
from tollbench.domain.milestone.commands import ApproveMilestone, DeclineMilestone, FileReceipt, ReviseMilestone
from tollbench.domain.passport.commands import RegisterAgent
from tollbench.domain.target.bid_commands import WithdrawProposal
from tollbench.domain.target.commands import AmendTarget, PostTarget, RepostTarget
from tollbench.projections.todo import Todo
from tollbench.protocol import instants
from tollbench.protocol.refusal import Refused

NOBODY = "person-00000000-0000-5000-8000-000000000000"
NO_ASK = "ask-00000000-0000-5000-8000-000000000000"


def again(life: Life, request: Command, by: Actor, times: int, key: str | None = None) -> None:
    """Send the same command so many times, and keep every answer."""
    life.things["log before"] = life.bench.position()
    life.things["answers"] = []
    for _ in range(times):
        life.attempt(request, by, **({} if key is None else {"key": key}))
        life.things["answers"].append(life.refused or life.done)


def told(life: Life, party: str) -> list[Todo]:
    """What waits for this party."""
    return [each for each in life.bench.todo() if each.party == party]


def pulse(life: Life, **fields: Any) -> PostCheckIn:
    said: dict[str, Any] = {"changed": "no change", "now": "Working", "next": "Deliver", "progress_percent": 0}
    return PostCheckIn(deal=life.ids["the deal"], **(said | fields))


# -- cards and bids ----------------------------------------------------------------------------------------------------


@then(parsers.parse("the card holds exactly the {count:d} steps that its agent committed to"))
def exactly_its_steps(life: Life, count: int) -> None:
    body = life.bench.reveal(deal(life).card_commitment, by=alder(life))
    assert [step["what"] for step in body["steps"]] == [f"Step {number}" for number in range(1, count + 1)]
    assert list(deal(life).milestones) == list(range(1, count + 1))


@then(parsers.parse('the first proposal of "{name}" stands as it was filed'))
def first_stands(life: Life, name: str) -> None:
    (proposal,) = life.bench.state(life.ids["the want"]).proposals.values()
    assert proposal.status == "open" and proposal.passport == life.ids[name]
    assert life.bench.reveal(proposal.commitment, by=life.actors[name])["pitch"] == "Steady hands"


@given(parsers.parse('"{name}" has taken its bid back'))
def has_taken_back(life: Life, name: str) -> None:
    want = life.ids["the want"]
    life.do(WithdrawProposal(target=want, proposal=folk.proposal(life, want, name)), life.actors[name])


# -- repeats and probes ------------------------------------------------------------------------------------------------


@when(parsers.parse("alder sends the same receipt {times:d} times under one key"))
def same_receipt(life: Life, times: int) -> None:
    request = FileReceipt(deal=life.ids["the deal"], milestone=1, sha256=SHA)
    life.things["first"] = life.do(request, alder(life), key="receipt-1")
    again(life, request, alder(life), times - 1, "receipt-1")


@when(parsers.parse("alder puts step 1 to Ada {times:d} times without a receipt"))
def puts_many(life: Life, times: int) -> None:
    life.things["log before"], life.things["answers"] = life.bench.position(), []
    for _ in range(times):
        puts(life, "1", None)
        life.things["answers"].append(life.refused)


@when(parsers.parse("alder probes the dead deal {times:d} times"))
def probes(life: Life, times: int) -> None:
    again(life, FileReceipt(deal=life.ids["the deal"], milestone=1, sha256=SHA), alder(life), times)


@then("every answer was the same, and nothing new is in the log")
def same_answers(life: Life) -> None:
    answers = life.things["answers"]
    assert answers[0] and all(answer == answers[0] for answer in answers)
    assert life.bench.position() == life.things["log before"]


@when(parsers.parse("alder asks the same question {times:d} times under one key"))
def same_question(life: Life, times: int) -> None:
    again(life, OpenAsk(deal=life.ids["the deal"], question="Which colour?"), alder(life), times, "colour")


@then("Ada is told once to answer the agent")
def told_once(life: Life) -> None:
    assert [each.what for each in told(life, "poster")] == ["answer the agent"]


@when("Ada answers an ask that nobody opened")
def answers_nothing(life: Life) -> None:
    assert ask(life, "first") != NO_ASK
    send(life, AnswerAsk, ada(life), ask=NO_ASK, answer="Blue")


@when("alder tries to release the money of step 1")
def tries_release(life: Life) -> None:
    send(life, ReleaseEscrow, alder(life), release="milestone-1", amount_cents=3_000)


# -- who is told what --------------------------------------------------------------------------------------------------


@then(parsers.parse("alder is told to {what}"))
def agent_told(life: Life, what: str) -> None:
    assert [each.what for each in told(life, "agent")] == [what]


@then("a steward is told to close the liveness review")
def steward_told(life: Life) -> None:
    (what,) = [each.what for each in told(life, "steward")]
    assert what.startswith("close the liveness review on deal-")


@then(parsers.parse("alder owes a pulse {seconds:d} seconds from now"))
def owes_pulse(life: Life, seconds: int) -> None:
    due = pulse_due(deal(life))
    assert due is not None and instants.micros(due) - instants.micros(life.clock()) == seconds * 1_000_000


# -- work --------------------------------------------------------------------------------------------------------------


@when("alder posts a pulse that says the file is delivered")
def says_delivered(life: Life) -> None:
    life.attempt(pulse(life, changed="stan_animation.mp4 is delivered"), alder(life))


@when("alder posts pulses up to 100 about step 1")
def pulses_to_100(life: Life) -> None:
    for progress in (0, 25, 50, 75, 100):
        life.do(pulse(life, progress_percent=progress), alder(life))


@when(parsers.parse("alder posts the same flat pulse every {days:d} days until the deadline has passed"))
def flat_pulses(life: Life, days: int) -> None:
    while instants.text(life.clock()) < deal(life).deadline:
        life.do(pulse(life), alder(life))
        life.clock.forward(days=days)
    life.clock.forward(seconds=1)


@when(parsers.parse("alder posts a pulse of {count:d} characters"))
def long_pulse(life: Life, count: int) -> None:
    life.attempt(pulse(life, now="x" * count), alder(life))


@then(parsers.parse("the refusal names the edition in force, {count:d} and the cap"))
def refusal_names(life: Life, count: int) -> None:
    problem = life.refused_by("TB-PULSE-003")
    cap = life.bench.law().params("TB-PULSE-003")["max_chars"]
    assert problem.edition == life.bench.law().current.version
    assert str(count) in problem.detail and str(cap) in problem.detail


@then(parsers.parse("the approval wrote the approval, the release of {cents:d} cents and the next due time"))
def approval_wrote(life: Life, cents: int) -> None:
    assert life.done is not None
    assert [e.type for e in life.done.events] == ["milestone.approved", "escrow.released", "deal.pulse_due.set"]
    assert life.done.events[1].data["amount_cents"] == cents


@when(parsers.parse("step 1 goes through {rounds:d} rounds and is approved in the last"))
def rounds(life: Life, rounds: int) -> None:
    for number in range(1, rounds + 1):
        files(life, 1)
        puts(life, "1", None)
        if number < rounds:
            send(life, DeclineMilestone, ada(life), milestone=1)
            send(life, ReviseMilestone, alder(life), milestone=1)
    send(life, ApproveMilestone, ada(life), milestone=1)


@when(parsers.parse("alder files a receipt for a step numbered {number:d}"))
def files_numbered(life: Life, number: int) -> None:
    fields = {"deal": life.ids["the deal"], "milestone": number, "sha256": SHA}
    parse(life, "FileReceipt", fields)


@when(parsers.parse('a pulse with a field called "{name}" is sent'))
def odd_field(life: Life, name: str) -> None:
    parse(life, "PostCheckIn", {"deal": "deal-00000000-0000-5000-8000-000000000000", name: {"draft": "x"}})


def parse(life: Life, name: str, fields: dict[str, Any]) -> None:
    """Send a command as a file would give it."""
    life.done, life.refused = None, ()
    try:
        life.bench.parse(name, fields)
    except Refused as refused:
        life.refused = refused.problems


@when("Ada approves a version of step 1 that was redrafted after she signed")
def approves_redraft(life: Life) -> None:
    files(life, 1)
    seen = statements.milestone_approval(deal(life), deal(life).milestones[1])
    send(life, FileReceipt, alder(life), milestone=1, sha256="sha256:" + "ef" * 32)
    puts(life, "1", None)
    send(life, ApproveMilestone, ada(life), milestone=1, signature=forged(seen, 7, None))


# -- around the deal ---------------------------------------------------------------------------------------------------


@when("Ada posts the want again")
def posts_again(life: Life) -> None:
    life.attempt(RepostTarget(target=life.ids["the want"]), ada(life))


@then("the new want has its own id and no proposal of the old round")
def new_want(life: Life) -> None:
    assert life.done is not None
    new, old = life.bench.state(life.done.id), life.bench.state(life.ids["the want"])
    assert new.id != old.id and new.repost_of == old.id
    assert not new.proposals and old.proposals and new.odds is None


@then(parsers.parse('a pulse was overdue on the attempt for "{poster}" alone'))
def overdue_alone(life: Life, poster: str) -> None:
    streams = {event.stream for event in life.bench.events() if event.type == "agent.checkin.overdue"}
    assert streams == {life.ids[f"deal of {poster}"]}


@when("an agent is registered for an operator who does not exist")
def no_operator(life: Life) -> None:
    request = RegisterAgent(agent_name="elm", operator=NOBODY, operator_name="Nobody", architecture="scaffold")
    life.attempt(request, folk.person(life, "Olga", "operator"))


@then("the subsidy of the attempt is not stated")
def not_stated(life: Life) -> None:
    assert deal(life).subsidy is None


@when(parsers.re(r"alder states that (?P<none>no )?subsidy contributed"))
def states(life: Life, none: str | None) -> None:
    send(life, DeclareSubsidy, alder(life), contributed=none is None)


@then(parsers.re(r"the subsidy of the attempt is stated as (?P<what>none|some)"))
def stated(life: Life, what: str) -> None:
    assert deal(life).subsidy is (what == "some")


@when(parsers.parse('a steward edits the probability to "{p}"'))
def edits_p(life: Life, p: str) -> None:
    life.attempt(AmendTarget(target=life.ids["the want"], p=p), folk.steward(life))


@when("a steward freezes its odds anew")
def freezes_anew(life: Life) -> None:
    short = life.bench.law().params("TB-ODDS-012")["reference_class"]
    life.attempt(PostTarget(target=life.ids["the want"], reference_class=short), folk.steward(life))


@then(parsers.parse("the attempt is on the board with a probability of {p}"))
def on_the_board(life: Life, p: str) -> None:
    (row,) = life.bench.board()["attempts"]
    assert row["p"] == p and row["deal"] == life.ids["the deal"]
