"""Is a document of the registry well formed? JSON Schema for the shape, the type grammar for parameter values.

Every problem is a finding at its own line of the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from ..protocol.edition import HOME
from ..protocol.parameter_types import TypeSyntaxError, parse_type
from .findings import Finding
from .yaml_strict import Document

_FIXES = {
    "additionalProperties": "remove the field or correct its spelling",
    "required": "add the field",
    "enum": "take one of the values listed",
    "pattern": "write it in the form shown",
    "type": "write a value of that type",
    "uniqueItems": "keep one of the equal items",
}


@lru_cache(maxsize=8)
def validator(name: str) -> Draft202012Validator:
    """The validator for `protocol/schemas/<name>.schema.json`."""
    schema = json.loads((HOME / "schemas" / f"{name}.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def problems(document: Document, schema: str = "rule") -> list[Finding]:
    """What is wrong with the document under a schema and, for a rule, with its parameters."""
    value = document.value
    rule = str(value.get("id", "")) if isinstance(value, dict) else ""
    found = [_finding(document, rule, error) for error in validator(schema).iter_errors(value)]
    if not found and schema == "rule":
        found += _parameters(document, rule, value)
    return found


def _finding(document: Document, rule: str, error: ValidationError) -> Finding:
    path = list(error.absolute_path)
    kind = str(error.validator)
    message = error.message
    if kind == "additionalProperties" and isinstance(error.instance, dict) and isinstance(error.schema, dict):
        unknown = sorted(set(error.instance) - set(error.schema.get("properties", ())))
        message = f"unknown field {', '.join(unknown)}"
        path.append(unknown[0])
    elif len(message) > 200:
        message = f"{message[:160]} … {message[-30:]}"
    where = ".".join(map(str, path)) or "the document"
    fix = _FIXES.get(kind, "correct the value")
    return Finding(document.file, document.line(*path), rule, "malformed", f"{where}: {message}", fix)


def _parameters(document: Document, rule: str, value: dict[str, Any]) -> Iterator[Finding]:
    for name, parameter in value["parameters"].items():
        path = ("parameters", name)
        try:
            kind = parse_type(parameter["type"])
        except TypeSyntaxError as error:
            line = document.line(*path, "type")
            fix = "use int, bool, str, decimal, date, instant, duration, enum[…], list[…] or map[str,…]"
            yield Finding(document.file, line, rule, "malformed", f"parameter {name}: {error}", fix)
            continue
        dates = [item["from"] for item in parameter["values"]]
        if dates != sorted(set(dates)):
            line = document.line(*path, "values")
            message = f"parameter {name}: the dates of its values do not rise"
            yield Finding(document.file, line, rule, "malformed", message, "order the values by from, one a date")
        for index, item in enumerate(parameter["values"]):
            problem = kind.problem(item["value"])
            date_problem = parse_type("date").problem(item["from"])
            for wrong in filter(None, (problem, date_problem)):
                line = document.line(*path, "values", index, "value")
                yield Finding(document.file, line, rule, "malformed", f"parameter {name}: {wrong}", "correct the value")
