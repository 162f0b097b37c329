"""Every command and bad input: fields missing, extra, oversized or of a wrong type, senders who may not, ids unknown.

All of it is generic over the registry of commands. Whatever is sent, the answer is a refusal that names rules and
fields, all of them at once, and nothing is written.
"""

from __future__ import annotations

import typing
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from pydantic import BaseModel

from fuzz.values import CARD_MARK, PRIVATE_MARK, Shape, Values, fields_of, optional, parts_of, shape
from tollbench.adapters.bench import Bench
from tollbench.domain.commands import ROLES, Actor, commands
from tollbench.domain.person.commands import RegisterPerson
from tollbench.protocol.refusal import Problem, Refused

NAMES = sorted(commands())
NOBODY = "00000000-0000-5000-8000-000000000000"
SYSTEM = Actor.system()
Bound = tuple[str, Any]


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    """A bench with a steward on it; no test here writes anything."""
    with Bench.open("memory:") as opened:
        opened.do(RegisterPerson(capacity=["steward"]), by=SYSTEM, key="steward")
        yield opened
        assert opened.position() == 2, "a refused command wrote something"


@pytest.fixture(scope="module")
def steward(bench: Bench) -> Actor:
    return Actor("steward", bench.do(RegisterPerson(capacity=["steward"]), by=SYSTEM, key="steward").id)


@cache
def sound(name: str) -> dict[str, Any]:
    """Plain fields that the command takes, all of them that it has; ids of things that do not exist."""
    model = commands()[name]
    for seed in range(500):
        values = Values(Random(seed))
        fields = {field: _some(values, annotation, field) for field, annotation in fields_of(model).items()}
        if name == "ProposeDeal":
            fields.pop("timeline_days")
        try:
            model.model_validate(fields)
        except ValueError:
            continue
        return fields
    raise AssertionError(f"no sound fields for {name}")


def _some(values: Values, annotation: Any, name: str) -> Any:
    """A value that is not None and no empty list."""
    while True:
        value = values.value(annotation, name)
        if value is not None and value != [] and value != {}:
            return value


def refusal(bench: Bench, name: str, fields: Any) -> tuple[Problem, ...]:
    """The problems with which a command of these fields is refused before it is one."""
    with pytest.raises(Refused) as refused:
        bench.parse(name, fields)
    for problem in refused.value.problems:
        assert problem.detail and problem.fix and problem.field
        assert bench.law().entry(problem.rule).reject_code == problem.code
    return refused.value.problems


def named(problems: tuple[Problem, ...]) -> set[str]:
    """The fields that problems are about, without what lies inside them."""
    return {problem.field.partition(".")[0] for problem in problems}


@pytest.mark.parametrize("name", NAMES)
def test_sound_fields_make_a_command_that_reads_back_as_it_was(bench: Bench, name: str) -> None:
    request = bench.parse(name, sound(name))
    assert type(request).__name__ == name
    assert bench.parse(name, request.model_dump(mode="json")) == request


@pytest.mark.parametrize("name", NAMES)
def test_missing_fields_are_all_named_at_once(bench: Bench, name: str) -> None:
    required = {field for field, info in commands()[name].model_fields.items() if info.is_required()}
    if required:
        problems = refusal(bench, name, {})
        assert {problem.rule for problem in problems} == {"TB-CMD-001"}
        assert {problem.field for problem in problems} == required
    for field in required:
        (problem,) = refusal(bench, name, {key: value for key, value in sound(name).items() if key != field})
        assert (problem.rule, problem.field) == ("TB-CMD-001", field)


@pytest.mark.parametrize("name", NAMES)
def test_fields_it_does_not_have_are_all_named_at_once(bench: Bench, name: str) -> None:
    problems = refusal(bench, name, {**sound(name), "colour": "green", "by": "me", "": None})
    assert {(problem.rule, problem.field) for problem in problems} == {
        ("TB-CMD-001", "colour"), ("TB-CMD-001", "by"), ("TB-CMD-001", "command"),
    }  # fmt: skip
    for field, value in sound(name).items():
        if isinstance(value, list) and isinstance(value[0], dict):
            (problem,) = refusal(bench, name, {**sound(name), field: [{**value[0], "colour": "green"}]})
            assert (problem.rule, problem.field) == ("TB-CMD-001", f"{field}.0.colour")


