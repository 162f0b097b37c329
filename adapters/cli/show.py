"""`toll show` and `toll todo`: one story from the log, and what waits for whom."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

import click

from ...domain.commands import ROLES, Actor
from ...protocol import envelope
from ..bench import Bench
from ..proposals import proposal_cards
from ..pulses import liveness, pulses
from .find import KINDS, find, find_party
from .output import bench_option, echo, fail, json_option, lines, note_short_ids, print_json, short_instants

NOBODY_IN_PARTICULAR = ("steward", "system", "anyone")
"""Whom a thing may wait for without an id."""


def plain(value: Any) -> Any:
    """A state as JSON: dataclasses and named tuples become objects, decimals become text."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: plain(item) for name, item in zip(value._fields, value, strict=True)}
    if isinstance(value, Mapping):
        return {" ".join(key) if isinstance(key, tuple) else str(key): plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list | frozenset | set):
        return [plain(item) for item in (sorted(value) if isinstance(value, frozenset | set) else value)]
    return str(value) if isinstance(value, Decimal) else value


def _actor(bench: Bench, text: str | None, url: str) -> Actor | None:
    if text is None:
        return None
    role, colon, id = text.partition(":")
    if not colon or role not in ROLES:
        fail(f"--as {text}: write a role and an id, like steward:person-…; the roles are {', '.join(ROLES)}")
    named = id if role == "system" else find(bench, "agent" if role == "agent" else "person", id, url)
    return Actor(role, named)


def _beside(bench: Bench, kind: str, stream: str, reader: Actor | None) -> dict[str, Any]:
    """What is shown beside the state: of a deal its public record and pulses, of a target its proposal cards."""
    if kind == "target":
        return {"proposals": proposal_cards(bench, stream)}
    if kind != "deal":
        return {}
    found = {"public_record": bench.public_record(stream), "liveness": plain(liveness(bench, stream))}
    return found if reader is None else {**found, "pulses": plain(pulses(bench, stream, by=reader))}


@click.command()
@click.argument("kind", type=click.Choice(sorted(KINDS)))
@click.argument("id", metavar="ID|NAME")
@click.option("--as", "reader", help="Show a deal's pulses to this reader: ROLE:ID, for example steward:person-…")
@bench_option
@json_option
def show(kind: str, id: str, reader: str | None, url: str, as_json: bool) -> None:
    """Show one target, deal, agent or person: where it stands, what belongs to it, and every event of its story.

    An id may be cut as long as it stands for one thing, its kind may be left out, and an agent goes by its name too:
    `toll show agent Elm`, `toll show deal 3c7f`.
    """
    with Bench.open(url, create=False) as bench:
        stream = find(bench, kind, id, url)
        by = _actor(bench, reader, url)
        state = plain(bench.state(stream))
        story = [envelope.from_bytes(body) for body in bench.stream(stream)]
        beside = _beside(bench, kind, stream, by)
    if as_json:
        print_json({"id": stream, "state": state, **beside, "events": [event.as_dict() for event in story]})
        return
    echo([f"{kind} {stream}", *_leaf_lines({name: value for name, value in state.items() if name != "id"})])
    for name, value in beside.items():
        echo(["", name.replace("_", " ").capitalize(), *_leaf_lines(value)])
    columns = ["version", "at", "event", "about", "by"]
    told = [(e.version, e.at, e.type, e.subject, _sender(e.actor)) for e in story]
    echo(["", "Story", *lines(columns, told)])
    note_short_ids()


def _sender(actor: Mapping[str, str]) -> str:
    return actor["role"] if actor["id"] == actor["role"] else f"{actor['role']} {actor['id']}"


def _leaf_lines(shown: Any) -> list[str]:
    """Every value inside, one a line behind its path (`money.released.outcome  3000`); what is empty is left out."""
    found = list(_leaves(shown, ""))
    width = max((len(path) for path, _ in found), default=0)
    return [f"  {path.ljust(width)}  {value}" for path, value in found]


def _leaves(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _leaves(each, f"{path}.{name}" if path else name)
    elif isinstance(value, list) and any(isinstance(each, dict | list) for each in value):
        for number, each in enumerate(value, 1):
            yield from _leaves(each, f"{path}.{number}" if path else str(number))
    elif isinstance(value, list) and value:
        yield path, ", ".join(map(_leaf, value))
    elif value not in (None, [], ""):
        yield path, _leaf(value)


def _leaf(value: Any) -> str:
    """One value in one line: text as it stands where it has one line, everything else as JSON."""
    if isinstance(value, str) and "\n" not in value:
        return short_instants(value)
    return json.dumps(value, ensure_ascii=False)


@click.command()
@bench_option
@click.option("--party", type=click.Choice(["poster", "agent", "steward", "system"]), help="Only what waits for these.")
@click.option("--who", metavar="ID|NAME", help="Only what waits for this person or agent.")
@json_option
def todo(url: str, party: str | None, who: str | None, as_json: bool) -> None:
    """Show what waits for whom, one thing a line: posters, agents, stewards and the platform."""
    with Bench.open(url, create=False) as bench:
        whose = who if who in (None, *NOBODY_IN_PARTICULAR) else find_party(bench, who, url)
        items = [i for i in bench.todo() if party in (None, i.party) and whose in (None, i.who)]
    if as_json:
        print_json([item._asdict() | {"commands": list(item.commands)} for item in items])
        return
    if not items:
        echo(["nothing waits" if party is None and who is None else "nothing waits for them"])
        return
    columns = ["party", "who", "what", "about", "since", "due", "answered by"]
    rows = [(i.party, i.who, i.what, i.subject, i.since, i.due, " ".join(i.commands)) for i in items]
    echo(lines(columns, rows))
    note_short_ids()
