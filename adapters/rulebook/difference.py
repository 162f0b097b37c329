"""What changed between two editions: rules that came, went or were reworded, and values that moved."""

from __future__ import annotations

from typing import Any

from ...protocol.edition import Edition, RuleEntry

_WORDING = ("title", "status", "kind", "tier", "text", "authority", "rulings", "evaluator", "visibility", "reject_code",
            "governs_at", "needs", "verify_by", "effective")  # fmt: skip


def difference(old: Edition, new: Edition) -> dict[str, Any]:
    """The changes from `old` to `new` as plain JSON values, rules in order of id."""
    added = sorted(set(new.rules) - set(old.rules))
    removed = sorted(set(old.rules) - set(new.rules))
    changed = []
    for rule_id in sorted(set(old.rules) & set(new.rules)):
        change = _change(old.rules[rule_id], new.rules[rule_id])
        if change is not None:
            changed.append(change)
    return {
        "from": {"version": old.version, "hash": old.hash, "effective": old.effective},
        "to": {"version": new.version, "hash": new.hash, "effective": new.effective},
        "added": [{"rule": rule_id, "title": new.rules[rule_id].title} for rule_id in added],
        "removed": [{"rule": rule_id, "title": old.rules[rule_id].title} for rule_id in removed],
        "changed": changed,
    }


def _change(old: RuleEntry, new: RuleEntry) -> dict[str, Any] | None:
    fields = {name: [_plain(getattr(old, name)), _plain(getattr(new, name))] for name in _WORDING}
    fields = {name: pair for name, pair in fields.items() if pair[0] != pair[1]}
    before = {parameter.name: parameter for parameter in old.parameters}
    after = {parameter.name: parameter for parameter in new.parameters}
    values = {}
    for name in sorted(before.keys() | after.keys()):
        pair = [before[name].value if name in before else None, after[name].value if name in after else None]
        if pair[0] != pair[1] or (name in before) != (name in after):
            values[name] = pair
    if not fields and not values and old.fingerprint == new.fingerprint:
        return None
    return {"rule": new.id, "title": new.title, "rev": [old.rev, new.rev], "fields": fields, "values": values}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
