"""Rules about Passports: open registration under a name of its own."""

from __future__ import annotations

from ...rules.evaluators import Judgement, guard, requires
from ..world import Case

NAME_SCOPE = "agent_name"
"""Private uniqueness scope: folded agent name -> Passport."""
VERSION_SCOPE = "system_version"
"""Private uniqueness scope: Passport and folded version label -> System Record."""

requires("TB-PASS-001", event="passport.issued")

_LABELS = {NAME_SCOPE: ("agent_name", "agent name"), VERSION_SCOPE: ("system_version", "version label of this agent")}


@guard("TB-CMD-008", on=("passport.issued", "system_record.declared"), private=True)
def name_is_free(case: Case) -> Judgement:
    """TB-CMD-008: an agent name is used once, and so is a version label within one Passport."""
    found = []
    for scope, value, owner in case.world.claims:
        holder = case.world.claimed(scope, value)
        if scope in _LABELS and holder not in (None, owner):
            field, label = _LABELS[scope]
            found.append(case.finding(field, f"this {label} is taken by {holder}", "choose another one"))
    return found
