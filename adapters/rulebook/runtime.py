"""Do the evaluators found by reading the code agree with those that the running code has registered?

Lint reads citations statically; what decides commands is the registry of the running process. A registration that one
of them sees and the other does not would make the trace lie, so the trace asks both.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator

from ...rules.citations import Citation
from ...rules.evaluators import registry
from ...rules.findings import Finding
from ...rules.load import Rule


def load_evaluators(files: Iterable[str]) -> None:
    """Import the modules of these files (relative to the root of the package), so that their evaluators register."""
    package = __name__.removesuffix(".adapters.rulebook.runtime")
    for file in sorted(set(files)):
        importlib.import_module(f"{package}.{file.removesuffix('.py').removesuffix('/__init__').replace('/', '.')}")


def disagreements(found: Iterable[Citation]) -> Iterator[Finding]:
    """A finding for each rule whose evaluator only one side knows, or that the two know as different kinds."""
    found = list(found)
    load_evaluators(citation.file for citation in found)
    running = registry().by_rule
    read = {citation.rule: citation for citation in found if citation.rev is None}
    for rule in sorted(running.keys() - read.keys()):
        message = f"the running code registers a {running[rule].kind} that reading the code does not find"
        yield Finding("rules/evaluators.py", 1, rule, "unwanted", message, "register it under its literal id, once")
    for rule, citation in sorted(read.items()):
        where = (citation.file, citation.line, rule)
        if rule not in running:
            fix = "register it when the module is imported"
            yield Finding(
                *where, "unwanted", "the code registers an evaluator that the running code does not have", fix
            )
        elif running[rule].kind != citation.kind:
            message = f"the code reads as {citation.kind}, at run time it is {running[rule].kind}"
            yield Finding(*where, "unwanted", message, "register one evaluator a rule")


def strange_names(rules: Iterable[Rule]) -> Iterator[Finding]:
    """A finding for each command or event type that a rule applies to and that the running code does not have."""
    from ...domain import protocol  # noqa: F401 - registers commands and event types
    from ...domain.commands import commands
    from ...domain.events import event_types

    known = {"commands": set(commands()), "events": {"*", *event_types()}}
    for rule in rules:
        for key, names in known.items():
            for index, name in enumerate(rule.value["applies_to"].get(key, ())):
                if name not in names:
                    message = f"applies_to.{key} names {name}, which does not exist"
                    yield rule.finding("orphaned", message, "correct the name, or remove it", "applies_to", key, index)
