"""Amendments: how the rulebook changes, and lint of the changes that are on record.

An amendment is drafted, reviewed, put to a last call and enacted. Enacting writes its changes into the rule files,
compiles the edition that carries them and notes that edition's hash (`editing`). After launch every change of a rule
needs one (TB-GOV-008).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..protocol.commitment import fingerprint
from ..protocol.parameter_types import parse_type
from . import schema
from .findings import Finding
from .load import Tree
from .yaml_strict import Document, read

FOLDER = "rules/amendments"
STATUSES = ("draft", "review", "last_call", "enacted")


@dataclass(slots=True)
class Amendment:
    """One amendment as written."""

    document: Document
    value: Mapping[str, Any]

    @property
    def id(self) -> str:
        """Its id."""
        return str(self.value["id"])

    def finding(self, message: str, fix: str, *path: str | int, rule: str = "", state: str = "malformed") -> Finding:
        """A finding at the line of a path."""
        return Finding(self.document.file, self.document.line(*path), rule, state, f"{self.id}: {message}", fix)


def read_amendments(root: Path) -> tuple[dict[str, Amendment], list[Finding]]:
    """All amendments by id, and what is wrong with their files as such."""
    found: dict[str, Amendment] = {}
    findings: list[Finding] = []
    for path in sorted((root / FOLDER).glob("*.yaml")):
        document = read(path, path.relative_to(root).as_posix())
        if not document.findings:
            document.findings += schema.problems(document, "amendment")
        findings += document.findings
        if document.findings:
            continue
        amendment = Amendment(document, document.value)
        found[amendment.id] = amendment
        if path.stem != amendment.id:
            fix = f"name the file {amendment.id}.yaml"
            findings.append(amendment.finding("the file is not named after its id", fix, "id"))
    return found, findings


def problems(
    tree: Tree, amendments: Mapping[str, Amendment], shelf: Mapping[str, Any], index: Mapping[str, Any]
) -> Iterator[Finding]:
    """Changes name rules and fit them, dates and hashes hold, editions are named; rules name what brought them."""
    editions = {item["version"]: item["hash"] for item in shelf["editions"]}
    for amendment in amendments.values():
        yield from _changes(tree, amendment)
        yield from _dates(amendment)
        yield from _hashes(tree.root, amendment, editions, index)
        required = amendment.value["class"] in ("substantive", "parameter")
        enacting = amendment.value["status"] in ("last_call", "enacted")
        if required and not amendment.value["impact"]["required"] and shelf["launched_at"]:
            message = f"a {amendment.value['class']} amendment needs an impact report"
            yield amendment.finding(message, "set impact.required to true", "impact")
        if amendment.value["impact"]["required"] and enacting and not amendment.value["impact"].get("report"):
            message = "the impact report is missing"
            yield amendment.finding(message, "run toll rules impact and write what it shows to impact.report", "impact")
    for rule in tree.rules.values():
        by = rule.value["introduced_by"]
        if by not in amendments and by not in editions and rule.value["status"] != "draft":
            message = f"introduced_by names {by}, which is no amendment and no edition"
            yield rule.finding(
                "orphaned", message, "name the amendment or edition that brought the rule", "introduced_by"
            )


def _changes(tree: Tree, amendment: Amendment) -> Iterator[Finding]:
    for index, change in enumerate(amendment.value["changes"]):
        rule_id = change["rule"]
        at = ("changes", index, "rule")
        if rule_id in tree.unusable:
            continue
        if rule_id not in tree.rules:
            message = f"it changes {rule_id}, which is no rule"
            yield amendment.finding(message, "correct the id", *at, rule=rule_id, state="orphaned")
            continue
        if change["change"] != "value":
            continue
        parameter = tree.rules[rule_id].value["parameters"].get(change["parameter"])
        if parameter is None:
            message = f"{rule_id} has no parameter {change['parameter']}"
            yield amendment.finding(message, "correct the name", *at, rule=rule_id, state="orphaned")
            continue
        problem = parse_type(parameter["type"]).problem(change["value"])
        if problem:
            message = f"{rule_id}.{change['parameter']}: {problem}"
            yield amendment.finding(message, "correct the value", "changes", index, "value", rule=rule_id)


def _dates(amendment: Amendment) -> Iterator[Finding]:
    effective, enacted = amendment.value.get("effective"), amendment.value.get("enacted")
    for date in filter(None, (amendment.value["proposed"], effective, enacted and enacted["on"])):
        if problem := parse_type("date").problem(date):
            yield amendment.finding(problem, "write a date that exists", "effective")
    if enacted and effective and effective < enacted["on"]:
        message = f"its effective date {effective} precedes its enactment on {enacted['on']}"
        yield amendment.finding(message, "take effect on the day of enactment or later", "effective")
    if enacted and amendment.value["status"] != "enacted":
        message = f"it is {amendment.value['status']} and yet enacted on {enacted['on']}"
        yield amendment.finding(message, "set its status to enacted, or remove the enactment", "status")


def _hashes(
    root: Path, amendment: Amendment, editions: Mapping[str, str], index: Mapping[str, Any]
) -> Iterator[Finding]:
    enacted = amendment.value.get("enacted", {})
    version = enacted.get("edition")
    if version is not None and enacted.get("edition_hash") != editions.get(version):
        message = f"edition {version} has hash {editions.get(version, 'none: it is not on the shelf')}"
        yield amendment.finding(message, "write the hash of the edition that carries it", "enacted", "edition_hash")
    for number, artifact in enumerate(amendment.value.get("artifacts", ())):
        place = ("artifacts", number, "hash")
        if "path" in artifact:
            path = root / artifact["path"]
            if not path.is_file():
                message = f"the artifact {artifact['path']} is gone"
                yield amendment.finding(message, "restore it; what an amendment carried stays", *place)
                continue
            data = path.read_bytes()
            found = fingerprint(data) if artifact["hash"].startswith("b3:") else f"sha256:{sha256(data).hexdigest()}"
            if found != artifact["hash"]:
                message = f"the artifact {artifact['path']} has hash {found}"
                yield amendment.finding(message, "restore the artifact, or correct the hash", *place)
    source = amendment.value.get("source")
    if source and "paragraph_hash" in source:
        lines = {item["line"]: item["sha256"] for item in index["lines"]}
        if source["paragraph_hash"] != f"sha256:{lines.get(source['line'])}":
            message = f"the paragraph hash is not that of line {source['line']}"
            at = ("source", "paragraph_hash")
            yield amendment.finding(message, "compare with the paragraph, then write its hash", *at, state="drifted")
