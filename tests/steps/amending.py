"""Steps about amendments: a rulebook of the scenario's own, changed by the commands of `toll rules` alone."""

from __future__ import annotations

import json
import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pytest_bdd import given, parsers, then, when

from steps import folk
from steps.lives import Life
from support import ROOT
from tollbench.adapters.cli.rules import rules
from tollbench.domain.deal.commands import OpenAsk
from tollbench.domain.rulebook.commands import EnactEdition
from tollbench.protocol import instants
from tollbench.protocol.edition import Shelf
from tollbench.rules.yaml_strict import read

NEXT = "1.3.0-draft.2"


@pytest.fixture
def book(life: Life, tmp_path: Path) -> Path:
    """A copy of the rulebook that the scenario may change; the bench reads its editions."""
    for folder in ("protocol", "rules"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "*.py"))
    life.bench.editions = Shelf(tmp_path / "protocol")
    return tmp_path


def toll(book: Path, *arguments: str, code: int = 0) -> Any:
    """What a command of `toll rules` says, as JSON, or the complaint where it is to fail."""
    done = CliRunner().invoke(rules, [arguments[0], "--root", str(book), *arguments[1:], "--json"])
    assert done.exit_code == code, (done.output, done.exception)
    return json.loads(done.stdout) if code == 0 else done.stderr


def enact(book: Path, life: Life, *draft: str) -> None:
    """Draft an amendment and walk it to its enactment, effective today."""
    day = life.clock.now.date().isoformat()
    on = ("--on", day)
    words = ("--title", "A change of the law", "--note", "Attempts keep the edition they are pinned to.")
    amendment = toll(book, "amend", *draft, *words, *on)["amendment"]
    toll(book, "amend", amendment, "--to", "review", *on)
    last_call = ("--to", "last_call", "--effective", day, "--impact", "No figure of this ledger moves.")
    toll(book, "amend", amendment, *last_call, *on)
    toll(book, "enact", amendment, "--edition", NEXT, *on)
    life.things["amendment"] = amendment
    life.bench.editions = Shelf(book / "protocol")


@given("the scenario has a rulebook of its own")
def own_rulebook(book: Path) -> None:
    assert (book / "rules" / "ids.lock").is_file()


@given("the protocol is launched")
def launched(book: Path) -> None:
    path = book / "protocol" / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**manifest, "launched_at": "2026-08-01"}), "utf-8")


@given(parsers.parse('a deal "{name}" of "{poster}" and "{agent}"'))
@when(parsers.parse('a deal "{name}" of "{poster}" and "{agent}" is signed'))
def deal_of(life: Life, name: str, poster: str, agent: str) -> None:
    folk.verified(life, poster)
    target = folk.want(life, poster)
    folk.agent(life, agent)
    folk.chosen(life, target, agent)
    life.ids[name] = folk.signed_deal(life, target, agent)
    life.things[name] = life.actors[agent]


@when(parsers.parse('"{parameter}" of {rule} is amended to "{value}" by the commands'))
def amended(book: Path, life: Life, parameter: str, rule: str, value: str) -> None:
    enact(book, life, rule, "--set", f"{parameter}={value}")


@when(parsers.parse('"{parameter}" of {rule} is changed without an amendment'))
def changed(book: Path, parameter: str, rule: str) -> None:
    path = book / "rules" / rule.split("-")[1].lower() / f"{rule}.yaml"
    text = path.read_text("utf-8")
    assert parameter in text
    path.write_text(text.replace("P14D", "P7D"), "utf-8")


@when(parsers.parse('a new rule of the area "{area}" is drafted and brought in by the commands'))
def new_rule(book: Path, life: Life, area: str) -> None:
    words = ("--title", "Outcomes are announced", "--text", "Each outcome is announced on the board.", "--line", "26")
    rule = toll(book, "new", area, *words, "--on", life.clock.now.date().isoformat())["rule"]
    enact(book, life, rule, "--add")


@when("the edition that carries it is enacted on the ledger")
def enacted_on_ledger(life: Life) -> None:
    edition = life.bench.editions.get(NEXT)
    life.do(EnactEdition(version=NEXT, hash=edition.hash), folk.steward(life))


@then("the amendment names its effective date, the hash of its edition and a migration note")
def complete(book: Path, life: Life) -> None:
    value = read(book / "rules" / "amendments" / f"{life.things['amendment']}.yaml").value
    edition = life.bench.editions.get(NEXT)
    assert value["effective"] == life.clock.now.date().isoformat()
    assert value["enacted"]["edition_hash"] == value["artifacts"][0]["hash"] == edition.hash
    assert value["migration_note"]


@then(parsers.parse("no edition can be frozen, because {rule} was not amended"))
def not_frozen(book: Path, rule: str) -> None:
    assert f"no enacted amendment changes {rule}" in toll(book, "freeze", NEXT, "--effective", "2026-08-03", code=1)


@then(parsers.parse("the new edition has the rule {rule} and the old one has not"))
def has_rule(life: Life, rule: str) -> None:
    old, new = (life.bench.editions.get(version) for version in ("1.3.0-draft.1", NEXT))
    assert rule in new.rules
    assert rule not in old.rules


@when(parsers.parse('the agents of "{first}" and "{second}" ask something at once'))
def both_ask(life: Life, first: str, second: str) -> None:
    for name in (first, second):
        life.do(OpenAsk(deal=life.ids[name], question="Which colour?"), life.things[name])
    life.things["asked"] = life.clock.now


@then(parsers.parse('the ask of the deal "{name}" lapses after {days:d} days'))
def lapses_after(life: Life, name: str, days: int) -> None:
    due = life.things["asked"] + timedelta(days=days)
    life.clock.now = due - timedelta(seconds=1)
    life.bench.sweep()
    assert life.bench.state(life.ids[name]).resolution is None
    life.clock.now = due
    life.bench.sweep()
    assert life.bench.state(life.ids[name]).resolution == "lapsed"
    assert life.last_event("deal.resolved").data["resolved_at"] == instants.text(due)


@then(parsers.parse('the deal "{name}" is pinned to "{version}"'))
def pinned(life: Life, name: str, version: str) -> None:
    story = [event for event in life.bench.events() if event.stream == life.ids[name]]
    signed = next(event for event in story if event.type == "deal.signed")
    assert signed.data["edition"] == version
