"""What commands about the money of a deal, and about what is recorded on it, cause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..commands import handles
from ..world import Proposed, World
from .commands import (
    DeclareSubsidy,
    FundEscrow,
    RecordEngineRevenue,
    RecordInterimOutcome,
    RecordSatisfaction,
    ReleaseEscrow,
    ReverseRelease,
    SettlePayment,
)
from .integrity import settle_integrity
from .private import committed
from .state import Deal


@handles(FundEscrow)
def fund_escrow(cmd: FundEscrow, world: World) -> Iterator[Proposed]:
    """The person's money goes into escrow."""
    deal = Deal.of(world, cmd.deal)
    yield Proposed(deal.id, "escrow.funded", {"amount_cents": cmd.amount_cents})


@handles(ReleaseEscrow)
def release_escrow(cmd: ReleaseEscrow, world: World) -> Iterator[Proposed]:
    """Approvals alone release money."""
    deal = Deal.of(world, cmd.deal)
    yield Proposed(deal.id, "escrow.released", {"amount_cents": cmd.amount_cents, "cause": cmd.release})


@handles(SettlePayment)
def settle_payment(cmd: SettlePayment, world: World) -> Iterator[Proposed]:
    """Payment cleared, which may be what a delivered paid attempt was waiting for."""
    deal = Deal.of(world, cmd.deal)
    yield Proposed(deal.id, "payment.settled", {"amount_cents": cmd.amount_cents, "rail": cmd.rail})
    yield from settle_integrity(world, deal.id)


@handles(ReverseRelease)
def reverse_release(cmd: ReverseRelease, world: World) -> Iterator[Proposed]:
    """A release went back: cost falls, and a delivered paid attempt may lose its integrity."""
    deal = Deal.of(world, cmd.deal)
    data = {"amount_cents": cmd.amount_cents, "release": cmd.release, "kind": cmd.kind}
    yield Proposed(deal.id, "escrow.reversed", data)
    yield from settle_integrity(world, deal.id)


@handles(DeclareSubsidy)
def declare_subsidy(cmd: DeclareSubsidy, world: World) -> Iterator[Proposed]:
    """State the indicator x; the last statement counts."""
    deal = Deal.of(world, cmd.deal)
    data = {"contributed": cmd.contributed, "own_spending_cents": cmd.own_spending_cents}
    yield Proposed(deal.id, "deal.subsidy.declared", data)


@handles(RecordEngineRevenue)
def record_engine_revenue(cmd: RecordEngineRevenue, world: World) -> Iterator[Proposed]:
    """Book what an engine earned as funding."""
    deal = Deal.of(world, cmd.deal)
    yield Proposed(deal.id, "deal.engine_revenue.recorded", {"amount_cents": cmd.amount_cents})


@handles(RecordSatisfaction)
def record_satisfaction(cmd: RecordSatisfaction, world: World) -> Iterator[Proposed]:
    """The number is public, the words are not."""
    deal = Deal.of(world, cmd.deal)
    data = {"score": cmd.score, **committed(world, deal, "words", cmd.words)}
    yield Proposed(deal.id, "deal.satisfaction.recorded", data)


@handles(RecordInterimOutcome)
def record_interim_outcome(cmd: RecordInterimOutcome, world: World) -> Iterator[Proposed]:
    """An outcome on the way is recorded as it lands; it resolves nothing."""
    deal = Deal.of(world, cmd.deal)
    data: dict[str, Any] = committed(world, deal, "outcome", cmd.what)
    if cmd.sha256 is not None:
        data["sha256"] = cmd.sha256
    yield Proposed(deal.id, "deal.interim_outcome.recorded", data)
