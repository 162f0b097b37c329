"""Integrity reviews of an attempt: screening, suspicion, findings, invalidation. Nothing is ever erased.

Source: paper, sections 2.2 (Verification and integrity states) and 4 (Related-party and self-payment controls); rulings
A-05, A-67 and A-72. The same evidence decides hits and misses: a review holds any attempt provisional, whatever its o.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from ...protocol.envelope import Event
from ..commands import Command, DealId, Private, ReviewId, handles
from ..events import Commitment, Id, Word, register
from ..streams import replace
from ..world import Proposed, World
from .integrity import settle_integrity
from .state import KIND, Deal

Finding = Literal["cleared", "confirmed"]
"""What a review found: the suspicion fell away, or it is confirmed."""
GroundName = Annotated[str, Field(pattern=r"^[a-z][a-z_]*$", max_length=60)]
"""The name of a ground or an indicator; the rules list them."""


class ReviewOpened(TypedDict):
    """An integrity review, on what ground. What raised the suspicion is committed."""

    review: Id
    ground: Word
    suspicion_commitment: NotRequired[Commitment]


class ReviewClosed(TypedDict):
    """The review ended with a finding on its ground; the reasons are committed."""

    review: Id
    ground: Word
    finding: Finding
    reasons_commitment: NotRequired[Commitment]


class ScreeningRecorded(TypedDict):
    """Screening saw these indicators between poster and operator; what exactly is committed. No finding by itself."""

    indicators: Annotated[list[Word], Field(min_length=1)]
    evidence_commitment: Commitment


class RelatedPartyFound(TypedDict):
    """Whether one beneficial party stands on both sides, as a steward found it."""

    related: bool
    reasons_commitment: NotRequired[Commitment]


register(
    "deal",
    {
        "integrity.review.opened": ReviewOpened,
        "integrity.review.closed": ReviewClosed,
        "integrity.screening.recorded": ScreeningRecorded,
        "integrity.related_party.found": RelatedPartyFound,
    },
)


@KIND.on("integrity.review.opened")
def _opened(state: Deal, event: Event) -> Deal:
    return replace(state, reviews={**state.reviews, event.data["review"]: event.data["ground"]})


@KIND.on("integrity.review.closed")
def _closed(state: Deal, event: Event) -> Deal:
    data = event.data
    left = {id: ground for id, ground in state.reviews.items() if id != data["review"]}
    confirmed = data["ground"] if data["finding"] == "confirmed" else state.confirmed
    return replace(state, reviews=left, confirmed=confirmed)


@KIND.on("integrity.related_party.found")
def _related(state: Deal, event: Event) -> Deal:
    return replace(state, related=event.data["related"])


class OpenReview(Command):
    """Open an integrity review of an attempt on a named ground (sent by a steward); it stays provisional meanwhile."""

    deal: DealId
    ground: GroundName
    suspicion: Private | None = None


class CloseReview(Command):
    """Close an integrity review: cleared, or confirmed, which invalidates the attempt (sent by a steward)."""

    deal: DealId
    review: ReviewId
    finding: Finding
    reasons: Private | None = None


class InvalidateOutcome(Command):
    """Invalidate a resolved attempt on a named integrity finding (sent by a steward)."""

    deal: DealId
    ground: GroundName
    reasons: Private | None = None


class RecordScreening(Command):
    """Record what screening saw between poster and operator (sent by the system or a steward).

    `indicators` are from the list of TB-INTEG-010; `evidence` is read by stewards alone.
    """

    deal: DealId
    indicators: Annotated[list[GroundName], Field(min_length=1, max_length=20)]
    evidence: Private = ""


class RecordRelatedParty(Command):
    """Record whether one beneficial party stands on both sides of a deal (sent by a steward)."""

    deal: DealId
    related: bool
    reasons: Private | None = None


def _committed(world: World, deal: Deal, kind: str, text: str | None) -> dict[str, str]:
    """The commitment field for a private text that only stewards read; empty where there is none."""
    if text is None:
        return {}
    return {f"{kind}_commitment": world.commit(kind, {"text": text}, subject=deal.id, readers=("steward",))}


@handles(OpenReview)
def open_review(cmd: OpenReview, world: World) -> Iterator[Proposed]:
    """Open the review; an official attempt turns provisional while it is open (ruling A-67)."""
    deal = Deal.of(world, cmd.deal)
    data = {"review": world.new_id("review"), "ground": cmd.ground}
    yield Proposed(
        deal.id, "integrity.review.opened", data | _committed(world, deal, "suspicion", cmd.suspicion), data["review"]
    )
    yield from settle_integrity(world, deal.id)


@handles(CloseReview)
def close_review(cmd: CloseReview, world: World) -> Iterator[Proposed]:
    """Close the review. Clearance lets the attempt settle, a confirmed finding invalidates it."""
    deal = Deal.of(world, cmd.deal)
    ground = deal.reviews.get(cmd.review)
    if ground is None:
        world.lacks("review", f"{deal.id} has no open review {cmd.review}", "name a review of this deal that is open")
        return
    data = {"review": cmd.review, "ground": ground, "finding": cmd.finding}
    yield Proposed(
        deal.id, "integrity.review.closed", data | _committed(world, deal, "reasons", cmd.reasons), cmd.review
    )
    yield from settle_integrity(world, deal.id)


@handles(InvalidateOutcome)
def invalidate_outcome(cmd: InvalidateOutcome, world: World) -> Iterator[Proposed]:
    """A finding that needs no open review first: it is recorded as confirmed, and the invalidation follows."""
    deal = Deal.of(world, cmd.deal)
    review = world.new_id("review")
    data = {"review": review, "ground": cmd.ground, "finding": "confirmed"}
    yield Proposed(deal.id, "integrity.review.closed", data | _committed(world, deal, "reasons", cmd.reasons), review)
    yield from settle_integrity(world, deal.id)


@handles(RecordScreening)
def record_screening(cmd: RecordScreening, world: World) -> Iterator[Proposed]:
    """Record signals. They hold nothing by themselves; a steward who finds them suspicious opens a review."""
    deal = Deal.of(world, cmd.deal)
    data = {"indicators": list(dict.fromkeys(cmd.indicators))}
    yield Proposed(deal.id, "integrity.screening.recorded", data | _committed(world, deal, "evidence", cmd.evidence))


@handles(RecordRelatedParty)
def record_related_party(cmd: RecordRelatedParty, world: World) -> Iterator[Proposed]:
    """Record the finding. In a paid attempt one party on both sides is a confirmed prohibited relation."""
    deal = Deal.of(world, cmd.deal)
    data = {"related": cmd.related}
    yield Proposed(deal.id, "integrity.related_party.found", data | _committed(world, deal, "reasons", cmd.reasons))
    yield from settle_integrity(world, deal.id)
