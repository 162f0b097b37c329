"""Steps about odds, bands, campaigns, and the anchors of the rulebook."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise
from typing import Any

from pytest_bdd import given, parsers, then, when

from steps import folk, wants
from steps.lives import Life
from steps.wants import THE_WANT, target
from tollbench.domain.commands import Actor
from tollbench.domain.rulebook.commands import CorrectAnchor, EnactEdition, RecordModelAlias
from tollbench.domain.target import odds
from tollbench.domain.target.commands import AssignBand, PostTarget
from tollbench.protocol import instants


def dials_of(written: str) -> list[str]:
    """The dials that a scenario lists, separated by commas; none for "none"."""
    return [] if written == "none" else [dial.strip() for dial in written.split(",")]


def band_of(life: Life, name: str = THE_WANT) -> str:
    """The band of a want, from the public ledger."""
    found = odds.bands_of(life.bench.law(), life.bench.events())
    return str(found.get(life.ids[name]))


def stage(life: Life, name: str, after: str, **fields: Any) -> None:
    """Post another want of this person as the stage after the one of that name."""
    wants.reviewed(life, name)
    told = {"reference_class": "proven_path", "after": life.ids[after]} | fields
    life.attempt(PostTarget(target=life.ids[THE_WANT], **told), folk.steward(life))


# -- given -------------------------------------------------------------------------------------------------------------


@given(parsers.parse('a posted want of "{name}" in the class "{reference_class}" with the dials {dials}'))
def posted_with(life: Life, name: str, reference_class: str, dials: str) -> None:
    wants.posted(life, name, {"reference_class": reference_class, "dials": dials_of(dials)})


@given(parsers.parse('the anchor of "{reference_class}" was corrected to {to}'))
def was_corrected(life: Life, reference_class: str, to: str) -> None:
    life.do(CorrectAnchor(reference_class=reference_class, to=to), folk.steward(life))


@given(parsers.parse('it is kept as "{name}"'))
def kept(life: Life, name: str) -> None:
    life.ids[name] = life.ids[THE_WANT]


# -- when --------------------------------------------------------------------------------------------------------------


@when(parsers.parse('a steward posts the want in the class "{reference_class}" with the dials {dials}'))
def posts_with(life: Life, reference_class: str, dials: str) -> None:
    told = wants.posting(life, reference_class=reference_class, dials=dials_of(dials))
    life.attempt(told, folk.steward(life))


@when(parsers.parse('a steward posts the want in the class "{reference_class}" stating p as {p}'))
def posts_stating(life: Life, reference_class: str, p: str) -> None:
    life.attempt(wants.posting(life, reference_class=reference_class, p=p), folk.steward(life))


@when("a steward posts the want without a reference class")
def posts_without_class(life: Life) -> None:
    life.attempt(wants.posting(life, reference_class=None), folk.steward(life))


@when(parsers.parse('a steward assigns the want the band "{band}"'))
def assigns(life: Life, band: str) -> None:
    life.attempt(AssignBand(target=life.ids[THE_WANT], band=band), folk.steward(life))


@when(parsers.parse('a steward corrects the anchor of "{reference_class}" to {to}'))
def corrects(life: Life, reference_class: str, to: str) -> None:
    life.attempt(CorrectAnchor(reference_class=reference_class, to=to), folk.steward(life))


@when(parsers.parse('"{name}" corrects the anchor of "{reference_class}" to {to}'))
def somebody_corrects(life: Life, name: str, reference_class: str, to: str) -> None:
    life.attempt(CorrectAnchor(reference_class=reference_class, to=to), folk.person(life, name))


@when(parsers.parse('another want of "{name}" is posted in the class "{reference_class}" with the dials {dials}'))
def another_posted(life: Life, name: str, reference_class: str, dials: str) -> None:
    wants.posted(life, name, {"reference_class": reference_class, "dials": dials_of(dials)})


@when(parsers.parse('another want of "{name}" is posted as the stage after "{after}" in the class "{reference_class}"'))
def stage_posted(life: Life, name: str, after: str, reference_class: str) -> None:
    stage(life, name, after, reference_class=reference_class)


@when("the want is posted as the stage after itself")
def stage_after_itself(life: Life) -> None:
    life.attempt(wants.posting(life, after=life.ids[THE_WANT]), folk.steward(life))


@when(parsers.parse('a steward records that "{declared}" is the model "{canonical}"'))
def records_alias(life: Life, declared: str, canonical: str) -> None:
    life.attempt(RecordModelAlias(declared=declared, canonical=canonical), folk.steward(life))


@given(parsers.parse('a steward recorded that "{declared}" is the model "{canonical}"'))
def recorded_alias(life: Life, declared: str, canonical: str) -> None:
    life.do(RecordModelAlias(declared=declared, canonical=canonical), folk.steward(life))


@when(parsers.parse("a steward enacts {which}"))
def enacts(life: Life, which: str) -> None:
    edition = life.bench.editions.current
    told: dict[str, Any] = {"version": edition.version, "hash": edition.hash}
    if which == "the edition of the genesis again":
        pass
    elif which == "an edition under another hash":
        told["hash"] = "b3:" + "0" * 64
    elif which == "an edition nobody published":
        told["version"] = "9.9.9"
    else:
        assert which == "an edition for the past"
        told["effective"] = instants.text(life.clock.now.replace(year=2020))
    life.attempt(EnactEdition(**told), folk.steward(life))


# -- then --------------------------------------------------------------------------------------------------------------


@then(parsers.parse("p is {p}"))
def p_is(life: Life, p: str) -> None:
    assert life.done is not None, "; ".join(map(str, life.refused))
    assert life.last_event("target.posted").data["p"] == p
    assert target(life).p == Decimal(p)


@then(parsers.parse('p of "{name}" is still {p}'))
def p_of(life: Life, name: str, p: str) -> None:
    assert life.bench.state(life.ids[name]).p == Decimal(p)


@then(parsers.parse("the ledger keeps the nominal sum {nominal} beside p {p}"))
def nominal(life: Life, nominal: str, p: str) -> None:
    data = life.last_event("target.odds.frozen").data
    assert (data["nominal"], data["p"]) == (nominal, p)


@then("p can be rebuilt from the anchor and the steps on the ledger")
def rebuilt(life: Life) -> None:
    data = life.last_event("target.odds.frozen").data
    total = Decimal(data["anchor"]) + sum(Decimal(dial["step"]) for dial in data["dials"])
    assert total == Decimal(data["nominal"]) == Decimal(data["p"])
    assert len(data["dials"]) == 2


@then(parsers.parse("the step of {dial} on the ledger is {step}"))
def step_is(life: Life, dial: str, step: str) -> None:
    steps = {each["id"]: each["step"] for each in life.last_event("target.odds.frozen").data["dials"]}
    assert steps == {dial: step}


@then(parsers.parse("the odds start from the anchor {anchor}"))
def anchor_is(life: Life, anchor: str) -> None:
    assert life.done is not None, "; ".join(map(str, life.refused))
    assert life.last_event("target.odds.frozen").data["anchor"] == anchor


@then(parsers.parse("every attempt on the want is scored against p {p}"))
def one_p(life: Life, p: str) -> None:
    frozen = [event for event in life.bench.events() if event.type == "target.odds.frozen"]
    assert [event.data["p"] for event in frozen if event.stream == life.ids[THE_WANT]] == [p]


@then(parsers.parse('the want is in the band "{band}"'))
def in_band(life: Life, band: str) -> None:
    assert life.done is not None, "; ".join(map(str, life.refused))
    assert band in life.bench.law().params("TB-BAND-001")["bands"]
    assert band_of(life) == band == odds.band(life.bench.law(), target(life).p)


@then(parsers.parse('"{name}" is in the band "{band}"'))
def named_in_band(life: Life, name: str, band: str) -> None:
    assert band_of(life, name) == band


@then("a reader of the ledger alone finds the band of every want on it")
def bands_from_ledger(life: Life) -> None:
    law = life.bench.law()
    found = odds.bands_of(law, life.bench.events())
    expected = {event.stream for event in life.bench.events() if event.type == "target.posted"}
    assert set(found) == expected and len(expected) == 3
    assert sorted(found.values(), key=odds.bands(law).index) == list(odds.bands(law))


@then("the equation puts each hundredth of the rubric into one of three bands")
def every_hundredth(life: Life) -> None:
    law = life.bench.law()
    names = odds.bands(law)
    bounds = law.params("TB-ODDS-010")
    found = {}
    for hundredths in range(int(bounds["p_min"] * 100), int(bounds["p_max"] * 100) + 1):
        found.setdefault(odds.band(law, Decimal(hundredths) / 100), []).append(hundredths)
    assert len(names) == 3 and set(found) == set(names)
    assert [list(range(each[0], each[-1] + 1)) for each in found.values()] == list(found.values())


@then(parsers.parse('p {p} is in the band "{band}"'))
def band_of_p(life: Life, p: str, band: str) -> None:
    assert odds.band(life.bench.law(), Decimal(p)) == band


@then(parsers.parse("{count:d} anchor changes are on the ledger"))
def anchor_changes(life: Life, count: int) -> None:
    assert life.types().count("odds.anchor.changed") == count


@then(parsers.parse('the ledger says that the anchor of "{reference_class}" went from {old} to {new}'))
def anchor_went(life: Life, reference_class: str, old: str, new: str) -> None:
    event = life.last_event("odds.anchor.changed")
    assert event.data == {"class": reference_class, "from": old, "to": new}


@then(parsers.parse('the want is stage {number:d} of the campaign that began with "{root}", after "{after}"'))
def stage_is(life: Life, number: int, root: str, after: str) -> None:
    data = life.last_event("campaign.stage.linked").data
    assert data == {"root": life.ids[root], "stage": number, "after": life.ids[after]}
    assert target(life).campaign == (life.ids[root], number)
    assert life.last_event("target.posted").data["campaign"] == data


@then("the edition of the genesis is in force")
def genesis_in_force(life: Life) -> None:
    enacted = [event for event in life.bench.events() if event.type == "rulebook.edition.enacted"]
    assert enacted[0].actor == {"role": "system", "id": Actor.system().id}
    assert enacted[0].data["version"] == life.bench.law().current.version


@given("the steward's rubric")
def the_rubric(life: Life) -> None:
    assert odds.reference_classes(life.bench.law())


@given(parsers.parse('another want of "{name}" was posted after "{after}"'))
def was_staged(life: Life, name: str, after: str) -> None:
    stage(life, name, after)
    assert life.done is not None, "; ".join(map(str, life.refused))


@given(parsers.parse('another want of "{name}" was posted after "{after}" and withdrawn'))
def was_staged_and_withdrawn(life: Life, name: str, after: str) -> None:
    was_staged(life, name, after)
    wants.withdrew(life)


@given(parsers.parse('a want of "{name}" in the class "{reference_class}" was posted as the stage after "{after}"'))
def was_staged_in(life: Life, name: str, reference_class: str, after: str) -> None:
    stage(life, name, after, reference_class=reference_class)
    assert life.done is not None, "; ".join(map(str, life.refused))


@given(parsers.parse('"{agent}" attempted it and the poster ended the deal'))
def attempted(life: Life, agent: str) -> None:
    wants.signed(life, agent)
    wants.ended(life)


@then(parsers.parse('the board has one row for each of "{one}", "{two}" and "{three}", in three bands'))
def three_rows(life: Life, one: str, two: str, three: str) -> None:
    rows = [(row["target"], row["band"]) for row in life.bench.board()["attempts"]]
    bands = zip((one, two, three), ("moonshot", "long", "short"), strict=True)
    assert sorted(rows) == sorted((life.ids[name], band) for name, band in bands)


@when("the rubric is read")
def rubric(life: Life) -> None:
    life.things["rubric"] = [life.bench.law().params(f"TB-ODDS-0{number}") for number in (13, 12, 11)]


@then("its ranges tile the odds from the least to the greatest p")
def tiles(life: Life) -> None:
    law = life.bench.law()
    bounds, bands = law.params("TB-ODDS-010"), law.params("TB-BAND-002")
    edges = [bounds["p_min"], bands["long_min"], bands["short_min"], bounds["p_max"]]
    rows = life.things["rubric"]
    assert [(row["range_low"], row["range_high"]) for row in rows] == list(pairwise(edges))
    assert [row["range_high_inclusive"] for row in rows] == [False, False, True], "the upper band has the boundary"
