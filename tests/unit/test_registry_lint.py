"""Lint: each way to break the rulebook gives its own message with file, line and fix; one run reports all of them."""

import shutil
from datetime import date

import pytest
from small_rulebook import PAPER, Rulebook, parameter, rule

from support import ROOT, shared
from tollbench.rules.lint import lint, lint_survey, survey
from tollbench.rules.trace import trace

A, B = "rules/band/TB-BAND-001.yaml", "rules/band/TB-BAND-002.yaml"


@pytest.fixture
def book(tmp_path):
    return Rulebook(tmp_path)


def test_a_sound_rulebook_has_no_findings(book):
    assert book.lint(paper=PAPER) == []


@pytest.mark.parametrize(
    ("old", "new", "says", "line"),
    [
        ("rev: 1", "rev: 1\nrev: 2", "the key rev stands twice", 3),
        ("rev: 1", "rev: 1.5", "the floating point number 1.5", 2),
        ("tier: core", "tier: core\ncolour: red", "unknown field colour", 7),
        ("type: decimal", "type: real", "'real' is no parameter type", 17),
        ('value: "0.50"', "value: 5", "parameter short_min: 5 is no decimal", 20),
        ('value: "0.50"', 'value: ".5"', "parameter short_min: '.5' is no decimal", 20),
        ('from: "2026-07-01"', 'from: "2026-13-01"', "'2026-13-01' is no date", 20),
        ("tier: core", "tier: heart", "tier: 'heart' is not one of", 6),
        ("rev: 1", "rev: 0", "rev: 0 is less than the minimum of 1", 2),
        ("status: active\n", "", "'status' is a required property", 1),
        ("kind: computed, visibility", "kind: guard, visibility", "'reject_code' is a required property", 1),
        ("id: TB-BAND-001", "id: TB-BAND-1", "does not match", 1),
    ],
)
def test_a_malformed_rule_file(book, old, new, says, line):
    book.edit(A, old, new)
    found = [finding for finding in book.lint() if finding.file == A]
    assert [says in finding.message for finding in found] == [True], found
    assert (found[0].line, found[0].state) == (line, "malformed")
    assert found[0].fix


def test_values_are_dated_and_their_dates_rise(book):
    book.edit(A, "    values:\n", '    values:\n      - {from: "2026-07-01", value: "0.55", reference: a ruling}\n')
    assert "do not rise" in book.only().message


def test_a_wrong_source_hash_anchor_or_line(book):
    book.put(rule("TB-BAND-002", needs=["TB-BAND-001"], source=_source(paragraph_hash="sha256:" + "0" * 64)))
    assert any(f.state == "drifted" and "paragraph hash" in f.message and f.line == 13 for f in book.lint())
    book.put(rule("TB-BAND-002", needs=["TB-BAND-001"], source=_source(anchor="Something else")))
    assert any(f.state == "drifted" and "begins with" in f.message for f in book.lint())
    book.put(rule("TB-BAND-002", needs=["TB-BAND-001"], source=_source(version="0.9")))
    assert any(f.state == "drifted" and "it cites small-paper 0.9" in f.message for f in book.lint())
    book.put(rule("TB-BAND-002", needs=["TB-BAND-001"], source=_source(also_lines=[9])))
    assert any(f.state == "drifted" and "line 9 is not a line" in f.message for f in book.lint())


def _source(**changes):
    return {**rule("TB-X-001")["source"], **changes}


def test_a_changed_paragraph_drifts_the_rules_that_cite_it(book):
    found = book.lint(paper=PAPER.replace("read off", "taken from"))
    assert {(f.rule, f.state) for f in found} == {
        (one, "drifted") for one in ("TB-BAND-001", "TB-BAND-002", "TB-GOV-014")
    }
    assert all("line 2 of the paper changed" in f.message for f in found)


def test_two_files_with_one_id(book):
    shutil.copy(book.root / A, book.root / "rules/band/TB-BAND-003.yaml")
    found = book.lint()
    assert any(f.state == "duplicate" and "already used in" in f.message for f in found)
    assert any("does not stand where its id says" in f.message for f in found)


