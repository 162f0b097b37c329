"""Publishing under every mishap: crashes, races, restored backups, altered rows, full disks, witnesses of all sorts."""

import os
import time
from contextlib import ExitStack

import pytest

from logkit import MemoryLog, event_bytes, fault_of, policy_of, serving
from tollbench.adapters.ledger.client import Reply, WitnessClient
from tollbench.adapters.ledger.files import Folder
from tollbench.adapters.ledger.published import PublishedLog
from tollbench.adapters.ledger.publisher import Publisher
from tollbench.adapters.ledger.state import LogState
from tollbench.adapters.ledger.witness import Witness
from tollbench.protocol.checkpoint import open_checkpoint
from tollbench.protocol.envelope import event_hash
from tollbench.protocol.note import ED25519, SigningKey
from tollbench.protocol.policy import PolicyWitness

ORIGIN = "log.example/bench"


@pytest.fixture(name="state")
def _state(tmp_path):
    return LogState.create(tmp_path / "bench.db.log", origin=ORIGIN, out=tmp_path / "public")


@pytest.fixture(name="stack")
def _stack():
    with ExitStack() as stack:
        yield stack


def _publish(state, bodies, **options):
    return Publisher(state, MemoryLog(bodies), **options).publish()


def _read(state):
    folder = Folder(state.settings.out)
    head, _ = open_checkpoint(folder.read("checkpoint"), (state.verifier,))
    return [body for _, body in PublishedLog(folder.read, head).events()]


def _witnessed(tmp_path, stack, *names):
    made = {}
    for name in names:
        witness = Witness.create(tmp_path / name, f"{name}.example/w")
        made[name] = (witness, stack.enter_context(serving(witness)))
    state = LogState.create(tmp_path / "bench.db.log", origin=ORIGIN, out=tmp_path / "public", policy=policy_of(**made))
    for witness, _ in made.values():
        witness.trust(state.verifier)
    return state, made


def test_what_is_committed_is_published(state):
    bodies = event_bytes(600)
    first = _publish(state, bodies)
    assert (first.head.size, first.added, first.changed, first.cosigned) == (600, 600, True, {})
    assert _read(state) == bodies
    assert (state.settings.out / "vkey").read_text().strip() == str(state.verifier)


@pytest.mark.parametrize("step", [1, 7, 255, 256, 257, 300])
def test_growing_in_steps_gives_the_tree_of_one_step(tmp_path, state, step):
    bodies = event_bytes(601)
    log = MemoryLog([])
    kept = Publisher(state, log)
    for size in [*range(step, 601, max(step, 60)), 601]:
        log.bodies = bodies[:size]
        grown = kept.publish()
        assert grown.head.size == size
    assert (
        grown.head.root
        == _publish(LogState.create(tmp_path / "b", origin=ORIGIN, out=tmp_path / "c"), bodies).head.root
    )
    assert _read(state) == bodies


def test_nothing_new_changes_nothing(state):
    bodies = event_bytes(10)
    note = _publish(state, bodies).note
    again = _publish(state, bodies)
    assert (again.changed, again.note) == (False, note)


def test_empty_log_has_a_head(state):
    assert _publish(state, []).head.size == 0
    assert _publish(state, event_bytes(3)).added == 3


def test_older_database_is_refused(state):
    bodies = event_bytes(300)
    published = _publish(state, bodies)
    assert fault_of(lambda: _publish(state, bodies[:299])) == "HEAD_ROLLBACK"
    assert (state.settings.out / "checkpoint").read_bytes() == published.note


def test_older_database_that_was_appended_to_is_refused(state):
    bodies = event_bytes(300)
    published = _publish(state, bodies)
    forked = bodies[:250] + event_bytes(100, start=250, note="other")
    assert fault_of(lambda: _publish(state, forked)) == "HEAD_SPLIT"
    assert (state.settings.out / "checkpoint").read_bytes() == published.note
    assert state.last_signed()[1] == published.note


def test_a_kept_publisher_notices_the_database_being_changed_under_it(state):
    log = MemoryLog(event_bytes(300))
    kept = Publisher(state, log)
    kept.publish()
    log.bodies = event_bytes(250)
    assert fault_of(kept.publish) == "HEAD_ROLLBACK"
    log.bodies = event_bytes(299) + event_bytes(9, start=299, note="other")
    assert fault_of(kept.publish) == "EVENT_ALTERED"


