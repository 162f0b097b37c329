"""Steps that every feature uses: what became of the last command, and the clock."""

from __future__ import annotations

from pytest_bdd import parsers, then, when

from steps.lives import Life


@then(parsers.re(r'(?P<rule>TB-[A-Z]+-\d{3}) refuses it(?: at "(?P<field>[^"]+)")?'))
def refused(life: Life, rule: str, field: str | None) -> None:
    problem = life.refused_by(rule)
    assert problem.detail and problem.fix
    if field:
        assert field in [each.field for each in life.refused if each.rule == rule]


@then("it is carried out")
def carried_out(life: Life) -> None:
    assert life.done is not None, "; ".join(map(str, life.refused))


@then("nothing new is on the ledger")
def nothing_new(life: Life) -> None:
    assert life.done is not None, "; ".join(map(str, life.refused))
    assert not life.done.events


@when(parsers.re(r"(?P<count>\d+) (?P<unit>day|hour|minute|second|microsecond)s? pass(?:es)?"))
def time_passes(life: Life, count: str, unit: str) -> None:
    life.clock.forward(**{f"{unit}s": int(count)})
