"""What is public of a target: before posting its figures and commitments, from posting on the whole card."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from ..events import Cents, Commitment, Digest, Id, Probability, PublicText, Seconds, SignedDecimal, Word, register

Version = Annotated[int, Field(ge=1)]
"""A card version, counted from 1."""
Edition = Annotated[str, StringConstraints(pattern=r"^[0-9]+\.[0-9]+\.[0-9]+[0-9a-z.-]*$")]
"""The version of a rulebook edition."""
Region = Annotated[str, StringConstraints(max_length=120)]
"""A coarse region, never an address (ruling A-48)."""
Words = list[Word]


class IntakeRecorded(TypedDict):
    """The answers given, by name; the texts are committed. `answers` and `factors` name what was stated."""

    person: Id
    intake_commitment: Commitment
    answers: Words
    factors: Words
    budget_cents: Cents
    budget_tier: Word
    timeline_seconds: Seconds
    category: Word
    delivery: Word
    region: Region


class CardRefined(TypedDict):
    """A new version of the card, committed until posting; `fields` names the card fields that it states."""

    card_version: Version
    card_commitment: Commitment
    fields: Words
    finish_form: Word
    budget_ceiling_cents: Cents


class TermsGiven(TypedDict):
    """The terms that a participant received before the target becomes active."""

    terms: Words
    to: Id


class ReviewPassed(TypedDict):
    """The criteria a steward found met for this card version, and the prohibited classes found (none, by rule)."""

    card_version: Version
    criteria: Words
    found: Words


class ReviewDeclined(TypedDict):
    """A class of reason, a commitment to the reason in plain words, and where there is one a better door."""

    reason_class: Word
    reason_commitment: Commitment | None
    pointer: NotRequired[PublicText]


class DialStep(TypedDict):
    """A dial that was turned and its signed step."""

    id: Word
    step: SignedDecimal


OddsFrozen = TypedDict(
    "OddsFrozen",
    {
        "class": Word,
        "anchor": Probability,
        "dials": list[DialStep],
        "nominal": SignedDecimal,
        "p": Probability,
    },
)
OddsFrozen.__doc__ = """The whole derivation of the frozen probability: reference class, anchor, dial steps, their sum,
and p."""


class Baseline(TypedDict):
    """Where the person stands, one text for each of the three universal factors."""

    time_and_energy: PublicText
    money_and_resources: PublicText
    proven_paths: PublicText


class Card(TypedDict):
    """The words of the card: the want and the baseline."""

    want: PublicText
    baseline: Baseline


class FinishLine(TypedDict):
    """One of the three concrete forms, and what exactly will have happened."""

    form: Word
    statement: PublicText


class Stage(TypedDict):
    """Where a target stands in a campaign: the root target's id, this stage's number, its predecessor."""

    root: Id
    stage: Annotated[int, Field(ge=1)]
    after: NotRequired[Id]


class TargetPosted(TypedDict):
    """The frozen target: everything a bidder relies on, under one card version and hash."""

    person: Id
    card: Card
    card_version: Version
    card_hash: Digest
    budget_ceiling_cents: Cents
    budget_tier: Word
    timeline_seconds: Seconds
    approval_cadence_seconds: Seconds
    finish_line: FinishLine
    verification: Literal["verified", "unverified"]
    category: Word
    delivery: Word
    region: Region
    ownership: PublicText
    p: Probability
    edition: Edition
    repost_of: NotRequired[Id]
    campaign: NotRequired[Stage]


class TargetAmended(TypedDict):
    """Frozen fields rewritten after posting. TB-TARGET-012 refuses it always."""

    fields: Words


class BandAssigned(TypedDict):
    """A band set by hand. TB-BAND-003 refuses it always."""

    band: Word


class TargetReposted(TypedDict):
    """This want is a failed target posted again: the old target and deal, and the assets carried over: receipts by
    hash, and the private plan by its commitment."""

    repost_of: Id
    deal: Id
    receipts: list[Digest]
    plan_commitment: NotRequired[Commitment]


class StageLinked(TypedDict):
    """This target is the next stage of a campaign."""

    root: Id
    stage: Annotated[int, Field(ge=2)]
    after: Id


class PriorityPurchased(TypedDict):
    """A posting-priority fee, a line of its own and never part of the cost to the person."""

    fee_cents: Cents


class TargetWithdrawn(TypedDict):
    """The person took the want back before any deal was signed."""

    state: Literal["withdrawn"]


class TargetClosed(TypedDict):
    """The person closed the want without picking a proposal."""

    state: Literal["closed_without_pick"]


class ProposalSubmitted(TypedDict):
    """A sealed proposal: whose it is, which card version it answers, a commitment to its body."""

    proposal: Id
    passport: Id
    card_version: Version
    proposal_commitment: Commitment
    edition: Edition


class ProposalNamed(TypedDict):
    """A proposal that was named a finalist, or chosen, and the agent it belongs to."""

    proposal: Id
    passport: Id


class ProposalWithdrawn(TypedDict):
    """A proposal that its agent took back; the reason is committed where one was given."""

    proposal: Id
    passport: Id
    reason_commitment: NotRequired[Commitment]


class ProposalSuperseded(TypedDict):
    """A proposal that its agent replaced by a later one."""

    proposal: Id
    passport: Id
    by: Id


class QuestionAsked(TypedDict):
    """A question of the person to a finalist, by its number; the text is committed."""

    proposal: Id
    question: Annotated[int, Field(ge=1)]
    question_commitment: Commitment


class AnswerFiled(TypedDict):
    """A finalist's answer to the question of that number; the text is committed."""

    proposal: Id
    passport: Id
    question: Annotated[int, Field(ge=1)]
    answer_commitment: Commitment


register(
    "target",
    {
        "target.intake.recorded": IntakeRecorded,
        "target.card.refined": CardRefined,
        "target.terms.given": TermsGiven,
        "target.review.passed": ReviewPassed,
        "target.review.declined": ReviewDeclined,
        "target.odds.frozen": OddsFrozen,
        "target.posted": TargetPosted,
        "target.amended": TargetAmended,
        "target.band.assigned": BandAssigned,
        "target.reposted": TargetReposted,
        "campaign.stage.linked": StageLinked,
        "target.priority_purchased": PriorityPurchased,
        "target.withdrawn": TargetWithdrawn,
        "target.closed": TargetClosed,
        "proposal.submitted": ProposalSubmitted,
        "proposal.withdrawn": ProposalWithdrawn,
        "proposal.superseded": ProposalSuperseded,
        "proposal.finalist_named": ProposalNamed,
        "proposal.question_asked": QuestionAsked,
        "proposal.answer_filed": AnswerFiled,
        "proposal.chosen": ProposalNamed,
    },
)
