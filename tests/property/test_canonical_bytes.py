"""Canonical bytes equal those of the independent `rfc8785` library, and no byte can be changed unnoticed."""

import json

import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from tollbench.protocol.canonical import MAX_INT, CanonicalError, dumps, loads
from tollbench.protocol.commitment import commit, verify
from tollbench.protocol.instants import from_micros, micros, parse, text

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
SCALAR = st.none() | st.booleans() | st.integers(-MAX_INT, MAX_INT) | TEXT
DOCUMENT = st.recursive(SCALAR, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner), max_leaves=30)
HARD_KEYS = st.text(st.sampled_from("ab\x00\x1f\"\\\x7f\u0080\ud7ff\ue000\ufb33\uffff\U00010000\U0001f602\U0010ffff"))


@given(DOCUMENT | st.dictionaries(HARD_KEYS, SCALAR | st.dictionaries(HARD_KEYS, SCALAR)))
def test_bytes_equal_the_oracle_and_come_back(document):
    data = dumps(document)
    assert data == rfc8785.dumps(document)
    assert loads(data) == document
    assert loads(json.dumps(document, indent=1).encode(), require_canonical=False) == document


@given(DOCUMENT, st.data())
def test_a_changed_byte_is_refused_or_read_as_another_value(document, data):
    canonical = dumps(document)
    at = data.draw(st.integers(0, len(canonical) - 1))
    mangled = bytearray(canonical)
    mangled[at] ^= data.draw(st.integers(1, 255))
    try:
        read = loads(bytes(mangled))
    except CanonicalError:
        return
    assert dumps(read) == bytes(mangled) != canonical


@given(st.binary(max_size=60) | st.text("{}[]\",:0123456789.-+eE\\u ntrfals", max_size=40).map(str.encode))
def test_any_bytes_are_read_canonically_or_refused(data):
    for canonical in (True, False):
        try:
            read = loads(data, require_canonical=canonical)
        except CanonicalError:
            continue
        assert loads(dumps(read)) == read
        assert not canonical or dumps(read) == data


@given(st.dictionaries(TEXT, st.floats() | SCALAR | st.lists(st.floats())))
def test_no_float_ever_gets_through(document):
    def floats(value):
        if isinstance(value, float):
            return True
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        return any(map(floats, inner))

    try:
        data = dumps(document)
    except CanonicalError:
        assert floats(document)
    else:
        assert not floats(document)
        assert loads(data) == document


@given(st.integers(-62_135_596_800_000_000, 253_402_300_799_999_999))
def test_microseconds_and_text_agree(count):
    moment = from_micros(count)
    assert micros(moment) == count == micros(text(moment))
    assert parse(text(moment)) == moment


@given(st.binary(min_size=32, max_size=32), DOCUMENT, DOCUMENT)
def test_commitments_open_to_one_body(salt, one, other):
    made = commit("intake", salt, one)
    assert verify(made, "intake", salt, one)
    assert verify(made, "intake", salt, other) is (dumps(one) == dumps(other))
