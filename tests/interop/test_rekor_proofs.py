"""Real inclusion proofs and checkpoints of Sigstore's Rekor logs, tree sizes up to 1.3 billion."""

import json

from logkit import b64, fault_of, told
from support import shared
from tollbench.protocol.checkpoint import Checkpoint
from tollbench.protocol.merkle import leaf_hash
from tollbench.protocol.note import Note
from tollbench.protocol.proofs import verify_inclusion


def _cases():
    return json.loads(shared("vectors/sigstore-real-proofs.json").read_text())


def _verify(case):
    path = [b64(hashed) for hashed in case["proof_b64"]]
    leaf = leaf_hash(b64(case["leaf_data_b64"]))
    verify_inclusion(leaf, case["index"], case["size"], path, b64(case["root_b64"]))


def _reading(case):
    """What the checkpoint of a case reads as, in the words of the vector file; signatures need keys it lacks."""
    note = Note.parse(case["checkpoint"].encode())
    checkpoint = Checkpoint.parse(note.text)
    agrees = checkpoint.size == case["size"] and checkpoint.root == b64(case["root_b64"])
    state = "ok" if agrees else "size/root mismatch"
    return state, f"nsigs={len(note.signatures)} ext={len(checkpoint.extensions)}"


def test_inclusion_proofs(capsys):
    cases = _cases()
    found = {case["name"]: fault_of(lambda case=case: _verify(case)) for case in cases}
    assert {case["name"] for case in cases if bool(found[case["name"]]) is case["inclusion_ok"]} == set()
    assert len(cases) == 42
    largest = max(case["size"] for case in cases)
    good = sum(case["inclusion_ok"] for case in cases)
    told(capsys, f"Rekor: {len(cases)} inclusion proofs, {good} hold, trees up to {largest} entries")


def test_checkpoints(capsys):
    read = refused = 0
    for case in _cases():
        expected = case["checkpoint_result"]
        if expected.startswith("NoteError"):
            code = fault_of(lambda case=case: _reading(case))
            assert code == "CHECKPOINT_MALFORMED", case["name"]
            refused += 1
        else:
            state, counts = _reading(case)
            assert expected.startswith(state), case["name"]
            assert expected.endswith(counts), case["name"]
            read += 1
    told(capsys, f"Rekor: {read} checkpoints read as stated, {refused} refused")
