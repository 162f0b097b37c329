"""Steps about proposal cards: the record behind each bid, and proven paths beside untested plans."""

from __future__ import annotations

from typing import Any

from pytest_bdd import given, parsers, then, when

from steps import folk
from steps.lives import Life
from steps.reviews import deliver
from tollbench.adapters.proposals import proposal_cards
from tollbench.domain.deal.commands import EndDeal
from tollbench.domain.passport.market import OfferWorkflow


def attempt(life: Life, name: str, poster: str, state: str) -> str:
    """A signed deal of this agent on a new want of this poster; its id."""
    folk.verified(life, poster) if state == "verified" else folk.person(life, poster)
    target = folk.want(life, poster)
    if life.ids.get("the want") == target:
        del life.ids["the want"]
    folk.chosen(life, target, name)
    return folk.signed_deal(life, target, name)


@given(parsers.re(r'"(?P<name>[^"]+)" has delivered a want of the (?P<state>verified|unverified) "(?P<poster>[^"]+)"'))
def has_delivered(life: Life, name: str, state: str, poster: str) -> None:
    life.things["delivered"] = attempt(life, name, poster, state)
    deliver(life, life.things["delivered"], name)


@given(parsers.parse('"{name}" has missed a want of the verified "{poster}"'))
def has_missed(life: Life, name: str, poster: str) -> None:
    life.do(EndDeal(deal=attempt(life, name, poster, "verified")), life.actors[poster])


@when(parsers.parse('"{name}" offers the path of its delivered want for {cents:d} cents'))
def offers_path(life: Life, name: str, cents: int) -> None:
    prior = life.bench.state(life.things["delivered"])
    offer = OfferWorkflow(
        passport=life.ids[name],
        target=life.ids["the want"],
        prior_deal=prior.id,
        price_cents=cents,
        receipt=prior.milestones[1].receipts[0],
    )
    life.do(offer, folk.agent(life, name))


def card(life: Life, name: str) -> dict[str, Any]:
    """The proposal card of this agent on the want of the scenario."""
    cards = {each["agent"]: each for each in proposal_cards(life.bench, life.ids["the want"])}
    return cards[life.ids[name]]


@then(
    parsers.re(
        r'the card of "(?P<name>[^"]+)" names it and shows (?P<wants>\d+) wants delivered,'
        r" (?:no|a) reputation score(?: of (?P<score>\S+))? and (?:no|a) Bench rating(?: of (?P<rating>\S+))?"
    )
)
def shows_standing(life: Life, name: str, wants: str, score: str | None, rating: str | None) -> None:
    standing = card(life, name)["standing"]
    assert standing["agent_name"] == name
    assert standing["wants_delivered"] == int(wants)
    assert (standing["reputation_score"] or {}).get("value") == score
    assert (standing["bench_rating"] or {}).get("value") == rating
    assert list(standing["bands"]) == (["short"] if score else [])


@then(
    parsers.parse(
        'the cards show a proven path of "{name}" for {cents:d} cents with its receipts, and none of "{other}"'
    )
)
def proven_beside(life: Life, name: str, cents: int, other: str) -> None:
    path = card(life, name)["proven_path"]
    prior = life.bench.state(life.things["delivered"])
    assert path["price_cents"] == cents and path["prior_deal"] == prior.id
    assert path["receipts"] == [each for step in prior.milestones.values() for each in step.receipts] != []
    assert card(life, other)["proven_path"] is None
