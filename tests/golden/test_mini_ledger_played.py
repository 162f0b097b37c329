"""The golden mini-ledger, played through real commands, gives every expected value: in both readings of a lapse, and
after a late verification. The expected values were computed independently of this project."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest
import yaml
from mini_ledger import Play, play

from support import shared
from tollbench.adapters.replay import replay_check
from tollbench.domain.commands import Actor
from tollbench.domain.period.commands import ClosePeriod
from tollbench.protocol import instants
from tollbench.protocol.edition import shelf

Golden = dict[str, Any]


@pytest.fixture(scope="module")
def golden() -> Golden:
    read: Golden = yaml.safe_load(shared("golden/mini_ledger.yaml").read_text())
    for row in read["targets"]:
        row["resolved"] = str(row["resolved"])
    return read


@pytest.fixture(scope="module")
def played(golden: Golden) -> Play:
    return play(golden["targets"])


def same(figure: Any, expected: Any) -> None:
    """An exact figure (text or a Figure object) has the expected value."""
    value = figure["value"] if isinstance(figure, Mapping) else figure
    assert Fraction(value) == Fraction(str(expected))


def check_agent(found: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    checks = {
        "n": lambda v: same(found["success_rate"]["n"], v),
        "k": lambda v: same(found["counts"]["successes"], v),
        "S": lambda v: same(found["success_rate"], v),
        "wilson95": lambda v: [
            same(found["success_rate"][end], bound) for end, bound in zip(("low", "high"), v, strict=True)
        ],
        "sum_p": lambda v: same(found["bench_rating"]["sum_p"], v),
        "R": lambda v: same(found["bench_rating"], v),
        "null_variance": lambda v: same(found["bench_rating"]["null_variance"], v),
        "V": lambda v: same(found["verified_steps"], v),
        "median_T_s": lambda v: same(found["time"], v),
    }
    for name, value in expected.items():
        if name != "adherence":
            checks[name](value)


def check_week(board: Mapping[str, Any], week: str, expected: list[Mapping[str, Any]]) -> None:
    table = next(each for each in board["weeks"] if each["week"] == week)["table"]
    assert [row["name"] for row in table] == [row["agent"] for row in expected]
    for found, row in zip(table, expected, strict=True):
        same(found["points"], row["W"])
        if "rank" in row:
            assert found["rank"] == row["rank"]
        if "n" in row:
            assert found["points"]["n"] == row["n"]
        if "median_T_s" in row:
            same(found["time"], row["median_T_s"])


def check_band(board: Mapping[str, Any], band: str, expected: Mapping[str, Any]) -> None:
    quarter = board["quarters"][0]
    toll, gap = quarter["toll"][band], quarter["calibration"][band]
    checks = {
        "n": lambda v: same(gap["n"], v),
        "d": lambda v: same(toll["crossings"], v),
        "toll_T_s": lambda v: same(toll["time"], v),
        "toll_C_cents": lambda v: same(toll["cost"], v),
        "free_share": lambda v: same(toll["free_share"], v),
        "G": lambda v: same(gap, v),
        "official_reading": lambda v: (gap["official_reading"] is v) or pytest.fail("official reading"),
    }
    for name, value in expected.items():
        checks[name](value)


def check(board: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    agents = {each["name"]: each for each in board["agents"]}
    models = {each["model"].split()[0]: each for each in board["models"]}
    for name, values in expected.get("agents", {}).items():
        check_agent(agents[name], values)
    for name, values in expected.get("models", {}).items():
        check_agent(models[name], expected["agents"]["birch"] if values == "same as birch" else values)
    for week, rows in expected.get("weeks", {}).items():
        check_week(board, week, rows)
    for band, values in expected.get("bands", {}).items():
        check_band(board, band, values)


def test_every_expected_value(golden: Golden, played: Play) -> None:
    board = played.bench.board()
    check(board, golden["expected"])
    rows = {row["deal"]: row for row in board["attempts"]}
    for values in golden["expected"]["agents"].values():
        for name, adherence in values["adherence"].items():
            found = rows[played.deals[name]]["adherence"]
            assert found == "not applicable" if adherence is None else Fraction(found) == Fraction(adherence)
    for row in golden["targets"]:
        found = rows[played.deals[row["id"]]]
        assert (found["end"], found["o"], found["integrity"]) == (row["end"], row["o"], row["state"])
        assert (found["time"], found["cost_cents"], found["total_cents"]) == (row["T"], row["C"], row["B"])
        assert (found["k"], found["m"]) == (row["k"], row["m"])


def test_the_other_reading_of_a_lapse(golden: Golden) -> None:
    current = shelf().current
    neutral = shelf().standing_in(current.with_value("TB-OUT-015", "lapse_scored", False))
    board = play(golden["targets"], editions=neutral).bench.board()
    check(board, golden["expected_if_lapse_neutral"])


def test_a_late_verification_changes_a_closed_week_by_correction(golden: Golden) -> None:
    late = play(golden["targets"])
    late.clock.now = instants.parse("2026-09-07T00:00:00Z") + timedelta(hours=1)
    for week in ("2026-W35", "2026-W36"):
        late.do(ClosePeriod(period="week", name=week), Actor.system())
    before = late.bench.board()
    assert before["corrections"] == []
    late.verify("t08")
    board = late.bench.board()
    check(board, golden["expected_after_t08_is_verified"])
    changed = board["corrections"]
    assert changed, "a past week changed and the corrections log says so"
    assert any(each["name"] == "2026-W36" for each in changed)
    text = str(changed)
    assert "0.50" in text and "0.80" in text, "the figures before and after"


def test_replaying_gives_the_same_bytes(played: Play) -> None:
    report = replay_check(played.bench)
    assert report.differences == []
