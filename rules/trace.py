"""`toll rules trace`: one row a rule, from the paper's paragraph to code, scenarios, documents and other applications.

The state of a row is the worst that is known of the rule:

    ok          enforced and shown as the registry asks
    uncited     no evaluator, or no scenario, and no waiver
    waived      the same, with a waiver that says why and until when
    unproven    a scenario cites it, but nothing in its Then can fail, or it stays green when the rule is switched off
                or a number is moved (`toll rules prove`)
    dormant     its scenario is skipped, has no steps, no Then, no rows, or is shadowed by an equal name
    unwanted    code registers another kind of evaluator, or one for a rule that wants none
    duplicate   two evaluators, two files, two allocations of one id
    orphaned    something cites a rule that does not exist, or a link is not returned
    outdated    the text or values moved past the compiled edition, or a citation names an older revision
    predated    a citation names a revision that does not exist yet
    drifted     the paper's paragraph is not the one the rule was written from
    reserved    one of its numbers stands as a literal in code
    malformed   its file cannot be used

Other applications, in any language, hand in a JSON file (`protocol/schemas/citations.schema.json`).
"""

from __future__ import annotations

import csv
import html
import io
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from .citations import Citation
from .findings import Finding
from .lint import Survey
from .lint_code import lacking
from .load import Rule

STATES = (
    "malformed", "duplicate", "orphaned", "drifted", "outdated", "predated", "unwanted", "reserved", "dormant",
    "uncited", "unproven", "waived", "ok",
)  # fmt: skip
"""All states, worst first."""


@dataclass(frozen=True, slots=True)
class Row:
    """One rule and everything that cites it. Places are `file:line`, with a name where there is one."""

    rule: str
    title: str
    area: str
    tier: str
    kind: str
    rev: int
    state: str
    reasons: tuple[str, ...]
    source: str
    evaluators: tuple[str, ...]
    scenarios: tuple[str, ...]
    schemas: tuple[str, ...]
    documents: tuple[str, ...]
    outside: tuple[str, ...]
    proven: bool | None


def trace(
    survey: Survey,
    findings: Iterable[Finding],
    *,
    proof: Mapping[str, str] | None = None,
    outside: Sequence[Mapping[str, Any]] = (),
) -> list[Row]:
    """The rows of all rules in order of id, then those of ids that are cited and do not exist.

    `findings` are lint's; `proof` maps each rule that was proved to the change that no scenario noticed, an empty text
    where all were (of other rules nothing is known); `outside` are citation documents of other applications.
    """
    cited = _Cited(survey, outside)
    by_rule: dict[str, list[Finding]] = defaultdict(list)
    for finding in (*findings, *cited.findings):
        if finding.rule:
            by_rule[finding.rule].append(finding)
    proof = proof or {}
    rows = [_row(r, cited, by_rule.get(r.id, []), survey, proof.get(r.id)) for r in survey.tree.rules.values()]
    known = set(survey.tree.rules)
    rows += [_stranger(rule_id, found, cited) for rule_id, found in sorted(by_rule.items()) if rule_id not in known]
    return sorted(rows, key=lambda row: row.rule)


class _Cited:
    """The places that cite each rule, by kind."""

    def __init__(self, survey: Survey, outside: Sequence[Mapping[str, Any]]) -> None:
        self.evaluators = _places(survey.evaluators)
        self.schemas = _places(one for one in survey.mentions if one.kind == "schema")
        self.documents = _places(one for one in survey.mentions if one.kind == "link")
        self.scenarios: dict[str, list[str]] = defaultdict(list)
        for scenario in survey.scenarios:
            for rule_id in sorted(scenario.rules):
                self.scenarios[rule_id].append(f"{scenario.file}:{scenario.line} {scenario.name}")
        self.outside: dict[str, list[str]] = defaultdict(list)
        self.findings: list[Finding] = []
        for document in outside:
            self._add(survey, document)

    def _add(self, survey: Survey, document: Mapping[str, Any]) -> None:
        for one in document["citations"]:
            place = f"{document['application']}: {one['place']} ({one['kind']})"
            self.outside[one["rule"]].append(place)
            rule = survey.tree.rules.get(one["rule"])
            where = (document["application"], 1, one["rule"])
            if rule is None:
                self.findings.append(Finding(*where, "orphaned", f"{one['place']} cites no rule", "correct the id"))
            elif one.get("rev", rule.value["rev"]) != rule.value["rev"]:
                state = "outdated" if one["rev"] < rule.value["rev"] else "predated"
                message = f"{one['place']} cites revision {one['rev']}, the rule is at {rule.value['rev']}"
                self.findings.append(Finding(*where, state, message, "check the change, cite the present revision"))


