"""Private text is nowhere in the public record, and once it is erased it is nowhere at all.

A simulated season that uses every command is played with a marker of its own in every private text field of every
command (TB-PRIV-002, TB-PRIV-003, TB-PRIV-008). The markers are searched for in everything that is public, in every
table, and after the erasure of every vault row in the bytes of the database files.
"""

from __future__ import annotations

import base64
import hashlib
import json
import random
import re
import shutil
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from blake3 import blake3
from click.testing import CliRunner
from marked import MarkedBench, every_private_field
from seasons import played as play_season

from tollbench.adapters.bench import Bench
from tollbench.adapters.cli import cli
from tollbench.adapters.ledger.bundle import make_bundle
from tollbench.adapters.ledger.files import Folder
from tollbench.adapters.ledger.published import PublishedLog
from tollbench.adapters.ledger.publisher import Publisher
from tollbench.adapters.ledger.receipts import make_receipt
from tollbench.adapters.ledger.state import LogState
from tollbench.adapters.replay import replay_check
from tollbench.adapters.simulator.scenes import ALWAYS_REFUSED
from tollbench.adapters.store import SqliteStore
from tollbench.domain.commands import Actor
from tollbench.domain.deal.commands import EndDeal
from tollbench.domain.deal.state import Deal
from tollbench.domain.erasure import EraseVault
from tollbench.domain.person.commands import RegisterPerson
from tollbench.domain.world import VaultRow
from tollbench.protocol import canonical, commitment, envelope
from tollbench.protocol.checkpoint import open_checkpoint
from tollbench.protocol.refusal import Refused

WORD = re.compile(rb"marker\d{5}x")
WORDS = re.compile(r"[a-z_]+(-[0-9a-f-]{36})?")
HEXES = re.compile(rb"(?<![0-9a-f])(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})(?![0-9a-f])")
NEVER_KEPT = {("CompleteVerification", ("identity_token",))}
"""A keyed digest of it makes one account a human; the text itself is kept nowhere (TB-PASS-007)."""
TURNED_AWAY = {("FileReceipt", ("artifact",))}
"""Takes part in a refusal only: the platform takes no bytes (TB-OWN-001)."""


@dataclass
class Played:
    """The played season: its bench, and what it showed to the world before anything was erased."""

    bench: MarkedBench
    clock: Any
    database: Path
    public: dict[str, bytes] = field(default_factory=dict)
    log: list[bytes] = field(default_factory=list)

    @property
    def files(self) -> bytes:
        """The bytes of the database, of its write-ahead log and of the index of that."""
        return b"".join(path.read_bytes() for path in sorted(self.database.parent.glob("bench.db*")) if path.is_file())

    def tables(self, *without: str) -> dict[str, bytes]:
        """Everything that the tables hold, the ones named left out."""
        connection = sqlite3.connect(self.database)
        try:
            names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")]
            return {
                name: b"\n".join(_bytes(value) for row in connection.execute(f"SELECT * FROM {name}") for value in row)
                for name in names
                if name not in without
            }
        finally:
            connection.close()

    def blobs(self, without: str) -> set[bytes]:
        """Every value in a table that is bytes, the table named left out."""
        connection = sqlite3.connect(self.database)
        try:
            names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")]
            tables = [connection.execute(f"SELECT * FROM {name}") for name in names if name != without]
            return {value for table in tables for row in table for value in row if isinstance(value, bytes)}
        finally:
            connection.close()

    def vault(self) -> list[Any]:
        """Every row of the vault."""
        with self.bench.store.unit(write=False) as unit:
            found = [unit.vault_row(row[0]) for row in unit._rows("SELECT commitment FROM vault ORDER BY seq")]
        return [row for row in found if row is not None]


