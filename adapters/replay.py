"""Replay: every state and view rebuilt from the log alone, and compared with what the bench shows.

The log is read in leaf order. Each event is checked on the way: canonical bytes, closed keys, registered type and
shape, versions that count up by one in each stream, instants that never run backward.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..domain.events import event_type, read
from ..domain.streams import kind_of
from ..protocol import canonical, envelope
from ..protocol.commitment import SALT_BYTES, verify
from . import views
from .bench import Bench
from .store.unit import MAX_LEAF


@dataclass(slots=True)
class ReplayReport:
    """What a replay saw: counts, and every difference or defect in one plain sentence."""

    events: int = 0
    streams: int = 0
    view_rows: int = 0
    differences: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """The report as JSON."""
        return dataclasses.asdict(self)


class Replayer:
    """Folds a log into states, checking every event. `states` maps each stream to its state."""

    def __init__(self) -> None:
        self.states: dict[str, Any] = {}
        self.versions: dict[str, int] = {}
        self.defects: list[str] = []
        self.last_at = ""

    def feed(self, leaf: int, body: bytes) -> None:
        """Check and apply the next event."""
        self.defects.extend(self._apply(leaf, body))

    def _apply(self, leaf: int, body: bytes) -> Iterator[str]:
        try:
            event = read(body)
            wrong = event_type(event.type).problems(event.data)
        except envelope.UnreadableEvent:
            raise  # sound, and of a newer version
        except (canonical.CanonicalError, envelope.EnvelopeError) as error:
            yield f"leaf {leaf}: {error}"
            return
        if wrong:
            yield f"leaf {leaf}: {event.type} has another shape than registered ({wrong[0]})"
            return
        stream, before = event.stream, self.versions.get(event.stream, 0)
        if event.version != before + 1:
            yield f"leaf {leaf}: {stream} goes from version {before} to {event.version}"
        if event.at < self.last_at:
            yield f"leaf {leaf}: at {event.at} is before {self.last_at}"
        self.last_at = event.at
        self.versions[stream] = event.version
        try:
            self.states[stream] = kind_of(stream).evolve(self.states.get(stream), event)
        except (AttributeError, LookupError, TypeError, ValueError):
            yield f"leaf {leaf}: {event.type} does not follow from what stands before it in {stream}"


def replay_check(bench: Bench) -> ReplayReport:
    """Rebuild everything beside the live bench and compare: states, indexes, the vault, view rows, board bytes.

    Where the log itself is damaged the report ends there: nothing can be rebuilt from it.
    """
    replayer, report = Replayer(), ReplayReport()
    for leaf, body in _in_order(bench, replayer.defects):
        report.events += 1
        replayer.feed(leaf, body)
    report.streams = len(replayer.states)
    report.differences.extend(replayer.defects or _misfiled(bench))
    if not report.differences:
        _compare(bench, replayer, report)
    return report


def _in_order(bench: Bench, defects: list[str]) -> Iterator[tuple[int, bytes]]:
    """The log by leaf index; gaps become defects."""
    expected = 0
    for leaf, body in bench.log(-MAX_LEAF):
        if leaf != expected:
            defects.append(f"leaf {expected} is missing: the next one is {leaf}")
        expected = leaf + 1
        yield leaf, body


def _misfiled(bench: Bench) -> Iterator[str]:
    """Every event that the table files under another stream, version or type than the event says."""
    start = 0
    while True:
        with bench.store.unit(write=False) as unit:
            bodies, filed = unit.page(start), unit.filed(start)
        if not bodies:
            return
        for (leaf, body), place in zip(bodies, filed, strict=True):
            event = envelope.from_bytes(body)
            if place != (event.stream, event.version, event.type):
                told = " ".join(map(str, place))
                yield f"leaf {leaf}: is {event.stream} {event.version} {event.type} and filed as {told}"
        start = bodies[-1][0] + 1


def _private(bench: Bench, replayer: Replayer) -> Iterator[str]:
    """Every difference of the private tables: indexes that do not follow from the states, and vault rows that do not
    open their commitment."""
    wanted: set[tuple[str, str, str]] = set()
    due: dict[str, str] = {}
    for stream, state in replayer.states.items():
        kind = kind_of(stream)
        wanted |= {(stream, relation, key) for relation, key in kind.index(state)}
        at = kind.due(state)
        if at is not None:
            due[stream] = at
    with bench.store.unit(write=False) as unit:
        if unit.last_at() != (replayer.last_at or None):
            yield f"the last event is at {replayer.last_at}, the bench says {unit.last_at()}"
        for stream, relation, key in sorted(unit.indexed() ^ wanted):
            yield f"the index entry {relation} {key} of {stream} differs from its replay"
        for stream, _ in sorted(set(unit.due()) ^ set(due.items())):
            yield f"when {stream} is due differs from its replay"
        for row in unit.vault_rows():
            if len(row.salt) != SALT_BYTES or not verify(row.commitment, row.kind, row.salt, row.body):
                yield f"the vault row {row.commitment} does not open its commitment"


def _compare(bench: Bench, replayer: Replayer, report: ReplayReport) -> None:
    """Note every difference between the live bench and the replay of its log."""
    position = views.catch_up(bench.store)
    if position != report.events:
        report.differences.append(f"the live view stands at position {position}, the log at {report.events}")
    for stream, state in replayer.states.items():
        if bench.state(stream) != state:
            report.differences.append(f"the live state of {stream} differs from its replay")
    report.differences.extend(_private(bench, replayer))
    with bench.store.unit(write=False) as unit:
        live = dict(unit.view_rows(views.VIEW))
    fresh = {key: canonical.dumps(dict(row)) for key, row in views.fold_in_memory(bench.log()).items()}
    report.view_rows = len(fresh)
    for key in sorted(live.keys() | fresh.keys()):
        if live.get(key) != fresh.get(key):
            report.differences.append(f"the live view row {key} differs from its replay")
    if not report.differences and bench.board_bytes() != bench.board_bytes(fresh=True):
        report.differences.append("the board differs from the board of a replay")
