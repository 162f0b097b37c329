"""Everything that is known of one rule: its wording, values and source, and all that enforces, shows or cites it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...protocol.edition import Edition, RuleEntry, Shelf
from ...protocol.envelope import Event
from ...rules.lint import Survey
from ...rules.trace import Row


@dataclass(frozen=True, slots=True)
class Judged:
    """How often a rule was applied in a ledger: events that cite it, by event type."""

    events: int
    by_type: Mapping[str, int]


def judged(events: Iterable[Event]) -> dict[str, Judged]:
    """Count, for each rule, the events of a ledger that cite it."""
    found: dict[str, Counter[str]] = {}
    for event in events:
        for rules in event.rules.values():
            for rule in rules:
                found.setdefault(rule, Counter())[event.type] += 1
    return {rule: Judged(sum(types.values()), dict(sorted(types.items()))) for rule, types in sorted(found.items())}


def edition_at(shelf: Shelf, day: str) -> Edition:
    """The edition in force on a date: the last one that is effective by then. Raises `LookupError` before the first."""
    listed = [item for item in shelf.manifest["editions"] if item["effective"] <= day]
    if not listed:
        first = shelf.manifest["editions"][0]
        raise LookupError(
            f"no edition is in force on {day}; the first, {first['version']}, begins on {first['effective']}"
        )
    return shelf.get(listed[-1]["version"])


def dossier(
    entry: RuleEntry, edition: Edition, survey: Survey, row: Row | None, counts: Mapping[str, Judged] | None
) -> dict[str, Any]:
    """The dossier of a rule as plain JSON values. `counts` are those of a ledger, None when none is at hand."""
    rule = survey.tree.rules.get(entry.id)
    written = rule.value if rule is not None else {}
    values = {name: item["values"] for name, item in written.get("parameters", {}).items()}
    found: dict[str, Any] = {
        "id": entry.id,
        "rev": entry.rev,
        "edition": edition.version,
        "edition_hash": edition.hash,
        "title": entry.title,
        "status": entry.status,
        "kind": entry.kind,
        "tier": entry.tier,
        "text": entry.text,
        "authority": entry.authority,
        "rulings": list(entry.rulings),
        "source": {
            "document": entry.source.document,
            "version": entry.source.version,
            "line": entry.source.line,
            "anchor": entry.source.anchor,
            "also_lines": list(entry.source.also_lines),
        },
        "parameters": [
            {
                "name": parameter.name,
                "type": parameter.type,
                "value": parameter.value,
                "role": parameter.role,
                "authority": parameter.authority,
                "draft": parameter.draft,
                "reserved": parameter.reserved,
                "dated": values.get(parameter.name, []),
            }
            for parameter in entry.parameters
        ],
        "applies_to": dict(entry.applies_to),
        "evaluator": {"kind": entry.evaluator, "visibility": entry.visibility},
        "reject_code": entry.reject_code,
        "governs_at": entry.governs_at,
        "needs": list(entry.needs),
        "verify_by": entry.verify_by,
        "effective": entry.effective,
        "introduced_by": written.get("introduced_by"),
        "examples": list(written.get("examples", ())),
        "notes": [dict(note) for note in written.get("notes", ())],
        "fingerprint": entry.fingerprint,
        "values_fingerprint": entry.values_fingerprint,
    }
    if row is not None:
        places = ("state", "reasons", "proven", "evaluators", "scenarios", "schemas", "documents")
        found |= {key: getattr(row, key) for key in places}
    if counts is not None:
        count = counts.get(entry.id, Judged(0, {}))
        found["judged"] = {"events": count.events, "by_type": dict(count.by_type)}
    return found
