"""Recounts of the public results under one changed parameter give the independently computed differences."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

from support import shared
from tollbench.adapters.cli import main
from tollbench.adapters.public_data.audit import audit
from tollbench.adapters.rulebook.impact import Ledger, amended, impact, read_results, reproduces
from tollbench.projections.attempts import LedgerFacts
from tollbench.projections.board import board_bytes, figures
from tollbench.projections.finish import Drawing
from tollbench.projections.periods import Books
from tollbench.projections.sections import Desk
from tollbench.projections.tally import Tally
from tollbench.protocol.edition import shelf

Golden = dict[str, Any]


def said(capfd: pytest.CaptureFixture[str], *words: str) -> Any:
    with pytest.raises(SystemExit) as ended:
        main(["rules", "impact", "--ledger", str(shared("data/toll-bench-public/deals.csv")), *words, "--json"])
    assert not ended.value.code
    return json.loads(capfd.readouterr().out)


@pytest.fixture(scope="module")
def golden() -> list[Golden]:
    read: list[Golden] = yaml.safe_load(shared("golden/what_if.yaml").read_text())
    return read


def change_of(expected: Golden) -> str:
    what = expected["change"]
    return f"{what['rule']}.{what['parameter']}={what['to']}"


def test_another_timezone_moves_two_deals_and_three_crowns(
    golden: list[Golden], capfd: pytest.CaptureFixture[str]
) -> None:
    expected = golden[0]
    found = said(capfd, "--set", change_of(expected))
    assert {deal[:8]: pair for deal, pair in found["moved"].items()} == expected["moved"]
    assert found["crowns"] == expected["crowns"]
    assert set(expected["unchanged"]) <= set(found["unchanged"])


def test_another_band_boundary_moves_three_targets(golden: list[Golden], capfd: pytest.CaptureFixture[str]) -> None:
    expected = golden[1]
    found = said(capfd, "--set", change_of(expected))
    assert {deal[:8]: pair for deal, pair in found["rebanded"].items()} == expected["rebanded"]
    assert not found["crowns"]
    assert {"R", "S", "crowns"} <= set(found["unchanged"])
    figures = {each["place"]: (each["before"], each["after"]) for each in found["figures"]}
    for band, values in expected["bands"].items():
        place = f"overall/bands/{band}"
        assert list(figures[f"{place}/counts/resolved_official"]) == values["n"]
        assert list(figures[f"{place}/toll/crossings"]) == values["d"]
        seconds = [Fraction(value) for value, _ in figures[f"{place}/toll/time"]]
        assert seconds == [minutes * 60 for minutes in values["toll_minutes"]]
        gaps = [Fraction(value) for value, _ in figures[f"{place}/gap"]]
        assert [f"{float(gap):.4f}" for gap in gaps] == values["G"]
    assert figures["overall/bands/short/small_sample"] == (False, True)


def test_pinned_reproduces_what_was_published(capfd: pytest.CaptureFixture[str]) -> None:
    found = said(capfd, "--mode", "pinned")
    assert not found["differs"] and found["figures"] == []


def test_pinned_compares_the_bytes_that_an_audit_publishes() -> None:
    path = shared("data/toll-bench-public/deals.csv")
    ledger = read_results(path, shelf())
    assert ledger.published is not None and ledger.again is not None
    published = ledger.published()
    assert published == board_bytes(audit(path).board())
    assert ledger.again() == published
    assert len(published) > 200_000
    others = replace(ledger.facts, attempts=ledger.facts.attempts[1:])
    found = impact(_again(ledger, others), amended(ledger.law, "TB-BAND-002.short_min=0.50"), "pinned")
    assert found.differs and found.unchanged == [], "one attempt less is another board"


@pytest.mark.parametrize("seed", range(6))
def test_a_file_with_faults_is_read_alike_by_audit_and_recount(seed: int, tmp_path: Path) -> None:
    lines = shared("data/toll-bench-public/deals.csv").read_text("utf-8").splitlines()
    rng = random.Random(seed)
    for _ in range(40):
        line = rng.randrange(1, len(lines))
        cells = lines[line].split(",")
        cells[rng.randrange(len(cells))] = rng.choice(
            ["", "x", "-1", "1.5", lines[rng.randrange(1, len(lines))].split(",")[0]]
        )
        lines[line] = ",".join(cells)
    lines += rng.sample(lines[1:], 5)
    (tmp_path / "deals.csv").write_text("\n".join(lines) + "\n", "utf-8")
    assert reproduces(read_results(tmp_path / "deals.csv", shelf()))


def _again(ledger: Ledger, facts: LedgerFacts) -> Ledger:
    """The published board of one ledger beside the facts of another."""
    law = ledger.law
    books = Books(Desk(law, Drawing(law)), Tally().add(facts.attempts, law))
    return replace(ledger, facts=facts, again=lambda: board_bytes(figures(books, None, "historic")))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--set", "TB-BAND-002.short_min"], "write RULE.parameter=value"),
        (["--set", "TB-ODDS-999.x=1"], "has no rule TB-ODDS-999"),
        (["--set", "TB-BAND-002.middle=1"], "has no parameter middle"),
        (["--set", "TB-BAND-002.short_min=much"], "is no decimal"),
        (["--set", "TB-RANK-004.week_timezone=Mars/Dome"], "no such timezone"),
        (["--sweep", "TB-BAND-002.short_min=0.6..0.5"], "has to rise"),
        (["--sweep", "TB-BAND-002.short_min=0.6"], "write RULE.parameter=a..b"),
        (["--edition", "9.9.9"], "9.9.9"),
        (["--mode", "prospective", "--set", "TB-BAND-002.short_min=0.55"], "--from"),
        ([], "give one of"),
    ],
)
def test_a_change_that_cannot_be_made_is_one_line(
    capfd: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["rules", "impact", "--ledger", str(shared("data/toll-bench-public/deals.csv")), *words])
    said = capfd.readouterr().err
    assert ended.value.code == 2
    assert message in said and said.count("\n") == 1


def test_a_sweep_counts_what_changes_at_each_step(capfd: pytest.CaptureFixture[str]) -> None:
    found = said(capfd, "--sweep", "TB-BAND-002.short_min=0.50..0.55")
    rebanded = [len(each["rebanded"]) for each in found]
    assert (rebanded[0], rebanded[-1]) == (0, 3)


def test_prospective_leaves_earlier_attempts_alone(capfd: pytest.CaptureFixture[str]) -> None:
    words = ("--mode", "prospective", "--set", "TB-BAND-002.short_min=0.55", "--from")
    assert said(capfd, *words, "2027-01-01")["rebanded"] == {}
    assert len(said(capfd, *words, "2026-01-01T00:00:00Z")["rebanded"]) == 3