def test_two_branches_that_allocated_one_id(book):
    book.lock("TB-BAND-002")
    found = book.only()
    assert (found.file, found.line, found.rule, found.state) == ("rules/ids.lock", 4, "TB-BAND-002", "duplicate")
    assert "allocated twice, first in line 2" in found.message


def test_a_rule_whose_id_is_not_allocated(book):
    book.put(rule("TB-BAND-009", status="draft"))
    assert "not allocated" in book.only().message


def test_a_rule_whose_file_is_gone(book):
    (book.root / B).unlink()
    found = [f for f in book.lint() if f.file == "rules/ids.lock"]
    assert [(f.line, f.rule, f.state) for f in found] == [(2, "TB-BAND-002", "orphaned")]
    assert "set its status to withdrawn" in found[0].fix


def test_a_renamed_rule(book):
    text = (book.root / B).read_text("utf-8").replace("id: TB-BAND-002", "id: TB-BAND-007")
    (book.root / B).unlink()
    book.write("rules/band/TB-BAND-007.yaml", text)
    assert any("TB-BAND-002 was renamed to TB-BAND-007" in f.message for f in book.lint())


def test_an_id_that_comes_back_from_withdrawal(book):
    book.put(rule("TB-BAND-002", needs=["TB-BAND-001"], status="withdrawn"))
    book.freeze()
    book.put(rule("TB-BAND-002", needs=["TB-BAND-001"], text="Something quite different under an old id."))
    assert any(f.state == "duplicate" and "is used again" in f.message for f in book.lint())


def test_ids_lock_only_grows(book):
    book.edit("rules/ids.lock", "TB-BAND-001 2026-07-01 The rule", "TB-BAND-001 2026-07-01 A rule")
    assert "ids.lock only grows" in book.only().fix
    book.edit("rules/ids.lock", "TB-BAND-001 2026-07-01 A rule TB-BAND-001", "nothing")
    assert any("allocates no id" in f.message and f.line == 1 for f in book.lint())


@pytest.mark.parametrize("key", ["supersedes", "superseded_by"])
def test_a_missing_reciprocal_link(book, key):
    book.put(rule("TB-BAND-002", needs=["TB-BAND-001"], **{key: ["TB-BAND-001"]}))
    assert any(f.state == "orphaned" and f.fix.startswith("add TB-BAND-002 to") for f in book.lint())


def test_links_to_nothing_and_in_circles(book):
    book.put(rule("TB-BAND-002", needs=["TB-BAND-099"]))
    assert any("names TB-BAND-099, which is no rule" in f.message for f in book.lint())
    one = {"supersedes": ["TB-BAND-002"], "superseded_by": ["TB-BAND-002"]}
    book.put(rule("TB-BAND-001", parameters={"short_min": parameter("decimal", "0.50", reserved=True)}, **one))
    two = {"supersedes": ["TB-BAND-001"], "superseded_by": ["TB-BAND-001"]}
    book.put(rule("TB-BAND-002", needs=["TB-BAND-001"], **two))
    circle = "supersedes goes in a circle: TB-BAND-001 -> TB-BAND-002 -> TB-BAND-001"
    assert any(circle in f.message for f in book.lint())


def test_a_text_that_moved_under_an_equal_revision(book):
    book.edit(A, "says what follows", "states what follows")
    found = book.only()
    assert (found.file, found.line, found.state) == (A, 2, "outdated")
    assert "the normative text changed but rev is still 1" in found.message
    assert "set rev to 2" in found.fix


def test_a_revision_that_moved_under_an_equal_text(book):
    book.edit(A, "rev: 1", "rev: 2")
    found = book.only()
    assert found.state == "predated"
    assert "nothing normative changed" in found.message


def test_a_new_revision_is_in_no_edition_yet_and_skips_nothing(book):
    book.edit(A, "says what follows", "states what follows")
    book.edit(A, "rev: 1", "rev: 2")
    assert "in no edition yet" in book.only().message
    book.edit(A, "rev: 2", "rev: 4")
    assert "rev went from 1 to 4" in book.only().message


def test_values_hash_apart_from_the_text(book):
    book.edit(A, '"0.50"', '"0.55"')
    found = book.only()
    assert found.state == "outdated"
    assert "parameter values differ" in found.message


