"""The quantities of one attempt: the agent's clock, agent-days for display, cost, adherence, on time, exact text."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tollbench.projections.finish import adherence, distribution, exact, median, quantile
from tollbench.projections.public_rows import exact_p
from tollbench.projections.quantities import agent_days, agent_seconds, cost_kept, on_time, pauses, shown_days
from tollbench.projections.ranking import Standing, champions, table
from tollbench.protocol.edition import shelf
from tollbench.rules.evaluators import switched_off
from tollbench.rules.law import Law

LAW = Law(shelf())
SPANS = st.lists(st.tuples(st.integers(0, 100), st.integers(0, 50)).map(lambda s: (s[0], s[0] + s[1])), max_size=8)


@pytest.mark.parametrize(
    ("asks", "standing"),
    [
        ([], ()),
        ([(1, 5)], ((1, 5),)),
        ([(1, 5), (3, 9)], ((1, 9),)),
        ([(3, 9), (1, 5), (9, 10), (20, 30)], ((1, 10), (20, 30))),
        ([(1, 20), (2, 3)], ((1, 20),)),
    ],
)
def test_the_clock_stands_while_any_request_is_open(
    asks: list[tuple[int, int]], standing: tuple[tuple[int, int], ...]
) -> None:
    assert pauses(LAW, asks) == standing


@given(SPANS, st.integers(0, 50), st.integers(50, 200))
def test_agent_time_is_the_time_outside_every_pause(asks: list[tuple[int, int]], start: int, end: int) -> None:
    second = 1_000_000
    asked = [(a * second, b * second) for a, b in asks]
    got = agent_seconds(LAW, start * second, end * second, pauses(LAW, asked))
    assert got == sum(1 for moment in range(start, end) if not any(a <= moment < b for a, b in asks))


def test_agent_time_is_floored_once() -> None:
    assert agent_seconds(LAW, 0, 3_000_000, ((100, 400_100), (900_000, 1_300_000))) == 2
    with switched_off("TB-CLOCK-003"):
        assert pauses(LAW, [(1, 5)]) == ()


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0, "0.0"), (1, "<0.1"), (8_639, "<0.1"), (8_640, "0.1"), (86_399, "0.9"), (86_400, "1.0"), (950_399, "10.9")],
)
def test_agent_days_are_truncated_never_rounded_up(seconds: int, shown: str) -> None:
    assert shown_days(LAW, seconds) == shown
    assert agent_days(LAW, seconds) == Fraction(seconds, 86_400)


def test_a_median_between_two_seconds_keeps_its_half() -> None:
    assert shown_days(LAW, Fraction(17_281, 2)) == "0.1" and shown_days(LAW, None) is None


def test_on_time_includes_the_deadline() -> None:
    assert [on_time(LAW, o, landed, 10) for o, landed in ((1, 10), (1, 11), (0, 9), (1, None))] == [1, 0, 0, 0]


def test_cost_and_adherence() -> None:
    assert cost_kept(LAW, 12_000, 2_000) == 10_000
    assert (adherence(LAW, 10_000, 15_000), adherence(LAW, 5_000, 5_000), adherence(LAW, 0, 0)) == ("2/3", "1", None)
    with switched_off("TB-COST-001"):
        assert cost_kept(LAW, 12_000, 2_000) == 12_000


@given(st.fractions(max_denominator=10**6), st.integers(0, 4))
def test_exact_text_reads_back_exactly(value: Fraction, places: int) -> None:
    assert Fraction(exact(value, places)) == value


def test_exact_text_pads_only_what_terminates() -> None:
    assert [exact(Fraction(text), 2) for text in ("1", "0.5", "-0.137", "2/3", "0")] == [
        "1.00",
        "0.50",
        "-0.137",
        "2/3",
        "0.00",
    ]
    assert [exact_p(p) for p in (7_000, 20, 10_000, 0, 1)] == ["0.70", "0.002", "1.00", "0.00", "0.0001"]


def test_median_and_quantiles() -> None:
    assert (median([]), median([3]), median([1, 2]), median([1, 2, 9])) == (None, 3, Fraction(3, 2), 2)
    values = list(range(1, 11))
    assert [quantile(values, Fraction(q)) for q in ("0", "0.1", "0.25", "0.5", "0.9", "1")] == [
        1,
        Fraction(3, 2),
        3,
        Fraction(11, 2),
        Fraction(19, 2),
        10,
    ]
    assert distribution([], ["0.5"]) == {"n": 0, "least": None, "greatest": None, "quantiles": {"0.5": None}}


def test_ties() -> None:
    found = [
        Standing("d", 0, Fraction(9), 1),
        Standing("c", 100, None, 1),
        Standing("b", 100, Fraction(5), 1),
        Standing("a", 100, Fraction(5), 1),
        Standing("e", 200, None, 1),
    ]
    places = table(LAW, found)
    assert [(p.rank, p.standing.agent) for p in places] == [(1, "e"), (2, "a"), (2, "b"), (4, "c"), (5, "d")]
    assert champions(LAW, places) == ("e",) and champions(LAW, table(LAW, found[1:4])) == ("a", "b")
    with switched_off("TB-RANK-009"):
        assert [p.rank for p in table(LAW, found)] == [1, 2, 2, 2, 5]


def test_a_negative_champion_stands() -> None:
    assert champions(LAW, table(LAW, [Standing("a", -18, Fraction(1), 1)])) == ("a",)
    assert champions(LAW, []) == ()
