"""Canonical JSON: the published vectors of RFC 8785, and everything that must be refused."""

import enum
import json
import uuid
from datetime import UTC, datetime
from decimal import Decimal

import pytest
import rfc8785

from support import shared
from tollbench.protocol.canonical import MAX_INT, CanonicalError, dumps, loads


def _vectors():
    return json.loads(shared("vectors/jcs-vectors.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["arrays", "french", "unicode", "weird"])
def test_published_vector(name):
    vector = next(v for v in _vectors()["files"] if v["name"] == name)
    expected = bytes.fromhex(vector["outhex"])
    assert dumps(json.loads(vector["input_utf8"])) == expected
    assert dumps(loads(vector["input_utf8"].encode(), require_canonical=False)) == expected
    assert dumps(loads(expected)) == expected


@pytest.mark.parametrize("name", ["structures", "values"])
def test_published_vector_with_floats_is_refused_and_known_to_the_oracle(name):
    vector = next(v for v in _vectors()["files"] if v["name"] == name)
    document = json.loads(vector["input_utf8"])
    assert rfc8785.dumps(document) == bytes.fromhex(vector["outhex"])
    with pytest.raises(CanonicalError, match="floating point"):
        dumps(document)
    with pytest.raises(CanonicalError, match="floating point"):
        loads(vector["input_utf8"].encode())


MANGLED = {
    "white space before": b' {"a":1}',
    "white space inside": b'{"a": 1}',
    "line feed after": b'{"a":1}\n',
    "keys out of order": b'{"b":1,"a":1}',
    "escape not needed": b'{"a":"\\u0041"}',
    "upper-case hex escape": b'{"a":"\\u001F"}',
    "escaped solidus": b'{"a":"\\/"}',
    "long escape of line feed": b'{"a":"\\u000a"}',
    "minus zero": b'{"a":-0}',
}
REFUSED = {
    "nothing": b"",
    "a byte order mark": b'\xef\xbb\xbf{"a":1}',
    "UTF-16": '{"a":1}'.encode("utf-16"),
    "invalid UTF-8": b'{"a":"\xff"}',
    "an encoded surrogate": b'{"a":"\xed\xa0\x80"}',
    "a duplicate key": b'{"a":1,"a":1}',
    "a duplicate key deep inside": b'{"a":[{"b":{"c":1,"d":2,"c":1}}]}',
    "a duplicate key by escape": b'{"a":1,"\\u0061":1}',
    "a lone high surrogate": b'{"a":"\\ud800"}',
    "a lone low surrogate": b'{"a":"\\udc00"}',
    "a lone surrogate as key": b'{"\\ud800":1}',
    "a float": b'{"a":1.5}',
    "a whole float": b'{"a":1.0}',
    "an exponent": b'{"a":1e2}',
    "a tiny exponent": b'{"a":1E-400}',
    "NaN": b'{"a":NaN}',
    "Infinity": b'{"a":Infinity}',
    "minus Infinity": b'{"a":-Infinity}',
    "2^53": b'{"a":9007199254740992}',
    "-2^53": b'{"a":-9007199254740992}',
    "2^64": b'{"a":18446744073709551616}',
    "an endless integer": b"9" * 100_000,
    "a second value": b'{"a":1}{"a":1}',
    "trailing junk": b'{"a":1}x',
    "a trailing comma": b'{"a":1,}',
    "a comment": b'{"a":1}//x',
    "a leading zero": b'{"a":01}',
    "a plus sign": b'{"a":+1}',
    "single quotes": b"{'a':1}",
    "a raw control character": b'{"a":"\x01"}',
    "an unfinished value": b'{"a":[1,2',
    "a bottomless list": b"[" * 100_000,
    "300 levels": b"[" * 300 + b"]" * 300,
}


@pytest.mark.parametrize("data", MANGLED.values(), ids=MANGLED.keys())
def test_other_spelling_is_refused_unless_allowed(data):
    with pytest.raises(CanonicalError, match="not in canonical form"):
        loads(data)
    again = dumps(loads(data, require_canonical=False))
    assert loads(again) == json.loads(data)


@pytest.mark.parametrize("canonical", [True, False])
@pytest.mark.parametrize("data", REFUSED.values(), ids=REFUSED.keys())
def test_refused_in_any_spelling(data, canonical):
    with pytest.raises(CanonicalError):
        loads(data, require_canonical=canonical)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (1.0, r"\$: 1.0 is a floating point"),
        ({"a": [0, {"b": 0.7}]}, r"\$\.a\[1\]\.b: 0.7 is a floating point"),
        ([float("nan")], r"\$\[0\]: nan is a floating point"),
        ([float("inf")], r"\$\[0\]: inf is a floating point"),
        ({"a": MAX_INT + 1}, r"\$\.a: 9007199254740992 lies beyond"),
        ([-MAX_INT - 1], r"\$\[0\]: -9007199254740992 lies beyond"),
        ([10**100], "lies beyond"),
        ({"a": "\ud800"}, r"\$\.a: the text '\\ud800' holds a lone surrogate"),
        ({"\udfff": 1}, "lone surrogate"),
        ({1: 2}, r"\$: the key 1 is no text"),
        ({None: 2}, "the key None is no text"),
        ([b"bytes"], "bytes is no JSON type"),
        ({"a": {1, 2}}, r"\$\.a: set is no JSON type"),
        ([Decimal("0.70")], "Decimal is no JSON type"),
        ([datetime(2026, 8, 24, tzinfo=UTC)], "datetime is no JSON type"),
        ([uuid.UUID(int=0)], "UUID is no JSON type"),
        ([enum.Enum("Colour", "RED")["RED"]], "Colour is no JSON type"),
        ([enum.IntEnum("Small", "ONE")["ONE"]], "Small is no JSON type"),
        ([type("Text", (str,), {})("x")], "Text is no JSON type"),
        ({"a": type("Map", (dict,), {})()}, "Map is no JSON type"),
    ],
)
def test_unwritable_value_is_refused_with_its_path(document, message):
    with pytest.raises(CanonicalError, match=message):
        dumps(document)


def test_a_loop_and_deep_nesting_are_refused():
    loop: list = []
    loop.append(loop)
    with pytest.raises(CanonicalError, match="nested deeper"):
        dumps(loop)


def test_largest_integers_tuples_and_booleans():
    assert dumps({"b": MAX_INT, "a": (-MAX_INT, True, False, None)}) == (
        b'{"a":[-9007199254740991,true,false,null],"b":9007199254740991}'
    )


def test_keys_beyond_the_basic_plane_sort_by_utf16_units():
    """U+1F602 sorts before U+FB33 in UTF-16 and after it by code point: the RFC wants the former."""
    document = {"\ufb33": 1, "\U0001f602": 2}
    assert dumps(document) == '{"\U0001f602":2,"\ufb33":1}'.encode() == rfc8785.dumps(document)
    assert dumps([{"x": [document]}]) == b'[{"x":[' + dumps(document) + b"]}]"
    assert loads(dumps(document)) == document