def test_an_edition_that_is_not_what_the_registry_compiles_to(book):
    book.edit(A, "title: The rule TB-BAND-001", "title: A better title")
    assert "is not what the registry compiles to" in book.only().message


def test_an_edition_with_another_hash(book):
    path = book.root / "protocol/editions/1.3.0-draft.1.json"
    path.write_bytes(path.read_bytes().replace(b"0.50", b"0.51"))
    found = book.only()
    assert found.state == "outdated"
    assert "the manifest says" in found.message


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("domain/other.py", '"""Implements TB-ODDS-999."""\n'),
        ("domain/other.py", '@guard("TB-ODDS-999", on="x")\ndef f(case): ...\n'),
        ("README.md", "See [[TB-ODDS-999]].\n"),
        ("features/other.feature", "Feature: X\n  @TB-ODDS-999\n  Scenario: y\n    Given a\n    Then b\n"),
    ],
)
def test_a_citation_of_no_rule(book, file, text):
    book.write(file, text)
    found = [f for f in book.lint() if f.rule == "TB-ODDS-999"]
    assert [f.state for f in found] == ["orphaned"]
    assert found[0].file == file
    assert text.splitlines()[found[0].line - 1].find("TB-ODDS-999") >= 0


@pytest.mark.parametrize(("rev", "state"), [("~1", None), ("~2", "predated")])
def test_a_citation_of_another_revision(book, rev, state):
    book.write("README.md", f"As TB-BAND-001{rev} says.\n")
    assert [f.state for f in book.lint()] == ([state] if state else [])


def test_a_citation_of_an_outdated_revision_or_an_ended_rule(book):
    book.edit(A, "says what follows", "states what follows")
    book.edit(A, "rev: 1", "rev: 2")
    book.put(rule("TB-BAND-002", needs=["TB-BAND-001"], status="withdrawn"))
    book.freeze()
    book.write("README.md", "As TB-BAND-001~1 says.\n")
    found = [f for f in book.lint() if f.state == "outdated"]
    assert {f.file for f in found} == {"README.md", "domain/bands.py", "features/band.feature"}


def test_a_rule_without_evaluator_or_scenario(book):
    book.edit("domain/bands.py", '"TB-BAND-002"', '"TB-BAND-001"')
    found = book.lint()
    assert [(f.rule, f.state) for f in found] == [("TB-BAND-001", "duplicate"), ("TB-BAND-002", "uncited")]
    assert "no evaluator" in found[1].message
    book.edit("features/band.feature", " @TB-BAND-002", "")
    assert any("no evaluator and no scenario" in f.message for f in book.lint())


def test_an_evaluator_of_another_kind_or_visibility(book):
    book.edit(
        "domain/bands.py", '@computes("TB-BAND-002", neutral=None)', '@guard("TB-BAND-002", on="x", private=True)'
    )
    assert [(f.state, f.rule) for f in book.lint()] == [("unwanted", "TB-BAND-002")]
    book.put(rule("TB-BAND-002", needs=["TB-BAND-001"], evaluator=_kind("guard"), reject_code="NO"))
    book.freeze()
    assert "registers it as private, the registry says public" in book.only().message


def _kind(kind):
    return {"kind": kind, "visibility": "public"}


WAIVER = "waivers:\n  - {rule: TB-BAND-002, reason: the bands come with the next step, owner: core, expires: "


def test_waivers(book):
    book.write("domain/bands.py", '@computes("TB-BAND-001", neutral=None)\ndef band(params, p): ...\n')
    book.write("rules/waivers.yaml", WAIVER + '"2026-12-31"}\n')
    assert [f.message for f in book.lint()] == ["the waiver is new; the list only shrinks"]
    book.freeze()
    assert book.lint() == []
    assert "ended on 2026-12-31" in book.only(today=date(2027, 1, 1)).message
    book.write("domain/more.py", '@computes("TB-BAND-002", neutral=None)\ndef second(params, p): ...\n')
    found = book.only()
    assert (found.file, found.line, found.state) == ("rules/waivers.yaml", 2, "waived")
    assert "waived and yet enforced" in found.message


