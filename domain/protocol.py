"""The whole domain, imported once: after this module is loaded every command, event type and evaluator is registered.

`submit` is the one road for a command: the boundary's rules, then the command's own decider and guards.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from typing import Any

from . import boundary, engine, erasure, vault
from .boundary import MISSING, RECEIVED, judge_request
from .commands import Command
from .engine import Outcome
from .world import World

AGGREGATES = ("target", "deal", "milestone", "passport", "system_record", "person", "rulebook", "period", "history")


def load() -> None:
    """Import every module of every aggregate, which fills the registries."""
    package = __name__.rpartition(".")[0]
    for aggregate in AGGREGATES:
        folder = importlib.import_module(f"{package}.{aggregate}")
        for module in pkgutil.iter_modules(folder.__path__):
            importlib.import_module(f"{folder.__name__}.{module.name}")


def submit(request: Command, world: World, received: Mapping[str, Any]) -> Outcome:
    """Judge a command from its receipt to its events.

    `received` holds what only the store knows: `other_body` (the key was used for another body), `expected` (stream
    versions the sender has seen), `at` (an instant the sender gave, or None) and `last_at`.
    """
    refused = judge_request(RECEIVED, received, world, request)
    if refused:
        return Outcome(problems=refused)
    outcome = engine.decide(request, world)
    if world.missing:
        outcome.problems.extend(judge_request(MISSING, {}, world, request))
    return outcome


load()
__all__ = ["boundary", "erasure", "submit", "vault"]
