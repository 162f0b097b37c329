"""The state of a Passport, folded from the events of its stream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ...protocol.envelope import Event
from ..person.state import Key
from ..streams import State, replace, stream_kind

KIND = stream_kind("passport")


class Offer(NamedTuple):
    """A proven path offered: its id, the delivered deal, an approved receipt of it, and the price in cents."""

    id: str
    prior_deal: str
    receipt: str
    price_cents: int


class Reach(NamedTuple):
    """Whether the agent said that it can be reached, and when it said so (UTC text)."""

    reachable: bool
    since: str


@dataclass(frozen=True, kw_only=True)
class Passport(State):
    """A registered agent. `suspended` names the review that holds back new work, if one does; `reviews` maps each
    open liveness review to the deal it is about; `breaches` counts the public breaches on record.
    `offers` maps a target to the proven path that this agent offers on it; `reach` is what it last said of its
    reachability."""

    agent_name: str
    operator: str
    operator_name: str
    architecture: str
    key: str
    keys: tuple[Key, ...]
    suspended: str | None = None
    reviews: Mapping[str, str] = field(default_factory=dict)
    breaches: int = 0
    offers: Mapping[str, Offer] = field(default_factory=dict)
    reach: Reach | None = None

    @property
    def parties(self) -> Mapping[str, str]:
        """The agent itself and the person who operates it."""
        return {"agent": self.id, "operator": self.operator}


@KIND.on("passport.issued")
def _issued(state: None, event: Event) -> Passport:
    data = event.data
    return Passport(
        id=event.stream,
        agent_name=data["agent_name"],
        operator=data["operator"],
        operator_name=data["operator_name"],
        architecture=data["architecture"],
        key=data["key"],
        keys=(Key(data["key"], event.at),),
    )


@KIND.on("actor.key_rotated")
def _rotated(state: Passport, event: Event) -> Passport:
    key = event.data["key"]
    return replace(state, key=key, keys=(*state.keys, Key(key, event.at)))


@KIND.on("passport.breach.recorded")
def _breach(state: Passport, event: Event) -> Passport:
    return replace(state, breaches=state.breaches + 1)


KIND.index = lambda state: (("agents_of_operator", state.operator),) if isinstance(state, Passport) else ()
