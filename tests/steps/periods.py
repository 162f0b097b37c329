"""Steps about the close of periods."""

from __future__ import annotations

from typing import Literal

from pytest_bdd import given, parsers, then, when

from steps import folk
from steps.attempts import move_to
from steps.lives import Life
from tollbench.domain.commands import Actor
from tollbench.domain.period.commands import ClosePeriod


@given(parsers.re(r'it is "(?P<instant>2\d{3}-[^"]+)"'))
def it_is(life: Life, instant: str) -> None:
    folk.person(life, "Ada")
    folk.steward(life)
    move_to(life, instant)


@given(parsers.re(r'the (?P<period>week|season|quarter) "(?P<name>[^"]+)" was closed'))
@when(parsers.re(r'the (?P<period>week|season|quarter) "(?P<name>[^"]+)" is closed'))
def closes(life: Life, period: Literal["week", "season", "quarter"], name: str) -> None:
    life.attempt(ClosePeriod(period=period, name=name), Actor.system())


@then(parsers.parse('the close of "{name}" names the edition in force and the {count:d} events before it'))
def close_names(life: Life, name: str, count: int) -> None:
    data = life.last_event("period.closed").data
    assert (data["name"], data["log_position"]) == (name, count)
    assert data["edition"] == life.bench.law().current.version


@then(parsers.parse('its end was "{instant}"'))
def end_was(life: Life, instant: str) -> None:
    assert life.last_event("period.closed").data["ended_at"] == instant
