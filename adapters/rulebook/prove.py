"""Proof that a citing scenario really tests its rule (mutation of the law, not of the code).

Each evaluator is switched off in turn and the scenarios that cite its rule run: one of them must fail. Each numeric
parameter of a rule is then moved one step up and one step down: again a citing scenario must fail. Scenarios are
collected once, and only citing ones run, all in one process.

The scenarios live in a checkout of the project, and running them needs its `test` extra.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

from ...protocol.edition import Edition, RuleEntry, shelf, shelf_of
from ...protocol.parameter_types import seconds
from ...rules.evaluators import registry, switched_off
from ...rules.lint import survey
from .runtime import load_evaluators

ROOT = Path(__file__).resolve().parents[2]
"""The checkout: the folder that holds `features/` and `tests/`."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change of the law: which rule, what was changed, and whether a citing scenario noticed."""

    rule: str
    change: str
    proven: bool
    scenarios: int
    by: str | None = None


@dataclass(slots=True)
class Proof:
    """The outcome of a run; `unproven` are the mutations that no citing scenario noticed."""

    mutations: list[Mutation] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    @property
    def unproven(self) -> list[Mutation]:
        """Mutations that nothing noticed."""
        return [mutation for mutation in self.mutations if not mutation.proven]

    def as_dict(self, edition: Edition) -> dict[str, Any]:
        """The proof as JSON, with the edition it is of."""
        return {
            "edition": {"version": edition.version, "hash": edition.hash},
            "mutations": [asdict(mutation) for mutation in self.mutations],
            "broken": self.broken,
        }


def steps(entry: RuleEntry) -> Iterator[tuple[str, Any, str]]:
    """Each normative numeric parameter one step down and up, as `(name, written value, words)`.

    A step is the smallest unit of the value: 1 for integers, a second for durations, the last written digit of a
    decimal; true and false change places. In a map each value moves by itself.
    """
    for parameter in entry.parameters:
        if parameter.role == "descriptive":
            continue
        kind = parameter.type.removesuffix("|null")
        if kind.startswith("map[str,"):
            item = kind.removeprefix("map[str,").removesuffix("]")
            for key, value in parameter.value.items():
                for moved in _moved(item, value):
                    yield parameter.name, {**parameter.value, key: moved}, f"{parameter.name}.{key}: {value} -> {moved}"
        else:
            for moved in _moved(kind, parameter.value):
                yield parameter.name, moved, f"{parameter.name}: {parameter.value} -> {moved}"


def _moved(kind: str, value: Any) -> list[Any]:
    if value is None:
        return []
    if kind == "bool":
        return [not value]
    if kind == "int":
        return [value - 1, value + 1]
    if kind == "duration":
        return [f"PT{seconds(value) - 1}S", f"PT{seconds(value) + 1}S"]
    if kind == "decimal":
        digits = len(value.partition(".")[2])
        unit = Decimal(1).scaleb(-digits)
        return [str(Decimal(value) - unit), str(Decimal(value) + unit)]
    return []


def _law_with(rule: str, name: str, value: Any) -> AbstractContextManager[None]:
    """The present edition with one parameter moved."""
    own = shelf()
    return shelf_of(own.standing_in(own.current.with_value(rule, name, value)))


class _Runner:
    """A pytest plugin that, in place of the usual loop, runs citing scenarios under each mutation."""

    def __init__(self, rules: Sequence[str], parameters: bool, progress: Callable[[str], None]) -> None:
        self.rules = rules
        self.parameters = parameters
        self.progress = progress
        self.proof = Proof()

    def pytest_configure(self, config: Any) -> None:
        config.option.tbstyle = "line"  # most runs fail, which is the point: nobody reads how

    def pytest_runtestloop(self, session: Any) -> bool:
        citing: dict[str, list[Any]] = {}
        for item in session.items:
            for marker in item.iter_markers():
                citing.setdefault(marker.name, []).append(item)
        self._plain(session, {id(i): i for rule in self.rules for i in citing.get(rule, ())}.values())
        for rule in self.rules:
            self.progress(rule)
            items = citing.get(rule, [])
            if rule in registry().by_rule:
                self._mutate(rule, "switched off", items, partial(switched_off, rule))
            entry = shelf().current.rules.get(rule)
            if self.parameters and entry is not None and rule in registry().by_rule:
                for name, value, words in steps(entry):
                    self._mutate(rule, words, items, partial(_law_with, rule, name, value))
        return True

    def _plain(self, session: Any, items: Iterable[Any]) -> None:
        """A scenario that fails under the law as it stands proves nothing: name it."""
        for item in items:
            if _fails(item):
                self.proof.broken.append(item.nodeid)

    def _mutate(self, rule: str, change: str, items: list[Any], law: Callable[[], AbstractContextManager[Any]]) -> None:
        sound = [item for item in items if item.nodeid not in self.proof.broken]
        by = None
        with law():
            for item in sound:
                if _fails(item):
                    by = item.name
                    break
        self.proof.mutations.append(Mutation(rule, change, by is not None, len(sound), by))


def _fails(item: Any) -> bool:
    from _pytest.runner import runtestprotocol

    item._initrequest()
    reports = runtestprotocol(item, log=False, nextitem=None)
    return any(report.failed for report in reports)


def prove(
    rules: Sequence[str] = (), *, parameters: bool = True, progress: Callable[[str], None] = lambda rule: None
) -> Proof:
    """Prove these rules (all that have an evaluator by default). Raises `LookupError` where no checkout is at hand."""
    if not (ROOT / "features").is_dir() or not (ROOT / "tests" / "test_features.py").exists():
        raise LookupError("the scenarios are not here: run this in a checkout of the project")
    try:
        import pytest
    except ImportError:
        raise LookupError("running scenarios needs the test extra: pip install 'tollbench[test]'") from None
    load_evaluators(citation.file for citation in survey(ROOT).evaluators)
    wanted = list(rules) or sorted(registry().by_rule)
    runner = _Runner(wanted, parameters, progress)
    heard = io.StringIO()
    with contextlib.redirect_stdout(heard):
        code = pytest.main(
            [
                *("-p", "no:cacheprovider", "-p", "no:terminal"),
                *("--assert=plain", "--capture=no"),
                *("--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml")),
                str(ROOT / "tests" / "test_features.py"),
            ],
            plugins=[runner],
        )
    if code not in (0, 5) and not runner.proof.mutations:
        sys.stderr.write(heard.getvalue())
        raise LookupError("the scenarios could not be collected; run the tests first")
    return runner.proof
