"""`toll show` and `toll todo`: one story from the log, and what waits for whom."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import click

from ...protocol import envelope
from ..bench import Bench
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


@click.command()
@click.argument("kind", type=click.Choice(sorted(PREFIX)))
@click.argument("id")
@bench_option
@json_option
def show(kind: str, id: str, url: str, as_json: bool) -> None:
    """Show one target, deal or agent: where it stands, and every event of its story."""
    stream = id if id.startswith(PREFIX[kind]) else PREFIX[kind] + id
    with Bench.open(url, create=False) as bench:
        state = bench.state(stream)
        if state is None:
            fail(f"there is no {kind} {id} in {url}; `toll events` lists what there is", code=1)
        story = [envelope.from_bytes(body) for body in bench.stream(stream)]
        record = bench.public_record(stream) if kind == "deal" else None
    if as_json:
        shown = {"id": stream, "state": plain(state), "events": [event.as_dict() for event in story]}
        print_json(shown if record is None else shown | {"public_record": record})
        return
    out = console()
    rows = [(name, _short(value)) for name, value in plain(state).items() if value not in (None, [], {}, "")]
    out.print(table(f"{kind} {stream}", ["field", "value"], rows))
    if record is not None:
        out.print(table("Public record", ["field", "value"], [(n, _short(v)) for n, v in record.items()]))
    out.print(
        table(
            "Story",
            ["version", "at", "event", "about", "by"],
            [(e.version, e.at, e.type, e.subject, f"{e.actor['role']} {e.actor['id']}") for e in story],
        )
    )


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
