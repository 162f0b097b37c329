"""The types of rule parameters: how a value is written in the registry and what the code receives.

Every number of the protocol is a parameter of a rule. A parameter has a type, written as text:

    int  bool  str  decimal  date  instant  duration  enum[a,b]  list[T]  map[str,T]  and any of these with |null

In the registry and in a compiled edition values are plain JSON without floating point: decimals, dates, instants and
durations are text. The code receives int, bool, str, `Decimal`, seconds as int for durations, tuples and dicts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any

from . import instants

DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")
DURATION = re.compile(r"P(?:([0-9]+)D)?(?:T(?:([0-9]+)H)?(?:([0-9]+)M)?(?:([0-9]+)S)?)?")
_SECONDS = (86_400, 3_600, 60, 1)


class TypeSyntaxError(ValueError):
    """The text names no parameter type."""


@dataclass(frozen=True, slots=True)
class ParameterType:
    """A parsed type. `problem(raw)` says what is wrong with a written value, `convert(raw)` gives the typed value."""

    name: str
    nullable: bool = False
    options: tuple[str, ...] = ()
    item: ParameterType | None = None

    def problem(self, raw: Any) -> str | None:
        """Why `raw` is no value of this type, as a plain sentence; None when it is one."""
        if raw is None:
            return None if self.nullable else "null is not allowed here"
        if self.name == "list":
            return self._problem_in(enumerate(raw), raw) if isinstance(raw, list) else f"{raw!r} is no list"
        if self.name == "map":
            return self._problem_in(raw.items(), raw) if isinstance(raw, dict) else f"{raw!r} is no mapping"
        if self.name == "enum":
            return None if raw in self.options else f"{raw!r} is none of {', '.join(self.options)}"
        return None if _CHECKS[self.name](raw) else f"{raw!r} is no {self.name} ({_FORMS[self.name]})"

    def convert(self, raw: Any) -> Any:
        """The typed value of `raw`, which must be free of problems."""
        if raw is None:
            return None
        if self.item is not None:
            convert = self.item.convert
            if self.name == "list":
                return tuple(convert(value) for value in raw)
            return {key: convert(value) for key, value in raw.items()}
        if self.name == "decimal":
            return Decimal(raw)
        if self.name == "duration":
            return seconds(raw)
        return raw

    def _problem_in(self, pairs: Any, raw: Any) -> str | None:
        assert self.item is not None
        for key, value in pairs:
            if isinstance(raw, dict) and not isinstance(key, str):
                return f"the key {key!r} is no text"
            found = self.item.problem(value)
            if found is not None:
                return f"at {key}: {found}"
        return None


@lru_cache(maxsize=256)
def parse_type(text: str) -> ParameterType:
    """Read a type. Raises `TypeSyntaxError` for anything that is no type of this grammar."""
    if text.endswith("|null"):
        inner = parse_type(text.removesuffix("|null"))
        return ParameterType(inner.name, True, inner.options, inner.item)
    if text in _CHECKS:
        return ParameterType(text)
    if match := re.fullmatch(r"enum\[([a-z0-9_]+(?:,[a-z0-9_]+)*)\]", text):
        return ParameterType("enum", options=tuple(match[1].split(",")))
    if match := re.fullmatch(r"list\[(.+)\]", text):
        return ParameterType("list", item=parse_type(match[1]))
    if match := re.fullmatch(r"map\[str,(.+)\]", text):
        return ParameterType("map", item=parse_type(match[1]))
    raise TypeSyntaxError(f"{text!r} is no parameter type")


def seconds(text: str) -> int:
    """The whole seconds of an ISO 8601 duration of days, hours, minutes and seconds, such as P14D or PT30M."""
    match = DURATION.fullmatch(text)
    if match is None or text[-1] in "PT":
        raise ValueError(f"{text!r} is no duration such as P14D or PT30M")
    return sum(int(count) * unit for count, unit in zip(match.groups(), _SECONDS, strict=True) if count)


def _is_duration(raw: Any) -> bool:
    if not isinstance(raw, str):
        return False
    try:
        seconds(raw)
    except ValueError:
        return False
    return True


def _is_date(raw: Any) -> bool:
    try:
        return isinstance(raw, str) and date.fromisoformat(raw).isoformat() == raw
    except ValueError:
        return False


def _is_instant(raw: Any) -> bool:
    try:
        return isinstance(raw, str) and instants.text(instants.parse(raw)) == raw
    except ValueError:
        return False


_CHECKS: dict[str, Callable[[Any], bool]] = {
    "int": lambda raw: type(raw) is int and abs(raw) < 2**53,
    "bool": lambda raw: type(raw) is bool,
    "str": lambda raw: type(raw) is str,
    "decimal": lambda raw: type(raw) is str and DECIMAL.fullmatch(raw) is not None,
    "date": _is_date,
    "instant": _is_instant,
    "duration": _is_duration,
}
_FORMS = {
    "int": "a whole number",
    "bool": "true or false",
    "str": "text",
    "decimal": 'a quoted decimal such as "0.50"',
    "date": 'a quoted date such as "2026-07-01"',
    "instant": 'a quoted UTC instant such as "2026-07-01T00:00:00.000000Z"',
    "duration": "days, hours, minutes, seconds such as P14D or PT30M",
}