@pytest.mark.parametrize("at", [0, 128, 299])
def test_altered_row_is_refused(state, at):
    bodies = event_bytes(300)
    _publish(state, bodies)
    altered = bodies[:at] + event_bytes(1, start=at, note="x") + bodies[at + 1 :]
    assert fault_of(lambda: _publish(state, altered + event_bytes(1, start=300))) == "HEAD_SPLIT"


def test_row_that_is_no_event_is_refused_before_anything_is_signed(state):
    bodies = event_bytes(5)
    for junk in (b"{}", b"", b"junk", bodies[2] + b" ", bodies[2].replace(b'"schema":1', b'"schema": 1')):
        assert fault_of(lambda junk=junk: _publish(state, [*bodies[:2], junk, *bodies[3:]])) == "NOT_CANONICAL"
    assert state.last_signed() is None


def test_gap_in_the_numbering_is_refused(state):
    class Gap(MemoryLog):
        def log(self, start=0):
            yield from (row for row in enumerate(self.bodies) if row[0] != 3)

    assert fault_of(Publisher(state, Gap(event_bytes(6))).publish) == "LOG_GAP"


def test_older_private_folder_is_caught_by_the_published_head(tmp_path, state):
    bodies = event_bytes(300)
    _publish(state, bodies[:100])
    old = (state.root / "signed").read_bytes()
    _publish(state, bodies)
    (state.root / "signed").write_bytes(old)
    assert fault_of(lambda: _publish(state, bodies[:200])) == "HEAD_ROLLBACK"


def test_full_tile_with_other_bytes_is_never_overwritten(state):
    _publish(state, event_bytes(100))
    tile = state.settings.out / "tile" / "0" / "000"
    tile.write_bytes(bytes(8192))
    assert fault_of(lambda: _publish(state, event_bytes(300))) == "TILE_CONFLICT"
    assert tile.read_bytes() == bytes(8192)
    assert state.last_signed()[0].size == 100


def test_disk_that_is_full_leaves_the_old_head_and_the_next_try_succeeds(state, monkeypatch):
    _publish(state, event_bytes(100))
    before = (state.settings.out / "checkpoint").read_bytes()
    real, left = os.fsync, [0]

    def fsync(descriptor):
        left[0] -= 1
        if left[0] < 0:
            raise OSError(28, "No space left on device")
        real(descriptor)

    for allowed in range(30):
        left[0] = allowed
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", fsync)
            code = fault_of(lambda: _publish(state, event_bytes(700)))
        if not code:
            break
        assert code == "DISK_REFUSED"
    else:
        raise AssertionError("the disk was never full enough")
    assert allowed > 5
    assert before != (state.settings.out / "checkpoint").read_bytes()
    assert _read(state) == event_bytes(700)


def test_file_damaged_on_the_way_to_the_disk_is_noticed_before_signing(state, monkeypatch):
    real = Folder._staged

    def damaged(self, path, data, mode):
        return real(self, path, data.replace(b'"number":7}', b'"number":8}') if "bodies" in path else data, mode)

    monkeypatch.setattr(Folder, "_staged", damaged)
    assert fault_of(lambda: _publish(state, event_bytes(20))) == "BODY_FORGED"
    assert state.last_signed() is None


def test_key_of_another_log_signs_nothing(state):
    other = SigningKey(ORIGIN, ED25519, b"\x05" * 32)
    (state.root / "key").write_text(other.secret_text())
    assert fault_of(lambda: _publish(state, event_bytes(3))) == "KEY_CHANGED"
    (state.root / "key").unlink()
    assert fault_of(lambda: _publish(state, event_bytes(3))) == "KEY_MISSING"


def test_key_that_others_may_read_signs_nothing(state):
    (state.root / "key").chmod(0o640)
    assert fault_of(lambda: _publish(state, event_bytes(3))) == "KEY_EXPOSED"


def test_key_from_the_environment(tmp_path, monkeypatch):
    key = SigningKey(ORIGIN, ED25519, b"\x06" * 32)
    monkeypatch.setenv("LOG_KEY_OF_TEST", key.secret_text())
    state = LogState.create(tmp_path / "s", origin=ORIGIN, out=tmp_path / "out", key_env="LOG_KEY_OF_TEST")
    assert not (state.root / "key").exists()
    assert _publish(state, event_bytes(3)).head.size == 3
    monkeypatch.delenv("LOG_KEY_OF_TEST")
    assert fault_of(lambda: _publish(state, event_bytes(4))) == "KEY_MISSING"
    monkeypatch.setenv("LOG_KEY_OF_TEST", "junk")
    assert fault_of(lambda: _publish(state, event_bytes(4))) == "KEY_MALFORMED"


