"""The integrity of an outcome: provisional at resolution, official when nothing holds it, invalidated for cause.

Rulings A-05, A-25, A-53, A-67 and A-72. The same evidence decides hits and misses: a verified person and no open
finding for both; settled payment only where payment helps to verify, on a delivered paid attempt.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ...rules.evaluators import computes, requires
from ...rules.law import Law
from ..person.state import Person
from ..world import Proposed, World
from .figures import evidence
from .review_rules import confirmed_ground, suspicion_holds
from .state import Deal

CLEAR = "clear"
"""The ground of becoming official: nothing holds the outcome."""
REVERSAL = "payment_reversal"
"""The ground of an invalidation by a full reversal or a chargeback."""

CHANGED = "outcome.integrity_changed"

requires("TB-INTEG-001", event=CHANGED, field="to")
requires("TB-INTEG-004", event=CHANGED)
requires("TB-OUT-011", event=CHANGED)


class Verdict(NamedTuple):
    """What integrity an outcome has now, and on what ground."""

    state: str
    ground: str


@computes("TB-OUT-006", neutral=lambda resolution, o: resolution is not None)
def is_delivered(params: object, resolution: str | None, o: int | None) -> bool:
    """TB-OUT-006: delivered is resolved with o = 1; a crossing is the same thing."""
    return resolution == "delivered" and o == 1


@computes("TB-INTEG-003", neutral=False)
def held_unverified(params: object, verified: bool) -> bool:
    """TB-INTEG-003: outcomes of a person whose verification is not complete stay provisional."""
    return not verified


@computes("TB-INTEG-007", neutral=False)
def reversal_counts(params: Mapping[str, Any], kind: str | None) -> bool:
    """TB-INTEG-007 (ruling A-25): which reversals can move the integrity of an outcome."""
    return kind in params["invalidating_kinds"]


@computes("TB-INTEG-013", neutral=True)
def payment_verified_it(params: object, delivered: bool, standard: str | None) -> bool:
    """TB-INTEG-013: a reversal undoes only what payment helped to verify, never a miss."""
    return delivered and standard == "paid"


@computes("TB-OUT-002", neutral=())
def paid_conditions_missing(params: Mapping[str, Any], met: Mapping[str, bool]) -> tuple[str, ...]:
    """TB-OUT-002: the conditions of a paid success that are not met; payment alone is never enough."""
    return tuple(name for name in params["conditions"] if not met[name])


def reversal_kind(deal: Deal) -> str | None:
    """What the reversals so far come to: a chargeback, a full return of what was paid, a partial one, or none."""
    money = deal.money
    if money.chargeback:
        return "chargeback"
    if not money.taken_back:
        return None
    return "full" if money.taken_back >= money.paid_out else "partial"


def verdict(law: Law, deal: Deal, verified: bool) -> Verdict:
    """The integrity that the evidence on record gives a resolved outcome."""
    delivered = is_delivered(law, deal.resolution, deal.o)
    if reversal_counts(law, reversal_kind(deal)) and payment_verified_it(law, delivered, deal.standard):
        return Verdict("invalidated", REVERSAL)
    confirmed = confirmed_ground(law, deal)
    if confirmed is not None:
        return Verdict("invalidated", confirmed)
    if suspicion_holds(law, deal):
        return Verdict("provisional", "under_review")
    if held_unverified(law, verified):
        return Verdict("provisional", "unverified")
    if delivered and deal.standard == "paid":
        met = {
            "finish_line_reached": deal.outcome == "approved",
            "verified_person_approved": deal.outcome == "approved",
            "payment_settled": "settled_payment" in evidence(law, deal),
            "integrity_passed": True,
        }
        missing = paid_conditions_missing(law, met)
        if missing:
            return Verdict("provisional", missing[0])
    return Verdict("official", CLEAR)


def settle_integrity(world: World, deal_id: str, because: str | None = None) -> Iterator[Proposed]:
    """Move the integrity of a resolved outcome to where the evidence puts it; nothing where it is there already.

    `because` is the type of the event that may have moved it, by default the last one of the command. An invalidated
    outcome stays invalidated, an unscored attempt has no outcome to judge, and an open one has none yet.
    """
    deal = Deal.of(world, deal_id)
    if deal.status != "resolved" or deal.o is None or deal.integrity == "invalidated":
        return
    person = world.state(deal.person)
    found = verdict(world.law_of(deal), deal, isinstance(person, Person) and person.verified)
    if found.state != deal.integrity:
        causes = [type_ for type_ in world.trail if type_ != CHANGED]
        data = {"from": deal.integrity, "to": found.state, "ground": found.ground, "because": because or causes[-1]}
        yield Proposed(deal_id, CHANGED, data)
