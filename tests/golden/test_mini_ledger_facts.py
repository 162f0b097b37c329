"""Every expected value of the golden mini-ledger from its attempt facts, in both lapse readings and after t08."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from mini_facts import attempt, attempts, golden, law

from tollbench.projections.attempts import AttemptFacts, Change, Closing
from tollbench.projections.board import board, board_bytes
from tollbench.rules.law import Law

NEUTRAL = {"TB_OUT_015": {"lapse_scored": False}}
WHOLE = ("n", "k", "toll_T_s", "toll_C_cents", "median_T_s", "d")


def drawn(rows: list[AttemptFacts], governing: Law | None = None, closings: tuple[Closing, ...] = ()) -> dict[str, Any]:
    return board(rows, closings, governing or law(), 100, "native")


def number(text: str | int | None) -> Fraction | None:
    return None if text is None else Fraction(text)


def check_group(found: dict[str, Any], expected: dict[str, Any]) -> None:
    """One agent or model of the golden file against its board entry."""
    rating = found["bench_rating"]
    got = {
        "n": found["counts"]["resolved_official"],
        "k": found["counts"]["successes"],
        "S": found["success_rate"]["value"],
        "sum_p": rating["sum_p"],
        "R": rating["value"],
        "null_variance": rating["null_variance"],
        "V": found["verified_steps"]["value"],
        "median_T_s": found["time"]["value"],
    }
    for name, value in expected.items():
        if name == "wilson95":
            assert [Fraction(end) for end in value] == [
                Fraction(found["success_rate"]["low"]),
                Fraction(found["success_rate"]["high"]),
            ]
        elif name != "adherence":
            assert number(got[name]) == number(value), (name, got[name], value)


def check(found: dict[str, Any], expected: dict[str, Any]) -> None:
    """A whole expectation of the golden file."""
    agents = {entry["agent"]: entry for entry in found["agents"]}
    models = {entry["model"]: entry for entry in found["models"]}
    weeks = {entry["week"]: entry for entry in found["weeks"]}
    adherence = {entry["target"]: entry["adherence"] for entry in found["attempts"]}
    for name, values in expected.get("agents", {}).items():
        check_group(agents[name], values)
        for target, value in values.get("adherence", {}).items():
            expected_text = "not applicable" if value is None else value
            assert adherence[target] == expected_text or number(adherence[target]) == number(value)
    for name, values in expected.get("models", {}).items():
        check_group(models[name], expected["agents"]["birch"] if isinstance(values, str) else values)
    for week, lines in expected.get("weeks", {}).items():
        check_week(weeks[week]["table"], lines)
    for band, values in expected.get("bands", {}).items():
        check_band(found["overall"]["bands"][band], found["quarters"][0], band, values)


def check_week(table: list[dict[str, Any]], lines: list[dict[str, Any]]) -> None:
    assert [line["agent"] for line in table] == [line["agent"] for line in lines]
    for got, expected in zip(table, lines, strict=True):
        assert got["rank"] == expected.get("rank", got["rank"])
        assert number(got["points"]["value"]) == number(expected["W"])
        assert got["points"]["n"] == expected.get("n", got["points"]["n"])
        if "median_T_s" in expected:
            assert number(got["time"]["value"]) == expected["median_T_s"]


def check_band(found: dict[str, Any], quarter: dict[str, Any], band: str, values: dict[str, Any]) -> None:
    for toll in (found["toll"], quarter["toll"][band]):
        got = {
            "n": found["counts"]["resolved_official"],
            "d": toll["crossings"],
            "toll_T_s": toll["time"]["value"],
            "toll_C_cents": toll["cost"]["value"],
            "free_share": toll["free_share"]["value"],
            "G": quarter["calibration"][band]["value"],
        }
        for name, value in values.items():
            if name != "official_reading":
                assert number(got[name]) == number(value), (band, name)
    if "official_reading" in values:
        assert quarter["calibration"][band]["official_reading"] is values["official_reading"]
        assert quarter["calibration"][band]["mark"] == "insufficient for interpretation"


def test_a_lapse_counts_with_o_zero() -> None:
    check(drawn(attempts()), golden()["expected"])


def test_a_lapse_is_neutral() -> None:
    found = drawn(attempts(), law(**NEUTRAL))
    check(found, golden()["expected_if_lapse_neutral"])
    unchanged = {"agents": {name: golden()["expected"]["agents"][name] for name in ("alder", "cedar")}}
    check(found, unchanged)
    assert found["overall"]["counts"]["neutral_lapses"] == 1


def test_the_reading_of_a_lapse_is_pinned_at_the_signing() -> None:
    both = law(**NEUTRAL)
    old = law().current
    other = "1.3.0-draft.0"
    old.version = other
    both.shelf.add(old)
    rows = [replace(row, editions=(("deal.signed", other),)) if row.target == "t07" else row for row in attempts()]
    check(drawn(rows, both), golden()["expected"])


def verified_later() -> list[AttemptFacts]:
    """The mini-ledger after the person of t08 was verified at log position 50."""
    target = golden()["targets"][7]
    history = (Change(8, "provisional", 0, "deal.resolved"), Change(50, "official", 0, "person.verified"))
    changed = attempt(target, 8, integrity="official", history=history)
    return [changed if row.target == "t08" else row for row in attempts()]


def test_after_t08_is_verified() -> None:
    check(drawn(verified_later()), golden()["expected_after_t08_is_verified"])


def test_the_corrections_log_names_the_figures_before_and_after() -> None:
    closings = tuple(Closing(period, name, "1.3.0-draft.1", 20) for period, name in PERIODS)
    assert drawn(attempts(), closings=closings)["corrections"] == []
    found = drawn(verified_later(), closings=closings)
    week, season, quarter = found["corrections"]
    assert (week["period"], week["name"], week["position"]) == ("week", "2026-W36", 50)
    assert (week["attempt"], week["agent"], week["cause"]) == ("deal-t08", "alder", "person.verified")
    assert week["before"] == {"points": "0.50", "n": 2, "rank": 2, "champions": ["cedar"]}
    assert week["after"] == {"points": "0.80", "n": 3, "rank": 2, "champions": ["cedar"]}
    assert (season["before"]["points"], season["after"]["points"]) == ("0.80", "1.10")
    assert (quarter["before"]["toll_time"], quarter["after"]["toll_time"]) == ("86400", "68200")
    crown = found["weeks"][1]["crown"]
    assert crown["awarded"] and crown["champions"] == ["cedar"] and not crown["marked"]


PERIODS = (("week", "2026-W35"), ("week", "2026-W36"), ("season", "season-1"), ("quarter", "quarter-1"))


def test_an_invalidation_after_the_close_marks_the_crown_and_never_moves_it() -> None:
    closings = (Closing("week", "2026-W36", "1.3.0-draft.1", 20),)
    history = (Change(5, "official", 50_000, "deal.resolved"), Change(60, "invalidated", 0, "escrow.reversed"))
    lost = attempt(golden()["targets"][4], 5, integrity="invalidated", c_cents=0, history=history)
    found = drawn([lost if row.target == "t05" else row for row in attempts()], closings=closings)
    crown = found["weeks"][1]["crown"]
    assert crown["awarded"] and crown["champions"] == ["cedar"] and crown["marked"]
    assert crown["figures"]["cedar"]["value"] == "0.92"
    assert crown["now"]["champions"] == ["alder"] and crown["now"]["figures"]["alder"]["value"] == "0.50"
    (entry,) = found["corrections"]
    assert entry["before"]["champions"] == ["cedar"] and entry["after"]["champions"] == ["alder"]
    assert entry["after"] == {"points": None, "n": 0, "rank": None, "champions": ["alder"]}


def test_a_resolution_ledgered_after_the_close_is_a_correction() -> None:
    closings = (Closing("week", "2026-W36", "1.3.0-draft.1", 7),)
    found = drawn([row for row in attempts() if row.target in ("t05", "t06", "t07")], closings=closings)
    (entry,) = found["corrections"]
    assert entry["attempt"] == "deal-t07" and entry["before"]["n"] == 0 and entry["after"]["n"] == 1


def test_the_season_sums_its_weeks() -> None:
    (season,) = drawn(attempts())["seasons"]
    lines = {line["agent"]: line for line in season["table"]}
    assert {name: line["points"]["value"] for name, line in lines.items()} == {
        "alder": "0.80",
        "cedar": "0.57",
        "birch": "-0.20",
    }
    assert lines["alder"]["weekly"] == {"2026-W35": "0.30", "2026-W36": "0.50"}
    assert len(season["weeks"]) == 13 and season["season"] == 1


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_attempts_never_changes_a_byte(seed: int) -> None:
    rows = attempts()
    expected = board_bytes(drawn(rows))
    random.Random(seed).shuffle(rows)
    assert board_bytes(drawn(rows)) == expected


def test_an_empty_ledger_says_that_measurement_begins() -> None:
    found = drawn([])
    assert found["line"] == "measurement begins" and found["overall"] is None and found["weeks"] == []
    assert drawn(attempts())["line"] is None


def test_no_toll_across_bands() -> None:
    found = drawn(attempts())
    assert "toll" not in found["overall"]
    assert all("toll" not in entry for entry in (*found["agents"], *found["models"], *found["systems"]))
    assert all("toll" in band for band in found["overall"]["bands"].values())
