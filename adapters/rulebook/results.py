"""What runs of the scenarios showed: the JUnit report that pytest writes, and the proof of `toll rules prove`.

The project's tests put the rules a scenario cites (`rule`) and the rules that refused in it (`refusal`) into the
report as properties, so that any tool that reads JUnit sees them.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from ...protocol.edition import Edition


class ResultsError(Exception):
    """The file is no JUnit report, or no proof of the edition at hand."""


@dataclass(slots=True)
class Results:
    """Outcomes of scenarios by rule, as (name, passed|failed|skipped), and refusals counted by rule."""

    by_rule: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    refusals: Counter[str] = field(default_factory=Counter)


def read_results(path: Path) -> Results:
    """Read a JUnit report. Raises `ResultsError`."""
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError) as error:
        raise ResultsError(f"{path} is no JUnit report: {error}") from None
    found = Results()
    for case in root.iter("testcase"):
        properties = [(p.get("name", ""), p.get("value", "")) for p in case.iter("property")]
        outcome = _outcome(case)
        for name, value in properties:
            if name == "rule":
                found.by_rule.setdefault(value, []).append((case.get("name", ""), outcome))
            elif name == "refusal":
                found.refusals[value] += 1
    return found


def read_proof(path: Path, edition: Edition) -> dict[str, str]:
    """What `toll rules prove --out` wrote: each rule with the change that no scenario noticed, "" where all were.

    Raises `ResultsError` where the file is no proof, or one of another edition, which says nothing of this one.
    """
    try:
        document = json.loads(path.read_text("utf-8"))
        found = {one["rule"]: "" for one in document["mutations"]}
        for one in document["mutations"]:
            if not one["proven"] and not found[one["rule"]]:
                found[one["rule"]] = f"{one['change']}: no citing scenario fails"
        of = document["edition"]["hash"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise ResultsError(f"{path} is no proof; give what toll rules prove --out wrote") from None
    if of != edition.hash:
        raise ResultsError(f"{path} is the proof of another edition; run toll rules prove --out again")
    return found


def _outcome(case: ElementTree.Element) -> str:
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    return "skipped" if case.find("skipped") is not None else "passed"
