"""Checkpoints: C2SP tlog-checkpoint, the signed head of a log.

The text of the note has at least three lines, none of them empty:

    <origin, the name of the log>
    <number of entries, plain decimal>
    <base64 of the root hash>
    <any extension lines>

A checkpoint of this log is signed by a key whose name is the origin; no extension line is ever written.
"""

from __future__ import annotations

from dataclasses import dataclass

from .faults import LogFault
from .note import ED25519, Note, SigningKey, VerifierKey, sign_note
from .strict import decimal, decode_hash, encode64


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A tree head: origin, number of entries, 32-byte root, and extension lines that nothing here relies on."""

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Checkpoint:
        """Read the text of a note. Raises CHECKPOINT_MALFORMED, SIZE_MALFORMED or BASE64_JUNK."""
        lines = text.split("\n")
        if lines.pop() != "" or len(lines) < 3:
            raise LogFault("CHECKPOINT_MALFORMED", "a checkpoint has at least the lines origin, size and root")
        if "" in lines:
            raise LogFault("CHECKPOINT_MALFORMED", f"line {lines.index('') + 1} of the checkpoint is blank")
        origin, size, root, *extensions = lines
        return cls(origin, decimal(size, "the tree size"), decode_hash(root, "the root"), tuple(extensions))

    def text(self) -> str:
        """The note text."""
        lines = (self.origin, str(self.size), encode64(self.root), *self.extensions)
        return "".join(f"{line}\n" for line in lines)

    def signed_by(self, key: SigningKey) -> Note:
        """The checkpoint as a note of the log's own key, whose name must be the origin. Raises ORIGIN_WRONG."""
        if key.name != self.origin:
            raise LogFault("ORIGIN_WRONG", f"the key {key.name} cannot sign for {self.origin}")
        return sign_note(self.text(), (key,))


def open_checkpoint(data: bytes, keys: tuple[VerifierKey, ...]) -> tuple[Checkpoint, Note]:
    """The checkpoint in `data` and its note, signed by one of the log's `keys` under the origin it states.

    Raises what `Note.parse`, `Checkpoint.parse` and `Note.verified` raise, and ORIGIN_WRONG for another log's head.
    """
    note = Note.parse(data)
    checkpoint = Checkpoint.parse(note.text)
    ours = tuple(key for key in keys if key.name == checkpoint.origin and key.kind == ED25519)
    if not ours:
        names = ", ".join(sorted({key.name for key in keys}))
        raise LogFault("ORIGIN_WRONG", f"the checkpoint is of {checkpoint.origin[:80]!r}, the pinned key of {names}")
    note.verified(ours)
    return checkpoint, note
