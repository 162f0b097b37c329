"""Steps about System Records: declarations, material changes, and what a signed deal froze."""

from __future__ import annotations

from typing import Any

from pytest_bdd import given, parsers, then, when

from steps import folk
from steps.lives import Life, entropy
from tollbench.adapters.bench import Bench
from tollbench.domain.deal.commands import SignDeal
from tollbench.domain.rulebook.commands import RecordModelAlias
from tollbench.domain.rulebook.state import Rulebook
from tollbench.domain.system_record.commands import DeclaredModel, RecordConfigChange
from tollbench.domain.system_record.rules import attributed_models
from tollbench.domain.system_record.state import LINEAGE
from tollbench.protocol.edition import Shelf

PRIVATE_METHODS = ("prompts", "private_code", "chain_of_thought", "compute_costs", "private_methods")


def models(text: str) -> list[DeclaredModel]:
    """ "Granite 2026-06-01; Basalt" as models; the second has no version."""
    parts = [each.strip().partition(" ") for each in text.split(";")]
    return [DeclaredModel(name=name, version=version or None) for name, _, version in parts]


def latest(life: Life, name: str) -> Any:
    """The System Record of this agent that was declared last."""
    return life.bench.state(life.bench.related(LINEAGE, life.ids[name])[-1])


def declares(life: Life, name: str, **fields: Any) -> None:
    """Try to declare a system of this agent."""
    life.attempt(folk.declaration(life, name, **fields), folk.agent(life, name))


# -- declarations ------------------------------------------------------------------------------------------------------


@given(parsers.parse('"{name}" has declared version "{version}"'))
def has_declared(life: Life, name: str, version: str) -> None:
    folk.system(life, name, system_version=version)


@when(parsers.parse('"{name}" declares version "{version}"'))
def declares_version(life: Life, name: str, version: str) -> None:
    declares(life, name, system_version=version)


@when(parsers.parse('"{name}" declares version "{version}" with another harness'))
def declares_other_harness(life: Life, name: str, version: str) -> None:
    declares(life, name, system_version=version, harness_version="h-8")


@when(parsers.parse('"{name}" declares a system without its "{field}"'))
def declares_without(life: Life, name: str, field: str) -> None:
    declares(life, name, **{field: [] if field == "base_models" else None})


@when(parsers.parse('"{name}" declares a system whose harness version is blank'))
def declares_blank(life: Life, name: str) -> None:
    declares(life, name, harness_version="\u200b \u2800")


@when(parsers.parse('"{name}" declares a system of which nothing is told'))
def declares_nothing(life: Life, name: str) -> None:
    told = ("system_version", "harness_version", "autonomy_level", "start_date")
    declares(life, name, base_models=[], **dict.fromkeys(told))


@when(parsers.parse('"{name}" declares the models "{text}"'))
def declares_models(life: Life, name: str, text: str) -> None:
    declares(life, name, system_version="3.0", base_models=models(text))


@when(parsers.parse('"{name}" declares the autonomy level "{level}"'))
def declares_autonomy(life: Life, name: str, level: str) -> None:
    declares(life, name, autonomy_level=level)


@given(parsers.parse('an edition that requires "{first}" and "{second}" of a System Record'))
def demanding_edition(life: Life, first: str, second: str) -> None:
    shelf = Shelf()
    required = list(shelf.current.params("TB-SYS-002")["required_fields"])
    shelf.add(shelf.current.with_value("TB-SYS-002", "required_fields", [*required, first, second]))
    life.close()
    life.bench = Bench.open("memory:", clock=life.clock, entropy=entropy, editions=shelf)


@when(parsers.parse('"{name}" declares a system of "{other}"'))
def declares_for_other(life: Life, name: str, other: str) -> None:
    life.attempt(folk.declaration(life, other), folk.agent(life, name))


@when(parsers.parse('the operator of "{name}" declares its system'))
def operator_declares(life: Life, name: str) -> None:
    life.attempt(folk.declaration(life, name), folk.person(life, f"{name}'s operator"))


@when("the poster records that its harness changed")
def poster_records(life: Life) -> None:
    life.attempt(changed(life, "harness"), folk.poster_of(life, life.ids["the want"]))


@then(parsers.parse("{count:d} fields are found missing"))
def names_missing(life: Life, count: int) -> None:
    life.refused_by("TB-SYS-002")
    assert len({each.field for each in life.refused if each.rule == "TB-SYS-002"}) == count


@then(parsers.parse('the System Record of "{name}" names its agent and its operator'))
def record_names(life: Life, name: str) -> None:
    record = latest(life, name)
    assert (record.agent_name, record.operator_name) == (name, "Alder Works")
    assert record.operator == life.ids[f"{name}'s operator"]


@then("the System Record holds no private method")
def no_private_method(life: Life) -> None:
    assert not set(PRIVATE_METHODS) & set(life.last_event("system_record.declared").data)


@then(parsers.parse('version "{version}" follows "{before}" and differs in "{field}"'))
def lineage(life: Life, version: str, before: str, field: str) -> None:
    event = life.last_event("system_record.declared")
    assert event.data["system_version"] == version and event.data["changed"] == [field]
    assert life.bench.state(event.data["predecessor"]).system_version == before


