"""The bytes of the board depend on the log alone: not on pages, on repeats, on the order of attempts, on restarts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steps.pulses import is_pulse
from tollbench.adapters import views
from tollbench.adapters.bench import Bench
from tollbench.adapters.simulator.season import open_bench, play
from tollbench.projections.board import board_bytes, board_of
from tollbench.projections.facts import apply, ledger
from tollbench.projections.rows import MemoryRows
from tollbench.protocol import envelope

SEED, TARGETS = 5, 9


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    """A season with every kind of event that figures are made of."""
    opened, clock = open_bench("memory:", SEED)
    with opened:
        play(opened, clock, SEED, TARGETS, lambda part: None)
        yield opened


@pytest.fixture(scope="module")
def log(bench: Bench) -> list[tuple[int, envelope.Event]]:
    """The whole log, read once."""
    return [(leaf, envelope.from_bytes(body)) for leaf, body in bench.log()]


def bytes_of(bench: Bench, rows: MemoryRows) -> bytes:
    """The bytes of the board that these rows give."""
    law = bench.law()
    return board_bytes(board_of(ledger(rows.items(), law), law))


@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(1, 90), st.integers(0, 60)), max_size=40))
def test_pages_of_any_size_fed_again_and_again(
    bench: Bench, log: list[tuple[int, envelope.Event]], pages: list[tuple[int, int]]
) -> None:
    rows, position = MemoryRows(), 0
    for size, back in [*pages, (len(log), 0)]:
        start = max(0, position - back)
        for leaf, event in log[start : start + size]:
            apply(rows, leaf, event)
        position = max(position, min(len(log), start + size))
    assert bytes_of(bench, rows) == bench.board_bytes()


@settings(max_examples=20)
@given(st.randoms(use_true_random=False))
def test_attempts_in_any_order(bench: Bench, random: Random) -> None:
    facts, law = bench.facts(), bench.law()
    attempts, agents = list(facts.attempts), list(facts.agents)
    random.shuffle(attempts)
    random.shuffle(agents)
    shuffled = replace(facts, attempts=tuple(attempts), agents=tuple(agents))
    assert board_bytes(board_of(shuffled, law)) == bench.board_bytes()


@settings(max_examples=12)
@given(st.lists(st.integers(1, 400), min_size=1, max_size=6), st.booleans())
def test_a_view_that_catches_up_in_steps_or_is_rebuilt(bench: Bench, pages: list[int], anew: bool) -> None:
    with bench.store.unit(write=True) as unit:
        unit.drop_view(views.VIEW)
    for page in pages:
        views.catch_up(bench.store, page=page)
    if anew:
        views.rebuild(bench.store)
    assert bench.board_bytes() == bench.board_bytes(fresh=True)


@settings(max_examples=15)
@given(st.randoms(use_true_random=False), st.sampled_from((0, 0.5, 1)))
def test_any_pulses_left_out_change_no_figure(
    bench: Bench, log: list[tuple[int, envelope.Event]], random: Random, kept: float
) -> None:
    rows = MemoryRows()
    for leaf, event in log:
        if not is_pulse(event.type) or leaf == log[-1][0] or random.random() < kept:
            apply(rows, leaf, event)
    assert sum(is_pulse(event.type) for _, event in log) > len(log) // 4
    assert bytes_of(bench, rows) == bench.board_bytes()


def test_the_same_seed_gives_the_same_bytes(bench: Bench) -> None:
    again, clock = open_bench("memory:", SEED)
    with again:
        play(again, clock, SEED, TARGETS, lambda part: None)
        assert again.board_bytes() == bench.board_bytes()
