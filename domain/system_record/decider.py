"""What declarations of systems, and of changes to them, cause."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..commands import handles
from ..deal.state import Deal
from ..names import fold
from ..passport.rules import VERSION_SCOPE
from ..passport.state import Passport
from ..world import Proposed, World
from .commands import DeclaredModel, DeclareSystem, RecordConfigChange
from .rules import material_changes
from .state import SystemRecord, in_force


@handles(DeclareSystem)
def declare_system(cmd: DeclareSystem, world: World) -> Iterator[Proposed]:
    """Declare a version; it follows the record in force and takes its place for every later deal."""
    passport = Passport.of(world, cmd.passport)
    before = in_force(world, passport.id)
    system = world.new_id("system")
    if cmd.system_version is not None:
        world.claim(VERSION_SCOPE, f"{passport.id}/{fold(cmd.system_version)}", system)
    data: dict[str, Any] = {
        "passport": passport.id,
        "agent_name": passport.agent_name,
        "system_version": cmd.system_version,
        "base_models": _models(cmd.base_models),
        "harness_version": cmd.harness_version,
        "autonomy_level": cmd.autonomy_level,
        "operator": passport.operator,
        "operator_name": passport.operator_name,
        "start_date": cmd.start_date,
        "predecessor": None if before is None else before.id,
    }
    data["changed"] = [] if before is None else material_changes(world.law, before.declared, data)
    yield Proposed(system, "system_record.declared", data)


@handles(RecordConfigChange)
def record_config_change(cmd: RecordConfigChange, world: World) -> Iterator[Proposed]:
    """Record the change on the attempt, whose frozen record stays; close that record to new attempts."""
    deal = Deal.of(world, cmd.deal)
    record = SystemRecord.of(world, deal.system or "")
    now = {
        "base_models": None if cmd.base_models is None else _models(cmd.base_models),
        "harness_version": cmd.harness_version,
        "autonomy_level": cmd.autonomy_level,
    }
    changed = material_changes(world.law, record.declared, {k: v for k, v in now.items() if v is not None})
    if cmd.other is not None:
        changed = [*changed, "other_material_capability"]
    # What the other capability is stays private: methods are never demanded (TB-SYS-004).
    other = (
        None
        if cmd.other is None
        else world.commit(
            "config_change", {"other": cmd.other}, subject=deal.id, readers=(deal.passport, deal.person, "steward")
        )
    )
    data = {"deal": deal.id, "system": record.id, "changed": changed, **now, "other_commitment": other}
    yield Proposed(deal.id, "system_record.changed", data)
    yield Proposed(record.id, "system_record.changed", data)


def _models(models: Sequence[DeclaredModel]) -> list[dict[str, str | None]]:
    return [{"name": model.name, "version": model.version} for model in models]
