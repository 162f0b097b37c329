"""A complete command file for each command, made from its schema: right in shape, to be filled in.

Ids are made of zeros, words are "word", texts say which field they stand in. What an application gives by itself where
it is left out (keys, signatures, salts) is left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from ..domain import protocol
from ..domain.commands import ROLES, Command, commands
from ..protocol.edition import shelf
from ..rules.law import Law
from .schemas import command_schema, proposable

GIVEN = frozenset(("key", "signature", "milestone_signature", "salt", "artifact"))
"""Fields that a sender normally leaves out."""
_ZEROS = "00000000-0000-5000-8000-000000000000"
_SAMPLES = (
    "word",
    "0.70",
    "2026-08-24",
    "2026-W35",
    "outcome",
    "1.3.0",
    "0" * 64,
    f"sha256:{'0' * 64}",
    f"b3:{'0' * 64}",
)
"""Texts of the forms that patterns ask for."""
_ID = re.compile(r"\^([a-z]+)-\[0-9a-f")
_SENT_BY = re.compile(r"sent by (?:the |an? |its )?([a-z]+)")
_ROLE = {"poster": "person", "finalist": "agent"}


def example_of(name: str) -> dict[str, Any]:
    """The command file of this command: `command`, `by`, `key` and `fields`. Raises `KeyError` where there is none."""
    role = role_of(commands()[name])
    id = "system" if role == "system" else f"{'passport' if role == 'agent' else 'person'}-{_ZEROS}"
    return {"command": name, "by": {"role": role, "id": id}, "key": f"my {name} 1", "fields": _fields(name)}


def role_of(model: type[Command]) -> str:
    """A role that may send this command: the one that its description names, or the first that may cause its event."""
    sent = _SENT_BY.search(" ".join((model.__doc__ or "").split()))
    if sent:
        party = sent[1]
    else:
        senders = Law(shelf()).params("TB-CMD-003")["senders"]
        party = next(party for type_ in sorted(proposable(model)) for party in senders.get(type_, ()))
    role = _ROLE.get(party, party)
    assert role in ROLES, f"{model.__name__} is sent by a {role}, which is no role"
    return role


def _fields(name: str) -> dict[str, Any]:
    """What must be given, and as much of what may be as makes a command; everything where nothing must."""
    schema = command_schema(name)
    known: Mapping[str, Any] = schema.get("properties", {})
    offered = {field: _value(field, each) for field, each in known.items() if field not in GIVEN}
    chosen = {field: offered[field] for field in schema.get("required", ())}
    if set(chosen) <= {"target", "deal", "passport"}:
        return offered if _fits(name, offered) else chosen
    for field in (field for field in offered if field not in chosen):
        if _fits(name, chosen):
            break
        chosen[field] = offered[field]
    return {field: chosen[field] for field in known if field in chosen}


def _fits(name: str, fields: Mapping[str, Any]) -> bool:
    try:
        commands()[name].model_validate(dict(fields))
    except ValidationError:
        return False
    return True


def _value(field: str, schema: Mapping[str, Any]) -> Any:
    """A value of this schema for this field."""
    if "anyOf" in schema:
        return _value(field, schema["anyOf"][0])
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    kind = schema.get("type")
    if kind == "object":
        names = schema.get("propertyNames", {}).get("enum", ["word"])
        parts = schema.get("properties")
        if parts is None:
            return {name: _value(name, schema["additionalProperties"]) for name in names}
        return {name: _value(name, each) for name, each in parts.items() if name not in GIVEN | {"repeats"}}
    if kind == "array":
        return [_value(field, schema["items"])]
    if kind == "boolean":
        return False
    return max(1, schema.get("minimum", 1)) if kind == "integer" else _text(field, schema)


def _text(field: str, schema: Mapping[str, Any]) -> str:
    if schema.get("format") == "date-time":
        return "2026-08-24T12:00:00Z"
    pattern = schema.get("pattern")
    if pattern is None:
        return f"sha256:{'0' * 64}" if field == "sha256" else field.replace("_", " ")
    named = _ID.match(pattern)
    if named:
        return f"{named[1]}-{_ZEROS}"
    return next(sample for sample in _SAMPLES if re.fullmatch(pattern, sample))


assert protocol, "every command is registered"