def _places(citations: Iterable[Citation]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for one in citations:
        place = f"{one.file}:{one.line} {one.name}".rstrip()
        if place not in found[one.rule]:
            found[one.rule].append(place)
    return found


def _row(rule: Rule, cited: _Cited, found: list[Finding], survey: Survey, unnoticed: str | None) -> Row:
    states = {finding.state: finding.message for finding in found}
    waiver = survey.waivers.get(rule.id)
    awake = any(rule.id in scenario.rules for scenario in survey.scenarios if scenario.asleep is None)
    lacks = lacking(rule, rule.id in cited.evaluators, awake)
    if waiver is not None and lacks:
        states.setdefault("waived", f"no {' and no '.join(lacks)} until {waiver['expires']}: {waiver['reason']}")
    if unnoticed:
        states["unproven"] = unnoticed
    state = next((one for one in STATES if one in states), "ok")
    reasons = tuple(states[one] for one in STATES if one in states) or (_why(rule),)
    source = rule.value["source"]
    return Row(
        rule=rule.id,
        title=rule.value["title"],
        area=rule.id.split("-")[1],
        tier=rule.value["tier"],
        kind=rule.value["kind"],
        rev=rule.value["rev"],
        state=state,
        reasons=reasons,
        source=f"{source['document']} {source['version']}, line {source['line']}: {source['anchor']}",
        evaluators=tuple(cited.evaluators.get(rule.id, ())),
        scenarios=tuple(cited.scenarios.get(rule.id, ())),
        schemas=tuple(cited.schemas.get(rule.id, ())),
        documents=tuple(cited.documents.get(rule.id, ())),
        outside=tuple(cited.outside.get(rule.id, ())),
        proven=None if unnoticed is None else not unnoticed,
    )


def _why(rule: Rule) -> str:
    """Why a rule without findings is ok."""
    if rule.value["status"] != "active":
        return f"the rule is {rule.value['status']}"
    if rule.value["verify_by"] == "scenario":
        return "enforced and shown by a scenario"
    how = {"lint": "checked by lint", "schema": "checked by a schema", "review": "a matter of steward review"}
    return how.get(rule.value["verify_by"], "descriptive: nothing enforces it")


def _stranger(rule_id: str, found: list[Finding], cited: _Cited) -> Row:
    places = tuple(f"{finding.file}:{finding.line}" for finding in found)
    reasons = tuple(dict.fromkeys(finding.message for finding in found))
    state = min((finding.state for finding in found), key=STATES.index)
    outside = tuple(cited.outside.get(rule_id, ()))
    return Row(
        rule_id,
        "(no such rule)",
        rule_id.split("-")[1],
        "",
        "",
        0,
        state,
        reasons,
        "",
        places,
        (),
        (),
        (),
        outside,
        None,
    )


def as_json(rows: Sequence[Row], edition: str, edition_hash: str) -> dict[str, Any]:
    """The trace as plain JSON values: the edition it is about, the number of rows a state, the rows."""
    counts = {state: sum(row.state == state for row in rows) for state in STATES}
    return {
        "edition": edition,
        "hash": edition_hash,
        "counts": {state: count for state, count in counts.items() if count},
        "rows": [asdict(row) for row in rows],
    }


_COLUMNS = ("rule", "title", "tier", "rev", "state", "proven", "source", "evaluators", "scenarios", "reasons")


def proven(found: bool | None) -> str:
    """What a proof says of a rule, in a word; nothing where there is no proof or nothing to prove."""
    return "" if found is None else "yes" if found else "no"


def _cells(row: Row) -> list[str]:
    values = asdict(row) | {"proven": proven(row.proven)}
    return ["; ".join(map(str, v)) if isinstance(v := values[key], (tuple, list)) else str(v) for key in _COLUMNS]


def as_markdown(rows: Sequence[Row]) -> str:
    """The trace as a Markdown table."""
    lines = ["| " + " | ".join(_COLUMNS) + " |", "|" + "---|" * len(_COLUMNS)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in _cells(row)) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def as_csv(rows: Sequence[Row]) -> str:
    """The trace as CSV, one line a rule."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows(_cells(row) for row in rows)
    return out.getvalue()


def as_html(rows: Sequence[Row], edition: str) -> str:
    """The trace as one self-contained HTML page."""
    head = "".join(f"<th>{column}</th>" for column in _COLUMNS)
    body = "\n".join(
        f'<tr class="{row.state}">' + "".join(f"<td>{html.escape(cell)}</td>" for cell in _cells(row)) + "</tr>"
        for row in rows
    )
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">\n'
        f"<title>Trace of edition {html.escape(edition)}</title>\n"
        "<style>body{font:14px system-ui;margin:1rem}table{border-collapse:collapse}td,th{border:1px solid #ccc;"
        "padding:.2rem .4rem;text-align:left;vertical-align:top}.ok td{background:#f2fbf2}"
        ".waived td{background:#fffbe6}"
        "tr:not(.ok):not(.waived) td{background:#fff0f0}</style>\n"
        f"<h1>Trace of edition {html.escape(edition)}</h1>\n<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n"
        "</tbody></table></html>\n"
    )
