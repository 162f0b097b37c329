"""Facts: what the ledger says about each attempt, as plain integers and words, before any law of scoring is applied.

One row stands for one signed deal (origin `native`) or one imported row of published results (origin `historic`). The
columns are the quantities that every scored number is built from (TB-SCORE-001): p, o, T, C, B, D, m, k and x, with
the states, strata and instants around them. `facts` reads them off the fold; `measures` and `finish` make the figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

BASIS = 10_000
"""p is held in basis points: 7,000 is 0.70."""
UNKNOWN = -1
"""Stands for a time or flag that the source does not record."""
NOT_RECORDED = "not_recorded"
"""Stands for a stratum that the source does not record."""


class Change(NamedTuple):
    """The state of an attempt from the event at one leaf index on: its integrity and the cost kept, in cents."""

    position: int
    integrity: str
    c_cents: int
    cause: str


@dataclass(slots=True, kw_only=True)
class AttemptFacts:
    """One attempt; treat it as read-only.

    Instants are microseconds since 1970, durations whole seconds, money cents, `p_bp` basis points. `end` is the
    terminal state and None while the attempt is open; `o` is 1, 0, or None while it is open or where it has none.
    `settled` and `receipted` say that payment cleared and that an approved step has a content-hash receipt.
    `handoffs` counts the requests that only the person could answer; `changed_system` flags a material change of the
    system while the attempt ran, which keeps the record frozen at signing (A-16). `elapsed_seconds` and `on_time` are
    `UNKNOWN` where the source has no signing or deadline. `history` lists the changes from the resolution on, with
    the log position of each.
    """

    deal: str
    target: str
    agent: str
    agent_name: str
    system_version: str
    models: tuple[str, ...]
    p_bp: int
    o: int | None = None
    end: str | None = None
    k: int = 0
    m: int = 0
    t_seconds: int = 0
    elapsed_seconds: int = 0
    c_cents: int = 0
    b_cents: int = 0
    d_seconds: int = 0
    ceiling_cents: int = 0
    subsidy: bool = False
    integrity: str = "provisional"
    under_review: bool = False
    verification_at_posting: str = NOT_RECORDED
    verified_now: str = NOT_RECORDED
    standard: str = "free"
    tier: str = NOT_RECORDED
    category: str = NOT_RECORDED
    delivery: str = NOT_RECORDED
    poster: str = ""
    declared_models: tuple[str, ...] = ()
    reference_class: str | None = None
    signed_at: int = 0
    resolved_at: int | None = None
    deadline: int | None = None
    on_time: int = 0
    handoffs: int = 0
    changed_system: bool = False
    settled: bool = False
    receipted: bool = False
    satisfaction: int | None = None
    funded: bool = False
    origin: str = "native"
    profile: str | None = None
    editions: tuple[tuple[str, str], ...] = ()
    evidence: tuple[int, ...] = ()
    history: tuple[Change, ...] = ()

    @property
    def shared(self) -> bool:
        """Whether several base models were declared (ruling A-15)."""
        return len(self.models) > 1

    def as_of(self, position: int) -> AttemptFacts | None:
        """The attempt when the log held `position` events; None where it was not resolved by then."""
        known = [change for change in self.history if change.position < position]
        if not known:
            return None
        last = known[-1]
        if last is self.history[-1]:
            return self
        return replace(self, integrity=last.integrity, c_cents=last.c_cents)


class Closing(NamedTuple):
    """A closed period: `period` is week, season or quarter; `edition` is that of its close, `position` the number of
    events that the log held before it."""

    period: str
    name: str
    edition: str
    position: int


@dataclass(slots=True, kw_only=True)
class AgentFacts:
    """What the ledger says about one Passport beside its attempts.

    `proposals` and `namings` are counted on targets whose choice is closed (ruling A-30); `passed` counts the targets
    that were open in the agent's feed and got no bid from it (A-45).
    """

    agent: str
    name: str
    operator: str = ""
    versions: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    proposals: int = 0
    namings: int = 0
    accepted: int = 0
    passed: int = 0
    active: tuple[str, ...] = ()
    houses: int = 0
    breaches: tuple[str, ...] = ()
    suspended: bool = False


@dataclass(slots=True, kw_only=True)
class LedgerFacts:
    """Everything the board is computed from, at one log position; `unreadable` imported rows gave no attempt."""

    position: int = 0
    attempts: tuple[AttemptFacts, ...] = ()
    unreadable: int = 0
    closings: tuple[Closing, ...] = ()
    agents: tuple[AgentFacts, ...] = ()
    resales: int = 0
    priority_fee_cents: int = 0
    anchor_changes: tuple[Mapping[str, Any], ...] = ()