def wrong(annotation: Any) -> list[Any]:
    """Values of other types than a field's; strict, so that "1" is no number and 1 no truth."""
    kinds: dict[Any, list[Any]] = {
        int: ["1", True, [], {}, b"1"],
        bool: [0, 1, "true", []],
        str: [1, True, [], {}, b"text", object()],
        list: ["text", {}, ("a",), {1}, 0],
        dict: ["text", [], 0],
    }
    bare = shape(parts_of(annotation)[0]).type
    origin = typing.get_origin(bare)
    if origin is typing.Literal:
        return ["nonsense", 0, True, []]
    return [*kinds[origin or bare], *(() if optional(annotation) else (None,))]


@pytest.mark.parametrize("name", NAMES)
def test_values_of_another_type_are_all_named_at_once(bench: Bench, name: str) -> None:
    annotations = fields_of(commands()[name])
    for field in sound(name):
        for value in wrong(annotations[field]):
            problems = refusal(bench, name, {**sound(name), field: value})
            assert {(problem.rule, problem.field.partition(".")[0]) for problem in problems} == {("TB-CMD-001", field)}
    problems = refusal(bench, name, {field: wrong(annotations[field])[0] for field in sound(name)})
    assert named(problems) == sound(name).keys()


@pytest.mark.parametrize("name", NAMES)
def test_floats_are_refused_in_every_field(bench: Bench, name: str) -> None:
    for value in (0.5, 1.0, float("nan"), float("inf"), -0.0):
        problems = refusal(bench, name, dict.fromkeys(sound(name), value))
        assert {problem.rule for problem in problems} == {"TB-CMD-006"}
        assert named(problems) == sound(name).keys()


def bounds(model: type[BaseModel], path: str = "") -> Iterator[tuple[str, str, Shape]]:
    """Every field of a command, nested ones too: its dotted path, its name, and its shape."""
    for name, annotation in fields_of(model).items():
        for part in parts_of(annotation):
            yield from _bounds(part, f"{path}{name}", name)


def _bounds(annotation: Any, path: str, name: str) -> Iterator[tuple[str, str, Shape]]:
    made = shape(annotation)
    yield path, name, made
    inner = typing.get_args(made.type) if typing.get_origin(made.type) in (list, dict) else ()
    for part in inner:
        nested = shape(part).type
        if isinstance(nested, type) and issubclass(nested, BaseModel):
            yield from bounds(nested, f"{path}.")
        else:
            yield from _bounds(part, path, name)


@pytest.mark.parametrize("name", NAMES)
def test_every_number_text_and_list_has_its_bounds(name: str) -> None:
    for path, field, made in bounds(commands()[name]):
        if made.type is int:
            assert made.low is not None and made.high is not None, f"{path} has no bounds"
        elif made.type is str:
            limited = made.most is not None or (made.pattern and "+" not in made.pattern and "*" not in made.pattern)
            assert limited or field.endswith("_at") or field == "effective", f"{path} may be of any length"
        elif typing.get_origin(made.type) in (list, dict):
            closed = typing.get_origin(typing.get_args(made.type)[0]) is typing.Literal
            assert made.most is not None or closed, f"{path} may have any number of items"


def beyond(made: Shape, value: Any) -> list[Any]:
    """Values just beyond the bounds of a field."""
    if made.type is int:
        return [made.high + 1, made.low - 1, 2**70, -(2**70)]  # type: ignore[operator]
    if typing.get_origin(made.type) is list and made.most is not None:
        return [(value * (made.most + 1))[: made.most + 1]]
    if made.type is str and made.most is not None:
        # The second one grows to three characters under normalisation.
        return ["x" * (made.most + 1), *(["\U0001d160" * made.most] if made.pattern is None else [])]
    return []


