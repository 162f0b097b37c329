"""Proof files: the format to the byte, and what a verifier refuses."""

import pytest

from logkit import LOG_KEY, SECONDS, WITNESSES, cosigned, entries, fault_of, head, tree_of
from tollbench.protocol.policy import Policy
from tollbench.protocol.strict import encode64
from tollbench.protocol.tlog_proof import TlogProof

ITEMS = entries(13)
TREE = tree_of(ITEMS)
CHECKPOINT = cosigned(head(TREE), WITNESSES[0])
PINNED = Policy.of_log(LOG_KEY.verifier)
WITNESSED = Policy.parse(f"log {LOG_KEY.verifier}\nwitness a {WITNESSES[0].verifier}\nquorum a\n".encode())


def _proof(index: int, extra: bytes | None = None) -> TlogProof:
    return TlogProof(index, tuple(TREE.inclusion_proof(index)), CHECKPOINT, extra)


def test_file_to_the_byte():
    hashes = "".join(f"{encode64(hashed)}\n" for hashed in TREE.inclusion_proof(4))
    text = f"c2sp.org/tlog-proof@v1\nextra b3BhcXVl\nindex 4\n{hashes}\n".encode() + CHECKPOINT
    assert _proof(4, b"opaque").render() == text
    assert TlogProof.parse(text) == _proof(4, b"opaque")


@pytest.mark.parametrize("index", range(13))
def test_every_entry_is_proven(index):
    verdict = TlogProof.parse(_proof(index).render()).verify(ITEMS[index], WITNESSED)
    assert (verdict.checkpoint.size, verdict.cosigned) == (13, {"a": SECONDS})


def test_proof_for_another_entry_is_refused():
    assert fault_of(lambda: _proof(4).verify(ITEMS[5], PINNED)) == "PROOF_WRONG"


@pytest.mark.parametrize("index", [13, 14, 2**62])
def test_index_at_or_past_the_size_is_refused(index):
    proof = TlogProof(index, _proof(4).path, CHECKPOINT)
    assert fault_of(lambda: proof.verify(ITEMS[4], PINNED)) == "INDEX_RANGE"


def test_altered_tree_size_is_refused():
    altered = CHECKPOINT.replace(b"\n13\n", b"\n14\n", 1)
    assert fault_of(lambda: TlogProof(4, _proof(4).path, altered).verify(ITEMS[4], PINNED)) == "SIGNATURE_WRONG"


def test_proof_of_one_entry_log_has_no_hash():
    tree = tree_of(ITEMS[:1])
    proof = TlogProof(0, (), cosigned(head(tree)))
    assert TlogProof.parse(proof.render()) == proof
    proof.verify(ITEMS[0], PINNED)


@pytest.mark.parametrize("data", [b"", b"\n", b" \n\n"])
def test_empty_proof_is_refused(data):
    assert fault_of(lambda: TlogProof.parse(data)) == "PROOF_EMPTY"


def test_proof_lines_past_sixty_three_are_refused():
    proof = TlogProof(4, (bytes(32),) * 64, CHECKPOINT)
    assert fault_of(lambda: TlogProof.parse(proof.render())) == "PROOF_TOO_LONG"
    assert fault_of(lambda: proof.verify(ITEMS[4], PINNED)) == "PROOF_TOO_LONG"
    assert len(TlogProof.parse(TlogProof(4, (bytes(32),) * 63, CHECKPOINT).render()).path) == 63


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        (b"@v1", b"@v2", "PROOF_MALFORMED"),
        (b"index 4", b"index +4", "SIZE_MALFORMED"),
        (b"index 4", b"index 04", "SIZE_MALFORMED"),
        (b"index 4", b"index 0x4", "SIZE_MALFORMED"),
        (b"index 4\n", b"", "PROOF_MALFORMED"),
        (b"index 4", b"index", "PROOF_MALFORMED"),
        (b"index 4", b"extra AA\nindex 4", "BASE64_JUNK"),
        (b"index 4\n", b"index 4\nAAAA\n", "BASE64_JUNK"),
        (b"index 4\n", b"index 4\n!!\n", "BASE64_JUNK"),
        (b"index 4\n", b"index 4\n\xff\n", "PROOF_MALFORMED"),
        (b"\n", b"\r\n", "PROOF_MALFORMED"),
    ],
)
def test_line_that_does_not_read_is_refused(before, after, code):
    assert fault_of(lambda: TlogProof.parse(_proof(4).render().replace(before, after))) == code


def test_proof_without_checkpoint_is_refused():
    data = _proof(4).render()
    assert fault_of(lambda: TlogProof.parse(data[: data.index(b"\n\n") + 1])) == "PROOF_MALFORMED"
    assert fault_of(lambda: TlogProof.parse(data[: data.index(b"\n\n") + 2])) == "PROOF_MALFORMED"


def test_huge_file_and_huge_extra_are_refused():
    assert fault_of(lambda: TlogProof.parse(b"x" * 2_000_000)) == "PROOF_MALFORMED"
    assert fault_of(lambda: TlogProof.parse(_proof(4, bytes(65537)).render())) == "PROOF_MALFORMED"


def test_quorum_is_asked_for():
    unwitnessed = TlogProof(4, _proof(4).path, cosigned(head(TREE)))
    assert fault_of(lambda: unwitnessed.verify(ITEMS[4], WITNESSED)) == "QUORUM_UNMET"
    assert unwitnessed.verify(ITEMS[4], PINNED).cosigned == {}
