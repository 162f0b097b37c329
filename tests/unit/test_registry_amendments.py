"""How the rulebook changes: ids are allocated, amendments walk from draft to enactment, and nothing half-done stays."""

import json

import pytest
from small_rulebook import VERSION, Rulebook, parameter, rule

from tollbench.adapters.rulebook.difference import difference
from tollbench.protocol.edition import Change, Shelf
from tollbench.rules import editing
from tollbench.rules.compile import FreezeError, freeze
from tollbench.rules.findings import RegistryError

DAY = "2026-08-10"
NEXT = "1.3.0-draft.2"


@pytest.fixture
def book(tmp_path):
    return Rulebook(tmp_path)


def draft(book, *changes, **options):
    options = {
        "title": "A change of the bands",
        "class_": "parameter",
        "text": "It moves the boundary of a band.",
        **options,
    }
    path = editing.draft_amendment(book.root, list(changes), DAY, note="Pinned attempts keep their edition.", **options)
    return path.stem


def value(new="0.55", rule_id="TB-BAND-001", name="short_min"):
    return {"rule": rule_id, "change": "value", "parameter": name, "value": new}


def to_last_call(book, amendment, effective="2026-09-01"):
    editing.move_amendment(book.root, amendment, "review")
    editing.move_amendment(
        book.root, amendment, "last_call", effective=effective, impact="No figure of the ledger moves."
    )


def test_an_amendment_walks_from_new_to_enacted(book):
    path = editing.new_rule(book.root, "BAND", "A third rule", "What the third rule says.", 3, DAY)
    assert path.stem == "TB-BAND-003"
    assert book.lint() == [], "a draft needs no evaluator and is in no edition"
    amendment = draft(book, {"rule": "TB-BAND-003", "change": "add"}, value(), class_="substantive")
    to_last_call(book, amendment)
    assert book.lint() == []
    line = editing.enact_amendment(book.root, amendment, NEXT, DAY)
    assert book.lint() == []
    editions = Shelf(book.root / "protocol")
    assert editions.current_version == VERSION, "the new edition is not in force before its day"
    assert editions.get(NEXT).hash == line["hash"]
    assert editions.get(NEXT).rules["TB-BAND-003"].source.line == 3
    assert str(editions.get(NEXT).params("TB-BAND-001")["short_min"]) == "0.55"
    assert str(editions.current.params("TB-BAND-001")["short_min"]) == "0.50"
    assert amendment in json.loads((book.root / "protocol/manifest.json").read_text())["amendments"]


def test_what_an_edition_changed(book):
    book.put(rule("TB-BAND-003", status="draft"))
    book.lock("TB-BAND-003")
    changes = (
        value(),
        {"rule": "TB-BAND-003", "change": "add"},
        {"rule": "TB-BAND-002", "change": "text", "text": TEXT},
    )
    amendment = draft(book, *changes)
    to_last_call(book, amendment, DAY)
    editing.enact_amendment(book.root, amendment, NEXT, DAY)
    editions = Shelf(book.root / "protocol")
    assert editions.current_version == NEXT
    found = difference(editions.get(VERSION), editions.get(NEXT))
    assert [one["rule"] for one in found["added"]] == ["TB-BAND-003"]
    by_rule = {one["rule"]: one for one in found["changed"]}
    assert by_rule["TB-BAND-001"]["values"] == {"short_min": ["0.50", "0.55"]}
    assert by_rule["TB-BAND-001"]["rev"] == [1, 1]
    assert by_rule["TB-BAND-002"]["fields"]["text"][1] == TEXT
    assert by_rule["TB-BAND-002"]["rev"] == [1, 2]
    nothing = difference(editions.get(NEXT), editions.get(NEXT))
    assert (nothing["added"], nothing["removed"], nothing["changed"]) == ([], [], [])


TEXT = "The second rule, in other words."


