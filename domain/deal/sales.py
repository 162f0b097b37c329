"""External sales of a venture that an agent built on a deal: the link, the split, promotion, sales, breach.

Source: paper, section 4 (External sales). The agent registers the platform's payment link with a split, the person
agrees to it, and from then on every governed sale runs through the link, long after the target itself is resolved.
Shutting the link off after a House promoted the venture is a public breach.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from ...protocol.envelope import Event
from ...rules.evaluators import Judgement, computes, guard
from ..commands import Command, DealId, Private, handles
from ..events import Cents, Commitment, Id, register
from ..streams import replace
from ..world import Case, Proposed, World
from .state import KIND, Deal
from .venture import BASIS, Venture, split

BasisPoints = Annotated[int, Field(ge=0, le=BASIS)]
"""A share in basis points, 0 to 10000."""
LinkId = Annotated[str, StringConstraints(pattern=r"^link-[0-9a-f-]{36}$")]


class LinkRegistered(TypedDict):
    """The platform's payment link for the venture, with the split it executes; the address is committed."""

    link: Id
    person_bp: BasisPoints
    link_commitment: Commitment


class LinkNamed(TypedDict):
    """The payment link concerned."""

    link: Id


class SaleRecorded(TypedDict):
    """A governed sale and how it was split, to the cent. `link` is null for a sale beside the link."""

    link: Id | None
    gross_cents: Cents
    person_cents: Cents
    agent_cents: Cents


register(
    "deal",
    {
        "payment_link.registered": LinkRegistered,
        "payment_link.agreed": LinkNamed,
        "payment_link.disabled": LinkNamed,
        "venture.promoted": LinkNamed,
        "external_sale.recorded": SaleRecorded,
    },
)


def _venture(state: Deal, **changes: Any) -> Deal:
    return state if state.venture is None else replace(state, venture=replace(state.venture, **changes))


@KIND.on("payment_link.registered")
def _registered(state: Deal, event: Event) -> Deal:
    return replace(state, venture=Venture(event.data["link"], event.data["person_bp"]))


@KIND.on("payment_link.agreed")
def _agreed(state: Deal, event: Event) -> Deal:
    return _venture(state, agreed=True)


@KIND.on("payment_link.disabled")
def _disabled(state: Deal, event: Event) -> Deal:
    return _venture(state, disabled=True)


@KIND.on("venture.promoted")
def _promoted(state: Deal, event: Event) -> Deal:
    return _venture(state, promoted=True)


@KIND.on("external_sale.recorded")
def _sold(state: Deal, event: Event) -> Deal:
    venture, data = state.venture, event.data
    if venture is None:
        return state
    return _venture(
        state,
        sales=venture.sales + 1,
        gross_cents=venture.gross_cents + data["gross_cents"],
        person_cents=venture.person_cents + data["person_cents"],
        agent_cents=venture.agent_cents + data["agent_cents"],
    )


class RegisterPaymentLink(Command):
    """Register the payment link for a venture, with the person's share in basis points (sent by its agent)."""

    deal: DealId
    person_bp: BasisPoints
    address: Private


class AgreeSplit(Command):
    """Agree to the split of the registered link (sent by the person)."""

    deal: DealId
    link: LinkId


class PromoteVenture(Command):
    """Promote the venture under its link (sent by the person, the House of the paper)."""

    deal: DealId
    link: LinkId


class RecordExternalSale(Command):
    """Record a sale of the venture to the outside world (sent by the system's checkout, the agent or its operator)."""

    deal: DealId
    gross_cents: Annotated[Cents, Field(ge=1)]
    link: LinkId | None = None


class DisablePaymentLink(Command):
    """Shut the payment link off (sent by the agent). After a promotion this is a public breach."""

    deal: DealId
    link: LinkId


def _has_link(world: World, deal: Deal, link: str) -> bool:
    if deal.venture is not None and deal.venture.link == link:
        return True
    world.lacks("link", f"{deal.id} has no payment link {link}", "name the link that is registered on this deal")
    return False


@handles(RegisterPaymentLink)
def register_payment_link(cmd: RegisterPaymentLink, world: World) -> Iterator[Proposed]:
    """Register a link; a later one replaces it and needs the person's agreement anew."""
    deal = Deal.of(world, cmd.deal)
    address = world.commit("payment_link", {"address": cmd.address}, subject=deal.id, readers=deal.readers)
    data = {"link": world.new_id("link"), "person_bp": cmd.person_bp, "link_commitment": address}
    yield Proposed(deal.id, "payment_link.registered", data)


@handles(AgreeSplit)
def agree_split(cmd: AgreeSplit, world: World) -> Iterator[Proposed]:
    """The person's agreement; a repeat changes nothing."""
    deal = Deal.of(world, cmd.deal)
    if _has_link(world, deal, cmd.link) and deal.venture is not None and not deal.venture.agreed:
        yield Proposed(deal.id, "payment_link.agreed", {"link": cmd.link})


@handles(PromoteVenture)
def promote_venture(cmd: PromoteVenture, world: World) -> Iterator[Proposed]:
    """The House promotes the venture; a repeat changes nothing."""
    deal = Deal.of(world, cmd.deal)
    if _has_link(world, deal, cmd.link) and deal.venture is not None and not deal.venture.promoted:
        yield Proposed(deal.id, "venture.promoted", {"link": cmd.link})


@handles(RecordExternalSale)
def record_external_sale(cmd: RecordExternalSale, world: World) -> Iterator[Proposed]:
    """Record the sale with the split that its link executes."""
    deal = Deal.of(world, cmd.deal)
    person, agent = split(cmd.gross_cents, deal.venture.person_bp) if deal.venture else (0, cmd.gross_cents)
    data = {"link": cmd.link, "gross_cents": cmd.gross_cents, "person_cents": person, "agent_cents": agent}
    yield Proposed(deal.id, "external_sale.recorded", data)


@handles(DisablePaymentLink)
def disable_payment_link(cmd: DisablePaymentLink, world: World) -> Iterator[Proposed]:
    """Shut the link off, and where a House had promoted the venture write the breach to the Passport."""
    deal = Deal.of(world, cmd.deal)
    if not _has_link(world, deal, cmd.link) or deal.venture is None or deal.venture.disabled:
        return
    yield Proposed(deal.id, "payment_link.disabled", {"link": cmd.link})
    if breaks_faith(world.law_of(deal), deal.venture):
        yield Proposed(deal.passport, "passport.breach.recorded", {"deal": deal.id, "kind": "payment_link_disabled"})


@guard("TB-EXT-001", on="external_sale.recorded")
def sales_run_through_the_link(case: Case) -> Judgement:
    """TB-EXT-001: a governed sale runs through the agreed link, and is split as agreed to the cent."""
    venture, data = case.state.venture if isinstance(case.state, Deal) else None, case.data
    if venture is None or not venture.live or data["link"] != venture.link:
        return case.finding(
            "link",
            "this does not run through a payment link that both sides agreed to and that is on",
            "register the link, let the person agree to the split, and sell through it",
        )
    return None


@computes("TB-EXT-002", neutral=False)
def breaks_faith(params: Mapping[str, Any], venture: Venture) -> bool:
    """TB-EXT-002: shutting the required link off is a breach once a House has promoted the venture."""
    return venture.agreed and venture.promoted
