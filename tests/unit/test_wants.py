"""Wants without a bench: what counts as said, what a card keeps, what its hash covers, how long text may get."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from tollbench.domain.commands import Name, Text
from tollbench.domain.target.card import FACTORS, FROZEN, body_fields, card_hash, refined_body, stated
from tollbench.domain.target.commands import PostTarget, RecordIntake, RefineTarget

TARGET = "target-11111111-1111-5111-8111-111111111111"
BODY: dict[str, Any] = {
    "want": "A bicycle",
    "baseline": dict.fromkeys(FACTORS, "some"),
    "finish_line": {"form": "object_at_door", "statement": "It stands there"},
    "budget_ceiling_cents": 0,
    "timeline_seconds": 60,
    "approval_cadence_seconds": 60,
    "category": "home",
    "delivery": "remote",
    "region": "Oregon",
    "ownership": "mine",
}


@pytest.mark.parametrize("text", ["a", "0", "?", "😀", "اب", "中", "  x  ", "\u200bx"])
def test_whatever_shows_is_said(text: str) -> None:
    assert stated(text)


@pytest.mark.parametrize(
    "text", [None, "", " \t\n", "\u200b\u200c\u200d\ufeff", "\u3164", "\u2800", "\u0301", "\u202e", 7]
)
def test_whatever_does_not_show_is_not_said(text: object) -> None:
    assert not stated(text)


def test_a_new_version_keeps_what_it_does_not_name() -> None:
    after = refined_body(BODY, RefineTarget(target=TARGET, finish_line="It hangs there", proven_paths="one"))
    assert after == {
        **BODY,
        "finish_line": {"form": "object_at_door", "statement": "It hangs there"},
        "baseline": {**BODY["baseline"], "proven_paths": "one"},
    }
    assert BODY["baseline"]["proven_paths"] == "some"


def test_a_zero_budget_is_stated_and_a_zero_timeline_is_not() -> None:
    assert body_fields(BODY) == ["want", "baseline", "budget_tier", "timeline", "finish_line", "approval_cadence"]
    assert "timeline" not in body_fields({**BODY, "timeline_seconds": 0})
    assert "baseline" not in body_fields({**BODY, "baseline": {**BODY["baseline"], "proven_paths": " "}})
    assert "finish_line" not in body_fields({**BODY, "finish_line": {"form": "object_at_door", "statement": "\u200b"}})


def test_the_card_hash_is_fixed_for_ever() -> None:
    data = dict.fromkeys(FROZEN) | {"card": {"want": "Fahrrad für Zürich"}, "p": "0.70", "card_version": 3}
    assert card_hash(data) == "sha256:49dab2a2b1f55cd348aa0c1f2c0cdb0ae30a740f7befec255ebb4080445c7a1f"
    assert card_hash({**data, "person": "somebody", "edition": "1.3.0"}) == card_hash(data)


@pytest.mark.parametrize("field", ["want", "time_and_energy", "finish_line", "ownership"])
def test_text_is_measured_after_normalising(field: str) -> None:
    grows = "\ufb2c"  # one character that NFC writes as three
    assert len(getattr(RefineTarget(target=TARGET, **{field: grows}), field)) == 3
    RefineTarget(target=TARGET, **{field: "x" * 4000})
    for too_long in ("x" * 4001, grows * 1334):
        with pytest.raises(ValidationError):
            RefineTarget(target=TARGET, **{field: too_long})


def test_public_texts_are_measured_after_normalising_too() -> None:
    for kind, limit in ((Name, 120), (Text, 4000)):
        adapter: TypeAdapter[str] = TypeAdapter(kind)
        adapter.validate_python("x" * limit)
        for too_long in ("x" * (limit + 1), "\ufb2c" * limit):
            with pytest.raises(ValidationError):
                adapter.validate_python(too_long)


@pytest.mark.parametrize(
    "fields",
    [
        {"want": "bell\x07"},
        {"want": "\ud800"},
        {"want": 7},
        {"budget_cents": 1.0},
        {"budget_cents": 2**53},
        {"budget_cents": True},
        {"timeline_seconds": -1},
        {"category": "Home Repair"},
        {"region": "x" * 121},
        {"surprise": "x"},
    ],
)
def test_answers_of_another_shape_are_no_intake(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        RecordIntake(**fields)


@pytest.mark.parametrize("p", ["0,7", "nan", "Infinity", "1e-1", "", " 0.70", "+0.70", "0.1234567"])
def test_a_stated_p_is_a_plain_decimal(p: str) -> None:
    with pytest.raises(ValidationError):
        PostTarget(target=TARGET, p=p)
    PostTarget(target=TARGET, p="0.70")
