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

from ..protocol import instants
from ..protocol.commitment import fingerprint
from ..protocol.edition import Change, EditionError, Shelf
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


def carried(amendments: Mapping[str, Amendment], version: str) -> dict[str, dict[str, str]]:
    """What an edition notes of the rules that enacted amendments changed in it: amendment, transition, and instant."""
    found: dict[str, dict[str, str]] = {}
    for amendment in amendments.values():
        value = amendment.value
        if value["status"] != "enacted" or value["enacted"].get("edition") != version:
            continue
        note = {"amendment": amendment.id, "transition": value["transition"]}
        if "migrate_at" in value:
            note["at"] = instants.text(instants.parse(value["migrate_at"]))
        changes = (change for change in value["changes"] if change["change"] != "recorded")
        found |= {change[key]: note for change in changes for key in ("rule", "by") if key in change}
    return dict(sorted(found.items()))


def misplaced_migration(effective: str | None, migrate_at: str) -> str | None:
    """What is wrong with the instant of a migration; None where nothing is."""
    try:
        instant = instants.text(instants.parse(migrate_at))
    except instants.InstantError as error:
        return f"migrate_at: {error}"
    if effective is not None and instant[:10] < effective:
        return f"it migrates attempts at {migrate_at}, before it takes effect on {effective}"
    return None


def problems(
    tree: Tree, amendments: Mapping[str, Amendment], shelf: Mapping[str, Any], index: Mapping[str, Any]
) -> Iterator[Finding]:
    """Changes name rules and fit them, dates and hashes hold, editions are named; rules name what brought them."""
    editions = {item["version"]: item["hash"] for item in shelf["editions"]}
    for amendment in amendments.values():
        yield from _changes(tree, amendment)
        yield from _dates(amendment)
        yield from _hashes(tree.root, amendment, editions, index)
        yield from _transition(tree.root, amendment, amendments, editions)
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


def _transition(
    root: Path, amendment: Amendment, amendments: Mapping[str, Amendment], editions: Mapping[str, str]
) -> Iterator[Finding]:
    """The instant fits, no other amendment of its edition changes a rule too, and the edition notes what it says."""
    value = amendment.value
    if "migrate_at" in value and value["transition"] != "migrate_at":
        message = f"it names an instant of migration, and its transition is {value['transition']}"
        yield amendment.finding(message, "remove one of the two", "migrate_at")
    elif "migrate_at" in value and (wrong := misplaced_migration(value.get("effective"), value["migrate_at"])):
        yield amendment.finding(wrong, "name an instant in UTC from the effective date on", "migrate_at")
        return
    version = value.get("enacted", {}).get("edition")
    if version not in editions:
        return
    mine = {change[key] for change in value["changes"] for key in ("rule", "by") if key in change}
    for other in amendments.values():
        theirs = {change[key] for change in other.value["changes"] for key in ("rule", "by") if key in change}
        same_edition = other.value.get("enacted", {}).get("edition") == version
        if other.id < amendment.id and same_edition and (both := sorted(mine & theirs)):
            message = f"{other.id} changes {', '.join(both)} in edition {version} too"
            yield amendment.finding(
                message, "let each be carried by an edition of its own", "enacted", state="duplicate"
            )
    try:
        noted = Shelf(root / "protocol").get(version).amended
    except EditionError:
        return  # lint of the editions says so
    for rule_id, note in carried({amendment.id: amendment}, version).items():
        if noted.get(rule_id) != Change(**note):
            message = f"edition {version} notes {noted.get(rule_id, 'nothing')} for {rule_id}"
            fix = "restore the transition; what becomes of attempts was settled with the enactment"
            yield amendment.finding(message, fix, "transition", rule=rule_id, state="outdated")


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