def _bytes(value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


def _digests_of(text: bytes) -> list[bytes]:
    return [made.digest() for made in (hashlib.sha256(text), hashlib.sha1(text), hashlib.md5(text), blake3(text))]


def _toll(*arguments: str) -> bytes:
    result = CliRunner().invoke(cli, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout_bytes + result.stderr_bytes


def _published(played: Played, root: Path) -> dict[str, bytes]:
    """The static files of the log, the bundle of an auditor, and the receipt of every deal and target."""
    state = LogState.create(root / "log", origin="log.example/bench", out=root / "public")
    Publisher(state, played.bench).publish()
    make_bundle(state, root / "bundle")
    files = [path for name in ("public", "bundle") for path in (root / name).rglob("*") if path.is_file()]
    made = {str(path.relative_to(root)): path.read_bytes() for path in files}
    folder = Folder(root / "public")
    note = folder.read("checkpoint")
    head, _ = open_checkpoint(note, (state.verifier,))
    for stream in sorted(event.stream for event in played.bench.events() if event.type == "deal.signed"):
        receipt = make_receipt(PublishedLog(folder.read, head), note, stream, state.verifier, b"")
        made[f"receipt of {stream}"] = receipt.render()
    return made


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A season with its markers, and all that it publishes."""
    root = tmp_path_factory.mktemp("private")
    bench, clock = play_season(MarkedBench, str(root / "bench.db"))
    played = Played(bench, clock, root / "bench.db")
    played.log = [body for _, body in bench.log()]
    played.public = _published(played, root) | {"board": bench.board_bytes()}
    at = ("--bench", str(played.database))
    for name in (("events",), ("todo",), ("board",), ("replay", "--check")):
        played.public[name[0]] = _toll(*name, *at) + _toll(*name, *at, "--json")
    kinds = {"target": "target", "deal": "deal", "passport": "agent"}
    for stream in sorted({event.stream for event in bench.events()}):
        kind = kinds.get(stream.partition("-")[0])
        if kind is not None:
            played.public[f"show {stream}"] = _toll("show", kind, stream, *at, "--json")
            if f"show {kind}" not in played.public:
                played.public[f"show {kind}"] = _toll("show", kind, stream, *at)
    return played


def _words(data: bytes) -> set[str]:
    return {found.decode() for found in WORD.findall(data)}


def _card_words(log: list[bytes]) -> set[str]:
    """The markers that posting made public: those of card fields, in `target.posted`."""
    posted = [body for body in log if envelope.from_bytes(body).type == "target.posted"]
    return _words(b"".join(posted))


# -- every field is tried ----------------------------------------------------------------------------------------------


def test_every_private_field_of_every_command_carried_a_marker(season: Played) -> None:
    written = {(marker.command, marker.field) for marker in season.bench.written}
    turned_away = {(marker.command, marker.field) for marker in season.bench.turned_away}
    always_refused = {(name, path) for name, path in every_private_field() if name in ALWAYS_REFUSED}
    assert set(every_private_field()) - written == always_refused | TURNED_AWAY
    assert turned_away >= TURNED_AWAY
    # The simulator rewrites no step and no card when it is refused: what is there to fill is filled.
    assert {name for name, _ in always_refused & turned_away} == {name for name, _ in always_refused} - {"AmendDeal"}


def test_the_markers_are_in_the_vault_and_only_there(season: Played) -> None:
    kept = {marker.word for marker in season.bench.written if (marker.command, marker.field) not in NEVER_KEPT}
    bodies = b"".join(canonical.dumps(row.body) for row in season.vault())
    assert _words(bodies) == kept - season.bench.erased
    assert season.bench.erased
    everywhere = season.tables("vault")
    assert _words(everywhere.pop("stored_events")) == _card_words(season.log)
    assert {name: _words(held) for name, held in everywhere.items() if WORD.search(held)} == {}


def test_what_else_is_in_the_vault_is_public_anyway(season: Played) -> None:
    """A text in the vault comes from a field that is marked private, or it is an id, a word, or in the log as well."""
    public = b"\n".join(season.log).decode()
    for row in season.vault():
        for text in _leaves(row.body):
            plain = WORDS.fullmatch(text) or json.dumps(text, ensure_ascii=False) in public
            assert WORD.search(text.encode()) or plain, (row.kind, text)


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _leaves(item)


# -- what is public ----------------------------------------------------------------------------------------------------


def test_card_texts_become_public_by_posting_and_nothing_else_does(season: Played) -> None:
    public = _card_words(season.log)
    by_word = {marker.word: marker for marker in season.bench.written}
    assert public
    assert {by_word[word].until for word in public} == {"until_posted"}
    card_fields = {field for (name, field), mark in every_private_field().items() if mark.until == "until_posted"}
    assert {by_word[word].field for word in public} == card_fields
    others = [body for body in season.log if envelope.from_bytes(body).type != "target.posted"]
    assert _words(b"".join(others)) == set()


def test_no_marker_is_in_anything_published(season: Played) -> None:
    cards = _card_words(season.log)
    assert len(season.public) > 60
    found = {name: _words(data) - cards for name, data in season.public.items()}
    assert {name: words for name, words in found.items() if words} == {}


def test_nothing_public_lets_a_guess_be_tested(season: Played) -> None:
    """No plain digest of a private text, or of a private body, stands in the log or in a table; nor does a salt."""
    texts = [marker.text.encode() for marker in [*season.bench.written, *season.bench.turned_away]]
    texts += [canonical.dumps(row.body) for row in season.vault()]
    told = {digest for text in texts for digest in _digests_of(text)} | {row.salt for row in season.vault()}
    held = [*season.log, *season.tables("vault").values(), *season.public.values()]
    assert {bytes.fromhex(hexes.decode()) for text in held for hexes in HEXES.findall(text)}.isdisjoint(told)
    assert season.blobs("vault").isdisjoint(told)


def test_custodial_keys_and_the_private_key_of_digests_are_not_public(season: Played) -> None:
    with season.bench.store.unit(write=False) as unit:
        secrets = [bytes(row[0]) for row in unit._rows("SELECT seed FROM keys")] + [unit.secret()]
    assert len(secrets) > 10
    public = b"\n".join([*season.log, *season.public.values()])
    for secret in secrets:
        assert secret not in public
        assert secret.hex().encode() not in public
        assert base64.b64encode(secret).rstrip(b"=") not in public


def test_every_row_opens_its_commitment(season: Played) -> None:
    committed = b"".join(season.log)
    for row in season.vault():
        assert commitment.verify(row.commitment, row.kind, row.salt, row.body)
        assert row.commitment.encode() in committed


def test_refusals_are_not_kept(season: Played) -> None:
    turned_away = {marker.word for marker in season.bench.turned_away}
    assert turned_away
    assert turned_away & _words(season.files) == set()


# -- after the erasure of everything -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def erased(season: Played) -> tuple[Played, list[Any]]:
    """The same bench after a steward had every row of the vault erased; and the rows that there were."""
    bench = season.bench
    season.clock.now += timedelta(days=400)
    bench.sweep()
    rows = season.vault()
    steward = next(e.stream for e in bench.events() if "steward" in e.data.get("capacity", ()))
    for state in [bench.state(stream) for stream in {row.subject for row in rows}]:
        if isinstance(state, Deal) and state.active:
            bench.do(EndDeal(deal=state.id), by=Actor("person", state.person))
    for row in season.vault():
        bench.do(EraseVault(stream=row.subject, commitment=row.commitment), by=Actor("steward", steward))
    return season, rows


def test_no_marker_is_left_in_the_bytes_of_the_files(erased: tuple[Played, list[Any]]) -> None:
    season, rows = erased
    assert season.vault() == []
    assert len(rows) > 300
    cards = _card_words(season.log)
    assert _words(season.files) == cards
    for row in rows:
        assert row.salt not in season.files


def test_the_log_and_its_hashes_stand(erased: tuple[Played, list[Any]]) -> None:
    season, rows = erased
    log = [body for _, body in season.bench.log()]
    assert log[: len(season.log)] == season.log
    erasures = [event for event in season.bench.events(len(season.log)) if event.type == "vault.erased"]
    assert {event.data["commitment"] for event in erasures} == {row.commitment for row in rows}
    report = replay_check(season.bench)
    assert report.differences == []
    assert report.events == len(log)


def test_nothing_opens_any_more(erased: tuple[Played, list[Any]]) -> None:
    season, rows = erased
    for row in rows[::20]:
        for reader in row.readers:
            role = "steward" if reader == "steward" else "agent" if reader.startswith("passport-") else "person"
            if role != "steward":
                assert season.bench.reveal(row.commitment, by=Actor(role, reader)) is None


# -- one row, in detail ------------------------------------------------------------------------------------------------

JANE = RegisterPerson(name="Jane Doe of marker00001x")


def _digests(bench: Bench) -> set[bytes]:
    """The digests of the remembered commands."""
    with bench.store.unit(write=False) as unit:
        return {bytes(row[0]) for row in unit._rows("SELECT digest FROM commands")}


def _files(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.glob("bench.db*")))


def _register_and_erase(bench: Bench) -> str:
    """A person who registers and then has name and contact erased; the id."""
    jane = bench.do(JANE, by=Actor.system(), key="jane")
    sealed = jane.events[0].data["identity_commitment"]
    bench.do(EraseVault(stream=jane.id, commitment=sealed), by=Actor("person", jane.id))
    return jane.id


def test_of_a_command_whose_matter_was_erased_only_the_key_is_remembered(tmp_path: Path) -> None:
    with Bench.open(str(tmp_path / "bench.db")) as bench:
        bench.do(RegisterPerson(name="Ann"), by=Actor.system(), key="before")
        before = _digests(bench)
        first = bench.do(JANE, by=Actor.system(), key="jane")
        (digest,) = _digests(bench) - before
        sealed = first.events[0].data["identity_commitment"]
        bench.do(EraseVault(stream=first.id, commitment=sealed), by=Actor("person", first.id))
        assert digest not in _files(tmp_path)
        assert before <= _digests(bench)
        for request in (JANE, RegisterPerson(name="Somebody else")):
            again = bench.do(request, by=Actor.system(), key="jane")
            assert (again.id, again.repeated) == (first.id, True)
        with pytest.raises(Refused, match="TB-CMD-005"):
            bench.do(RegisterPerson(name="Somebody else"), by=Actor.system(), key="before")


def test_a_process_that_is_killed_leaves_nothing_that_opening_does_not_clean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Bench.open(str(tmp_path / "bench.db")) as bench, monkeypatch.context() as patched:
        patched.setattr(SqliteStore, "scrub", lambda store: False)
        _register_and_erase(bench)
        assert WORD.search(_files(tmp_path)), "the write-ahead log still has the page from before"
        killed = tmp_path / "killed"
        killed.mkdir()
        for path in tmp_path.glob("bench.db*"):
            shutil.copy(path, killed)
    with Bench.open(str(killed / "bench.db"), create=False):
        assert not WORD.search(_files(killed))


def test_a_reader_holds_the_cleaning_up_only_while_it_reads(tmp_path: Path) -> None:
    with Bench.open(str(tmp_path / "bench.db")) as bench:
        bench.do(JANE, by=Actor.system(), key="early")
        reader = sqlite3.connect(tmp_path / "bench.db", isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM vault").fetchone()
        early = time.monotonic()
        for person in list(bench.events()):
            if person.type == "person.registered":
                sealed = person.data["identity_commitment"]
                bench.do(EraseVault(stream=person.stream, commitment=sealed), by=Actor("person", person.stream))
        assert time.monotonic() - early < 20
        assert not bench.store.scrub()
        reader.execute("COMMIT")
        reader.close()
        assert bench.store.scrub()
        assert not WORD.search(_files(tmp_path))


def test_a_growing_vault_leaves_no_copies_behind(tmp_path: Path) -> None:
    """Rows of all sizes, enough for the tables to grow by two levels, erased in any order while others are added."""
    marks: dict[str, bytes] = {}
    with SqliteStore.file(tmp_path / "bench.db").unit(write=True) as unit:
        unit.set_meta("secret", b"s" * 32)
    store = SqliteStore.file(tmp_path / "bench.db")
    dice = random.Random(5)
    for number in range(400):
        word = f"marker{number:05d}x"
        size = dice.choice([0, 40, 300, 900, 3_000, 9_000])
        sealed = "sha256:" + hashlib.sha256(word.encode()).hexdigest()
        with store.unit(write=True) as unit:
            body = {"text": word + " " + "fill " * (size // 5) + word}
            unit.keep([VaultRow(sealed, "test", "deal-1", ("steward",), word.encode().ljust(32), body)], f"c{number}")
            unit.record_command(f"c{number}", word.encode().ljust(32), b"{}")
            marks[sealed] = word.encode()
            if number > 50 and dice.random() < 0.6:
                gone = dice.choice(sorted(marks))
                unit.erase(gone)
                del marks[gone]
    assert store.scrub()
    held = (tmp_path / "bench.db").read_bytes()
    assert {found.encode() for found in _words(held)} == set(marks.values())
    for gone in sorted(marks):
        with store.unit(write=True) as unit:
            unit.erase(gone)
    assert store.scrub()
    assert _words(_files(tmp_path)) == set()
    store.close()
