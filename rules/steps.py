"""Step definitions, read statically: which of them no scenario uses, and which texts two of them claim.

pytest-bdd resolves an ambiguous step by the order of registration, silently. The patterns are read from the decorators
(`@given`, `@when`, `@then`, `@step` with a text, `parsers.parse`, `parsers.cfparse` or `parsers.re`); a pattern built
at run time cannot be read and is left alone.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .findings import Finding
from .scenarios import Scenario

_KINDS = ("given", "when", "then")
_FIELD = re.compile(r"\{(\w*)(?::([^}]*))?\}")
_CONVERSIONS = {"d": r"[-+]?\d+", "w": r"\w+", "S": r"\S+", "D": r"\D+", "l": "[A-Za-z]+", "g": r"[-+.\deE]+"}
_CARDINALITY = "?*+"


@dataclass(frozen=True, slots=True)
class StepDefinition:
    """One decorator of a step: the kinds it serves, its pattern, where it stands, and the line of its function."""

    kinds: frozenset[str]
    pattern: re.Pattern[str]
    written: str
    file: str
    line: int
    function: int


def read_steps(root: Path) -> list[StepDefinition]:
    """The step definitions below `root/tests`."""
    found: list[StepDefinition] = []
    for path in [*sorted((root / "tests" / "steps").glob("**/*.py")), *sorted((root / "tests").glob("*.py"))]:
        text = path.read_text("utf-8")
        if "pytest_bdd" not in text:
            continue
        try:
            tree = ast.parse(text)
        except SyntaxError:
            continue  # the tests themselves fail on it, with a better message
        name = path.relative_to(root).as_posix()
        for node in tree.body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found += filter(None, (_definition(one, name, node.lineno) for one in node.decorator_list))
    return found


def step_problems(scenarios: Iterable[Scenario], definitions: list[StepDefinition]) -> Iterator[Finding]:
    """Steps that two definitions claim, and step functions that no scenario uses in any of their wordings."""
    if not definitions:
        return
    used: set[tuple[str, int]] = set()
    claims: dict[tuple[str, str], list[int]] = {}
    by_kind: dict[str, list[int]] = defaultdict(list)
    for index, one in enumerate(definitions):
        for kind in one.kinds:
            by_kind[kind].append(index)
    for scenario in scenarios:
        for step in scenario.steps:
            key = (step.kind, step.text)
            if key not in claims:
                claims[key] = [i for i in by_kind[step.kind] if definitions[i].pattern.fullmatch(step.text)]
                if len(claims[key]) > 1:
                    first, second = (definitions[i] for i in claims[key][:2])
                    message = (
                        f"two steps claim '{step.text}': {first.file}:{first.line} and {second.file}:{second.line}"
                    )
                    yield Finding(scenario.file, step.line, "", "duplicate", message, "make one pattern narrower")
            used.update((definitions[i].file, definitions[i].function) for i in claims[key])
    for one in definitions:
        if (one.file, one.function) not in used:
            used.add((one.file, one.function))
            message = f"no scenario uses the step '{one.written}'"
            yield Finding(one.file, one.line, "", "dormant", message, "use it or remove it")


def _definition(decorator: ast.expr, file: str, function: int) -> StepDefinition | None:
    if not isinstance(decorator, ast.Call) or not decorator.args:
        return None
    called = decorator.func.id if isinstance(decorator.func, ast.Name) else getattr(decorator.func, "attr", "")
    if called not in (*_KINDS, "step"):
        return None
    read = _pattern(decorator.args[0])
    if read is None:
        return None
    kinds = frozenset(_KINDS if called == "step" else (called,))
    return StepDefinition(kinds, read[0], read[1], file, decorator.lineno, function)


def _pattern(node: ast.expr) -> tuple[re.Pattern[str], str] | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.compile(re.escape(node.value)), node.value
    if not isinstance(node, ast.Call) or not node.args:
        return None
    kind = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    first = node.args[0]
    if not isinstance(first, ast.Constant) or not isinstance(first.value, str):
        return None
    text = first.value
    try:
        if kind == "re":
            return re.compile(text), text
        if kind in ("parse", "cfparse"):
            return re.compile(_of_format(text)), text
    except re.error:
        return None
    return None


def _of_format(text: str) -> str:
    """A regular expression for a format text: `{name}` is anything, `{name:d}` a whole number."""
    parts: list[str] = []
    at = 0
    for match in _FIELD.finditer(text):
        parts.append(re.escape(text[at : match.start()]))
        parts.append(_CONVERSIONS.get((match[2] or "").rstrip(_CARDINALITY), ".+"))
        at = match.end()
    return "".join(parts) + re.escape(text[at:])
