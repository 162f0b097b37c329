"""What can be asked about a deal: its card, its money, its questions, its end, and what is recorded on it."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from ..commands import (
    AskId,
    Cents,
    Command,
    DealId,
    Name,
    Part,
    Private,
    ProposalId,
    Seconds,
    SystemId,
    TargetId,
    Whole,
)
from ..milestone.commands import Number, SignatureText

ReleaseName = Annotated[str, StringConstraints(pattern=r"^(milestone-[1-9][0-9]*|outcome)$", max_length=40)]
"""What a release was for: `milestone-N` or `outcome`."""
GroundText = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z_]*$", max_length=60)]
"""A ground from a list of the rulebook."""
RailText = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z_]*$", max_length=60)]
"""The rail that a payment cleared on; only the platform's `checkout` counts."""
SaltText = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""32 random bytes in hexadecimal, for a sender who computes the commitment of the card before signing it."""
DigestText = Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")]
"""A SHA-256 content digest, `sha256:` and 64 lower-case hex digits."""


class Step(Part):
    """One committed step: what exactly will have been done, and the amount that its approval releases."""

    what: Annotated[Private, Field(min_length=1)]
    amount_cents: Cents = 0


class Spend(Part):
    """An entry of the spend schedule: so long after signing, so much. `repeats` exists to be refused (TB-DEAL-003)."""

    after_seconds: Seconds
    amount_cents: Cents
    repeats: Name | None = None


class ProposeDeal(Command):
    """Propose the deal on a chosen proposal (sent by its agent).

    The timeline is given in seconds or in whole days. `allocation` splits the total over its heads. The steps are
    committed in order; their texts, the allocation and the schedule stay private. `system` is the System Record that
    will attempt the target, by default the one in force. Left out, `signature` is given by the application.
    """

    target: TargetId
    proposal: ProposalId
    system: SystemId | None = None
    total_cents: Cents
    allocation: Annotated[dict[Name, Cents], Field(max_length=50)]
    timeline_seconds: Seconds | None = None
    timeline_days: Annotated[int, Field(ge=0, le=100_000)] | None = None
    steps: Annotated[list[Step], Field(max_length=500)]
    outcome_cents: Cents = 0
    schedule: Annotated[list[Spend], Field(max_length=500)] = Field(default_factory=list)
    salt: SaltText | None = None
    signature: SignatureText | None = None

    @model_validator(mode="after")
    def _one_timeline(self) -> Self:
        if (self.timeline_seconds is None) == (self.timeline_days is None):
            raise ValueError("give the timeline once, in seconds or in days")
        return self


class DeclineDeal(Command):
    """Decline a proposed deal: no attempt comes of it (sent by the person)."""

    deal: DealId
    reason: Private | None = None


class SignDeal(Command):
    """Sign the proposed card: the attempt starts, and its numbers are frozen (sent by the person)."""

    deal: DealId
    signature: SignatureText | None = None


class AmendDeal(Command):
    """Rewrite terms of a card. It exists so that the refusal has a name (TB-DEAL-006)."""

    deal: DealId
    total_cents: Cents | None = None
    timeline_seconds: Seconds | None = None
    steps: Annotated[list[Step], Field(max_length=500)] | None = None


class FundEscrow(Command):
    """Put money for the deal into escrow (sent by the person, or by the system as the checkout reports it)."""

    deal: DealId
    amount_cents: Cents


class ReleaseEscrow(Command):
    """Release money without an approval. It exists so that the refusal has a name (TB-COST-002)."""

    deal: DealId
    release: ReleaseName
    amount_cents: Cents


class SettlePayment(Command):
    """Record that payment cleared (sent by the system)."""

    deal: DealId
    amount_cents: Cents
    rail: RailText = "checkout"


class ReverseRelease(Command):
    """Record that a release went back to the person (sent by the system or a steward).

    `kind` says what is left: `partial` while the agent keeps something, `full` when it keeps nothing of the payment,
    `chargeback` when the person's bank took the money back.
    """

    deal: DealId
    release: ReleaseName
    amount_cents: Cents
    kind: Literal["partial", "full", "chargeback"]


class OpenAsk(Command):
    """Ask something that only the person can answer, which pauses the agent's clock (sent by the agent)."""

    deal: DealId
    question: Annotated[Private, Field(min_length=1)]
    answerable_by: Literal["person", "third_party", "agent", "platform"] = "person"


class AnswerAsk(Command):
    """Answer an open ask (sent by the person)."""

    deal: DealId
    ask: AskId
    answer: Private = ""


class RequestOutcomeApproval(Command):
    """Put the finish line to the person (sent by the agent)."""

    deal: DealId


class ApproveOutcome(Command):
    """State over one's signature that the finish line is reached (sent by the person).

    `with_milestone` approves that step in the same act, under a signature of its own.
    """

    deal: DealId
    signature: SignatureText | None = None
    with_milestone: Number | None = None
    milestone_signature: SignatureText | None = None


class DeclineOutcome(Command):
    """Decline the finish line (sent by the person); with `end` the target ends there."""

    deal: DealId
    reason: Private | None = None
    end: bool = False


class AppealOutcome(Command):
    """Contest a decision of the person. It exists so that the refusal has a name (TB-OUT-012)."""

    deal: DealId
    statement: Private = ""


class EndDeal(Command):
    """End the attempt (sent by the person)."""

    deal: DealId
    reason: Private | None = None


class WalkDeal(Command):
    """Walk away from the attempt (sent by the agent); it is on the Passport for ever."""

    deal: DealId
    reason: Private | None = None


class StopDeal(Command):
    """Stop the attempt for safety or law (sent by a steward). `names` is the published rule or law, in public words."""

    deal: DealId
    ground: GroundText
    names: Name
    reason: Private | None = None


class ExpireDeal(Command):
    """Record that the deadline passed without delivery (sent by the system or a steward)."""

    deal: DealId


class LapseDeal(Command):
    """Record that a request which only the person can answer stayed open too long (sent by the system or a steward)."""

    deal: DealId


class SweepDeal(Command):
    """Do what the clock owes on this deal next, if anything is due (sent by the system)."""

    deal: DealId


class DeclareSubsidy(Command):
    """State whether outside subsidy contributed, and money of the agent's own (sent by the agent or its operator)."""

    deal: DealId
    contributed: bool
    own_spending_cents: Annotated[Cents, Field(ge=0)] = 0


class RecordEngineRevenue(Command):
    """Record what an agent-built engine earned towards the want (sent by the agent, its operator or the system)."""

    deal: DealId
    amount_cents: Annotated[Cents, Field(ge=0)]


class RecordSatisfaction(Command):
    """Rate the attempt in one's own voice (sent by the person); optional, and never a condition of success."""

    deal: DealId
    score: Whole
    words: Private | None = None


class RecordInterimOutcome(Command):
    """Record an outcome that fell out on the way (sent by the agent or the person)."""

    deal: DealId
    what: Annotated[Private, Field(min_length=1)]
    sha256: DigestText | None = None
