"""Who may send what: each command of a season, tried first by everybody who may not.

The table below is a second statement of the permissions, beside the rule TB-CMD-003 and the states it reads.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest

from tollbench.adapters.bench import Bench, Done
from tollbench.adapters.simulator.season import open_bench, play
from tollbench.domain.commands import Actor, Command, commands
from tollbench.domain.passport.commands import RegisterAgent
from tollbench.domain.person.commands import RegisterPerson

SEED, TARGETS, TRIES = 7, 24, 3
SYSTEM = Actor.system()
STEWARDS = {
    "AssignBand", "CloseLivenessReview", "ClosePeriod", "CloseReview", "CompleteVerification", "CorrectAnchor",
    "DeclineWant", "EnactEdition", "EraseVault", "ExpireDeal", "GiveTerms", "ImportAttempts", "InvalidateOutcome",
    "LapseDeal", "OpenLivenessReview", "OpenReview", "PassReview", "PostTarget", "RecordModelAlias",
    "RecordRelatedParty", "RecordScreening", "RefineTarget", "RegisterPerson", "RestoreNewWork", "ReverseRelease",
    "StopDeal", "SuspendNewWork", "SweepDeal", "SweepOverdue",
}  # fmt: skip
"""What a steward may send about anybody's matter."""
PLATFORM = {
    "ClosePeriod", "CompleteVerification", "EnactEdition", "ExpireDeal", "FundEscrow", "GiveTerms", "ImportAttempts",
    "LapseDeal", "OpenLivenessReview", "OpenReview", "RecordEngineRevenue", "RecordExternalSale", "RecordScreening",
    "RegisterAgent", "RegisterPerson", "ReverseRelease", "SettlePayment", "SweepDeal", "SweepOverdue",
}  # fmt: skip
"""What the platform itself may send."""
OWN = {"person": {"RecordIntake"}, "operator": set[str](), "agent": {"SubmitProposal"}}
"""What anybody of a role may send, because it concerns nobody else."""
NEVER = {"AmendDeal", "AmendTarget", "AppealOutcome", "AssignBand", "ReleaseEscrow"}
"""Commands that no rule lets through, whoever sends them."""


@dataclass
class Outsiders:
    """Somebody of each role who has no part in anything, and what came of their tries."""

    bench: Bench
    actors: list[Actor] = field(default_factory=list)
    tried: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def enter(self) -> None:
        """Register them."""
        ids = {
            role: self.bench.do(RegisterPerson(capacity=[role]), by=SYSTEM, key=f"outside {role}").id
            for role in ("person", "operator", "steward")
        }
        agent = RegisterAgent(agent_name="Outsider", operator=ids["operator"], operator_name="O", architecture="A")
        passport = self.bench.do(agent, by=SYSTEM, key="outside agent").id
        self.actors = [Actor(role, id) for role, id in ids.items()]  # type: ignore[arg-type]
        self.actors += [Actor("agent", passport), SYSTEM]

    def allowed(self, name: str, role: str) -> bool:
        """Whether the table lets somebody of this role send it about others."""
        return name in {"steward": STEWARDS, "system": PLATFORM, **OWN}[role]

    def attempt(self, request: Command, by: Actor) -> None:
        """Let everybody try it who may not, and let the platform and stewards try what they may."""
        name = type(request).__name__
        if self.tried[name] >= TRIES:
            return
        self.tried[name] += 1
        before = self.bench.position()
        for outsider in self.actors:
            rules = {problem.rule for problem in self.bench.check(request, by=outsider)}
            barred = rules & {"TB-CMD-003", "TB-PASS-003"}
            if self.allowed(name, outsider.role) if name not in NEVER else False:
                if barred:
                    self.wrong.append(f"{name} is barred to a {outsider.role}")
            elif not barred and name not in NEVER:
                self.wrong.append(f"{name} is open to a {outsider.role}: {sorted(rules)}")
            elif not rules:
                self.wrong.append(f"{name} is carried out for a {outsider.role}")
        assert self.bench.position() == before


def test_everybody_who_may_not_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    bench, clock = open_bench("memory:", SEED)
    outsiders, do = Outsiders(bench), Bench.do

    def tried_first(self: Bench, request: Command, *, by: Actor, **options: Any) -> Done:
        if outsiders.actors:
            outsiders.attempt(request, by)
        return do(self, request, by=by, **options)

    with bench:
        outsiders.enter()
        monkeypatch.setattr(Bench, "do", tried_first)
        play(bench, clock, SEED, TARGETS, lambda part: None)
    assert outsiders.wrong == []
    by_sweeps = {"EnactEdition", "SweepDeal"}
    assert set(commands()) - set(outsiders.tried) <= by_sweeps
