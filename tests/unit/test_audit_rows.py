"""What rows of a results file can show, rule by rule; and that its figures are those of the same rows as facts."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tollbench.adapters.public_data.audit import AuditReport, audit
from tollbench.projections.board import board
from tollbench.projections.historic import attempt_of
from tollbench.protocol import instants
from tollbench.protocol.edition import Shelf, shelf
from tollbench.rules.evaluators import switched_off
from tollbench.rules.law import Law

COLUMNS = Law(shelf()).params("TB-AUDIT-002")["columns"]
GOOD = {
    "deal_id": "d1",
    "target_id": "t1",
    "card_type": "classic",
    "keeper": "false",
    "lane": "free",
    "band": "short",
    "p_frozen": "0.70",
    "outcome": "1",
    "resolution": "delivered",
    "agent": "alder",
    "model": "M1",
    "T_agent_minutes": "90",
    "C_usd": "0.0",
    "B_usd": "0.0",
    "toll": "",
    "satisfaction": "",
    "week_resolved": "2026-W33",
    "posted_at": "2026-08-10T00:00:00.000000+00:00",
    "resolved_at": "2026-08-12T00:00:00.000000+00:00",
}
SOONEST = instants.micros("2026-06-01T00:00:00Z")
PAID = {"lane": "funded", "C_usd": "10.00", "B_usd": "12.50"}


def write(path: Path, rows: list[dict[str, str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return path


@pytest.fixture
def found(tmp_path: Path) -> Any:
    def run(*changes: dict[str, str]) -> AuditReport:
        rows = [{**GOOD, "deal_id": f"d{i}", "target_id": f"t{i}", **change} for i, change in enumerate(changes)]
        return audit(write(tmp_path / "deals.csv", rows))

    return run


def findings(report: AuditReport) -> dict[str, list[tuple[int, str]]]:
    return {rule: [(f.line, f.column) for f in each] for rule, each in report.findings.by_rule().items()}


def test_good_rows(found: Any) -> None:
    report = found({}, PAID, {"satisfaction": "10", "toll": "2.74"}, {"outcome": "0", "resolution": "failed"})
    assert report.clean and report.counted == report.rows == 4


COUNTED = [
    ({"p_frozen": "0.91"}, "TB-ODDS-010", "p_frozen"),
    ({"p_frozen": "0.0199", "band": "moonshot"}, "TB-ODDS-010", "p_frozen"),
    ({"band": "long"}, "TB-BAND-002", "band"),
    ({"band": "medium"}, "TB-BAND-001", "band"),
    ({"outcome": "0"}, "TB-OUT-006", "outcome"),
    ({"resolution": "lapsed"}, "TB-OUT-006", "outcome"),
    ({"resolution": "vanished"}, "TB-OUT-005", "resolution"),
    ({"week_resolved": "2026-W34"}, "TB-RANK-005", "week_resolved"),
    ({"satisfaction": "11"}, "TB-EVID-005", "satisfaction"),
    ({"satisfaction": "0"}, "TB-EVID-005", "satisfaction"),
    ({**PAID, "lane": "free"}, "TB-OUT-001", "lane"),
    ({"lane": "funded"}, "TB-OUT-001", "lane"),
    ({"C_usd": "1.00"}, "TB-COST-008", "C_usd"),
    ({**PAID, "C_usd": "12.51"}, "TB-COST-010", "C_usd"),
    ({"lane": "gratis"}, "TB-AUDIT-003", "lane"),
    ({"posted_at": "2026-08-12T00:00:00.000001+00:00"}, "TB-AUDIT-005", "resolved_at"),
    ({"T_agent_minutes": "2881"}, "TB-CLOCK-002", "T_agent_minutes"),
    ({"posted_at": "2026-08-10T00:00:00"}, "TB-AUDIT-003", "posted_at"),
    ({"posted_at": ""}, "TB-AUDIT-003", "posted_at"),
    ({"toll": "much"}, "TB-AUDIT-003", "toll"),
    ({"satisfaction": "good"}, "TB-AUDIT-003", "satisfaction"),
]


@pytest.mark.parametrize(("change", "rule", "column"), COUNTED)
def test_a_finding_that_hides_no_figure(change: dict[str, str], rule: str, column: str, found: Any) -> None:
    report = found({}, change)
    assert findings(report) == {rule: [(3, column)]} and report.counted == 2
    with switched_off(rule):
        assert rule not in findings(found({}, change))


LEFT_OUT = [
    *((column, "") for column in ("deal_id", "target_id", "agent", "model", "p_frozen", "outcome", "resolution")),
    *((column, "") for column in ("T_agent_minutes", "C_usd", "B_usd", "resolved_at")),
    *(("p_frozen", text) for text in ("nan", "inf", "high", "-0.1", "1.01", "0.70001", "0,7", "\u0660.\u0665")),
    *(("outcome", text) for text in ("2", "yes", "1.0")),
    *(("T_agent_minutes", text) for text in ("-1", "1.5", "nan", "\uff19")),
    *(("C_usd", text) for text in ("-1", "inf", "0.001", "free", "1e400", "99999999999999999999")),
    *(("resolved_at", text) for text in ("2026-08-12", "2026-08-12T00:00:00", "2026-W33-3T00:00:00.000000+00:00", "x")),
    ("agent", " alder"),
]


@pytest.mark.parametrize(("column", "text"), LEFT_OUT)
def test_a_row_that_no_figure_can_be_made_of(column: str, text: str, found: Any) -> None:
    report = found({}, {column: text}, {})
    assert findings(report) == {"TB-AUDIT-003": [(3, column)]}
    assert (report.rows, report.counted) == (3, 2)


@pytest.mark.parametrize("text", ["0.7", ".70", "0.7000", "7e-1", "+0.70"])
def test_other_spellings_of_a_number(text: str, found: Any) -> None:
    assert found({"p_frozen": text}).clean


@pytest.mark.parametrize("text", ["2026-08-12T00:00:00Z", "2026-08-12T02:00:00+02:00", "2026-08-12 00:00:00.5Z"])
def test_other_spellings_of_an_instant(text: str, found: Any) -> None:
    assert found({"resolved_at": text}, {"posted_at": "2026-08-10T00:00:00Z"}).clean


def test_a_deal_in_two_rows(found: Any) -> None:
    report = found({}, {"deal_id": "d0", "outcome": "0", "resolution": "ended"}, {"deal_id": "d0"})
    assert findings(report) == {"TB-AUDIT-004": [(3, "deal_id"), (4, "deal_id")]}
    assert report.findings.by_rule()["TB-AUDIT-004"][0].lines == (2, 3)
    assert report.counted == 1 and report.board()["overall"]["counts"]["successes"] == 1


def test_a_target_with_several_p(found: Any) -> None:
    same, long = {"target_id": "t9"}, {"target_id": "t9", "p_frozen": "0.35", "band": "long"}
    report = found(same, {}, long, same)
    (finding,) = report.findings.by_rule()["TB-ODDS-003"]
    assert finding.lines == (2, 4, 5) and "0.35, 0.70" in finding.detail and report.counted == 4


def test_a_row_of_a_wrong_width(tmp_path: Path) -> None:
    path = write(tmp_path / "deals.csv", [GOOD])
    path.write_text(path.read_text() + "too,few\n")
    report = audit(path)
    assert findings(report) == {"TB-AUDIT-003": [(3, "")]} and (report.rows, report.counted) == (2, 1)


def test_spellings_of_one_model(found: Any) -> None:
    report = found({"model": "maker/Elm-4"}, {"model": "elm-4"}, {"model": "elm-5"})
    (finding,) = report.findings.by_rule()["TB-MODEL-003"]
    assert "2 spellings" in finding.detail and finding.lines == (2, 3)
    assert [entry["model"] for entry in report.board()["models"]] == ["elm-4", "elm-5", "maker/Elm-4"]


def test_many_findings_keep_all_lines_and_some_words(found: Any) -> None:
    report = found(*({"band": "long"} for _ in range(150)))
    assert report.findings.count("TB-BAND-002") == 150 and len(report.findings.by_rule()["TB-BAND-002"]) == 100
    assert report.findings.lines("TB-BAND-002") == list(range(2, 152))


def test_weeks_follow_the_timezone_of_the_law(tmp_path: Path) -> None:
    own = Shelf()
    own.add(own.current.with_value("TB-RANK-004", "week_timezone", "America/Los_Angeles"))
    sunday = {"resolved_at": "2026-08-10T03:00:00.000000+00:00", "week_resolved": "2026-W32"}
    row = {**GOOD, **sunday, "T_agent_minutes": "0"}
    path = write(tmp_path / "deals.csv", [row])
    assert audit(path, Law(own)).clean and not audit(path).clean


@pytest.mark.parametrize(
    ("at", "week"),
    [
        ("0001-01-01T00:00:00.000000+00:00", "0001-W01"),
        ("0001-03-01T00:00:00.000000+00:00", "0001-W09"),
        ("9999-12-31T23:59:59.999999+00:00", "9999-W52"),
    ],
)
def test_rows_at_the_rim_of_the_calendar(at: str, week: str, found: Any) -> None:
    report = found({"posted_at": at, "resolved_at": at, "week_resolved": week, "T_agent_minutes": "0"})
    assert report.clean
    (season,) = report.board()["seasons"]
    assert report.summary(1)["seasons"] and report.board()["weeks"][0]["week"] == week and season


cells = st.fixed_dictionaries(
    {
        "p_frozen": st.integers(0, 10_000).map(lambda p: f"{p / 10_000:.4f}"),
        "outcome": st.sampled_from("01"),
        "resolution": st.sampled_from(["delivered", "failed", "lapsed", "stopped", "walked", "odd"]),
        "agent": st.sampled_from(["alder", "birch", "cedar"]),
        "model": st.sampled_from(["M1", "M2", "x/M2"]),
        "T_agent_minutes": st.integers(0, 50_000).map(str),
        "C_usd": st.integers(0, 30_000).map(lambda cents: f"{cents / 100}"),
        "B_usd": st.sampled_from(["0.0", "0", "100.00", "100.01", "1000", "2500.5"]),
        "satisfaction": st.sampled_from(["", "1", "77", "?"]),
        "resolved_at": st.integers(SOONEST, SOONEST + 250 * 86_400_000_000).map(
            lambda at: instants.text(instants.from_micros(at)).replace("Z", "+00:00")
        ),
    }
)


@settings(max_examples=60)
@given(st.lists(cells, min_size=1, max_size=25))
def test_the_figures_are_those_of_the_same_rows_as_facts(
    tmp_path_factory: pytest.TempPathFactory, changes: list[dict[str, str]]
) -> None:
    rows = [{**GOOD, "deal_id": f"d{i}", "target_id": f"t{i}", **change} for i, change in enumerate(changes)]
    report, law = audit(write(tmp_path_factory.mktemp("rows") / "deals.csv", rows)), Law(shelf())
    facts = [attempt_of(row, law, leaf) for leaf, row in enumerate(rows)]
    expected = board([each for each in facts if each is not None], (), law, 0, "historic")
    got = report.board()
    for section in ("overall", "strata", "weeks", "seasons", "quarters", "systems"):
        assert got[section] == expected[section], section