# -- attempts ----------------------------------------------------------------------------------------------------------


def chosen_want(life: Life, name: str) -> None:
    """A new want on which the proposal of this agent is chosen: "the want" of the scenario."""
    life.ids["the want"] = folk.want(life)
    folk.chosen(life, life.ids["the want"], name)


@given(parsers.parse('a chosen proposal of "{name}", which has declared no system'))
def chosen_without_system(life: Life, name: str) -> None:
    chosen_want(life, name)


@given(parsers.parse('a chosen proposal of "{name}", which has declared version "{version}"'))
def chosen_with_system(life: Life, name: str, version: str) -> None:
    folk.system(life, name, system_version=version)
    chosen_want(life, name)


@given(parsers.parse('a signed deal of "{name}" under version "{version}"'))
def signed_under(life: Life, name: str, version: str) -> None:
    chosen_with_system(life, name, version)
    folk.signed_deal(life, life.ids["the want"], name)


@given(parsers.parse('"{name}" has proposed the deal'))
def has_proposed(life: Life, name: str) -> None:
    life.ids["the deal"] = folk.proposed_deal(life, life.ids["the want"], name)


@when("the person signs the deal")
def person_signs(life: Life) -> None:
    deal = life.ids["the deal"]
    life.attempt(SignDeal(deal=deal), folk.poster_of(life, life.ids["the want"]))


@when(parsers.parse('"{name}" proposes the deal and the person signs it'))
def proposes_and_signs(life: Life, name: str) -> None:
    has_proposed(life, name)
    person_signs(life)


@when(parsers.parse('"{name}" is chosen again and its next deal goes to signature'))
def next_deal(life: Life, name: str) -> None:
    chosen_want(life, name)
    proposes_and_signs(life, name)


def changed(life: Life, what: str) -> RecordConfigChange:
    """The change of the deal's system, by a word for what changed."""
    fields: dict[str, dict[str, Any]] = {
        "harness": {"harness_version": "h-8"},
        "base model": {"base_models": models("Basalt 3")},
        "autonomy": {"autonomy_level": "supervised"},
        "other capability": {"other": "a browser"},
    }
    return RecordConfigChange(deal=life.ids["the deal"], **fields[what])


@given(parsers.parse('"{name}" has recorded a change of its {what}'))
def has_changed(life: Life, name: str, what: str) -> None:
    life.do(changed(life, what), folk.agent(life, name))


@when(parsers.parse('"{name}" records that its harness is as declared'))
def unchanged(life: Life, name: str) -> None:
    life.attempt(RecordConfigChange(deal=life.ids["the deal"], harness_version="h-7"), folk.agent(life, name))


@when(parsers.parse('"{name}" records that it works with the models "{text}" now'))
def records_models(life: Life, name: str, text: str) -> None:
    life.attempt(RecordConfigChange(deal=life.ids["the deal"], base_models=models(text)), folk.agent(life, name))


@when(parsers.parse('"{name}" records that it works "{level}" now'))
def records_autonomy(life: Life, name: str, level: str) -> None:
    life.attempt(RecordConfigChange(deal=life.ids["the deal"], autonomy_level=level), folk.agent(life, name))


@when(parsers.re(r'"(?P<name>[^"]+)" records that its (?P<what>[a-z ]+) changed'))
def records_change(life: Life, name: str, what: str) -> None:
    life.attempt(changed(life, what), folk.agent(life, name))


@then(parsers.parse('the attempt and the record both carry a change of "{field}"'))
def both_changed(life: Life, field: str) -> None:
    events = [event for event in life.bench.events() if event.type == "system_record.changed"]
    deal = life.bench.state(life.ids["the deal"])
    assert {event.stream for event in events} == {deal.id, deal.system}
    assert all(event.data["changed"] == [field] for event in events)
    assert life.bench.state(deal.system).stale_since == events[0].at


@then(parsers.re(r'the signed deal (still )?carries version "(?P<version>[^"]+)" and the hash of its record'))
def deal_carries(life: Life, version: str) -> None:
    data = life.last_event("deal.signed").data
    record = life.bench.state(data["system"])
    assert data["system_version"] == record.system_version == version
    assert data["system_hash"] == record.record_hash
    assert life.bench.state(life.ids["the deal"]).system_version == version


@then(parsers.parse('the signed deal carries the base model "{model}"'))
def deal_carries_model(life: Life, model: str) -> None:
    models = life.last_event("deal.signed").data["base_models"]
    assert [f"{each['name']} {each['version']}" for each in models or ()] == [model]


@when(parsers.parse('"{declared}" is an alias of "{canonical}"'))
def alias(life: Life, declared: str, canonical: str) -> None:
    life.attempt(RecordModelAlias(declared=declared, canonical=canonical), folk.steward(life))


@then(parsers.parse('the attempt counts for "{model}"'))
def counts_for(life: Life, model: str) -> None:
    frozen = life.last_event("deal.signed").data["base_models"]
    rulebook = life.bench.state("rulebook")
    assert isinstance(rulebook, Rulebook)
    assert attributed_models(life.bench.law(), frozen, rulebook.aliases) == (model,)