def test_a_rule_is_superseded_or_withdrawn_and_its_id_stays(book):
    amendment = draft(book, {"rule": "TB-BAND-002", "change": "supersede", "by": "TB-BAND-001"}, class_="substantive")
    to_last_call(book, amendment, DAY)
    editing.enact_amendment(book.root, amendment, NEXT, DAY)
    entry = Shelf(book.root / "protocol").current.rules["TB-BAND-002"]
    assert (entry.status, entry.rev) == ("superseded", 2)
    assert {f.state for f in book.lint()} == {"outdated"}, "what still cites the ended rule is named"


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda book: editing.new_rule(book.root, "band", "A title", "text", 1, DAY), "is no area"),
        (lambda book: editing.new_rule(book.root, "BAND", "x", "text", 1, DAY), "3 to 120 characters"),
        (lambda book: editing.new_rule(book.root, "BAND", "A title", "text", 99, DAY), "the paper has no line 99"),
        (lambda book: draft(book, value(rule_id="TB-BAND-099")), "there is no rule TB-BAND-099"),
        (lambda book: draft(book, value(name="long_min")), "has no parameter long_min; it has short_min"),
        (lambda book: draft(book, value(new="half")), "'half' is no decimal"),
        (lambda book: draft(book, {"rule": "TB-BAND-001", "change": "add"}), "only a draft can be added"),
        (
            lambda book: draft(book, {"rule": "TB-BAND-001", "change": "supersede", "by": "TB-X-001"}),
            "no rule TB-X-001",
        ),
        (lambda book: editing.move_amendment(book.root, "AMD-2026-01", "review"), "there is no amendment AMD-2026-01"),
        (
            lambda book: editing.move_amendment(book.root, draft(book, value()), "last_call"),
            "what comes next is review",
        ),
        (lambda book: editing.enact_amendment(book.root, draft(book, value()), NEXT, DAY), "is enacted from last_call"),
    ],
)
def test_a_change_that_cannot_be_made(book, act, says):
    with pytest.raises(editing.EditError, match=says):
        act(book)


def test_a_last_call_needs_date_and_impact(book):
    amendment = draft(book, value())
    editing.move_amendment(book.root, amendment, "review")
    with pytest.raises(editing.EditError, match="no effective date"):
        editing.move_amendment(book.root, amendment, "last_call")
    with pytest.raises(editing.EditError, match="impact report"):
        editing.move_amendment(book.root, amendment, "last_call", effective=DAY)
    editing.move_amendment(book.root, amendment, "withdrawn")
    with pytest.raises(editing.EditError, match="that is final"):
        editing.move_amendment(book.root, amendment, "last_call")


def test_no_enactment_for_the_past_twice_or_out_of_order(book):
    amendment = draft(book, value())
    to_last_call(book, amendment, DAY)
    with pytest.raises(editing.EditError, match="before its enactment"):
        editing.enact_amendment(book.root, amendment, NEXT, "2026-08-11")
    with pytest.raises(editing.EditError, match="is on the shelf"):
        editing.enact_amendment(book.root, amendment, VERSION, DAY)
    editing.enact_amendment(book.root, amendment, NEXT, DAY)
    with pytest.raises(editing.EditError, match="enacted from last_call"):
        editing.enact_amendment(book.root, amendment, "1.3.0-draft.3", DAY)
    earlier = draft(book, value("0.60"))
    to_last_call(book, earlier, "2026-08-09")
    with pytest.raises(editing.EditError, match="editions follow in order"):
        editing.enact_amendment(book.root, earlier, "1.3.0-draft.3", "2026-08-09")


