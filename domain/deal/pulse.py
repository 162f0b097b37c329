"""Liveness of a deal: when the next work pulse is owed, and how many whole intervals were missed in a row.

Source: the pulse amendment (2026-07-24/25), rulings A-34 and A-47. What a pulse says is private; this part of the
state knows times, and commitments to the contents. It decides no outcome, opens no ask and moves no money.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from ...protocol import instants
from ..streams import replace


@dataclass(frozen=True)
class Pulse:
    """The pulse record of one deal.

    `since` is the last pulse, signing or answer, from which misses count; `next_due_at` when the next pulse is due
    (None: none set, or the clock rests because a liveness review is open); `misses` whole intervals missed since.
    `posted` counts all pulses, `last_at` is the instant of the latest, `latest` maps a step to the commitment of its
    latest pulse.
    """

    since: str | None = None
    next_due_at: str | None = None
    misses: int = 0
    posted: int = 0
    last_at: str | None = None
    latest: Mapping[int, str] = field(default_factory=dict)

    def due_set(self, at: str, next_due_at: str) -> Self:
        """The due time was set anew: at signing, at an answer, or when a liveness review closed."""
        return replace(self, since=at, next_due_at=next_due_at, misses=0)

    def pulsed(self, at: str, next_due_at: str, step: int, commitment: str) -> Self:
        """A pulse was posted: nothing is overdue any more."""
        return replace(
            self,
            since=at,
            next_due_at=next_due_at,
            misses=0,
            posted=self.posted + 1,
            last_at=at,
            latest={**self.latest, step: commitment},
        )

    def missed(self, misses: int, next_due_at: str | None) -> Self:
        """A due time passed without a pulse."""
        return replace(self, misses=misses, next_due_at=next_due_at)

    def owed_at(self, running_since: str | None) -> str | None:
        """When a pulse is due, given since when the agent has had the turn (None: it has not).

        A due time that was set before the agent's present turn began does not count: an ask stopped it.
        """
        if running_since is None or self.since is None or self.since < running_since:
            return None
        return self.next_due_at


def after(at: str, seconds: int) -> str:
    """The instant so many seconds after `at`, as UTC text."""
    return instants.text(instants.from_micros(instants.micros(at) + seconds * 1_000_000))


def whole_intervals(since: str, until: str, seconds: int) -> int:
    """How many whole intervals of this length lie between two instants."""
    return (instants.micros(until) - instants.micros(since)) // (seconds * 1_000_000)
