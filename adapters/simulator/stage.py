"""The stage: simulated time, a queue of lives, and the one way in which their scripts send commands.

A life is a generator. It does what is to be done at an instant and yields how long to wait. Before every step the
bench is swept, so that whatever the clock owes by then has happened.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Generator
from datetime import UTC, datetime
from typing import NamedTuple, TypeVar

from ...domain.commands import Actor, Command
from ...protocol import instants
from ...protocol.envelope import Event
from ...protocol.refusal import Refused
from ..bench import Bench, Done
from .dice import Dice

START = datetime(2026, 6, 29, tzinfo=UTC)
"""The Monday on which season 1 begins."""
MINUTE = 60_000_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
WEEK = 7 * DAY
WEEKS = 13

Y = TypeVar("Y")


def week_start(at: int) -> int:
    """The Monday midnight at or before an instant, in microseconds since 1970."""
    start = instants.micros(START)
    return start + (at - start) // WEEK * WEEK


class Wait(NamedTuple):
    """How long a life waits, in microseconds. Unswept, its next step comes before the sweep of that instant."""

    micros: int
    swept: bool = True


Script = Generator[Wait, None, Y]
"""A life, or a part of one: yields waits and returns a value."""


class SeasonError(Exception):
    """The script and the bench disagree: a command that the script counts on was refused, or the other way round."""


class Clock:
    """The simulated present."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


class Life:
    """One story: its own dice, its own command keys, its own waits."""

    def __init__(self, stage: Stage, name: str) -> None:
        self.stage = stage
        self.name = name
        self.dice = Dice(stage.seed, name)
        self._steps = 0

    def _key(self) -> str:
        self._steps += 1
        return f"{self.stage.seed}/{self.name}/{self._steps}"

    def do(self, request: Command, by: Actor) -> Done:
        """Send a command that the script counts on. Raises `SeasonError` where it is refused or writes nothing.

        A command that writes nothing leaves no trace under its key; a resumed season would judge it anew, later.
        """
        name = type(request).__name__
        try:
            done = self.stage.bench.do(request, by=by, key=self._key())
        except Refused as refused:
            raise SeasonError(f"{self.where()}: {name} was refused: {refused}") from refused
        if not done.events:
            raise SeasonError(f"{self.where()}: {name} wrote nothing")
        self.stage.used.add(name)
        return done

    def refused(self, request: Command, by: Actor, rule: str) -> None:
        """Send a command that this rule refuses, now and whenever the season is resumed."""
        name = type(request).__name__
        try:
            self.stage.bench.do(request, by=by, key=self._key())
        except Refused as refused:
            if rule not in (problem.rule for problem in refused.problems):
                raise SeasonError(f"{self.where()}: {rule} did not refuse {name}: {refused}") from refused
            self.stage.used.add(name)
            self.stage.refusals += 1
        else:
            raise SeasonError(f"{self.where()}: {name} was carried out, {rule} should refuse it")

    def where(self) -> str:
        """Which life this is, and when."""
        return f"{self.name} at {instants.text(self.stage.clock.now)}"

    @property
    def now(self) -> int:
        """The present instant in microseconds since 1970."""
        return instants.micros(self.stage.clock.now)

    def minutes(self, low: int, high: int) -> Wait:
        """A wait of so many minutes, to the microsecond."""
        return Wait(self.dice.between(low * MINUTE, high * MINUTE))

    def hours(self, low: int, high: int) -> Wait:
        """A wait of so many hours, to the microsecond."""
        return Wait(self.dice.between(low * HOUR, high * HOUR))

    def days(self, low: int, high: int) -> Wait:
        """A wait of so many days, to the microsecond."""
        return Wait(self.dice.between(low * DAY, high * DAY))

    def until(self, at: int, *, swept: bool = True) -> Wait:
        """The wait until an instant (microseconds since 1970); none where it is past."""
        return Wait(max(0, at - self.now), swept)


class Stage:
    """Everything that a season runs on.

    `used` collects the names of the commands used, `refusals` counts the planned refusals, `opened` holds the liveness
    reviews that sweeps opened: (instant, review) by deal.
    """

    def __init__(self, bench: Bench, clock: Clock, seed: int) -> None:
        self.bench = bench
        self.clock = clock
        self.seed = seed
        self.used: set[str] = set()
        self.refusals = 0
        self.opened: dict[str, list[tuple[str, str]]] = {}
        self._queue: list[tuple[int, int, bool, Script[None]]] = []
        self._entered = 0
        self._recall()

    def _recall(self) -> None:
        """Note what sweeps did before the season was cut off: they are not answered again, unlike commands."""
        for event in self.bench.events():
            if event.actor["role"] == "system":
                self._note(event)

    def _note(self, event: Event) -> None:
        if event.type == "liveness.review.opened":
            self.opened.setdefault(event.data["deal"], []).append((event.at, str(event.subject)))
        elif event.type == "rulebook.edition.enacted":
            self.used.add("EnactEdition")
        elif event.type == "agent.checkin.overdue" or event.data.get("resolution") in ("expired", "lapsed"):
            self.used.add("SweepDeal")

    def review_of(self, deal: str) -> str | None:
        """The last liveness review that a sweep had opened on this deal by now."""
        now = instants.text(self.clock.now)
        found = [review for at, review in self.opened.get(deal, ()) if at <= now]
        return found[-1] if found else None

    def enter(self, name: str, at: int, script: Callable[[Life], Script[None]]) -> None:
        """Let a life begin at an instant (microseconds since 1970)."""
        self._push(at, True, script(Life(self, name)))

    def _push(self, at: int, swept: bool, script: Script[None]) -> None:
        self._entered += 1
        heapq.heappush(self._queue, (at, self._entered, swept, script))

    def run(self, progress: Callable[[int], None] = lambda at: None) -> None:
        """Play until no life has anything left to do. `progress` is told every instant that was reached."""
        while self._queue:
            at, _, swept, script = heapq.heappop(self._queue)
            self.clock.now = instants.from_micros(at)
            if swept:
                self.sweep()
            wait = next(script, None)
            if wait is not None:
                self._push(at + wait.micros, wait.swept, script)
            progress(at)

    def sweep(self) -> None:
        """Let the clock do what it owes by now."""
        for done in self.bench.sweep(self.clock.now):
            for event in done.events:
                self._note(event)
