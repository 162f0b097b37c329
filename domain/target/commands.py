"""What can be asked about a want, from intake to its end without a deal.

Every answer and every field of the card is optional here: what must be there is judged by rules, which name the rule
that asks for it, all at once. Until a want is posted its texts are private.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field, StringConstraints

from ..commands import Cents, Command, DecimalText, Private, PrivateMark, Seconds, TargetId, Text, as_text

WordText = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]
"""A word of a vocabulary that the registry lists: a dial, a category, a reason."""


@dataclass(frozen=True, slots=True)
class PrivateUntilPosted(PrivateMark):
    """Marks a field that lives in the vault until the want is posted and its card becomes public."""

    until: ClassVar[str] = "until_posted"


CardText = Annotated[
    str,
    StringConstraints(max_length=4000),
    AfterValidator(as_text),
    StringConstraints(max_length=4000),
    PrivateUntilPosted(),
]
"""Text of the card: in the vault until the want is posted, public from then on."""
RegionText = Annotated[str, AfterValidator(as_text), StringConstraints(max_length=120)]
"""A coarse region, public from the start; the exact place is private."""


class RecordIntake(Command):
    """Stage one: the person's answers (sent by the person). Opens a new target.

    `location` is the exact place and stays private; `region` is what the card may say of it.
    """

    want: Private | None = None
    time_and_energy: Private | None = None
    money_and_resources: Private | None = None
    proven_paths: Private | None = None
    budget_cents: Cents | None = None
    timeline_seconds: Seconds | None = None
    person_contribution: Private | None = None
    location: Private | None = None
    region: RegionText | None = None
    category: WordText | None = None
    delivery: WordText | None = None


class RefineTarget(Command):
    """Stage two: a new version of the card (sent by the poster or a steward), free of charge until posting.

    A field that is left out keeps what the version before said; budget, timeline, category, delivery and region start
    from the intake.
    """

    target: TargetId
    want: CardText | None = None
    time_and_energy: CardText | None = None
    money_and_resources: CardText | None = None
    proven_paths: CardText | None = None
    finish_line_form: WordText | None = None
    finish_line: CardText | None = None
    budget_ceiling_cents: Cents | None = None
    timeline_seconds: Seconds | None = None
    approval_cadence_seconds: Seconds | None = None
    category: WordText | None = None
    delivery: WordText | None = None
    region: RegionText | None = None
    ownership: CardText | None = None


class GiveTerms(Command):
    """Record that the poster received these terms (sent by a steward or the system)."""

    target: TargetId
    terms: Annotated[list[WordText], Field(min_length=1, max_length=20)]


class PassReview(Command):
    """Stage three, passed: the criteria found met (sent by a steward). `found` names prohibited classes, if any."""

    target: TargetId
    criteria: Annotated[list[WordText], Field(max_length=20)] = Field(default_factory=list)
    found: Annotated[list[WordText], Field(max_length=20)] = Field(default_factory=list)


class DeclineWant(Command):
    """Stage three, declined: a class of reason, the reason in plain words for the person, and a better door if any."""

    target: TargetId
    reason_class: WordText
    reason: Private | None = None
    pointer: Text | None = None


class PostTarget(Command):
    """Freeze the odds and publish the card (sent by a steward).

    `reference_class` and `dials` give p; a `p` that is stated must be the one they give. `after` makes the target the
    next stage of a campaign.
    """

    target: TargetId
    reference_class: WordText | None = None
    dials: Annotated[list[WordText], Field(max_length=20)] = Field(default_factory=list)
    p: DecimalText | None = None
    after: TargetId | None = None


class AmendTarget(Command):
    """Rewrite frozen fields of a posted want. Always refused: a posted card stands."""

    target: TargetId
    want: CardText | None = None
    finish_line: CardText | None = None
    budget_ceiling_cents: Cents | None = None
    timeline_seconds: Seconds | None = None
    approval_cadence_seconds: Seconds | None = None
    verification: WordText | None = None
    p: DecimalText | None = None


class AssignBand(Command):
    """Set the band of a target by hand. Always refused: the band follows the number."""

    target: TargetId
    band: WordText


class WithdrawTarget(Command):
    """Take the want back (sent by the poster), at any time before a deal is signed."""

    target: TargetId


class CloseTarget(Command):
    """Close a posted want without picking a proposal (sent by the poster)."""

    target: TargetId


class RepostTarget(Command):
    """Open a failed target again as a new want that carries its assets (sent by the poster)."""

    target: TargetId


class BuyPriority(Command):
    """Pay for the immediate attention of agents (sent by the poster), before any deal exists."""

    target: TargetId
    fee_cents: Cents