@pytest.mark.parametrize(
    ("transition", "instant"), [("keep_pinned", None), ("immediate", None), ("migrate_at", "2026-10-01T12:00:00Z")]
)
def test_an_edition_notes_what_becomes_of_attempts_under_way(book, transition, instant):
    amendment = draft(book, value(), transition=transition, migrate_at=instant)
    to_last_call(book, amendment, DAY)
    editing.enact_amendment(book.root, amendment, NEXT, DAY, transition=transition)
    assert book.lint() == []
    editions = Shelf(book.root / "protocol")
    at = instant and "2026-10-01T12:00:00.000000Z"
    assert editions.get(NEXT).amended == {"TB-BAND-001": Change(amendment, transition, at)}
    assert editions.get(VERSION).amended == {}
    assert editions.get(NEXT).with_value("TB-BAND-001", "short_min", "0.60").amended == editions.get(NEXT).amended
    hash_ = editions.get(NEXT).hash
    assert freeze(NEXT, root=book.root)["hash"] == hash_, "an edition that is frozen again says the same"


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"transition": "migrate_at"}, "needs an instant"),
        ({"transition": "immediate", "migrate_at": "2026-10-01T00:00:00Z"}, "takes no instant of migration"),
        ({"transition": "migrate_at", "migrate_at": "2026-10-01"}, "migrate_at: "),
        (
            {"transition": "migrate_at", "migrate_at": "2026-08-31T23:59:59Z", "effective": "2026-09-01"},
            "before it takes effect on 2026-09-01",
        ),
    ],
)
def test_a_transition_that_cannot_be(book, fields, says):
    with pytest.raises(editing.EditError, match=says):
        draft(book, value(), **fields)
    amendment = draft(book, value(), effective=fields.pop("effective", None))
    with pytest.raises(editing.EditError, match=says):
        editing.move_amendment(book.root, amendment, "review", **fields, effective="2026-09-01")


def test_the_transition_is_settled_by_the_last_call(book):
    amendment = draft(book, value(), transition="migrate_at", migrate_at="2026-10-01T00:00:00Z")
    editing.move_amendment(book.root, amendment, "review", transition="immediate")
    editing.move_amendment(book.root, amendment, "last_call", effective=DAY, impact="No figure of the ledger moves.")
    with pytest.raises(editing.EditError, match="names immediate; what it named is enacted"):
        editing.enact_amendment(book.root, amendment, NEXT, DAY, transition="keep_pinned")
    editing.enact_amendment(book.root, amendment, NEXT, DAY)
    assert Shelf(book.root / "protocol").get(NEXT).amended["TB-BAND-001"].transition == "immediate"


def test_lint_holds_an_edition_to_the_transition_it_was_enacted_with(book):
    amendment = draft(book, value(), transition="immediate")
    to_last_call(book, amendment, DAY)
    editing.enact_amendment(book.root, amendment, NEXT, DAY)
    name = f"rules/amendments/{amendment}.yaml"
    book.edit(name, "transition: immediate", "transition: keep_pinned")
    found = {f.state: f.message for f in book.lint() if f.file == name}
    assert f"edition {NEXT} notes" in found["outdated"]
    book.edit(name, "transition: keep_pinned", 'transition: keep_pinned\nmigrate_at: "2026-10-01T00:00:00Z"')
    assert any("its transition is keep_pinned" in f.message for f in book.lint() if f.file == name)


def test_two_amendments_of_one_edition_change_different_rules(book):
    amendment = draft(book, value())
    to_last_call(book, amendment, DAY)
    editing.enact_amendment(book.root, amendment, NEXT, DAY)
    text = (book.root / f"rules/amendments/{amendment}.yaml").read_text("utf-8")
    book.write(f"rules/amendments/{amendment}-2.yaml", text.replace(amendment, f"{amendment}-2"))
    assert any(f.state == "duplicate" and "TB-BAND-001" in f.message for f in book.lint())


def test_two_amendments_of_a_day_have_ids_of_their_own(book):
    assert [draft(book, value()), draft(book, value("0.60"))] == [f"AMD-{DAY}", f"AMD-{DAY}-2"]


def test_a_failed_enactment_leaves_nothing_behind(book):
    amendment = draft(book, value())
    to_last_call(book, amendment, DAY)
    before = _everything(book)
    with pytest.raises(FreezeError, match="no version"):
        editing.enact_amendment(book.root, amendment, "next", DAY)
    assert _everything(book) == before
    book.edit("rules/band/TB-BAND-001.yaml", "rev: 1", "# a remark\nrev: 1")
    before = _everything(book)
    with pytest.raises(editing.EditError, match="holds a comment"):
        editing.enact_amendment(book.root, amendment, NEXT, DAY)
    book.edit("rules/band/TB-BAND-002.yaml", "tier: core", "tier: heart")
    with pytest.raises(RegistryError, match="TB-BAND-002"):
        editing.enact_amendment(book.root, amendment, NEXT, DAY)
    book.edit("rules/band/TB-BAND-002.yaml", "tier: heart", "tier: core")
    assert _everything(book) == before


