"""`toll do`, `toll check` and `toll schema`: any command of any actor, from a file.

A command file is one JSON object:

    {"command": "NameFinalist", "by": {"role": "person", "id": "person-…"}, "key": "any text",
     "at": "2026-08-24T12:00:00Z", "fields": {"target": "target-…", "proposal": "proposal-…"}}

`key`, `at` and `expected` may be left out; `_SHAPE` says what each is.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ...domain.commands import ROLES, Actor, commands
from ...domain.events import event_types
from ...protocol.refusal import Refused
from ..bench import Bench
from ..examples import example_of
from ..schemas import command_schema, event_schema
from .output import bench_option, console, fail, json_option, meant, print_json, table

_SHAPE = """\b
The file holds one JSON object:
  command   name of the command; `toll schema` lists them
  by        the sender: {"role": ROLE, "id": ID}
  fields    its fields; `toll schema COMMAND` says which, and
            `toll schema COMMAND --example` prints a whole file
  key       any text; the same file sent again is then answered, not done again
  at        the instant at which it happens, with its offset; left out: now
  expected  {STREAM: VERSION}, refused where a stream has moved on; left out: any

\b
Roles and the ids they act under:
  person    person-…    a poster, once registered with this capacity
  agent     passport-…  an agent, under the id of its Passport
  operator  person-…    who registers agents and answers for them
  steward   person-…    who reviews wants and judges integrity
  system    system      the platform itself: sign-ups, payments, the clock
The poster of a target is the person who recorded it.

\b
{
  "command": "RegisterPerson",
  "by": {"role": "system", "id": "system"},
  "key": "sign-up 1",
  "fields": {"capacity": ["person"], "name": "Ada", "contact": "ada@example.org"}
}
"""

KEYS = {"command", "by", "key", "at", "expected", "fields"}
MAX_BYTES = 8 * 1024 * 1024
MAX_DIGITS = 40


@dataclass(frozen=True, slots=True)
class CommandFile:
    """A command as it stands in a file."""

    command: str
    by: Actor
    key: str | None
    at: str | None
    expected: dict[str, int]
    fields: dict[str, Any]


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return made


def _whole(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"the number {digits[:MAX_DIGITS]}… has {len(digits)} digits; none is that large")
    return int(digits)


def read_command(source: str) -> CommandFile:
    """The command in the file (`-`: standard input). Ends the program with one line where it is none."""
    name = "standard input" if source == "-" else source
    raw = sys.stdin.buffer.read(MAX_BYTES + 1) if source == "-" else _read(Path(source))
    if len(raw) > MAX_BYTES:
        fail(f"{name}: larger than {MAX_BYTES} bytes; a command is smaller")
    try:
        body = json.loads(raw.decode("utf-8"), object_pairs_hook=_unique, parse_int=_whole)
    except UnicodeDecodeError as error:
        fail(f"{name}: byte {error.start} is not UTF-8")
    except json.JSONDecodeError as error:
        fail(f"{name}:{error.lineno}:{error.colno}: not JSON ({error.msg})")
    except ValueError as error:
        fail(f"{name}: not a command ({error})")
    except RecursionError:
        fail(f"{name}: not a command (too many brackets inside one another)")
    return _command(name, body)


def _read(path: Path) -> bytes:
    if path.is_dir():
        fail(f"{path}: is a directory; name a file")
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def _command(name: str, body: Any) -> CommandFile:
    if not isinstance(body, dict):
        fail(f"{name}: a command is one JSON object with command, by and fields (`toll do --help`)")
    extra = sorted(body.keys() - KEYS)
    if extra:
        fail(f"{name}: unknown key {extra[0]!r}; a command has {', '.join(sorted(KEYS))} (`toll do --help`)")
    by = body.get("by")
    if not isinstance(body.get("command"), str) or not isinstance(body.get("fields", {}), dict):
        fail(f"{name}: `command` is a name and `fields` an object")
    if not isinstance(by, dict) or by.keys() != {"role", "id"} or not all(isinstance(v, str) for v in by.values()):
        fail(f'{name}: `by` is an object like {{"role": "person", "id": "person-…"}}')
    if by["role"] not in ROLES:
        fail(f"{name}: unknown role {by['role']!r}; one of {', '.join(ROLES)}")
    for field in ("key", "at"):
        if not isinstance(body.get(field), str | None):
            fail(f"{name}: `{field}` is text")
    expected = body.get("expected", {})
    if not isinstance(expected, dict) or not all(type(v) is int for v in expected.values()):
        fail(f"{name}: `expected` maps stream ids to versions")
    return CommandFile(
        body["command"], Actor(by["role"], by["id"]), body.get("key"), body.get("at"), expected, body.get("fields", {})
    )


@click.command(epilog=_SHAPE)
@click.argument("source", metavar="COMMAND.json|-")
@bench_option
@json_option
def do(source: str, url: str, as_json: bool) -> None:
    """Carry out the command in a file, or say every problem that stands against it."""
    given = read_command(source)
    with Bench.open(url, create=False) as bench:
        request = bench.parse(given.command, given.fields)
        done = bench.do(request, by=given.by, key=given.key, at=given.at, expected=given.expected)
    if as_json:
        print_json(
            {
                "command": done.command,
                "ids": list(done.ids),
                "position": done.position,
                "repeated": done.repeated,
                "events": [event.as_dict() for event in done.events],
            }
        )
        return
    out = console()
    out.print(f"{given.command} done{' before (same key, same body)' if done.repeated else ''}")
    for id in done.ids:
        out.print(f"  created {id}")
    for event in done.events:
        out.print(f"  {event.type}  {event.stream} version {event.version}")


@click.command(epilog=_SHAPE)
@click.argument("source", metavar="COMMAND.json|-")
@bench_option
@json_option
def check(source: str, url: str, as_json: bool) -> None:
    """Say every problem that `toll do` would refuse the command for. Writes nothing."""
    given = read_command(source)
    with Bench.open(url, create=False) as bench:
        request = bench.parse(given.command, given.fields)
        problems = bench.check(request, by=given.by, at=given.at, expected=given.expected)
    if problems:
        raise Refused(problems)
    if as_json:
        print_json({"refused": []})
    else:
        console().print(f"{given.command} would be carried out")


@click.command()
@click.argument("name", required=False, metavar="[COMMAND|EVENT]")
@click.option("--example", is_flag=True, help="Print a complete command file instead, ready to be filled in.")
@json_option
def schema(name: str | None, example: bool, as_json: bool) -> None:
    """Print the JSON Schema of a command or of an event; without a name, list both."""
    if example:
        if name is None or name not in commands():
            fail(f"--example needs the name of a command; {meant(name or '', commands(), 'toll schema')}")
        print_json(example_of(name))
    elif name is None:
        if as_json:
            print_json({"commands": sorted(commands()), "events": sorted(event_types())})
            return
        out = console()
        does = [(name, _first_line(model.__doc__)) for name, model in sorted(commands().items())]
        streams = [(name, ", ".join(type_.streams)) for name, type_ in sorted(event_types().items())]
        out.print(table("Commands", ["name", "what it does"], does))
        out.print(table("Events", ["type", "streams"], streams))
    elif name in commands():
        print_json(command_schema(name))
    elif name in event_types():
        print_json(event_schema(event_types()[name]))
    else:
        fail(f"there is no command or event {name!r}; {meant(name, [*commands(), *event_types()], 'toll schema')}")


def _first_line(text: str | None) -> str:
    return (text or "").strip().split("\n")[0]
