"""The trace: each state with its reason, citations of other applications, proofs, and every form it is printed in."""

import csv
import io
import json

import pytest
from small_rulebook import TODAY, Rulebook, rule

from support import ROOT
from tollbench.adapters.rulebook.dossier import edition_at, judged
from tollbench.adapters.rulebook.runtime import disagreements, strange_names
from tollbench.protocol.edition import Shelf, shelf
from tollbench.protocol.envelope import Event
from tollbench.rules import trace as traces
from tollbench.rules.citations import Citation, Source, evaluators
from tollbench.rules.lint import lint_survey, survey


@pytest.fixture
def book(tmp_path):
    return Rulebook(tmp_path)


def rows(book, **options):
    seen = survey(book.root)
    return {row.rule: row for row in traces.trace(seen, lint_survey(seen, today=TODAY), **options)}


def test_a_row_names_source_code_and_scenario(book):
    row = rows(book)["TB-BAND-001"]
    assert (row.state, row.rev, row.area, row.tier) == ("ok", 1, "BAND", "core")
    assert row.source == "small-paper 1.0, line 2: A band is read off the"
    assert row.evaluators == ("domain/bands.py:1 band",)
    assert row.scenarios == ("features/band.feature:4 The band follows the number",)
    assert row.proven is None
    assert rows(book)["TB-GOV-014"].reasons == ("checked by lint",)


STATES = {
    "outdated": lambda book: book.edit("rules/band/TB-BAND-002.yaml", "says what", "states what"),
    "predated": lambda book: book.edit("rules/band/TB-BAND-002.yaml", "rev: 1", "rev: 2"),
    "uncited": lambda book: book.edit("features/band.feature", " @TB-BAND-002", ""),
    "dormant": lambda book: book.write(
        "features/other.feature", "Feature: F\n  @TB-BAND-002\n  Scenario: s\n    Given a\n"
    ),
    "duplicate": lambda book: book.write("domain/more.py", '@computes("TB-BAND-002", neutral=1)\ndef f(p): ...\n'),
    "unwanted": lambda book: book.edit("domain/bands.py", '@computes("TB-BAND-002", neutral=None)', GUARD),
    "drifted": lambda book: book.put(rule("TB-BAND-002", needs=["TB-BAND-001"], source=OTHER_LINE)),
    "orphaned": lambda book: book.put(rule("TB-BAND-002", needs=["TB-BAND-001", "TB-BAND-044"])),
}
GUARD = '@guard("TB-BAND-002", on="x")'
OTHER_LINE = {**rule("TB-X-001")["source"], "line": 3, "anchor": "The score is a sum"}


@pytest.mark.parametrize("state", STATES)
def test_the_state_of_a_row_is_the_worst_that_is_known(book, state):
    STATES[state](book)
    found = rows(book)
    assert found["TB-BAND-002"].state == state
    assert found["TB-BAND-001"].state == "ok"


def test_a_waived_row_says_why_and_until_when(book):
    book.edit("features/band.feature", " @TB-BAND-002", "")
    waiver = '{rule: TB-BAND-002, reason: the bands come with the next step, owner: core, expires: "2026-12-31"}'
    book.write("rules/waivers.yaml", f"waivers:\n  - {waiver}\n")
    book.freeze()
    row = rows(book)["TB-BAND-002"]
    assert row.state == "waived"
    assert row.reasons == ("no scenario until 2026-12-31: the bands come with the next step",)


def test_an_unproven_row(book):
    found = rows(book, proof={"TB-BAND-002": "switched off: no citing scenario fails", "TB-BAND-001": ""})
    assert (found["TB-BAND-002"].state, found["TB-BAND-002"].proven) == ("unproven", False)
    assert (found["TB-BAND-001"].state, found["TB-BAND-001"].proven) == ("ok", True)
    assert rows(book, proof={"TB-BAND-001": ""})["TB-BAND-002"].proven is None, "what was not proved is not known"


def test_what_cites_no_rule_has_a_row_of_its_own(book):
    book.write("README.md", "TB-ODDS-999\n")
    row = rows(book)["TB-ODDS-999"]
    assert (row.state, row.title, row.evaluators) == ("orphaned", "(no such rule)", ("README.md:1",))


def test_citations_of_other_applications(book):
    cited = [
        {"rule": "TB-BAND-001", "rev": 1, "kind": "enforces", "place": "src/band.ts:4"},
        {"rule": "TB-BAND-002", "rev": 7, "kind": "tests", "place": "src/band.test.ts:9"},
        {"rule": "TB-BAND-077", "kind": "computes", "place": "src/x.ts:1"},
    ]
    found = rows(book, outside=[{"application": "market", "citations": cited}])
    assert found["TB-BAND-001"].outside == ("market: src/band.ts:4 (enforces)",)
    assert found["TB-BAND-001"].state == "ok"
    assert found["TB-BAND-002"].state == "predated"
    assert found["TB-BAND-077"].state == "orphaned"


