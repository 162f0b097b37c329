"""Steps about the board: attempts played through real commands, and figures looked up by their place.

A place is a path such as `agents/alder/success_rate`: rows of a list go by the agent's name, the model, the week, the
season or quarter, the version, or the short name that the scenario gave the attempt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import pytest
from mini_ledger import Play, play
from pytest_bdd import given, parsers, then, when

from tollbench.adapters.bench import Bench
from tollbench.domain.commands import Actor
from tollbench.domain.period.commands import ClosePeriod
from tollbench.protocol import instants

DEFAULTS: dict[str, Any] = {
    "agent": "alder",
    "p": "0.70",
    "B": 0,
    "C": 0,
    "T": 86_400,
    "k": 1,
    "m": 1,
    "end": "delivered",
    "state": "official",
    "resolved": "2026-08-24T12:00:00Z",
}
NAMES = ("name", "agent_name", "model", "week", "season", "quarter", "system_version", "deal")


class Stage:
    """The played attempts of a scenario, and the board as it stands."""

    def __init__(self) -> None:
        self.play: Play | None = None
        self._board: dict[str, Any] | None = None
        self.before: dict[str, Any] = {}

    @property
    def bench(self) -> Bench:
        assert self.play is not None
        return self.play.bench

    @property
    def board(self) -> dict[str, Any]:
        if self._board is None:
            self._board = self.bench.board()
        return self._board

    def changed(self) -> None:
        """The ledger moved on: keep the board of before, compute the next one anew."""
        self.before, self._board = self.board, None

    def at(self, place: str, board: Mapping[str, Any] | None = None) -> Any:
        node: Any = self.board if board is None else board
        for part in place.split("/"):
            node = self._inside(node, part, place)
        return node

    def has(self, place: str) -> bool:
        try:
            return self.at(place) is not None
        except LookupError:
            return False

    def _inside(self, node: Any, part: str, place: str) -> Any:
        if isinstance(node, Mapping):
            if part not in node:
                raise LookupError(f"{place}: there is no {part}, only {', '.join(map(str, node))}")
            return node[part]
        if isinstance(node, list):
            assert self.play is not None
            wanted = self.play.deals.get(part, part)
            for item in node:
                if isinstance(item, Mapping):
                    known = [str(item[name]) for name in NAMES if name in item]
                    if wanted in known or wanted in [each.split()[0] for each in known if each]:
                        return item
        raise LookupError(f"{place}: there is no {part}")


@pytest.fixture
def stage() -> Iterator[Stage]:
    made = Stage()
    yield made
    if made.play is not None:
        made.bench.close()


@given("the attempts")
def the_attempts(stage: Stage, datatable: list[list[str]]) -> None:
    names, *cells = datatable
    rows = []
    for number, line in enumerate(cells):
        row = DEFAULTS | {"id": f"a{number + 1}"}
        for name, value in zip(names, line, strict=True):
            if value:
                row[name] = int(value) if name in ("B", "C", "T", "k", "m", "rating", "revenue") else value
        row["m"] = max(row["m"], row["k"])
        rows.append(row)
    stage.play = play(rows)


@given(parsers.parse("{count:d} delivered attempts at {p} and {missed:d} that the person ended"))
def many(stage: Stage, count: int, p: str, missed: int) -> None:
    row = {**DEFAULTS, "p": p, "T": 3_600}
    rows = [{**row, "id": f"d{n}"} for n in range(count)]
    rows += [{**row, "id": f"e{n}", "end": "ended", "k": 0} for n in range(missed)]
    stage.play = play(rows)


@given(parsers.re(r"(?P<count>nineteen|twenty) free deliveries in each band"))
def free_everywhere(stage: Stage, count: str) -> None:
    in_every_band(stage, {"nineteen": 19, "twenty": 20}[count], 0)


@given("twenty deliveries in each band that cost one cent in the long band")
def one_cent(stage: Stage) -> None:
    in_every_band(stage, 20, 1)


def in_every_band(stage: Stage, count: int, long_cents: int) -> None:
    rows = []
    for p in ("0.70", "0.35", "0.08"):
        cents = long_cents if p == "0.35" else 0
        rows += [{**DEFAULTS, "id": f"{p}/{n}", "p": p, "B": cents, "C": cents} for n in range(count)]
    stage.play = play(rows)


@given("a bench on which nothing is resolved")
def nothing_resolved(stage: Stage) -> None:
    stage.play = play([])


@when(parsers.parse('the poster of "{name}" completes verification'))
def verified_late(stage: Stage, name: str) -> None:
    assert stage.play is not None
    stage.changed()
    stage.play.verify(name)


@when(parsers.parse('the books of the {period} "{name}" are closed'))
def closed(stage: Stage, period: str, name: str) -> None:
    assert stage.play is not None
    stage.changed()
    stage.play.clock.now = max(stage.play.clock.now, instants.parse("2027-01-04T00:00:00Z"))
    stage.play.do(ClosePeriod(period=period, name=name), Actor.system())


def same(found: Any, expected: str) -> bool:
    """Numbers are compared exactly, whatever their spelling; words as they stand."""
    value = found["value"] if isinstance(found, Mapping) and "value" in found else found
    if value is None or isinstance(value, bool):
        return str(value).lower() == {"nothing": "none"}.get(expected, expected)
    if isinstance(value, list):
        return [str(each) for each in value] == [each.strip() for each in expected.split(",") if each.strip()]
    if re.fullmatch(r"-?\d+(\.\d+|/\d+)?", str(value)) and re.fullmatch(r"-?\d+(\.\d+|/\d+)?", expected):
        return Fraction(str(value)) == Fraction(expected)
    return str(value) == expected


@then(parsers.re(r'the board shows "(?P<place>[^"]+)" as "(?P<expected>[^"]*)"(?: over (?P<n>\d+))?'))
def shows(stage: Stage, place: str, expected: str, n: str | None) -> None:
    found = stage.at(place)
    assert same(found, expected), f"{place} is {found}"
    if n is not None:
        assert found["n"] == int(n), f"{place} is {found}"


@then("the board shows")
def shows_all(stage: Stage, datatable: list[list[str]]) -> None:
    for place, expected in datatable[1:]:
        assert same(stage.at(place), expected), f"{place} is {stage.at(place)}"


@then(parsers.parse('the board has "{place}"'))
def has(stage: Stage, place: str) -> None:
    assert stage.has(place), f"{place} is missing"


@then(parsers.parse('the board has no "{place}"'))
def has_not(stage: Stage, place: str) -> None:
    assert not stage.has(place), f"{place} is there"


@then(parsers.parse('"{place}" has its count, an interval and the rule behind it'))
def drawn(stage: Stage, place: str) -> None:
    figure = stage.at(place)
    assert figure["n"] and figure["low"] is not None and figure["high"] is not None
    assert figure["method"] != "none" and figure["rule"].startswith("TB-")


@then(parsers.parse('the rank order of "{place}" is "{names}"'))
def ranked(stage: Stage, place: str, names: str) -> None:
    assert [f"{row['rank']} {row['name']}" for row in stage.at(place)] == [each.strip() for each in names.split(",")]


@then(parsers.parse('"{place}" adds up to "{total}"'))
def adds_up(stage: Stage, place: str, total: str) -> None:
    head, _, tail = place.partition("/*/")
    rows = stage.at(head)
    each_row = rows.values() if isinstance(rows, Mapping) else rows
    found = [stage.at(tail, row) if tail else row for row in each_row]
    values = [Fraction(str(each["value"] if isinstance(each, Mapping) else each)) for each in found]
    assert sum(values) == Fraction(total)


@then("no poster's id stands on the board")
def no_poster(stage: Stage) -> None:
    assert stage.play is not None
    text = stage.bench.board_bytes().decode()
    for actor in stage.play.people.values():
        assert actor.id not in text


@then("every event behind a row stands in the log and is about its deal or target")
def evidence(stage: Stage) -> None:
    log = list(stage.bench.events())
    for row in stage.board["attempts"]:
        assert row["evidence"]["events"]
        for leaf in row["evidence"]["events"]:
            assert log[leaf].stream in (row["deal"], row["target"])


@then("a replay of the log gives the same board, byte for byte")
def replayed(stage: Stage) -> None:
    assert stage.bench.board_bytes() == stage.bench.board_bytes(fresh=True)


@then(parsers.parse('"{place}" of those with attempts adds up to "{total}"'))
def adds_up_where_any(stage: Stage, place: str, total: str) -> None:
    head, _, tail = place.partition("/*/")
    found = [stage.at(tail, row) for row in stage.at(head) if tail in row]
    assert sum(Fraction(str(each["value"])) for each in found) == Fraction(total)


@then(parsers.parse('the label "{place}" says "{words}"'))
def label(stage: Stage, place: str, words: str) -> None:
    assert words in stage.at(place)


@then(parsers.parse('a correction of "{name}" names "{before}" before and "{after}" after'))
def correction(stage: Stage, name: str, before: str, after: str) -> None:
    found = [each for each in stage.board["corrections"] if each["name"] == name]
    assert found, "the corrections log says nothing of it"
    assert any(before in str(each) and after in str(each) for each in found)


@then(parsers.parse('the record of "{agent}" holds "{names}"'))
def record(stage: Stage, agent: str, names: str) -> None:
    assert stage.play is not None
    deals = {stage.play.deals[name.strip()] for name in names.split(",")}
    assert set(stage.at(f"agents/{agent}/record")) == deals


@then(parsers.parse('the public record of "{name}" has eleven fields'))
def eleven(stage: Stage, name: str) -> None:
    assert stage.play is not None
    found = stage.bench.public_record(stage.play.deals[name])
    assert len(found) == 11
    assert all(value is not None for value in found.values())


@then(parsers.parse('the public record of "{name}" shows'))
def record_shows(stage: Stage, name: str, datatable: list[list[str]]) -> None:
    assert stage.play is not None
    found = stage.bench.public_record(stage.play.deals[name])
    for place, expected in datatable[1:]:
        assert same(stage.at(place, found), expected), f"{place} is {stage.at(place, found)}"


@then(parsers.parse('the public record of "{name}" has no step text'))
def no_step_text(stage: Stage, name: str) -> None:
    assert stage.play is not None
    assert "a step" not in str(stage.bench.public_record(stage.play.deals[name]))
