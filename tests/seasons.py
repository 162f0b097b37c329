"""A season on a bench that watches what passes through it."""

from __future__ import annotations

from typing import TypeVar

import pytest

from tollbench.adapters.bench import Bench
from tollbench.adapters.simulator.season import Clock, open_bench, play

SEED, TARGETS = 7, 24
Watching = TypeVar("Watching", bound=Bench)


def played(kind: type[Watching], url: str) -> tuple[Watching, Clock]:
    """A bench of this kind, on which a season that uses every command was played, and its clock."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("tollbench.adapters.simulator.season.Bench", kind)
        bench, clock = open_bench(url, SEED)
    assert isinstance(bench, kind)
    play(bench, clock, SEED, TARGETS, lambda part: None)
    return bench, clock
