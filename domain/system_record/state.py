"""The state of a System Record: one declared version of an agent system, frozen once it is declared."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...protocol import canonical
from ...protocol.envelope import Event
from ..streams import State, replace, stream_kind
from ..world import World

KIND = stream_kind("system")
LINEAGE = "systems_of_passport"
"""Private index: passport id -> its System Records, oldest first."""


@dataclass(frozen=True, kw_only=True)
class SystemRecord(State):
    """One version of an agent system.

    `base_models` are (name, version) pairs, verbatim.
    `stale_since` is the instant of the first material change recorded against this version; from then on no new
    attempt can be opened under it (TB-SYS-006).
    """

    passport: str
    agent_name: str
    system_version: str
    base_models: tuple[tuple[str, str], ...]
    harness_version: str
    autonomy_level: str
    operator: str
    operator_name: str
    start_date: str
    predecessor: str | None
    declared_at: str
    stale_since: str | None = None

    @property
    def parties(self) -> Mapping[str, str]:
        """The agent whose system this is, and its operator."""
        return {"agent": self.passport, "operator": self.operator}

    @property
    def declared(self) -> dict[str, Any]:
        """What the record declares, as plain JSON: exactly what `record_hash` covers."""
        return {
            "agent_name": self.agent_name,
            "autonomy_level": self.autonomy_level,
            "base_models": self.models_json,
            "harness_version": self.harness_version,
            "operator": self.operator,
            "operator_name": self.operator_name,
            "passport": self.passport,
            "start_date": self.start_date,
            "system": self.id,
            "system_version": self.system_version,
        }

    @property
    def models_json(self) -> list[dict[str, str]]:
        """The base models as events write them."""
        return [{"name": name, "version": version} for name, version in self.base_models]

    @property
    def record_hash(self) -> str:
        """`sha256:` of the canonical bytes of `declared`; a signed deal copies it (TB-SYS-009)."""
        return "sha256:" + hashlib.sha256(canonical.dumps(self.declared)).hexdigest()


@KIND.on("system_record.declared")
def _declared(state: None, event: Event) -> SystemRecord:
    data = event.data
    return SystemRecord(
        id=event.stream,
        passport=data["passport"],
        agent_name=data["agent_name"],
        system_version=data["system_version"],
        base_models=tuple((model["name"], model["version"]) for model in data["base_models"]),
        harness_version=data["harness_version"],
        autonomy_level=data["autonomy_level"],
        operator=data["operator"],
        operator_name=data["operator_name"],
        start_date=data["start_date"],
        predecessor=data["predecessor"],
        declared_at=event.at,
    )


@KIND.on("system_record.changed")
def _changed(state: SystemRecord, event: Event) -> SystemRecord:
    return replace(state, stale_since=state.stale_since or event.at)


def _index(state: SystemRecord | None) -> Iterable[tuple[str, str]]:
    return ((LINEAGE, state.passport),) if isinstance(state, SystemRecord) else ()


KIND.index = _index


def in_force(world: World, passport: str) -> SystemRecord | None:
    """The record of this Passport that new attempts link: the last one declared. None before the first."""
    records = world.related(LINEAGE, passport)
    return SystemRecord.of(world, records[-1]) if records else None
