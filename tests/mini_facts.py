"""The golden mini-ledger as attempt facts, for tests of the figures apart from any event stream."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import yaml

from support import shared
from tollbench.projections.attempts import AttemptFacts, Change
from tollbench.protocol import instants
from tollbench.protocol.edition import Shelf
from tollbench.rules.law import Law

MODELS = {"alder": "M1", "cedar": "M1", "birch": "M2"}


def golden() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(shared("golden/mini_ledger.yaml").read_text("utf-8"))
    return found


def attempt(target: dict[str, Any], position: int, **changed: Any) -> AttemptFacts:
    """One target of the mini-ledger; its resolution stands at this log position."""
    resolved = instants.micros(target["resolved"])
    facts: dict[str, Any] = {
        "deal": f"deal-{target['id']}",
        "target": target["id"],
        "agent": target["agent"],
        "agent_name": target["agent"].title(),
        "system_version": "1.0",
        "models": (MODELS[target["agent"]],),
        "p_bp": int(Decimal(target["p"]) * 10_000),
        "o": target["o"],
        "end": target["end"],
        "k": target["k"],
        "m": target["m"],
        "t_seconds": target["T"],
        "elapsed_seconds": target["T"],
        "c_cents": target["C"],
        "b_cents": target["B"],
        "integrity": target["state"],
        "standard": "paid" if target["B"] else "free",
        "signed_at": resolved - target["T"] * 1_000_000,
        "resolved_at": resolved,
        "history": (Change(position, target["state"], target["C"], "deal.resolved"),),
    }
    return AttemptFacts(**{**facts, **changed})


def attempts() -> list[AttemptFacts]:
    return [attempt(target, position) for position, target in enumerate(golden()["targets"], 1)]


def law(**values: Any) -> Law:
    """The current law, with parameters replaced: `law(TB_OUT_015={"lapse_scored": False})`."""
    own = Shelf()
    for rule, parameters in values.items():
        for name, value in parameters.items():
            own.add(own.current.with_value(rule.replace("_", "-"), name, value))
    return Law(own)
