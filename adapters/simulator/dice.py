"""Random numbers that depend on a seed and a name only, the same on every version of Python."""

from __future__ import annotations

import hashlib
import hmac
import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """One actor's own sequence of random numbers; what others do does not change it.

    Only `random.Random.random` is used, whose sequence Python promises to keep; `choice`, `shuffle` and the like may
    change between versions.
    """

    def __init__(self, seed: int, name: str) -> None:
        self._random = random.Random(f"{seed}/{name}")

    def below(self, end: int) -> int:
        """A whole number from 0 to `end` - 1."""
        return int(self._random.random() * end)

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def chance(self, percent: int) -> bool:
        """True in so many of a hundred cases."""
        return self.below(100) < percent

    def pick(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def some(self, items: Sequence[T], count: int) -> list[T]:
        """So many different items, in random order; all of them where there are fewer."""
        left = list(items)
        taken: list[T] = []
        while left and len(taken) < count:
            taken.append(left.pop(self.below(len(left))))
        return taken


class SeededEntropy:
    """Salts and keys that depend on the seed, the command and the ordinal only. For simulated benches, never for real
    ones: whoever knows the seed knows every key."""

    def __init__(self, seed: int) -> None:
        self._key = f"simulated season {seed}".encode()

    def __call__(self, command: str, ordinal: int, /) -> bytes:
        return hmac.new(self._key, f"{command}/{ordinal}".encode(), hashlib.sha256).digest()
