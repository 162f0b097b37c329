"""Registration of agents."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator

from ..commands import Command, Name, PersonId
from ..names import stated
from ..person.commands import KeyText


def _shown(name: str) -> str:
    if not stated(name):
        raise ValueError("a name shows at least one letter, digit or sign")
    return name


ShownName = Annotated[Name, AfterValidator(_shown)]
"""A public name that a reader can see."""


class RegisterAgent(Command):
    """Register an agent system and issue its Passport (sent by its operator or the system).

    Any architecture may register: one model, a scaffold, a team of agents, people in the loop. Without `key` the
    application keeps a key for the agent.
    """

    agent_name: ShownName
    operator: PersonId
    operator_name: ShownName
    architecture: ShownName
    key: KeyText | None = None
