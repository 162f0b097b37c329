"""Canonical JSON: the one byte form in which events are stored, hashed, committed to and signed (RFC 8785, JCS).

RFC 8785 fixes the order of keys (by UTF-16 code units), the escapes of strings and the form of numbers. This project
allows less than the RFC: no floating point number (ruling A-56), integers within +-(2^53 - 1), strings that are
Unicode text. Under these conditions `orjson` writes the same bytes at ten times the speed, with one exception: it sorts
keys by code point, which differs from UTF-16 order for characters beyond U+FFFF. A document that may hold such a key
goes to the `rfc8785` library, which is also the oracle of the tests.

`loads` is the strict inverse: what it accepts, `dumps` writes back to the same bytes.
"""

import json
from typing import Any, NoReturn, TypeAlias

import orjson
import rfc8785

JSON: TypeAlias = "bool | int | str | list[JSON] | dict[str, JSON] | None"

MAX_INT = 2**53 - 1

# Subclasses, datetimes and dataclasses are left to the (absent) default hook, that is: refused.
_OPTIONS = (
    orjson.OPT_SORT_KEYS
    | orjson.OPT_STRICT_INTEGER
    | orjson.OPT_PASSTHROUGH_SUBCLASS
    | orjson.OPT_PASSTHROUGH_DATETIME
    | orjson.OPT_PASSTHROUGH_DATACLASS
)
_BEYOND_BMP = (b"\xf0", b"\xf1", b"\xf2", b"\xf3", b"\xf4")  # first bytes in UTF-8 of characters beyond U+FFFF
_SHOWN = 60
_NO_FLOAT = "write a whole number or a decimal string"


class CanonicalError(ValueError):
    """The object has no canonical form here, or the bytes are not canonical JSON."""


def dumps(obj: JSON) -> bytes:
    """The canonical bytes (UTF-8) of a JSON value; a tuple is written as a list.

    Raises `CanonicalError`, naming the path, for floats, integers beyond +-(2^53 - 1), lone surrogates, keys that are
    no text, other types, and nesting deeper than 250 levels.
    """
    try:
        out = orjson.dumps(obj, option=_OPTIONS)
    except (TypeError, ValueError, RecursionError) as error:
        _refuse(obj, str(error))
    # orjson also takes what JSON here may not hold (floats, NaN as null, UUIDs, enums): look at every value once, in
    # a plain loop, which is faster here than building sets of types.
    nodes: list[Any] = [(obj,)]
    for node in nodes:
        for value in node.values() if type(node) is dict else node:
            kind = type(value)
            if kind is str or kind is int:
                continue
            if kind is dict or kind is list or kind is tuple:
                nodes.append(value)
            elif value is not None and kind is not bool:
                _refuse(obj, f"{kind.__name__} is no JSON type")
    if out.isascii() or not any(lead in out for lead in _BEYOND_BMP) or _keys_within_bmp(nodes):
        return out
    return rfc8785.dumps(obj)


def loads(data: bytes, *, require_canonical: bool = True) -> JSON:
    """Read JSON bytes strictly.

    Always refused with `CanonicalError`: invalid UTF-8, a byte order mark, duplicate keys, lone surrogates, floats and
    exponents, integers beyond +-(2^53 - 1), NaN and Infinity, anything after the value. With `require_canonical` (the
    default, for stored bytes) also every other spelling than the canonical one: white space, key order, escapes.
    """
    if not require_canonical:
        return _loads_any_spelling(data)
    try:
        obj: JSON = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise CanonicalError(f"no JSON: {error}") from None
    if dumps(obj) != data:
        _loads_any_spelling(data)  # names a duplicate key or a number that is refused in any spelling
        raise CanonicalError("the bytes are JSON but not in canonical form (RFC 8785)")
    return obj


def _keys_within_bmp(nodes: list[Any]) -> bool:
    return all(max(key, default="") <= "\uffff" for node in nodes if type(node) is dict for key in node)


def _loads_any_spelling(data: bytes) -> JSON:
    try:
        text = data.decode("utf-8")
        obj: JSON = json.loads(
            text,
            object_pairs_hook=_no_duplicates,
            parse_float=_no_float,
            parse_int=_bounded_int,
            parse_constant=_no_float,
        )
        dumps(obj)
    except CanonicalError:
        raise
    except (ValueError, RecursionError) as error:
        raise CanonicalError(f"no JSON: {error}") from None
    return obj


def _no_duplicates(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        key = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise CanonicalError(f"the key {key!r} stands twice in one object")
    return found


def _no_float(digits: str) -> NoReturn:
    raise CanonicalError(f"{digits[:_SHOWN]} is a floating point number; {_NO_FLOAT}")


def _bounded_int(digits: str) -> int:
    if len(digits) > 17 or not -MAX_INT <= (number := int(digits)) <= MAX_INT:
        raise CanonicalError(f"{digits[:_SHOWN]} lies beyond +-(2^53 - 1)")
    return number


def _refuse(obj: object, reason: str) -> NoReturn:
    """Find the first value that cannot be written and say where it stands."""
    nodes: list[tuple[str, Any, int]] = [("$", obj, 0)]
    while nodes:
        path, value, depth = nodes.pop()
        if depth > 250:
            raise CanonicalError(f"{path[:_SHOWN]}...: nested deeper than 250 levels")
        if type(value) is dict:
            for key in value:
                if type(key) is not str:
                    raise CanonicalError(f"{path}: the key {key!r} is no text")
                _check_text(path, key)
            nodes += [(f"{path}.{key}", item, depth + 1) for key, item in reversed(value.items())]
        elif type(value) is list or type(value) is tuple:
            nodes += [(f"{path}[{at}]", value[at], depth + 1) for at in reversed(range(len(value)))]
        elif type(value) is str:
            _check_text(path, value)
        elif type(value) is int:
            if not -MAX_INT <= value <= MAX_INT:
                raise CanonicalError(f"{path}: {str(value)[:_SHOWN]} lies beyond +-(2^53 - 1)")
        elif type(value) is float:
            raise CanonicalError(f"{path}: {value!r} is a floating point number; {_NO_FLOAT}")
        elif value is not None and type(value) is not bool:
            raise CanonicalError(f"{path}: {type(value).__name__} is no JSON type")
    raise CanonicalError(reason)


def _check_text(path: str, value: str) -> None:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise CanonicalError(f"{path}: the text {value[:_SHOWN]!r} holds a lone surrogate") from None