def test_setting_up_twice_or_wrongly(tmp_path, state, monkeypatch):
    assert fault_of(lambda: LogState.create(state.root, origin=ORIGIN, out=tmp_path)) == "LOG_EXISTS"
    assert fault_of(lambda: LogState.create(tmp_path / "n", origin="two words", out=tmp_path)) == "KEY_MALFORMED"
    assert fault_of(lambda: LogState.create(tmp_path / "n", origin="toll-bundle/1", out=tmp_path)) == "KEY_MALFORMED"
    assert fault_of(lambda: LogState.open(tmp_path / "nowhere")) == "LOG_MISSING"
    (tmp_path / "bad").mkdir()
    for junk in ("", "[]", '{"format": "toll-log/1"}'):
        (tmp_path / "bad" / "log.json").write_text(junk)
        assert fault_of(lambda: LogState.open(tmp_path / "bad")) == "LOG_MALFORMED"
    monkeypatch.setenv("LOG_KEY_OF_TEST", SigningKey("other.example", ED25519, b"\x06" * 32).secret_text())
    refused = fault_of(lambda: LogState.create(tmp_path / "n", origin=ORIGIN, out=tmp_path, key_env="LOG_KEY_OF_TEST"))
    assert refused == "ORIGIN_WRONG"
    assert not (tmp_path / "n").exists()


def test_rotation_starts_a_new_origin_that_extends_the_old_log(state):
    bodies = event_bytes(300)
    old = _publish(state, bodies[:200])
    turned = state.rotate(origin="log.example/bench-2")
    assert turned.verifier.public != state.verifier.public
    assert fault_of(lambda: _publish(turned, bodies[:150])) == "HEAD_ROLLBACK"
    assert fault_of(lambda: _publish(turned, event_bytes(250, note="other"))) == "HEAD_SPLIT"
    new = _publish(turned, bodies)
    assert new.head.origin == "log.example/bench-2"
    kept = state.settings.out / "previous" / state.verifier.key_id.hex()
    assert (kept / "checkpoint").read_bytes() == old.note
    assert _read(turned) == bodies
    assert fault_of(lambda: turned.rotate(origin="log.example/bench-2")) == "LOG_EXISTS"


# -- witnesses -------------------------------------------------------------------------------------------------------


def test_quorum_cosigns_before_the_head_is_published(tmp_path, stack):
    state, _ = _witnessed(tmp_path, stack, "a", "b")
    first = _publish(state, event_bytes(100))
    second = _publish(state, event_bytes(300))
    assert {*first.cosigned} == {*second.cosigned} == {"a", "b"}
    verdict = state.policy().check((state.settings.out / "checkpoint").read_bytes())
    assert verdict.checkpoint.size == 300


def test_witness_that_is_behind_catches_up(tmp_path, stack):
    state, made = _witnessed(tmp_path, stack, "a", "b")
    _publish(state, event_bytes(100))
    for head in (made["b"][0].root / "heads").glob("*"):
        head.unlink()
    assert {*_publish(state, event_bytes(300)).cosigned} == {"a", "b"}


def _client(name, state, answer):
    witness = next(w for w in state.policy().witnesses if w.name == name)
    return WitnessClient(PolicyWitness(name, witness.key, "http://w.example"), post=answer, pause=lambda seconds: None)


def _down(url, body):
    raise OSError("connection refused")


@pytest.mark.parametrize(
    "answer",
    [
        _down,
        lambda url, body: Reply(503, "text/plain", b"busy"),
        lambda url, body: Reply(429, "text/plain", b"slow down"),
        lambda url, body: Reply(404, "text/plain", b"unknown log"),
        lambda url, body: Reply(403, "text/plain", b"no"),
        lambda url, body: Reply(200, "text/plain", b""),
        lambda url, body: Reply(200, "text/plain", b"\xff\xfe"),
        lambda url, body: Reply(200, "text/plain", "\u2014 b.example/w AAAAAAAA\n".encode()),
        lambda url, body: Reply(200, "text/plain", b"x" * 1_000_001),
        lambda url, body: Reply(409, "text/x.tlog.size", b"+5\n"),
    ],
)
def test_witness_that_is_down_slow_or_talks_nonsense_costs_the_quorum(tmp_path, stack, answer):
    state, _ = _witnessed(tmp_path, stack, "a", "b")
    first = _publish(state, event_bytes(100))
    honest = next(client for client in Publisher(state, MemoryLog([]))._clients(state.policy()) if client.name == "a")
    refused = fault_of(lambda: _publish(state, event_bytes(120), clients=[honest, _client("b", state, answer)]))
    assert refused == "QUORUM_UNMET"
    assert (state.settings.out / "checkpoint").read_bytes() == first.note
    assert {*_publish(state, event_bytes(140)).cosigned} == {"a", "b"}


