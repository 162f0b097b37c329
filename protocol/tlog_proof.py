"""Offline proofs: C2SP tlog-proof, an inclusion proof with the signed checkpoint it leads to, in one text file.

    c2sp.org/tlog-proof@v1
    extra <base64 of data that nobody signed; the line may be absent>
    index <position of the entry>
    <base64 of each hash of the inclusion proof, leaf's sibling first>
    <one blank line>
    <the checkpoint, verbatim, with signatures and cosignatures>

The entry itself is not in the file: who checks it brings the entry, the log's verifier key and a policy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .faults import LogFault
from .merkle import leaf_hash
from .note import MAX_NOTE
from .policy import Policy, Verdict
from .proofs import lines_above, read_path, verify_inclusion
from .strict import decimal, decode64, encode64

HEADER: Final = "c2sp.org/tlog-proof@v1"
MAX_EXTRA: Final = 64 * 1024
MAX_PROOF: Final = MAX_NOTE + 2 * MAX_EXTRA


@dataclass(frozen=True, slots=True)
class TlogProof:
    """A parsed proof file, nothing in it verified. `checkpoint` is the note as it came; nobody signed `extra`."""

    index: int
    path: tuple[bytes, ...]
    checkpoint: bytes
    extra: bytes | None = None

    @classmethod
    def parse(cls, data: bytes) -> TlogProof:
        """Read a proof file. Raises PROOF_EMPTY, PROOF_MALFORMED, PROOF_TOO_LONG, SIZE_MALFORMED or BASE64_JUNK."""
        if not data.strip():
            raise LogFault("PROOF_EMPTY", "the proof file is empty")
        lines, blank, checkpoint = lines_above(data, MAX_PROOF, "the proof")
        if lines.pop(0) != HEADER or not blank or not checkpoint:
            raise LogFault("PROOF_MALFORMED", f"a proof starts with {HEADER} and ends with a checkpoint")
        extra = _extra(lines)
        if not lines or not lines[0].startswith("index "):
            raise LogFault("PROOF_MALFORMED", "the proof has no index line")
        index = decimal(lines.pop(0).removeprefix("index "), "the index")
        return cls(index, read_path(lines), checkpoint, extra)

    def render(self) -> bytes:
        """The proof file."""
        lines = [HEADER]
        if self.extra is not None:
            lines.append(f"extra {encode64(self.extra)}")
        lines.append(f"index {self.index}")
        lines.extend(encode64(hashed) for hashed in self.path)
        return "".join(f"{line}\n" for line in lines).encode() + b"\n" + self.checkpoint

    def verify(self, entry: bytes, policy: Policy) -> Verdict:
        """Check that `entry` is in the log whose checkpoint the policy accepts, at this index.

        Size and root are taken from the signed checkpoint alone. Raises what `Policy.check` and `verify_inclusion`
        raise; returns who signed.
        """
        verdict = policy.check(self.checkpoint)
        head = verdict.checkpoint
        verify_inclusion(leaf_hash(entry), self.index, head.size, self.path, head.root)
        return verdict


def _extra(lines: list[str]) -> bytes | None:
    """Take the extra line off the front of `lines`, if there is one."""
    if not lines or not lines[0].startswith("extra "):
        return None
    extra = decode64(lines.pop(0).removeprefix("extra "), "the extra data")
    if len(extra) > MAX_EXTRA:
        raise LogFault("PROOF_MALFORMED", f"the extra data has {len(extra)} bytes, the limit is {MAX_EXTRA}")
    return extra
