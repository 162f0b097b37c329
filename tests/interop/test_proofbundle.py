"""`proofbundle`, a verifier that others wrote, on our proofs and cosigned checkpoints; and ours on its."""

from importlib.metadata import version

import pytest

from logkit import LOG_KEY, ORIGIN, SECONDS, WITNESSES, cosigned, entries, fault_of, head, told, tree_of
from tollbench.protocol.note import COSIGNATURE, SigningKey
from tollbench.protocol.policy import Policy
from tollbench.protocol.tlog_proof import TlogProof

checkpoint = pytest.importorskip("proofbundle.checkpoint", reason="proofbundle is not installed (extra `test`)")
merkle = pytest.importorskip("proofbundle.merkle")
tlogproof = pytest.importorskip("proofbundle.tlogproof")

ITEMS = entries(300)
TREE = tree_of(ITEMS)
NOTE = cosigned(head(TREE), *WITNESSES[:3])
VKEY = str(LOG_KEY.verifier)
WITNESS_VKEYS = [str(witness.verifier) for witness in WITNESSES[:3]]
PEER = f"proofbundle {version('proofbundle')}"


def _proof(index):
    return TlogProof(index, tuple(TREE.inclusion_proof(index)), NOTE).render().decode()


def _accepts(text, entry, *, threshold=3, witnesses=WITNESS_VKEYS, origin=ORIGIN, key=VKEY):
    found = tlogproof.verify_tlog_proof(text, entry, key, witnesses, threshold=threshold, expected_origin=origin)
    return bool(found["ok"])


def test_our_proofs_and_cosigned_checkpoint_are_accepted(capsys):
    indexes = [0, 1, 100, 255, 256, 299]
    assert [_accepts(_proof(index), ITEMS[index]) for index in indexes] == [True] * len(indexes)
    told(capsys, f"{PEER}: {len(indexes)} tlog-proofs under a quorum of three witnesses accepted")


def test_wrong_leaf_origin_and_quorum_are_refused(capsys):
    text, entry = _proof(100), ITEMS[100]
    own = SigningKey("w.example/own", COSIGNATURE, LOG_KEY.seed)
    refused = {
        "wrong leaf": _accepts(text, ITEMS[101]),
        "wrong origin": _accepts(text, entry, origin="other.example/log"),
        "quorum unmet": _accepts(text, entry, threshold=4, witnesses=[*WITNESS_VKEYS, str(WITNESSES[3].verifier)]),
        "wrong key": _accepts(text, entry, key=str(SigningKey(ORIGIN, 1, b"\x09" * 32).verifier)),
        "log as witness": _accepts(text, entry, threshold=4, witnesses=[*WITNESS_VKEYS, str(own.verifier)]),
    }
    assert refused == dict.fromkeys(refused, False)
    told(capsys, f"{PEER}: {', '.join(refused)} refused")


def test_trees_agree():
    leaves = ITEMS[:70]
    for size in (1, 2, 3, 7, 8, 33, 64, 70):
        tree = tree_of(leaves[:size])
        assert merkle.merkle_tree_hash(leaves[:size]) == tree.root()
        for index in range(size):
            assert merkle.inclusion_proof(leaves[:size], index) == tree.inclusion_proof(index)
        for old in range(1, size + 1):
            assert merkle.consistency_proof(leaves[:size], old) == tree.consistency_proof(old)


def test_its_proofs_are_accepted_by_us():
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    signer = Ed25519PrivateKey.from_private_bytes(LOG_KEY.seed)
    note = checkpoint.sign_checkpoint(ORIGIN, TREE.size, TREE.root(), signer, ORIGIN)
    line = checkpoint.cosign_checkpoint(
        note, Ed25519PrivateKey.from_private_bytes(WITNESSES[0].seed), WITNESSES[0].name, SECONDS
    )
    full = line if line.startswith(note) else note + line
    text = tlogproof.format_tlog_proof(9, merkle.inclusion_proof(ITEMS, 9), full)
    policy = Policy.parse(f"log {VKEY}\nwitness a {WITNESSES[0].verifier}\nquorum a\n".encode())
    proof = TlogProof.parse(text.encode())
    assert proof.verify(ITEMS[9], policy).cosigned == {"a": SECONDS}
    assert fault_of(lambda: proof.verify(ITEMS[10], policy)) == "PROOF_WRONG"
    assert checkpoint.vkey(ORIGIN, LOG_KEY.verifier.public) == VKEY
