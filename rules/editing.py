"""Changing the rulebook by commands: allocate a rule, draft an amendment, move it on, enact it.

Each function checks everything first and writes all its files or none. Rule and amendment files are rewritten in the
one layout of `yaml_text`; a comment in such a file would be lost, so a file that has one is refused: remarks are notes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..protocol.parameter_types import parse_type
from .amendments import FOLDER, STATUSES, Amendment, misplaced_migration, read_amendments
from .compile import freeze, manifest, write_manifest
from .findings import RegistryError
from .lint_registry import LOCK
from .load import Rule, Tree, load, paper_index
from .yaml_text import dumps

_AREA = re.compile(r"[A-Z]{2,12}")


class EditError(Exception):
    """A change of the rulebook that cannot be made; the text says why and what to do instead."""


def new_rule(root: Path, area: str, title: str, text: str, line: int, day: str, **fields: Any) -> Path:
    """Allocate the next id of an area and write a draft rule under it; gives the file.

    `line` is the line of the paper the rule comes from; `fields` replace the defaults of a draft.
    """
    if not _AREA.fullmatch(area):
        raise EditError(f"{area!r} is no area; use capital letters, as in ODDS")
    if not 3 <= len(title) <= 120 or "\n" in title:
        raise EditError("a title has 3 to 120 characters on one line")
    lock = root / LOCK
    numbers = [int(found[1]) for found in re.finditer(rf"^TB-{area}-(\d{{3}}) ", lock.read_text("utf-8"), re.M)]
    rule_id = f"TB-{area}-{max(numbers, default=0) + 1:03d}"
    value = {
        "id": rule_id, "rev": 1, "title": title, "status": "draft", "kind": "definition", "tier": "core", "text": text,
        "source": _source(root, line), "authority": "amendment", "parameters": {},
        "applies_to": {"aggregate": "Registry"}, "evaluator": {"kind": "none", "visibility": "public"},
        "governs_at": "event", "verify_by": "review", "effective": day, "introduced_by": f"AMD-{day}",
    }  # fmt: skip
    value.update(fields)
    path = root / "rules" / area.lower() / f"{rule_id}.yaml"
    if path.exists():
        raise EditError(f"{path.relative_to(root)} exists although {rule_id} is not allocated; run toll rules lint")
    with _Writing() as files:
        files.write(path, dumps(value))
        files.write(lock, lock.read_text("utf-8") + f"{rule_id} {day} {title}\n")
    return path


def _source(root: Path, line: int) -> dict[str, Any]:
    index = paper_index(root / "protocol")
    for item in index["lines"]:
        if item["line"] == line:
            known = {"document": index["document"], "version": index["version"], "line": line}
            return {**known, "anchor": item["anchor"], "paragraph_hash": f"sha256:{item['sha256']}"}
    raise EditError(f"the paper has no line {line}; take one from 1 to {len(index['lines'])}")


def draft_amendment(
    root: Path, changes: list[dict[str, Any]], day: str, *, title: str, class_: str, text: str, note: str, **fields: Any
) -> Path:
    """Write a draft amendment with these changes; gives the file. Its id is that of the day, numbered where taken."""
    tree = _sound(root)
    for change in changes:
        _check(tree, change)
    taken = set(read_amendments(root)[0])
    names = [f"AMD-{day}", *(f"AMD-{day}-{number}" for number in range(2, 100))]
    amendment_id = next(name for name in names if name not in taken)
    value = {
        "id": amendment_id, "title": title, "status": "draft", "class": class_, "proposed": day,
        "effective": fields.pop("effective", None), "text": text, "changes": changes,
        "transition": fields.pop("transition", "keep_pinned"), "migration_note": note,
        "impact": {"required": class_ in ("substantive", "parameter")}, **fields,
    }  # fmt: skip
    _passes(amendment_id, value)
    path = root / FOLDER / f"{amendment_id}.yaml"
    with _Writing() as files:
        files.write(path, dumps({key: item for key, item in value.items() if item is not None}))
    return path


def _check(tree: Tree, change: Mapping[str, Any]) -> None:
    rule = tree.rules.get(change["rule"])
    if rule is None:
        raise EditError(f"there is no rule {change['rule']}")
    if change["change"] == "add" and rule.value["status"] != "draft":
        raise EditError(f"{rule.id} is {rule.value['status']}; only a draft can be added")
    if change["change"] == "value":
        parameter = rule.value["parameters"].get(change["parameter"])
        if parameter is None:
            names = ", ".join(rule.value["parameters"]) or "none"
            raise EditError(f"{rule.id} has no parameter {change['parameter']}; it has {names}")
        if problem := parse_type(parameter["type"]).problem(change["value"]):
            raise EditError(f"{rule.id}.{change['parameter']}: {problem}")
    if change["change"] == "supersede" and change["by"] not in tree.rules:
        raise EditError(f"there is no rule {change['by']} to supersede {rule.id}")


def move_amendment(
    root: Path,
    amendment_id: str,
    to: str,
    *,
    effective: str | None = None,
    impact: str | None = None,
    transition: str | None = None,
    migrate_at: str | None = None,
) -> Path:
    """Move an amendment to the next status, or withdraw it; `effective` and `impact` fill in what a last call needs.

    `transition` (with `migrate_at`, an instant, where it is that) settles what becomes of attempts under way.
    """
    amendment = _amendment(root, amendment_id)
    value = dict(amendment.value)
    status = value["status"]
    if status in ("enacted", "withdrawn"):
        raise EditError(f"{amendment_id} is {status}; that is final")
    if to != "withdrawn" and (to not in STATUSES[:3] or STATUSES.index(to) != STATUSES.index(status) + 1):
        following = STATUSES[STATUSES.index(status) + 1]
        how = "toll rules enact" if following == "enacted" else f"--to {following}"
        raise EditError(f"{amendment_id} is in {status}; what comes next is {following} ({how}), or withdrawn")
    value["status"] = to
    if effective:
        value["effective"] = effective
    if impact:
        value["impact"] = {**value["impact"], "report": impact}
    if transition:
        value["transition"] = transition
        value.pop("migrate_at", None)
    if migrate_at:
        value["migrate_at"] = migrate_at
    _passes(amendment_id, value)
    if to == "last_call":
        _complete(amendment_id, value)
    path = root / amendment.document.file
    with _Writing() as files:
        files.write(path, dumps(value))
    return path


def _passes(amendment_id: str, value: Mapping[str, Any]) -> None:
    """Refuse an instant of migration without its transition, a transition without its instant, or an early one."""
    migrate_at = value.get("migrate_at")
    if (migrate_at is not None) != (value["transition"] == "migrate_at"):
        how = "needs an instant (--migrate-at)" if migrate_at is None else "takes no instant of migration"
        raise EditError(f"{amendment_id}: the transition {value['transition']} {how}")
    if migrate_at is not None and (wrong := misplaced_migration(value.get("effective"), migrate_at)):
        raise EditError(f"{amendment_id}: {wrong}")


def _complete(amendment_id: str, value: Mapping[str, Any]) -> None:
    if not value.get("effective"):
        raise EditError(f"{amendment_id} names no effective date; give --effective")
    if value["impact"]["required"] and not value["impact"].get("report"):
        raise EditError(f"{amendment_id} needs an impact report; give --impact with what toll rules impact shows")


def enact_amendment(
    root: Path, amendment_id: str, version: str, day: str, *, transition: str | None = None
) -> dict[str, Any]:
    """Write an amendment's changes into the rules, compile edition `version` with them, and note it; gives its line.

    The amendment must be in last call and take effect on `day` or later; `transition`, where given, must be the one
    that the last call named. When the result does not lint or compile, nothing stays written. Raises `EditError`,
    `RegistryError` or `FreezeError`.
    """
    amendment = _amendment(root, amendment_id)
    value = dict(amendment.value)
    if value["status"] != "last_call":
        raise EditError(f"{amendment_id} is in {value['status']}; it is enacted from last_call")
    if value["effective"] < day:
        raise EditError(f"{amendment_id} would take effect on {value['effective']}, before its enactment on {day}")
    if transition not in (None, value["transition"]):
        raise EditError(f"the last call of {amendment_id} names {value['transition']}; what it named is enacted")
    _passes(amendment_id, value)
    editions = manifest(root)["editions"]
    if any(item["version"] == version for item in editions):
        raise EditError(f"edition {version} is on the shelf; an amendment is carried by a new one")
    if editions and value["effective"] < editions[-1]["effective"]:
        raise EditError(
            f"edition {editions[-1]['version']} is in force from {editions[-1]['effective']}; editions follow in order"
        )
    tree = _sound(root)
    changed: dict[str, dict[str, Any]] = {}
    for change in value["changes"]:
        _check(tree, change)
        _apply(tree, change, changed, value)
    with _Writing(also=(root / "protocol/manifest.json", root / f"protocol/editions/{version}.json")) as files:
        for rule_id, rule in changed.items():
            files.write(_uncommented(root, tree.rules[rule_id]), dumps(rule))
        files.write(
            root / amendment.document.file,
            dumps({**value, "status": "enacted", "enacted": {"on": day, "edition": version}}),
        )
        line = freeze(version, value["effective"], root, current=value["effective"] <= day)
        edition = {"on": day, "edition": version, "edition_hash": line["hash"]}
        artifact = {"name": f"edition {version}", "path": f"protocol/{line['file']}", "hash": line["hash"]}
        artifacts = [*value.get("artifacts", ()), artifact]
        done = {**value, "status": "enacted", "artifacts": artifacts, "enacted": edition}
        files.write(root / amendment.document.file, dumps(done))
        write_manifest(root, manifest(root))
    return line


def _apply(
    tree: Tree, change: Mapping[str, Any], changed: dict[str, dict[str, Any]], amendment: Mapping[str, Any]
) -> None:
    rule_id, kind = change["rule"], change["change"]
    rule = changed.setdefault(rule_id, dict(tree.rules[rule_id].value))
    raised = tree.rules[rule_id].value["rev"] + 1
    if kind == "add":
        rule.update(status="active", effective=amendment["effective"], introduced_by=amendment["id"])
    elif kind == "text":
        rule.update(text=change["text"], rev=raised)
    elif kind == "value":
        parameter = dict(rule["parameters"][change["parameter"]])
        dated = {"from": amendment["effective"], "value": change["value"], "reference": amendment["id"]}
        parameter["values"] = [*parameter["values"], dated]
        rule["parameters"] = {**rule["parameters"], change["parameter"]: parameter}
    elif kind == "withdraw":
        rule.update(status="withdrawn", rev=raised)
    elif kind == "supersede":
        by = change["by"]
        rule.update(status="superseded", rev=raised, superseded_by=[*rule.get("superseded_by", ()), by])
        heir = changed.setdefault(by, dict(tree.rules[by].value))
        heir["supersedes"] = [*heir.get("supersedes", ()), rule_id]


def _amendment(root: Path, amendment_id: str) -> Amendment:
    found, findings = read_amendments(root)
    if amendment_id not in found:
        wrong = [finding for finding in findings if amendment_id in finding.file]
        if wrong:
            raise RegistryError(wrong)
        raise EditError(f"there is no amendment {amendment_id}; there are {', '.join(found) or 'none'}")
    return found[amendment_id]


def _sound(root: Path) -> Tree:
    tree = load(root)
    if tree.findings:
        raise RegistryError(tree.findings)
    return tree


def _uncommented(root: Path, rule: Rule) -> Path:
    path = root / rule.file
    if any(line.lstrip().startswith("#") for line in path.read_text("utf-8").splitlines()):
        raise EditError(f"{rule.file} holds a comment, which rewriting would lose; make it a note of the rule")
    return path


class _Writing:
    """Writes files and puts every one of them back as it was when the block fails."""

    def __init__(self, also: tuple[Path, ...] = ()) -> None:
        self._before: dict[Path, bytes | None] = {path: _bytes(path) for path in also}

    def __enter__(self) -> _Writing:
        return self

    def write(self, path: Path, text: str) -> None:
        self._before.setdefault(path, _bytes(path))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is None:
            return
        for path, data in self._before.items():
            if data is not None:
                path.write_bytes(data)
            elif path.exists():
                path.unlink()


def _bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def index_paper(root: Path, version: str, dated: str, data: bytes) -> Path:
    """Write the index of the paper's text: the hash of the whole, and number, first words and hash of each line.

    The text itself stays outside. Rules that cite lines which are not what they were then show as drifted.
    """
    try:
        lines = data.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        raise EditError("the paper's text is not UTF-8") from None
    head = {
        "document": paper_index(root / "protocol")["document"],
        "version": version,
        "dated": dated,
        "sha256": sha256(data).hexdigest(),
    }
    entries = [
        {"line": number, "anchor": " ".join(text.split()[:6]), "sha256": sha256(text.encode()).hexdigest()}
        for number, text in enumerate(lines, 1)
    ]
    top = "".join(f" {json.dumps(key)}: {json.dumps(value)},\n" for key, value in head.items())
    body = ",\n".join(f"  {json.dumps(entry, ensure_ascii=False)}" for entry in entries)
    path = root / "protocol" / "paper" / "index.json"
    with _Writing() as files:
        files.write(path, f'{{\n{top} "lines": [\n{body}\n ]\n}}\n')
    return path
