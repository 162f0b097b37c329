"""`toll list`: the agents, deals, targets or people of a bench, with the ids that other commands take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

from ..bench import Bench
from .find import KINDS, LISTS, streams
from .output import bench_option, echo, json_option, lines, print_json

WANT_SHOWN = 60
_KIND = {name: kind for kind, name in LISTS.items()}


def _agent(bench: Bench, state: Any) -> dict[str, Any]:
    status = "active" if state.suspended is None else "no new work while under review"
    return {"id": state.id, "name": state.agent_name, "status": status, "operator": state.operator_name}


def _deal(bench: Bench, state: Any) -> dict[str, Any]:
    ended = state.status == "resolved"
    return {
        "id": state.id,
        "agent": bench.state(state.passport).agent_name,
        "status": f"{state.resolution}, {state.integrity}" if ended else state.status,
        "want": _want(bench.state(state.target)),
    }


def _target(bench: Bench, state: Any) -> dict[str, Any]:
    status = "proposal chosen" if state.status == "posted" and state.chosen else state.status.replace("_", " ")
    return {"id": state.id, "status": status, "want": _want(state)}


def _person(bench: Bench, state: Any) -> dict[str, Any]:
    status = "verified" if state.verified else "not verified"
    return {"id": state.id, "status": status, "roles": list(state.capacity)}


def _want(target: Any) -> str | None:
    """The want in its poster's words, public from posting on."""
    return target.card["want"] if target.card else None


_LINES: Mapping[str, Callable[[Bench, Any], dict[str, Any]]] = {
    "agent": _agent,
    "deal": _deal,
    "target": _target,
    "person": _person,
}


@click.command("list")
@click.argument("what", type=click.Choice(sorted(_KIND)))
@bench_option
@json_option
def list_(what: str, url: str, as_json: bool) -> None:
    """List agents, deals, targets or people, one a line: whole ids, names or wants, and where each stands.

    A want has no words here before it is posted: until then they are private.
    """
    kind = _KIND[what]
    with Bench.open(url, create=False) as bench:
        listed = [_LINES[kind](bench, bench.state(stream)) for stream in streams(bench, KINDS[kind])]
    if as_json:
        print_json(listed)
    elif listed:
        echo(lines(list(listed[0]), [[_shown(value) for value in line.values()] for line in listed], whole=True))
    else:
        echo([f"no {what} yet"])


def _shown(value: str | list[str] | None) -> str | None:
    text = ", ".join(value) if isinstance(value, list) else value
    if text is None:
        return None
    text = " ".join(text.split())
    return text if len(text) <= WANT_SHOWN else f"{text[: WANT_SHOWN - 1]}…"
