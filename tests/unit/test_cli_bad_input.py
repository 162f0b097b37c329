"""Bad input on the command line: one clear message with what, where, which rule and how to fix; nothing written."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tollbench.adapters.bench import Bench
from tollbench.adapters.cli import main
from tollbench.domain.commands import Actor
from tollbench.domain.person.commands import RegisterPerson

SYSTEM = {"role": "system", "id": "system"}


class Shell:
    """Runs the command line in this process and keeps what it said."""

    def __init__(self, capfd: pytest.CaptureFixture[str]) -> None:
        self._capfd = capfd
        self.code = 0
        self.out = self.err = ""

    def run(self, *words: str | Path) -> Shell:
        with pytest.raises(SystemExit) as ended:
            main([str(word) for word in words])
        self.code = ended.value.code if isinstance(ended.value.code, int) else 0
        self.out, self.err = self._capfd.readouterr()
        assert "Traceback" not in self.err
        return self


@pytest.fixture
def shell(capfd: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capfd)


@pytest.fixture
def bench_file(tmp_path: Path) -> Path:
    path = tmp_path / "bench.db"
    with Bench.open(str(path)) as bench:
        bench.do(RegisterPerson(capacity=["steward"]), by=Actor.system(), key="first")
    return path


def log(path: Path) -> list[bytes]:
    with Bench.open(str(path)) as bench:
        return [body for _, body in bench.log()]


def command_file(folder: Path, **body: Any) -> Path:
    path = folder / "command.json"
    path.write_text(json.dumps(body))
    return path


REFUSED = [
    (
        "a naive instant",
        {"command": "RegisterPerson", "by": SYSTEM, "at": "2027-01-01T00:00:00", "fields": {}},
        "TB-CMD-006",
        "at",
    ),
    (
        "a float probability",
        {
            "command": "CorrectAnchor",
            "by": SYSTEM,
            "fields": {"reference_class": "proven_path_delivery", "to": 0.7},
        },
        "TB-CMD-006",
        "to",
    ),
    (
        "an unknown actor",
        {
            "command": "RegisterPerson",
            "by": {"role": "steward", "id": "person-00000000-0000-5000-8000-000000000000"},
            "fields": {},
        },
        "TB-CMD-002",
        "by",
    ),
    (
        "a reused key with another body",
        {"command": "RegisterPerson", "by": SYSTEM, "key": "first", "fields": {"capacity": ["operator"]}},
        "TB-CMD-005",
        "key",
    ),
    ("an unknown command", {"command": "MakeWish", "by": SYSTEM, "fields": {}}, "TB-CMD-001", "command"),
    (
        "an unknown field",
        {"command": "RegisterPerson", "by": SYSTEM, "fields": {"colour": "green"}},
        "TB-CMD-001",
        "colour",
    ),
]


@pytest.mark.parametrize("verb", ["do", "check"])
@pytest.mark.parametrize(("body", "rule", "field"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_a_refusal_names_rule_field_and_fix(
    shell: Shell, bench_file: Path, tmp_path: Path, verb: str, body: dict[str, Any], rule: str, field: str
) -> None:
    if verb == "check" and rule == "TB-CMD-005":
        pytest.skip("a dry run has a key of its own")
    before = log(bench_file)
    source = command_file(tmp_path, **body)
    said = shell.run(verb, source, "--bench", bench_file).err
    assert shell.code == 1
    assert rule in said and f"in {field}:" in said and "fix:" in said
    shell.run(verb, source, "--bench", bench_file, "--json")
    problems = json.loads(shell.out)["refused"]
    assert shell.code == 1
    assert (rule, field) in [(each["rule"], each["field"]) for each in problems]
    assert set(problems[0]) == {"code", "rule", "revision", "edition", "field", "detail", "fix"}
    assert log(bench_file) == before


def test_a_negative_budget_is_refused_by_its_rule(shell: Shell, bench_file: Path, tmp_path: Path) -> None:
    with Bench.open(str(bench_file)) as bench:
        ada = bench.do(RegisterPerson(), by=Actor.system()).id
    before = log(bench_file)
    source = command_file(
        tmp_path,
        command="RecordIntake",
        by={"role": "person", "id": ada},
        fields={"want": "a bicycle", "budget_cents": -1},
    )
    said = shell.run("do", source, "--bench", bench_file).err
    assert shell.code == 1
    assert "TB-TARGET-006" in said and "budget" in said
    assert "TB-TARGET-003" in said, "every problem is named at once"
    assert log(bench_file) == before


UNUSABLE = {
    "empty": b"",
    "not JSON": b"{",
    "a list": b"[]",
    "invalid UTF-8": b'{"command": "\xff"}',
    "two keys alike": b'{"command": "A", "command": "B"}',
    "an unknown key": b'{"command": "A", "by": {"role": "system", "id": "system"}, "wish": 1}',
    "an unknown role": b'{"command": "A", "by": {"role": "king", "id": "x"}}',
    "no sender": b'{"command": "RegisterPerson"}',
    "deep nesting": b'{"command": "A", "by": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
}


@pytest.mark.parametrize("content", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_a_file_that_is_no_command(shell: Shell, bench_file: Path, tmp_path: Path, content: bytes) -> None:
    source = tmp_path / "command.json"
    source.write_bytes(content)
    shell.run("do", source, "--bench", bench_file)
    assert shell.code == 2
    assert shell.err.startswith(f"toll: {source}") and shell.err.count("\n") == 1


def test_a_command_file_that_is_not_there_or_a_directory(shell: Shell, bench_file: Path, tmp_path: Path) -> None:
    assert shell.run("do", tmp_path / "none.json", "--bench", bench_file).code == 2
    assert shell.run("do", tmp_path, "--bench", bench_file).code == 2


def not_a_database(path: Path) -> None:
    path.write_bytes(b"deal_id,target_id\n" * 100)


def of_another_program(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE songs (title TEXT)")


def of_a_newer_version(path: Path) -> None:
    Bench.open(str(path)).close()
    with sqlite3.connect(path) as ours:
        ours.execute("PRAGMA user_version=99")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (not_a_database, "is not a Toll Bench database"),
        (of_another_program, "is a database of another program"),
        (of_a_newer_version, "was written by a newer version"),
        (lambda path: path.mkdir(), "is a directory"),
        (lambda path: None, "there is no such database"),
    ],
    ids=["no database", "another program's", "a newer schema", "a directory", "nothing there"],
)
@pytest.mark.parametrize("verb", ["board", "todo", "events", "replay", "show"])
def test_a_database_that_is_not_ours(shell: Shell, tmp_path: Path, make: Any, words: str, verb: str) -> None:
    path = tmp_path / "some.db"
    make(path)
    before = path.read_bytes() if path.is_file() else None
    arguments = ["target", "x"] if verb == "show" else []
    shell.run(verb, *arguments, "--bench", path)
    assert shell.code == 2
    assert words in shell.err and str(path) in shell.err and shell.err.count("\n") == 1
    assert before == (path.read_bytes() if path.is_file() else None)


def test_an_address_of_another_kind(shell: Shell) -> None:
    assert shell.run("todo", "--bench", "mysql://somewhere/x").code == 2
    assert "sqlite:///path" in shell.err


@pytest.mark.parametrize("words", [["nonsense"], ["show", "planet", "x"], ["events", "--from", "-1"], ["do"]])
def test_usage_errors_end_with_code_2(shell: Shell, words: list[str]) -> None:
    assert shell.run(*words).code == 2
    assert shell.err


def test_an_unknown_schema_is_named(shell: Shell) -> None:
    assert shell.run("schema", "Nonsense").code == 2
    assert "Nonsense" in shell.err
    assert shell.run("schema", "--json").code == 0
    listed = json.loads(shell.out)
    assert "PostTarget" in listed["commands"] and "deal.signed" in listed["events"]
    assert shell.run("schema", "PostTarget").code == 0
    assert json.loads(shell.out)["properties"]["target"]
    assert shell.run("schema", "deal.signed").code == 0


def test_do_and_check_carry_out_a_sound_command(shell: Shell, bench_file: Path, tmp_path: Path) -> None:
    source = command_file(tmp_path, command="RegisterPerson", by=SYSTEM, key="new", fields={"capacity": ["operator"]})
    before = log(bench_file)
    assert shell.run("check", source, "--bench", bench_file).code == 0
    assert log(bench_file) == before
    assert shell.run("do", source, "--bench", bench_file, "--json").code == 0
    first = json.loads(shell.out)
    assert first["ids"] and not first["repeated"]
    assert shell.run("do", source, "--bench", bench_file, "--json").code == 0
    again = json.loads(shell.out)
    assert again["repeated"] and again["ids"] == first["ids"]
    assert len(log(bench_file)) == len(before) + 1
