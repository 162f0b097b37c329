"""What the script remembers of one want and its attempt, and the words that everybody uses."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from ...domain.commands import Actor
from .cast import Agent, Cast, Poster
from .plots import Plot
from .stage import DAY, HOUR, Life, Wait

CENTS = 100


@dataclass(slots=True)
class Attempt:
    """One want on its way. Instants are microseconds since 1970, amounts cents.

    `amounts` are what the approvals of the steps release, `outcome_cents` what the finish line releases, `released`
    what was released so far, by cause. `receipts` are the content hashes filed, by step.
    """

    life: Life
    cast: Cast
    plot: Plot
    poster: Poster
    target: str = ""
    intake_commitment: str = ""
    proposal: str = ""
    deal: str = ""
    rivals: list[tuple[Agent, str]] = field(default_factory=list)
    agent: Agent | None = None
    total_cents: int = 0
    amounts: list[int] = field(default_factory=list)
    outcome_cents: int = 0
    timeline_seconds: int = 0
    deadline: int = 0
    pulse_due: int = 0
    released: dict[str, int] = field(default_factory=dict)
    receipts: dict[int, str] = field(default_factory=dict)

    @property
    def winner(self) -> Agent:
        """The agent that was picked."""
        if self.agent is None:
            raise LookupError(f"{self.plot.name} has no agent yet")
        return self.agent

    @property
    def worker(self) -> Actor:
        """The agent that was picked, as a sender."""
        return self.winner.actor

    @property
    def steps(self) -> int:
        """How many steps the card commits to."""
        return len(self.plot.wish.steps)

    def has(self, extra: str) -> bool:
        """Whether this is part of the plot."""
        return extra in self.plot.extras

    def digest(self, step: int, version: int = 1) -> str:
        """The content hash of what was delivered for a step."""
        name = f"{self.life.stage.seed}/{self.plot.name}/step {step}/version {version}"
        return "sha256:" + hashlib.sha256(name.encode()).hexdigest()

    def share(self, low: int, high: int) -> Wait:
        """A wait of so many percent of the time that is left until the deadline; it never reaches the deadline."""
        left = max(0, self.deadline - self.life.now)
        return Wait(left * self.life.dice.between(low, high) // 100)

    def answer_time(self) -> Wait:
        """How long the poster takes to answer: hours, and never more than a tenth of the time that is left."""
        left = max(0, self.deadline - self.life.now)
        return Wait(min(self.life.dice.between(HOUR, DAY), left // 10))