@pytest.mark.parametrize(
    "answer",
    [
        lambda url, body: Reply(409, "text/x.tlog.size", b"5000\n"),
        lambda url, body: Reply(409, "text/plain", b"another root\n"),
        lambda url, body: Reply(422, "text/plain", b"bad proof\n"),
    ],
)
def test_witness_that_disputes_stops_publishing_though_the_others_agree(tmp_path, stack, answer):
    state, _ = _witnessed(tmp_path, stack, "a", "b")
    first = _publish(state, event_bytes(100))
    honest = next(client for client in Publisher(state, MemoryLog([]))._clients(state.policy()) if client.name == "a")
    refused = fault_of(lambda: _publish(state, event_bytes(120), clients=[honest, _client("b", state, answer)]))
    assert refused == "WITNESS_DISPUTES"
    assert state.last_signed()[1] == first.note.split("\u2014 a.example".encode())[0]


def test_restored_backup_of_everything_is_caught_by_the_witness_before_signing(tmp_path, stack):
    state, _ = _witnessed(tmp_path, stack, "a", "b")
    bodies = event_bytes(300)
    _publish(state, bodies[:100])
    old = (state.root / "signed").read_bytes(), (state.settings.out / "checkpoint").read_bytes()
    _publish(state, bodies)
    (state.root / "signed").write_bytes(old[0])
    (state.settings.out / "checkpoint").write_bytes(old[1])
    forked = bodies[:120] + event_bytes(400, start=120, note="other")
    for tile in state.settings.out.rglob("000"):
        tile.unlink()
    assert fault_of(lambda: _publish(state, forked)) == "WITNESS_DISPUTES"
    assert (state.root / "signed").read_bytes() == old[0]


def test_silent_witness_does_not_matter_where_the_quorum_does_without_it(tmp_path, stack):
    witness = Witness.create(tmp_path / "a", "a.example/w")
    lost = Witness.create(tmp_path / "b", "b.example/w")
    url = stack.enter_context(serving(witness))
    policy = policy_of(a=(witness, url), b=(lost, "http://127.0.0.1:9")).replace(b"every all", b"every any")
    state = LogState.create(tmp_path / "s", origin=ORIGIN, out=tmp_path / "out", policy=policy)
    witness.trust(state.verifier)
    clients = [WitnessClient(w, pause=lambda seconds: None) for w in state.policy().witnesses]
    done = _publish(state, event_bytes(10), clients=clients)
    assert {*done.cosigned} == {"a"}
    assert "no answer after 3 attempts" in done.silent["b"]


def test_slow_witness_is_waited_for_only_so_long(tmp_path, stack, monkeypatch):
    state, _ = _witnessed(tmp_path, stack, "a")
    monkeypatch.setattr("tollbench.adapters.ledger.client.TIMEOUT", 0.05)
    monkeypatch.setattr("tollbench.adapters.ledger.client.PAUSE", 0.0)
    monkeypatch.setattr(Witness, "add_checkpoint", lambda self, body: time.sleep(0.3))
    assert fault_of(lambda: _publish(state, event_bytes(10))) == "QUORUM_UNMET"


def test_address_that_is_no_web_address_is_not_followed(tmp_path):
    witness = Witness.create(tmp_path / "a", "a.example/w")
    policy = policy_of(a=(witness, f"file://{tmp_path}"))
    state = LogState.create(tmp_path / "s", origin=ORIGIN, out=tmp_path / "out", policy=policy)
    clients = [WitnessClient(w, pause=lambda seconds: None) for w in state.policy().witnesses]
    assert fault_of(lambda: _publish(state, event_bytes(10), clients=clients)) == "QUORUM_UNMET"


def test_every_published_body_hashes_to_its_entry(state):
    bodies = event_bytes(300)
    _publish(state, bodies)
    data = (state.settings.out / "tile" / "entries" / "000").read_bytes()
    assert data[:34] == b"\x00\x20" + event_hash(bodies[0])
    lines = (state.settings.out / "bodies" / "001.p" / "44").read_bytes().split(b"\n")
    assert lines == [*bodies[256:], b""]
