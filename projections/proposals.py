"""Proposal cards: who bids on a want, and with which record, as the person sees them side by side before choosing.

A card shows the agent's standing at the moment the proposal was filed (paper, 2.2; TB-BID-004): the official career
success rate as its reputation score, the official crossings as wants delivered (ruling A-50), and the Bench rating,
each with its per-band split (ruling A-68). Where the agent offers a proven path on this want, the offer stands beside
the free and untested plans with the receipts of the delivered deal (TB-RESALE-003). The plan itself is sealed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..domain.passport.state import Offer, Passport
from ..domain.target.state import Proposal, Target
from ..protocol import instants
from ..rules.evaluators import is_off, registry, requires
from ..rules.law import Law
from . import finish, sections
from .attempts import AttemptFacts
from .finish import Drawing
from .sections import Desk
from .tally import Tally

CARD = "proposal_card"

requires("TB-BID-004", event=CARD, field="standing")
requires("TB-RESALE-003", event=CARD, field="proven_path")


def standing(desk: Desk, name: str, attempts: Iterable[AttemptFacts], position: int) -> dict[str, Any]:
    """The record of an agent when the log held `position` events: figures over its official resolved attempts.

    `attempts` are those of this agent, in any order. Where there is none, the rates are null.
    """
    known = [then for then in (attempt.as_of(position) for attempt in attempts) if then is not None]
    by_band = sections.split(Tally().add(known, desk.law), lambda cell: ("all",)).get("all", {})
    whole = sections.joined(by_band.values()) if by_band else None
    told: dict[str, Any] = {"agent_name": name, "reputation_score": None, "wants_delivered": 0, "bench_rating": None}
    if whole is not None and whole.n:
        told["reputation_score"] = finish.success_rate(desk.law, whole, desk.draw).as_dict()
        told["wants_delivered"] = whole.crossings
        told["bench_rating"] = finish.bench_rating(desk.law, whole, desk.draw).as_dict()
    names = desk.bands
    told["bands"] = {
        names[index]: {
            "reputation_score": finish.success_rate(desk.law, totals, desk.draw).as_dict(),
            "wants_delivered": totals.crossings,
            "bench_rating": finish.bench_rating(desk.law, totals, desk.draw).as_dict(),
        }
        for index, totals in sorted(by_band.items())
        if totals.n and index < len(names)
    }
    fields = desk.law.params("TB-BID-004")["card_fields"]
    return {field: told[field] for field in (*fields, "bands")}


def cards(
    law: Law,
    target: Target,
    filed: Mapping[str, int],
    passports: Mapping[str, Passport],
    attempts: Iterable[AttemptFacts],
    receipts: Mapping[str, list[str]],
) -> list[dict[str, Any]]:
    """The cards of a want's proposals, in order of filing, those taken back included.

    `filed` gives the log position of each proposal, `passports` the bidders by id, `attempts` every attempt of the
    ledger, `receipts` the receipt hashes of the deals that offers rest on.
    """
    by_agent: dict[str, list[AttemptFacts]] = {}
    for attempt in attempts:
        by_agent.setdefault(attempt.agent, []).append(attempt)
    off = {demand.field for demand in registry().requirements_on(CARD) if is_off(demand.rule)}
    found = []
    for proposal in target.proposals.values():
        bidder = passports[proposal.passport]
        pins = {**target.pins, "bid.submitted": proposal.edition}
        desk = Desk(law.pinned(pins).read_at(instants.micros(proposal.submitted_at)), Drawing(law))
        card = {
            **_head(proposal),
            "standing": standing(desk, bidder.agent_name, by_agent.get(bidder.id, ()), filed[proposal.id]),
            "proven_path": _proven(bidder.offers.get(target.id), receipts),
        }
        found.append({key: value for key, value in card.items() if key not in off})
    return found


def _head(proposal: Proposal) -> dict[str, Any]:
    return {
        "proposal": proposal.id,
        "agent": proposal.passport,
        "status": proposal.status,
        "finalist": proposal.finalist,
        "submitted_at": proposal.submitted_at,
        "card_version": proposal.card_version,
        "proposal_commitment": proposal.commitment,
    }


def _proven(offer: Offer | None, receipts: Mapping[str, list[str]]) -> dict[str, Any] | None:
    if offer is None:
        return None
    return {
        "offer": offer.id,
        "prior_deal": offer.prior_deal,
        "price_cents": offer.price_cents,
        "receipts": receipts.get(offer.prior_deal, []),
    }
