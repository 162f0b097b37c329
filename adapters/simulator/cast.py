"""The cast of a season: stewards, operators with their agents, and posters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...domain.commands import Actor
from ...domain.passport.commands import RegisterAgent
from ...domain.passport.reach import StateReachability
from ...domain.person.commands import CompleteVerification, RegisterPerson
from ...domain.system_record.commands import DeclaredModel, DeclareSystem
from .stage import Life

SYSTEM = Actor.system()
MODELS = {
    "linden": DeclaredModel(name="linden-2", version="2026-05-11"),
    "linden_old": DeclaredModel(name="Linden 2", version="2026-05-11"),
    "quartz": DeclaredModel(name="quartz-large", version="4.1"),
    "heron": DeclaredModel(name="heron", version="7b-instruct-3"),
}
"""Invented base models. `linden_old` is another spelling of `linden`; the alias table joins the two."""
FIRST = (
    "Ada", "Ben", "Cleo", "Dana", "Elif", "Femi", "Gus", "Hana", "Ivo", "June", "Kofi", "Lena", "Milo", "Nora",
    "Omar", "Pia", "Quinn", "Rosa", "Sami", "Tove",
)
LAST = (
    "Abel", "Brook", "Castro", "Dahl", "Eden", "Flores", "Grant", "Hale", "Ito", "Jonas", "Keane", "Lund", "Moss",
    "Novak", "Okoro", "Park",
)


@dataclass(slots=True)
class Agent:
    """An agent on the stage.

    `pending` counts deals between the pick and the signature, when its system must not change; `resting_until` is the
    instant (microseconds) until which it takes no new work. One that is `booked` bids only where the plot names it.
    """

    name: str
    actor: Actor
    operator: Actor
    models: tuple[str, ...]
    pending: int = 0
    resting_until: int = 0
    versions: int = 1
    booked: bool = False

    @property
    def id(self) -> str:
        """The Passport."""
        return self.actor.id


@dataclass(slots=True)
class Poster:
    """A person who posts wants; a `late` one is not verified when the season begins."""

    actor: Actor
    late: bool
    verified: bool = False

    @property
    def id(self) -> str:
        """The person."""
        return self.actor.id


@dataclass(frozen=True, slots=True)
class Delivered:
    """A delivery that stands, with the hash of an approved receipt: what a path is offered from."""

    category: str
    agent: Agent
    poster: Poster
    deal: str
    receipt: str


@dataclass(slots=True)
class Cast:
    """Everybody on the stage; `delivered` grows with the season."""

    stewards: list[Actor] = field(default_factory=list)
    agents: list[Agent] = field(default_factory=list)
    posters: list[Poster] = field(default_factory=list)
    delivered: list[Delivered] = field(default_factory=list)

    @property
    def steward(self) -> Actor:
        """The steward on duty."""
        return self.stewards[0]

    def agent(self, name: str) -> Agent:
        """The agent of this name."""
        return next(agent for agent in self.agents if agent.name == name)


_AGENTS: Sequence[tuple[str, str, tuple[str, ...], str, str]] = (
    ("Alder", "Northbank Works", ("linden",), "single model with tools", "autonomous"),
    ("Birch", "Northbank Works", ("quartz",), "planner and worker", "autonomous"),
    ("Cedar", "Field & Sons", ("heron",), "single model with tools", "supervised"),
    ("Dogwood", "Field & Sons", ("linden_old", "quartz"), "team of two models", "supervised"),
    ("Elm", "Harbour Collective", ("quartz",), "scaffold with people in the loop", "human_operated"),
    ("Fir", "Harbour Collective", ("heron",), "planner and worker", "autonomous"),
    ("Gorse", "Lone Lane", ("linden",), "single model with tools", "autonomous"),
    ("Hazel", "Lone Lane", ("heron",), "planner and worker", "supervised"),
)
_BOOKED = "Hazel"


def assemble(life: Life, posters: int) -> Cast:
    """Register everybody: two stewards, eight agents of four operators, and so many posters."""
    cast = Cast()
    cast.stewards = [_person(life, ["steward"], f"steward {number}") for number in (1, 2)]
    operators: dict[str, Actor] = {}
    for name, operator_name, models, architecture, autonomy in _AGENTS:
        if operator_name not in operators:
            operators[operator_name] = _operator(life, operator_name)
        cast.agents.append(_agent(life, name, operators[operator_name], operator_name, models, architecture, autonomy))
    for number in range(posters):
        cast.posters.append(_poster(life, cast, number, late=number % 5 == 1))
    return cast


def _person(life: Life, capacity: Sequence[str], mark: str) -> Actor:
    name = f"{life.dice.pick(FIRST)} {life.dice.pick(LAST)}"
    contact = f"{name.lower().replace(' ', '.')}.{mark.replace(' ', '')}@people.example"
    request = RegisterPerson.model_validate({"capacity": list(capacity), "name": name, "contact": contact})
    return Actor("steward" if "steward" in capacity else "person", life.do(request, SYSTEM).id)


def _operator(life: Life, mark: str) -> Actor:
    return Actor("operator", _person(life, ["operator", "person"], mark).id)


def _agent(
    life: Life,
    name: str,
    operator: Actor,
    operator_name: str,
    models: tuple[str, ...],
    architecture: str,
    autonomy: str,
) -> Agent:
    registered = life.do(
        RegisterAgent(agent_name=name, operator=operator.id, operator_name=operator_name, architecture=architecture),
        operator,
    )
    agent = Agent(name, Actor("agent", registered.id), operator, models, booked=name == _BOOKED)
    life.do(StateReachability(passport=agent.id, endpoint=f"{name.lower()} at {operator_name}"), agent.actor)
    declare(life, agent, autonomy=autonomy)
    return agent


def declare(life: Life, agent: Agent, *, autonomy: str = "autonomous", start: str = "2026-06-01") -> None:
    """Declare the agent's next system version."""
    request = DeclareSystem(
        passport=agent.id,
        system_version=f"{agent.versions}.0",
        base_models=[MODELS[model] for model in agent.models],
        harness_version=f"h{agent.versions}",
        autonomy_level=autonomy,
        start_date=start,
    )
    life.do(request, agent.operator)


def _poster(life: Life, cast: Cast, number: int, *, late: bool) -> Poster:
    poster = Poster(_person(life, ["person"], f"poster {number}"), late)
    if not late:
        verify(life, cast, poster)
    return poster


def verify(life: Life, cast: Cast, poster: Poster) -> None:
    """Complete both checks of a poster, one after the other."""
    poster.verified = True
    life.do(CompleteVerification(person=poster.id, checks=["identity"], evidence="document seen"), cast.steward)
    life.do(
        CompleteVerification(person=poster.id, checks=["uniqueness"], identity_token=f"token of {poster.id}"),
        cast.steward,
    )
