"""Strict YAML: what a loader would turn into something else is refused, with line and fix; the rest reads back."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tollbench.protocol.parameter_types import TypeSyntaxError, parse_type, seconds
from tollbench.rules.yaml_strict import parse, read
from tollbench.rules.yaml_text import dumps


def refusals(text):
    data = text if isinstance(text, bytes) else text.encode()
    return [(finding.line, finding.message, finding.fix) for finding in parse(data, "a.yaml").findings]


@pytest.mark.parametrize(
    ("text", "line", "says", "fix"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "the key a stands twice, first in line 1", "keep one"),
        ("a: 0.5\n", 1, "the floating point number 0.5", '"0.5"'),
        ("a: 1e5\n", 1, "the floating point number 1e5", '"1e5"'),
        ("a: .inf\n", 1, "the floating point number .inf", '".inf"'),
        ("a:\n  - .nan\n", 2, "the floating point number .nan", '".nan"'),
        ("from: 2026-07-01\n", 1, "the implicit date or time 2026-07-01", '"2026-07-01"'),
        ("at: 2026-07-01T10:00:00Z\n", 1, "the implicit date or time", "quote it"),
        ("a: yes\n", 1, "the implicit boolean yes", "true or false"),
        ("a: off\n", 1, "the implicit boolean off", "true or false"),
        ("on: 1\n", 1, "the implicit boolean on", "true or false"),
        ("a: 0x1f\n", 1, "the number 0x1f", "plain digits"),
        ("a: 017\n", 1, "the number 017", "plain digits"),
        ("a: 1_000\n", 1, "the number 1_000", "plain digits"),
        ("a: 10:30:00\n", 1, "the number 10:30:00", "plain digits"),
        ("a: ~\n", 1, "~ for null", "write null"),
        ("a: &here 1\nb: 2\n", 1, "the anchor &here", "write the value out"),
        ("a: [1]\nb: *a\n", 2, "the alias *a", "write the value out"),
        ("a: !!str 1\n", 1, "the tag", "remove it"),
        ("<<: {a: 1}\n", 1, "the merge key", "write the keys out"),
        ("1: a\n", 1, "the key 1 is no text", "quote it"),
        ("a: 1\n---\nb: 2\n", 2, "a second document", "one document a file"),
        ("%YAML 1.2\n---\na: 1\n", 1, "a YAML directive", "remove"),
        ("a:\n\tb: 1\n", 2, "a tab", "spaces"),
        ("a: [1, 2\n", 2, "no YAML", "correct the syntax"),
        ("", 1, "the file is empty", "write a document"),
        (" \n\n", 1, "the file is empty", "write a document"),
        (b"\xef\xbb\xbfa: 1\n", 1, "a byte order mark", "UTF-8"),
        (b"a: 1\nb: \xff\n", 2, "is not UTF-8", "UTF-8"),
        (b"a: x\x00y\n", 1, "no YAML", "remove"),
    ],
)
def test_refused_with_line_and_fix(text, line, says, fix):
    found = refusals(text)
    assert len(found) == 1, found
    assert found[0][0] == line
    assert says in found[0][1]
    assert fix in found[0][2]


def test_all_refusals_of_a_file_come_at_once():
    found = refusals("a: 1.5\na: 2\nb: yes\nc: [2026-07-01, &x 3]\n")
    assert [line for line, _, _ in found] == [1, 2, 3, 4, 4]


def test_deep_nesting_is_refused_not_a_crash():
    assert refusals(b"[" * 100_000)


def test_unreadable_files_are_findings(tmp_path):
    assert "cannot be read" in read(tmp_path / "absent.yaml").findings[0].message
    assert "cannot be read" in read(tmp_path).findings[0].message
    (tmp_path / "big.yaml").write_bytes(b"a: " + b"x" * 1_000_001)
    assert "stay below" in read(tmp_path / "big.yaml").findings[0].fix


def test_plain_values_and_their_lines():
    document = parse(b'a: true\nb: null\nc:\n  - -3\n  - "0.50"\nd: plain text\n', "a")
    assert document.findings == []
    assert document.value == {"a": True, "b": None, "c": [-3, "0.50"], "d": "plain text"}
    assert document.line("c", 1) == 5
    assert document.line("c", 7, "deeper") == 3, "an absent path stands at its nearest parent"


texts = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029\ufeff\ufffe\uffff"))
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts,
    lambda inner: st.lists(inner) | st.dictionaries(texts, inner),
    max_leaves=12,
)


@given(st.dictionaries(texts, values, min_size=1))
def test_what_is_written_reads_back(value):
    document = parse(dumps(value).encode(), "a.yaml")
    assert document.findings == []
    assert document.value == value


@given(st.binary(max_size=200) | st.text(alphabet=" -:[]{}&*!|>'\"%@`#,?\n\tab01.~<=", max_size=80).map(str.encode))
def test_no_bytes_crash_the_reader(data):
    document = parse(data, "a.yaml")
    assert document.findings or document.value is None or isinstance(document.value, (dict, list, str, int))


@pytest.mark.parametrize(
    ("type_", "raw", "typed"),
    [
        ("int", 3, 3),
        ("bool", True, True),
        ("decimal", "0.50", Decimal("0.50")),
        ("duration", "P14D", 1_209_600),
        ("duration", "P1DT2H3M4S", 93_784),
        ("enum[a,b]", "b", "b"),
        ("list[decimal]", ["0.1", "-2"], (Decimal("0.1"), Decimal(-2))),
        ("map[str,list[str]]", {"x": ["y"]}, {"x": ("y",)}),
        ("int|null", None, None),
        ("date", "2026-06-29", "2026-06-29"),
    ],
)
def test_parameter_values_are_typed(type_, raw, typed):
    kind = parse_type(type_)
    assert kind.problem(raw) is None
    assert kind.convert(raw) == typed


@pytest.mark.parametrize(
    ("type_", "raw"),
    [
        ("int", "3"), ("int", True), ("int", 2**53), ("bool", 1), ("str", 1), ("decimal", 5), ("decimal", ".5"),
        ("decimal", "1e3"), ("decimal", "NaN"), ("duration", "14 days"), ("duration", "P"), ("duration", "PT"),
        ("date", "2026-02-30"), ("date", "20260701"), ("instant", "2026-07-01T00:00:00"), ("enum[a,b]", "c"),
        ("list[int]", [1, "2"]), ("list[int]", 1), ("map[str,int]", {"a": "b"}), ("map[str,int]", {1: 1}),
        ("int", None),
    ],
)  # fmt: skip
def test_parameter_values_of_another_type_are_named(type_, raw):
    assert parse_type(type_).problem(raw)


@pytest.mark.parametrize("text", ["float", "list", "list[]", "map[int,str]", "enum[]", "int|", "null", ""])
def test_unknown_parameter_types(text):
    with pytest.raises(TypeSyntaxError):
        parse_type(text)


def test_durations_count_whole_seconds():
    assert seconds("PT30M") == 1800
    with pytest.raises(ValueError, match="P14D"):
        seconds("P1M")
