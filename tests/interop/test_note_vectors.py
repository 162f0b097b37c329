"""Published signed notes of Go's sumdb, C2SP and sunlight, and a real head of sum.golang.org."""

import json

from logkit import b64, fault_of, told
from support import shared
from tollbench.protocol.note import Note, VerifierKey


def test_published_notes(capsys):
    cases = json.loads(shared("vectors/note-vectors.json").read_text())
    wrong = []
    for case in cases:
        keys = [VerifierKey.parse(text) for text in case["vkeys"]]
        refused = fault_of(lambda case=case, keys=keys: Note.parse(b64(case["note_b64"])).verified(keys))
        if bool(refused) is case["ok"]:
            wrong.append((case["name"], refused))
    assert wrong == []
    assert len(cases) == 21
    told(capsys, f"notes: {len(cases)} opened or refused as stated, {sum(case['ok'] for case in cases)} opened")


def test_every_published_verifier_key_is_written_back_as_it_was():
    texts = {text for case in json.loads(shared("vectors/note-vectors.json").read_text()) for text in case["vkeys"]}
    assert {str(VerifierKey.parse(text)) for text in texts} == texts


def test_every_readable_published_note_is_written_back_as_it_was():
    for case in json.loads(shared("vectors/note-vectors.json").read_text()):
        if case["ok"]:
            assert Note.parse(b64(case["note_b64"])).render() == b64(case["note_b64"])
