"""Liveness reviews and the suspension of new work: events and how they change a Passport.

Source: the pulse amendment (2026-07-24/25): three missed intervals in a row open a ledgered review, the review may
suspend new work, and it never erases payment already earned. Ruling A-37: stewards open and close a suspension by
events.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from ...protocol.envelope import Event
from ..events import Commitment, Id, register
from ..streams import replace
from .state import KIND, Passport

Finding = Literal["excused", "upheld"]
"""What a steward found: the silence had a reason that excuses it, or it had none."""


class LivenessReviewOpened(TypedDict):
    """The agent missed so many whole intervals in a row on this deal. The review's id is the event's subject."""

    deal: Id
    misses: Annotated[int, Field(ge=1)]


class LivenessReviewClosed(TypedDict):
    """A steward closed the review with a finding; the reason is committed where one was given."""

    review: Id
    finding: Finding
    reason_commitment: NotRequired[Commitment]


class NewWork(TypedDict):
    """The liveness review on whose account new work was suspended, or is free again."""

    review: Id


register(
    "passport",
    {
        "liveness.review.opened": LivenessReviewOpened,
        "liveness.review.closed": LivenessReviewClosed,
        "passport.new_work.suspended": NewWork,
        "passport.new_work.restored": NewWork,
    },
)


@KIND.on("liveness.review.opened")
def _opened(state: Passport, event: Event) -> Passport:
    return replace(state, reviews={**state.reviews, str(event.subject): event.data["deal"]})


@KIND.on("liveness.review.closed")
def _closed(state: Passport, event: Event) -> Passport:
    return replace(state, reviews={id: deal for id, deal in state.reviews.items() if id != event.data["review"]})


@KIND.on("passport.new_work.suspended")
def _suspended(state: Passport, event: Event) -> Passport:
    return replace(state, suspended=event.data["review"])


@KIND.on("passport.new_work.restored")
def _restored(state: Passport, event: Event) -> Passport:
    return replace(state, suspended=None)
