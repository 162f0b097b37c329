"""The state of a target, folded from the events of its stream."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal, NamedTuple

from ...protocol.envelope import Event
from ..streams import State, replace, stream_kind

KIND = stream_kind("target")

Status = Literal["intake", "refined", "reviewed", "declined", "posted", "withdrawn", "closed_without_pick"]
CLOSED: tuple[Status, ...] = ("withdrawn", "closed_without_pick")


class Odds(NamedTuple):
    """The frozen derivation: reference class, anchor, (dial, step) pairs, nominal sum, and p."""

    reference_class: str
    anchor: Decimal
    dials: tuple[tuple[str, Decimal], ...]
    nominal: Decimal
    p: Decimal


@dataclass(frozen=True)
class Proposal:
    """One sealed proposal. `answered` holds the numbers of the questions that have an answer."""

    id: str
    passport: str
    commitment: str
    card_version: int
    edition: str
    submitted_at: str
    status: Literal["open", "withdrawn", "superseded"] = "open"
    finalist: bool = False
    questions: int = 0
    answered: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Target(State):
    """One want.

    Before posting: `intake_commitment`, `card_commitment` (the card version under work), `reviewed_version` (the card
    version a steward passed), `terms` (given so far). `ceiling_cents`, `tier` and `timeline_seconds` are those of the
    intake until posting freezes them. From posting on: `card`, `card_hash`, `finish_line`, `verification` (at
    posting), `ownership`, `p`. `namings` are the proposals ever named a finalist, in order; `chosen` the proposal
    that is picked now; `edition` the rulebook edition of the posting.
    """

    person: str
    status: Status = "intake"
    recorded_at: str
    intake_commitment: str
    ceiling_cents: int
    tier: str
    timeline_seconds: int
    category: str
    delivery: str
    region: str
    card_version: int = 0
    card_commitment: str | None = None
    finish_form: str | None = None
    reviewed_version: int = 0
    declined: str | None = None
    terms: frozenset[str] = frozenset()
    odds: Odds | None = None
    posted_at: str | None = None
    edition: str | None = None
    card: Mapping[str, Any] | None = None
    card_hash: str | None = None
    finish_line: Mapping[str, str] | None = None
    approval_cadence_seconds: int | None = None
    verification: str | None = None
    ownership: str | None = None
    repost_of: str | None = None
    receipts: tuple[str, ...] = ()
    plan_commitment: str | None = None
    campaign: tuple[str, int] | None = None
    after: str | None = None
    priority_fees_cents: int = 0
    closed_at: str | None = None
    proposals: Mapping[str, Proposal] = field(default_factory=dict)
    namings: tuple[str, ...] = ()
    chosen: str | None = None

    @property
    def p(self) -> Decimal | None:
        """The frozen probability; None until posting freezes it."""
        return self.odds.p if self.odds else None

    @property
    def posted(self) -> bool:
        """Whether the want was ever posted: from then on its frozen fields stand."""
        return self.posted_at is not None

    @property
    def open(self) -> bool:
        """Whether the want is on the board and takes proposals: posted, not closed, nothing picked."""
        return self.status == "posted" and self.chosen is None

    @property
    def parties(self) -> Mapping[str, str]:
        """The poster."""
        return {"poster": self.person}

    def proposal_of(self, passport: str) -> Proposal | None:
        """The agent's present proposal on this target; None where it has none that stands."""
        own = (each for each in self.proposals.values() if each.passport == passport and each.status == "open")
        return next(own, None)


def _change(state: Target, proposal: str, **changes: Any) -> Mapping[str, Proposal]:
    old = state.proposals.get(proposal)
    return state.proposals if old is None else {**state.proposals, proposal: replace(old, **changes)}


@KIND.on("target.intake.recorded")
def _intake(state: Target | None, event: Event) -> Target:
    data = event.data
    return Target(
        id=event.stream,
        person=data["person"],
        recorded_at=event.at,
        intake_commitment=data["intake_commitment"],
        ceiling_cents=data["budget_cents"],
        tier=data["budget_tier"],
        timeline_seconds=data["timeline_seconds"],
        category=data["category"],
        delivery=data["delivery"],
        region=data["region"],
    )


@KIND.on("target.card.refined")
def _refined(state: Target, event: Event) -> Target:
    data = event.data
    return replace(
        state,
        status="refined",
        declined=None,
        card_version=data["card_version"],
        card_commitment=data["card_commitment"],
        finish_form=data["finish_form"],
        ceiling_cents=data["budget_ceiling_cents"],
    )


