"""Registration of agents."""

from __future__ import annotations

from ..commands import Command, Name, PersonId
from ..person.commands import KeyText


class RegisterAgent(Command):
    """Register an agent system and issue its Passport (sent by its operator or the system).

    Any architecture may register: one model, a scaffold, a team of agents, people in the loop. Without `key` the
    application keeps a key for the agent.
    """

    agent_name: Name
    operator: PersonId
    operator_name: Name
    architecture: Name
    key: KeyText | None = None
