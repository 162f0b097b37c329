"""From YAML to a compiled edition: canonical JSON, hashed, listed in the manifest.

`python -m tollbench.rules.compile VERSION` writes `protocol/editions/VERSION.json` and its line in
`protocol/manifest.json`. Before launch an edition of the same name is replaced (TB-GOV-007); afterwards editions on the
shelf never change.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from ..protocol.canonical import dumps
from ..protocol.commitment import fingerprint
from ..protocol.edition import Edition, Shelf
from . import schema
from .amendments import carried, read_amendments
from .findings import RegistryError
from .load import HOME, Rule, Tree, load, paper_index
from .yaml_strict import read

_COPIED = (
    "rev", "title", "status", "kind", "tier", "text", "source", "authority", "rulings", "applies_to", "evaluator",
    "reject_code", "governs_at", "needs", "verify_by", "effective", "introduced_by", "supersedes", "superseded_by",
)  # fmt: skip
_MANIFEST = "protocol/manifest.json"
_VERSION = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+(-draft\.[0-9]+)?")


class FreezeError(Exception):
    """An edition cannot be written: its name is wrong, or it would change what has been published."""


def compiled(tree: Tree, version: str, effective: str) -> bytes:
    """The canonical bytes of the edition: every rule in force on the date, with the values in force on it.

    `amended` is there where the edition carries an amendment: for each rule that it changed its id and its transition.
    """
    rules: dict[str, Any] = {
        rule.id: _entry(rule, effective)
        for rule in tree.rules.values()
        if rule.value["status"] != "draft" and rule.value["effective"] <= effective
    }
    edition: dict[str, Any] = {"effective": effective, "rules": rules, "schema": 1, "version": version}
    if amended := carried(read_amendments(tree.root)[0], version):
        edition["amended"] = amended
    return dumps(edition)


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


def freeze(
    version: str, effective: str | None = None, root: Path = HOME.parent, *, current: bool = True
) -> dict[str, Any]:
    """Compile the registry into an edition and put it on the shelf, as the current one by default; gives its line.

    `effective` is a date; it defaults to that of the edition being replaced, or today. Raises `RegistryError` with all
    findings when the registry is unusable, `FreezeError` when a published edition would change.
    """
    if not _VERSION.fullmatch(version):
        raise FreezeError(f"{version!r} is no version; write one like 1.3.0 or 1.3.0-draft.2")
    tree = load(root)
    if tree.findings:
        raise RegistryError(tree.findings)
    shelf = manifest(root)
    line: Mapping[str, Any] = next((item for item in shelf["editions"] if item["version"] == version), {})
    day = effective or line.get("effective") or date.today().isoformat()  # noqa: DTZ011 - a default for people
    data = compiled(tree, version, day)
    entry = {"effective": day, "file": f"editions/{version}.json", "hash": fingerprint(data), "version": version}
    if shelf["launched_at"] and line and line["hash"] != entry["hash"]:
        raise FreezeError(f"edition {version} is published with hash {line['hash']}; take the next version")
    if shelf["launched_at"] and not line:
        _covered(root, tree, shelf, Edition(data))
    if not line:
        shelf["editions"].append(entry)
    else:
        shelf["editions"] = [entry if item["version"] == version else item for item in shelf["editions"]]
    if current or shelf["current"] is None:
        shelf["current"] = version
    lock = root / "rules" / "ids.lock"
    shelf["ids_lock"] = locked_lines(lock.read_text("utf-8").splitlines() if lock.exists() else [])
    shelf["waived"] = _waived(root)
    target = root / "protocol" / "editions" / f"{version}.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    write_manifest(root, shelf)
    return entry


def write_manifest(root: Path, shelf: Mapping[str, Any]) -> None:
    """Write the manifest, with the paper, enacted amendments, schemas and artifacts as the tree holds them now."""
    listed = {**shelf, **listing(root)}
    (root / _MANIFEST).write_text(json.dumps(listed, indent=2, sort_keys=True, ensure_ascii=False) + "\n", "utf-8")


def listing(root: Path) -> dict[str, Any]:
    """What the manifest says of everything that is no edition, each with its hash."""
    index = paper_index(root / "protocol")
    folder = root / "protocol" / "schemas"
    schemas = sorted([*folder.glob("*.json"), *folder.glob("events/*.json")])  # those of commands follow the code
    amendments, _ = read_amendments(root)
    enacted = [one for one in amendments.values() if one.value["status"] == "enacted"]
    artifacts = ("protocol/paper/index.json",)
    return {
        "amendments": {one.id: fingerprint((root / one.document.file).read_bytes()) for one in enacted},
        "artifacts": {name: fingerprint((root / name).read_bytes()) for name in artifacts if (root / name).exists()},
        "paper": {"document": index["document"], "sha256": index.get("sha256"), "version": index["version"]},
        "schemas": {path.relative_to(folder).as_posix(): fingerprint(path.read_bytes()) for path in schemas},
    }


def _covered(root: Path, tree: Tree, shelf: Mapping[str, Any], fresh: Edition) -> None:
    """After launch a new edition changes only what enacted amendments change (TB-GOV-008)."""
    before = Shelf(root / "protocol").get(shelf["editions"][-1]["version"])
    changed = {rule_id for rule_id in {*before.rules, *fresh.rules} if _differs(rule_id, before, fresh)}
    amendments, _ = read_amendments(root)
    enacted = [one.value for one in amendments.values() if one.value["status"] == "enacted"]
    covered = {change[key] for one in enacted for change in one["changes"] for key in ("rule", "by") if key in change}
    if bare := sorted(changed - covered):
        raise FreezeError(f"no enacted amendment changes {', '.join(bare)}; amend them first (toll rules amend)")


def _differs(rule_id: str, before: Edition, fresh: Edition) -> bool:
    old, new = before.rules.get(rule_id), fresh.rules.get(rule_id)
    if old is None or new is None:
        return True
    return (old.fingerprint, old.values_fingerprint) != (new.fingerprint, new.values_fingerprint)


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
