"""Checkpoints and notes: what is read, and the exact fault of everything that is not."""

import pytest

from logkit import LOG_KEY, ORIGIN, WITNESSES, cosigned, entries, fault_of, head, tree_of
from tollbench.protocol.checkpoint import Checkpoint, open_checkpoint
from tollbench.protocol.note import ED25519, MAX_NOTE, Note, SigningKey, VerifierKey, sign_note
from tollbench.protocol.strict import encode64

HEAD = head(tree_of(entries(5)))
ROOT = encode64(HEAD.root)
KEYS = (LOG_KEY.verifier,)


def _code(text: str) -> str:
    return fault_of(lambda: open_checkpoint(sign_note(text, (LOG_KEY,)).render(), KEYS))


def test_signed_head_opens():
    checkpoint, note = open_checkpoint(cosigned(HEAD, WITNESSES[0]), KEYS)
    assert checkpoint == HEAD
    assert [signed.name for signed in note.signatures] == [ORIGIN, WITNESSES[0].name]


@pytest.mark.parametrize(
    "size", ["+12", "1_0", "-1", "0x3e8", "\uff11\uff12", "012", "", " 5", "5 ", "1e3", "5.0", str(2**63)]
)
def test_size_in_any_other_spelling_is_refused(size):
    expected = "CHECKPOINT_MALFORMED" if not size else "SIZE_MALFORMED"
    assert _code(f"{ORIGIN}\n{size}\n{ROOT}\n") == expected


@pytest.mark.parametrize("size", ["0", "5", str(2**63 - 1)])
def test_size_in_its_one_spelling_is_read(size):
    assert _code(f"{ORIGIN}\n{size}\n{ROOT}\n") == ""


@pytest.mark.parametrize(
    "root",
    [ROOT[:-1], ROOT + "=", ROOT.replace("=", ""), "!" + ROOT[1:], ROOT[:20] + "*" + ROOT[21:], ROOT[:24], "AAAA"],
)
def test_junk_base64_is_refused(root):
    assert _code(f"{ORIGIN}\n5\n{root}\n") == "BASE64_JUNK"


def test_base64_with_stray_bits_is_refused():
    assert _code(f"{ORIGIN}\n5\n{'A' * 42}B=\n") == "BASE64_JUNK"


@pytest.mark.parametrize(
    "text", [f"{ORIGIN}\n5\n", f"\n5\n{ROOT}\n", f"{ORIGIN}\n\n5\n{ROOT}\n", f"{ORIGIN}\n5\n{ROOT}\n\nextra\n", "\n"]
)
def test_missing_or_blank_line_is_refused(text):
    assert _code(text) == "CHECKPOINT_MALFORMED"


def test_extension_lines_are_carried():
    checkpoint = Checkpoint(ORIGIN, 5, HEAD.root, ("one", "two"))
    assert open_checkpoint(cosigned(checkpoint), KEYS)[0].extensions == ("one", "two")


def test_wrong_origin_with_the_right_key_is_refused():
    note = sign_note(f"other.example/log\n5\n{ROOT}\n", (LOG_KEY,))
    assert fault_of(lambda: open_checkpoint(note.render(), KEYS)) == "ORIGIN_WRONG"
    assert fault_of(lambda: Checkpoint("other.example/log", 5, HEAD.root).signed_by(LOG_KEY)) == "ORIGIN_WRONG"


def test_unknown_key_of_the_right_name_is_refused():
    stranger = SigningKey(ORIGIN, ED25519, b"\x07" * 32)
    assert fault_of(lambda: open_checkpoint(cosigned(HEAD, key=stranger), KEYS)) == "NOTE_UNSIGNED"


def test_note_of_a_hundred_megabytes_is_refused_before_it_is_read():
    assert fault_of(lambda: Note.parse(bytes(100_000_000))) == "NOTE_TOO_LARGE"
    text = "x" * (MAX_NOTE + 1)
    assert fault_of(lambda: Note.parse(text.encode())) == "NOTE_TOO_LARGE"


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"\n\n", b"text\n", b"text\n\n", b"text\n\n\xe2\x80\x94 n AAAA", b"a\tb\n\n\xe2\x80\x94 n AAAAAAA=\n"],
)
def test_what_is_no_note_is_refused(data):
    assert fault_of(lambda: Note.parse(data)) == "NOTE_MALFORMED"


def test_a_hundred_signatures_are_read_and_one_more_is_not():
    line = WITNESSES[0].sign(HEAD.text().encode(), 1).line().encode()
    note = cosigned(HEAD)
    assert len(Note.parse(note + 99 * line).signatures) == 100
    assert fault_of(lambda: Note.parse(note + 100 * line)) == "NOTE_MALFORMED"


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\u00a0b", "a\u2003b", "tab\tb"])
def test_name_no_key_can_have_is_refused(name):
    assert fault_of(lambda: VerifierKey(name, ED25519, LOG_KEY.verifier.public)) == "KEY_MALFORMED"


def test_small_order_key_is_refused():
    assert fault_of(lambda: VerifierKey(ORIGIN, ED25519, bytes(32))) == "KEY_WEAK"


def test_key_of_a_type_that_is_not_read_is_refused():
    assert fault_of(lambda: VerifierKey(ORIGIN, 2, LOG_KEY.verifier.public)) == "KEY_MALFORMED"


def test_keys_are_written_and_read_alike():
    for key in (LOG_KEY, *WITNESSES):
        assert SigningKey.parse(key.secret_text()) == key
        assert VerifierKey.parse(str(key.verifier)) == key.verifier


def test_text_that_no_note_may_hold_is_not_signed():
    assert fault_of(lambda: sign_note("no line feed", (LOG_KEY,))) == "NOTE_MALFORMED"
    assert fault_of(lambda: sign_note("tab\t\n", (LOG_KEY,))) == "NOTE_MALFORMED"


@pytest.mark.parametrize("seconds", [0, -1, 2**63])
def test_cosignature_bears_a_time(seconds):
    assert fault_of(lambda: WITNESSES[0].sign(HEAD.text().encode(), seconds)) == "NOTE_MALFORMED"
