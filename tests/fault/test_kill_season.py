"""`kill -9` at twenty points during `toll season`: what is left is a consistent prefix, and resuming completes it.

The points are spread over the events of the season by a fixed seed. The process is killed as soon as the database
holds so many events, wherever it then is: inside a transaction, between two, or while the results are written.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from tollbench.adapters.bench import Bench
from tollbench.adapters.cli import cli
from tollbench.adapters.replay import replay_check

SEED, TARGETS, KILLS = 5, 6, 20
PATIENCE = 60.0
FILES = ("board.json", "events.jsonl")


def _arguments(out: Path) -> list[str]:
    return ["season", "--seed", str(SEED), "--targets", str(TARGETS), "--out", str(out)]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a season that nobody killed."""
    out = tmp_path_factory.mktemp("undisturbed")
    assert CliRunner().invoke(cli, _arguments(out), catch_exceptions=False).exit_code == 0
    return {name: (out / name).read_bytes() for name in FILES}


def _events_in(database: Path) -> int:
    """How many events the database holds at this moment; 0 while it is not there or not made yet."""
    try:
        connection = sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)
        try:
            return int(connection.execute("SELECT count(*) FROM stored_events").fetchone()[0])
        finally:
            connection.close()
    except sqlite3.Error:
        return 0


def _kill_at(events: int, out: Path) -> None:
    """Start a season and kill it once the database holds so many events."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tollbench", *_arguments(out)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    database, end = out / "bench.db", time.monotonic() + PATIENCE
    try:
        while process.poll() is None and _events_in(database) < events:
            assert time.monotonic() < end, "the season does not get on"
            time.sleep(0.001)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
    finally:
        _, said = process.communicate()
    assert process.returncode in (0, -signal.SIGKILL), said


def _points() -> list[int]:
    """Twenty points in thousandths of the season's events; at the last one the results are being written."""
    draw = random.Random(20)
    return [*sorted(draw.sample(range(1, 1000), KILLS - 1)), 1000]


@pytest.mark.parametrize("thousandths", _points())
def test_a_killed_season_is_a_prefix_and_can_be_resumed(
    thousandths: int, undisturbed: dict[str, bytes], tmp_path: Path
) -> None:
    lines = undisturbed["events.jsonl"].splitlines()
    events = max(1, len(lines) * thousandths // 1000)
    _kill_at(events, tmp_path)
    with Bench.open(str(tmp_path / "bench.db"), create=False) as bench:
        log = list(bench.log())
        assert len(log) >= events
        assert [leaf for leaf, _ in log] == list(range(len(log)))
        assert [body for _, body in log] == lines[: len(log)]
        assert replay_check(bench).differences == []
    resumed = CliRunner().invoke(cli, [*_arguments(tmp_path), "--resume"], catch_exceptions=False)
    assert resumed.exit_code == 0
    assert {name: (tmp_path / name).read_bytes() for name in FILES} == undisturbed
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bench.db", "board.json", "events.jsonl", "season.json"]
