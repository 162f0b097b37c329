"""Refusals: one shape, every problem at once."""

import dataclasses

import pytest

from tollbench.protocol.refusal import Problem, Refused

ONE = Problem("DEAL_NOT_ACTIVE", "TB-CMD-007", 2, "1.3.0-draft.1", "deal", "The deal is delivered.", "Open another.")
TWO = dataclasses.replace(ONE, code="FLOAT_REFUSED", rule="TB-CMD-006", revision=1, field="")


def test_problem_has_the_one_shape():
    assert ONE.as_dict() == {
        "code": "DEAL_NOT_ACTIVE",
        "rule": "TB-CMD-007",
        "revision": 2,
        "edition": "1.3.0-draft.1",
        "field": "deal",
        "detail": "The deal is delivered.",
        "fix": "Open another.",
    }
    assert list(ONE.as_dict()) == [field.name for field in dataclasses.fields(Problem)]


def test_refusal_carries_and_prints_every_problem():
    refused = Refused(iter([ONE, TWO]))
    assert refused.problems == (ONE, TWO)
    assert str(refused).splitlines() == [
        "DEAL_NOT_ACTIVE [TB-CMD-007 r2, edition 1.3.0-draft.1] deal: The deal is delivered. Fix: Open another.",
        "FLOAT_REFUSED [TB-CMD-006 r1, edition 1.3.0-draft.1] The deal is delivered. Fix: Open another.",
    ]


def test_refusal_without_a_problem_is_a_programming_error():
    with pytest.raises(ValueError, match="at least one"):
        Refused([])


def test_problem_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        ONE.code = "OTHER"  # type: ignore[misc]
