"""Steps about people and Passports: registration, keys, verification, attestations."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from pytest_bdd import given, parsers, then, when

from steps import folk
from steps.lives import Life
from tollbench.domain.commands import Actor
from tollbench.domain.passport.commands import RegisterAgent
from tollbench.domain.passport.reach import StateReachability
from tollbench.domain.person.commands import RegisterPerson, RotateKey
from tollbench.domain.person.state import key_at
from tollbench.protocol import instants, signature


def seed_key(seed: str) -> str:
    """The public key of a numbered private one."""
    return signature.public_of(hashlib.sha256(f"seed {seed}".encode()).digest())


def registration(life: Life, name: str, operator: Actor, architecture: str = "agent scaffold") -> RegisterAgent:
    """The registration of an agent by this operator."""
    return RegisterAgent(agent_name=name, operator=operator.id, operator_name="Alder Works", architecture=architecture)


@given(parsers.parse('the operator "{name}"'))
def an_operator(life: Life, name: str) -> None:
    folk.person(life, name, "operator")


@given(parsers.parse('the person "{name}"'))
def a_person(life: Life, name: str) -> None:
    folk.person(life, name)


@given(parsers.parse('the agent "{name}"'))
def an_agent(life: Life, name: str) -> None:
    folk.agent(life, name)


@given(parsers.parse('a person "{name}" with the key of seed {seed:d}'))
def person_with_key(life: Life, name: str, seed: int) -> None:
    folk.person(life, name, key=seed_key(str(seed)))


@when(parsers.parse('"{operator}" registers the agent "{name}" built as "{architecture}"'))
def registers_built(life: Life, operator: str, name: str, architecture: str) -> None:
    by = folk.person(life, operator)
    life.attempt(registration(life, name, by, architecture), by)


@when(parsers.re(r'"(?P<operator>[^"]+)" registers an agent whose "(?P<field>[^"]+)" is "(?P<text>[^"]*)"'))
def registers_untold(life: Life, operator: str, field: str, text: str) -> None:
    by = folk.person(life, operator)
    told = registration(life, "alder", by).model_dump() | {field: text.encode("ascii").decode("unicode_escape")}
    life.attempt(lambda: life.bench.parse("RegisterAgent", told), by)


@when(parsers.parse('its operator registers the agent "{name}" as well'))
def registers_another(life: Life, name: str) -> None:
    by = folk.person(life, "alder's operator")
    life.attempt(registration(life, name, by), by)


@when(parsers.parse('another operator registers the agent "{name}"'))
def other_registers(life: Life, name: str) -> None:
    by = folk.person(life, "another operator", "operator")
    life.attempt(registration(life, name.encode("ascii").decode("unicode_escape"), by), by)


@when(parsers.parse('the system registers the agent "{name}" for "{operator}"'))
def system_registers(life: Life, name: str, operator: str) -> None:
    life.attempt(registration(life, name, folk.person(life, operator)), Actor.system())


@when(parsers.parse('{who} registers with the key "{key}"'))
def registers_with_key(life: Life, who: str, key: str) -> None:
    if who == "a person":
        life.attempt(RegisterPerson(key=key), Actor.system())
    else:
        by = folk.person(life, "Olga")
        life.attempt(registration(life, "alder", by).model_copy(update={"key": key}), by)


@when(parsers.parse("a person registers with the key of seed {seed:d}"))
def registers_with_seed(life: Life, seed: int) -> None:
    life.attempt(RegisterPerson(key=seed_key(str(seed))), Actor.system())


@given(parsers.parse('"{name}" has rotated to the key of seed {seed:d}'))
def has_rotated(life: Life, name: str, seed: int) -> None:
    life.do(RotateKey(holder=life.ids[name], key=seed_key(str(seed))), life.actors[name])


@when(parsers.parse('"{name}" rotates to the key of seed {seed:d}'))
def rotates(life: Life, name: str, seed: int) -> None:
    life.attempt(RotateKey(holder=life.ids[name], key=seed_key(str(seed))), life.actors[name])


@when(parsers.parse('"{name}" rotates its key'))
def rotates_kept_key(life: Life, name: str) -> None:
    life.attempt(RotateKey(holder=life.ids[name]), life.actors[name])


@when(parsers.parse('"{name}" tries to rotate the key of "{holder}"'))
def rotates_for(life: Life, name: str, holder: str) -> None:
    life.attempt(RotateKey(holder=life.ids[holder]), life.actors[name])


@when(parsers.parse('the operator of "{name}" rotates the key of "{holder}"'))
def operator_rotates(life: Life, name: str, holder: str) -> None:
    life.attempt(RotateKey(holder=life.ids[holder]), folk.person(life, f"{name}'s operator"))


@then(parsers.parse('exactly one Passport is on the ledger and it names "{name}"'))
def one_passport(life: Life, name: str) -> None:
    issued = [event.data["agent_name"] for event in life.bench.events() if event.type == "passport.issued"]
    assert issued == [name]


@then(parsers.parse("{count:d} Passports are on the ledger"))
def passports(life: Life, count: int) -> None:
    streams = {event.stream for event in life.bench.events() if event.type == "passport.issued"}
    assert len(streams) == count


@then(parsers.parse("its key on the ledger is that of seed {seed:d}"))
def key_on_ledger(life: Life, seed: int) -> None:
    assert life.last_event("person.registered").data["key"] == seed_key(str(seed))


@then(parsers.parse('the key of "{name}" was that of seed {old:d} an hour ago and is that of seed {new:d} now'))
def key_history(life: Life, name: str, old: int, new: int) -> None:
    keys = life.bench.state(life.ids[name]).keys
    now = life.clock()
    assert key_at(keys, instants.text(now)) == seed_key(str(new))
    assert key_at(keys, instants.text(now - timedelta(hours=1))) == seed_key(str(old))
    assert key_at(keys, instants.text(now - timedelta(hours=1, microseconds=1))) is None


@then(parsers.parse('the present key of "{name}" differs from its first one'))
def key_differs(life: Life, name: str) -> None:
    state = life.bench.state(life.ids[name])
    assert state.key != state.keys[0].key and len(state.keys) == 2


@when(parsers.re(r'"(?P<name>\w+)" states that it is (?P<how>reachable at|away from) "(?P<place>[^"]+)"'))
def states_reach(life: Life, name: str, how: str, place: str) -> None:
    request = StateReachability(passport=life.ids[name], endpoint=place, reachable=how == "reachable at")
    life.attempt(request, life.actors[name])


@when(parsers.parse('"{name}" states that "{other}" is reachable'))
def speaks_for(life: Life, name: str, other: str) -> None:
    life.attempt(StateReachability(passport=life.ids[other], endpoint="anywhere"), life.actors[name])


@then(parsers.re(r'everybody sees that "(?P<name>\w+)" is (?P<how>reachable|away)'))
def seen_reach(life: Life, name: str, how: str) -> None:
    event = life.last_event("passport.reachability.stated")
    assert event.stream == life.ids[name] and event.data["reachable"] is (how == "reachable")
    assert life.bench.state(life.ids[name]).reach.reachable is (how == "reachable")


@then(parsers.parse('"{text}" stands in no event'))
def in_no_event(life: Life, text: str) -> None:
    assert all(text.encode() not in body for _, body in life.bench.log())
