"""Receipts: what happened, and the proof that it is logged, in one file that needs nothing else.

A receipt is canonical JSON:

    checkpoint     the cosigned head, a note
    events         [{"body": "<canonical event>", "leaf": 17, "path": ["<base64>", …]}, …] in log order
    format         toll-receipt/1
    policy, vkey   what the log says of itself
    rows           the rows of the board that the events give
    subject        what the receipt is about: an id, or a leaf index

It shows that these events are in the log, and that each row of the board follows from them. It cannot show that no
later event exists: for that the log itself is read. A checker pins a key and a policy of its own. The receipt of a
single event can also be written as a C2SP tlog-proof whose `extra` line holds the body.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from ...domain.events import read
from ...protocol import canonical, envelope
from ...protocol.checkpoint import Checkpoint
from ...protocol.edition import Shelf, shelf
from ...protocol.faults import LogFault
from ...protocol.merkle import leaf_hash
from ...protocol.note import VerifierKey
from ...protocol.policy import Policy
from ...protocol.proofs import verify_inclusion
from ...protocol.strict import decimal, decode_hash, encode64
from ...protocol.tlog_proof import TlogProof
from .examine import NOT_FOLLOWING
from .figures import Figures
from .published import PublishedLog
from .rules import gives_receipts

FORMAT: Final = "toll-receipt/1"
MAX_RECEIPT: Final = 64 * 1024 * 1024
_FIELDS: Final = {"checkpoint", "events", "format", "policy", "rows", "subject", "vkey"}
_NAMED: Final = ("target", "person", "passport", "system")


@dataclass(frozen=True, slots=True)
class Proven:
    """One event of a receipt, not verified: leaf index, canonical bytes, inclusion path."""

    leaf: int
    body: bytes
    path: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Receipt:
    """A parsed receipt, nothing in it verified."""

    subject: str
    checkpoint: bytes
    events: tuple[Proven, ...]
    rows: tuple[Any, ...]
    vkey: str
    policy: str

    @classmethod
    def parse(cls, data: bytes) -> Receipt:
        """Read a receipt, or the tlog-proof of one event. Raises RECEIPT_MALFORMED and what the parts raise."""
        if len(data) > MAX_RECEIPT:
            raise LogFault("RECEIPT_MALFORMED", f"the receipt has {len(data)} bytes, the limit is {MAX_RECEIPT}")
        if not data.startswith(b"{"):
            return _of_proof(TlogProof.parse(data))
        try:
            found: Any = canonical.loads(data.removesuffix(b"\n"))
            if not isinstance(found, dict) or found.keys() != _FIELDS or found["format"] != FORMAT:
                raise LogFault("RECEIPT_MALFORMED", "these are not the fields of a receipt")
            events = tuple(
                Proven(
                    decimal(str(event["leaf"]), "a leaf index"),
                    event["body"].encode(),
                    tuple(decode_hash(text, "a hash of the proof") for text in event["path"]),
                )
                for event in found["events"]
            )
            parts = found["subject"], found["checkpoint"].encode(), events, tuple(found["rows"])
            return cls(*parts, found["vkey"], found["policy"])
        except (canonical.CanonicalError, KeyError, TypeError, AttributeError) as error:
            raise LogFault("RECEIPT_MALFORMED", f"this is no receipt: {error}") from None

    def render(self) -> bytes:
        """The receipt as a file."""
        events: list[canonical.JSON] = [
            {"body": event.body.decode(), "leaf": event.leaf, "path": [encode64(hashed) for hashed in event.path]}
            for event in self.events
        ]
        return canonical.dumps({
            "checkpoint": self.checkpoint.decode(),
            "events": events,
            "format": FORMAT,
            "policy": self.policy,
            "rows": list(self.rows),
            "subject": self.subject,
            "vkey": self.vkey,
        }) + b"\n"  # fmt: skip

    def check(self, policy: Policy, editions: Shelf | None = None) -> Checkpoint:
        """Verify every proof under the policy and recompute every row; returns the head that covers it.

        Raises QUORUM_UNMET and other note faults, PROOF_WRONG, INDEX_RANGE, RECEIPT_MALFORMED, ROW_WRONG.
        """
        head = policy.check(self.checkpoint).checkpoint
        last = -1
        for event in self.events:
            if event.leaf <= last:
                raise LogFault("RECEIPT_MALFORMED", "the events are not in the order of the log")
            last = event.leaf
            leaf = leaf_hash(envelope.event_hash(event.body))
            verify_inclusion(leaf, event.leaf, head.size, event.path, head.root)
        if not self.events:
            raise LogFault("PROOF_EMPTY", "the receipt holds no event")
        own = rows_of(((event.leaf, event.body) for event in self.events), editions or shelf())
        for row in self.rows:
            if row not in own:
                raise LogFault("ROW_WRONG", f"the row of {row.get('deal', '?')} does not follow from its events")
        return head


def rows_of(events: Iterable[tuple[int, bytes]], editions: Shelf) -> list[Any]:
    """The attempt rows of the board that these events alone give. Raises RECEIPT_MALFORMED for other bytes."""
    figures = Figures(editions)
    try:
        for leaf, body in events:
            figures.feed(leaf, read(body))
        rows: list[Any] = canonical.loads(canonical.dumps(figures.document()["attempts"]))  # type: ignore[assignment]
    except NOT_FOLLOWING as error:
        raise LogFault("RECEIPT_MALFORMED", f"the events give no row: {error!r}") from None
    return rows


def _of_proof(proof: TlogProof) -> Receipt:
    if proof.extra is None:
        raise LogFault("RECEIPT_MALFORMED", "this tlog-proof does not carry the event it proves")
    return Receipt("", proof.checkpoint, (Proven(proof.index, proof.extra, proof.path),), (), "", "")


def event_proof(log: PublishedLog, note: bytes, event: str) -> TlogProof:
    """The tlog-proof of one event, named by leaf index or id, with its body in the extra line. Raises EVENT_UNKNOWN."""
    leaf, body = find_event(log, event)
    proof = log.proof(leaf, note)
    return TlogProof(proof.index, proof.path, proof.checkpoint, body)


def find_event(log: PublishedLog, event: str) -> tuple[int, bytes]:
    """Leaf index and body of the event with this leaf index or id. Raises EVENT_UNKNOWN."""
    if event.isascii() and event.isdigit() and len(event) < 19:
        if int(event) < log.head.size:
            return int(event), log.body(int(event))
    else:
        for leaf, body in _holding(log, (event,)):
            if envelope.from_bytes(body).id == event:
                return leaf, body
    raise LogFault("EVENT_UNKNOWN", f"the published log of {log.head.size} events has no event {event[:60]!r}")


def make_receipt(log: PublishedLog, note: bytes, subject: str, key: VerifierKey, policy: bytes) -> Receipt:
    """The receipt of a deal, an agent (every deal of its passport), or one event by leaf index or id.

    For a deal it holds the events of the deal, its target, person, passport and system record, and of the rulebook, so
    that its row of the board can be recomputed. Raises EVENT_UNKNOWN.
    """
    rows: list[Any] = []
    if subject.startswith(("deal-", "passport-")):
        found = dict(_holding(log, tuple(sorted(_streams(log, subject))), streams=True))
        rows = [row for row in rows_of(sorted(found.items()), shelf()) if subject in (row["deal"], row["agent"])]
    else:
        found = dict((find_event(log, subject),))
    events = tuple(Proven(leaf, found[leaf], log.proof(leaf, note).path) for leaf in sorted(found) if gives_receipts())
    return Receipt(subject, note, events, tuple(rows), str(key), policy.decode("utf-8", "replace"))


def _streams(log: PublishedLog, subject: str) -> set[str]:
    """The streams that a row of the board rests on. Raises EVENT_UNKNOWN where the subject has no signed deal."""
    streams: set[str] = set()
    for _, body in _holding(log, (subject,)):
        event = envelope.from_bytes(body)
        if event.type == "deal.signed" and subject in (event.stream, event.data["passport"]):
            named = (event.data.get(name) for name in _NAMED)
            streams |= {event.stream, "rulebook", *(stream for stream in named if stream)}
    if not streams:
        raise LogFault("EVENT_UNKNOWN", f"the published log has no signed deal of {subject[:60]!r}")
    return streams


def _holding(log: PublishedLog, words: tuple[str, ...], streams: bool = False) -> Iterator[tuple[int, bytes]]:
    """Events that hold one of the words; with `streams` those that stand in a stream of that name."""
    needles = [f'"stream":"{word}"'.encode() if streams else word.encode() for word in words]
    for leaf, body in log.events():
        if any(needle in body for needle in needles) and (not streams or envelope.from_bytes(body).stream in words):
            yield leaf, body
