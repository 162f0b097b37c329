"""The scenarios, read statically: which rules each cites, and whether it can show anything at all.

pytest-bdd lets several mistakes pass: two scenarios of one name in a feature silently replace each other, a scenario
without steps succeeds, so does an outline without rows, and a scenario that asserts nothing shows nothing. Each of them
is *dormant* here. Features are parsed with `gherkin-official`, which the `test` extra brings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .findings import Finding

RULE_ID = re.compile(r"TB-[A-Z]+-[0-9]{3}")
CITATION = re.compile(r"(TB-[A-Z]+-[0-9]{3})(?:~([1-9][0-9]*))?")
_SKIPPING = frozenset({"skip", "wip", "ignore", "manual"})


@dataclass(frozen=True, slots=True)
class Step:
    """One step as the reader sees it: `given`, `when` or `then` (And and But count as what they continue)."""

    kind: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario: the rules it cites (id to cited revision or None, with the line of the tag) and its steps."""

    file: str
    line: int
    name: str
    feature: str
    block: str
    cites: tuple[tuple[str, int | None, int], ...]
    tags: frozenset[str]
    steps: tuple[Step, ...]
    is_outline: bool
    rows: int

    @property
    def rules(self) -> frozenset[str]:
        """The ids of the rules it cites."""
        return frozenset(rule for rule, _, _ in self.cites)

    @property
    def asleep(self) -> str | None:
        """Why the scenario shows nothing, or None."""
        if self.tags & _SKIPPING:
            return "is tagged to be skipped"
        if not self.steps:
            return "has no steps"
        if not any(step.kind == "then" for step in self.steps):
            return "has no Then, so it asserts nothing"
        if self.is_outline and self.rows == 0:
            return "is an outline without rows"
        return None


def read_features(root: Path) -> tuple[list[Scenario], list[Finding]]:
    """All scenarios below `root/features`, and what is wrong with the files as such."""
    scenarios: list[Scenario] = []
    findings: list[Finding] = []
    try:
        from gherkin.errors import CompositeParserException, ParserException
        from gherkin.parser import Parser
    except ImportError:
        fix = "install the test extra: pip install 'tollbench[test]'"
        return [], [Finding("features", 1, "", "malformed", "scenarios cannot be read without gherkin-official", fix)]
    for path in sorted((root / "features").glob("**/*.feature")):
        name = path.relative_to(root).as_posix()
        try:
            document: Any = Parser().parse(path.read_text("utf-8"))
        except (CompositeParserException, ParserException) as error:
            for one in getattr(error, "errors", None) or [error]:
                line = getattr(one, "location", {}).get("line", 1)
                message = re.sub(r"^\(\d+:\d+\): ", "", str(one)).split("\n")[0]
                findings.append(Finding(name, line, "", "malformed", message, "correct the Gherkin"))
        except (OSError, UnicodeDecodeError) as error:
            findings.append(
                Finding(name, 1, "", "malformed", f"the feature cannot be read ({error})", "save it as UTF-8")
            )
        else:
            if document.get("feature"):
                scenarios += _of_feature(name, document["feature"])
    return scenarios, findings


def problems(scenarios: Iterable[Scenario]) -> Iterator[Finding]:
    """Dormant scenarios: equal names in a feature, no steps, no Then, no rows, skipped."""
    seen: dict[tuple[str, str], Scenario] = {}
    for scenario in scenarios:
        rule = min(scenario.rules, default="")
        first = seen.setdefault((scenario.file, scenario.name), scenario)
        if first is not scenario:
            message = (
                f"the scenario name '{scenario.name}' already stands in line {first.line} and one shadows the other"
            )
            yield Finding(
                scenario.file, scenario.line, rule, "dormant", message, "give each scenario a name of its own"
            )
        if scenario.asleep is not None:
            message = f"the scenario '{scenario.name}' {scenario.asleep}"
            yield Finding(scenario.file, scenario.line, rule, "dormant", message, "complete the scenario or remove it")


def _of_feature(file: str, feature: dict[str, Any]) -> Iterator[Scenario]:
    background: list[Step] = []
    for child in feature["children"]:
        if "background" in child:
            background = _steps(child["background"])
        elif "scenario" in child:
            yield _scenario(file, feature["name"], "", [feature], child["scenario"], background)
        elif "rule" in child:
            block = child["rule"]
            shared = list(background)
            for inner in block["children"]:
                if "background" in inner:
                    shared += _steps(inner["background"])
                else:
                    yield _scenario(file, feature["name"], block["name"], [feature, block], inner["scenario"], shared)


def _scenario(
    file: str, feature: str, block: str, parents: list[dict[str, Any]], raw: dict[str, Any], background: list[Step]
) -> Scenario:
    tags = [tag for owner in (*parents, raw) for tag in owner["tags"]]
    examples = raw.get("examples", [])
    tags += [tag for table in examples for tag in table["tags"]]
    cites = []
    for tag in tags:
        match = CITATION.fullmatch(tag["name"].removeprefix("@"))
        if match:
            cites.append((match[1], int(match[2]) if match[2] else None, tag["location"]["line"]))
    return Scenario(
        file=file,
        line=raw["location"]["line"],
        name=raw["name"],
        feature=feature,
        block=block,
        cites=tuple(cites),
        tags=frozenset(tag["name"].removeprefix("@").lower() for tag in tags),
        steps=(*background, *_expanded(_steps(raw), examples)),
        is_outline="outline" in raw["keyword"].lower() or "template" in raw["keyword"].lower() or bool(examples),
        rows=sum(len(table.get("tableBody") or ()) for table in examples),
    )


def _expanded(steps: list[Step], examples: list[dict[str, Any]]) -> list[Step]:
    """The steps of an outline as its rows fill them in, each text once; other steps as they are."""
    rows = [
        {head["value"]: cell["value"] for head, cell in zip(table["tableHeader"]["cells"], row["cells"], strict=True)}
        for table in examples
        if table.get("tableHeader")
        for row in table.get("tableBody") or ()
    ]
    if not rows:
        return steps
    found: dict[tuple[str, str], Step] = {}
    for row in rows:
        for step in steps:
            text = step.text
            for name, value in row.items():
                text = text.replace(f"<{name}>", value)
            found.setdefault((step.kind, text), Step(step.kind, text, step.line))
    return list(found.values())


def _steps(owner: dict[str, Any]) -> list[Step]:
    found: list[Step] = []
    kinds = {"Context": "given", "Action": "when", "Outcome": "then"}
    for raw in owner["steps"]:
        kind = kinds.get(raw["keywordType"]) or (found[-1].kind if found else "given")
        found.append(Step(kind, raw["text"], raw["location"]["line"]))
    return found
