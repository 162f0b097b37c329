"""`aics-tlog` and `aics-witness`, written by others for Python 3.12: they audit our tiles and witness our log.

They run in an interpreter of their own: the one that `TOLL_PEER_PYTHON` names, or a fresh environment of a Python 3.12
or newer on the path, into which the pinned versions are installed. Where neither is to be had, the tests are skipped.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from logkit import MemoryLog, event_bytes, fault_of, policy_of, serving, told
from tollbench.adapters.ledger.publisher import Publisher
from tollbench.adapters.ledger.state import LogState
from tollbench.adapters.ledger.witness import Witness
from tollbench.protocol.note import VerifierKey

PINNED = ("aics-tlog==0.2.1", "aics-witness==0.1.0")
AUDIT = """
import json, sys
from aics_tlog import FileSystemTileReader, parse_note, parse_vkey, verify_checkpoint
from aics_tlog.tiles import TileVerificationError
from aics_tlog.verified import audit_tiles
root, log, *witnesses = sys.argv[1:]
note = parse_note(open(root + "/checkpoint", "rb").read())
found = verify_checkpoint(note, parse_vkey(log), [parse_vkey(w) for w in witnesses], quorum=len(witnesses))
try:
    report = audit_tiles(FileSystemTileReader(root), found.size, found.root)
    audit = [report.size, report.tiles, report.bundles]
except TileVerificationError as error:
    audit = str(error)
print(json.dumps({"ok": found.ok, "audit": audit}))
"""


@pytest.fixture(name="peer", scope="module")
def _peer(tmp_path_factory):
    """An interpreter that can import both peers."""
    named = os.environ.get("TOLL_PEER_PYTHON")
    if named:
        return named
    beside = sorted(Path(sys.base_prefix).parent.glob("3.1[2-9]*/bin/python3"))  # other versions of one installation
    for python in [*filter(None, map(shutil.which, ("python3.12", "python3.13", "python3.14"))), *beside]:
        room = tmp_path_factory.mktemp("peer") / "venv"
        if subprocess.run([python, "-m", "venv", room], capture_output=True, check=False).returncode:
            continue
        install = [room / "bin" / "pip", "install", "--quiet", "--retries", "0", "--timeout", "20", *PINNED]
        try:
            if not subprocess.run(install, capture_output=True, timeout=180, check=False).returncode:
                return str(room / "bin" / "python")
        except subprocess.TimeoutExpired:
            pass
        pytest.skip(f"{' and '.join(PINNED)} cannot be installed here")
    return pytest.skip("there is no Python 3.12 or newer here, which aics-tlog and aics-witness need")


def _audit(peer, folder, *keys):
    done = subprocess.run([peer, "-c", AUDIT, folder, *map(str, keys)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_it_audits_our_tiles(peer, tmp_path, capsys):
    witness = Witness.create(tmp_path / "w", "w.example/w")
    with serving(witness) as url:
        policy = policy_of(w=(witness, url))
        state = LogState.create(tmp_path / "s", origin="log.example/b", out=tmp_path / "log", policy=policy)
        witness.trust(state.verifier)
        for size in (300, 700):
            Publisher(state, MemoryLog(event_bytes(size))).publish()
    assert _audit(peer, tmp_path / "log", state.verifier, witness.verifier) == {"ok": True, "audit": [700, 4, 3]}
    for path in ("tile/0/000", "tile/entries/001"):
        file = tmp_path / "log" / path
        good = file.read_bytes()
        file.write_bytes(good[:50] + bytes((good[50] ^ 1,)) + good[51:])
        assert isinstance(_audit(peer, tmp_path / "log", state.verifier)["audit"], str), path
        file.write_bytes(good)
    told(capsys, f"{PINNED[0]}: 4 tiles and 3 bundles of a cosigned log of 700 audited, 2 altered files refused")


@pytest.fixture(name="witness")
def _witness(peer, tmp_path):
    """A running aics-witness: (its verifier key, its URL, a function that makes it trust a log)."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        listen = f"127.0.0.1:{free.getsockname()[1]}"
    command = [peer, "-m", "aics_witness"]
    config = ["-c", str(tmp_path / "witness.json")]
    made = subprocess.run(
        [*command, "init", *config, "--name", "peer.example/w", "--listen", listen],
        capture_output=True, text=True, check=True)  # fmt: skip
    words = (made.stdout + made.stderr).split()
    vkey = next(VerifierKey.parse(word) for word in words if word.startswith("peer.example/w+"))
    running = []

    def trust(key):
        subprocess.run([*command, "add-log", *config, "--origin", key.name, "--vkey", str(key)],
                       capture_output=True, check=True)  # fmt: skip
        running.append(
            subprocess.Popen([*command, "serve", *config], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        )
        for _ in range(200):
            try:
                urllib.request.urlopen(f"http://{listen}/", timeout=1).close()
            except urllib.error.HTTPError:
                return
            except OSError:
                time.sleep(0.05)

    yield vkey, f"http://{listen}", trust
    for process in running:
        process.terminate()
        process.wait(20)


def test_it_witnesses_our_log(witness, tmp_path, capsys):
    vkey, url, trust = witness
    policy = f"witness peer {vkey} {url}\nquorum peer\n".encode()
    state = LogState.create(tmp_path / "s", origin="log.example/b", out=tmp_path / "log", policy=policy)
    trust(state.verifier)
    bodies = event_bytes(700)
    for size in (5, 300, 700):
        done = Publisher(state, MemoryLog(bodies[:size])).publish()
        assert {*done.cosigned} == {"peer"}
    (tmp_path / "s" / "signed").unlink()
    shutil.rmtree(tmp_path / "log")
    assert fault_of(lambda: Publisher(state, MemoryLog(bodies[:600])).publish()) == "WITNESS_DISPUTES"
    forked = bodies[:650] + event_bytes(100, start=650, note="other")
    shutil.rmtree(tmp_path / "log")
    assert fault_of(lambda: Publisher(state, MemoryLog(forked)).publish()) in ("WITNESS_DISPUTES", "HEAD_SPLIT")
    told(capsys, f"{PINNED[1]}: three heads cosigned, a rollback and a second history disputed")
