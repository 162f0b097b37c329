"""The witness against published `add-checkpoint` requests, and its duties: store first, compare and store as one."""

import http.client
import json
import multiprocessing
import os
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest

from logkit import LOG_KEY, ORIGIN, SECONDS, entries, fault_of, head, serving, told, tree_of
from support import shared
from tollbench.adapters.ledger.witness import Witness
from tollbench.protocol.checkpoint import Checkpoint
from tollbench.protocol.merkle import EMPTY_ROOT
from tollbench.protocol.note import ED25519, Note, SigningKey, VerifierKey, parse_signatures
from tollbench.protocol.witness import MAX_REQUEST, AddCheckpoint

TREE = tree_of(entries(40))


def _request(old, size, tree=TREE, key=LOG_KEY):
    at = Checkpoint(ORIGIN, size, tree.root(size))
    path = tuple(tree.consistency_proof(old, size)) if 0 < old < size else ()
    return AddCheckpoint(old, path, at.signed_by(key).render()).render()


@pytest.fixture(name="witness")
def _witness(tmp_path):
    witness = Witness.create(tmp_path / "witness", "witness.example/w")
    witness.trust(LOG_KEY.verifier)
    return witness


def test_published_requests(tmp_path, capsys):
    vectors = json.loads(shared("vectors/witness-add-checkpoint.json").read_text())
    witness = Witness.create(tmp_path / "w", "example.com/witness")
    witness.trust(VerifierKey.parse(vectors["log_vkey"]))
    for request in vectors["requests"]:
        reply = witness.add_checkpoint(request["body"].encode())
        assert reply.status == request["status_c2sp_v1"], reply.body
        kind, _, wanted = request["assertion"].partition(" ")
        text = reply.body.decode()
        if request["status"] == request["status_c2sp_v1"]:
            assert text == json.loads(wanted) if kind == "==" else json.loads(wanted) in text
    told(capsys, f"witness protocol: {len(vectors['requests'])} requests answered as C2SP v1.0.0 says")


def test_cosignature_verifies_and_is_dated(tmp_path):
    Witness.create(tmp_path / "w", "witness.example/w")
    witness = Witness(tmp_path / "w", clock=lambda: SECONDS + 0.9)
    witness.trust(LOG_KEY.verifier)
    reply = witness.add_checkpoint(_request(0, 7))
    (signed,) = parse_signatures(reply.body.decode())
    assert witness.verifier.verifies(head(tree_of(entries(7))).text().encode(), signed)
    assert int.from_bytes(signed.data[:8], "big") == SECONDS


@pytest.mark.parametrize(
    ("old", "size", "status"),
    [(0, 5, 409), (7, 7, 200), (7, 8, 200), (7, 40, 200), (8, 7, 400), (6, 8, 409), (8, 9, 409), (0, 0, 409)],
)
def test_answers_after_a_head_of_seven(witness, old, size, status):
    assert witness.add_checkpoint(_request(0, 7)).status == 200
    reply = witness.add_checkpoint(_request(old, size))
    assert reply.status == status
    if status == 409:
        assert (reply.type, reply.body) == ("text/x.tlog.size", b"7\n")


def test_another_history_is_never_cosigned(witness):
    other = tree_of([b"\x01" * 32, *entries(40)[1:]])
    assert witness.add_checkpoint(_request(0, 7)).status == 200
    assert witness.add_checkpoint(_request(7, 7, other)).status == 409
    assert witness.add_checkpoint(_request(7, 12, other)).status == 422
    assert witness.add_checkpoint(_request(7, 12)).status == 200


def test_proof_from_an_empty_log_is_refused_and_an_empty_log_has_the_empty_root(witness):
    note = head(TREE).signed_by(LOG_KEY).render()
    assert witness.add_checkpoint(AddCheckpoint(0, (bytes(32),), note).render()).status == 422
    wrong = Checkpoint(ORIGIN, 0, bytes(32)).signed_by(LOG_KEY).render()
    assert witness.add_checkpoint(AddCheckpoint(0, (), wrong).render()).status == 409
    empty = Checkpoint(ORIGIN, 0, EMPTY_ROOT).signed_by(LOG_KEY).render()
    assert witness.add_checkpoint(AddCheckpoint(0, (), empty).render()).status == 200


