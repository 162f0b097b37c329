"""Every single changed byte or bit of a note, a key or a proof file is noticed, and nothing but a fault is raised."""

from hypothesis import given
from hypothesis import strategies as st

from logkit import LOG_KEY, ORIGIN, SECONDS, WITNESSES, cosigned, entries, fault_of, head, tree_of
from tollbench.protocol.checkpoint import Checkpoint, open_checkpoint
from tollbench.protocol.faults import LogFault
from tollbench.protocol.note import Note, SigningKey, VerifierKey
from tollbench.protocol.policy import Policy
from tollbench.protocol.tlog_proof import TlogProof

TREE = tree_of(entries(13))
CHECKPOINT = cosigned(head(TREE), *WITNESSES[:2])
POLICY = Policy.parse(
    f"log {LOG_KEY.verifier}\nwitness a {WITNESSES[0].verifier}\nwitness b {WITNESSES[1].verifier}\n"
    "group both all a b\nquorum both\n".encode()
)
PROOF = TlogProof(4, tuple(TREE.inclusion_proof(4)), CHECKPOINT).render()


def _changes(data: bytes):
    """The data with each single bit flipped, each byte taken out, and each byte doubled."""
    for at in range(len(data)):
        for bit in range(8):
            yield data[:at] + bytes((data[at] ^ 1 << bit,)) + data[at + 1 :]
        yield data[:at] + data[at + 1 :]
        yield data[:at] + data[at : at + 1] + data[at:]


def test_every_change_of_a_cosigned_checkpoint_is_noticed():
    assert POLICY.check(CHECKPOINT).cosigned == {"a": SECONDS, "b": SECONDS}
    passed = [changed for changed in _changes(CHECKPOINT) if not fault_of(lambda c=changed: POLICY.check(c))]
    assert passed == []


def test_every_change_of_a_proof_file_is_noticed():
    entry = entries(13)[4]
    TlogProof.parse(PROOF).verify(entry, POLICY)
    passed = [c for c in _changes(PROOF) if not fault_of(lambda c=c: TlogProof.parse(c).verify(entry, POLICY))]
    assert passed == []


def test_every_change_of_a_verifier_key_is_noticed():
    text = str(LOG_KEY.verifier).encode()
    for changed in _changes(text):
        code = fault_of(lambda c=changed: VerifierKey.parse(c.decode("utf-8", "replace")))
        assert code in ("KEY_MALFORMED", "KEY_WEAK"), changed


def test_every_change_of_a_signing_key_is_noticed_and_never_shown():
    text = LOG_KEY.secret_text()
    for changed in _changes(text.encode()):
        try:
            SigningKey.parse(changed.decode("utf-8", "replace"))
        except LogFault as fault:
            assert fault.code in ("KEY_MALFORMED", "KEY_WEAK")
            assert text[-20:] not in str(fault)
        else:
            raise AssertionError(f"{changed!r} was accepted")
    assert text[-20:] not in repr(LOG_KEY)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data):
    for read in (Note.parse, TlogProof.parse, Policy.parse, POLICY.check):
        fault_of(lambda read=read: read(data))


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text):
    for read in (Checkpoint.parse, VerifierKey.parse, SigningKey.parse):
        fault_of(lambda read=read: read(text))


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=80))
def test_any_text_that_may_be_signed_opens_again(text):
    body = text.replace("\r", "") + "\n"
    if any(ord(char) < 32 and char != "\n" for char in body):
        return
    note = Note(body, (LOG_KEY.sign(body.encode()),))
    again = Note.parse(note.render())
    assert again == note
    assert again.verified((LOG_KEY.verifier,))[0][0].name == ORIGIN


@given(st.integers(0, 2**63 - 1), st.binary(min_size=32, max_size=32))
def test_every_head_is_written_and_read_alike(size, root):
    checkpoint = Checkpoint(ORIGIN, size, root)
    assert open_checkpoint(cosigned(checkpoint), (LOG_KEY.verifier,))[0] == checkpoint
