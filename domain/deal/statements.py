"""What people and agents sign about a deal: each statement as the exact bytes under the Ed25519 signature.

All of it is public or a commitment, so an auditor rebuilds the bytes from the log: `signed_statements` does it for a
whole log, and any implementation of Ed25519 (RFC 8032) then tells whether key, statement and signature fit. The kind of
the statement is part of the bytes (`protocol.signature`), so that no signature can be shown for another one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...protocol import signature
from ...protocol.envelope import Event
from ..milestone.state import Milestone
from ..streams import kind_of
from ..world import World
from .state import Deal

CARD_TERMS = (
    "target",
    "proposal",
    "passport",
    "person",
    "system",
    "card_version",
    "card_hash",
    "total_cents",
    "timeline_seconds",
    "step_cents",
    "outcome_cents",
    "card_commitment",
)
"""The fields of `deal.proposed` that both sides sign, together with the deal's id."""


def deal_card(deal: str, terms: Mapping[str, Any]) -> bytes:
    """The deal card: signed by the agent that proposes it and by the person who agrees to it."""
    return signature.statement("deal.card", {"deal": deal, **{name: terms[name] for name in CARD_TERMS}})


def milestone_approval(deal: Deal, step: Milestone) -> bytes:
    """The approval of a milestone: which receipts it covers and what it releases."""
    body: dict[str, Any] = {
        "amount_cents": step.amount_cents,
        "deal": deal.id,
        "milestone": step.number,
        "receipts": list(step.receipts),
    }
    return signature.statement("milestone.approval", body)


def outcome_approval(deal: Deal) -> bytes:
    """The finish line: this deal reached the finish line of this target's card."""
    body: dict[str, Any] = {
        "amount_cents": deal.outcome_cents,
        "card_hash": deal.card_hash,
        "deal": deal.id,
        "target": deal.target,
    }
    return signature.statement("outcome.approval", body)


def signed(world: World, holder: str, statement: bytes, given: str | None) -> dict[str, str | None]:
    """The signature fields of an event: the holder's registered key, the signature (the sender's, or the custodial
    one; None where there is neither) and the hash of the statement."""
    return {
        "key": getattr(world.state(holder), "key", None),
        "signature": given if given is not None else world.sign(world.actor.id, statement),
        "statement_hash": "sha256:" + hashlib.sha256(statement).hexdigest(),
    }


def flaw(world: World, holder: str, statement: bytes, data: Mapping[str, Any]) -> str | None:
    """What is wrong with the signature fields of an event, in a few words; None when they bind the holder."""
    return _flaw(getattr(world.state(holder), "key", None), statement, data)


def _flaw(registered: str | None, statement: bytes, data: Mapping[str, Any]) -> str | None:
    if data["signature"] is None:
        return "it is not signed"
    if data["key"] is None or data["key"] != registered:
        return "the key is not the one registered for the signer"
    if data["statement_hash"] != "sha256:" + hashlib.sha256(statement).hexdigest():
        return "the hash is that of another statement"
    if not signature.verify(data["key"], statement, data["signature"]):
        return "the signature does not fit the statement and the registered key"
    return None


@dataclass(frozen=True, slots=True)
class SignedStatement:
    """A signature in the log: the event that carries it, who must have signed, the key that was registered for the
    signer at that moment (None: nobody's), and the bytes under the signature."""

    event: Event
    signer: str
    registered: str | None
    statement: bytes

    def flaw(self) -> str | None:
        """What is wrong with the signature, in a few words; None when it binds the signer."""
        return _flaw(self.registered, self.statement, self.event.data)


def signed_statements(log: Iterable[Event]) -> Iterator[SignedStatement]:
    """Every signature of a log of events (in order, in their newest schemas), with what it must be a signature of.

    It reads nothing but these events. The statement is rebuilt from what the log said before and in the event itself.
    """
    states: dict[str, Any] = {}
    for event in log:
        kind = event.stream.partition("-")[0]
        if kind not in ("deal", "person", "passport"):
            continue
        before = states.get(event.stream)
        found = _statement(before, event)
        if found is not None:
            signer, statement = found
            yield SignedStatement(event, signer, getattr(states.get(signer), "key", None), statement)
        states[event.stream] = kind_of(event.stream).evolve(before, event)


def _statement(deal: Any, event: Event) -> tuple[str, bytes] | None:
    """Who signs in this event, and what; None for an event without a signature."""
    if event.type == "deal.proposed":
        return event.data["passport"], deal_card(event.stream, event.data)
    if not isinstance(deal, Deal):
        return None
    if event.type == "deal.signed":
        return deal.person, deal_card(deal.id, deal.terms)
    if event.type == "milestone.approved":
        return deal.person, milestone_approval(deal, deal.milestones[event.data["milestone"]])
    if event.type == "outcome.approved":
        return deal.person, outcome_approval(deal)
    return None