def test_waivers_that_are_malformed_double_or_of_no_rule(book):
    book.write("rules/waivers.yaml", "waivers:\n  - {rule: TB-BAND-002, reason: the bands come later on}\n")
    assert {f.message.split(": ")[1].split(" ")[0] for f in book.lint()} == {"'owner'", "'expires'"}
    one = WAIVER.removeprefix("waivers:\n") + '"2026-12-31"}\n'
    book.write("rules/waivers.yaml", "waivers:\n" + one + one + one.replace("002", "099"))
    book.freeze()
    found = book.lint()
    assert any(f.state == "duplicate" and "waived twice" in f.message for f in found)
    assert any(f.state == "orphaned" and f.rule == "TB-BAND-099" for f in found)


SLEEPING = {
    "has no steps": "  @TB-BAND-001\n  Scenario: z\n",
    "has no Then": "  @TB-BAND-001\n  Scenario: z\n    Given a\n    When b\n    And c\n",
    "is an outline without rows": "  Scenario Outline: z\n    Given <a>\n    Then b\n    Examples:\n      | a |\n",
    "is tagged to be skipped": "  @skip\n  Scenario: z\n    Given a\n    Then b\n",
    "already stands in line 4": "  Scenario: The band follows the number\n    Given a\n    Then b\n",
}


@pytest.mark.parametrize("says", SLEEPING)
def test_a_dormant_scenario(book, says):
    book.edit("features/band.feature", "Then it is short\n", "Then it is short\n\n" + SLEEPING[says])
    found = book.only()
    assert (found.state, found.file) == ("dormant", "features/band.feature")
    assert says in found.message


def test_a_dormant_scenario_shows_nothing(book):
    book.edit("features/band.feature", "  @TB-BAND-001", "  @wip @TB-BAND-001")
    assert {(f.rule, f.state) for f in book.lint()} == {
        ("TB-BAND-001", "dormant"),
        ("TB-BAND-001", "uncited"),
        ("TB-BAND-002", "uncited"),
    }


def test_tags_of_feature_rule_block_and_examples_count(book):
    text = (
        "@TB-BAND-001\nFeature: F\n  Background:\n    Given a\n\n  @TB-BAND-002\n  Rule: R\n\n"
        "    Scenario Outline: s\n      Then <x>\n      @slow\n      Examples:\n        | x |\n        | 1 |\n"
    )
    book.write("features/band.feature", text)
    assert book.lint() == []


def test_broken_gherkin_and_broken_python(book):
    book.write("features/broken.feature", "Feature: x\n  Scenario: y\n    Given a\n    nonsense\n")
    book.write("domain/broken.py", '@guard("TB-BAND-001"\n')
    found = {(f.file, f.line, f.state) for f in book.lint()}
    assert ("features/broken.feature", 4, "malformed") in found
    assert ("domain/broken.py", 1, "malformed") in found


@pytest.mark.parametrize("literal", ['"0.50"', '"0.5"', "0.5", 'Decimal("0.500")'])
def test_a_reserved_number_stands_in_the_registry_only(book, literal):
    book.write("domain/numbers.py", f"X = 1\nLIMIT = {literal}\n")
    found = book.only()
    assert (found.file, found.line, found.rule, found.state) == ("domain/numbers.py", 2, "TB-BAND-001", "reserved")
    assert "params('TB-BAND-001')['short_min']" in found.fix


@pytest.mark.parametrize("literal", ['"0.51"', '"half"', "True", "1", '"50"'])
def test_other_literals_are_free(book, literal):
    book.write("domain/numbers.py", f"LIMIT = {literal}\n")
    assert book.lint() == []


def test_a_term_the_protocol_gave_up(book):
    book.write("README.md", "The board shows\nthe Toll  Rating of an agent.\n")
    found = book.only()
    assert (found.file, found.line, found.rule, found.state) == ("README.md", 2, "TB-GOV-014", "unwanted")


