"""`toll log`, `toll receipt` and `toll verify`: what they do, and how each fault of a log ends."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import urllib.request
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from logkit import (
    LOG_KEY,
    ORIGIN,
    WITNESSES,
    Log,
    cosigned,
    entries,
    head,
    policy_of,
    published,
    serving,
    toll,
    tree_of,
)
from support import shared
from tollbench.adapters.ledger.files import Folder
from tollbench.adapters.ledger.receipts import Receipt
from tollbench.adapters.ledger.state import LogState
from tollbench.adapters.ledger.witness import Witness
from tollbench.protocol.checkpoint import Checkpoint
from tollbench.protocol.faults import FAULTS
from tollbench.protocol.note import COSIGNATURE, ED25519, SigningKey, VerifierKey
from tollbench.protocol.policy import Policy
from tollbench.protocol.strict import encode64
from tollbench.protocol.tlog_proof import TlogProof


@pytest.fixture(name="played", scope="module")
def _played(tmp_path_factory):
    """A season that is published once; tests copy it before they damage it."""
    played = Log(tmp_path_factory.mktemp("played"), targets=6)
    played.publish()
    return played


@pytest.fixture(name="log")
def _log(played, tmp_path):
    """A copy of the published season that a test may damage."""
    root = tmp_path / "log"
    shutil.copytree(played.root, root)
    copy = object.__new__(Log)
    copy.root, copy.database, copy.key = root, root / "bench.db", played.key
    settings = LogState.of_bench(copy.database) / "log.json"
    settings.write_text(settings.read_text().replace(str(played.root), str(root)))
    return copy


def _code(capsys, *arguments):
    """(exit status, fault codes) of a command run with --json."""
    capsys.readouterr()
    status = toll(*arguments, "--json")
    told = json.loads(capsys.readouterr().out)
    found = [told["fault"]] if "fault" in told else told.get("findings", [])
    return status, [fault["code"] for fault in found]


# -- the ordinary way ------------------------------------------------------------------------------------------------


def test_from_init_to_verify(tmp_path, capsys):
    bench = Log(tmp_path, targets=0).database
    assert toll("log", "init", "--bench", bench, "--origin", ORIGIN, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert Path(told["public"]) == tmp_path / "bench.db.public"
    assert toll("log", "publish", "--bench", bench) == 0
    assert "cosigned by no witness: unwitnessed" in capsys.readouterr().out
    assert toll("log", "publish", "--bench", bench, "--json") == 0
    again = json.loads(capsys.readouterr().out)
    assert (again["changed"], again["witness"]) == (False, "unwitnessed")
    assert toll("log", "verify", "--bench", bench) == 0
    assert toll("log", "fsck", "--bench", bench) == 0
    assert toll("log", "watch", "--bench", bench, "--every", "1", "--times", "2") == 0
    assert toll("log", "init", "--bench", bench, "--origin", ORIGIN) == 2
    assert toll("log", "init", "--bench", bench, "--origin", "log.example/next", "--rotate") == 0
    assert toll("log", "publish", "--bench", bench) == 0
    assert toll("log", "verify", "--bench", bench) == 0
    told = capsys.readouterr()
    assert "LOG_EXISTS" in told.err
    assert "log.example/next+" in told.out


def test_published_folder_is_verified_over_http(log, capsys):
    handler = partial(SimpleHTTPRequestHandler, directory=str(log.root / "public"))
    handler.log_message = lambda *arguments: None
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{server.server_address[1]}/"
        assert toll("verify", url, "--key", log.key) == 0
        assert toll("verify", f"{url}nowhere", "--key", log.key) == 1
        server.shutdown()
    assert _code(capsys, "verify", url, "--key", log.key)[1] == ["SOURCE_SILENT"]


@pytest.mark.parametrize("event", ["0", "17", "last", "id"])
def test_proof_of_an_event(log, capsys, tmp_path, event):
    bodies = (log.root / "public" / "bodies" / "000").read_bytes().split(b"\n")
    size = log.state.last_signed()[0].size
    name = {"last": str(size - 1), "id": json.loads(bodies[40])["id"]}.get(event, event)
    assert toll("log", "prove", name, "--bench", log.database, "--out", tmp_path / "p.tlog-proof") == 0
    proof = TlogProof.parse((tmp_path / "p.tlog-proof").read_bytes())
    assert proof.index == {"last": size - 1, "id": 40}.get(event, int(name) if name.isdigit() else -1)
    assert toll("verify", tmp_path / "p.tlog-proof", "--key", log.key) == 0
    assert toll("verify", tmp_path / "p.tlog-proof") == 2
    assert toll("log", "prove", name, "--bench", log.database, "--json") == 0
    told = capsys.readouterr().out
    assert "1 events included in the log" in told
    assert "KEY_MISSING" in told


def test_consistency_between_sizes_and_checkpoints(log, capsys):
    size = log.state.last_signed()[0].size
    assert toll("log", "consistency", "100", str(size), "--bench", log.database) == 0
    assert f"the log of {size} events extends the log of 100" in capsys.readouterr().out
    assert toll("log", "consistency", "0", "5", "--bench", log.database) == 0
    assert toll("log", "consistency", "100", log.root / "public" / "checkpoint", "--bench", log.database) == 0
    capsys.readouterr()
    assert _code(capsys, "log", "consistency", "9", "5", "--bench", log.database) == (1, ["HEAD_ROLLBACK"])
    assert _code(capsys, "log", "consistency", "5", "99999999", "--bench", log.database) == (2, ["INDEX_RANGE"])
    other = Checkpoint(ORIGIN, 100, bytes(32)).signed_by(log.state.signing_key()).render()
    (log.root / "other").write_bytes(other)
    assert _code(capsys, "log", "consistency", log.root / "other", str(size), "--bench", log.database)[1] == [
        "HEAD_SPLIT"
    ]


@pytest.mark.parametrize("subject", ["deal", "agent", "event"])
def test_receipt(log, capsys, tmp_path, subject):
    made = tmp_path / "receipt.json"
    log.bundle()
    row = json.loads((log.root / "bundle" / "board.json").read_text())["attempts"][2]
    name = {"deal": row["deal"], "agent": row["agent"], "event": "25"}[subject]
    assert toll("receipt", name, "--bench", log.database, "--out", made) == 0
    receipt = Receipt.parse(made.read_bytes())
    assert receipt.render() == made.read_bytes()
    if subject == "event":
        assert (len(receipt.events), receipt.rows) == (1, ())
    else:
        assert row in receipt.rows
    assert toll("verify", made, "--key", log.key) == 0
    forged = json.loads(made.read_bytes())
    if subject == "deal":
        forged["rows"][0]["cost_cents"] += 1
        (tmp_path / "forged").write_bytes(
            json.dumps(forged, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        )
        assert _code(capsys, "verify", tmp_path / "forged", "--key", log.key)[1] == ["ROW_WRONG"]
    for at in range(0, len(made.read_bytes()), max(1, len(made.read_bytes()) // 150)):
        data = bytearray(made.read_bytes())
        data[at] ^= 2
        (tmp_path / "changed").write_bytes(data)
        allowed = data[: at + 1].count(b'"policy"') or b'"subject"' in data[:at]
        assert toll("verify", tmp_path / "changed", "--key", log.key) != 0 or allowed
    capsys.readouterr()


def test_unknown_event_or_deal(log, capsys):
    for name in ("999999", "5d2a7c9e-0000-5000-8000-000000000000", "x"):
        assert _code(capsys, "log", "prove", name, "--bench", log.database) == (2, ["EVENT_UNKNOWN"])
    assert _code(capsys, "receipt", "deal-none", "--bench", log.database) == (2, ["EVENT_UNKNOWN"])


def test_witness_is_served_from_the_command_line(log, tmp_path, capsys):
    command = [sys.executable, "-m", "tollbench", "log", "witness", "serve", "--dir", str(tmp_path / "w"), "--name",
               "w.example/w", "--trust", log.key, "--port", "0", "--json"]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            told = ""
            while not told.rstrip().endswith("}"):
                told += server.stdout.readline()
            answer = json.loads(told)
            note = (log.root / "public" / "checkpoint").read_bytes()
            request = urllib.request.Request(f"{answer['url']}/add-checkpoint", b"old 0\n\n" + note)
            with urllib.request.urlopen(request, timeout=20) as reply:
                assert reply.read().decode().startswith("\u2014 w.example/w ")
        finally:
            server.terminate()
    assert VerifierKey.parse(answer["vkey"]).kind == COSIGNATURE


# -- every fault ends in its own message and status -------------------------------------------------------------------


def _flip(path, at=40):
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def _alter_stored(log, leaf=7):
    database = sqlite3.connect(log.database)
    table = next(
        row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE sql LIKE '%leaf_index%' LIMIT 1")
    )
    (body,) = database.execute(f"SELECT state FROM {table} WHERE leaf_index=?", (leaf,)).fetchone()
    changed = body.replace(b'"at":"2026', b'"at":"2027', 1)
    database.execute(f"UPDATE {table} SET state=? WHERE leaf_index=?", (changed, leaf))
    database.commit()
    database.close()


def test_altered_stored_event(log, capsys):
    _alter_stored(log)
    assert _code(capsys, "log", "fsck", "--bench", log.database) == (1, ["EVENT_ALTERED"])
    assert _code(capsys, "log", "publish", "--bench", log.database)[1] == ["HEAD_SPLIT"]


def test_older_database_restored_and_appended_to(log, capsys):
    database = sqlite3.connect(log.database)
    table = next(
        row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE sql LIKE '%leaf_index%' LIMIT 1")
    )
    database.execute(f"DELETE FROM {table} WHERE leaf_index >= (SELECT MAX(leaf_index) - 20 FROM {table})")
    database.commit()
    database.close()
    assert _code(capsys, "log", "publish", "--bench", log.database) == (1, ["HEAD_ROLLBACK"])
    assert "HEAD_ROLLBACK" in _code(capsys, "log", "fsck", "--bench", log.database)[1]


DAMAGE = {
    "flipped bit of a body": ("bodies/000", _flip, "BODY_FORGED"),
    "flipped bit of a tile": ("tile/0/000", _flip, "TILE_FORGED"),
    "flipped bit of an entry": ("tile/entries/000", _flip, "BUNDLE_FORGED"),
    "truncated tile at a full path": ("tile/0/000", lambda path: os.truncate(path, 8191), "TILE_TRUNCATED"),
    "missing tile": ("tile/0/000", Path.unlink, "TILE_MISSING"),
    "missing bundle": ("tile/entries/000", Path.unlink, "TILE_MISSING"),
    "missing bodies": ("bodies/000", Path.unlink, "BODY_MISSING"),
    "missing checkpoint": ("checkpoint", Path.unlink, "FILE_MISSING"),
    "empty checkpoint": ("checkpoint", lambda path: path.write_bytes(b""), "NOTE_MALFORMED"),
    "note of 100 MB": ("checkpoint", lambda path: os.truncate(path, 100_000_000), "NOTE_TOO_LARGE"),
    "file of 300 MB": ("bodies/000", lambda path: os.truncate(path, 300_000_000), "FILE_TOO_LARGE"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_published_folder(log, capsys, damage):
    path, act, code = DAMAGE[damage]
    act(log.root / "public" / path)
    assert _code(capsys, "verify", log.root / "public", "--key", log.key) == (FAULTS[code].status, [code])


@pytest.mark.parametrize(
    "path", ["tile/0/000", "tile/entries/000", "bodies/000", "board.json", "check.html", "vkey", "policy"]
)
def test_damaged_bundle(log, capsys, path):
    _flip(log.bundle() / path, at=30)
    status, codes = _code(capsys, "verify", log.root / "bundle", "--key", log.key)
    assert status == 1
    assert "FILE_ALTERED" in codes


def test_partial_tile_that_is_gone_because_the_full_one_exists(tmp_path, capsys):
    """A log of 300 entries whose partial tiles were deleted after it had grown: readers of the old head fall back."""
    small, large = published(entries(300)), published(entries(600))
    out = Folder(tmp_path / "log")
    out.place((small | large).items())
    (tmp_path / "log" / "tile" / "0" / "001.p" / "44").unlink()
    out.replace("checkpoint", cosigned(head(tree_of(entries(300)))))
    status, codes = _code(capsys, "verify", tmp_path / "log", "--key", LOG_KEY.verifier)
    assert (status, codes) == (1, ["BODY_MISSING"])


def test_forged_tile_log_is_refused(capsys):
    log = shared("vectors/cve-2026-56865-forged-tile")
    assert _code(capsys, "verify", log, "--key", log / "vkey") == (1, ["TILE_FORGED"])


HEAD = head(tree_of(entries(5)))
TEXT = {
    "wrong origin with the right key": (lambda: Checkpoint("other", 5, HEAD.root).text(), "ORIGIN_WRONG"),
    "blank line in the body": (lambda: HEAD.text() + "\nmore\n", "CHECKPOINT_MALFORMED"),
    "junk base64": (lambda: f"{ORIGIN}\n5\n!!!!\n", "BASE64_JUNK"),
    **{
        f"size {size}": (lambda size=size: f"{ORIGIN}\n{size}\n{encode64(HEAD.root)}\n", "SIZE_MALFORMED")
        for size in ("+12", "1_0", "-1", "0x3e8", "\uff11\uff12")
    },
}


@pytest.mark.parametrize("what", TEXT)
def test_checkpoint_that_cannot_be_meant(tmp_path, capsys, what):
    text, code = TEXT[what]
    signed = LOG_KEY.sign(text().encode())
    (tmp_path / "checkpoint").write_bytes(f"{text()}\n{signed.line()}".encode())
    status, codes = _code(capsys, "verify", tmp_path, "--key", LOG_KEY.verifier)
    assert (status, codes) == (FAULTS[code].status, [code])


def test_altered_size_in_a_signed_checkpoint(log, capsys):
    path = log.root / "public" / "checkpoint"
    lines = path.read_bytes().split(b"\n")
    lines[1] = b"%d" % (int(lines[1]) - 1)
    path.write_bytes(b"\n".join(lines))
    assert _code(capsys, "verify", log.root / "public", "--key", log.key) == (1, ["SIGNATURE_WRONG"])


KEYS = {
    "small-order key": (f"{ORIGIN}+00000000+{encode64(bytes((1,)) + bytes(32))}", "KEY_WEAK"),
    "wrong key id": (str(LOG_KEY.verifier).replace("+", "+f", 1)[:-1], "KEY_MALFORMED"),
    "no key": ("junk", "KEY_MALFORMED"),
}


@pytest.mark.parametrize("what", KEYS)
def test_key_that_cannot_be_used(tmp_path, capsys, what):
    text, code = KEYS[what]
    assert _code(capsys, "verify", tmp_path, "--key", text) == (2, [code])


LOG_LINE = f"log {LOG_KEY.verifier}\n"
A = f"witness a {WITNESSES[0].verifier}\n"
RENAMED = VerifierKey("other.example/w", COSIGNATURE, WITNESSES[0].verifier.public)
OWN = SigningKey("w.example/own", COSIGNATURE, LOG_KEY.seed).verifier
POLICIES = {
    "key under two names": (LOG_LINE + A + f"witness b {RENAMED}\nquorum a\n", "KEY_TWO_NAMES"),
    "duplicate witness": (LOG_LINE + A + A.replace("witness a", "witness b") + "quorum a\n", "WITNESS_DUPLICATE"),
    "log as its own witness": (LOG_LINE + f"witness w {OWN}\nquorum w\n", "WITNESS_IS_LOG"),
    "junk": ("quorums\n", "POLICY_MALFORMED"),
    "other log": (f"log {VerifierKey('x', ED25519, WITNESSES[0].verifier.public)}\nquorum none\n", "KEY_MALFORMED"),
}


@pytest.mark.parametrize("what", POLICIES)
def test_policy_that_cannot_be_meant(tmp_path, capsys, what):
    text, code = POLICIES[what]
    (tmp_path / "policy").write_text(text)
    status, codes = _code(capsys, "verify", tmp_path, "--key", LOG_KEY.verifier, "--policy", tmp_path / "policy")
    assert (status, codes) == (2, [code])


def test_quorum_met_by_one_witness_twice(tmp_path, capsys):
    policy = LOG_LINE + A + f"witness b {WITNESSES[1].verifier}\ngroup g all a b\nquorum g\n"
    (tmp_path / "policy").write_text(policy)
    (tmp_path / "checkpoint").write_bytes(cosigned(HEAD, WITNESSES[0], WITNESSES[0]))
    status, codes = _code(capsys, "verify", tmp_path, "--policy", tmp_path / "policy")
    assert status == 1
    assert "QUORUM_UNMET" in codes
    assert Policy.parse(policy.encode()).examine((tmp_path / "checkpoint").read_bytes()).cosigned.keys() == {"a"}


def _proof_text(index=2, path=None, lines=""):
    tree = tree_of(entries(5))
    hashes = tree.inclusion_proof(2) if path is None else path
    return (
        TlogProof(index, tuple(hashes), cosigned(head(tree)), b"x")
        .render()
        .replace(b"index ", lines.encode() + b"index ")
    )


PROOFS = {
    "proof for another event": (_proof_text(), "PROOF_WRONG"),
    "index at the size": (_proof_text(5), "INDEX_RANGE"),
    "index past the size": (_proof_text(500), "INDEX_RANGE"),
    "empty proof": (b"", "PROOF_EMPTY"),
    "proof lines past 63": (_proof_text(path=[bytes(32)] * 64), "PROOF_TOO_LONG"),
    "proof line that is junk": (_proof_text().replace(b"index 2\n", b"index 2\n####\n"), "BASE64_JUNK"),
    "index with a sign": (_proof_text().replace(b"index 2", b"index +2"), "SIZE_MALFORMED"),
    "no proof": (b"hello\n", "PROOF_MALFORMED"),
    "no receipt": (b'{"format":"toll-receipt/1"}', "RECEIPT_MALFORMED"),
}


@pytest.mark.parametrize("what", PROOFS)
def test_proof_that_does_not_hold(tmp_path, capsys, what):
    data, code = PROOFS[what]
    (tmp_path / "proof").write_bytes(data)
    status, codes = _code(capsys, "verify", tmp_path / "proof", "--key", LOG_KEY.verifier)
    assert (status, codes) == (FAULTS[code].status, [code])


def test_nothing_there(tmp_path, capsys):
    assert _code(capsys, "verify", tmp_path / "none", "--key", LOG_KEY.verifier) == (2, ["SOURCE_MISSING"])
    assert _code(capsys, "verify", tmp_path, "--key", LOG_KEY.verifier, "--since", tmp_path / "x") == (
        2,
        ["SOURCE_MISSING"],
    )
    assert _code(capsys, "log", "fsck", "--bench", tmp_path / "none.db") == (2, ["LOG_MISSING"])
    (tmp_path / "junk.tar").write_bytes(b"junk")
    assert _code(capsys, "verify", tmp_path / "junk.tar", "--key", LOG_KEY.verifier) == (2, ["BUNDLE_MALFORMED"])


def test_message_says_what_it_means_and_what_to_do(tmp_path, capsys):
    assert toll("verify", tmp_path / "none", "--key", str(LOG_KEY.verifier)) == 2
    told = capsys.readouterr().err
    assert "SOURCE_MISSING in " in told
    assert "  means: " in told
    assert "  fix:   " in told


def test_witness_that_is_down_keeps_the_old_head_and_says_so(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("tollbench.adapters.ledger.client.PAUSE", 0.0)
    log = Log(tmp_path / "b", targets=0) if (tmp_path / "b").mkdir() is None else None
    witness = Witness.create(tmp_path / "w", "w.example/w")
    with serving(witness) as url:
        policy = policy_of(w=(witness, url))
    (tmp_path / "policy").write_bytes(policy)
    assert toll("log", "init", "--bench", log.database, "--origin", ORIGIN, "--policy", tmp_path / "policy") == 0
    capsys.readouterr()
    assert _code(capsys, "log", "publish", "--bench", log.database) == (1, ["QUORUM_UNMET"])
    assert not (tmp_path / "b" / "bench.db.public" / "checkpoint").exists()
    assert toll("log", "watch", "--bench", log.database, "--times", "1") == 0
    assert "no answer after 3 attempts" in capsys.readouterr().err
