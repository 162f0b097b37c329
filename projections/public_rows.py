"""The public row of one attempt: its quantities, states and strata, and the evidence behind them.

Nothing on a row names a person. Every row lists the log positions of the events it was read from, so that a reader can
look each of them up and prove it.
"""

from __future__ import annotations

from typing import Any

from ..domain.target.odds import band_index
from ..protocol import instants
from ..rules.evaluators import is_off
from .attempts import BASIS, UNKNOWN, AttemptFacts
from .finish import adherence
from .measures import landing
from .quantities import shown_days
from .sections import Desk


def row(desk: Desk, facts: AttemptFacts) -> dict[str, Any]:
    """One attempt as the board shows it. Instants are UTC text, times whole seconds, money cents."""
    law = desk.law.pinned({**desk.law.pins, **dict(facts.editions)}).read_at(facts.resolved_at)
    index = band_index(law, facts.p_bp)
    resolved = facts.resolved_at
    week = None if resolved is None else desk.windows.week(landing(desk.law, facts.signed_at, resolved))
    return {
        "deal": facts.deal,
        "target": facts.target,
        **({"poster": facts.poster} if is_off("TB-PRIV-006") else {}),
        "origin": facts.origin,
        "agent": facts.agent,
        "agent_name": facts.agent_name,
        "system_version": facts.system_version,
        "models": list(facts.models),
        "declared_models": list(facts.declared_models or facts.models),
        "shared_models": facts.shared,
        "changed_system": facts.changed_system,
        "band": desk.bands[index] if index < len(desk.bands) else "unbanded",
        "p": exact_p(facts.p_bp),
        "o": facts.o,
        "end": facts.end,
        "integrity": facts.integrity,
        "under_review": facts.under_review,
        "k": facts.k,
        "m": facts.m,
        "time": None if resolved is None else facts.t_seconds,
        "agent_days": None if resolved is None else shown_days(law, facts.t_seconds),
        "elapsed": None if resolved is None else known(facts.elapsed_seconds),
        "cost_cents": facts.c_cents,
        "total_cents": facts.b_cents,
        "ceiling_cents": facts.ceiling_cents,
        "adherence": _adherence(desk, facts),
        "timeline_seconds": facts.d_seconds,
        "deadline": _at(facts.deadline),
        "on_time": None if resolved is None else known(facts.on_time),
        "outside_subsidy": facts.subsidy,
        "standard": facts.standard,
        "free_mark": facts.standard == "free",
        "verification": {"at_posting": facts.verification_at_posting, "now": facts.verified_now},
        "budget_tier": facts.tier,
        "category": facts.category,
        "delivery_setting": facts.delivery,
        "handoffs": facts.handoffs,
        "profile": facts.profile,
        "week": week,
        "signed_at": _at(facts.signed_at),
        "resolved_at": _at(resolved),
        "editions": dict(facts.editions),
        "evidence": {"tiers": tiers(desk, facts), "events": list(facts.evidence)},
    }


def known(value: int) -> int | None:
    """A recorded number, None where the source has none."""
    return None if value == UNKNOWN else value


def exact_p(p_bp: int) -> str:
    """The frozen probability as a decimal string with at least two decimals."""
    whole, part = divmod(p_bp, BASIS)
    digits = f"{part:04d}".rstrip("0")
    return f"{whole}.{digits:0<2}"


def tiers(desk: Desk, facts: AttemptFacts) -> dict[str, Any]:
    """What is recorded in each evidence tier: paid rows carry three tiers, free rows the second and third (A-43)."""
    missing = desk.law.params("TB-EVID-002")["without_rating"]
    found = {
        "approval_with_receipt": "recorded" if facts.receipted else missing,
        "satisfaction": missing if facts.satisfaction is None else facts.satisfaction,
    }
    if facts.standard == "free":
        return found
    return {"settled_payment": "recorded" if facts.settled else missing, **found}


def _adherence(desk: Desk, facts: AttemptFacts) -> str | None:
    if not facts.b_cents:
        return None if is_off("TB-COST-011") else "not applicable"
    return adherence(desk.law, facts.c_cents, facts.b_cents)


def _at(micros: int | None) -> str | None:
    return None if micros is None or micros == UNKNOWN else instants.text(instants.from_micros(micros))

