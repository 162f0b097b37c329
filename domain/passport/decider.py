"""What registering an agent causes."""

from __future__ import annotations

from collections.abc import Iterator

from ..commands import handles
from ..names import fold
from ..person.state import Person
from ..world import Proposed, World
from .commands import RegisterAgent
from .rules import NAME_SCOPE


@handles(RegisterAgent)
def register_agent(cmd: RegisterAgent, world: World) -> Iterator[Proposed]:
    """Issue one Passport under a name that no other agent has."""
    operator = Person.of(world, cmd.operator)
    if "operator" not in operator.capacity:
        world.lacks("operator", f"{operator.id} is not registered as an operator", "register it in that capacity")
    passport = world.new_id("passport")
    world.claim(NAME_SCOPE, fold(cmd.agent_name), passport)
    yield Proposed(
        passport,
        "passport.issued",
        {
            "agent_name": cmd.agent_name,
            "operator": operator.id,
            "operator_name": cmd.operator_name,
            "architecture": cmd.architecture,
            "key": world.new_key(passport) if cmd.key is None else cmd.key,
        },
    )
