"""Reading the registry: every rule file under `rules/<area>/`, its ids and waivers, with all problems collected."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..protocol.canonical import dumps
from ..protocol.commitment import fingerprint
from ..protocol.edition import HOME as PROTOCOL
from . import schema
from .findings import Finding
from .yaml_strict import Document, read

HOME = Path(__file__).resolve().parent

NOT_NORMATIVE = frozenset({"rev", "parameters", "scenario", "examples", "notes", "title"})
"""Fields that may change without a new revision; parameters are split into their declarations and their values."""
_DECLARED = ("type", "role", "authority", "reserved", "draft")


@dataclass(slots=True)
class Rule:
    """One rule as written: its file, the raw value, and where each part stands."""

    document: Document
    value: Mapping[str, Any]

    @property
    def id(self) -> str:
        """The stable id."""
        return str(self.value["id"])

    @property
    def file(self) -> str:
        """The file, relative to the tree."""
        return self.document.file

    def finding(self, state: str, message: str, fix: str, *path: str | int) -> Finding:
        """A finding about this rule at the line of `path`."""
        return Finding(self.file, self.document.line(*path), self.id, state, message, fix)

    def declared(self) -> dict[str, Any]:
        """The parameters without values, defaults filled in."""
        defaults = {"role": "normative", "authority": self.value["authority"], "reserved": False, "draft": False}
        return {
            name: {key: item.get(key, defaults.get(key)) for key in _DECLARED}
            for name, item in self.value["parameters"].items()
        }

    def fingerprint(self) -> str:
        """`b3:` hash of the canonical bytes of the normative text: what a new revision must announce."""
        text: dict[str, Any] = {key: item for key, item in self.value.items() if key not in NOT_NORMATIVE}
        return fingerprint(dumps({**text, "parameters": self.declared()}))

    def values_fingerprint(self) -> str:
        """`b3:` hash of the parameter values with their dates, apart from the text."""
        values: dict[str, Any] = {
            name: [{"from": dated["from"], "value": dated["value"]} for dated in item["values"]]
            for name, item in self.value["parameters"].items()
        }
        return fingerprint(dumps(values))

    def values_at(self, day: str) -> dict[str, Any]:
        """Each parameter's written value in force on a date: the last one that starts on or before it, or the first."""
        found: dict[str, Any] = {}
        for name, item in self.value["parameters"].items():
            in_force = [dated["value"] for dated in item["values"] if dated["from"] <= day]
            found[name] = in_force[-1] if in_force else item["values"][0]["value"]
        return found


@dataclass(slots=True)
class Tree:
    """The registry as read: rules by id, the locked ids with their lines, and everything wrong so far."""

    root: Path
    rules: dict[str, Rule] = field(default_factory=dict)
    documents: list[Document] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def unusable(self) -> set[str]:
        """Ids whose files have problems: they exist, and nothing more can be said about them."""
        return {Path(document.file).stem for document in self.documents if document.findings}


def load(root: Path = HOME.parent) -> Tree:
    """Read all rule files below `root/rules`. Files with problems are reported and left out of `.rules`."""
    tree = Tree(root)
    for path in sorted((root / "rules").glob("*/TB-*.yaml")):
        document = read(path, path.relative_to(root).as_posix())
        tree.documents.append(document)
        if not document.findings:
            document.findings += schema.problems(document)
        if document.findings:
            tree.findings += document.findings
            continue
        rule = Rule(document, document.value)
        tree.findings += _placed(rule, path)
        first = tree.rules.setdefault(rule.id, rule)
        if first is not rule:
            message = f"the id is already used in {first.file}"
            tree.findings.append(rule.finding("duplicate", message, "allocate a new id", "id"))
    return tree


def _placed(rule: Rule, path: Path) -> list[Finding]:
    area = rule.id.split("-")[1].lower()
    if path.stem == rule.id and path.parent.name == area:
        return []
    fix = f"move the file to rules/{area}/{rule.id}.yaml, or restore the id; an id is never renamed"
    return [rule.finding("malformed", f"the file does not stand where its id says, rules/{area}/", fix, "id")]


def paper_index(protocol: Path = PROTOCOL) -> Mapping[str, Any]:
    """The line hashes and anchors of the paper, as `protocol/paper/index.json` keeps them."""
    found: Mapping[str, Any] = json.loads((protocol / "paper" / "index.json").read_text("utf-8"))
    return found
