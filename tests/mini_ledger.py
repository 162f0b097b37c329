"""The golden mini-ledger, played through real commands on a bench with a clock that is turned by hand."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Literal

from steps.lives import Clock, entropy
from tollbench.adapters.bench import Bench
from tollbench.domain.commands import Actor, Command
from tollbench.domain.deal.commands import (
    ApproveOutcome,
    EndDeal,
    FundEscrow,
    OpenAsk,
    ProposeDeal,
    RecordEngineRevenue,
    RecordSatisfaction,
    RequestOutcomeApproval,
    ReverseRelease,
    SettlePayment,
    SignDeal,
    Step,
    StopDeal,
)
from tollbench.domain.milestone.commands import ApproveMilestone, FileReceipt, RequestApproval
from tollbench.domain.passport.commands import RegisterAgent
from tollbench.domain.person.commands import CompleteVerification, FileAttestation, RegisterPerson
from tollbench.domain.system_record.commands import DeclaredModel, DeclareSystem
from tollbench.domain.target.bid_commands import ChooseProposal, PlanStep, SubmitProposal
from tollbench.domain.target.commands import GiveTerms, PassReview, PostTarget, RecordIntake, RefineTarget
from tollbench.protocol import instants

MODELS = {"alder": ["M1"], "cedar": ["M1"], "birch": ["M2"], "dogwood": ["M1", "M2"]}
START = instants.parse("2026-08-10T00:00:00Z")
DAY = 86_400
LAPSE = 14 * DAY
RECEIPT = "sha256:" + "ab" * 32
UP = ("proven_workflow_with_receipt", "budget_meets_typical_cost", "same_day_approvals", "short_dependency_chain")
DOWN = ("third_party_consent", "no_timeline_slack", "free_lane_engine_from_zero", "no_comparable_prior")
ANCHORS = {"0.70": "TB-ODDS-011", "0.35": "TB-ODDS-012", "0.08": "TB-ODDS-013"}


def odds(p: str) -> tuple[str, tuple[str, ...]]:
    """The rule of a reference class, and the dials (five hundredths each) that lead from its anchor to this p."""
    for anchor, rule in ANCHORS.items():
        turns = (Decimal(p) - Decimal(anchor)) / Decimal("0.05")
        if turns == turns.to_integral_value() and abs(turns) <= len(UP):
            return rule, (UP if turns > 0 else DOWN)[: abs(int(turns))]
    raise ValueError(f"no anchor and dials give {p}")


@dataclass
class Play:
    """The played ledger: `deals`, `targets`, `people` and `agents` map the names of the golden file to ids."""

    bench: Bench
    clock: Clock
    steward: Actor = Actor.system()  # noqa: RUF009  a tuple; replaced when the cast is registered
    people: dict[str, Actor] = field(default_factory=dict)
    agents: dict[str, Actor] = field(default_factory=dict)
    operators: dict[str, Actor] = field(default_factory=dict)
    targets: dict[str, str] = field(default_factory=dict)
    proposals: dict[str, str] = field(default_factory=dict)
    deals: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    keys: Iterator[int] = field(default_factory=itertools.count)

    def do(self, request: Command, by: Actor) -> Any:
        """Carry out a command now."""
        return self.bench.do(request, by=by, key=f"mini/{next(self.keys)}")

    def verify(self, name: str) -> None:
        """Complete the poster's verification."""
        request = CompleteVerification(person=self.people[name].id, checks=["identity", "uniqueness"])
        self.do(request, self.steward)


def play(rows: list[dict[str, Any]], **options: Any) -> Play:
    """Play the rows of the golden file on a fresh bench in memory; `options` go to `Bench.open`."""
    clock = Clock(START)
    made = Play(Bench.open("memory:", clock=clock, entropy=entropy, **options), clock)
    _cast(made)
    for row in rows:
        _until_chosen(made, row)
    _run(made, [_attempt(made, row) for row in rows])
    return made


def _run(made: Play, lives: list[Iterator[datetime]]) -> None:
    """Interleave the lives in time; what the clock owes is done before each step."""
    order = itertools.count()
    queue: list[tuple[datetime, int, Iterator[datetime]]] = []
    for life in lives:
        heapq.heappush(queue, (next(life), next(order), life))
    while queue:
        now, _, life = heapq.heappop(queue)
        made.clock.now = max(made.clock.now, now)
        made.bench.sweep()
        following = next(life, None)
        if following is not None:
            heapq.heappush(queue, (following, next(order), life))


def _cast(made: Play) -> None:
    def person(*capacity: Literal["person", "operator", "steward"]) -> str:
        return str(made.do(RegisterPerson(capacity=list(capacity)), Actor.system()).id)

    made.steward = Actor("steward", person("steward"))
    for name in MODELS:
        operator = made.operators[name] = Actor("operator", person("operator"))
        agent = RegisterAgent(
            agent_name=name, operator=operator.id, operator_name=f"{name} ltd", architecture="scaffold"
        )
        made.agents[name] = Actor("agent", made.do(agent, operator).id)
        _declare(made, name, "1.0")


def _declare(made: Play, agent: str, version: str) -> None:
    declaration = DeclareSystem(
        passport=made.agents[agent].id,
        system_version=version,
        base_models=[DeclaredModel(name=model, version="1") for model in MODELS[agent]],
        harness_version="h1",
        autonomy_level="autonomous",
        start_date="2026-08-01",
    )
    made.do(declaration, made.agents[agent])
    made.versions[agent] = version


