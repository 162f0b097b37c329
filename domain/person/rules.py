"""Rules about people: keys, verification, attestations, and identity kept apart from the public record."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ...protocol.signature import KeyRefused, check_key
from ...rules.evaluators import ANY, Judgement, computes, guard
from ..names import fold
from ..passport.state import Passport
from ..world import Case
from .state import Person

IDENTITY_SCOPE = "identity_token"
"""Private uniqueness scope: what an identity check yields for a human -> the account it verified."""


@guard("TB-PASS-006", on=("person.registered", "passport.issued", "actor.key_rotated"))
def key_may_be_registered(case: Case) -> Judgement:
    """TB-PASS-006: every signer has an Ed25519 key; weak keys are refused, and no key comes back once replaced."""
    key = case.data["key"]
    fix = "give an Ed25519 public key in 64 lower-case hex digits, or leave the key to the application"
    if key is None:
        return case.finding("key", "there is no key, and the application keeps none", fix)
    try:
        check_key(key)
    except KeyRefused as error:
        return case.finding("key", str(error), fix)
    if any(key == earlier.key for earlier in getattr(case.state, "keys", ())):
        return case.finding("key", "this holder has, or had, this very key", "rotate to a key that was never used here")
    return None


@computes("TB-INTEG-002", neutral=True)
def completes(params: Mapping[str, Any], checks: Sequence[str]) -> bool:
    """TB-INTEG-002: a person is verified once every listed check (identity and uniqueness) is complete."""
    return set(params["checks"]) <= set(checks)


@guard("TB-PASS-007", on="person.verified", private=True)
def one_account_a_human(case: Case) -> Judgement:
    """TB-PASS-007: what identifies a human verifies one account only."""
    token = getattr(case.request, "identity_token", None)
    holder = None if token is None else case.world.claimed(IDENTITY_SCOPE, fold(token))
    if holder is not None and holder != case.event.stream:
        return case.finding(
            "identity_token",
            "another account is already verified as this human",
            "use the account that is verified; a second one of the same human stays unverified",
        )
    return None


@guard("TB-INTEG-008", on="deal.signed")
def both_sides_attested(case: Case) -> Judgement:
    """TB-INTEG-008: poster and operator have each stated whether they knew each other before."""
    target, passport = case.data["target"], case.data["passport"]
    agent = case.world.state(passport)
    operator = agent.operator if isinstance(agent, Passport) else ""
    found = []
    for side, id in (("poster", case.data["person"]), ("operator", operator)):
        person = case.world.state(id) if id else None
        if not isinstance(person, Person) or person.attested(target, passport, side) is None:
            found.append(
                case.finding(
                    "deal",
                    f"the {side} has not stated whether it had a relationship with the other side",
                    f"let the {side} file an attestation for this target and agent first",
                )
            )
    return found


@guard("TB-PRIV-001", on=("target.intake.recorded", "target.posted"), private=True)
def identity_stays_off_the_card(case: Case) -> Judgement:
    """TB-PRIV-001: what is public of a want names neither the person, nor a way to reach them, nor their address."""
    person = case.world.state(case.data["person"])
    identity = case.world.reveal(person.identity_commitment) if isinstance(person, Person) else None
    intake = case.world.reveal(case.data.get("intake_commitment") or case.state.intake_commitment)
    marks = {
        "name": _name_marks(identity["name"]) if identity else (),
        "contact": _contact_marks(identity["contact"]) if identity else (),
        "address": _place_marks(intake["location"]) if intake and intake["location"] else (),
    }
    where = "region" if case.event.type == "target.intake.recorded" else "card"
    texts = [fold(text) for text in _texts(case.data)]
    return [
        case.finding(
            where,
            f"the {where} holds the person's {what}",
            f"take the {what} out of the {where}; agents need what helps them plan, not who the person is",
        )
        for what, each in marks.items()
        if any(re.search(rf"(?<!\w){re.escape(mark)}(?!\w)", text) for mark in each for text in texts)
    ]


@guard("TB-PRIV-002", on=ANY)
def no_personal_data_in_the_log(case: Case) -> Judgement:
    """TB-PRIV-002: public entries hold pseudonyms, metadata and commitments; no address, no payment credential."""
    found = []
    for text in _texts(case.data):
        what = _personal(text)
        if what is not None:
            found.append(
                case.finding(
                    "command",
                    f"{case.event.type} would publish {what}",
                    "take it out of the public text; private matter has fields of its own",
                )
            )
    return found


_ID = re.compile(r"[a-z_]+-[0-9a-f]{8}-[0-9a-f-]{27}|(sha256|b3):[0-9a-f]{64}|[0-9a-f]{64,128}")
# It starts at the sign, so that a long text without an address is read once and not once a character.
_MAIL = re.compile(r"(?<=[^\s@<>,;])@[^\s@<>,;]+\.[^\s@<>,;.]{2,}")
_CARD = re.compile(r"(?<![0-9A-Za-z.-])\d(?:[ -]?\d){12,18}(?![0-9A-Za-z-])")
_IBAN = re.compile(r"(?<![0-9A-Za-z])[A-Z]{2}\d{2}(?: ?[0-9A-Z]){11,30}(?![0-9A-Za-z])")


@lru_cache(maxsize=32_768)  # ids, keys and words come again and again, and every event is judged
def _personal(text: str) -> str | None:
    """What the text holds that must not be public, if anything: an e-mail address, a card or an account number."""
    if len(text) < 6 or _ID.fullmatch(text):
        return None
    if "@" in text and _MAIL.search(text):
        return "an e-mail address"
    if any(_luhn(found.group()) for found in _CARD.finditer(text)):
        return "a payment card number"
    if any(_iban(found.group()) for found in _IBAN.finditer(text)):
        return "a bank account number"
    return None


def _luhn(number: str) -> bool:
    digits = [int(c) for c in number if c.isdigit()]
    doubled = [d * 2 - 9 * (d > 4) for d in digits[-2::-2]]
    return sum(digits[-1::-2] + doubled) % 10 == 0


def _iban(number: str) -> bool:
    compact = number.replace(" ", "")
    return int("".join(str(int(c, 36)) for c in compact[4:] + compact[:4])) % 97 == 1


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def _name_marks(name: str) -> tuple[str, ...]:
    # One word of a full name may be a common word (a baker named Baker), so only the whole name counts.
    folded = fold(name)
    return (folded,) if len(folded) > 2 else ()


def _place_marks(location: str) -> tuple[str, ...]:
    # A town may stand on the card; what names a house is the part with a number in it.
    parts = (fold(part) for part in re.split(r"[,;\n]+", location))
    return tuple(part for part in parts if any(c.isdigit() for c in part) and any(c.isalpha() for c in part))


def _contact_marks(contact: str) -> tuple[str, ...]:
    words = re.split(r"[\s,;]+", fold(contact))
    numbers = ("".join(c for c in part if c.isdigit()) for part in re.split(r"[,;]", contact))
    return tuple(word for word in words if "@" in word) + tuple(number for number in numbers if len(number) > 6)
