"""Lint across registry, code, scenarios and documents: citations that resolve, rules that are enforced, numbers that
stand in the registry only, words that keep their meaning."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from ..protocol.parameter_types import DECIMAL, seconds
from .citations import Citation, Source
from .findings import Finding
from .load import Rule, Tree
from .scenarios import Scenario

_ENFORCED_TIERS = ("core", "report")
_JUDGED = ("domain/",)
_PLACES = {"guard": "@guard", "requirement": "requires", "computed": "@computes"}


def resolve(tree: Tree, cited: Iterable[Citation]) -> Iterator[Finding]:
    """Every citation names a rule that exists, in its present revision when it names one. An evaluator that is kept for
    older revisions names those; `enforced` judges it."""
    seen: set[tuple[str, str, int]] = set()
    unusable = tree.unusable
    cited = list(cited)
    kept = {(c.rule, c.file, c.line) for c in cited if c.kind in _PLACES and c.rev is not None}
    for citation in cited:
        key = (citation.rule, citation.file, citation.line)
        if key in seen or citation.rule in unusable:
            continue
        seen.add(key)
        rule = tree.rules.get(citation.rule)
        where = (citation.file, citation.line, citation.rule)
        if rule is None:
            yield Finding(*where, "orphaned", "the cited rule does not exist", "correct the id, or allocate the rule")
        elif citation.rev is not None and citation.rev < rule.value["rev"] and key not in kept:
            message = f"the citation is of revision {citation.rev}, the rule is at {rule.value['rev']}"
            yield Finding(*where, "outdated", message, "check the change, then cite the present revision")
        elif citation.rev is not None and citation.rev > rule.value["rev"]:
            message = f"the citation is of revision {citation.rev}, the rule is only at {rule.value['rev']}"
            yield Finding(*where, "predated", message, "cite the present revision")
        elif rule.value["status"] in ("withdrawn", "superseded"):
            heirs = ", ".join(rule.value.get("superseded_by", ())) or "nothing"
            message = f"the cited rule is {rule.value['status']}"
            yield Finding(*where, "outdated", message, f"cite what replaced it: {heirs}")


def scenario_citations(scenarios: Iterable[Scenario]) -> Iterator[Citation]:
    """The tags of all scenarios as citations."""
    for scenario in scenarios:
        for rule, rev, line in scenario.cites:
            yield Citation(rule, rev, "scenario", scenario.file, line, scenario.name)


def enforced(
    tree: Tree,
    registered: Iterable[Citation],
    scenarios: Iterable[Scenario],
    waived: Mapping[str, int],
    pinned: Callable[[str], frozenset[int]] = lambda rule: frozenset(),
) -> Iterator[Finding]:
    """Each executable rule has one evaluator of its kind and a scenario, or a waiver; a waiver for both is an error.

    `pinned` gives the revisions of a rule that the editions on the shelf hold: only for those may an evaluator of an
    older revision (`"<ID>~N"`) stay.
    """
    by_rule: dict[str, list[Citation]] = defaultdict(list)
    for citation in registered:
        rule = tree.rules.get(citation.rule)
        if citation.rev is None or rule is None or citation.rev >= rule.value["rev"]:
            by_rule[citation.rule].append(citation)
        elif min(pinned(rule.id), default=rule.value["rev"]) > citation.rev:
            message = f"no edition holds revision {citation.rev} or an older one any more"
            yield Finding(citation.file, citation.line, rule.id, "unwanted", message, "remove the old evaluator")
    shown = {rule for scenario in scenarios if scenario.asleep is None for rule in scenario.rules}
    for each in tree.rules.values():
        found = by_rule.get(each.id, [])
        yield from _evaluator(each, found)
        if each.value["tier"] not in _ENFORCED_TIERS or each.value["status"] != "active":
            continue
        lacks = lacking(each, bool(found), each.id in shown)
        if each.id in waived and not lacks:
            message = "the rule is waived and yet enforced"
            yield Finding("rules/waivers.yaml", waived[each.id], each.id, "waived", message, "remove the waiver")
        elif lacks and each.id not in waived:
            fix = "write it, or waive the rule with reason, owner and expiry"
            yield each.finding("uncited", f"the rule has no {' and no '.join(lacks)}", fix, "id")


def lacking(rule: Rule, has_evaluator: bool, has_scenario: bool) -> list[str]:
    """What an executable rule still lacks: "evaluator", "scenario"."""
    lacks = []
    if rule.value["evaluator"]["kind"] != "none" and not has_evaluator:
        lacks.append("evaluator")
    if rule.value["verify_by"] == "scenario" and not has_scenario:
        lacks.append("scenario")
    return lacks


def _evaluator(rule: Rule, found: list[Citation]) -> Iterator[Finding]:
    wanted = rule.value["evaluator"]
    for again in found[1:]:
        message = f"the rule has a second evaluator, first in {found[0].file}:{found[0].line}"
        yield Finding(again.file, again.line, rule.id, "duplicate", message, "keep one evaluator a rule")
    for citation in found[:1]:
        where = (citation.file, citation.line, rule.id)
        if citation.kind != wanted["kind"]:
            message = f"code registers {_PLACES[citation.kind]}, the registry says {wanted['kind']}"
            yield Finding(
                *where, "unwanted", message, f"set evaluator.kind to {citation.kind} in {rule.file}, or change the code"
            )
        elif citation.private != (wanted["visibility"] == "private"):
            visibility = "private" if citation.private else "public"
            message = f"code registers it as {visibility}, the registry says {wanted['visibility']}"
            yield Finding(
                *where,
                "unwanted",
                message,
                f"set evaluator.visibility to {visibility} in {rule.file}, or change the code",
            )


def reserved_literals(tree: Tree, code: Iterable[Source]) -> Iterator[Finding]:
    """A number that a rule reserves stands in the registry only, never as a literal in domain code."""
    texts, numbers = _reserved(tree)
    if not texts and not numbers:
        return
    for source in code:
        if not source.file.startswith(_JUDGED):
            continue
        for node in ast.walk(source.tree()):
            if not isinstance(node, ast.Constant) or isinstance(node.value, bool):
                continue
            owner = _owner(node.value, texts, numbers)
            if owner is not None:
                rule, name = owner
                message = f"the literal {node.value!r} is the reserved parameter {name}"
                fix = f"read it from the law, params({rule!r})[{name!r}]"
                yield Finding(source.file, node.lineno, rule, "reserved", message, fix)


Names = dict[Any, tuple[str, str]]


def _reserved(tree: Tree) -> tuple[Names, Names]:
    texts: Names = {}
    numbers: Names = {}
    for rule in tree.rules.values():
        for name, parameter in rule.value["parameters"].items():
            for dated in parameter["values"] if parameter.get("reserved") else ():
                value, kind = dated["value"], parameter["type"]
                owner = (rule.id, name)
                if kind == "decimal":
                    numbers.setdefault(Decimal(value), owner)
                elif kind == "duration":
                    texts.setdefault(value, owner)
                    numbers.setdefault(Decimal(seconds(value)), owner)
                elif kind == "int":
                    numbers.setdefault(Decimal(value), owner)
                else:
                    texts.setdefault(value, owner)
    return texts, numbers


def _owner(value: object, texts: Names, numbers: Names) -> tuple[str, str] | None:
    if isinstance(value, str):
        if value in texts:
            return texts[value]
        return numbers.get(Decimal(value)) if "." in value and DECIMAL.fullmatch(value) else None
    if isinstance(value, int):
        return numbers.get(Decimal(value))
    return numbers.get(Decimal(repr(value))) if isinstance(value, float) else None


def forbidden_terms(tree: Tree, texts: Iterable[Source]) -> Iterator[Finding]:
    """TB-GOV-014: a term the protocol has given up is used nowhere but in the rule that forbids it."""
    rule = tree.rules.get("TB-GOV-014")
    if rule is None:
        return
    terms = [term for dated in rule.value["parameters"]["forbidden_terms"]["values"] for term in dated["value"]]
    pattern = re.compile("|".join(re.escape(term).replace(r"\ ", r"\s+") for term in terms), re.IGNORECASE)
    for source in texts:
        if source.file == rule.file:
            continue
        for number, line in enumerate(source.text.splitlines(), 1):
            for match in pattern.finditer(line):
                fix = "say Bench rating for the score; the Toll is the price of a crossing"
                message = f"'{match[0]}' is a term the protocol gave up"
                yield Finding(source.file, number, rule.id, "unwanted", message, fix)
