"""A bench file that somebody damaged or edited: opening it or `toll replay --check` says what is wrong, in one line."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from tollbench.adapters.bench import Bench
from tollbench.adapters.replay import replay_check
from tollbench.adapters.simulator.season import open_bench, play
from tollbench.adapters.store import StoreError

EVENTS = "stored_events"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sound") / "bench.db"
    bench, clock = open_bench(str(path), 3)
    with bench:
        play(bench, clock, 3, 6, lambda part: None)
        assert replay_check(bench).differences == []
    return path


def damaged(sound: Path, folder: Path, *statements: str) -> Path:
    path = folder / "bench.db"
    shutil.copy(sound, path)
    connection = sqlite3.connect(path)
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()
    return path


REPORTED = {
    "an event is gone": (f"DELETE FROM {EVENTS} WHERE leaf_index=60", "leaf 60 is missing"),
    "the last event is gone": (
        f"DELETE FROM {EVENTS} WHERE leaf_index=(SELECT max(leaf_index) FROM {EVENTS})",
        "the live view stands at position",
    ),
    "no JSON": (f"UPDATE {EVENTS} SET state=x'ff00' WHERE leaf_index=60", "leaf 60: no JSON"),
    "empty": (f"UPDATE {EVENTS} SET state=x'' WHERE leaf_index=60", "leaf 60: no JSON"),
    "another stream": (f"UPDATE {EVENTS} SET originator_id='nonsense-1' WHERE leaf_index=60", "filed as nonsense-1"),
    "another version": (f"UPDATE {EVENTS} SET originator_version=999 WHERE leaf_index=60", "and filed as"),
    "another type": (f"UPDATE {EVENTS} SET topic='os:system' WHERE leaf_index=60", "os:system"),
    "a leaf far away": (
        f"UPDATE {EVENTS} SET leaf_index=9000000000000000000 WHERE leaf_index=60",
        "leaf 60 is missing",
    ),
    "a negative leaf": (f"UPDATE {EVENTS} SET leaf_index=-7 WHERE leaf_index=60", "is missing: the next one is -7"),
    "a view row that is no JSON": ("UPDATE view_rows SET body=x'ff'", "the live view row"),
    "a view that is ahead": ("UPDATE view_positions SET position=99999", "the live view stands at position 99999"),
    "a lost index entry": ("DELETE FROM related WHERE seq=1", "the index entry"),
    "a foreign index entry": (
        "INSERT INTO related (relation, key, stream) VALUES ('a', 'b', 'c')",
        "the index entry a b of c",
    ),
    "a foreign due instant": ("INSERT INTO due VALUES ('deal-x', '2020')", "when deal-x is due"),
    "another clock": ("UPDATE meta SET value=CAST('2020-01-01T00:00:00.000000Z' AS BLOB) WHERE name='last_at'", "2020"),
    "an edited secret": ("UPDATE vault SET body=CAST('{\"a\":1}' AS BLOB)", "does not open its commitment"),
    "a short salt": ("UPDATE vault SET salt=x'00'", "does not open its commitment"),
}


@pytest.mark.parametrize(("statement", "words"), REPORTED.values(), ids=REPORTED.keys())
def test_a_replay_says_what_was_edited(sound: Path, tmp_path: Path, statement: str, words: str) -> None:
    with Bench.open(str(damaged(sound, tmp_path, statement))) as bench:
        found = replay_check(bench).differences
    assert any(words in line for line in found), found
    assert all("\n" not in line for line in found)


UNUSABLE = {
    "text for bytes": (f"UPDATE {EVENTS} SET state='{{}}' WHERE leaf_index=60", "leaf 60 is no bytes"),
    "text for a leaf": (f"UPDATE {EVENTS} SET leaf_index='abc' WHERE leaf_index=60", "'abc' is no whole number"),
    "a rulebook that is no JSON": (f"UPDATE {EVENTS} SET state=x'ff' WHERE leaf_index=0", "rulebook"),
    "text for a position": ("UPDATE view_positions SET position='x'", "the position of view facts"),
    "no clock": ("UPDATE meta SET value=x'ff' WHERE name='last_at'", "last_at is no instant"),
    "no secret": ("DELETE FROM meta WHERE name='secret'", "the setting secret is missing"),
    "a vault row that is no JSON": ("UPDATE vault SET body=x'ff'", "is no JSON"),
    "another schema": ("PRAGMA user_version=0", "there is no table schema 0"),
    **{f"no {name}": (f"DROP TABLE {name}", f"lacks the table {name}") for name in ("vault", "due", "meta", EVENTS)},
}


@pytest.mark.parametrize(("statement", "words"), UNUSABLE.values(), ids=UNUSABLE.keys())
def test_a_bench_that_cannot_be_read_is_called_damaged(sound: Path, tmp_path: Path, statement: str, words: str) -> None:
    path = damaged(sound, tmp_path, statement)
    with pytest.raises(StoreError) as refused, Bench.open(str(path)) as bench:
        replay_check(bench)
    assert words in str(refused.value)
    assert "is damaged" in str(refused.value)
    assert "restore a backup" in str(refused.value)
    assert str(path) in str(refused.value)


@pytest.mark.parametrize("size", [50, 4096, 100_000])
def test_a_bench_that_was_cut_off_is_no_bench(sound: Path, tmp_path: Path, size: int) -> None:
    path = tmp_path / "bench.db"
    path.write_bytes(sound.read_bytes()[:size])
    with pytest.raises(StoreError), Bench.open(str(path)) as bench:
        replay_check(bench)


def test_a_bench_that_cannot_be_opened_is_not_called_foreign(
    sound: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = damaged(sound, tmp_path)

    def unable(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("unable to open database file")

    monkeypatch.setattr(sqlite3, "connect", unable)
    with pytest.raises(StoreError, match=r"cannot be opened .* may be written"):
        Bench.open(path)
