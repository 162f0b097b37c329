"""Who may read a vault row (architecture, decision 10): the decision is made by rules, as it is for commands.

Every row names its readers when it is written. What a row holds decides which rule seals it: bids have one, pulses have
one, everything else falls under the general one. A steward reads what lists "steward".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..protocol.refusal import Problem
from ..rules.evaluators import Finding, Judgement, guard
from ..rules.law import Law
from .boundary import RECEIVED, judge_request
from .commands import Actor
from .engine import binding, findings, problem
from .target.state import Target
from .world import VaultRow, World

READ = "vault.read"
"""Pseudo type of the guards that judge a reading; nothing is written."""
SEALED_BIDS = frozenset(("proposal", "question", "answer", "withdrawal"))
PULSES = frozenset(("pulse",))


@dataclass(slots=True)
class Reading:
    """What a guard on `READ` judges: one row, and who asks for it."""

    row: VaultRow
    world: World
    law: Law
    rule: str = ""

    @property
    def actor(self) -> Actor:
        """Who asks."""
        return self.world.actor

    @property
    def params(self) -> Mapping[str, Any]:
        """The parameters of the rule that is judging."""
        return self.law.params(self.rule)

    @property
    def listed(self) -> bool:
        """Whether the row lists the reader, by id or as a steward."""
        return self.actor.id in self.row.readers or (self.actor.role == "steward" and "steward" in self.row.readers)

    def closed(self, detail: str) -> Finding:
        """The refusal of a reading."""
        return Finding("by", detail, "ask one of the parties that may read it")


def problems(world: World, row: VaultRow) -> list[Problem]:
    """Why the world's actor may not read the row; empty where it may."""
    sender = {"other_body": False, "expected": {}, "at": None, "last_at": None}
    found = judge_request(RECEIVED, sender, world, None)
    reading = Reading(row, world, world.law_of(world.state(row.subject)))
    for each in binding(reading.law, READ):
        reading.rule = each.rule
        found.extend(problem(reading.law, each.rule, finding) for finding in findings(each.judge(reading)))
    return found


@guard("TB-BID-002", on=READ, private=True)
def bids_are_sealed(reading: Reading) -> Judgement:
    """TB-BID-002 (ruling A-29): a bid is read by its own agent, the poster and stewards; by no other agent, ever."""
    if reading.row.kind not in SEALED_BIDS or reading.listed:
        return None
    target = reading.world.state(reading.row.subject)
    if not reading.params["sealed_after_pick"] and isinstance(target, Target) and target.chosen is not None:
        return None
    return reading.closed("this bid is sealed; only its own agent, the poster and stewards read it")


@guard("TB-PRIV-007", on=READ, private=True)
def private_matter_has_its_readers(reading: Reading) -> Judgement:
    """TB-PRIV-007: private matter is opened to the parties it names as readers, and to nobody else."""
    if reading.row.kind in SEALED_BIDS | PULSES or reading.listed:
        return None
    return reading.closed("this is private matter of other parties")
