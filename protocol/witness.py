"""The witness protocol: C2SP tlog-witness, the `add-checkpoint` call.

A log posts

    old <size of the head that the witness cosigned last>
    <base64 of each hash of the consistency proof from that size>
    <one blank line>
    <the new checkpoint, signed by the log>

and is answered with cosignature lines. `judge` is the whole decision of a witness as a function of the request and of
what it cosigned last; whoever runs it must store the new head before the answer leaves, in the same step that compared
the old one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from .checkpoint import Checkpoint
from .faults import LogFault
from .merkle import EMPTY_ROOT
from .note import ED25519, Note, VerifierKey
from .proofs import lines_above, read_path, verify_consistency
from .strict import decimal, encode64

SIZE_TYPE: Final = "text/x.tlog.size"
MAX_REQUEST: Final = 64 * 1024
EMPTY: Final = Checkpoint("", 0, EMPTY_ROOT)


@dataclass(frozen=True, slots=True)
class AddCheckpoint:
    """The body of a request: size of the head before, consistency proof, and the new checkpoint as a note."""

    old: int
    path: tuple[bytes, ...]
    checkpoint: bytes

    @classmethod
    def parse(cls, data: bytes) -> AddCheckpoint:
        """Read a request body. Raises PROOF_EMPTY, PROOF_MALFORMED, PROOF_TOO_LONG, SIZE_MALFORMED or BASE64_JUNK."""
        if not data:
            raise LogFault("PROOF_EMPTY", "the request is empty")
        lines, blank, checkpoint = lines_above(data, MAX_REQUEST, "the request")
        if not blank or not lines[0].startswith("old "):
            raise LogFault("PROOF_MALFORMED", "a request starts with an old size line and ends with a checkpoint")
        old = decimal(lines.pop(0).removeprefix("old "), "the old size")
        return cls(old, read_path(lines), checkpoint)

    def render(self) -> bytes:
        """The request body."""
        lines = [f"old {self.old}", *(encode64(hashed) for hashed in self.path)]
        return "".join(f"{line}\n" for line in lines).encode() + b"\n" + self.checkpoint


@dataclass(frozen=True, slots=True)
class Answer:
    """What a witness decides: HTTP status, reason, and for 200 the head to store and cosign; for 409 its size."""

    status: int
    reason: str
    head: Checkpoint | None = None
    note: Note | None = None
    size: int | None = None


def judge(request: AddCheckpoint, logs: Mapping[str, Sequence[VerifierKey]], held: Mapping[str, Checkpoint]) -> Answer:
    """Decide on a request. `logs` are the trusted keys by origin, `held` the head last cosigned by origin.

    404 unknown origin; 403 no valid signature of a trusted key; 400 old size above the new one, or no checkpoint;
    409 old size other than the held one (with the held size), or another root at the same size; 422 proof not valid.
    """
    try:
        note = Note.parse(request.checkpoint)
    except LogFault as fault:
        # A note with junk in a signature line is one whose signature cannot be valid, as the published cases have it.
        junk = fault.code == "BASE64_JUNK"
        return Answer(403, f"invalid signature: {fault}") if junk else Answer(400, f"no note: {fault}")
    try:
        head = Checkpoint.parse(note.text)
    except LogFault as fault:
        return Answer(400, f"no checkpoint: {fault}")
    keys = tuple(key for key in logs.get(head.origin, ()) if key.kind == ED25519)
    if not keys:
        return Answer(404, f"unknown log {head.origin}")
    try:
        note.verified(keys)
    except LogFault as fault:
        return Answer(403, f"invalid signature: {fault.detail}")
    if request.old > head.size:
        return Answer(400, f"the old size {request.old} is above the new size {head.size}")
    before = held.get(head.origin, EMPTY)
    if request.old != before.size:
        return Answer(409, f"the old size is {before.size}, not {request.old}", size=before.size)
    if head.size == before.size and head.root != before.root:
        return Answer(409, f"another root was cosigned at size {head.size}", size=before.size)
    wrong = _extends(before, head, request.path)
    return Answer(422, f"invalid consistency proof: {wrong}") if wrong else Answer(200, "cosigned", head, note)


def _extends(before: Checkpoint, head: Checkpoint, path: Sequence[bytes]) -> str:
    """Why the new head is not shown to extend the one before; empty where it is."""
    if before.size == 0:
        if path:
            return "from size 0 no proof is needed"
        return "" if head.size or head.root == EMPTY_ROOT else "an empty tree has the empty root"
    try:
        verify_consistency(before.size, head.size, before.root, head.root, path)
    except LogFault as fault:
        return fault.detail
    return ""
