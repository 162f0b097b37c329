"""The simulated season: what it shows, that its bytes depend on the seed only, and what its command line refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tollbench.adapters.bench import Bench
from tollbench.adapters.cli import cli
from tollbench.adapters.simulator.plots import Plot, plots
from tollbench.adapters.simulator.season import Coverage, open_bench, play
from tollbench.domain.commands import commands
from tollbench.protocol.envelope import Event

SEED, TARGETS = 7, 24
FEW = 8
"""Targets of the seasons that are cut off."""


@dataclass
class Played:
    """A season that was played in memory."""

    log: list[bytes]
    events: list[Event]
    board: bytes
    coverage: Coverage

    def of(self, type_: str) -> list[Event]:
        """The events of this type."""
        return [event for event in self.events if event.type == type_]


def play_in_memory(seed: int, targets: int) -> Played:
    """Play a season in memory."""
    bench, clock = open_bench("memory:", seed)
    with bench:
        coverage = play(bench, clock, seed, targets, lambda part: None)
        return Played([body for _, body in bench.log()], list(bench.events()), bench.board_bytes(), coverage)


@pytest.fixture(scope="module")
def season() -> Played:
    """One season, shared by the tests of this module."""
    return play_in_memory(SEED, TARGETS)


@pytest.fixture(scope="module")
def small() -> Played:
    """A smaller one."""
    return play_in_memory(SEED, FEW)


# -- the same seed, the same bytes -----------------------------------------------------------------------------------


def test_same_seed_same_bytes(season: Played) -> None:
    again = play_in_memory(SEED, TARGETS)
    assert again.log == season.log
    assert again.board == season.board


def test_other_seed_other_bytes(season: Played) -> None:
    other = play_in_memory(SEED + 1, TARGETS)
    assert not set(other.log) & set(season.log[1:])
    assert other.board != season.board


class _Cut(BaseException):
    """The process goes away."""


@pytest.mark.parametrize("commands_before", [1, 2, 40, 150, 300])
def test_a_cut_season_goes_on_to_the_same_bytes(
    small: Played, commands_before: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = commands_before
    run = Bench._run

    def until_cut(self: Bench, *arguments: object, **options: object) -> object:
        nonlocal left
        left -= 1
        if left < 0:
            raise _Cut
        return run(self, *arguments, **options)  # type: ignore[arg-type]

    url = str(tmp_path / "bench.db")
    with monkeypatch.context() as patched:
        patched.setattr(Bench, "_run", until_cut)
        with pytest.raises(_Cut):
            bench, clock = open_bench(url, SEED)
            play(bench, clock, SEED, FEW, lambda part: None)
    bench, clock = open_bench(url, SEED)
    with bench:
        assert 0 < bench.position() < len(small.log)
        coverage = play(bench, clock, SEED, FEW, lambda part: None)
        assert [body for _, body in bench.log()] == small.log
        assert bench.board_bytes() == small.board
        assert coverage.line() == small.coverage.line()


# -- what a season shows ---------------------------------------------------------------------------------------------


def test_every_command_is_used(season: Played) -> None:
    assert season.coverage.missing == ()
    assert season.coverage.line().startswith(f"{len(commands())} of {len(commands())} commands used")


def test_a_missing_command_is_named() -> None:
    line = Coverage(frozenset({"SignDeal"}), frozenset({"SignDeal", "WalkDeal"})).line()
    assert line.startswith("1 of 2 commands used")
    assert line.endswith("not used: WalkDeal")


def test_every_terminal_state_occurs(season: Played) -> None:
    states = {event.data["resolution"] for event in season.of("deal.resolved")}
    assert states == {"delivered", "expired", "declined", "ended", "lapsed", "walked", "stopped"}


def test_all_bands_and_both_standards_occur(season: Played) -> None:
    rows = json.loads(season.board)["attempts"]
    assert {row["band"] for row in rows} == {"short", "long", "moonshot"}
    assert {row["standard"] for row in rows} == {"free", "paid"}
    assert {model for row in rows for model in row["models"]} >= {"quartz-large 4.1", "heron 7b-instruct-3"}
    assert len({row["system_version"] for row in rows}) > 1


def test_wants_end_without_an_attempt_too(season: Played) -> None:
    types = {event.type for event in season.events}
    assert types >= {"target.review.declined", "target.withdrawn", "target.closed", "deal.declined"}


def test_money_returns_in_every_way(season: Played) -> None:
    assert {event.data["kind"] for event in season.of("escrow.reversed")} == {"partial", "full", "chargeback"}


def test_integrity_moves_late_and_both_ways(season: Played) -> None:
    changes = season.of("outcome.integrity_changed")
    assert {(event.data["from"], event.data["to"]) for event in changes} >= {
        ("provisional", "official"),
        ("official", "provisional"),
        ("official", "invalidated"),
    }
    grounds = {event.data["ground"] for event in changes if event.data["to"] == "invalidated"}
    assert grounds >= {"payment_reversal", "fraud", "technical_recording_error"}
    late = [event for event in changes if event.data["because"] == "person.verified"]
    assert any(_week_closed_between(season, event) for event in late)


def _week_closed_between(season: Played, change: Event) -> bool:
    resolved = next(event for event in season.of("deal.resolved") if event.stream == change.stream)
    closes = [event.at for event in season.of("period.closed") if event.data["period"] == "week"]
    return any(resolved.at < close < change.at for close in closes)


def test_asks_overlap_and_declined_milestones_are_revised(season: Played) -> None:
    most, open_now = 0, 0
    for event in season.events:
        open_now += (event.type == "ask.opened") - (event.type == "ask.answered")
        most = max(most, open_now)
    assert most >= 2
    revised = {(event.stream, event.subject) for event in season.of("milestone.revised")}
    assert revised
    assert revised <= {(event.stream, event.subject) for event in season.of("milestone.approved")}


def test_an_approval_at_the_very_deadline_delivers(season: Played) -> None:
    deadlines = {event.stream: event.data["deadline"] for event in season.of("deal.signed")}
    delivered = [event for event in season.of("deal.resolved") if event.data["resolution"] == "delivered"]
    assert any(event.data["resolved_at"] == deadlines[event.stream] for event in delivered)


def test_every_period_is_closed_in_order(season: Played) -> None:
    closes = [event.data["name"] for event in season.of("period.closed")]
    assert closes == [f"2026-W{week}" for week in range(27, 40)] + ["season-1", "quarter-1"]


def test_posters_stay_unnamed(season: Played) -> None:
    record = b"\n".join(season.log)
    assert b"people.example" not in record
    assert b"Mill Lane" not in record


# -- the plan --------------------------------------------------------------------------------------------------------


def _all(made: list[Plot]) -> Iterator[Plot]:
    for plot in made:
        yield plot
        if plot.follow is not None:
            yield plot.follow


@pytest.mark.parametrize("targets", [1, 4, 5, 24, 61])
def test_the_plan_has_exactly_so_many_targets(targets: int) -> None:
    numbers = sorted(plot.number for plot in _all(plots(1, targets)))
    assert numbers == list(range(1, targets + 1))


# -- the command line ------------------------------------------------------------------------------------------------


def _season(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["season", *arguments], catch_exceptions=False)


def test_a_small_season_writes_its_files_and_runs_again(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    first = _season("--seed", "3", "--targets", "3", "--out", str(one))
    assert first.exit_code == 0
    for words in ("Season 1", "Toll per band", "Calibration", "commands used", str(one / "board.json")):
        assert words in first.output
    second = _season("--seed", "3", "--targets", "3", "--out", str(two), "--json")
    told = json.loads(second.stdout)
    assert told["targets"] == 3
    assert told["files"]["events"] == str(two / "events.jsonl")
    assert sorted(path.name for path in two.iterdir()) == ["bench.db", "board.json", "events.jsonl", "season.json"]
    for name in ("board.json", "events.jsonl"):
        assert (one / name).read_bytes() == (two / name).read_bytes()


def test_a_finished_season_can_be_resumed(tmp_path: Path) -> None:
    arguments = ("--seed", "3", "--targets", "2", "--out", str(tmp_path))
    assert _season(*arguments).exit_code == 0
    before = {name: (tmp_path / name).read_bytes() for name in ("board.json", "events.jsonl")}
    assert _season(*arguments, "--resume").exit_code == 0
    assert before == {name: (tmp_path / name).read_bytes() for name in before}


def test_resume_of_nothing_begins(tmp_path: Path) -> None:
    out = tmp_path / "new" / "folder"
    assert _season("--seed", "3", "--targets", "1", "--out", str(out), "--resume").exit_code == 0
    assert (out / "events.jsonl").exists()


def _refused(*arguments: str) -> str:
    result = _season(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1, lines
    return lines[0]


@pytest.mark.parametrize("targets", ["0", "-5", "100001"])
def test_a_number_of_targets_that_no_season_has(targets: str, tmp_path: Path) -> None:
    assert "1 to 100000 targets" in _refused("--targets", targets, "--out", str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_a_folder_in_use_is_not_touched(tmp_path: Path) -> None:
    _season("--seed", "3", "--targets", "1", "--out", str(tmp_path))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert "--resume" in _refused("--seed", "3", "--targets", "1", "--out", str(tmp_path))
    told = _refused("--seed", "4", "--targets", "1", "--out", str(tmp_path), "--resume")
    assert "begun with --seed 3 --targets 1" in told
    assert "--seed 3" in _refused("--seed", "3", "--targets", "2", "--out", str(tmp_path), "--resume")
    assert before == {path.name: path.read_bytes() for path in tmp_path.iterdir()}


def test_folders_that_are_none_of_ours(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("text")
    assert "is a file" in _refused("--targets", "1", "--out", str(file))
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "bench.db").write_bytes(b"")
    assert "not begun by a season" in _refused("--targets", "1", "--out", str(foreign), "--resume")
    (foreign / "season.json").write_text("[]")
    assert "no record of a season" in _refused("--targets", "1", "--out", str(foreign), "--resume")
    (foreign / "season.json").write_text('{"seed": 1, "targets": 1, "script": 0}')
    assert "another version of the simulator" in _refused("--targets", "1", "--out", str(foreign), "--resume")
