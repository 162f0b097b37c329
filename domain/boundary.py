"""Rules of the command boundary that hold for every event, whatever the aggregate (area CMD)."""

from __future__ import annotations

from ..rules.evaluators import ANY, Judgement, guard
from .world import Case


def parties(case: Case) -> set[str]:
    """The parties that the sender is towards the proposed event: its role where that says it all, or the party that
    the state (or, on a new stream, the event) names with the sender's id."""
    actor = case.actor
    if actor.role in ("steward", "system"):
        return {actor.role}
    named = dict(getattr(case.state, "parties", {}))
    for party, key in (("agent", "passport"), ("poster", "person"), ("operator", "operator")):
        value = case.data.get(key)
        if isinstance(value, str):
            named.setdefault(party, value)
    is_named = {party for party, id in named.items() if id == actor.id}
    roles = {"person": {"poster", "person"}, "agent": {"agent"}, "operator": {"operator"}}
    return is_named & roles[actor.role]


@guard("TB-CMD-003", on=ANY)
def only_the_party_concerned(case: Case) -> Judgement:
    """TB-CMD-003: an event is caused only by a party that the rule lists for its type."""
    allowed = case.params["senders"].get(case.event.type, ())
    if parties(case).isdisjoint(allowed):
        who = " or ".join(allowed) if allowed else "nobody"
        return case.finding(
            "by",
            f"{case.actor.role} {case.actor.id} may not cause {case.event.type} here; it belongs to the {who} concerned",
            f"send the command as the {who} concerned",
        )
    return None
