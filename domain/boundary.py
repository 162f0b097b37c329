"""Rules of the command boundary that hold whatever the aggregate (area CMD).

Three of them judge the request itself, before any event is proposed. They use the same guards as everything else, on
pseudo types that are never written: `command.shaped` (the fields), `command.received` (sender, key, versions, time)
and `command.missing` (entities that do not exist).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from ..protocol import instants
from ..protocol.refusal import Problem
from ..rules.evaluators import ANY, Finding, Judgement, guard, requires
from ..rules.law import Law
from .commands import ROLES, Actor, Command, commands
from .engine import binding, findings, problem
from .world import Case, Proposed, World

requires("TB-LEDGER-001", event=ANY)

SHAPED, RECEIVED, MISSING = "command.shaped", "command.received", "command.missing"
MAX_KEY = 1000
"""How long an id, a stream name or a command's key may be, in characters."""
LAST_YEAR = 9000
"""Instants end here; datetimes end a thousand years later, which leaves room for every deadline."""
_SHOWN = 40


def judge_request(type_: str, data: Mapping[str, Any], world: World, request: Any) -> list[Problem]:
    """Run the guards of one of the pseudo types above and return the problems."""
    case = Case(Proposed("", type_, data), None, world, world.law, request)
    found: list[Problem] = []
    for each in binding(world.law, type_):
        case.rule = each.rule
        found.extend(problem(world.law, each.rule, finding) for finding in findings(each.judge(case)))
    return found


def parse(law: Law, name: str, fields: Mapping[str, Any]) -> tuple[Command | None, list[Problem]]:
    """A typed command from its public name and fields, or every problem of its shape (TB-CMD-001, TB-CMD-006)."""
    model = commands().get(name)
    errors: list[Mapping[str, Any]] = []
    request: Command | None = None
    if model is None:
        errors.append({"loc": ("command",), "msg": f"there is no command {name!r}", "type": "unknown", "input": name})
    else:
        try:
            request = model.model_validate(dict(fields))
        except ValidationError as error:
            errors.extend(error.errors())
    return request, _shaped(law, errors)


def _shaped(law: Law, errors: list[Mapping[str, Any]]) -> list[Problem]:
    """Every problem of these errors of shape (in pydantic's form), as the rules of shape see them."""
    found: list[Problem] = []
    for each in binding(law, SHAPED):
        found.extend(problem(law, each.rule, finding) for finding in findings(each.judge(errors)))
    return found


def sending_problems(law: Law, by: object, key: object, at: object, expected: object) -> list[Problem]:
    """What is wrong with the shape of what comes beside the fields of a command: sender, key, instant, streams."""
    errors: list[Mapping[str, Any]] = []
    if not isinstance(by, Actor):
        errors.append(_wrong("by", by, "is no Actor"))
        by = Actor.system()
    if not isinstance(expected, Mapping):
        errors.append(_wrong("expected", expected, "maps no stream to its version"))
        expected = {}
    for field, texts in (("by", by), ("key", (key,)), ("expected", tuple(expected))):
        for text in texts:
            if not _is_plain(text):
                errors.append(_wrong(field, text, f"is no plain text of at most {MAX_KEY} characters"))
    for version in expected.values():
        if type(version) is not int:
            errors.append(_wrong("expected", version, "is no version"))
    flaw = None if at is None else _instant_flaw(at)
    if flaw is not None:
        errors.append({"loc": ("at",), "msg": flaw, "type": "instant", "input": at})
    return _shaped(law, errors) if errors else []


def _wrong(field: str, value: object, what: str) -> Mapping[str, Any]:
    shown = value[:_SHOWN] if isinstance(value, str) else type(value).__name__
    return {"loc": (field,), "msg": f"{shown!r} {what}", "type": "text", "input": value}


def _is_plain(text: object) -> bool:
    """Whether a value may name something: text, not too long, without control characters, encodable."""
    if not isinstance(text, str) or len(text) > MAX_KEY:
        return False
    return text.isprintable() if text.isascii() else not any(unicodedata.category(c) in ("Cc", "Cs") for c in text)


def _instant_flaw(at: object) -> str | None:
    if not isinstance(at, str):
        return f"{type(at).__name__!r} is no text like 2026-08-24T12:00:00Z"
    try:
        moment = instants.parse(at)
    except instants.InstantError as error:
        return str(error)
    return None if moment.year < LAST_YEAR else f"{at} leaves no room for a deadline after it"


def _is_instant_or_float(error: Mapping[str, Any]) -> bool:
    return isinstance(error["input"], float) or error["type"] == "instant" or "offset" in str(error["msg"])


def _said(error: Mapping[str, Any]) -> str:
    return str(error["msg"]).removeprefix("Value error, ")


def _where(error: Mapping[str, Any]) -> str:
    return ".".join(str(part) for part in error["loc"]) or "command"


