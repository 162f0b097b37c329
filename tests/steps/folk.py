"""Short ways to the people, agents and systems of a scenario. Names map to actors in `life.actors`."""

from __future__ import annotations

from typing import Any

from steps.lives import Life
from tollbench.domain.commands import Actor, Role
from tollbench.domain.deal.commands import ProposeDeal, SignDeal, Step
from tollbench.domain.passport.commands import RegisterAgent
from tollbench.domain.person.commands import CompleteVerification, FileAttestation, RegisterPerson
from tollbench.domain.system_record.commands import DeclaredModel, DeclareSystem
from tollbench.domain.system_record.state import LINEAGE
from tollbench.domain.target.bid_commands import ChooseProposal, PlanStep, SubmitProposal
from tollbench.domain.target.commands import GiveTerms, PassReview, PostTarget, RecordIntake, RefineTarget

MODEL = DeclaredModel(name="Granite", version="2026-06-01")


def person(life: Life, name: str, role: Role = "person", **fields: Any) -> Actor:
    """The actor of this name, registered in this role on first use, known to the vault by this name."""
    if name not in life.actors:
        fields.setdefault("name", name)
        id = life.do(RegisterPerson(capacity=[role], **fields), Actor.system()).id
        life.ids[name], life.actors[name] = id, Actor(role, id)
    return life.actors[name]


def steward(life: Life) -> Actor:
    """The steward of the scenario."""
    return person(life, "Stella", "steward")


def agent(life: Life, name: str, operator: str | None = None, **fields: Any) -> Actor:
    """The agent of this name, registered on first use by its operator (one of its own where none is named)."""
    if name not in life.actors:
        by = person(life, operator or f"{name}'s operator", "operator")
        asked = {"operator_name": "Alder Works", "architecture": "agent scaffold", **fields}
        id = life.do(RegisterAgent(agent_name=name, operator=by.id, **asked), by).id
        life.ids[name], life.actors[name] = id, Actor("agent", id)
    return life.actors[name]


def declaration(life: Life, name: str, **fields: Any) -> DeclareSystem:
    """A complete declaration of a system of this agent, but for the fields given."""
    told: dict[str, Any] = {
        "system_version": "1.0",
        "base_models": [MODEL],
        "harness_version": "h-7",
        "autonomy_level": "autonomous",
        "start_date": "2026-08-01",
    }
    return DeclareSystem(passport=agent(life, name).id, **(told | fields))


def system(life: Life, name: str, **fields: Any) -> str:
    """Declare a system of this agent; its id."""
    return life.do(declaration(life, name, **fields), agent(life, name)).id


def verified(life: Life, name: str) -> Actor:
    """The person of this name, with both checks complete."""
    who = person(life, name)
    life.do(CompleteVerification(person=who.id, checks=["identity", "uniqueness"]), steward(life))
    return who


def attested(life: Life, target: str, name: str, *sides: str) -> None:
    """File unrelated attestations of these sides (both by default) for this target and agent."""
    passport = agent(life, name).id
    for side in sides or ("poster", "operator"):
        poster = life.bench.state(target).person
        operator = life.bench.state(passport).operator
        by = Actor("person", poster) if side == "poster" else Actor("operator", operator)
        life.do(FileAttestation(target=target, passport=passport, side=side, related=False), by)


