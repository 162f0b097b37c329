"""How an attempt ends: which terminal state, at which instant, with which outcome.

Sources: paper, sections 2.2 (Resolved and delivered) and 5 (time gates completion); rulings A-06 to A-10 and A-59.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...rules.evaluators import computes
from ...rules.law import Law
from ..world import Proposed, World
from .integrity import settle_integrity
from .pulse import after
from .state import Deal

Candidate = tuple[str, str]
"""What could resolve the attempt (`approval`, `lapse` or `expiry`), and at which instant."""
BY_CLOCK = {"lapse": "lapsed", "expiry": "expired"}


@computes("TB-OUT-005", neutral=False)
def is_terminal(params: Mapping[str, Any], resolution: str | None) -> bool:
    """TB-OUT-005: whether this is one of the states in which a target is resolved, good or bad."""
    return resolution in params["terminal_states"] or resolution in params["ruled_states"]


@computes("TB-OUT-009", neutral=True)
def in_time(params: Mapping[str, Any], at: str, deadline: str) -> bool:
    """TB-OUT-009 (ruling A-09): whether an approval at this instant lands within the deal timeline."""
    return at <= deadline if params["deadline_inclusive"] else at < deadline


@computes("TB-OUT-010", neutral=None)
def outcome_of_ending(params: object, listed: int) -> int | None:
    """TB-OUT-010: an attempt that the person ends has the outcome of a failure, as TB-OUT-005 lists it."""
    return listed


@computes("TB-OUT-016", neutral=lambda at, deadline: deadline)
def resolved_by_approval(params: object, at: str, deadline: str) -> str:
    """TB-OUT-016: a success resolves at the instant of the person's approval."""
    return at


@computes("TB-OUT-017", neutral=lambda listed, approved_steps: int(approved_steps > 0))
def outcome_without_finish_line(params: object, listed: int, approved_steps: int) -> int:
    """TB-OUT-017: without the finish line the outcome is the listed one, however many steps were approved."""
    return listed


def _at_the_sweep(candidates: Sequence[Candidate], at: str) -> Candidate | None:
    return (candidates[0][0], at) if candidates else None


@computes("TB-OUT-019", neutral=_at_the_sweep)
def first_due(params: Mapping[str, Any], candidates: Sequence[Candidate], at: str) -> Candidate | None:
    """TB-OUT-019 (ruling A-59): the candidate that resolves: the earliest due instant, at a tie in the ruled order.

    The resolution carries that instant, whenever the sweep (`at`) ran.
    """
    order = {name: place for place, name in enumerate(params["tie_order"])}
    return min(candidates, key=lambda each: (each[1], order[each[0]]), default=None)


def lapses_at(world: World, deal: Deal) -> str:
    """When the target lapses if what is put to the person now stays unanswered (ruling A-06)."""
    return after(world.at, world.law_of(deal).params("TB-OUT-015")["lapse_after"])


def passed(law: Law, deal: Deal, at: str, *, lapse_now: bool = False) -> list[Candidate]:
    """What the clock already owes at this instant: lapses that fell due before it (with `lapse_now`, at it too), and
    the expiry once the deadline is over."""
    lapses = (due for due in deal.requests.values() if due < at or (lapse_now and due == at))
    found = [("lapse", due) for due in lapses]
    if deal.deadline is not None and not in_time(law, at, deal.deadline):
        found.append(("expiry", deal.deadline))
    return found


def outcome(law: Law, deal: Deal, resolution: str) -> int | None:
    """The outcome o of a resolution: 1, 0, or None where the attempt is unscored."""
    listed = law.params("TB-OUT-005")["outcome_of"].get(resolution)
    if resolution == "stopped":
        return None if law.params("TB-OUT-018")["unscored"] else 0
    if resolution == "lapsed" and not law.params("TB-OUT-015")["lapse_scored"]:
        return None
    if resolution == "ended":
        return outcome_of_ending(law, listed)
    if resolution in ("expired", "declined"):
        approved = sum(1 for step in deal.milestones.values() if step.status == "approved")
        return outcome_without_finish_line(law, listed, approved)
    return None if listed is None else int(listed)


def resolve(world: World, deal_id: str, resolution: str, resolved_at: str, **named: str) -> Iterator[Proposed]:
    """End the attempt: the terminal event, what escrow still holds back to the person, and the integrity."""
    deal = Deal.of(world, deal_id)
    o = outcome(world.law_of(deal, resolved_at), deal, resolution)
    data = {"resolution": resolution, "o": o, "resolved_at": resolved_at, **named}
    yield Proposed(deal_id, "deal.resolved", data)
    held = Deal.of(world, deal_id).money.balance
    if held > 0:
        yield Proposed(deal_id, "escrow.returned", {"amount_cents": held})
    yield from settle_integrity(world, deal_id, "deal.resolved")


def clock_resolution(world: World, deal: Deal, candidate: Candidate) -> Iterator[Proposed]:
    """Resolve as the clock demands."""
    kind, due = candidate
    yield from resolve(world, deal.id, BY_CLOCK[kind], due)
