"""Replay: every state and view rebuilt from the log alone, and compared with what the bench shows.

The log is read in leaf order. Each event is checked on the way: canonical bytes, closed keys, registered type and
shape, versions that count up by one in each stream, instants that never run backward.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

from ..domain.events import event_type, read
from ..domain.streams import kind_of
from ..protocol import canonical, envelope
from . import views
from .bench import Bench


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
        self._last_at = ""

    def feed(self, leaf: int, body: bytes) -> None:
        """Check and apply the next event."""
        try:
            event = read(body)
            wrong = event_type(event.type).problems(event.data)
        except (canonical.CanonicalError, envelope.EnvelopeError) as error:
            self.defects.append(f"leaf {leaf}: {error}")
            return
        if wrong:
            self.defects.append(f"leaf {leaf}: {event.type} has another shape than registered ({wrong[0]})")
            return
        stream, before = event.stream, self.versions.get(event.stream, 0)
        if event.version != before + 1:
            self.defects.append(f"leaf {leaf}: {stream} goes from version {before} to {event.version}")
        if event.at < self._last_at:
            self.defects.append(f"leaf {leaf}: at {event.at} is before {self._last_at}")
        self._last_at = event.at
        self.versions[stream] = event.version
        self.states[stream] = kind_of(stream).evolve(self.states.get(stream), event)


def replay_check(bench: Bench) -> ReplayReport:
    """Rebuild everything beside the live bench and compare: states, view rows, board bytes."""
    views.catch_up(bench.store)
    replayer, report = Replayer(), ReplayReport()
    expected = 0
    for leaf, body in bench.log():
        if leaf != expected:
            replayer.defects.append(f"leaf {expected} is missing: the next one is {leaf}")
        expected = leaf + 1
        replayer.feed(leaf, body)
    report.events, report.streams = expected, len(replayer.states)
    report.differences.extend(replayer.defects)
    for stream, state in replayer.states.items():
        if bench.state(stream) != state:
            report.differences.append(f"the live state of {stream} differs from its replay")
    with bench.store.unit(write=False) as unit:
        live = {key: canonical.dumps(row) for key, row in views.stored_rows(unit)}
    fresh = {key: canonical.dumps(dict(row)) for key, row in views.fold_in_memory(bench.log()).items()}
    report.view_rows = len(fresh)
    for key in sorted(live.keys() | fresh.keys()):
        if live.get(key) != fresh.get(key):
            report.differences.append(f"the live view row {key} differs from its replay")
    if not report.differences and bench.board_bytes() != bench.board_bytes(fresh=True):
        report.differences.append("the board differs from the board of a replay")
    return report
