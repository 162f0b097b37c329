"""From YAML to a compiled edition: canonical JSON, hashed, listed in the manifest.

`python -m tollbench.rules.compile VERSION` writes `protocol/editions/VERSION.json` and its line in
`protocol/manifest.json`. Before launch an edition of the same name is replaced (TB-GOV-007); afterwards editions on the
shelf never change.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from ..protocol.canonical import dumps
from ..protocol.commitment import fingerprint
from . import schema
from .findings import RegistryError
from .load import HOME, Rule, Tree, load
from .yaml_strict import read

_COPIED = (
    "rev", "title", "status", "kind", "tier", "text", "source", "authority", "rulings", "applies_to", "evaluator",
    "reject_code", "governs_at", "needs", "verify_by", "effective", "introduced_by", "supersedes", "superseded_by",
)  # fmt: skip
_MANIFEST = "protocol/manifest.json"


class FreezeError(Exception):
    """An edition cannot be written: its name is wrong, or it would change what has been published."""


def compiled(tree: Tree, version: str, effective: str) -> bytes:
    """The canonical bytes of the edition: every rule in force on the date, with the values in force on it."""
    rules: dict[str, Any] = {
        rule.id: _entry(rule, effective)
        for rule in tree.rules.values()
        if rule.value["status"] != "draft" and rule.value["effective"] <= effective
    }
    return dumps({"effective": effective, "rules": rules, "schema": 1, "version": version})


def _entry(rule: Rule, day: str) -> dict[str, Any]:
    entry: dict[str, Any] = {key: rule.value[key] for key in _COPIED if rule.value.get(key) not in (None, [])}
    values = rule.values_at(day)
    parameters = {}
    for name, declared in rule.declared().items():
        flags = {key: item for key, item in declared.items() if item not in (False, "normative")}
        parameters[name] = {**flags, "value": values[name]}
    entry["parameters"] = parameters
    entry["fingerprint"] = rule.fingerprint()
    entry["values_fingerprint"] = rule.values_fingerprint()
    return entry


def manifest(root: Path) -> dict[str, Any]:
    """The manifest of the tree, or the bare one of a tree that has none."""
    path = root / _MANIFEST
    if not path.exists():
        return {"current": None, "editions": [], "launched_at": None}
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def locked_lines(lines: list[str]) -> dict[str, Any]:
    """How the manifest notes the first lines of `ids.lock`: their number and their hash."""
    return {"hash": fingerprint("\n".join(lines).encode()), "lines": len(lines)}


def freeze(version: str, effective: str | None = None, root: Path = HOME.parent) -> dict[str, Any]:
    """Compile the registry into an edition and put it on the shelf as the current one; gives its manifest line.

    `effective` is a date; it defaults to that of the edition being replaced, or today. Raises `RegistryError` with all
    findings when the registry is unusable, `FreezeError` when a published edition would change.
    """
    tree = load(root)
    if tree.findings:
        raise RegistryError(tree.findings)
    shelf = manifest(root)
    line: Mapping[str, Any] = next((item for item in shelf["editions"] if item["version"] == version), {})
    day = effective or line.get("effective") or date.today().isoformat()  # noqa: DTZ011 - a default for people
    data = compiled(tree, version, day)
    entry = {"effective": day, "file": f"editions/{version}.json", "hash": fingerprint(data), "version": version}
    if line and shelf["launched_at"] and line["hash"] != entry["hash"]:
        raise FreezeError(f"edition {version} is published with hash {line['hash']}; take the next version")
    if not line:
        shelf["editions"].append(entry)
    else:
        shelf["editions"] = [entry if item["version"] == version else item for item in shelf["editions"]]
    shelf["current"] = version
    lock = root / "rules" / "ids.lock"
    shelf["ids_lock"] = locked_lines(lock.read_text("utf-8").splitlines() if lock.exists() else [])
    shelf["waived"] = _waived(root)
    target = root / "protocol" / "editions" / f"{version}.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    (root / _MANIFEST).write_text(json.dumps(shelf, indent=2, sort_keys=True, ensure_ascii=False) + "\n", "utf-8")
    return entry


def _waived(root: Path) -> list[str]:
    """The waived rules at this freeze; the list may only shrink until the next one."""
    path = root / "rules" / "waivers.yaml"
    if not path.exists():
        return []
    document = read(path, "rules/waivers.yaml")
    document.findings += schema.problems(document, "waivers") if not document.findings else []
    if document.findings:
        raise RegistryError(document.findings)
    return sorted(waiver["rule"] for waiver in document.value["waivers"])


def main(arguments: list[str]) -> int:
    """Freeze the version named on the command line; 0 fine, 1 findings, 2 usage."""
    if len(arguments) not in (1, 2):
        print("usage: python -m tollbench.rules.compile VERSION [EFFECTIVE-DATE]", file=sys.stderr)
        return 2
    try:
        entry = freeze(arguments[0], arguments[1] if arguments[1:] else None)
    except (RegistryError, FreezeError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{entry['version']} {entry['hash']} effective {entry['effective']}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
