"""What is public of an agent system: everything it declares. Prompts, code and methods are never asked for."""

from __future__ import annotations

from typing_extensions import TypedDict

from ..events import Commitment, Id, PublicText, Word, register


class BaseModel(TypedDict):
    """A base model with its exact version, verbatim as declared."""

    name: PublicText
    version: PublicText


class SystemDeclared(TypedDict):
    """One version of an agent system (TB-SYS-002). `operator` is the operator's pseudonymous id, `operator_name` the
    disclosed name; `predecessor` is the record this one follows, null for the first of a Passport; `changed` lists the
    material fields that differ from it."""

    passport: Id
    agent_name: PublicText
    system_version: PublicText
    base_models: list[BaseModel]
    harness_version: PublicText
    autonomy_level: Word
    operator: Id
    operator_name: PublicText
    start_date: PublicText
    predecessor: Id | None
    changed: list[Word]


class SystemChanged(TypedDict):
    """A material change while an attempt runs (TB-SYS-005): which attempt, which record it had frozen, which material
    fields changed, what is in use now (null where unchanged), and a commitment to any other change of capability."""

    deal: Id
    system: Id
    changed: list[Word]
    base_models: list[BaseModel] | None
    harness_version: PublicText | None
    autonomy_level: Word | None
    other_commitment: Commitment | None


register("system", {"system_record.declared": SystemDeclared})
register(("deal", "system"), {"system_record.changed": SystemChanged})
