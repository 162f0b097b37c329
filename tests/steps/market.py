"""Steps about what follows a delivery: workflows offered on, and ventures that sell to the outside world."""

from __future__ import annotations

from pytest_bdd import given, parsers, then, when

from steps import folk
from steps.lives import Life
from steps.pulses import RECEIPT, deal, passport
from tollbench.domain.commands import Actor
from tollbench.domain.deal.sales import (
    AgreeSplit,
    DisablePaymentLink,
    PromoteVenture,
    RecordExternalSale,
    RegisterPaymentLink,
)
from tollbench.domain.deal.state import Deal
from tollbench.domain.passport.market import OfferWorkflow
from tollbench.domain.target.commands import CloseTarget

UNFILED = "sha256:" + "cd" * 32


# -- resale ------------------------------------------------------------------------------------------------------------


@given(parsers.re(r'a want of "(?P<poster>\w+)" of (?P<kind>the same|another) kind'))
def next_want(life: Life, poster: str, kind: str) -> None:
    folk.verified(life, poster)
    fields = {} if kind == "the same" else {"category": "home"}
    life.ids[f"next want of {poster}"] = folk.want(life, poster, **fields)


@given(parsers.parse('"{poster}" has closed her want'))
def has_closed(life: Life, poster: str) -> None:
    life.do(CloseTarget(target=life.ids[f"next want of {poster}"]), life.actors[poster])


def offer(life: Life, name: str, poster: str, cents: int = 2500, receipt: str | None = RECEIPT) -> OfferWorkflow:
    """The offer of the path of the attempt by this agent on the next want of this person."""
    return OfferWorkflow(
        passport=folk.agent(life, name).id,
        target=life.ids[f"next want of {poster}"],
        prior_deal=deal(life).id,
        price_cents=cents,
        receipt=receipt,
        pitch="Done before, done again",
    )


@when(parsers.re(r'"(?P<name>\w+)" offers (?:its|that) path to "(?P<poster>\w+)" for (?P<cents>\d+) cents'))
def offers(life: Life, name: str, poster: str, cents: str) -> None:
    life.attempt(offer(life, name, poster, int(cents)), life.actors[name])


@given(parsers.parse('"{name}" has offered its path to "{poster}" for {cents:d} cents'))
def has_offered(life: Life, name: str, poster: str, cents: int) -> None:
    life.do(offer(life, name, poster, cents), life.actors[name])


@when(
    parsers.re(r'"(?P<name>\w+)" offers its path to "(?P<poster>\w+)" with (?P<what>no receipt|a receipt nobody filed)')
)
def offers_with(life: Life, name: str, poster: str, what: str) -> None:
    receipt = None if what == "no receipt" else UNFILED
    life.attempt(offer(life, name, poster, receipt=receipt), life.actors[name])


@then(parsers.parse("the offer names the delivered deal, its receipt and {cents:d} cents"))
def offer_names(life: Life, cents: int) -> None:
    data = life.last_event("workflow.offered").data
    assert (data["prior_deal"], data["prior_target"]) == (deal(life).id, deal(life).target)
    assert (data["receipt"], data["price_cents"]) == (RECEIPT, cents)
    assert b"Done before" not in b"".join(body for _, body in life.bench.log())


@when(parsers.parse('"{poster}" signs a deal with "{name}"'))
def signs_with(life: Life, poster: str, name: str) -> None:
    target = life.ids[f"next want of {poster}"]
    folk.chosen(life, target, name)
    life.ids[f"next deal of {poster}"] = folk.signed_deal(life, target, name)


@then(parsers.parse('the attempt for "{poster}" reuses the path delivered to "{earlier}"'))
def reuses(life: Life, poster: str, earlier: str) -> None:
    event = life.last_event("workflow.reused")
    prior = life.ids[f"deal of {earlier}"]
    assert (event.stream, event.data["prior_deal"]) == (life.ids[f"next deal of {poster}"], prior)
    assert Deal.of(life.bench, event.stream).workflow == prior


@then(parsers.parse('the attempt for "{poster}" reuses no path'))
def reuses_nothing(life: Life, poster: str) -> None:
    assert Deal.of(life.bench, life.ids[f"next deal of {poster}"]).workflow is None
    assert "workflow.reused" not in life.types()


# -- external sales ----------------------------------------------------------------------------------------------------


@given(
    parsers.re(r'a payment link that gives "(?P<poster>\w+)" (?P<share>\d+) basis points(?P<agreed>, agreed by both)?')
)
def payment_link(life: Life, poster: str, share: str, agreed: str | None) -> None:
    request = RegisterPaymentLink(deal=deal(life).id, person_bp=int(share), address="pay.example/v/1")
    life.ids["the link"] = life.do(request, life.actors["alder"]).id
    if agreed:
        life.do(AgreeSplit(deal=deal(life).id, link=life.ids["the link"]), life.actors[poster])


@when(parsers.parse('"{name}" agrees to the split'))
def agrees(life: Life, name: str) -> None:
    life.attempt(AgreeSplit(deal=deal(life).id, link=life.ids["the link"]), life.actors[name])


@when(parsers.re(r"a sale of (?P<cents>\d+) cents (?P<way>runs through|is reported without) the link"))
def sale(life: Life, cents: str, way: str) -> None:
    link = life.ids["the link"] if way == "runs through" else None
    life.attempt(RecordExternalSale(deal=deal(life).id, gross_cents=int(cents), link=link), Actor.system())


@then(parsers.parse('"{poster}" gets {person:d} cents and "{name}" {agent:d} cents'))
def gets(life: Life, poster: str, person: int, name: str, agent: int) -> None:
    data, venture = life.last_event("external_sale.recorded").data, deal(life).venture
    assert (data["person_cents"], data["agent_cents"]) == (person, agent)
    assert data["person_cents"] + data["agent_cents"] == data["gross_cents"]
    assert venture is not None and (venture.person_cents, venture.agent_cents, venture.sales) == (person, agent, 1)


@given(parsers.parse('"{poster}" has promoted the venture'))
def has_promoted(life: Life, poster: str) -> None:
    life.do(PromoteVenture(deal=deal(life).id, link=life.ids["the link"]), life.actors[poster])


@given(parsers.parse('"{name}" has shut the link off'))
def has_shut(life: Life, name: str) -> None:
    life.do(DisablePaymentLink(deal=deal(life).id, link=life.ids["the link"]), life.actors[name])


@when(parsers.parse('"{name}" shuts the link off'))
def shuts(life: Life, name: str) -> None:
    life.attempt(DisablePaymentLink(deal=deal(life).id, link=life.ids["the link"]), life.actors[name])


@then(parsers.re(r'the Passport of "(?P<name>\w+)" shows (?P<what>1 breach, for the payment link|no breach)'))
def shows_breach(life: Life, name: str, what: str) -> None:
    found = [event for event in life.bench.events() if event.type == "passport.breach.recorded"]
    assert len(found) == passport(life, name).breaches == (0 if what == "no breach" else 1)
    for event in found:
        assert event.data == {"deal": deal(life).id, "kind": "payment_link_disabled"}


@then(parsers.re(r"the board counts (?P<count>\d+) resales?"))
def resale_volume(life: Life, count: str) -> None:
    figure = life.bench.board()["digest"]["workflow_resale_volume"]
    assert figure["value"] == count and figure["n"] == int(count)