def test_one_run_reports_all(book):
    book.edit(A, "tier: core", "tier: heart")
    book.edit(B, "says what follows", "states what follows")
    book.lock("TB-BAND-002")
    book.write("README.md", "TB-ODDS-999\n")
    book.write("features/other.feature", "Feature: X\n  Scenario: y\n")
    states = {f.state for f in book.lint()}
    assert states >= {"malformed", "outdated", "duplicate", "orphaned", "dormant"}
    files = [f.file for f in book.lint()]
    assert files == sorted(files)


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    root = tmp_path_factory.mktemp("tree")
    for folder in ("protocol", "rules", "domain", "projections", "adapters", "features", "tests/steps"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return root


MUTATIONS = {
    "the text of a rule": ("rules/band/TB-BAND-002.yaml", "at least 0.50 is Short", "above 0.50 is Short", "outdated"),
    "a citation of TB-ODDS-999": ("domain/engine.py", '"""', '"""TB-ODDS-999. ', "orphaned"),
}


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_mutations_of_the_real_tree_are_caught(copy, mutation):
    file, old, new, state = MUTATIONS[mutation]
    before = lint(copy)
    text = (copy / file).read_text("utf-8")
    assert old in text
    (copy / file).write_text(text.replace(old, new, 1), "utf-8")
    try:
        found = set(lint(copy)) - set(before)
    finally:
        (copy / file).write_text(text, "utf-8")
    assert [(f.file, f.state) for f in found] == [(file, state)]


def test_a_deleted_then_of_the_real_tree_is_caught(copy):
    path = next(path for path in sorted((copy / "features").glob("*.feature")) if "@TB-" in path.read_text("utf-8"))
    text = path.read_text("utf-8")
    lines = text.split("\n")
    last = max(number for number, line in enumerate(lines) if line.strip().startswith("Then "))
    end = next((n for n in range(last, len(lines)) if not lines[n].strip()), len(lines))
    before = lint(copy)
    path.write_text("\n".join([*lines[:last], *lines[end:]]), "utf-8")
    try:
        found = set(lint(copy)) - set(before)
    finally:
        path.write_text(text, "utf-8")
    assert "dormant" in {f.state for f in found}


PLANTED = """
    @TB-BID-007
    Scenario: Planted by hand
      Given a person "Ada"
      Then all is well
"""
VACUOUS = """
from pytest_bdd import then
from steps.lives import Life

@then("all is well")
def well(life: Life) -> None:
    life.types()
"""


def test_a_scenario_whose_then_cannot_fail_is_unproven(copy):
    feature, steps = copy / "features/bid.feature", copy / "tests/steps/planted.py"
    text = feature.read_text("utf-8")
    block = text.index("  Rule: TB-BID-007")
    at = text.find("\n  Rule: ", block + 1)
    before = lint(copy)
    feature.write_text(text[:at] + PLANTED + text[at:], "utf-8")
    steps.write_text(VACUOUS, "utf-8")
    try:
        fresh = set(lint(copy)) - set(before)
        seen = survey(copy)
        row = next(row for row in trace(seen, lint_survey(seen)) if row.rule == "TB-BID-007")
        steps.write_text(VACUOUS + "    assert life.types()\n", "utf-8")
        asserting = set(lint(copy)) - set(before)
    finally:
        feature.write_text(text, "utf-8")
        steps.unlink()
    assert {(f.rule, f.state) for f in fresh} >= {("TB-BID-007", "unproven")}
    assert "'Planted by hand' can fail" in next(f.message for f in fresh if f.state == "unproven")
    assert row.state == "unproven", row
    assert "unproven" not in {f.state for f in asserting}


def test_the_real_rulebook_is_clean():
    assert [finding.text() for finding in lint(ROOT)] == []


def test_the_real_rulebook_follows_the_paper():
    paper = shared("seeds/000_ff67c24915f40203.txt").read_text("utf-8")
    assert [finding.text() for finding in lint(ROOT, paper=paper) if finding.state == "drifted"] == []


def test_code_blocks_of_a_document_may_show_rules_yet_to_be_made(book):
    book.write("README.md", "```sh\ntoll rules amend TB-TRIAL-001\n```\n[[TB-ODDS-999]]\n")
    assert [(f.rule, f.line) for f in book.lint()] == [("TB-ODDS-999", 4)]
