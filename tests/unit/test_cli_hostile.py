"""Hostile surroundings and contents of the command line: closed streams, poor encodings, markup and control codes."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tollbench.adapters.bench import Bench
from tollbench.adapters.cli import main
from tollbench.adapters.cli.output import one_line, visible

HEADER = (
    "deal_id,target_id,card_type,keeper,lane,band,p_frozen,outcome,resolution,agent,model,T_agent_minutes,C_usd,B_usd,"
    "toll,satisfaction,week_resolved,posted_at,resolved_at"
)
ROW = (
    "d1,t1,classic,false,free,short,0.72,0,failed,{agent},{model},3,0.0,0.0,,,2026-W33,"
    "2026-08-10T23:15:40.220167+00:00,2026-08-11T22:38:36.629401+00:00"
)


def results(folder: Path, agent: str = "Ada", model: str = "m/one") -> Path:
    path = folder / "deals.csv"
    path.write_bytes(f"{HEADER}\n{ROW.format(agent=agent, model=model)}\n".encode())
    return path


def toll(capfd: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    out, err = capfd.readouterr()
    assert "Traceback" not in err
    return ended.value.code if isinstance(ended.value.code, int) else 0, out, err


@pytest.fixture
def bench_file(tmp_path: Path) -> Path:
    with Bench.open(tmp_path / "bench.db"):
        return tmp_path / "bench.db"


@pytest.mark.parametrize(
    "words", [["schema"], ["schema", "--json"], ["events", "--json"], ["board", "--json"], ["do", "-"]]
)
@pytest.mark.parametrize("redirect", [">&-", "<&-", ">&- 2>&- <&-"])
def test_a_closed_stream_is_no_error_of_the_program(bench_file: Path, words: list[str], redirect: str) -> None:
    bench = [] if words[0] == "schema" else ["--bench", str(bench_file)]
    command = ["sh", "-c", f'exec "$@" {redirect}', "sh", sys.executable, "-m", "tollbench", *words, *bench]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    assert "Traceback" not in done.stderr
    assert done.returncode == (2 if words == ["do", "-"] else 0)


def test_a_terminal_without_unicode_gets_escapes(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    words = [sys.executable, "-m", "tollbench", "audit", str(results(tmp_path, agent="Ångström")), "--json"]
    done = subprocess.run(words, capture_output=True, env=environment, check=False)
    assert done.stderr == b""
    assert "Ångström" in json.dumps(json.loads(done.stdout.decode("ascii")), ensure_ascii=False)
    done = subprocess.run(words[:-1], capture_output=True, env=environment, check=False)
    assert b"Traceback" not in done.stderr
    assert done.returncode == 1 or done.stdout.isascii()


@pytest.mark.parametrize("agent", ["[/red]", "[bold]x", ":smile:", "[link=http://x]y"])
def test_brackets_of_a_name_are_text(capfd: pytest.CaptureFixture[str], tmp_path: Path, agent: str) -> None:
    _, out, _ = toll(capfd, "audit", results(tmp_path, agent=agent, model=f"{agent}/m"))
    assert agent in out
    toll(capfd, "import", results(tmp_path, agent=agent), "--into", tmp_path / "bench.db")
    code, out, _ = toll(capfd, "board", "--bench", tmp_path / "bench.db")
    assert code == 0
    assert agent in out


def test_a_board_of_imported_rows_alone_is_shown(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    toll(capfd, "import", results(tmp_path), "--into", tmp_path / "bench.db")
    code, out, _ = toll(capfd, "board", "--bench", tmp_path / "bench.db")
    assert code == 0
    assert "Historic: " in out


@pytest.mark.parametrize("id", ["a\nb", "\x1b[31mred", "\udcff\udcfe", "x" * 100_000, "[/red]"])
def test_an_odd_id_is_told_back_on_one_line(capfd: pytest.CaptureFixture[str], bench_file: Path, id: str) -> None:
    code, _, err = toll(capfd, "show", "deal", id, "--bench", bench_file)
    assert code in (1, 2)
    assert err.count("\n") == 1
    assert "\x1b" not in err
    assert len(err) < 3000


def test_control_codes_of_a_file_do_not_reach_the_terminal(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    _, out, _ = toll(capfd, "audit", results(tmp_path, agent="\x1b]0;title\x07\u202e", model="\x9b31m"))
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(out)


@pytest.mark.parametrize("option", ["--from", "--limit"])
def test_a_number_beyond_every_log_is_a_slip(capfd: pytest.CaptureFixture[str], bench_file: Path, option: str) -> None:
    code, _, err = toll(capfd, "events", "--bench", bench_file, option, "9" * 30)
    assert code == 2
    assert option in err


def test_a_full_device_is_called_one(bench_file: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with Path("/dev/full").open("wb") as full:
        words = [sys.executable, "-m", "tollbench", "schema", "--json"]
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("toll: input or output: ")


ZERO = "a\0b"
REFUSED_IMPORTS = {
    "header only": (f"{HEADER}\n", "line 2", "no rows"),
    "a control character": (f"{HEADER}\n{ROW.format(agent=ZERO, model='m')}\n", "line 2, column agent", "control"),
    "a long cell": (f"{HEADER}\n{ROW.format(agent='a' * 5000, model='m')}\n", "line 2, column agent", "4000"),
    "columns without end": (
        f"{HEADER},{','.join(f'c{n}' for n in range(600))}\n{ROW.format(agent='a', model='m')}{',' * 600}\n",
        "line 2",
        "500",
    ),
}


@pytest.mark.parametrize(("content", "where", "words"), REFUSED_IMPORTS.values(), ids=REFUSED_IMPORTS.keys())
def test_rows_that_no_event_can_hold_leave_no_trace(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, content: str, where: str, words: str
) -> None:
    path = tmp_path / "deals.csv"
    path.write_text(content)
    code, _, err = toll(capfd, "import", path, "--into", tmp_path / "bench.db")
    assert code == 2
    assert f"in {where}:" in err
    assert words in err
    assert "TB-AUDIT-001" in err
    assert not (tmp_path / "bench.db").exists()


def test_a_pipe_is_not_imported_because_it_is_read_twice(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    code, _, err = toll(capfd, "import", tmp_path / "pipe", "--into", tmp_path / "bench.db")
    assert code == 2
    assert "no regular file" in err


def test_many_columns_are_read_in_one_pass(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "deals.csv"
    names = ",".join(f"c{n}" for n in range(100_000))
    path.write_text(f"{HEADER},{names}\n{ROW.format(agent='a', model='m')}{',' * 100_000}\n")
    code, _, _ = toll(capfd, "audit", path)
    assert code in (0, 1)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"command":"X","by":{"role":"system","id":"system"},"fields":{"n":' + "9" * 5000 + "}}", "5000 digits"),
        ("[" * 200_000, "too many brackets"),
        ('{"command":"X","by":{"role":"system","id":"system"},"expected":{"deal-1":true},"fields":{}}', "`expected`"),
    ],
)
def test_a_command_file_is_refused_in_words_of_its_own(
    capfd: pytest.CaptureFixture[str], bench_file: Path, tmp_path: Path, content: str, words: str
) -> None:
    path = tmp_path / "command.json"
    path.write_text(content)
    code, _, err = toll(capfd, "do", path, "--bench", bench_file)
    assert code == 2
    assert words in err
    assert err.count("\n") == 1


def test_what_is_not_seen_is_shown_and_the_rest_is_left() -> None:
    assert visible("Ada ü 日本 \t\n[x]") == "Ada ü 日本 \t\n[x]"
    assert visible("\x1b\x07\x9b\u202e\ud800") == "\\x1b\\x07\\x9b\\u202e\\ud800"
    assert one_line("a\nb") == "a\\nb"


def test_streams_that_tests_put_in_place_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    held = io.StringIO()
    monkeypatch.setattr(sys, "stdout", held)
    with pytest.raises(SystemExit):
        main(["schema", "--json"])
    assert "RegisterPerson" in held.getvalue()
