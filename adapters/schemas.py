"""The published JSON Schemas (2020-12): of every command, of every event type and version, and of the envelope.

`python -m tollbench.adapters.schemas` writes them to `protocol/schemas/` from the registries. The shape of an event is
published once and for ever: where a registered type no longer has its published shape, nothing is written, because logs
hold events of that shape. What may change are the words and `x-toll-rules`, the rules that judge the event.

Two keywords are ours: `x-toll-rules` names rules of the rulebook, `x-toll-private` marks a field of a command that goes
to the vault, `always` or `until_posted`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from ..domain import protocol
from ..domain.boundary import MISSING, RECEIVED, SHAPED
from ..domain.commands import ROLES, Command, commands, handler_of
from ..domain.events import UUID5, EventType, event_types
from ..protocol.edition import HOME
from ..rules.compile import manifest, write_manifest
from ..rules.evaluators import ANY, registry

FOLDER = HOME / "schemas"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
ENVELOPE = "urn:tollbench:schema:envelope:1"
RULES = "x-toll-rules"
_ANNOTATIONS = ("title", "description", RULES)
_DOMAIN = f"{protocol.__name__.rpartition('.')[0]}."
_ITEM = re.compile(r'"[^"]*"|-?[0-9]+')
_LIST = re.compile(rf"\[\n\s+(?:{_ITEM.pattern})(?:,\n\s+(?:{_ITEM.pattern}))*\n\s+\]")
_EDITION = r"^[0-9]+\.[0-9]+\.[0-9]+[0-9a-z.-]*$"


def envelope_schema() -> dict[str, Any]:
    """The schema of any event: everything but what its type says of `data`."""
    text = {"type": "string"}
    ids = {"type": "string", "pattern": f"^{UUID5}$"}
    count = {"type": "integer", "minimum": 1, "maximum": 2**53 - 1}
    rule = {"type": "string", "pattern": "^TB-[A-Z]+-[0-9]{3}$"}
    properties = {
        "actor": {
            "type": "object",
            "additionalProperties": False,
            "required": ["id", "role"],
            "properties": {
                "id": {"type": "string", "pattern": f"^(system|(person|passport)-{UUID5})$"},
                "role": {"enum": list(ROLES)},
            },
        },
        "at": {"type": "string", "pattern": r"^[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}\.[0-9]{6}Z$"},
        "command": ids,
        "data": {"type": "object"},
        "id": ids,
        "rulebooks": _by_edition({"type": "string", "pattern": "^b3:[0-9a-f]{64}$"}),
        "rules": _by_edition({"type": "array", "items": rule, "minItems": 1, "uniqueItems": True}),
        "schema": count,
        "stream": {"type": "string", "pattern": "^[a-z]+(-[0-9A-Za-z-]+)?$"},
        "subject": {"anyOf": [text, {"type": "null"}]},
        "type": {"type": "string", "pattern": r"^[a-z_]+(\.[a-z_]+)+$"},
        "version": count,
    }
    return {
        "$schema": DIALECT,
        "$id": ENVELOPE,
        "title": "An event of the ledger",
        "description": "The closed set of keys of every event. What `data` holds is said by the schema of its type.",
        RULES: _judging(ANY),
        "type": "object",
        "additionalProperties": False,
        "required": sorted(properties),
        "properties": properties,
    }


def _by_edition(value: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "propertyNames": {"pattern": _EDITION}, "additionalProperties": value}


def event_schema(type_: EventType) -> dict[str, Any]:
    """The schema of a whole event of this type, in its present version."""
    data = _plain(type_.json_schema())
    told = " ".join(str(data.pop("description", "")).split())
    return {
        "$schema": DIALECT,
        "$id": f"urn:tollbench:schema:event:{type_.name}:{type_.schema}",
        "title": type_.name,
        "description": told,
        RULES: _judging(type_.name),
        "$ref": ENVELOPE,
        "properties": {
            "type": {"const": type_.name},
            "schema": {"const": type_.schema},
            "stream": {"pattern": f"^({'|'.join(sorted(type_.streams))})(-|$)"},
            "data": data,
        },
    }


def command_schema(name: str) -> dict[str, Any]:
    """The schema of the fields of this command."""
    model = commands()[name]
    body = _plain(model.model_json_schema())
    body.pop("description", None)
    return {
        "$schema": DIALECT,
        "$id": f"urn:tollbench:schema:command:{name}",
        "title": name,
        "description": " ".join((model.__doc__ or "").split()),
        RULES: _refusing(model),
        **body,
    }


def _plain(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema made by pydantic with its definitions put in place, and without the titles it invents."""
    definitions = schema.get("$defs", {})

    def walk(node: Any) -> Any:
        if isinstance(node, list):
            return [walk(item) for item in node]
        if not isinstance(node, dict):
            return node
        found = dict(node)
        while "$ref" in found:
            found = {**definitions[found.pop("$ref").removeprefix("#/$defs/")], **found}
        if "description" in found:
            found["description"] = " ".join(found["description"].split())
        return {
            key: {name: walk(item) for name, item in value.items()} if key == "properties" else walk(value)
            for key, value in found.items()
            if key not in ("$defs", "title")
        }

    made: dict[str, Any] = walk(schema)
    return made


# -- which rules -------------------------------------------------------------------------------------------------------


