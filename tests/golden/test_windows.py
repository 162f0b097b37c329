"""Weeks and seasons against the golden windows."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from support import shared
from tollbench.domain.period.calendar import Calendar, calendar
from tollbench.projections.measures import landing
from tollbench.protocol import instants
from tollbench.protocol.edition import shelf
from tollbench.rules.evaluators import switched_off
from tollbench.rules.law import Law


@pytest.fixture(scope="module")
def golden() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(shared("golden/windows.yaml").read_text("utf-8"))
    return found


@pytest.fixture(scope="module")
def windows() -> Calendar:
    return calendar(Law(shelf()))


def test_weeks(golden: dict[str, Any], windows: Calendar) -> None:
    for case in golden["weeks"]:
        at = instants.micros(case["at"])
        assert windows.week(at) == case["week"], case
        start, end = windows.bounds(case["week"])
        assert start <= at < end


def test_seasons(golden: dict[str, Any], windows: Calendar) -> None:
    for case in golden["seasons"]:
        at = instants.micros(case["at"])
        assert windows.season(at) == case["season"], case
        assert windows.week(at) in windows.weeks_of(case["season"])
        start, end = windows.season_bounds(case["season"])
        assert start <= at < end


def test_naive_instants_are_refused(golden: dict[str, Any]) -> None:
    for text in golden["refused"]:
        with pytest.raises(instants.InstantError):
            instants.micros(text)


def test_a_season_always_has_thirteen_whole_weeks(windows: Calendar) -> None:
    for season in range(-3, 12):
        weeks = windows.weeks_of(season)
        assert len(weeks) == 13 and {windows.season_of(week) for week in weeks} == {season}


def test_a_week_in_another_timezone_follows_local_midnight(windows: Calendar) -> None:
    west = Calendar("America/Los_Angeles", windows.epoch, windows.weeks_per_season)
    at = instants.micros("2026-08-31T00:46:32.894813Z")
    assert windows.week(at) == "2026-W36" and west.week(at) == "2026-W35"
    start, end = west.bounds("2026-W44")  # the clocks go back on 2026-11-01
    assert end - start == (7 * 24 + 1) * 3_600_000_000
    assert west.week(start) == "2026-W44" and west.week(start - 1) == "2026-W43"


def test_the_score_lands_at_the_resolution() -> None:
    law = Law(shelf())
    assert landing(law, 1, 2) == 2
    with switched_off("TB-RANK-005"):
        assert landing(law, 1, 2) == 1