def _until_chosen(made: Play, row: dict[str, Any]) -> None:
    name, budget = row["id"], row["B"]
    poster = made.people[name] = Actor("person", made.do(RegisterPerson(), Actor.system()).id)
    if row["state"] != "provisional":
        made.verify(name)
    words = {"time_and_energy": "evenings", "money_and_resources": "some", "proven_paths": "none"}
    intake = RecordIntake(
        want="a want",
        budget_cents=budget,
        timeline_seconds=60 * DAY,
        person_contribution="time",
        location="a street",
        region="a region",
        category="service",
        delivery="remote",
        **words,
    )
    target = made.targets[name] = made.do(intake, poster).id
    card = RefineTarget(
        target=target,
        want="a want",
        finish_line_form="object_at_door",
        finish_line="it stands at the door",
        approval_cadence_seconds=DAY,
        ownership="as the tier says",
        **words,
    )
    made.do(card, poster)
    law = made.bench.law()
    made.do(GiveTerms(target=target, terms=list(law.params("TB-TARGET-015")["terms"])), made.steward)
    made.do(PassReview(target=target, criteria=list(law.params("TB-TARGET-013")["criteria"])), made.steward)
    rule, dials = odds(row["p"])
    posting = PostTarget(
        target=target, reference_class=law.params(rule)["reference_class"], dials=list(dials), p=row["p"]
    )
    made.do(posting, made.steward)
    agent = made.agents[row["agent"]]
    steps = [PlanStep(what="a step", time_seconds=DAY, person_approval="the step") for _ in range(row["m"])]
    bid = SubmitProposal(
        target=target,
        card_version=1,
        total_cents=budget,
        allocation={"ad_spend": 0, "tools": 0, "own_work": budget},
        steps=steps,
        timeline_seconds=_timeline(row),
    )
    proposal = made.do(bid, agent).id
    made.do(ChooseProposal(target=target, proposal=proposal), poster)
    for side, by in (("poster", poster), ("operator", made.operators[row["agent"]])):
        made.do(FileAttestation(target=target, passport=agent.id, side=side, related=False), by)
    made.proposals[name] = proposal


def _propose_deal(made: Play, row: dict[str, Any]) -> None:
    name, budget, amount = row["id"], row["B"], _step_cents(row)
    if made.versions[row["agent"]] != row.get("version", made.versions[row["agent"]]):
        _declare(made, row["agent"], row["version"])
    deal = ProposeDeal(
        target=made.targets[name],
        proposal=made.proposals[name],
        total_cents=budget,
        allocation={"ad_spend": 0, "tools": 0, "own_work": budget},
        timeline_seconds=_timeline(row),
        steps=[Step(what="a step", amount_cents=amount) for _ in range(row["m"])],
    )
    made.deals[name] = made.do(deal, made.agents[row["agent"]]).id


def _timeline(row: dict[str, Any]) -> int:
    """An expiry resolves at the deadline, so there the timeline is the agent's time."""
    return int(row["T"]) if row["end"] == "expired" else 40 * DAY


def _step_cents(row: dict[str, Any]) -> int:
    """What each approved step releases, so that the releases less the returns are C."""
    released = {"t09": row["B"], "t10": 12_000}.get(row["id"], row["C"])
    return int(released) // int(row["k"]) if row["k"] else 0


def _attempt(made: Play, row: dict[str, Any]) -> Iterator[datetime]:
    name, end = row["id"], row["end"]
    poster, agent = made.people[name], made.agents[row["agent"]]
    resolved = instants.parse(row["resolved"])
    signed = resolved - timedelta(seconds=row["T"] + (LAPSE if end == "lapsed" else 0))
    yield signed
    _propose_deal(made, row)
    deal = made.deals[name]
    made.do(SignDeal(deal=deal), poster)
    if row["B"]:
        made.do(FundEscrow(deal=deal, amount_cents=row["B"]), poster)
    if row.get("revenue"):
        made.do(RecordEngineRevenue(deal=deal, amount_cents=row["revenue"]), agent)
    yield signed + timedelta(seconds=row["T"] // 2)
    for number in range(1, row["k"] + 1):
        made.do(FileReceipt(deal=deal, milestone=number, sha256=RECEIPT), agent)
        made.do(RequestApproval(deal=deal, milestone=number), agent)
        made.do(ApproveMilestone(deal=deal, milestone=number), poster)
    if end == "lapsed":
        yield signed + timedelta(seconds=row["T"])
        made.do(OpenAsk(deal=deal, question="which of the two?"), agent)
    yield resolved
    if end == "delivered":
        made.do(RequestOutcomeApproval(deal=deal), agent)
        made.do(ApproveOutcome(deal=deal), poster)
        if row["B"]:
            made.do(SettlePayment(deal=deal, amount_cents=_step_cents(row) * row["k"]), Actor.system())
    elif end == "ended":
        made.do(EndDeal(deal=deal), poster)
    elif end == "stopped":
        made.do(StopDeal(deal=deal, ground="law", names="a published law"), made.steward)
    if row.get("rating"):
        made.do(RecordSatisfaction(deal=deal, score=row["rating"]), poster)
    if name == "t10":
        back = ReverseRelease(deal=deal, release="milestone-1", amount_cents=2_000, kind="partial")
        made.do(back, Actor.system())
    if name == "t09":
        for number in range(1, row["k"] + 1):
            back = ReverseRelease(
                deal=deal, release=f"milestone-{number}", amount_cents=_step_cents(row), kind="chargeback"
            )
            made.do(back, Actor.system())
    yield resolved + timedelta(days=1)