@pytest.mark.parametrize("name", NAMES)
def test_what_is_oversized_is_refused(bench: Bench, name: str) -> None:
    annotations = fields_of(commands()[name])
    for field, value in sound(name).items():
        made = shape(parts_of(annotations[field])[0])
        for large in beyond(made, value):
            if not isinstance(large, str) or made.pattern or _normalised(field, made) or len(large) > (made.most or 0):
                problems = refusal(bench, name, {**sound(name), field: large})
                assert {problem.rule for problem in problems} <= {"TB-CMD-001"} and named(problems) == {field}


def _normalised(field: str, made: Shape) -> bool:
    return made.private or made.card or (field not in ("key", "sha256", "blake3") and "signature" not in field)


UNICODE = {
    "composed": ("e\u0301", "\u00e9"),
    "astral": ("\U0001f6b2", "\U0001f6b2"),
    "right to left": ("\u05e9\u05dc\u05d5\u05dd \u202ex\u202c", "\u05e9\u05dc\u05d5\u05dd \u202ex\u202c"),
    "zero width": ("a\u200bb\ufeff", "a\u200bb\ufeff"),
    "lines": ("a\n\tb", "a\n\tb"),
}


@pytest.mark.parametrize("name", NAMES)
def test_texts_take_all_of_unicode_normalised_and_no_control_characters(bench: Bench, name: str) -> None:
    for field, annotation in fields_of(commands()[name]).items():
        made = shape(parts_of(annotation)[0])
        if made.type is not str or made.pattern or not _normalised(field, made) or field == "effective":
            continue
        if field.endswith("_at"):
            continue
        for sent, kept in UNICODE.values():
            assert getattr(bench.parse(name, {**sound(name), field: sent}), field) == kept
        for bad in ("\x00", "a\x1bb", "\x7f", "\r", "\ud83d", "a\udc00"):
            (problem,) = refusal(bench, name, {**sound(name), field: bad})
            assert (problem.rule, problem.field) == ("TB-CMD-001", field)


STRANGERS = (
    *(Actor(role, f"person-{NOBODY}") for role in ROLES),
    *(Actor(role, f"passport-{NOBODY}") for role in ROLES),
    Actor("agent", ""),
    Actor("person", "system"),
    Actor("person", f"deal-{NOBODY}"),
    Actor("king", "system"),  # type: ignore[arg-type]
)


@pytest.mark.parametrize("name", NAMES)
def test_a_sender_who_is_not_registered_is_refused(bench: Bench, name: str) -> None:
    request = bench.parse(name, sound(name))
    for stranger in STRANGERS:
        with pytest.raises(Refused) as refused:
            bench.do(request, by=stranger)
        rules = {problem.rule for problem in refused.value.problems}
        assert "TB-CMD-002" in rules and rules <= {"TB-CMD-002", "TB-PASS-003"}
        assert bench.check(request, by=stranger) == refused.value.problems


NAMES_NOTHING = {
    "ClosePeriod", "CorrectAnchor", "EnactEdition", "ImportAttempts", "RecordIntake", "RecordModelAlias",
    "RegisterPerson",
}  # fmt: skip
"""Commands that name no thing that would have to exist."""


@pytest.mark.parametrize("name", sorted(set(NAMES) - NAMES_NOTHING))
def test_things_that_do_not_exist_are_named(bench: Bench, steward: Actor, name: str) -> None:
    request = bench.parse(name, sound(name))
    if name == "SubmitProposal":  # who bids has a Passport, which is judged first
        assert [problem.rule for problem in bench.check(request, by=steward)] == ["TB-PASS-003"]
        return
    with pytest.raises(Refused) as refused:
        bench.do(request, by=steward)
    lacking = [problem for problem in refused.value.problems if problem.rule == "TB-CMD-004"]
    assert lacking and all(problem.field in sound(name) for problem in lacking)


def test_the_marks_of_private_text_are_in_the_values_that_tests_make() -> None:
    texts = [str(sound(name)) for name in NAMES]
    assert sum(PRIVATE_MARK in text for text in texts) > 30 and sum(CARD_MARK in text for text in texts) >= 2
