"""Steps about privacy and verification: identity, private matter and its readers, checks, attestations."""

from __future__ import annotations

from typing import Any

from pytest_bdd import given, parsers, then, when

from steps import folk
from steps.bids import proposal_row
from steps.lives import Life
from tollbench.domain.commands import Actor
from tollbench.domain.deal.commands import EndDeal, ProposeDeal
from tollbench.domain.erasure import EraseVault
from tollbench.domain.person.commands import CompleteVerification, FileAttestation, RegisterPerson
from tollbench.domain.target.commands import PostTarget
from tollbench.protocol import commitment

# -- the card and the log ----------------------------------------------------------------------------------------------


@given(parsers.parse('a person known to the vault as "{name}", reached at "{contact}"'))
def known_person(life: Life, name: str, contact: str) -> None:
    life.actors["Ada"] = folk.person(life, name, contact=contact)


@given(parsers.parse('a reviewed want of hers whose card says "{words}"'))
def reviewed_want(life: Life, words: str) -> None:
    life.ids["the want"] = folk.reviewed_want(life, "Ada", want=words)


@when("the want is posted")
def want_posted(life: Life) -> None:
    short = life.bench.law().params("TB-ODDS-011")["reference_class"]
    life.attempt(PostTarget(target=life.ids["the want"], reference_class=short), folk.steward(life))


@when(parsers.parse('a person registers under the name "{name}" with the contact "{contact}"'))
def registers_named(life: Life, name: str, contact: str) -> None:
    life.attempt(RegisterPerson(name=name, contact=contact), Actor.system())


@then(parsers.parse('neither "{name}" nor "{contact}" is in the log'))
def not_in_log(life: Life, name: str, contact: str) -> None:
    log = b"".join(body for _, body in life.bench.log())
    assert name.encode() not in log and contact.encode() not in log


@then(parsers.parse("the deal on the ledger has {count:d} steps and a commitment to their words"))
def steps_committed(life: Life, count: int) -> None:
    assert life.last_event("deal.signed").data["steps"] == count
    assert life.last_event("deal.proposed").data["card_commitment"].startswith("sha256:")


@then("the commitment opens to the plan with its salt")
def commitment_opens(life: Life) -> None:
    sealed = life.last_event("proposal.submitted").data["proposal_commitment"]
    with life.bench.store.unit(write=False) as unit:
        row = unit.vault_row(sealed)
    assert row is not None and row.body["pitch"] == "Steady hands"
    assert commitment.verify(sealed, row.kind, row.salt, row.body)


# -- salts -------------------------------------------------------------------------------------------------------------

SALTS = {"the same salt": "5a" * 32, "another salt": "a5" * 32, "no salt it sent": None}


def proposes_under(life: Life, poster: str, salt: str | None) -> ProposeDeal:
    """The deal that goes with alder's proposal on a want of this person, chosen and attested to."""
    target = folk.want(life, poster)
    folk.chosen(life, target, "alder")
    folk.attested(life, target, "alder")
    return folk.deal_card(life, target, "alder", salt=salt)


@given('"alder" proposed a deal to one person under a salt of its own')
def proposed_under(life: Life) -> None:
    folk.system(life, "alder")
    life.do(proposes_under(life, "Ada", SALTS["the same salt"]), folk.agent(life, "alder"))


@when(parsers.parse('"alder" proposes the same card to another person under {salt}'))
def proposes_again(life: Life, salt: str) -> None:
    life.attempt(proposes_under(life, "Ben", SALTS[salt]), folk.agent(life, "alder"))


# -- readers -----------------------------------------------------------------------------------------------------------


def reader(life: Life, who: str) -> Actor:
    """An actor by the words of a scenario."""
    ways: dict[str, Any] = {
        "the person herself": lambda: life.actors["Ada"],
        "a steward": lambda: folk.steward(life),
        "another person": lambda: folk.person(life, "Ben"),
        "an agent": lambda: folk.agent(life, "alder"),
        "an operator": lambda: folk.person(life, "Olga", "operator"),
        "an unregistered steward": lambda: Actor("steward", life.actors["Ada"].id),
    }
    made: Actor = ways[who]()
    return made


@when(parsers.parse("{who} opens her identity"))
def opens_identity(life: Life, who: str) -> None:
    sealed = life.bench.state(life.actors["Ada"].id).identity_commitment
    life.read(sealed, reader(life, who))


@given("a steward has checked her identity with evidence")
def checked_with_evidence(life: Life) -> None:
    who = life.actors["Ada"].id
    life.do(CompleteVerification(person=who, checks=["identity"], evidence="passport seen"), folk.steward(life))


@when(parsers.parse("{who} opens the evidence"))
def opens_evidence(life: Life, who: str) -> None:
    life.read(life.last_event("person.verified").data["evidence_commitment"], reader(life, who))


@then("the private matter is shown")
def private_shown(life: Life) -> None:
    assert not life.refused and life.things["read"]


# -- verification ------------------------------------------------------------------------------------------------------


def checks(life: Life, name: str, text: str, by: Actor) -> None:
    life.attempt(CompleteVerification(person=life.ids[name], checks=text.split(", ")), by)


@when(parsers.parse('a steward completes the checks "{text}" of "{name}"'))
def steward_completes(life: Life, text: str, name: str) -> None:
    checks(life, name, text, folk.steward(life))


@when(parsers.parse('"{who}" completes the checks "{text}" of "{name}"'))
def other_completes(life: Life, who: str, text: str, name: str) -> None:
    checks(life, name, text, life.actors[who])