@guard("TB-CMD-001", on=SHAPED, private=True)
def well_formed(errors: list[Mapping[str, Any]]) -> Judgement:
    """TB-CMD-001: a command has exactly its typed fields."""
    fixes = {
        "missing": "give the field",
        "extra_forbidden": "leave the field out",
        "unknown": "see `toll schema` for the list of commands",
    }
    return [
        Finding(_where(e), _said(e), fixes.get(str(e["type"]), "give a value of the type `toll schema` shows"))
        for e in errors
        if not _is_instant_or_float(e)
    ]


@guard("TB-CMD-006", on=SHAPED, private=True)
def aware_instants_and_no_floats(errors: list[Mapping[str, Any]]) -> Judgement:
    """TB-CMD-006 (ruling A-56): no floating point numbers, no instants without an offset."""
    return [
        Finding(
            _where(e),
            "a floating point number cannot be exact" if isinstance(e["input"], float) else _said(e),
            'write decimals as text ("0.70"), money in whole cents, and instants with their offset',
        )
        for e in errors
        if _is_instant_or_float(e)
    ]


def _stranger(actor: Actor, world: World) -> tuple[str, str] | None:
    """Why this sender is not registered in its role, and what would make it right; None where it is."""
    role, id = actor
    if role not in ROLES:
        return f"there is no role {role!r}", f"name one of the roles {', '.join(ROLES)}"
    if role == "system":
        return None if id == "system" else (f"the system acts as 'system', not as {id}", "send it by Actor.system()")
    state = world.state(id)
    kind = "passport" if role == "agent" else "person"
    if not id.startswith(f"{kind}-"):
        holder = "an agent acts under the id of its Passport" if role == "agent" else f"a {role} is a person"
        return f"{id} is no {role}", f"{holder}: name an id that begins with {kind}-"
    if state is None:
        return f"{role} {id} is not registered", "register the sender first, or name the id it is registered under"
    if role != "agent" and role not in (held := getattr(state, "capacity", ())):
        return f"{id} is registered as {' and '.join(held)}, not as {role}", "send it in a role of the sender"
    return None


@guard("TB-CMD-002", on=RECEIVED, private=True)
def sender_is_registered(case: Case) -> Judgement:
    """TB-CMD-002: the sender exists and acts in a role it is registered for."""
    wrong = _stranger(case.actor, case.world)
    return None if wrong is None else case.finding("by", *wrong)


@guard("TB-CMD-005", on=RECEIVED, private=True)
def key_is_used_once(case: Case) -> Judgement:
    """TB-CMD-005: a command key stands for one body; a repeat of the same body is answered, another is refused."""
    if case.data["other_body"]:
        return case.finding("key", "this key was used for another command", "use a new key for a new command")
    return None


@guard("TB-CMD-009", on=RECEIVED, private=True)
def versions_are_as_expected(case: Case) -> Judgement:
    """TB-CMD-009: where the sender says which version of a stream it has seen, that is still its version."""
    found = []
    for stream, expected in case.data["expected"].items():
        case.world.state(stream)
        present = case.world.read[stream]
        if present != expected:
            found.append(
                case.finding(
                    "expected",
                    f"{stream} is at version {present}, not {expected}",
                    "read the stream again and decide anew",
                )
            )
    return found


@guard("TB-CMD-010", on=RECEIVED, private=True)
def time_does_not_run_backward(case: Case) -> Judgement:
    """TB-CMD-010: an instant given with the command is not before the last committed one."""
    given, last = case.data["at"], case.data["last_at"]
    if given is not None and last is not None and given < last:
        return case.finding("at", f"{given} is before the last event at {last}", f"give {last} or later, or no instant")
    return None


@guard("TB-CMD-004", on=MISSING)
def subject_exists(case: Case) -> Judgement:
    """TB-CMD-004: what a command names exists."""
    return list(case.world.missing)


def parties(case: Case) -> set[str]:
    """The parties that the sender is towards the proposed event: its role where that says it all, or the party that
    the state (or, on a new stream, the event) names with the sender's id."""
    actor = case.actor
    if actor.role in ("steward", "system"):
        return {actor.role}
    named = dict(getattr(case.state, "parties", {}))
    for party, key in (("agent", "passport"), ("poster", "person"), ("operator", "operator")):
        value = case.data.get(key)
        if isinstance(value, str):
            named.setdefault(party, value)
    is_named = {party for party, id in named.items() if id == actor.id}
    roles = {"person": {"poster", "person"}, "agent": {"agent"}, "operator": {"operator"}}
    return is_named & roles[actor.role]


@guard("TB-CMD-003", on=ANY)
def only_the_party_concerned(case: Case) -> Judgement:
    """TB-CMD-003: an event is caused only by a party that the rule lists for its type, and a resolution only by one
    that it lists for that end."""
    allowed = case.params["senders"].get(case.event.type, ())
    if case.event.type == "deal.resolved":
        allowed = case.params["resolvers"].get(case.data["resolution"], ())
    if parties(case).isdisjoint(allowed):
        who = " or ".join(allowed) if allowed else "nobody"
        return case.finding(
            "by",
            f"{case.actor.role} {case.actor.id} may not cause {case.event.type} here; that is for the {who} concerned",
            f"send the command as the {who} concerned",
        )
    return None
