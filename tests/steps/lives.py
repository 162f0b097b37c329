"""Lives for scenarios: a bench in memory with a clock that is turned by hand, and short ways to a state of interest.

Every function sends real commands through the public API. Names given in a scenario ("Ada", "alder") map to ids here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tollbench.adapters.bench import Bench, Done
from tollbench.domain.commands import Actor, Command
from tollbench.protocol.refusal import Problem, Refused

START = datetime(2026, 8, 3, 9, 0, tzinfo=UTC)


class Clock:
    """A clock that stands still until it is turned."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **span: float) -> datetime:
        """Turn the clock forward by days, hours, minutes, seconds or microseconds."""
        self.now += timedelta(**span)
        return self.now


def entropy(command: str, ordinal: int) -> bytes:
    """Reproducible salts and keys."""
    return hashlib.sha256(f"scenario/{command}/{ordinal}".encode()).digest()


class Life:
    """A bench, its clock, the people and agents by name, and what the last command came to."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.bench = Bench.open("memory:", clock=self.clock, entropy=entropy)
        self.ids: dict[str, str] = {}
        self.actors: dict[str, Actor] = {}
        self.done: Done | None = None
        self.refused: tuple[Problem, ...] = ()
        self.refusals: list[str] = []
        self.things: dict[str, Any] = {}

    def do(self, request: Command, by: Actor, **options: Any) -> Done:
        """Carry out a command that is expected to be carried out."""
        self.refused = ()
        self.done = self.bench.do(request, by=by, **options)
        return self.done

    def attempt(self, request: Command | Callable[[], Command], by: Actor, **options: Any) -> None:
        """Send a command that may be refused, and keep what came of it in `done` and `refused`."""
        self.done, self.refused = None, ()
        try:
            self.done = self.bench.do(request() if callable(request) else request, by=by, **options)
        except Refused as refused:
            self.refused = refused.problems
            self.refusals += [problem.rule for problem in refused.problems]

    def read(self, commitment: str, by: Actor) -> None:
        """Try to open a vault row, and keep its body in `things["read"]`, or what refused it in `refused`."""
        self.things["read"], self.refused = None, ()
        try:
            self.things["read"] = self.bench.reveal(commitment, by=by)
        except Refused as refused:
            self.refused = refused.problems

    def refused_by(self, rule: str) -> Problem:
        """The problem with which this rule refused the last command; fails where it did not."""
        for problem in self.refused:
            if problem.rule == rule:
                return problem
        said = ", ".join(p.rule for p in self.refused) or "it was carried out"
        raise AssertionError(f"{rule} did not refuse the command ({said})")

    def types(self) -> list[str]:
        """The event types in the log, in order."""
        return [event.type for event in self.bench.events()]

    def last_event(self, type_: str) -> Any:
        """The latest event of this type; fails where there is none."""
        found = [event for event in self.bench.events() if event.type == type_]
        assert found, f"no {type_} in the log"
        return found[-1]

    def close(self) -> None:
        """Close the bench."""
        self.bench.close()


@pytest.fixture
def life(request: pytest.FixtureRequest) -> Any:
    """A fresh life for each scenario; the rules that refused in it go into the test report."""
    made = Life()
    yield made
    request.node.user_properties += [("refusal", rule) for rule in made.refusals]
    made.close()
