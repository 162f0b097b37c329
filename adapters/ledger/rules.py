"""Rules of the ledger that hold beyond one command: what is logged, signed, proven, witnessed and receipted.

They judge documents of the log rather than events of a stream, under pseudo types that are never written: `log.entry`
(a stored event on its way into the tree), `log.head`, `log.proof` and `log.receipt`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...protocol import envelope
from ...protocol.canonical import CanonicalError
from ...protocol.edition import shelf
from ...protocol.faults import LogFault
from ...protocol.policy import Policy
from ...rules.evaluators import Finding, Judgement, guard, is_off, registry, requires
from ...rules.law import Law

ENTRY, HEAD, PROOF, RECEIPT = "log.entry", "log.head", "log.proof", "log.receipt"

requires("TB-LEDGER-003", event=HEAD, field="signature")
requires("TB-LEDGER-004", event=PROOF, field="path")
requires("TB-LEDGER-005", event=HEAD, field="cosignatures")
requires("TB-LEDGER-008", event=RECEIPT, field="events")


@dataclass(frozen=True, slots=True)
class Entry:
    """A stored event on its way into the tree: its leaf index and its stored bytes."""

    leaf: int
    body: bytes


@guard("TB-LEDGER-002", on=ENTRY)
def canonical_before_it_is_hashed(entry: Entry) -> Judgement:
    """TB-LEDGER-002 (rulings A-39, A-56): what is hashed into a leaf are the canonical bytes of an event."""
    try:
        envelope.from_bytes(entry.body)
    except (CanonicalError, envelope.EnvelopeError, TypeError) as error:
        return Finding("body", f"the stored bytes of event {entry.leaf} are no event: {error}", "restore the database")
    return None


def checked_entry(leaf: int, body: bytes) -> bytes:
    """The log entry of a stored event, its SHA-256. Raises NOT_CANONICAL."""
    for each in registry().guards_on(ENTRY, include_any=False):
        finding = each.judge(Entry(leaf, body))
        if isinstance(finding, Finding):
            raise LogFault("NOT_CANONICAL", finding.detail)
    return envelope.event_hash(body)


def signs_heads() -> bool:
    """TB-LEDGER-003: whether a publication ends in a signed head."""
    return not is_off("TB-LEDGER-003")


def gives_proofs() -> bool:
    """TB-LEDGER-004: whether a proof carries its path."""
    return not is_off("TB-LEDGER-004")


def asks_witnesses() -> bool:
    """TB-LEDGER-005: whether a head is put to the witnesses."""
    return not is_off("TB-LEDGER-005")


def gives_receipts() -> bool:
    """TB-LEDGER-008: whether a receipt carries the events behind the row."""
    return not is_off("TB-LEDGER-008")


def longest_interval() -> int:
    """TB-LEDGER-003 (ruling A-51): the longest wait between two heads while events arrive, in seconds."""
    return int(Law(shelf()).params("TB-LEDGER-003")["max_head_interval"])


def check_interval(seconds: int) -> int:
    """Return a wait between two heads that the rule allows, from one second on. Raises HEAD_RARE."""
    if not 0 < seconds <= longest_interval():
        raise LogFault("HEAD_RARE", f"{seconds} seconds between heads; at most {longest_interval()} are allowed")
    return seconds


def check_witnessed(policy: Policy, published: bool) -> None:
    """TB-LEDGER-005 (ruling A-51): a log that is served to the public needs outside witnesses in its quorum.

    A local log may have none; it is then told to be unwitnessed. Raises LOG_UNWITNESSED.
    """
    needed = int(Law(shelf()).params("TB-LEDGER-005")["min_external_witnesses"])
    if published and policy.fewest() < needed:
        raise LogFault("LOG_UNWITNESSED", f"the quorum can be met by {policy.fewest()} witnesses, {needed} are needed")