def test_the_forms_agree(book):
    found = list(rows(book).values())
    printed = traces.as_json(found, "1.3.0-draft.1", "b3:00")
    assert printed["counts"] == {"ok": 3}
    assert [row["rule"] for row in printed["rows"]] == ["TB-BAND-001", "TB-BAND-002", "TB-GOV-014"]
    json.dumps(printed)
    table = list(csv.DictReader(io.StringIO(traces.as_csv(found))))
    assert [line["state"] for line in table] == ["ok"] * 3
    assert traces.as_markdown(found).count("\n") == 5
    assert traces.as_html(found, "<1>").count("<tr") == 4
    assert "&lt;1&gt;" in traces.as_html(found, "<1>")


def test_evaluators_are_read_wherever_they_are_registered_under_a_literal_id():
    text = (
        'requires("TB-A-001", event="x")\n'
        'ROWS = {rule: computes(rule, neutral=None)(f) for rule in ("TB-A-002", "TB-A-003")}\n'
        'for one in ["TB-A-004"]:\n    evaluators.requires(one, event="y")\n'
        '@guard("TB-A-005~2", on="z", private=True)\ndef judge(case): ...\n'
        'guard(name, on="z")\nother("TB-A-006")\n'
    )
    found = sorted(evaluators(Source("domain/x.py", text)), key=lambda one: one.rule)
    assert [(one.rule, one.kind, one.line) for one in found] == [
        ("TB-A-001", "requirement", 1), ("TB-A-002", "computed", 2), ("TB-A-003", "computed", 2),
        ("TB-A-004", "requirement", 4), ("TB-A-005", "guard", 5),
    ]  # fmt: skip
    assert (found[4].name, found[4].rev, found[4].private) == ("judge", 2, True)
    assert list(evaluators(Source("rules/x.py", text))) == []


def test_reading_the_code_and_running_it_give_the_same_evaluators():
    assert [finding.text() for finding in disagreements(survey(ROOT).evaluators)] == []


def test_a_registration_that_only_one_side_sees_is_named():
    seen = [one for one in survey(ROOT).evaluators if one.rule not in ("TB-BAND-002", "TB-BAND-003")]
    seen.append(Citation("TB-BAND-002", None, "guard", "domain/target/odds.py", 1))
    found = {finding.rule: finding.message for finding in disagreements(seen)}
    assert set(found) == {"TB-BAND-002", "TB-BAND-003"}
    assert "at run time it is computed" in found["TB-BAND-002"]


def test_ledger_events_are_counted_by_the_rules_they_cite():
    def event(type_, *rules):
        who, at = {"id": "system", "role": "system"}, "2026-08-01T00:00:00.000000Z"
        return Event(
            actor=who, at=at, command="c", data={}, id="i", rulebooks={"1": "b3:0"}, rules={"1": list(rules)},
            schema=1, stream="s", subject=None, type=type_, version=1,
        )  # fmt: skip

    found = judged([event("a.b", "TB-X-001", "TB-X-002"), event("a.c", "TB-X-001")])
    assert found["TB-X-001"].events == 2
    assert found["TB-X-001"].by_type == {"a.b": 1, "a.c": 1}
    assert list(found) == ["TB-X-001", "TB-X-002"]


def test_the_edition_of_a_date(book):
    book.freeze("1.3.0-draft.2", "2026-09-01")
    editions = Shelf(book.root / "protocol")
    assert edition_at(editions, "2026-08-31").version == "1.3.0-draft.1"
    assert edition_at(editions, "2026-09-01").version == "1.3.0-draft.2"
    with pytest.raises(LookupError, match="begins on 2026-07-26"):
        edition_at(editions, "2026-07-25")


def test_every_reject_code_belongs_to_one_rule():
    codes = [entry.reject_code for entry in shelf().current.rules.values() if entry.reject_code]
    assert len(codes) == len(set(codes))


def test_rules_name_commands_and_events_that_exist(book):
    assert [finding.text() for finding in strange_names(survey(ROOT).tree.rules.values())] == []
    wrong = {"aggregate": "Target", "commands": ["PostTarget", "PostNothing"], "events": ["*", "target.nothing"]}
    book.put(rule("TB-BAND-002", needs=["TB-BAND-001"], applies_to=wrong))
    found = {finding.message: finding.line for finding in strange_names(survey(book.root).tree.rules.values())}
    assert set(found) == {
        "applies_to.commands names PostNothing, which does not exist",
        "applies_to.events names target.nothing, which does not exist",
    }
