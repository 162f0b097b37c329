"""Which edition judges: pins, transitions one after the other, and the instants at which they reach an attempt."""

import itertools

import pytest
from small_rulebook import VERSION, Rulebook, parameter, rule

from tollbench.protocol import instants
from tollbench.protocol.edition import Shelf
from tollbench.rules import editing
from tollbench.rules.law import Law

DAY = "2026-08-10"
IN_FORCE = ("2026-09-01T00:00:00.000000Z", "2026-10-01T00:00:00.000000Z", "2026-11-01T00:00:00.000000Z")
MIGRATION = "2026-10-15T12:00:00.000000Z"
PINS = {"target.posted": VERSION}
TRANSITIONS = ("keep_pinned", "immediate", "migrate_at")


@pytest.fixture
def book(tmp_path):
    made = Rulebook(tmp_path)
    made.put(rule("TB-BAND-002", needs=["TB-BAND-001"], parameters={"count": parameter("int", 1)}))
    made.freeze()
    return made


def amend(book, number, change, transition):
    """Enact `change` by edition 1.3.0-draft.(number + 1)."""
    path = editing.draft_amendment(
        book.root, [change], DAY, title="A change", class_="parameter", text="It changes what a rule says.",
        note="As the transition says.", transition=transition,
        migrate_at=MIGRATION if transition == "migrate_at" else None,
    )  # fmt: skip
    editing.move_amendment(book.root, path.stem, "review")
    ready = {"effective": f"2026-09-0{number}", "impact": "No figure of the ledger moves."}
    editing.move_amendment(book.root, path.stem, "last_call", **ready)
    editing.enact_amendment(book.root, path.stem, f"1.3.0-draft.{number + 1}", DAY)


def value(new):
    return {"rule": "TB-BAND-002", "change": "value", "parameter": "count", "value": new}


def enacted(shelf):
    first = (VERSION, "2026-08-01T00:00:00.000000Z")
    return (first, *zip(shelf.versions[1:], IN_FORCE, strict=False))


def law_at(shelf, at):
    listed = enacted(shelf)
    current = [version for version, effective in listed if effective <= at][-1]
    return Law(shelf, current, PINS, enacted=listed, at=at)


def before(instant):
    return instants.text(instants.from_micros(instants.micros(instant) - 1))


@pytest.mark.parametrize("transitions", list(itertools.product(TRANSITIONS, repeat=2)), ids="-".join)
def test_the_last_amendment_that_reaches_an_attempt_judges_it(book, transitions):
    for number, transition in enumerate(transitions, 1):
        amend(book, number, value(number + 1), transition)
    shelf = Shelf(book.root / "protocol")
    for at in (*IN_FORCE, MIGRATION, *map(before, (*IN_FORCE, MIGRATION))):
        reached = 1
        for number, transition in enumerate(transitions, 1):
            since = {"keep_pinned": "9", "immediate": IN_FORCE[number - 1]}
            if at >= since.get(transition, max(MIGRATION, IN_FORCE[number - 1])):
                reached = number + 1
        law = law_at(shelf, at)
        assert law.params("TB-BAND-002")["count"] == reached, at
        assert law.edition_of("TB-BAND-002").version == f"1.3.0-draft.{reached}"
        assert (
            Law(shelf, law.current.version).params("TB-BAND-002")["count"] == law.current.params("TB-BAND-002")["count"]
        )
        last = Law(shelf, "1.3.0-draft.3", PINS, enacted=enacted(shelf))
        assert last.read_at(instants.micros(at)).params("TB-BAND-002")["count"] == reached, "a report reads as of then"


def test_what_no_amendment_changed_stays_with_its_pin(book):
    amend(book, 1, value(2), "immediate")
    law = law_at(Shelf(book.root / "protocol"), IN_FORCE[0])
    assert law.edition_of("TB-BAND-001").version == VERSION
    assert law.edition_of("TB-BAND-002").version == "1.3.0-draft.2"


def test_an_edition_that_is_passed_over_on_the_ledger_is_in_force_with_the_next(book):
    amend(book, 1, value(2), "immediate")
    amend(book, 2, {"rule": "TB-BAND-001", "change": "value", "parameter": "short_min", "value": "0.6"}, "keep_pinned")
    shelf = Shelf(book.root / "protocol")
    listed = ((VERSION, IN_FORCE[0]), ("1.3.0-draft.3", IN_FORCE[1]))
    for at, reached in ((before(IN_FORCE[1]), 1), (IN_FORCE[1], 2)):
        law = Law(shelf, "1.3.0-draft.3", PINS, enacted=listed, at=at)
        assert law.params("TB-BAND-002")["count"] == reached


def test_a_rule_binds_where_it_is_in_force(book):
    book.put(rule("TB-BAND-003", status="draft"))
    book.lock("TB-BAND-003")
    amend(book, 1, {"rule": "TB-BAND-003", "change": "add"}, "keep_pinned")
    amend(book, 2, {"rule": "TB-BAND-002", "change": "withdraw"}, "immediate")
    shelf = Shelf(book.root / "protocol")
    early, late = law_at(shelf, IN_FORCE[0]), law_at(shelf, IN_FORCE[1])
    assert not early.in_force("TB-BAND-003"), "what was pinned before it came is not bound by it"
    assert early.apply("TB-BAND-003") is None
    assert Law(shelf, "1.3.0-draft.2").in_force("TB-BAND-003")
    assert early.in_force("TB-BAND-002")
    assert not late.in_force("TB-BAND-002"), "withdrawn at once"
    assert not early.in_force("TB-BAND-009")


def test_citations_name_the_edition_that_judged(book):
    amend(book, 1, value(2), "keep_pinned")
    shelf = Shelf(book.root / "protocol")
    law = Law(shelf, "1.3.0-draft.2", enacted=enacted(shelf))
    assert law.pinned(PINS) is law.pinned(dict(PINS)), "one reading a set of pins"
    law.pinned(PINS).apply("TB-BAND-002")
    law.apply("TB-BAND-002")
    assert law.take_citations() == [("TB-BAND-002", VERSION), ("TB-BAND-002", "1.3.0-draft.2")]
    assert law.take_citations() == []
