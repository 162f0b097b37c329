"""Work pulses: what an agent posts about a running deal, what a sweep finds overdue, and the events of both.

Source: the pulse amendment (2026-07-24/25). What a pulse says goes to the vault, for three readers; the public event
has times and a commitment only (ruling A-66). A pulse opens no ask, counts as no delivery and releases nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from ...protocol.envelope import Event
from ...rules.evaluators import computes
from ..commands import Command, DealId, InstantText, PassportId, Private, handles
from ..events import Cents, Commitment, Id, Instant, register
from ..milestone.commands import Number
from ..passport.state import Passport
from ..streams import replace
from ..world import Proposed, World
from .pulse import after, whole_intervals
from .state import DUE, KIND, Deal

PULSE = "pulse"
"""What the vault calls the content of a pulse."""


class CheckInPosted(TypedDict):
    """A pulse about a step: when the next one is due, and a commitment to what it says."""

    step: Annotated[int, Field(ge=1)]
    next_due_at: Instant
    pulse_commitment: Commitment


class CheckInOverdue(TypedDict):
    """A due time passed without a pulse. `misses` counts whole missed intervals in a row; `next_due_at` is when the
    next one is due, null while a liveness review rests the clock."""

    due_at: Instant
    misses: Annotated[int, Field(ge=0)]
    next_due_at: Instant | None


class PulseDueSet(TypedDict):
    """The due time of the next pulse was set anew: at signing, at an answer, or when a liveness review closed."""

    next_due_at: Instant


class PaymentForfeited(TypedDict):
    """Earned payment taken back on account of a liveness review. TB-PULSE-018 refuses it always."""

    review: Id
    amount_cents: Cents


register(
    "deal",
    {
        "agent.checkin.posted": CheckInPosted,
        "agent.checkin.overdue": CheckInOverdue,
        "deal.pulse_due.set": PulseDueSet,
        "deal.payment.forfeited": PaymentForfeited,
    },
)


@KIND.on("agent.checkin.posted")
def _posted(state: Deal, event: Event) -> Deal:
    data = event.data
    return replace(
        state, pulse=state.pulse.pulsed(event.at, data["next_due_at"], data["step"], data["pulse_commitment"])
    )


@KIND.on("agent.checkin.overdue")
def _overdue(state: Deal, event: Event) -> Deal:
    return replace(state, pulse=state.pulse.missed(event.data["misses"], event.data["next_due_at"]))


@KIND.on("deal.pulse_due.set")
def _due_set(state: Deal, event: Event) -> Deal:
    return replace(state, pulse=state.pulse.due_set(event.at, event.data["next_due_at"]))


class PostCheckIn(Command):
    """Post a work pulse on a running deal (sent by its agent).

    `changed`, `now` and `next` are required, "no change" is a fine answer; `blocker` is optional. `step` is the
    committed step it is about, by default the first one that is not approved. The bench sets the next due time: a
    `next_due_at` sent along is refused, and so is a pulse that wants to ask the person something or to have work
    approved (`asks_person`, `requests_approval`): those have commands of their own.
    """

    deal: DealId
    step: Number | None = None
    changed: Private | None = None
    now: Private | None = None
    next: Private | None = None
    blocker: Private | None = None
    progress_percent: Annotated[int, Field(ge=-(2**31), le=2**31)] | None = None
    next_due_at: InstantText | None = None
    asks_person: bool = False
    requests_approval: bool = False


class SweepOverdue(Command):
    """Record that the due time of a pulse passed (sent by the system or a steward). The sweep of a deal does it too."""

    deal: DealId


class OpenLivenessReview(Command):
    """Open a liveness review by hand (sent by a steward); the sweep opens it by itself when it is due."""

    passport: PassportId
    deal: DealId


def pulse_due(deal: Deal) -> str | None:
    """When the next pulse of this deal is owed; None while none is (TB-PULSE-020)."""
    return deal.pulse.owed_at(deal.turn_since)


DUE.append(lambda state: pulse_due(state) if isinstance(state, Deal) else None)


def current_step(deal: Deal) -> int:
    """The first committed step that is not approved, or the last one."""
    waiting = (number for number, step in deal.milestones.items() if step.status != "approved")
    return next(waiting, len(deal.milestones))


def set_due(world: World, deal_id: str) -> Iterator[Proposed]:
    """Set the due time anew where the agent has the turn; to be yielded after a signing or an answer."""
    deal = Deal.of(world, deal_id)
    if deal.turn_since is not None:
        seconds = world.law_of(deal).params("TB-PULSE-020")["first_due"]
        yield Proposed(deal_id, "deal.pulse_due.set", {"next_due_at": after(world.at, seconds)})


def overdue(world: World, deal_id: str, until: str) -> Iterator[Proposed]:
    """Every due time that passed at or before `until`, in order, and the liveness review when one is due."""
    deal = Deal.of(world, deal_id)
    due = pulse_due(deal)
    while due is not None and due <= until:
        misses, following = _miss(world, deal, due)
        yield Proposed(deal_id, "agent.checkin.overdue", {"due_at": due, "misses": misses, "next_due_at": following})
        if following is None and not _under_review(world, deal):
            yield _review(world, deal, misses)
        # The next due time is worked out here and not read back: a proof run may have left the event out.
        deal, due = replace(deal, pulse=deal.pulse.missed(misses, following)), following


def _miss(world: World, deal: Deal, due: str) -> tuple[int, str | None]:
    """How many whole intervals are missed at this due time, and when to look again (None: a review is due)."""
    params = world.law_of(deal).params("TB-PULSE-016")
    since = deal.pulse.since or due
    misses = whole_intervals(since, due, params["interval"])
    if misses >= params["consecutive_misses"]:
        return misses, None
    return misses, after(since, (misses + 1) * params["interval"])


def _under_review(world: World, deal: Deal) -> bool:
    passport = world.state(deal.passport)
    return isinstance(passport, Passport) and deal.id in passport.reviews.values()


def _review(world: World, deal: Deal, misses: int) -> Proposed:
    data = {"deal": deal.id, "misses": misses}
    return Proposed(deal.passport, "liveness.review.opened", data, subject=world.new_id("review"))


@handles(SweepOverdue)
def sweep_overdue(cmd: SweepOverdue, world: World) -> Iterator[Proposed]:
    """Record what is overdue; where nothing is, the guards say so."""
    deal = Deal.of(world, cmd.deal)
    due = pulse_due(deal)
    if due is not None and due <= world.at:
        yield from overdue(world, deal.id, world.at)
        return
    named = deal.pulse.next_due_at or world.at
    misses, following = _miss(world, deal, named)
    yield Proposed(deal.id, "agent.checkin.overdue", {"due_at": named, "misses": misses, "next_due_at": following})


@handles(OpenLivenessReview)
def open_liveness_review(cmd: OpenLivenessReview, world: World) -> Iterator[Proposed]:
    """Open a review on the misses that are recorded."""
    passport, deal = Passport.of(world, cmd.passport), Deal.of(world, cmd.deal)
    if deal.passport != passport.id:
        world.lacks("deal", f"{deal.id} is no deal of {passport.id}", "name a deal of this agent")
        return
    yield _review(world, deal, max(1, deal.pulse.misses))


@handles(PostCheckIn)
def post_check_in(cmd: PostCheckIn, world: World) -> Iterator[Proposed]:
    """Commit to the content, and publish that a pulse was posted and when the next one is due."""
    deal = Deal.of(world, cmd.deal)
    step = current_step(deal) if cmd.step is None else cmd.step
    if step not in deal.milestones:
        world.lacks("step", f"{deal.id} has no step {step}", f"name a step from 1 to {len(deal.milestones)}")
        return
    law = world.law_of(deal)
    seconds = law.params("TB-PULSE-004")["interval"]
    content = {
        "deal": deal.id,
        "step": step,
        "changed": cmd.changed,
        "now": cmd.now,
        "next": cmd.next,
        "blocker": cmd.blocker,
        "progress_percent": cmd.progress_percent,
    }
    parties = {"agent": deal.passport, "person_on_target": deal.person, "steward": "steward"}
    readers = [parties[reader] for reader in law.params("TB-PULSE-009")["readers"]]
    commitment = world.commit(PULSE, content, subject=deal.id, readers=readers)
    data = {
        "step": step,
        "next_due_at": cmd.next_due_at or after(world.at, seconds),
        "pulse_commitment": commitment,
    }
    yield Proposed(deal.id, "agent.checkin.posted", data, subject=f"milestone-{step}")
    yield from _unfit_for_a_pulse(cmd, deal, commitment, world)


def _unfit_for_a_pulse(cmd: PostCheckIn, deal: Deal, commitment: str, world: World) -> Iterator[Proposed]:
    """What a pulse may not do. It is proposed so that the rules can say so."""
    if cmd.asks_person:
        data: dict[str, Any] = {
            "ask": world.new_id("ask"),
            "answerable_by": "person",
            "question_commitment": commitment,
            "lapses_at": after(world.at, world.law_of(deal).params("TB-OUT-015")["lapse_after"]),
        }
        yield Proposed(deal.id, "ask.opened", data)
    if cmd.requests_approval:
        lapses_at = after(world.at, world.law_of(deal).params("TB-OUT-015")["lapse_after"])
        yield Proposed(deal.id, "outcome.approval.requested", {"lapses_at": lapses_at})


@computes("TB-PULSE-002", neutral=False)
def may_stand_still(params: Mapping[str, Any]) -> bool:
    """TB-PULSE-002: a pulse may report the same percentage as the last one: "no change" is valid."""
    return True
