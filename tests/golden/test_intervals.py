"""Intervals and luck against independently computed values, and against scipy as an oracle."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from support import shared
from tollbench.projections import beta
from tollbench.projections.intervals import (
    Clusters,
    Interval,
    anytime_bound,
    clopper_pearson,
    fixed,
    median_ranks,
    ratio_interval,
    student_t,
    wilson,
)
from tollbench.projections.luck import EXACT, NORMAL, luck

Z, LEVEL = Decimal("1.959963984540054"), Decimal("0.95")


@pytest.fixture(scope="module")
def golden() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(shared("golden/intervals.json").read_text("utf-8"))
    return found


def near(value: Decimal, expected: float, digits: int = 10) -> bool:
    return abs(value - Decimal(repr(expected))) < Decimal(10) ** -(digits - 1) / 2


def test_wilson(golden: dict[str, Any]) -> None:
    for case in golden["wilson95"]:
        found = wilson(case["k"], case["n"], Z)
        assert near(found.low, case["low"]) and near(found.high, case["high"]), case
        assert 0 <= found.low <= found.high <= 1


def test_clopper_pearson(golden: dict[str, Any]) -> None:
    for case in golden["clopper_pearson95"]:
        found = clopper_pearson(case["k"], case["n"], LEVEL)
        assert near(found.low, case["low"]) and near(found.high, case["high"]), case


def test_rating_luck_and_edge(golden: dict[str, Any]) -> None:
    for case in golden["rating"]:
        odds = [round(p * 10_000) for p in case["p"]]
        total, n, k = Fraction(sum(odds), 10_000), case["n"], case["k"]
        assert total == Fraction(str(case["sum_p"])) and k - total == Fraction(str(case["R"]))
        found = luck(odds, k, LEVEL)
        assert [float(count - total) for count in (found.low, found.high)] == pytest.approx(case["luck_band"]), case
        assert float(found.at_least) == pytest.approx(case["p_ge"], abs=1e-10)
        assert float(found.at_most) == pytest.approx(case["p_le"], abs=1e-10)
        assert float(found.two_sided) == pytest.approx(case["p_two_doubled"], abs=1e-9)
        cp = clopper_pearson(k, n, LEVEL)
        ends = [
            *zip(cp.shifted(n, -total), case["R_ci_exact"], strict=True),
            *zip(cp.shifted(1, -total / n), case["G_ci_exact"], strict=True),
            *zip(wilson(k, n, Z).shifted(1, -total / n), case["G_ci"], strict=True),
        ]
        assert all(near(end, expected) for end, expected in ends), case


def test_median_ranks(golden: dict[str, Any]) -> None:
    for case in golden["median_ci95"]:
        ranks = median_ranks(case["n"], LEVEL)
        assert (None if ranks is None else list(ranks)) == case["ranks"], case


def test_anytime_bound(golden: dict[str, Any]) -> None:
    for case in golden["anytime_R_bound_rho1"]:
        assert near(anytime_bound(Fraction(str(case["V"])), Decimal(1), LEVEL), case["bound"])


def test_verified_steps(golden: dict[str, Any]) -> None:
    case = golden["verified_step"]
    pairs = case["km"]
    assert near(student_t(len(pairs) - 1, LEVEL), case["t_df3_975"])
    found = ratio_interval(_clusters(pairs), LEVEL)
    reach = case["se"] * case["t_df3_975"]
    assert found is not None and near(found.low, case["V"] - reach, 8) and found.high == 1


def _clusters(pairs: list[list[int]]) -> Clusters:
    return Clusters(
        len(pairs),
        sum(k for k, _ in pairs),
        sum(m for _, m in pairs),
        sum(k * k for k, _ in pairs),
        sum(k * m for k, m in pairs),
        sum(m * m for _, m in pairs),
    )


def test_one_attempt_gives_no_interval_for_v() -> None:
    assert ratio_interval(_clusters([[2, 3]]), LEVEL) is None


def test_ends_never_leave_the_unit_interval() -> None:
    for n in range(1, 60):
        for k in range(n + 1):
            for low, high in (wilson(k, n, Z), clopper_pearson(k, n, LEVEL)):
                assert 0 <= Fraction(fixed(low, 6)) <= Fraction(k, n) <= Fraction(fixed(high, 6)) <= 1


@pytest.mark.parametrize(("a2", "b2"), [(1, 1), (3, 1), (2, 40), (7, 900), (2_000, 3_000), (400_000, 1_234_567)])
@pytest.mark.parametrize("q", ["0.025", "0.5", "0.975"])
def test_beta_quantile_against_the_oracle(a2: int, b2: int, q: str) -> None:
    stats = pytest.importorskip("scipy.stats")
    x = beta.quantile(a2, b2, Decimal(q))
    assert float(x) == pytest.approx(stats.beta.ppf(float(q), a2 / 2, b2 / 2), rel=1e-9)
    assert abs(beta.below(a2, b2, x) - Decimal(q)) < Decimal("1e-20")


@pytest.mark.parametrize("n", [201, 202, 999, 5_000, 123_456])
def test_median_ranks_against_the_oracle(n: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    ranks = median_ranks(n, LEVEL)
    assert ranks is not None and sum(ranks) == n + 1
    assert stats.binom.cdf(ranks[0] - 1, n, 0.5) <= 0.025 < stats.binom.cdf(ranks[0], n, 0.5)


@pytest.mark.parametrize("n", [1, 40, 64, 65, 200, 700])
def test_luck_is_the_exact_distribution(n: int) -> None:
    odds = [(i * 7_919) % 8_801 + 200 for i in range(n)]
    k = sum(odds) // 11_000
    row = [Fraction(1)]
    for p in odds if n <= 200 else ():
        row = [a * (10_000 - p) / 10_000 + b * p / 10_000 for a, b in zip([*row, 0], [0, *row], strict=True)]
    found = luck(odds, k, LEVEL)
    assert found.method == EXACT
    if n <= 200:
        assert found.at_most == fixed(sum(row[: k + 1], Fraction(0)), 10)
        assert found.at_least == fixed(sum(row[k:], Fraction(0)), 10)
        assert sum(row[: found.low + 1]) >= Fraction(1, 40) > sum(row[: found.low])
        assert sum(row[: found.high + 1]) >= Fraction(39, 40) > sum(row[: found.high])
    near_normal = luck(odds, k, LEVEL, exact_limit=0)
    assert near_normal.method == NORMAL or n == 1
    if n >= 200:
        assert abs(near_normal.low - found.low) <= 1 and abs(near_normal.high - found.high) <= 1
        assert float(near_normal.at_most) == pytest.approx(float(found.at_most), abs=2e-4)


def test_luck_where_a_quantile_falls_exactly_on_the_level() -> None:
    assert luck([250], 0, LEVEL)[:2] == (0, 0)
    assert luck([251], 0, LEVEL)[:2] == (0, 1)


def test_luck_of_certain_attempts() -> None:
    assert luck([0, 10_000, 10_000], 2, LEVEL)[:4] == (2, 2, "1.0000000000", "1.0000000000")
    assert luck([10_000] * 100, 100, LEVEL, exact_limit=10)[:2] == (100, 100)


def test_luck_of_thousands_of_equal_odds() -> None:
    stats = pytest.importorskip("scipy.stats")
    found = luck([7_000] * 3_000, 2_050, LEVEL)
    assert float(found.at_most) == pytest.approx(stats.binom.cdf(2_050, 3_000, 0.7), abs=1e-10)
    assert (found.low, found.high) == tuple(stats.binom.ppf([0.025, 0.975], 3_000, 0.7))


def test_rounding_is_half_to_even_and_never_minus_zero() -> None:
    assert [fixed(Decimal(text), 2) for text in ("0.125", "0.135", "-0.001", "12.3", "-1.005")] == [
        "0.12",
        "0.14",
        "0.00",
        "12.30",
        "-1.00",
    ]
    assert fixed(Fraction(5, 2), 0) == "2"
    assert Interval(Decimal(0), Decimal(1)).shifted(3, Fraction(-1, 2)) == (Decimal("-0.5"), Decimal("2.5"))
