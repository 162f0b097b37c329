"""One command, judged: from a typed request to events that cite their rules, or to every problem at once.

The handler of a command proposes events; it neither refuses nor writes. Each proposed event is then judged by the
guards registered on its type, marked with the requirements it fulfils, checked against its closed schema, and folded
into the state that the next event is judged by. All problems are gathered; if there is one, nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..protocol import envelope, instants
from ..protocol.refusal import Problem
from ..rules.evaluators import Finding, Guard, Judgement, any_off, is_off, registry
from ..rules.law import Law
from .commands import Command, handler_of
from .events import event_type
from .streams import Unknown, kind_of
from .world import Case, Proposed, World


@dataclass(slots=True)
class Outcome:
    """What became of a command: the events to write (none when there are problems), and the problems."""

    events: list[envelope.Event] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    states: dict[str, Any] = field(default_factory=dict)


def problem(law: Law, rule: str, finding: Finding) -> Problem:
    """The refusal in its one public shape: the finding together with the rule, its revision and its edition."""
    edition = law.edition_of(rule)
    entry = edition.rules[rule]
    code = entry.reject_code or "REFUSED"
    return Problem(code, rule, entry.rev, edition.version, finding.field, finding.detail, finding.fix)


def findings(judgement: Judgement) -> Iterable[Finding]:
    """A guard's answer as a sequence."""
    if judgement is None:
        return ()
    return (judgement,) if isinstance(judgement, Finding) else judgement


def governing(world: World, proposed: Proposed, pins: Mapping[str, str] | None) -> Law:
    """The law that judges a proposed event: under these pins, at the instant the event happened."""
    law, happened = world.law.pinned(pins), proposed.happened
    return law if happened is None else law.read_at(instants.micros(happened))


def binding(law: Law, type_: str, *, include_any: bool = False) -> Iterator[Guard]:
    """The guards that judge this type, are not switched off, and whose rules are in force under the law, each in the
    revision that governs."""
    known = registry()
    found = known.guards_on(type_, include_any=include_any)
    return (guard for guard in found if law.in_force(guard.rule) and known.speaks(guard, law))


def decide(request: Command, world: World) -> Outcome:
    """Judge the command. Never raises for what an actor can cause; never writes."""
    outcome = Outcome()
    versions: dict[str, int] = {}
    try:
        for proposed in handler_of(type(request))(request, world):
            _judge(request, proposed, world, outcome, versions)
    except Unknown as unknown:
        name = _field_naming(request, unknown.id)
        world.lacks(name, str(unknown), f"name an existing {unknown.kind}")
    if world.missing:
        outcome.events.clear()
    if outcome.problems:
        outcome.events.clear()
        outcome.problems = list(dict.fromkeys(outcome.problems))
    return outcome


def _judge(request: Command, proposed: Proposed, world: World, outcome: Outcome, versions: dict[str, int]) -> None:
    stream, type_ = proposed.stream, event_type(proposed.type)
    world.trail.append(proposed.type)
    state = world.state(stream)
    law = governing(world, proposed, proposed.pins if state is None else getattr(state, "pins", None))
    data = dict(proposed.data)
    dropped = False
    for demand in registry().requirements_on(proposed.type):
        if law.in_force(demand.rule) and not registry().speaks(demand, law):
            continue
        if not is_off(demand.rule):
            law.apply(demand.rule)
        elif demand.field is None:
            dropped = True
        else:
            data[demand.field] = None
    if dropped:
        return
    case = Case(Proposed(stream, proposed.type, data, proposed.subject, proposed.pins), state, world, law, request)
    for guard in binding(law, proposed.type, include_any=True):
        law.apply(guard.rule)
        case.rule = guard.rule
        found = list(findings(guard.judge(case)))
        outcome.problems.extend(problem(law, guard.rule, each) for each in found)
    cited = world.law.take_citations()
    version = versions.get(stream, world.read.get(stream, 0)) + 1
    versions[stream] = version
    event = _event(proposed, data, type_.schema, version, len(outcome.events), world, cited)
    if not outcome.problems:
        _check_shape(event)
    outcome.events.append(event)
    state = kind_of(stream).evolve(state, event)
    world.advance(stream, state)
    outcome.states[stream] = state


def _event(
    proposed: Proposed,
    data: dict[str, Any],
    schema: int,
    version: int,
    ordinal: int,
    world: World,
    cited: list[tuple[str, str]],
) -> envelope.Event:
    rules: dict[str, list[str]] = {}
    for rule, edition in cited:
        rules.setdefault(edition, []).append(rule)
    books = {edition: world.law.shelf.get(edition).hash for edition in rules}
    return envelope.Event(
        type=proposed.type,
        schema=schema,
        stream=proposed.stream,
        version=version,
        subject=proposed.subject,
        at=world.at,
        actor={"role": world.actor.role, "id": world.actor.id},
        command=world.command,
        id=envelope.event_id(world.command, ordinal),
        data=data,
        rules=rules,
        rulebooks=books,
    )


def _check_shape(event: envelope.Event) -> None:
    wrong = event_type(event.type).problems(event.data)
    # With a rule switched off a field may be missing or unjudged; otherwise this is a defect of ours, not the actor's.
    if wrong and not any_off():
        raise TypeError(f"{event.type} does not have its registered shape: {'; '.join(wrong)}")


def _field_naming(request: Command, id: str) -> str:
    for name in type(request).model_fields:
        if getattr(request, name) == id:
            return name
    return "command"