def _judging(type_: str) -> list[str]:
    """The rules that judge or demand this event type in particular."""
    guards = [guard.rule for guard in registry().guards_on(type_, include_any=type_ == ANY) if type_ in guard.on]
    demands = [demand.rule for demand in registry().requirements_on(type_) if demand.event == type_]
    return sorted({*guards, *demands})


def _refusing(model: type[Command]) -> list[str]:
    """The rules that may refuse this command: those of the boundary, and those that judge what it may propose."""
    types = (ANY, SHAPED, RECEIVED, MISSING, *proposable(model))
    return sorted({guard.rule for type_ in types for guard in registry().guards_on(type_)})


def proposable(model: type[Command]) -> frozenset[str]:
    """The event types that the handler of this command, and whatever it calls in the domain, speaks of."""
    found: set[str] = set()
    seen: set[CodeType] = set()
    waiting: list[FunctionType] = [_function(handler_of(model))]
    while waiting:
        function = waiting.pop()
        if function.__code__ in seen:
            continue
        seen.add(function.__code__)
        for code in _codes(function.__code__):
            named = _named(code, function.__globals__)
            found.update(text for text in _texts((*code.co_consts, *named)) if text in event_types())
            waiting += _functions(named)
    return frozenset(found)


def _function(value: Callable[..., Any]) -> FunctionType:
    while hasattr(value, "__wrapped__"):
        value = value.__wrapped__
    assert isinstance(value, FunctionType), "handlers are plain functions"
    return value


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _texts(constants: Iterable[Any]) -> Iterator[str]:
    for constant in constants:
        if isinstance(constant, str):
            yield constant
        elif isinstance(constant, tuple | frozenset):
            yield from _texts(constant)


def _named(code: CodeType, scope: Mapping[str, Any]) -> list[Any]:
    """What this code names, by itself or inside a module of the domain."""
    named = [scope[name] for name in code.co_names if name in scope]
    for module in [value for value in named if isinstance(value, ModuleType) and value.__name__.startswith(_DOMAIN)]:
        named += [getattr(module, name) for name in code.co_names if hasattr(module, name)]
    return named


def _functions(named: Iterable[Any]) -> Iterator[FunctionType]:
    """Those of these values that are functions of the domain."""
    for value in named:
        if callable(value) and str(getattr(value, "__module__", "")).startswith(_DOMAIN):
            inner = getattr(value, "__wrapped__", value)
            if isinstance(inner, FunctionType):
                yield inner


# -- the files ---------------------------------------------------------------------------------------------------------


def file_of(type_: EventType) -> str:
    """Where the schema of this event type and version stands, relative to the folder of schemas."""
    return f"events/{type_.name}.v{type_.schema}.json"


def generated() -> dict[str, dict[str, Any]]:
    """Every schema as the registries have it now, by file."""
    files = {"events/envelope.v1.json": envelope_schema()}
    files |= {f"commands/{name}.json": command_schema(name) for name in sorted(commands())}
    return files | {file_of(type_): event_schema(type_) for _, type_ in sorted(event_types().items())}


def text(schema: Mapping[str, Any]) -> str:
    """The schema as its file holds it; a list of words or numbers stands in one line."""
    spread = json.dumps(schema, indent=2, ensure_ascii=False)
    return _LIST.sub(lambda found: f"[{', '.join(_ITEM.findall(found[0]))}]", spread) + "\n"


def shape(schema: Any) -> Any:
    """What a schema says about documents: everything but its words and the rules that it names."""
    if isinstance(schema, list):
        return [shape(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: shape(item) for name, item in value.items()} if key == "properties" else shape(value)
        for key, value in schema.items()
        if key not in _ANNOTATIONS
    }


def moved(folder: Path = FOLDER) -> list[str]:
    """Every event type, and the envelope, that no longer has its published shape: what is wrong, and what to do."""
    found = []
    for name, schema in generated().items():
        path = folder / name
        if name.startswith("commands/") or not path.exists():
            continue
        if shape(json.loads(path.read_text("utf-8"))) != shape(schema):
            what, version = schema["title"], schema["properties"]["schema"].get("const")
            found.append(
                f"{what}: its shape differs from {name}, in which events lie in logs. Leave that shape alone; register "
                f"the new one as schema {version + 1} with an upcaster from schema {version}"
                if version
                else f"{what}: the envelope is published and never changes"
            )
    return found


def write(folder: Path = FOLDER) -> list[str]:
    """Write what is new or said differently; the names of the files written. Call it only where nothing `moved`."""
    wanted = {name: text(schema) for name, schema in generated().items()}
    changed = [
        name
        for name, body in wanted.items()
        if not (folder / name).exists() or (folder / name).read_text("utf-8") != body
    ]
    for name in changed:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(wanted[name], "utf-8")
    for path in folder.glob("commands/*.json"):
        if f"commands/{path.name}" not in wanted:
            path.unlink()
    return changed


def main() -> int:
    """Write the schemas, and their hashes into the manifest; 1 where the published shape of an event would change."""
    wrong = moved()
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return 1
    print("\n".join(write()) or "all schemas are as they should be")
    write_manifest(HOME.parent, manifest(HOME.parent))
    return 0


if __name__ == "__main__":
    sys.exit(main())
