"""What a caller of the Python interface can get wrong: each mistake is refused in words, and nothing is written."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tollbench import Actor, Bench, Refused, RegisterPerson
from tollbench.adapters.store import StoreError

PERSON = RegisterPerson(capacity=["person"])
WRONG: dict[str, dict[str, Any]] = {
    "no sender": {"by": None},
    "a word as sender": {"by": "system"},
    "numbers as sender": {"by": Actor(1, 2)},  # type: ignore[arg-type]
    "a number as key": {"key": 5},
    "bytes as key": {"key": b"x"},
    "a datetime": {"at": datetime(2026, 8, 24, tzinfo=UTC)},
    "a number as instant": {"at": 5},
    "a list of versions": {"expected": [1]},
    "a word for versions": {"expected": "abc"},
    "a version as text": {"expected": {"person-1": "1"}},
    "a version as a float": {"expected": {"person-1": 1.0}},
    "a version as a truth": {"expected": {"person-1": True}},
    "a stream that is a number": {"expected": {1: 1}},
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
def test_what_comes_beside_a_command_is_of_its_kind(wrong: dict[str, Any]) -> None:
    with Bench.open("memory:") as bench:
        before = bench.position()
        with pytest.raises(Refused) as refused:
            bench.do(PERSON, **{"by": Actor.system(), **wrong})
        assert {problem.field for problem in refused.value.problems} == set(wrong)
        assert {problem.rule for problem in refused.value.problems} <= {"TB-CMD-001", "TB-CMD-006"}
        assert bench.position() == before


@pytest.mark.parametrize("request_", [None, "RegisterPerson", {}, RegisterPerson], ids=repr)
def test_only_commands_are_carried_out(request_: Any) -> None:
    with Bench.open("memory:") as bench, pytest.raises(TypeError, match="a command is needed"):
        bench.do(request_, by=Actor.system())


def test_an_empty_key_is_a_key() -> None:
    with Bench.open("memory:") as bench:
        first = bench.do(PERSON, by=Actor.system(), key="")
        again = bench.do(PERSON, by=Actor.system(), key="")
    assert again.repeated
    assert again.ids == first.ids


def test_what_is_no_text_and_no_number_of_a_table_finds_nothing() -> None:
    with Bench.open("memory:") as bench:
        assert bench.state("person-\ud800") is None
        assert bench.stream("person-\ud800") == []
        assert list(bench.log(2**70)) == []


ADDRESSES = {
    "nothing": ("", "names no file"),
    "SQLite's memory": (":memory:", "SQLite's own"),
    "SQLite's file": ("file:x.db?mode=memory", "SQLite's own"),
    "another database": ("postgres://host/x", "not served here"),
    "a zero byte": ("a\0b", "no name of a file"),
    "an escaped zero byte": ("sqlite:///a%00b", "no name of a file"),
    "a lone surrogate": ("\ud800.db", "no name of a file"),
    "too long": ("x" * 300, "cannot be opened"),
    "no text": (5, "an address is text"),
    "bytes": (b"x.db", "an address is text"),
    "none": (None, "an address is text"),
}


@pytest.mark.parametrize(("url", "words"), ADDRESSES.values(), ids=ADDRESSES.keys())
def test_an_address_that_is_none(url: Any, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError, match=words):
        Bench.open(url)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a?mode=memory.db", "a#b.db", "a%20b.db", "a b.db", "ü😀.db", "'a;.db"])
def test_a_path_is_taken_as_it_stands(name: str, tmp_path: Path) -> None:
    with Bench.open(tmp_path / name) as bench:
        assert bench.position() == 1
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_closed_bench_says_so(tmp_path: Path) -> None:
    bench = Bench.open(tmp_path / "bench.db")
    bench.close()
    for use in (bench.board, bench.position, lambda: bench.do(PERSON, by=Actor.system())):
        with pytest.raises(StoreError, match="this bench is closed"):
            use()


@pytest.mark.parametrize(
    "entropy", [lambda c, n: b"x", lambda c, n: None, lambda c, n: "x" * 32, lambda c, n: b"x" * 33, lambda c, n: b""]
)
def test_entropy_of_another_length_makes_no_salt(entropy: Callable[[str, int], Any], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Bench.open(tmp_path / "bench.db", entropy=entropy)
    with Bench.open(tmp_path / "bench.db") as bench:
        assert bench.position() == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PERSISTENCE_MODULE", "eventsourcing.popo"),
        ("SQLITE_DBNAME", ":memory:"),
        ("TOLLBENCH_SQLITE_DBNAME", ":memory:"),
        ("COMPRESSOR_TOPIC", "zlib"),
        ("CIPHER_TOPIC", "eventsourcing.cipher:AESCipher"),
        ("IS_SNAPSHOTTING_ENABLED", "y"),
        ("SQLITE_LOCK_TIMEOUT", "abc"),
    ],
)
def test_no_variable_of_the_environment_changes_a_bench(
    name: str, value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with Bench.open(tmp_path / "bench.db") as bench:
        bench.do(PERSON, by=Actor.system(), key="one")
    monkeypatch.delenv(name)
    with Bench.open(tmp_path / "bench.db", create=False) as bench:
        assert bench.do(PERSON, by=Actor.system(), key="one").repeated