@KIND.on("target.terms.given")
def _terms(state: Target, event: Event) -> Target:
    return replace(state, terms=state.terms | frozenset(event.data["terms"]))


@KIND.on("target.review.passed")
def _passed(state: Target, event: Event) -> Target:
    return replace(state, status="reviewed", reviewed_version=event.data["card_version"])


@KIND.on("target.review.declined")
def _declined(state: Target, event: Event) -> Target:
    return replace(state, status="declined", declined=event.data["reason_class"], reviewed_version=0)


@KIND.on("target.odds.frozen")
def _frozen(state: Target, event: Event) -> Target:
    data = event.data
    dials = tuple((dial["id"], Decimal(dial["step"])) for dial in data["dials"] or ())
    odds = Odds(data["class"], Decimal(data["anchor"]), dials, Decimal(data["nominal"]), Decimal(data["p"]))
    return replace(state, odds=odds)


@KIND.on("target.posted")
def _posted(state: Target, event: Event) -> Target:
    data = event.data
    return replace(
        state,
        status="posted",
        posted_at=event.at,
        edition=data["edition"],
        pins={**state.pins, "target.posted": data["edition"]},
        card=data["card"],
        card_version=data["card_version"],
        card_hash=data["card_hash"],
        finish_line=data["finish_line"],
        ceiling_cents=data["budget_ceiling_cents"],
        tier=data["budget_tier"],
        timeline_seconds=data["timeline_seconds"],
        approval_cadence_seconds=data["approval_cadence_seconds"],
        verification=data["verification"],
        category=data["category"],
        delivery=data["delivery"],
        region=data["region"],
        ownership=data["ownership"],
    )


@KIND.on("target.reposted")
def _reposted(state: Target, event: Event) -> Target:
    data = event.data
    return replace(
        state,
        repost_of=data["repost_of"],
        receipts=tuple(data["receipts"]),
        plan_commitment=data.get("plan_commitment"),
    )


@KIND.on("campaign.stage.linked")
def _linked(state: Target, event: Event) -> Target:
    data = event.data
    return replace(state, campaign=(data["root"], data["stage"]), after=data["after"])


@KIND.on("target.priority_purchased")
def _priority(state: Target, event: Event) -> Target:
    return replace(state, priority_fees_cents=state.priority_fees_cents + event.data["fee_cents"])


@KIND.on("target.withdrawn", "target.closed")
def _closed(state: Target, event: Event) -> Target:
    return replace(state, status=event.data["state"], closed_at=event.at)


@KIND.on("proposal.submitted")
def _submitted(state: Target, event: Event) -> Target:
    data = event.data
    proposal = Proposal(
        data["proposal"],
        data["passport"],
        data["proposal_commitment"],
        data["card_version"],
        data["edition"],
        event.at,
    )
    return replace(state, proposals={**state.proposals, proposal.id: proposal})


@KIND.on("proposal.withdrawn", "proposal.superseded")
def _taken_back(state: Target, event: Event) -> Target:
    status = event.type.partition(".")[2]
    chosen = None if state.chosen == event.data["proposal"] else state.chosen
    return replace(state, proposals=_change(state, event.data["proposal"], status=status), chosen=chosen)


@KIND.on("proposal.finalist_named")
def _named(state: Target, event: Event) -> Target:
    proposal = event.data["proposal"]
    namings = state.namings if proposal in state.namings else (*state.namings, proposal)
    return replace(state, proposals=_change(state, proposal, finalist=True), namings=namings)


@KIND.on("proposal.question_asked")
def _asked(state: Target, event: Event) -> Target:
    data = event.data
    return replace(state, proposals=_change(state, data["proposal"], questions=data["question"]))


@KIND.on("proposal.answer_filed")
def _answered(state: Target, event: Event) -> Target:
    data = event.data
    proposal = state.proposals.get(data["proposal"])
    answered = (*proposal.answered, data["question"]) if proposal else ()
    return replace(state, proposals=_change(state, data["proposal"], answered=answered))


@KIND.on("proposal.chosen")
def _chosen(state: Target, event: Event) -> Target:
    return replace(state, chosen=event.data["proposal"])


def _index(state: Any) -> Iterator[tuple[str, str]]:
    """A person's targets; an agent's proposals; what a want was posted again as; the next stages of a campaign."""
    if not isinstance(state, Target):
        return
    yield ("targets_of_person", state.person)
    for passport in {proposal.passport for proposal in state.proposals.values()}:
        yield ("targets_of_agent", passport)
    if state.repost_of:
        yield ("reposts_of_target", state.repost_of)
    if state.after:
        yield ("stages_after_target", state.after)


KIND.index = _index
