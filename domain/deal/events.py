"""What is public of a deal: its numbers, hashes, signatures, money movements, outcome and integrity.

Ruling A-40 keeps the words of the card private. Its amounts are public, because anyone must be able to check that an
approval releases exactly what was signed (ruling A-71).
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from ..events import (
    Cents,
    Commitment,
    Digest,
    Id,
    Instant,
    KeyHex,
    PublicText,
    Seconds,
    SignatureHex,
    Word,
    register,
)

Pins = dict[str, PublicText]
"""The edition in force at each moment that a rule may be governed at."""
Resolution = Literal["delivered", "expired", "declined", "ended", "lapsed", "walked", "stopped"]
Integrity = Literal["provisional", "official", "invalidated"]
Release = Annotated[str, Field(pattern=r"^(milestone-[1-9][0-9]*|outcome)$")]
"""What an approval released money for: a milestone of the card, or the finish line."""


class Model(TypedDict):
    """A base model with its exact version, verbatim as declared."""

    name: PublicText
    version: PublicText


class DealProposed(TypedDict):
    """The card as the agent signs it. `step_cents` are the amounts of the committed steps in order, `outcome_cents`
    that of the finish line. Step texts, allocation and spend schedule are behind `card_commitment`."""

    target: Id
    proposal: Id
    passport: Id
    person: Id
    operator: Id
    system: Id | None
    card_version: Annotated[int, Field(ge=1)]
    card_hash: Digest
    total_cents: Cents
    timeline_seconds: Seconds
    step_cents: list[Cents]
    outcome_cents: Cents
    card_commitment: Commitment
    key: KeyHex
    signature: SignatureHex
    statement_hash: Digest
    pins: Pins


class DealDeclined(TypedDict):
    """The person declined the proposed deal: no attempt. The reason is committed where one was given."""

    reason_commitment: NotRequired[Commitment]


class DealSigned(TypedDict):
    """The signed card, which freezes the numbers that delivery is scored against, and the attempt's inputs: the card
    version of the target and the System Record. `deadline` is the event's own instant plus the timeline."""

    target: Id
    proposal: Id
    passport: Id
    person: Id
    card_version: Annotated[int, Field(ge=1)]
    system: Id | None
    system_hash: Digest
    system_version: PublicText
    agent_name: PublicText
    base_models: list[Model]
    harness_version: PublicText
    autonomy_level: Word
    total_cents: Cents
    timeline_seconds: Seconds
    deadline: Instant
    steps: Annotated[int, Field(ge=0)]
    outcome_cents: Cents
    standard: Word
    ownership: dict[Word, Word]
    key: KeyHex
    signature: SignatureHex
    statement_hash: Digest
    edition: PublicText
    pins: Pins


class DealAmended(TypedDict):
    """Terms of a card rewritten after it was proposed. TB-DEAL-006 refuses it always."""

    terms: list[Word]


class GiftPaid(TypedDict):
    """The part of the posting-priority fee that passes to the chosen agent; neither cost nor subsidy."""

    passport: Id
    amount_cents: Cents


class Amount(TypedDict):
    """An amount of money that moved."""

    amount_cents: Cents


class EscrowReleased(TypedDict):
    """What an approval released to the agent, and for what."""

    amount_cents: Cents
    cause: Release


class EscrowReversed(TypedDict):
    """A release that went back to the person: in part, so that nothing of the payment is kept, or by chargeback."""

    amount_cents: Cents
    release: Release
    kind: Literal["partial", "full", "chargeback"]


class PaymentSettled(TypedDict):
    """Payment that cleared, and the rail it cleared on."""

    amount_cents: Cents
    rail: Word


class AskOpened(TypedDict):
    """The agent asked something that only the person can answer; unanswered, the target lapses at `lapses_at`."""

    ask: Id
    answerable_by: Word
    question_commitment: Commitment
    lapses_at: Instant


class AskAnswered(TypedDict):
    """The person answered an ask."""

    ask: Id
    answer_commitment: Commitment


class OutcomeRequested(TypedDict):
    """The finish line was put to the person. Unanswered, the target lapses at `lapses_at`."""

    lapses_at: Instant


class OutcomeApproved(TypedDict):
    """The person's signed statement that the finish line is reached, and what it releases (0 after the deadline)."""

    amount_cents: Cents
    key: KeyHex
    signature: SignatureHex
    statement_hash: Digest


class OutcomeDeclined(TypedDict):
    """The person declined the finish line; the reason is committed where one was given."""

    reason_commitment: NotRequired[Commitment]


class OutcomeAppealed(TypedDict):
    """A decision of the person contested. TB-OUT-012 refuses it always."""

    statement_commitment: Commitment


class DealResolved(TypedDict):
    """The one terminal event. `o` is 1 or 0, null where the attempt is unscored; `resolved_at` is the due instant of
    a resolution made by the clock. A steward's stop gives its `ground` and names the published rule or law. Whoever
    ended the attempt may have given a reason, which is committed."""

    resolution: Resolution
    o: Literal[0, 1] | None
    resolved_at: Instant
    ground: NotRequired[Word]
    names: NotRequired[PublicText]
    reason_commitment: NotRequired[Commitment]


IntegrityChanged = TypedDict(
    "IntegrityChanged", {"from": Integrity, "to": Integrity, "ground": Word, "because": PublicText}
)
IntegrityChanged.__doc__ = """The integrity of the outcome moved: from, to, on what ground, and the event type or entity
that caused it."""


class SubsidyDeclared(TypedDict):
    """Whether outside subsidy contributed (x), and money of the agent's own: neither is cost to the person."""

    contributed: bool
    own_spending_cents: Cents


class EngineRevenue(TypedDict):
    """What an agent-built engine earned: a funding mechanism, not cost to the person."""

    amount_cents: Cents


class Satisfaction(TypedDict):
    """The person's rating; any words are committed."""

    score: Annotated[int, Field(ge=-(2**31), le=2**31)]
    words_commitment: NotRequired[Commitment]


class InterimOutcome(TypedDict):
    """An outcome that fell out on the way; what it is, is committed."""

    outcome_commitment: Commitment
    sha256: NotRequired[Digest]


register(
    "deal",
    {
        "deal.proposed": DealProposed,
        "deal.declined": DealDeclined,
        "deal.signed": DealSigned,
        "deal.amended": DealAmended,
        "deal.acceptance_gift_paid": GiftPaid,
        "deal.resolved": DealResolved,
        "escrow.funded": Amount,
        "escrow.released": EscrowReleased,
        "escrow.reversed": EscrowReversed,
        "escrow.returned": Amount,
        "payment.settled": PaymentSettled,
        "ask.opened": AskOpened,
        "ask.answered": AskAnswered,
        "outcome.approval.requested": OutcomeRequested,
        "outcome.approved": OutcomeApproved,
        "outcome.declined": OutcomeDeclined,
        "outcome.appealed": OutcomeAppealed,
        "outcome.integrity_changed": IntegrityChanged,
        "deal.subsidy.declared": SubsidyDeclared,
        "deal.engine_revenue.recorded": EngineRevenue,
        "deal.satisfaction.recorded": Satisfaction,
        "deal.interim_outcome.recorded": InterimOutcome,
    },
)
