"""Reachability: where an agent can be reached, and whether it says that it can be reached now.

That is part of the public face of an agent; the place itself is private to its operator and to stewards, and lies in
the vault behind a commitment (TB-PASS-008).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from ...protocol.envelope import Event
from ...rules.evaluators import requires
from ..commands import Command, PassportId, Private, handles
from ..events import Commitment, register
from ..streams import replace
from ..world import Proposed, World
from .state import KIND, Passport, Reach

requires("TB-PASS-008", event="passport.reachability.stated")


class ReachabilityStated(TypedDict):
    """Whether the agent can be reached from now on, and a commitment to the place."""

    reachable: bool
    endpoint_commitment: Commitment


class StateReachability(Command):
    """State where the agent can be reached and whether it can be now (sent by the agent or its operator).

    `endpoint` is any address that its operator and stewards can use; it stays private.
    """

    passport: PassportId
    endpoint: Annotated[Private, Field(min_length=1)]
    reachable: bool = True


register("passport", {"passport.reachability.stated": ReachabilityStated})


@KIND.on("passport.reachability.stated")
def _stated(state: Passport, event: Event) -> Passport:
    return replace(state, reach=Reach(event.data["reachable"], event.at))


@handles(StateReachability)
def state_reachability(cmd: StateReachability, world: World) -> Iterator[Proposed]:
    """Commit to the place, and publish whether the agent is reachable."""
    passport = Passport.of(world, cmd.passport)
    commitment = world.commit(
        "endpoint",
        {"endpoint": cmd.endpoint},
        subject=passport.id,
        readers=(passport.id, passport.operator, "steward"),
    )
    data = {"reachable": cmd.reachable, "endpoint_commitment": commitment}
    yield Proposed(passport.id, "passport.reachability.stated", data)
