"""A rule that was reworded keeps its older evaluator for attempts that pin the older wording (`"<ID>~N"`)."""

import pytest
from small_rulebook import VERSION, Rulebook, rule

from tollbench.protocol.edition import Shelf
from tollbench.rules import editing, evaluators
from tollbench.rules.evaluators import Registry, computes, guard, registry, requires, switched_off
from tollbench.rules.law import Law
from tollbench.rules.lint import lint_survey, survey

RULE, LATER = "TB-BAND-002", "1.3.0-draft.2"
DAY = "2026-08-10"
BOTH = (
    '@computes("TB-BAND-002", neutral=None)\ndef second(params, p): ...\n\n\n'
    '@computes("TB-BAND-002~1", neutral=None)\ndef second_before(params, p): ...\n'
)


@pytest.fixture
def book(tmp_path):
    made = Rulebook(tmp_path)
    made.put(rule(RULE, needs=["TB-BAND-001"]))
    made.freeze()
    change = {"rule": RULE, "change": "text", "text": "The second rule says something else now."}
    path = editing.draft_amendment(
        made.root, [change], DAY, title="A change", class_="substantive", text="It rewords one rule of the rubric.",
        note="Attempts under way keep the old wording.", transition="keep_pinned", migrate_at=None,
    )  # fmt: skip
    editing.move_amendment(made.root, path.stem, "review")
    ready = {"effective": "2026-09-01", "impact": "No figure of the ledger moves."}
    editing.move_amendment(made.root, path.stem, "last_call", **ready)
    editing.enact_amendment(made.root, path.stem, LATER, DAY)
    return made


@pytest.fixture
def own(monkeypatch):
    monkeypatch.setattr(evaluators, "_registry", Registry())


def laws(book):
    """The law of an attempt that pins the first edition, and that of a new one."""
    shelf = Shelf(book.root / "protocol")
    enacted = ((VERSION, "2026-08-01T00:00:00.000000Z"), (LATER, "2026-09-01T00:00:00.000000Z"))
    at = "2026-09-02T00:00:00.000000Z"
    pinned = Law(shelf, LATER, {"target.posted": VERSION}, enacted=enacted, at=at)
    return pinned, Law(shelf, LATER, enacted=enacted, at=at)


def test_each_revision_is_judged_by_its_own_evaluator(book, own):
    @computes(RULE, neutral="off")
    def second(params, p):
        return f"new {p}"

    @computes(f"{RULE}~1", neutral="off")
    def second_before(params, p):
        return f"old {p}"

    @guard("TB-BAND-003", on="some.event")
    def always(case):
        return None

    pinned, new = laws(book)
    assert (pinned.entry(RULE).rev, new.entry(RULE).rev) == (1, 2)
    assert (second(pinned, 3), second(new, 3)) == ("old 3", "new 3")
    with switched_off(RULE):
        assert second(pinned, 3) == "off"
    assert registry().by_rule[RULE].function.__name__ == "second"


def test_guards_and_requirements_speak_for_their_revisions(book, own):
    guard(RULE, on="some.event")(lambda case: None)
    guard(f"{RULE}~1", on="some.event")(lambda case: None)
    requires("TB-BAND-001", event="some.event")
    pinned, new = laws(book)
    present, older = registry().guards_on("some.event")
    assert (older.rule, older.upto) == (RULE, 1)
    assert [registry().speaks(each, pinned) for each in (present, older)] == [False, True]
    assert [registry().speaks(each, new) for each in (present, older)] == [True, False]
    (demand,) = registry().requirements_on("some.event")
    assert registry().speaks(demand, new)


def test_one_evaluator_a_revision(own):
    guard(f"{RULE}~1", on="some.event")(lambda case: None)
    with pytest.raises(ValueError, match="TB-BAND-002~1 has two evaluators"):
        guard(f"{RULE}~1", on="other.event")(lambda case: None)


def test_lint_lets_an_old_evaluator_stay_while_an_edition_holds_its_revision(book):
    book.edit("domain/bands.py", '@computes("TB-BAND-002", neutral=None)\ndef second(params, p): ...\n', BOTH)
    assert [finding.text() for finding in lint_survey(survey(book.root))] == []


def test_lint_asks_to_remove_what_no_edition_holds(tmp_path):
    made = Rulebook(tmp_path)
    made.put(rule(RULE, rev=3, needs=["TB-BAND-001"]))
    made.edit("domain/bands.py", '@computes("TB-BAND-002", neutral=None)\ndef second(params, p): ...\n', BOTH)
    made.freeze()
    found = [f for f in lint_survey(survey(made.root)) if f.rule == RULE and "no edition holds" in f.message]
    assert [(f.state, f.file) for f in found] == [("unwanted", "domain/bands.py")]
