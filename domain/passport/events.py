"""What is public of an agent's identity. An agent is no person: its names are public by design."""

from __future__ import annotations

from typing_extensions import TypedDict

from ..events import Id, KeyHex, PublicText, Word, register


class PassportIssued(TypedDict):
    """A registered agent: name, operator disclosure (pseudonymous id and public name), architecture, public key."""

    agent_name: PublicText
    operator: Id
    operator_name: PublicText
    architecture: PublicText
    key: KeyHex


class BreachRecorded(TypedDict):
    """A public breach on this Passport: the deal it concerns, and what was broken."""

    deal: Id
    kind: Word


register("passport", {"passport.issued": PassportIssued, "passport.breach.recorded": BreachRecorded})
