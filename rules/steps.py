"""Step definitions, read statically: which of them no scenario uses, which texts two of them claim, and which of them
cannot fail.

pytest-bdd resolves an ambiguous step by the order of registration, silently. The patterns are read from the decorators
(`@given`, `@when`, `@then`, `@step` with a text, `parsers.parse`, `parsers.cfparse` or `parsers.re`); a pattern built
at run time cannot be read and is left alone.

A step can fail where its function, or a function of the tests that it calls, asserts or raises. Calls are followed by
name alone: a Then that is found to assert nothing asserts nothing. Whether one that can fail really tests its rule is
what `toll rules prove` shows.
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
    """One decorator of a step: the kinds it serves, its pattern, where it stands, the line of its function, and whether
    that can fail."""

    kinds: frozenset[str]
    pattern: re.Pattern[str]
    written: str
    file: str
    line: int
    function: int
    can_fail: bool


def read_steps(root: Path) -> list[StepDefinition]:
    """The step definitions below `root/tests`."""
    found: list[StepDefinition] = []
    functions: list[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]] = []
    for path in [*sorted((root / "tests" / "steps").glob("**/*.py")), *sorted((root / "tests").glob("*.py"))]:
        try:
            tree = ast.parse(path.read_text("utf-8"))
        except SyntaxError:
            continue  # the tests themselves fail on it, with a better message
        name = path.relative_to(root).as_posix()
        classes = (node.body for node in tree.body if isinstance(node, ast.ClassDef))
        for node in [*tree.body, *(inner for body in classes for inner in body)]:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                functions.append((name, node))
    able = _able_to_fail(node for _, node in functions)
    for name, node in functions:
        made = (_definition(one, name, node.lineno, node.name in able) for one in node.decorator_list)
        found += filter(None, made)
    return found


def _able_to_fail(functions: Iterable[ast.FunctionDef | ast.AsyncFunctionDef]) -> set[str]:
    """The names of functions that assert or raise, themselves or through others of them."""
    able, calls = {"fail", "raises"}, defaultdict(set)
    for function in functions:
        for node in ast.walk(function):
            if isinstance(node, (ast.Assert, ast.Raise)):
                able.add(function.name)
            elif isinstance(node, ast.Call):
                called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                calls[called].add(function.name)
    fresh = set(able)
    while fresh:
        fresh = {caller for name in fresh for caller in calls[name]} - able
        able |= fresh
    return able


def step_problems(scenarios: Iterable[Scenario], definitions: list[StepDefinition]) -> Iterator[Finding]:
    """Steps that two definitions claim, scenarios that cannot fail, and step functions that no scenario uses."""
    if not definitions:
        return
    used: set[tuple[str, int]] = set()
    claims: dict[tuple[str, str], list[int]] = {}
    by_kind: dict[str, list[int]] = defaultdict(list)
    vacuous: list[Scenario] = []
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
        thens = [claims[step.kind, step.text] for step in scenario.steps if step.kind == "then"]
        if thens and all(claimed and not any(definitions[i].can_fail for i in claimed) for claimed in thens):
            vacuous.append(scenario)
    for scenario in vacuous:
        message = f"nothing in the Then of the scenario '{scenario.name}' can fail"
        for rule in sorted(scenario.rules) or [""]:
            yield Finding(scenario.file, scenario.line, rule, "unproven", message, "assert what the rule says")
    for one in definitions:
        if (one.file, one.function) not in used:
            used.add((one.file, one.function))
            message = f"no scenario uses the step '{one.written}'"
            yield Finding(one.file, one.line, "", "dormant", message, "use it or remove it")


def _definition(decorator: ast.expr, file: str, function: int, can_fail: bool) -> StepDefinition | None:
    if not isinstance(decorator, ast.Call) or not decorator.args:
        return None
    called = decorator.func.id if isinstance(decorator.func, ast.Name) else getattr(decorator.func, "attr", "")
    if called not in (*_KINDS, "step"):
        return None
    read = _pattern(decorator.args[0])
    if read is None:
        return None
    kinds = frozenset(_KINDS if called == "step" else (called,))
    return StepDefinition(kinds, read[0], read[1], file, decorator.lineno, function, can_fail)


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
