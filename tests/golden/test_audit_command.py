"""`toll audit` on the public results: exactly the expected findings, and every expected figure."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
import yaml

from support import shared
from tollbench.adapters.cli import main

Golden = dict[str, Any]


@pytest.fixture
def golden() -> Golden:
    read: Golden = yaml.safe_load(shared("golden/public_deals_board.yaml").read_text())
    return read


@pytest.fixture
def report(capfd: pytest.CaptureFixture[str]) -> Golden:
    with pytest.raises(SystemExit) as ended:
        main(["audit", str(shared("data/toll-bench-public/deals.csv")), "--json"])
    assert ended.value.code == 1, "there are findings"
    read: Golden = json.loads(capfd.readouterr().out)
    return read


def near(figure: Any, expected: str) -> None:
    """The figure, rounded to the decimals that the golden file gives."""
    places = len(expected.partition(".")[2])
    assert f"{float(Fraction(figure)):.{places}f}" == f"{float(expected):.{places}f}"


def test_the_findings_are_exactly_the_expected_ones(golden: Golden, report: Golden) -> None:
    found = {each["rule"]: each for each in report["findings"]}
    assert set(found) == {"TB-ODDS-010", "TB-ODDS-003", "TB-MODEL-003"}
    assert found["TB-ODDS-010"]["lines"] == golden["findings"]["TB-ODDS-010"]["lines"]
    by_target = {each["detail"].split()[1][:8]: list(each["lines"]) for each in found["TB-ODDS-003"]["findings"]}
    assert by_target == golden["findings"]["TB-ODDS-003"]["lines"]
    assert found["TB-ODDS-003"]["count"] == golden["findings"]["TB-ODDS-003"]["targets"]
    spellings = found["TB-MODEL-003"]["findings"]
    assert len(spellings) == golden["findings"]["base_model_spellings"]["models"]
    for spelling in golden["violations_of_the_paper"]["base_model_spellings"]:
        assert spelling in spellings[0]["detail"]


def test_every_figure_is_reproduced(golden: Golden, report: Golden) -> None:
    board = report["board"]
    assert (report["rows"], report["counted"]) == (golden["rows"], golden["rows"])
    for name, expected in golden["slices"].items():
        place = board["overall"] if name == "all" else board["overall"]["bands"][name]
        rate, rating = place["success_rate"], place["bench_rating"]
        assert rate["n"] == expected["n"] and place["counts"]["successes"] == expected["k"]
        assert Fraction(rate["value"]) == Fraction(expected["k"], expected["n"])
        near(rate["low"], expected["wilson95"][0])
        near(rate["high"], expected["wilson95"][1])
        assert Fraction(rating["sum_p"]) == Fraction(expected["sum_p"])
        assert Fraction(rating["value"]) == Fraction(expected["R"])
        near(place["gap"]["value"], expected["G"])
        luck, wanted = float(rating["luck"]["p_at_most"]), float(expected["luck_P_le_k"])
        assert f"{luck:.1e}" == f"{wanted:.1e}" or abs(luck - wanted) < 0.0005


def test_weeks_crowns_and_tolls(golden: Golden, report: Golden) -> None:
    board = report["board"]
    weeks = {week["week"]: week for week in board["weeks"]}
    assert {name: week["total_points"] for name, week in weeks.items()} == {
        name: pytest.approx(total) if isinstance(total, float) else total
        for name, total in golden["week_totals"].items()
    }
    for name, (agent, points) in golden["champions"].items():
        crown = weeks[name]["crown"]
        assert crown["names"] == [agent]
        assert Fraction(crown["figures"][agent]["value"]) == Fraction(points)
    for band, expected in golden["toll_minutes"].items():
        toll = board["overall"]["bands"][band]["toll"]
        assert toll["crossings"] == expected["d"]
        assert Fraction(toll["time"]["value"]) == expected["median"] * 60
        if "interval" in expected:
            assert toll["time"]["low"] is expected["interval"]
