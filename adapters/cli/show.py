"""`toll show` and `toll todo`: one story from the log, and what waits for whom."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import click

from ...domain.commands import ROLES, Actor
from ...protocol import envelope
from ..bench import Bench
from ..proposals import proposal_cards
from ..pulses import liveness, pulses
from .output import bench_option, console, fail, json_option, print_json, table

PREFIX = {"target": "target-", "deal": "deal-", "agent": "passport-"}


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


def _actor(text: str | None) -> Actor | None:
    if text is None:
        return None
    role, colon, id = text.partition(":")
    if not colon or role not in ROLES:
        fail(f"--as {text}: write a role and an id, like steward:person-…; the roles are {', '.join(ROLES)}")
    return Actor(role, id)  # type: ignore[arg-type]  # one of the roles, as checked


def _beside(bench: Bench, kind: str, stream: str, reader: Actor | None) -> dict[str, Any]:
    """What is shown beside the state: of a deal its public record and pulses, of a target its proposal cards."""
    if kind == "target":
        return {"proposals": proposal_cards(bench, stream)}
    if kind == "agent":
        return {}
    found = {"public_record": bench.public_record(stream), "liveness": plain(liveness(bench, stream))}
    return found if reader is None else {**found, "pulses": plain(pulses(bench, stream, by=reader))}


@click.command()
@click.argument("kind", type=click.Choice(sorted(PREFIX)))
@click.argument("id")
@click.option("--as", "reader", help="Show a deal's pulses to this reader: ROLE:ID, for example steward:person-…")
@bench_option
@json_option
def show(kind: str, id: str, reader: str | None, url: str, as_json: bool) -> None:
    """Show one target, deal or agent: where it stands, what belongs to it, and every event of its story."""
    stream = id if id.startswith(PREFIX[kind]) else PREFIX[kind] + id
    by = _actor(reader)
    with Bench.open(url, create=False) as bench:
        state = bench.state(stream)
        if state is None:
            fail(f"there is no {kind} {id} in {url}; `toll events` lists what there is", code=1)
        story = [envelope.from_bytes(body) for body in bench.stream(stream)]
        beside = _beside(bench, kind, stream, by)
    if as_json:
        shown = {"id": stream, "state": plain(state), **beside, "events": [event.as_dict() for event in story]}
        print_json(shown)
        return
    out = console()
    out.print(table(f"{kind} {stream}", ["field", "value"], _rows(plain(state))))
    for name, value in beside.items():
        rows = _rows(value) if isinstance(value, dict) else [(n + 1, _short(each)) for n, each in enumerate(value)]
        out.print(table(name.replace("_", " ").capitalize(), ["field", "value"], rows))
    out.print(
        table(
            "Story",
            ["version", "at", "event", "about", "by"],
            [(e.version, e.at, e.type, e.subject, f"{e.actor['role']} {e.actor['id']}") for e in story],
        )
    )


def _rows(shown: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(name, _short(value)) for name, value in shown.items() if value not in (None, [], {}, "")]


def _short(value: Any) -> str:
    text = ", ".join(f"{k}: {v}" for k, v in value.items()) if isinstance(value, dict) else str(value)
    return text if len(text) <= 300 else text[:297] + "…"


@click.command()
@bench_option
@click.option("--party", type=click.Choice(["poster", "agent", "steward", "system"]), help="Only what waits for these.")
@click.option("--who", help="Only what waits for this id.")
@json_option
def todo(url: str, party: str | None, who: str | None, as_json: bool) -> None:
    """Show what waits for whom: posters, agents, stewards and the platform."""
    with Bench.open(url, create=False) as bench:
        items = [i for i in bench.todo() if party in (None, i.party) and who in (None, i.who)]
    if as_json:
        print_json([item._asdict() | {"commands": list(item.commands)} for item in items])
        return
    rows = [(i.party, i.who, i.what, i.subject, i.since, i.due, " ".join(i.commands)) for i in items]
    console().print(table("To do", ["party", "who", "what", "about", "since", "due", "answered by"], rows))
