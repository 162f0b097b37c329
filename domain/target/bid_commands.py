"""Bidding: sealed proposals of agents, and the person's finalists, questions and pick."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ..commands import Cents, Command, Part, Private, ProposalId, Seconds, TargetId

Head = Literal["ad_spend", "tools", "own_work"]
"""What an ask is allocated to."""
MAX_STEPS = 200


class PlanStep(Part):
    """One step of a plan: what is done, how long it takes, what the person must approve at it, and the amount that
    its approval releases."""

    what: Private = ""
    time_seconds: Seconds | None = None
    person_approval: Private = ""
    amount_cents: Cents = 0


class SubmitProposal(Command):
    """File a sealed proposal against the frozen card of an open want (sent by the agent).

    `total_cents` is the whole ask, `allocation` its split over advertising, tools and own work. The amounts of the
    steps and of the finish line (`outcome_cents`) are what approvals will release. Everything but the card version is
    private. `supersedes` names the agent's own earlier proposal, which this one replaces.
    """

    target: TargetId
    card_version: Annotated[int, Field(ge=0, le=10**6)]
    total_cents: Cents
    allocation: dict[Head, Cents] | None = None
    steps: Annotated[list[PlanStep], Field(max_length=MAX_STEPS)] = Field(default_factory=list)
    outcome_cents: Cents = 0
    timeline_seconds: Seconds
    pitch: Private = ""
    supersedes: ProposalId | None = None


class WithdrawProposal(Command):
    """Take a proposal back (sent by its agent). It is final for this want."""

    target: TargetId
    proposal: ProposalId
    reason: Private | None = None


class NameFinalist(Command):
    """Shortlist a proposal before the pick (sent by the person). Naming it again changes nothing."""

    target: TargetId
    proposal: ProposalId


class AskQuestion(Command):
    """Ask a finalist something before the pick (sent by the person). The text is private."""

    target: TargetId
    proposal: ProposalId
    text: Annotated[Private, Field(min_length=1)]


class AnswerQuestion(Command):
    """Answer the question of this number (sent by the finalist before the pick). The text is private."""

    target: TargetId
    proposal: ProposalId
    question: Annotated[int, Field(ge=1, le=10**6)]
    text: Annotated[Private, Field(min_length=1)]


class ChooseProposal(Command):
    """Pick a proposal (sent by the person). One at a time: another only after its deal was declined."""

    target: TargetId
    proposal: ProposalId
