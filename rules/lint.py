"""`toll rules lint`: everything that can be wrong with the rulebook and what cites it, found in one run.

The registry is checked by itself (`lint_registry`) and against code, scenarios and documents (`lint_code`), all of it
statically: nothing is imported or run. Findings are sorted by file and line; no finding means that the registry is fit
to be frozen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from . import amendments, lint_code, lint_registry, schema
from .amendments import read_amendments
from .citations import Citation, Source, evaluators, mentions, read_code, read_documents, read_schemas
from .compile import manifest
from .findings import Finding
from .load import HOME, Tree, load, paper_index
from .scenarios import Scenario, problems, read_features
from .steps import StepDefinition, read_steps, step_problems
from .yaml_strict import read

ROOT = HOME.parent
_TERM_FOLDERS = ("domain", "projections", "adapters", "features", "rules")


@dataclass(slots=True)
class Survey:
    """All that lint and trace look at, read once."""

    tree: Tree
    code: list[Source] = field(default_factory=list)
    documents: list[Source] = field(default_factory=list)
    scenarios: list[Scenario] = field(default_factory=list)
    steps: list[StepDefinition] = field(default_factory=list)
    evaluators: list[Citation] = field(default_factory=list)
    mentions: list[Citation] = field(default_factory=list)
    waivers: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    waiver_lines: dict[str, int] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def survey(root: Path = ROOT) -> Survey:
    """Read registry, waivers, code, scenarios and documents of a tree; `.findings` holds what could not be read."""
    found = Survey(load(root))
    found.findings += found.tree.findings
    found.code = read_code(root)
    found.documents = read_documents(root)
    found.scenarios, broken = read_features(root)
    found.findings += broken
    found.steps = read_steps(root)
    for source in found.code:
        found.mentions += mentions(source)
        try:
            found.evaluators += evaluators(source)
        except SyntaxError as error:
            line = error.lineno or 1
            found.findings.append(
                Finding(source.file, line, "", "malformed", f"no Python: {error.msg}", "correct the syntax")
            )
    for document in found.documents:
        found.mentions += mentions(document, "link")
    for schema_ in read_schemas(root):
        found.mentions += mentions(schema_, "schema")
    _read_waivers(root, found)
    return found


def lint(root: Path = ROOT, *, paper: str | None = None, today: date | None = None) -> list[Finding]:
    """All findings about the tree, sorted. `paper` is the paper's present text, when it is at hand."""
    return lint_survey(survey(root), paper=paper, today=today)


def lint_survey(read_: Survey, *, paper: str | None = None, today: date | None = None) -> list[Finding]:
    """The findings about a tree that has been read."""
    tree = read_.tree
    day = today or datetime.now(UTC).date()
    index = paper_index(tree.root / "protocol")
    found = list(read_.findings)
    found += lint_registry.ids(tree)
    found += lint_registry.links(tree)
    found += lint_registry.sources(tree, index, paper)
    found += lint_registry.edition(tree)
    amended, broken = read_amendments(tree.root)
    found += broken
    found += amendments.problems(tree, amended, manifest(tree.root), index)
    found += lint_registry.waivers(tree, read_.waivers, read_.waiver_lines, day)
    found += problems(read_.scenarios)
    found += step_problems(read_.scenarios, read_.steps)
    cited = [*read_.evaluators, *lint_code.scenario_citations(read_.scenarios), *read_.mentions]
    found += lint_code.resolve(tree, cited)
    revisions = lint_registry.revisions(tree.root)
    found += lint_code.enforced(tree, read_.evaluators, read_.scenarios, read_.waiver_lines, revisions)
    if not any(finding.message.startswith("no Python") for finding in found):
        found += lint_code.reserved_literals(tree, read_.code)
    found += lint_code.forbidden_terms(tree, _texts(read_))
    return sorted(set(found))


def _read_waivers(root: Path, found: Survey) -> None:
    path = root / "rules" / "waivers.yaml"
    if not path.exists():
        return
    document = read(path, "rules/waivers.yaml")
    if not document.findings:
        document.findings += schema.problems(document, "waivers")
    found.findings += document.findings
    if document.findings:
        return
    for index, waiver in enumerate(document.value["waivers"]):
        rule, line = waiver["rule"], document.line("waivers", index)
        if rule in found.waivers:
            message = f"the rule is waived twice, first in line {found.waiver_lines[rule]}"
            found.findings.append(Finding(document.file, line, rule, "duplicate", message, "keep one of the two"))
        found.waivers.setdefault(rule, waiver)
        found.waiver_lines.setdefault(rule, line)


def _texts(read_: Survey) -> list[Source]:
    """Where a forbidden term would mislead a reader."""
    root = read_.tree.root
    files = [*root.glob("features/**/*.feature"), *root.glob("rules/*/*.yaml")]
    yaml = [Source(path.relative_to(root).as_posix(), path.read_text("utf-8", "replace")) for path in files]
    code = [source for source in read_.code if source.file.startswith(_TERM_FOLDERS)]
    return [*code, *read_.documents, *yaml]
