"""Steps about the command boundary and the ledger."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from pytest_bdd import given, parsers, then, when

from steps import folk
from steps.lives import Life
from tollbench.domain.commands import Actor
from tollbench.domain.history.commands import HistoricRow, ImportAttempts
from tollbench.domain.person.commands import CompleteVerification, RegisterPerson, RotateKey
from tollbench.domain.streams import kind_of
from tollbench.protocol.refusal import Refused

NOBODY = "person-00000000-0000-5000-8000-000000000000"
CHECKS = ["identity", "uniqueness"]
SOURCE = "sha256:" + "5" * 64


@given(parsers.parse('a person "{name}"'))
def a_person(life: Life, name: str) -> None:
    folk.person(life, name)
    life.things["position"] = life.bench.position()


@when(parsers.parse('the file command "{command}" is sent with'))
def send_fields(life: Life, command: str, datatable: list[list[str]]) -> None:
    fields: dict[str, Any] = {name: json.loads(value) for name, value in datatable[1:]}
    life.done, life.refused = None, ()
    try:
        request = life.bench.parse(command, fields)
    except Refused as refused:
        life.refused = refused.problems
        return
    life.attempt(request, Actor.system())


def verify(life: Life, person: str, by: Actor) -> None:
    life.attempt(CompleteVerification(person=person, checks=CHECKS), by)


@when(parsers.parse('an unregistered steward verifies "{name}"'))
def unregistered(life: Life, name: str) -> None:
    verify(life, life.ids[name], Actor("steward", NOBODY))


@when(parsers.parse('"{name}" verifies "{other}" as a steward'))
def wrong_capacity(life: Life, name: str, other: str) -> None:
    verify(life, life.ids[other], Actor("steward", life.ids[name]))


@when(parsers.parse('the steward verifies "{name}"'))
def steward_verifies(life: Life, name: str) -> None:
    verify(life, life.ids[name], folk.steward(life))


@when("the steward verifies a person who does not exist")
def verifies_nobody(life: Life) -> None:
    verify(life, NOBODY, folk.steward(life))


@when(parsers.re(r'"(?P<name>\w+)" rotates the key of "(?P<other>\w+)"(?: expecting version (?P<version>\d+))?'))
def rotates(life: Life, name: str, other: str, version: str | None) -> None:
    expected = None if version is None else {life.ids[other]: int(version)}
    life.attempt(RotateKey(holder=life.ids[other]), folk.person(life, name), expected=expected)


@when(parsers.re(r'an? (?P<capacity>person|operator) is registered under the key "(?P<key>\w+)"'))
def registered_under(life: Life, capacity: str, key: str) -> None:
    life.attempt(RegisterPerson(capacity=[capacity]), Actor.system(), key=key)


@when(parsers.parse('a command under the key "{key}" is refused'))
def refused_under(life: Life, key: str) -> None:
    life.attempt(CompleteVerification(person=NOBODY, checks=CHECKS), Actor.system(), key=key)
    assert life.refused


@when(parsers.parse('a person is registered at "{at}"'))
def registered_at(life: Life, at: str) -> None:
    life.attempt(RegisterPerson(), Actor.system(), at=at)


@when("the clock is set back a day")
def set_back(life: Life) -> None:
    life.clock.now -= timedelta(days=1)


@then("it is the answer given before")
def answered_before(life: Life) -> None:
    assert life.done is not None and life.done.repeated


@then("one person was registered under the key")
def one_person(life: Life) -> None:
    assert life.types().count("person.registered") == 1


@then(parsers.parse('the last event is dated "{at}"'))
def dated(life: Life, at: str) -> None:
    assert list(life.bench.events())[-1].at == at


@then("the log grew by one event")
def grew_by_one(life: Life) -> None:
    assert life.bench.position() == life.things["position"] + 1


@then(parsers.parse('the state of "{name}" is what the log gives'))
def state_from_log(life: Life, name: str) -> None:
    stream, state = life.ids[name], None
    for event in life.bench.events():
        if event.stream == stream:
            state = kind_of(stream).evolve(state, event)
    assert state == life.bench.state(stream)
    assert len(state.keys) == 2


@when(parsers.parse("the rows {first:d} and {second:d} of a results file are imported"))
@when(parsers.parse("the rows {first:d} and {second:d} of the same file are imported"))
def imports(life: Life, first: int, second: int) -> None:
    rows = [HistoricRow(row=row, columns={"deal_id": f"d{row}"}) for row in (first, second)]
    life.attempt(ImportAttempts(source=SOURCE, rows=rows), Actor.system())
