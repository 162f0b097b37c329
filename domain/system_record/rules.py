"""Rules about System Records: what one declares, when it may open an attempt, and whom a result is attributed to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...rules.evaluators import Judgement, computes, guard, requires
from ..names import stated
from ..world import Case
from .state import SystemRecord, in_force


@computes("TB-SYS-004", neutral=lambda fields: tuple(fields))
def demandable(params: Mapping[str, Any], fields: Iterable[str]) -> tuple[str, ...]:
    """TB-SYS-004: whatever a rule lists as required, private methods are never demanded."""
    return tuple(field for field in fields if field not in params["never_required"])


@guard("TB-SYS-002", on=("system_record.declared", "system_record.changed"))
def record_is_complete(case: Case) -> Judgement:
    """TB-SYS-002: the record names every required field, and at least one base model with its exact version.

    A recorded change names the models in use as exactly.
    """
    models, found = case.data["base_models"], []
    if case.event.type == "system_record.declared":
        found = [
            case.finding(field, f"the System Record does not name its {field}", f"declare the {field}")
            for field in demandable(case.law, case.params["required_fields"])
            if field != "base_models" and not stated(case.data.get(field))
        ]
    if models is not None and len(models) < case.params["min_base_models"]:
        found.append(case.finding("base_models", "no base model is declared", "declare the base model or models"))
    found.extend(
        case.finding(
            f"base_models.{place}.version",
            f"{model['name']} has no exact version",
            "give the exact version of the model",
        )
        for place, model in enumerate(models or ())
        if not stated(model["version"])
    )
    return found


@guard("TB-SYS-003", on=("system_record.declared", "system_record.changed"))
def autonomy_is_known(case: Case) -> Judgement:
    """TB-SYS-003: autonomous, supervised or human-operated."""
    level, levels = case.data["autonomy_level"], case.params["autonomy_levels"]
    if level is not None and level not in levels:
        return case.finding(
            "autonomy_level", f"there is no autonomy level {level}", f"declare one of {', '.join(levels)}"
        )
    return None


@guard("TB-SYS-005", on="system_record.changed")
def change_is_material(case: Case) -> Judgement:
    """TB-SYS-005: what is recorded on the attempt is a change of model, harness, autonomy or material capability."""
    if not set(case.data["changed"]) & set(case.params["material_fields"]):
        return case.finding("deal", "nothing material changed", "name what differs from the record frozen at signing")
    return None


def material_changes(law: Any, before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """The material fields (TB-SYS-005) given in `now` whose value differs from the record."""
    fields = law.params("TB-SYS-005")["material_fields"]
    return [field for field in fields if field in now and now[field] != before.get(field)]


@guard("TB-SYS-001", on="deal.signed")
def attempt_has_a_record(case: Case) -> Judgement:
    """TB-SYS-001: an attempt starts only on a declared system of the agent that signs."""
    record = case.world.state(case.data["system"]) if case.data["system"] else None
    if not isinstance(record, SystemRecord) or record.passport != case.data["passport"]:
        return case.finding(
            "system", "no System Record of this agent stands behind the deal", "declare the system that will attempt it"
        )
    return None


@guard("TB-SYS-006", on="deal.signed")
def version_is_fresh(case: Case) -> Judgement:
    """TB-SYS-006: after a material change the next attempt opens under a new version."""
    record = case.world.state(case.data["system"]) if case.data["system"] else None
    if isinstance(record, SystemRecord) and record.stale_since is not None:
        return case.finding(
            "system",
            f"version {record.system_version} changed materially at {record.stale_since}",
            "declare the changed system as a new version and propose the deal with it",
        )
    return None


requires("TB-SYS-008", event="deal.signed", field="base_models")


@guard("TB-SYS-009", on="deal.signed")
def record_is_in_force(case: Case) -> Judgement:
    """TB-SYS-009: the attempt links the record in force at signing, copied as it stands and never changed again."""
    data = case.data
    record = case.world.state(data["system"]) if data["system"] else None
    if not isinstance(record, SystemRecord):
        return None
    active = in_force(case.world, record.passport)
    if active is not None and active.id != record.id:
        return case.finding(
            "system",
            f"version {record.system_version} was succeeded by {active.system_version}",
            "propose the deal with the version in force",
        )
    if data["system_hash"] != record.record_hash:
        return case.finding("system", "the deal does not carry the record as declared", "copy the record unchanged")
    return None


@computes("TB-MODEL-003", neutral=())
def attributed_models(
    params: Mapping[str, Any], base_models: Sequence[Mapping[str, str]], aliases: Mapping[str, str]
) -> tuple[str, ...]:
    """TB-MODEL-003: the base models that a result counts for, in order and once each.

    `base_models` are those frozen at signing, never later ones. Each declared string "name version" stands for the
    canonical id that the ledgered alias table gives it, or else for itself (ruling A-57).
    """
    declared = (declared_model(model["name"], model["version"]) for model in base_models)
    return tuple(dict.fromkeys(aliases.get(text, text) for text in declared))


def declared_model(name: str, version: str) -> str:
    """A base model as one string, the way the alias table is keyed."""
    return f"{name} {version}"
