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
from steps.logs import ledgering
from support import ROOT
from tollbench.adapters.cli.rules import rules
from tollbench.adapters.ledger.bundle import make_bundle
from tollbench.adapters.ledger.sources import open_source
from tollbench.adapters.ledger.verifier import verify
from tollbench.adapters.replay import replay_check
from tollbench.domain.deal.commands import OpenAsk
from tollbench.domain.rulebook.commands import EnactEdition
from tollbench.protocol import instants
from tollbench.protocol.edition import Shelf
from tollbench.protocol.envelope import Event
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
    """Draft an amendment and walk it to its enactment by the next edition, effective today."""
    version = f"1.3.0-draft.{len(life.bench.editions.versions) + 1}"
    day = life.clock.now.date().isoformat()
    on = ("--on", day)
    words = ("--title", "A change of the law", "--note", "Attempts keep the edition they are pinned to.")
    amendment = toll(book, "amend", *draft, *words, *on)["amendment"]
    toll(book, "amend", amendment, "--to", "review", *on)
    last_call = ("--to", "last_call", "--effective", day, "--impact", "No figure of this ledger moves.")
    toll(book, "amend", amendment, *last_call, *on)
    toll(book, "enact", amendment, "--edition", version, *on)
    life.things.update(amendment=amendment, edition=version)
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


@given("the next day comes")
@when("the next day comes")
def next_day(life: Life) -> None:
    life.clock.forward(days=1)


@given(parsers.parse('"{parameter}" of {rule} is amended to "{value}" with the transition "{transition}"'))
@when(parsers.parse('"{parameter}" of {rule} is amended to "{value}" with the transition "{transition}"'))
def amended_for(book: Path, life: Life, parameter: str, rule: str, value: str, transition: str) -> None:
    enact(book, life, rule, "--set", f"{parameter}={value}", "--transition", transition)


@given(
    parsers.parse(
        '"{parameter}" of {rule} is amended to "{value}" with the transition "{transition}" {days:d} days later'
    )
)
def amended_later(book: Path, life: Life, parameter: str, rule: str, value: str, transition: str, days: int) -> None:
    moment = life.clock.now + timedelta(days=days)
    life.things["the migration"] = moment
    later = ("--transition", transition, "--migrate-at", instants.text(moment))
    enact(book, life, rule, "--set", f"{parameter}={value}", *later)


@given(parsers.parse('{rule} is withdrawn with the transition "{transition}"'))
def withdrawn(book: Path, life: Life, rule: str, transition: str) -> None:
    enact(book, life, rule, "--withdraw", "--transition", transition)


@when("the edition that carries it is enacted on the ledger")
def enacted_on_ledger(life: Life) -> None:
    _enact_on_ledger(life, None)


@when("the edition that carries it is enacted on the ledger, in force an hour later")
def enacted_later(life: Life) -> None:
    life.things["it is in force"] = life.clock.now + timedelta(hours=1)
    _enact_on_ledger(life, instants.text(life.things["it is in force"]))


def _enact_on_ledger(life: Life, effective: str | None) -> None:
    edition = life.bench.editions.get(life.things["edition"])
    life.do(EnactEdition(version=edition.version, hash=edition.hash, effective=effective), folk.steward(life))


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


@when(parsers.parse('the agent of "{name}" asks something'))
def asks(life: Life, name: str) -> None:
    life.do(OpenAsk(deal=life.ids[name], question="Which colour?"), life.things[name])
    life.things[f"ask of {name}"] = life.clock.now


@when(parsers.parse('the agent of "{name}" asks something a microsecond before {moment}'))
def asks_just_before(life: Life, name: str, moment: str) -> None:
    life.clock.now = life.things[moment] - timedelta(microseconds=1)
    asks(life, name)


@when(parsers.parse('the agent of "{name}" asks something at the instant {moment}'))
def asks_at(life: Life, name: str, moment: str) -> None:
    life.clock.now = life.things[moment.removeprefix("of ")]
    asks(life, name)


@given(parsers.parse('a deal "{name}" of "{poster}" and "{agent}" that lapsed'))
def lapsed_deal(life: Life, name: str, poster: str, agent: str) -> None:
    deal_of(life, name, poster, agent)
    lapses(life, name)


@when(parsers.parse('the deal "{name}" lapses'))
def lapses(life: Life, name: str) -> None:
    asks(life, name)
    life.clock.forward(days=14)
    life.bench.sweep()
    assert life.bench.state(life.ids[name]).resolution == "lapsed"


@when(parsers.parse('the deals "{first}" and "{second}" lapse'))
def both_lapse(life: Life, first: str, second: str) -> None:
    asks(life, first)
    lapses(life, second)


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


def _end(life: Life, name: str) -> Event:
    return next(e for e in life.bench.events() if e.stream == life.ids[name] and e.type == "deal.resolved")


@then(parsers.parse('the ask of "{name}" lapses after {days:d} days, by edition "{version}"'))
def lapses_by(life: Life, name: str, days: int, version: str) -> None:
    due = life.things[f"ask of {name}"] + timedelta(days=days)
    life.clock.now = max(life.clock.now, due)
    life.bench.sweep()
    end = _end(life, name)
    assert end.data["resolved_at"] == instants.text(due)
    assert [cited for cited, rules in end.rules.items() if "TB-OUT-015" in rules] == [version]
    assert end.rulebooks[version] == life.bench.editions.get(version).hash


@then(parsers.parse('the deal "{over}" scores 0 and the deal "{open_}" is not scored'))
def scored(life: Life, over: str, open_: str) -> None:
    assert [_end(life, name).data["o"] for name in (over, open_)] == [0, None]
    counts = life.bench.board()["overall"]["counts"]
    assert (counts["resolved_official"], counts["neutral_lapses"]) == (1, 1)


@then(parsers.parse('the end of the deal "{first}" cites {rule} and that of the deal "{second}" does not'))
def cites(life: Life, first: str, rule: str, second: str) -> None:
    found = [rule in {each for rules in _end(life, name).rules.values() for each in rules} for name in (first, second)]
    assert found == [True, False]


@then("the ledger is the same when it is replayed, and stands when it is verified")
def stands(book: Path, life: Life, tmp_path: Path) -> None:
    assert replay_check(life.bench).differences == []
    log = ledgering(life, tmp_path / "ledger")
    log.publish()
    make_bundle(log.state, tmp_path / "bundle", home=book / "protocol")
    report = verify(open_source(str(tmp_path / "bundle")), key=log.state.verifier)
    assert report.findings == []
    assert report.verdict == "ok"