def test_stranger_and_unknown_log(witness):
    assert witness.add_checkpoint(_request(0, 7, key=SigningKey(ORIGIN, ED25519, b"\x09" * 32))).status == 403
    other = SigningKey("other.example/log", ED25519, LOG_KEY.seed)
    note = Checkpoint(other.name, 3, bytes(32)).signed_by(other).render()
    assert witness.add_checkpoint(AddCheckpoint(0, (), note).render()).status == 404


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"old 0\n",
        b"old +0\n\nx",
        b"old 00\n\nx",
        b"old 0x1\n\nx",
        b"new 0\n\nx",
        b"old 0\n!!\n\nx",
        b"old 0\n\nno checkpoint\n",
        b"old 0\n\xff\n\nx",
        b"old 1\n" + b"A" * 43 + b"=\n" * 1 + (b"A" * 43 + b"=\n") * 63 + b"\nx",
        b"old 0\n\n" + b"x" * MAX_REQUEST,
    ],
)
def test_request_that_does_not_read_is_refused(witness, body):
    assert witness.add_checkpoint(body).status == 400


def test_head_is_on_the_disk_before_the_answer_leaves(witness, monkeypatch):
    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        assert fault_of(lambda: witness.add_checkpoint(_request(0, 7))) == "DISK_REFUSED"
    assert witness.add_checkpoint(_request(0, 7)).status == 200
    again = Witness(witness.root)
    assert again.add_checkpoint(_request(7, 9)).status == 200
    kept = next(path for path in (witness.root / "heads").glob("*") if path.is_file())
    assert Note.parse(kept.read_bytes()).text.split("\n")[1] == "9"


def test_altered_state_stops_the_witness(witness):
    witness.add_checkpoint(_request(0, 7))
    kept = next(path for path in (witness.root / "heads").glob("*") if path.is_file())
    kept.write_bytes(kept.read_bytes().replace(b"\n7\n", b"\n3\n", 1))
    assert fault_of(lambda: witness.add_checkpoint(_request(3, 9))) == "SIGNATURE_WRONG"


def _ask(root, size, start):
    start.wait()
    return Witness(root).add_checkpoint(_request(7, size)).status


def test_of_many_heads_on_one_old_head_exactly_one_is_cosigned(witness):
    assert witness.add_checkpoint(_request(0, 7)).status == 200
    context = multiprocessing.get_context("spawn")
    with context.Manager() as manager, context.Pool(4) as pool:
        start = manager.Event()
        asked = [pool.apply_async(_ask, (witness.root, size, start)) for size in range(8, 20)]
        start.set()
        statuses = [future.get(60) for future in asked]
    assert sorted(statuses) == [200, *[409] * 11]


def test_over_http(witness):
    with serving(witness) as url:
        place = urlsplit(url)
        connection = http.client.HTTPConnection(place.hostname, place.port, timeout=10)

        def ask(path, body, headers=None):
            connection.request("POST", path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers.get_content_type(), answer.read()

        assert ask("/add-checkpoint", _request(0, 7))[0] == 200
        assert ask("/add-checkpoint", _request(0, 8)) == (409, "text/x.tlog.size", b"7\n")
        assert ask("/add-checkpoint", _request(7, 8))[0] == 200
        assert ask("/elsewhere", b"")[0] == 404
        assert ask("/add-checkpoint", b"", {"Content-Length": "+5"})[0] == 411
        assert ask("/add-checkpoint", b"", {"Content-Length": "100000000"})[0] == 413
        connection.close()
        with ThreadPoolExecutor(8) as pool:
            statuses = list(pool.map(lambda size: _post(place, _request(8, size)), range(9, 17)))
    assert sorted(statuses) == [200, *[409] * 7]


def _post(place, body):
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=10)
    connection.request("POST", "/add-checkpoint", body)
    status = connection.getresponse().status
    connection.close()
    return status


def test_witness_key_is_private(witness):
    (witness.root / "key").chmod(0o644)
    assert fault_of(lambda: Witness(witness.root)) == "KEY_EXPOSED"
    assert fault_of(lambda: Witness(witness.root.parent / "none")) == "KEY_MISSING"
    assert fault_of(lambda: Witness.create(witness.root, "x")) == "LOG_EXISTS"


def test_logs_file_takes_only_log_keys(witness):
    with (witness.root / "logs").open("a") as file:
        file.write(f"{witness.verifier}\n")
    assert fault_of(lambda: witness.add_checkpoint(_request(0, 7))) == "KEY_MALFORMED"
