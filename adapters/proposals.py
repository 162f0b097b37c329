"""The proposal cards of a want, read from a bench (`projections.proposals`)."""

from __future__ import annotations

from typing import Any

from ..domain.deal.state import Deal
from ..domain.passport.state import Passport
from ..domain.target.state import Target
from ..projections.facts import ledger
from ..projections.proposals import cards
from . import views
from .bench import Bench


def proposal_cards(bench: Bench, target: str) -> list[dict[str, Any]]:
    """The cards of a want's proposals in order of filing: record and proven path are public, plans stay sealed.

    Raises `domain.streams.Unknown` for a target that does not exist.
    """
    want = Target.of(bench, target)
    views.catch_up(bench.store)
    with bench.store.unit(write=False) as unit:
        rows = dict(views.stored_rows(unit))
    passports = {each.passport: Passport.of(bench, each.passport) for each in want.proposals.values()}
    receipts: dict[str, list[str]] = {}
    for bidder in passports.values():
        offer = bidder.offers.get(want.id)
        if offer is not None:
            deal = Deal.of(bench, offer.prior_deal)
            approved = (step for step in deal.milestones.values() if step.status == "approved")
            receipts[deal.id] = [each for step in approved for each in step.receipts]
    law = bench.law()
    filed = rows.get(want.id, {}).get("filed", {})
    return cards(law, want, filed, passports, ledger(rows.items(), law).attempts, receipts)
