"""Lint of the registry by itself: ids, revisions, links between rules, sources, and the compiled edition."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..protocol.commitment import fingerprint
from ..protocol.edition import Edition, EditionError, Shelf
from .compile import compiled, listing, locked_lines, manifest
from .findings import Finding
from .load import Rule, Tree

LOCK = "rules/ids.lock"
_LOCK_LINE = re.compile(r"(TB-[A-Z]+-[0-9]{3}) ([0-9]{4}-[0-9]{2}-[0-9]{2}) (\S.*)")
_GONE = ("withdrawn", "superseded")


def ids(tree: Tree) -> Iterator[Finding]:
    """Every id is allocated once in `ids.lock`, keeps its file for ever, and is never renamed or used again."""
    path = tree.root / LOCK
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    allocated: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        match = _LOCK_LINE.fullmatch(line)
        if match is None:
            fix = "write: ID, date of allocation, title at allocation"
            yield Finding(LOCK, number, "", "malformed", f"the line {line[:60]!r} allocates no id", fix)
        elif match[1] in allocated:
            message = f"the id is allocated twice, first in line {allocated[match[1]]}, as two branches do"
            fix = "keep the older line, give the newer rule the next free number"
            yield Finding(LOCK, number, match[1], "duplicate", message, fix)
        else:
            allocated[match[1]] = number
    yield from _append_only(tree.root, lines)
    unreadable = tree.unusable
    new = [rule for rule in tree.rules.values() if rule.id not in allocated]
    for rule_id, number in allocated.items():
        if rule_id not in tree.rules and rule_id not in unreadable:
            yield _missing(tree.root, rule_id, number, new)
    for rule in new:
        fix = f"allocate it: append '{rule.id} DATE TITLE' to {LOCK}, as toll rules new does"
        yield rule.finding("malformed", f"the id is not allocated in {LOCK}", fix, "id")


def _missing(root: Path, rule_id: str, number: int, new: list[Rule]) -> Finding:
    for rule in new:
        if rule.value["text"] == _text_on_shelf(root, rule_id):
            fix = f"restore {rule_id}; an id is never renamed"
            return rule.finding("orphaned", f"{rule_id} was renamed to {rule.id}", fix, "id")
    area = rule_id.split("-")[1].lower()
    fix = f"restore rules/{area}/{rule_id}.yaml; to end a rule set its status to withdrawn"
    return Finding(LOCK, number, rule_id, "orphaned", "the id is allocated but its file is gone", fix)


def _text_on_shelf(root: Path, rule_id: str) -> str | None:
    latest = latest_edition(root)
    return latest.rules[rule_id].text if latest is not None and rule_id in latest.rules else None


def _append_only(root: Path, lines: list[str]) -> Iterator[Finding]:
    noted = manifest(root).get("ids_lock")
    if noted and locked_lines(lines[: noted["lines"]]) != noted:
        message = f"its first {noted['lines']} lines are not those of the last freeze"
        yield Finding(LOCK, 1, "", "malformed", message, "restore them; ids.lock only grows at its end")


def latest_edition(root: Path) -> Edition | None:
    """The latest edition of a tree, in force or still to come, or None where none can be read."""
    try:
        editions = Shelf(root / "protocol")
        return editions.get(editions.versions[-1])
    except (EditionError, IndexError):
        return None


def revisions(root: Path) -> Callable[[str], frozenset[int]]:
    """A function from a rule id to the revisions of it that the editions on the shelf hold; read when first called."""

    @cache
    def editions() -> list[Edition]:
        try:
            shelf = Shelf(root / "protocol")
            return [shelf.get(version) for version in shelf.versions]
        except EditionError:
            return []

    return lambda rule: frozenset(each.rules[rule].rev for each in editions() if rule in each.rules)


def edition(tree: Tree) -> Iterator[Finding]:
    """The compiled edition says what the YAML says, and a changed text carries a new revision."""
    shelf = manifest(tree.root)
    where = "protocol/manifest.json"
    if shelf["current"] is None:
        yield Finding(where, 1, "", "outdated", "no edition is compiled", "run toll rules freeze VERSION")
        return
    try:
        editions = Shelf(tree.root / "protocol")
        for version in editions.versions:
            yield from _revived(tree, editions.get(version))
        current = editions.get(editions.versions[-1])
    except EditionError as error:
        yield Finding(
            where, 1, "", "outdated", str(error), "restore the file, or freeze the version again before launch"
        )
        return
    launched = shelf["launched_at"] is not None
    moved = [found for rule in tree.rules.values() for found in _moved(rule, current, launched)]
    yield from moved
    fresh = fingerprint(compiled(tree, current.version, current.effective))
    if not moved and not tree.findings and fresh != current.hash:
        message = f"edition {current.version} is not what the registry compiles to"
        yield Finding(where, 1, "", "outdated", message, f"run toll rules freeze {current.version}")
    for key, value in listing(tree.root).items():
        if not tree.findings and shelf.get(key) != value:
            message = f"the manifest's {key} are not those of the tree"
            yield Finding(where, 1, "", "outdated", message, f"run toll rules freeze {current.version}")


def _revived(tree: Tree, shelved: Edition) -> Iterator[Finding]:
    for rule_id, entry in shelved.rules.items():
        rule = tree.rules.get(rule_id)
        if rule is not None and entry.status in _GONE and rule.value["status"] not in _GONE:
            message = f"the id was {entry.status} in edition {shelved.version} and is used again"
            yield rule.finding("duplicate", message, "allocate a new id; ids are never used again", "status")


def _moved(rule: Rule, current: Edition, launched: bool) -> Iterator[Finding]:
    if rule.id not in current.rules:
        if rule.value["status"] != "draft" and rule.value["effective"] <= current.effective:
            fix = f"run toll rules freeze {current.version}"
            yield rule.finding("outdated", f"the rule is not in edition {current.version}", fix, "id")
        return
    entry = current.rules[rule.id]
    rev, text_moved = rule.value["rev"], rule.fingerprint() != entry.fingerprint
    remedy = "amend it (toll rules amend)" if launched else f"before launch: run toll rules freeze {current.version}"
    if text_moved and rev == entry.rev:
        message = f"the normative text changed but rev is still {rev}"
        yield rule.finding("outdated", message, f"set rev to {rev + 1}, or {remedy}", "rev")
    elif not text_moved and rev != entry.rev:
        message = f"rev went from {entry.rev} to {rev} but nothing normative changed"
        yield rule.finding("predated", message, f"set rev back to {entry.rev}", "rev")
    elif rev not in (entry.rev, entry.rev + 1):
        message = f"rev went from {entry.rev} to {rev}"
        yield rule.finding("predated", message, f"set rev to {entry.rev + 1}", "rev")
    elif text_moved:
        message = f"revision {rev} is in no edition yet"
        yield rule.finding("outdated", message, remedy, "rev")
    if rule.values_fingerprint() != entry.values_fingerprint:
        message = f"parameter values differ from edition {current.version}"
        yield rule.finding("outdated", message, remedy, "parameters")


def links(tree: Tree) -> Iterator[Finding]:
    """`needs`, `supersedes`, `superseded_by` name rules, supersession is reciprocal, nothing goes in a circle."""
    unusable = tree.unusable
    back = {"supersedes": "superseded_by", "superseded_by": "supersedes"}
    for rule in tree.rules.values():
        for key in ("needs", *back):
            for index, other in enumerate(rule.value.get(key, ())):
                if other in unusable:
                    continue
                if other not in tree.rules:
                    yield rule.finding(
                        "orphaned", f"{key} names {other}, which is no rule", "correct the id", key, index
                    )
                elif key in back and rule.id not in tree.rules[other].value.get(back[key], ()):
                    fix = f"add {rule.id} to {back[key]} of {other}"
                    message = f"{key} names {other}, whose {back[key]} does not name this rule"
                    yield rule.finding("orphaned", message, fix, key, index)
    for key in ("needs", "supersedes"):
        for circle in _circles({rule.id: rule.value.get(key, ()) for rule in tree.rules.values()}):
            message = f"{key} goes in a circle: {' -> '.join(circle)}"
            yield tree.rules[circle[0]].finding("malformed", message, "remove one of the links", key)


def _circles(graph: Mapping[str, Any]) -> Iterator[list[str]]:
    done: set[str] = set()
    for start in graph:
        path: list[str] = []
        stack = [(start, iter(graph.get(start, ())))]
        path.append(start)
        while stack and start not in done:
            node, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                done.add(node)
                stack.pop()
                path.pop()
            elif following in path:
                yield [*path[path.index(following) :], following]
                return
            elif following not in done:
                stack.append((following, iter(graph.get(following, ()))))
                path.append(following)


def sources(tree: Tree, index: Mapping[str, Any], paper: str | None = None) -> Iterator[Finding]:
    """Each rule cites a line of the paper by number, first words and hash; with the paper's text, the lines themselves.

    `index` is the paper index; `paper` the text of the paper as it is now, when it is at hand.
    """
    lines = {item["line"]: item for item in index["lines"]}
    changed = set() if paper is None else _changed(lines, paper.split("\n"))
    for rule in tree.rules.values():
        source = rule.value["source"]
        if (source["document"], source["version"]) != (index["document"], index["version"]):
            message = f"it cites {source['document']} {source['version']}; the index is of {index['version']}"
            yield rule.finding("drifted", message, "read the new version, then cite it", "source", "version")
        cited = [source["line"], *source.get("also_lines", ())]
        for number in cited:
            if number not in lines:
                message = f"line {number} is not a line of {source['document']} {source['version']}"
                yield rule.finding("drifted", message, f"cite a line from 1 to {len(lines)}", "source")
        known = lines.get(source["line"])
        if known and source["paragraph_hash"] != f"sha256:{known['sha256']}":
            message = f"the paragraph hash is not that of line {source['line']}"
            fix = f"compare the rule with the paragraph, then write sha256:{known['sha256'][:12]}…"
            yield rule.finding("drifted", message, fix, "source", "paragraph_hash")
        if known and source["anchor"] != known["anchor"]:
            message = f"line {source['line']} begins with {known['anchor']!r}"
            yield rule.finding("drifted", message, "correct line or anchor", "source", "anchor")
        for number in sorted(changed.intersection(cited)):
            message = f"line {number} of the paper changed since this rule was written"
            yield rule.finding(
                "drifted", message, "read the new paragraph, amend the rule, then run toll rules index", "source"
            )


def _changed(lines: Mapping[int, Any], now: list[str]) -> set[int]:
    hashes = {number: sha256(text.encode()).hexdigest() for number, text in enumerate(now, 1)}
    return {number for number, item in lines.items() if hashes.get(number) != item["sha256"]}


def waivers(
    tree: Tree, listed: Mapping[str, Mapping[str, Any]], lines: Mapping[str, int], today: date
) -> Iterator[Finding]:
    """Waivers name rules, do not outlive their date, and never grow in number between two freezes."""
    file = "rules/waivers.yaml"
    noted = manifest(tree.root).get("waived")
    for rule, waiver in listed.items():
        line = lines[rule]
        if rule not in tree.rules and rule not in tree.unusable:
            yield Finding(file, line, rule, "orphaned", "the waived rule does not exist", "remove the waiver")
        if waiver["expires"] < today.isoformat():
            message = f"the waiver ended on {waiver['expires']}"
            yield Finding(file, line, rule, "waived", message, "enforce the rule, or renew the waiver with a reason")
        if noted is not None and rule not in noted:
            message = "the waiver is new; the list only shrinks"
            yield Finding(
                file, line, rule, "waived", message, "enforce the rule instead (before launch: freeze the draft again)"
            )
