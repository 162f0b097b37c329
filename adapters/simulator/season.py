"""A season from the first registration to the last close, and the coverage of the protocol's commands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...domain.commands import commands
from ...domain.target.commands import RepostTarget
from ...protocol import instants
from ..bench import Bench
from . import routines
from .aftermath import settle
from .attempt import Attempt
from .cast import Cast, Poster, assemble
from .dice import SeededEntropy
from .plots import DELIVERED, Plot, plots
from .scenes import ALWAYS_REFUSED
from .stage import START, WEEK, WEEKS, Clock, Life, Script, Stage
from .want import to_the_board, to_the_signature
from .work import perform


@dataclass(frozen=True, slots=True)
class Coverage:
    """Which of the protocol's commands a season used, those that are always refused included."""

    used: frozenset[str]
    known: frozenset[str]

    @property
    def missing(self) -> tuple[str, ...]:
        """The commands that the season did not use, by name."""
        return tuple(sorted(self.known - self.used))

    def line(self) -> str:
        """The coverage in one line."""
        told = f"{len(self.known & self.used)} of {len(self.known)} commands used"
        refused = f"{len(ALWAYS_REFUSED & self.used)} of them are always refused"
        return f"{told}, {refused}" + (f"; not used: {', '.join(self.missing)}" if self.missing else "")


def open_bench(url: str, seed: int) -> tuple[Bench, Clock]:
    """The bench of a season at this address (made on first use), on simulated time and seeded entropy."""
    clock = Clock()
    return Bench.open(url, clock=clock, entropy=SeededEntropy(seed)), clock


def play(bench: Bench, clock: Clock, seed: int, targets: int, progress: Callable[[float], None]) -> Coverage:
    """Play the season, or what is left of it. `progress` is told which part of it is over, from 0 to 1."""
    stage = Stage(bench, clock, seed)
    opening = Life(stage, "opening")
    cast = assemble(opening, max(2, (targets + 1) // 2))
    start, length = instants.micros(START), (WEEKS * WEEK)
    stage.enter("weeks", start, routines.weeks)
    stage.enter("rulebook", start, lambda life: routines.rulebook(life, cast))
    stage.enter("keys", start, lambda life: routines.keys(life, cast))
    stage.enter("history", start, routines.history)
    for agent, models in ((cast.agent("Gorse"), ("linden", "heron")), (cast.agent("Cedar"), ("quartz",))):
        stage.enter(f"renewal of {agent.name}", start, _renewal(cast, agent.name, models))
    for number, poster in enumerate(cast.posters):
        if poster.late and number % 2:
            stage.enter(f"poster {number}", start, _verification(cast, poster))
    for plot in plots(seed, targets):
        stage.enter(plot.name, routines.start_of_day(plot.day), _want(cast, plot, _poster(cast, plot)))
    stage.run(lambda at: progress(min(1.0, max(0.0, (at - start) / length))))
    return Coverage(frozenset(stage.used), frozenset(commands()))


def _renewal(cast: Cast, name: str, models: tuple[str, ...]) -> Callable[[Life], Script[None]]:
    return lambda life: routines.renewal(life, cast.agent(name), models)


def _verification(cast: Cast, poster: Poster) -> Callable[[Life], Script[None]]:
    return lambda life: routines.late_verification(life, cast, poster)


def _want(cast: Cast, plot: Plot, poster: Poster) -> Callable[[Life], Script[None]]:
    return lambda life: _live(Attempt(life, cast, plot, poster))


def _poster(cast: Cast, plot: Plot) -> Poster:
    wanted = [poster for poster in cast.posters if poster.late == plot.late] or cast.posters
    return wanted[plot.number % len(wanted)]


def _live(attempt: Attempt, after: str | None = None) -> Script[None]:
    """A want from its intake to its aftermath, and the want that follows it."""
    if not (yield from to_the_board(attempt, after)):
        return
    if not (yield from to_the_signature(attempt)):
        return
    yield from perform(attempt)
    yield from settle(attempt)
    if attempt.plot.follow is not None:
        yield from _follow(attempt, attempt.plot.follow)


def _follow(before: Attempt, plot: Plot) -> Script[None]:
    """The next stage of a campaign after a delivery; after a failure the same want, posted again."""
    attempt = Attempt(before.life, before.cast, plot, before.poster)
    yield before.life.days(1, 3)
    if before.plot.ending == DELIVERED:
        yield from _live(attempt, after=before.target)
        return
    reposted = before.life.do(RepostTarget(target=before.target), before.poster.actor)
    attempt.target, attempt.intake_commitment = reposted.id, reposted.events[0].data["intake_commitment"]
    yield before.life.hours(1, 10)
    yield from _live(attempt)