def reviewed_want(life: Life, poster: str = "Ada", *, second_version: bool = False, **fields: Any) -> str:
    """A want of this person that passed its review: 100 dollars, thirty days. Its id."""
    by, reviewer = person(life, poster), steward(life)
    told: dict[str, Any] = {
        "want": "A bicycle repaired",
        "time_and_energy": "evenings",
        "money_and_resources": "100 dollars",
        "proven_paths": "none",
        "budget_cents": 10_000,
        "timeline_seconds": 30 * 86_400,
        "person_contribution": "the bicycle",
        "location": "12 Elm Street",
        "region": "Oregon",
        "category": "service",
        "delivery": "location_dependent",
    }
    target = life.do(RecordIntake(**told), by).id
    card: dict[str, Any] = {
        "want": "A bicycle repaired",
        "time_and_energy": "evenings",
        "money_and_resources": "100 dollars",
        "proven_paths": "none",
        "finish_line_form": "object_at_door",
        "finish_line": "The repaired bicycle stands at the door",
        "approval_cadence_seconds": 86_400,
        "ownership": "What the money bought belongs to the person",
    }
    life.do(RefineTarget(target=target, **(card | fields)), by)
    if second_version:
        life.do(RefineTarget(target=target, finish_line="The repaired bicycle stands at the blue door"), by)
    law = life.bench.law()
    life.do(GiveTerms(target=target, terms=list(law.params("TB-TARGET-015")["terms"])), reviewer)
    life.do(PassReview(target=target, criteria=list(law.params("TB-TARGET-013")["criteria"])), reviewer)
    return target


def want(life: Life, poster: str = "Ada", **fields: Any) -> str:
    """The same, posted with short odds; the first one of a scenario is "the want"."""
    target = reviewed_want(life, poster, **fields)
    short = life.bench.law().params("TB-ODDS-011")["reference_class"]
    life.do(PostTarget(target=target, reference_class=short), steward(life))
    life.ids.setdefault("the want", target)
    return target


def plan(target: str, **fields: Any) -> SubmitProposal:
    """A complete proposal on the want, 100 dollars in two steps and the finish line, but for the fields given."""
    told: dict[str, Any] = {
        "card_version": 1,
        "total_cents": 10_000,
        "allocation": {"ad_spend": 0, "tools": 3_000, "own_work": 7_000},
        "steps": [
            PlanStep(what="Order the parts", time_seconds=86_400, person_approval="the parts list", amount_cents=3_000),
            PlanStep(what="Fit the parts", time_seconds=172_800, person_approval="the test ride", amount_cents=4_000),
        ],
        "outcome_cents": 3_000,
        "timeline_seconds": 20 * 86_400,
        "pitch": "Steady hands",
    }
    return SubmitProposal(target=target, **(told | fields))


def proposal(life: Life, target: str, name: str, **fields: Any) -> str:
    """The proposal of this agent on the want, filed on first use; its id."""
    key = f"{name}'s proposal on {target}"
    if key not in life.ids or fields:
        life.ids[key] = life.do(plan(target, **fields), agent(life, name)).id
    return life.ids[key]


def chosen(life: Life, target: str, name: str) -> str:
    """The proposal of this agent, picked by the poster; its id."""
    picked = proposal(life, target, name)
    life.do(ChooseProposal(target=target, proposal=picked), poster_of(life, target))
    return picked


def poster_of(life: Life, target: str) -> Actor:
    """The person who posted the want."""
    return Actor("person", life.bench.state(target).person)


def deal_card(life: Life, target: str, name: str, **fields: Any) -> ProposeDeal:
    """The deal that goes with `plan`."""
    told: dict[str, Any] = {
        "total_cents": 10_000,
        "allocation": {"ad_spend": 0, "tools": 3_000, "own_work": 7_000},
        "timeline_days": 20,
        "steps": [
            Step(what="The parts list is approved", amount_cents=3_000),
            Step(what="The test ride is passed", amount_cents=4_000),
        ],
        "outcome_cents": 3_000,
    }
    return ProposeDeal(target=target, proposal=proposal(life, target, name), **(told | fields))


def proposed_deal(life: Life, target: str, name: str, **fields: Any) -> str:
    """A deal on the chosen proposal of this agent, proposed and attested to by both sides; its id."""
    attested(life, target, name)
    return life.do(deal_card(life, target, name, **fields), agent(life, name)).id


def signed_deal(life: Life, target: str, name: str, **fields: Any) -> str:
    """The same, signed by the poster; its id. An agent that has declared no system declares one."""
    if not life.bench.related(LINEAGE, agent(life, name).id):
        system(life, name)
    deal = proposed_deal(life, target, name, **fields)
    life.do(SignDeal(deal=deal), poster_of(life, target))
    life.ids["the deal"] = deal
    return deal
