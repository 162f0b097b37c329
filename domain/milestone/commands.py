"""What can be asked of a milestone of a signed deal."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from ..commands import Command, DealId, Private

Number = Annotated[int, Field(ge=1, le=10_000)]
"""The number of a milestone, counted from 1 in the order of the card."""
HashText = Annotated[str, StringConstraints(max_length=200)]
"""A content hash with its algorithm, `sha256:…` or `b3:…`; TB-MILE-004 judges its form."""
SignatureText = Annotated[str, StringConstraints(max_length=400)]
"""An Ed25519 signature in hexadecimal; the rules judge it. Left out, the application signs for the sender."""
PlaceName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z_]*$", max_length=60)]
"""A kind of place that work is delivered to; TB-MILE-003 lists them."""


class FileReceipt(Command):
    """File the content hash of what was delivered to the person (sent by the agent).

    `artifact` exists so that the refusal has a name: the platform takes no bytes (TB-OWN-001).
    """

    deal: DealId
    milestone: Number
    sha256: HashText
    blake3: HashText | None = None
    destination: PlaceName = "person_possession"
    artifact: Private | None = None


class RequestApproval(Command):
    """Put a milestone to the person (sent by the agent); with `with_outcome` the finish line too."""

    deal: DealId
    milestone: Number
    with_outcome: bool = False


class ApproveMilestone(Command):
    """Approve a milestone over one's signature, which releases exactly its amount (sent by the person)."""

    deal: DealId
    milestone: Number
    signature: SignatureText | None = None


class DeclineMilestone(Command):
    """Decline a milestone (sent by the person); with `end` the target ends there."""

    deal: DealId
    milestone: Number
    reason: Private | None = None
    end: bool = False


class ReviseMilestone(Command):
    """Take a declined milestone up again (sent by the agent)."""

    deal: DealId
    milestone: Number
    note: Private | None = None
