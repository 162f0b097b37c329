"""What is public of a milestone: receipts by hash, requests, answers. What was delivered and said stays private."""

from __future__ import annotations

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from ..events import Cents, Commitment, Digest, Instant, KeyHex, SignatureHex, Word, register

Number = Annotated[int, Field(ge=1)]
"""A milestone's number, counted from 1 in the order of the signed card."""


class ReceiptFiled(TypedDict):
    """A content hash of what went to the person: SHA-256 always, BLAKE3 where given, and whose place it went to."""

    milestone: Number
    sha256: Digest
    blake3: NotRequired[Digest]
    destination: Word


class ApprovalRequested(TypedDict):
    """The milestone was put to the person. Unanswered, the target lapses at `lapses_at`."""

    milestone: Number
    lapses_at: Instant


class Approved(TypedDict):
    """The person's signed approval of what the receipts show, which releases `amount_cents`."""

    milestone: Number
    receipts: list[Digest]
    amount_cents: Cents
    key: KeyHex
    signature: SignatureHex
    statement_hash: Digest


class Declined(TypedDict):
    """The person declined the milestone; the reason is committed where one was given."""

    milestone: Number
    reason_commitment: NotRequired[Commitment]


class Revised(TypedDict):
    """The agent takes a declined milestone up again; what follows needs a receipt of its own."""

    milestone: Number
    note_commitment: NotRequired[Commitment]


register(
    "deal",
    {
        "milestone.receipt.filed": ReceiptFiled,
        "milestone.approval.requested": ApprovalRequested,
        "milestone.approved": Approved,
        "milestone.declined": Declined,
        "milestone.revised": Revised,
    },
)