@then(parsers.re(r'"(?P<name>[^"]+)" is (?P<state>verified|unverified) with the checks "(?P<text>[^"]+)"'))
def verification(life: Life, name: str, state: str, text: str) -> None:
    person = life.bench.state(life.ids[name])
    assert person.checks == tuple(text.split(", "))
    assert person.verified is (state == "verified")
    assert life.last_event("person.verified").data["verified"] is person.verified


def found(life: Life, name: str, human: str) -> CompleteVerification:
    return CompleteVerification(person=life.ids[name], checks=["uniqueness"], identity_token=human)


@given(parsers.parse('the checks of "{name}" found the human "{human}"'))
def has_found(life: Life, name: str, human: str) -> None:
    life.do(found(life, name, human), folk.steward(life))


@when(parsers.parse('the checks of "{name}" find the human "{human}"'))
def finds(life: Life, name: str, human: str) -> None:
    life.attempt(found(life, name, human), folk.steward(life))


@given(parsers.parse('"{name}", who is unverified, has ended a signed deal of "{agent}"'))
def ended_deal(life: Life, name: str, agent: str) -> None:
    folk.system(life, agent)
    target = folk.want(life, name)
    folk.chosen(life, target, agent)
    life.do(EndDeal(deal=folk.signed_deal(life, target, agent)), folk.poster_of(life, target))


@then(parsers.parse('the integrity of the deal went from "{old}" to "{new}"'))
def integrity_went(life: Life, old: str, new: str) -> None:
    change = life.last_event("outcome.integrity_changed")
    assert change.stream == life.ids["the deal"]
    assert (change.data["from"], change.data["to"]) == (old, new)
    assert life.bench.state(life.ids["the deal"]).integrity == new


@then("the deal is still provisional")
def still_provisional(life: Life) -> None:
    assert life.bench.state(life.ids["the deal"]).integrity == "provisional"
    assert "outcome.integrity_changed" not in life.types()


# -- attestations ------------------------------------------------------------------------------------------------------


@given(parsers.re(r'a proposed deal of "(?P<name>[^"]+)" to which (?P<who>.+) attested'))
def proposed_with(life: Life, name: str, who: str) -> None:
    folk.system(life, name)
    target = folk.want(life)
    folk.chosen(life, target, name)
    sides = {"only the poster": ("poster",), "only the operator": ("operator",), "both sides": ("poster", "operator")}
    for side in sides.get(who, ()):
        folk.attested(life, target, name, side)
    life.ids["the deal"] = life.do(folk.deal_card(life, target, name), folk.agent(life, name)).id


@given(parsers.parse('both sides have attested for "{name}" instead'))
def attested_for(life: Life, name: str) -> None:
    folk.attested(life, life.ids["the want"], name)


@when(parsers.parse("the poster of the want attests that they are {state}"))
def poster_attests(life: Life, state: str) -> None:
    target, passport = life.ids["the want"], life.ids["alder"]
    claim = FileAttestation(target=target, passport=passport, side="poster", related=state == "related")
    life.attempt(claim, folk.poster_of(life, target))


@then("the last attestation says that they are related")
def says_related(life: Life) -> None:
    person = life.bench.state(life.bench.state(life.ids["the want"]).person)
    said = person.attested(life.ids["the want"], life.ids["alder"], "poster")
    assert said is not None and said.related
    assert life.last_event("person.attestation.filed").data["related"] is True


@when(parsers.parse("{sender} attests for the {side}"))
def attests_for(life: Life, sender: str, side: Any) -> None:
    target = life.ids["the want"]
    senders = {
        "the operator": folk.person(life, "alder's operator", "operator"),
        "the poster": folk.poster_of(life, target),
        "the agent": folk.agent(life, "alder"),
    }
    claim = FileAttestation(target=target, passport=life.ids["alder"], side=side, related=False)
    life.attempt(claim, senders[sender])


# -- erasure -----------------------------------------------------------------------------------------------------------


def erase(life: Life, who: str, stream: str, sealed: str) -> None:
    life.things["before"] = [body for _, body in life.bench.log()]
    by = folk.poster_of(life, life.ids["the want"]) if who == "the poster" else reader(life, who)
    life.attempt(EraseVault(stream=stream, commitment=sealed), by)


@when(parsers.parse("{who} has her identity erased"))
def erases_identity(life: Life, who: str) -> None:
    person = life.bench.state(life.actors["Ada"].id)
    erase(life, who, person.id, person.identity_commitment)


@when(parsers.parse('{who} has the proposal of "{name}" erased'))
def erases_proposal(life: Life, who: str, name: str) -> None:
    erase(life, who, life.ids["the want"], proposal_row(life, name))


@when(parsers.parse("{who} has the deal card erased"))
def erases_card(life: Life, who: str) -> None:
    deal = life.bench.state(life.ids["the deal"])
    erase(life, who, deal.id, deal.card_commitment)


@given("the person has ended the deal")
def has_ended(life: Life) -> None:
    life.do(EndDeal(deal=life.ids["the deal"]), folk.poster_of(life, life.ids["the want"]))


@then("her identity opens to nobody and the erasure is the only event added")
def erased(life: Life) -> None:
    sealed = life.bench.state(life.actors["Ada"].id).identity_commitment
    for who in ("the person herself", "a steward"):
        life.read(sealed, reader(life, who))
        assert life.things["read"] is None
    log = [body for _, body in life.bench.log()]
    kept = len(life.things["before"])
    assert log[:kept] == life.things["before"]
    assert b"vault.erased" in log[kept] and sealed.encode() in log[kept]
