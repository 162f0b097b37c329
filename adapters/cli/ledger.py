"""`toll events` and `toll replay`: the log as it stands, and the proof that the live views follow from it."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Mapping

import click

from ...domain.events import event_types
from ...protocol import envelope
from ..bench import Bench
from ..replay import replay_check
from .find import find_stream
from .output import bench_option, console, echo, fail, json_option, lines, meant, note_short_ids, print_json

MOST = 2**53
"""No log has more events; a larger number is a slip."""


@click.command()
@bench_option
@click.option("--from", "start", default=0, show_default=True, type=click.IntRange(0, MOST), help="First leaf index.")
@click.option("--limit", type=click.IntRange(1, MOST), help="At most this many events.")
@click.option("--stream", help="Only this stream; its id may be cut as long as it stands for one.")
@click.option("--type", "type_", help="Only this event type, as `toll schema` lists them.")
@json_option
def events(url: str, start: int, limit: int | None, stream: str | None, type_: str | None, as_json: bool) -> None:
    """Print the events of the log in order, one a line; with --json their canonical bytes (JSON Lines)."""
    if type_ is not None and type_ not in event_types():
        fail(f"there is no event type {type_}; {meant(type_, event_types(), 'toll schema')}")
    with Bench.open(url, create=False) as bench:
        chosen_stream = None if stream is None else find_stream(bench, stream, url)
        wanted = (
            (leaf, body, event)
            for leaf, body in bench.log(start)
            for event in (envelope.from_bytes(body),)
            if chosen_stream in (None, event.stream) and (type_ is None or event.type == type_)
        )
        chosen = itertools.islice(wanted, limit)
        if as_json:
            out = sys.stdout.buffer
            for _, body, _ in chosen:
                out.write(body + b"\n")
            return
        rows = [
            (leaf, e.at, e.type, e.stream, e.subject, e.version, e.actor["role"], _cited(e.rules))
            for leaf, _, e in chosen
        ]
    columns = ["leaf", "at", "type", "stream", "subject", "version", "by", "rules"]
    echo(lines(columns, rows) if rows else ["no such event"])
    note_short_ids()


def _cited(rules: Mapping[str, list[str]]) -> str:
    return " ".join(itertools.chain.from_iterable(rules.values()))


@click.command()
@bench_option
@click.option("--check", "check", is_flag=True, help="Compare with the live views; exit 1 where they differ.")
@json_option
@click.pass_context
def replay(ctx: click.Context, url: str, check: bool, as_json: bool) -> int:
    """Rebuild every state and view from the log, beside the live ones; with --check say whether they are the same."""
    with Bench.open(url, create=False) as bench:
        report = replay_check(bench)
    if as_json:
        print_json(report.as_dict())
    else:
        out = console()
        out.print(f"{report.events} events replayed into {report.streams} streams; {report.view_rows} view rows")
        for difference in report.differences:
            out.print(f"differs: {difference}")
        if not report.differences:
            out.print("the live views and board are the same, byte for byte")
    return 1 if check and report.differences else 0