def _everything(book):
    return {path: path.read_bytes() for path in sorted(book.root.rglob("*")) if path.is_file()}


def test_after_launch_a_new_edition_needs_an_amendment_for_every_change(book):
    book.edit("protocol/manifest.json", '"launched_at": null', '"launched_at": "2026-08-01"')
    book.put(rule("TB-BAND-002", needs=["TB-BAND-001"], rev=2, text=TEXT))
    assert any("amend it" in f.fix for f in book.lint())
    with pytest.raises(FreezeError, match="no enacted amendment changes TB-BAND-002"):
        freeze(NEXT, DAY, book.root)
    book.put(rule("TB-BAND-002", needs=["TB-BAND-001"]))
    amendment = draft(book, {"rule": "TB-BAND-002", "change": "text", "text": TEXT}, class_="editorial")
    to_last_call(book, amendment, DAY)
    editing.enact_amendment(book.root, amendment, NEXT, DAY)
    assert Shelf(book.root / "protocol").current.rules["TB-BAND-002"].text == TEXT


BROKEN = {
    "has hash": ('edition_hash: "b3:', 'edition_hash: "b3:0', "0"),
    "precedes its enactment": ('effective: "2026-08-10"', 'effective: "2026-08-01"', ""),
    "yet enacted": ("status: enacted", "status: review", ""),
    "which is no rule": ("rule: TB-BAND-001", "rule: TB-BAND-077", ""),
    "has no parameter": ("parameter: short_min", "parameter: tall_min", ""),
    "is no decimal": ('value: "0.55"', "value: 55", ""),
    "is gone": ("path: protocol/editions/", "path: protocol/attic/", ""),
    "unknown field": ("status: enacted", "status: enacted\ncolour: red", ""),
    "is a required property": ("effective: ", "proposed_again: ", ""),
    "not named after its id": ("id: AMD-2026-08-10", "id: AMD-2026-08-11", ""),
    "the impact report is missing": ("report: No figure of the ledger moves.", "", ""),
}


@pytest.mark.parametrize("says", BROKEN)
def test_a_broken_amendment(book, says):
    amendment = draft(book, value())
    to_last_call(book, amendment, DAY)
    editing.enact_amendment(book.root, amendment, NEXT, DAY)
    name = f"rules/amendments/{amendment}.yaml"
    old, new, _ = BROKEN[says]
    text = (book.root / name).read_text("utf-8")
    if says == "has hash":
        start = text.index('edition_hash: "b3:') + len('edition_hash: "b3:')
        text = text[:start] + ("0" if text[start] != "0" else "1") + text[start + 1 :]
    elif says == "the impact report is missing":
        text = text.replace(
            "impact: {required: true, report: No figure of the ledger moves.}", "impact: {required: true}"
        )
    else:
        assert old in text, text
        text = text.replace(old, new, 1)
    book.write(name, text)
    found = [f for f in book.lint() if f.file == name]
    assert any(says in f.message for f in found), [f.text() for f in book.lint()]
    assert all(f.line >= 1 and f.fix for f in found)


def test_a_rule_names_what_brought_it(book):
    book.put(rule("TB-BAND-002", needs=["TB-BAND-001"], introduced_by="AMD-2020-01"))
    book.freeze()
    assert book.only().message == "introduced_by names AMD-2020-01, which is no amendment and no edition"


def test_dated_values_stay_on_record(book):
    dated = parameter("int", 1)
    book.put(rule("TB-BAND-002", needs=["TB-BAND-001"], parameters={"count": dated}))
    book.freeze()
    for number, version in ((2, NEXT), (3, "1.3.0-draft.3")):
        amendment = draft(book, value(number, "TB-BAND-002", "count"))
        to_last_call(book, amendment, f"2026-09-0{number}")
        editing.enact_amendment(book.root, amendment, version, DAY)
    text = (book.root / "rules/band/TB-BAND-002.yaml").read_text("utf-8")
    assert [text.count(f"value: {number}") for number in (1, 2, 3)] == [1, 1, 1]
    editions = Shelf(book.root / "protocol")
    assert [editions.get(one).params("TB-BAND-002")["count"] for one in editions.versions] == [1, 2, 3]
