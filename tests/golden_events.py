"""One event of every type and schema version ever shipped, byte-exact for ever, and the streams they come from.

`tests/golden/events/<type>.v<schema>.json` holds nothing but the canonical bytes of one event, `SHA256SUMS` the hashes
(`sha256sum -c` reads it), and `streams.<n>.jsonl` the streams up to these events, so that each can be folded onto the
state it met: one file for each time that types were added, from a season of its own. `python tests/golden_events.py`
adds what is missing; it changes no file that is there. Five types stand for acts that are always refused: theirs are
what would be written without the rule.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tollbench.adapters.simulator import stage
from tollbench.adapters.simulator.season import open_bench, play
from tollbench.domain.commands import Actor, Command
from tollbench.domain.events import event_types
from tollbench.domain.passport.stewardship import CloseLivenessReview
from tollbench.protocol import envelope
from tollbench.protocol.envelope import Event
from tollbench.protocol.refusal import Refused
from tollbench.rules.evaluators import switched_off

FOLDER = Path(__file__).resolve().parent / "golden" / "events"
SUMS = FOLDER / "SHA256SUMS"
SEED, TARGETS = 7, 24


def name_of(type_: str, schema: int) -> str:
    """The file of this type and version."""
    return f"{type_}.v{schema}.json"


def season(seed: int) -> tuple[list[bytes], list[Event]]:
    """The log of a season, and the events that its always refused acts would have written."""
    refused: list[Event] = []

    def without(life: stage.Life, request: Command, by: Actor, rule: str) -> None:
        bench = life.stage.bench
        # A release without an approval meets other rules too; releases there are plenty of.
        with suppress(Refused), switched_off(rule), bench.store.unit(write=False) as unit:
            refused.extend(bench._run(unit, request, by, life._key(), None, {}, dry=True).events)

    def forfeiting(life: stage.Life, request: Command, by: Actor) -> Any:
        if isinstance(request, CloseLivenessReview):
            without(life, request.model_copy(update={"forfeit_cents": 100}), by, "TB-PULSE-018")
        return send(life, request, by)

    send = stage.Life.do
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(stage.Life, "refused", without)
        patched.setattr(stage.Life, "do", forfeiting)
        bench, clock = open_bench("memory:", seed)
        with bench:
            play(bench, clock, seed, TARGETS, lambda part: None)
            return [body for _, body in bench.log()], refused


def pick(log: Iterable[bytes], refused: Iterable[Event], wanted: set[str]) -> tuple[dict[str, bytes], list[bytes]]:
    """For each wanted type the event that says most, from as few and as short streams as can be; and these streams.

    A type that the log does not have is taken from what was refused, with the whole stream that it would have met.
    """
    events = [(envelope.from_bytes(body), body) for body in log]
    by_type: dict[str, list[tuple[Event, bytes]]] = {}
    for event, body in events:
        by_type.setdefault(event.type, []).append((event, body))
    reach: dict[str, int] = {}
    found: dict[str, bytes] = {}
    for type_ in sorted(wanted & by_type.keys(), key=lambda name: (len(by_type[name]), name)):
        told = max(_told(event) for event, _ in by_type[type_])
        event, found[type_] = min(
            (pair for pair in by_type[type_] if _told(pair[0]) == told),
            key=lambda pair: max(0, pair[0].version - reach.get(pair[0].stream, 0)),
        )
        reach[event.stream] = max(event.version, reach.get(event.stream, 0))
    for event in refused:
        if event.type in wanted - found.keys():
            found[event.type] = envelope.to_bytes(event)
            reach[event.stream] = max(event.version - 1, reach.get(event.stream, 0))
    return found, [body for event, body in events if event.version <= reach.get(event.stream, 0)]


def _told(event: Event) -> int:
    """How many fields the event fills."""
    return sum(value not in (None, [], {}, "") for value in event.data.values())


def stream_files() -> list[Path]:
    """The files of streams, in the order in which they were added."""
    return sorted(FOLDER.glob("streams.*.jsonl"), key=lambda path: int(path.name.split(".")[1]))


def add_missing() -> list[str]:
    """Write what is missing; the names of the new files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    missing = {
        type_.name for type_ in event_types().values() if not (FOLDER / name_of(type_.name, type_.schema)).exists()
    }
    if not missing:
        return []
    batch = len(stream_files()) + 1
    found, streams = pick(*season(SEED + batch - 1), missing)
    names = {name_of(type_, event_types()[type_].schema): body for type_, body in found.items()}
    for name, body in names.items():
        (FOLDER / name).write_bytes(body)
    (FOLDER / f"streams.{batch}.jsonl").write_bytes(b"".join(body + b"\n" for body in streams))
    sums = SUMS.read_text().splitlines() if SUMS.exists() else []
    sums += [f"{envelope.event_hash(body).hex()}  {name}" for name, body in names.items()]
    SUMS.write_text("".join(f"{line}\n" for line in sorted(sums, key=lambda line: line.split()[1])))
    return sorted(names)


if __name__ == "__main__":
    sys.exit(print("\n".join(add_missing()) or "every type has its golden file"))
