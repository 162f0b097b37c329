"""What can be asked about people: registration, keys, verification, attestations."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from ..commands import Command, PassportId, PersonId, Private, TargetId
from .events import Capacity, Side

KeyText = Annotated[str, StringConstraints(max_length=200)]
"""A public key as sent; TB-PASS-006 judges whether it may be registered."""
CheckName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z_]*$", max_length=40)]
"""The name of a verification check; TB-INTEG-002 lists them."""


def _poster() -> list[Capacity]:
    return ["person"]


class RegisterPerson(Command):
    """Open an account (sent by the system). Without `key` the application keeps a key for the person."""

    capacity: Annotated[list[Capacity], Field(min_length=1, max_length=3)] = Field(default_factory=_poster)
    key: KeyText | None = None
    name: Private = ""
    contact: Private = ""


class RotateKey(Command):
    """Replace the key of a person or an agent. Without `key` the application makes a new one and keeps it."""

    holder: PersonId | PassportId
    key: KeyText | None = None


class CompleteVerification(Command):
    """Record checks that this person passed (sent by a steward or the system).

    `identity_token` is whatever the identity check yields that is the same for the same human: one token verifies one
    account. `evidence` says what was checked; stewards alone can read it.
    """

    person: PersonId
    checks: Annotated[list[CheckName], Field(min_length=1, max_length=10)]
    identity_token: Private | None = None
    evidence: Private | None = None


class FileAttestation(Command):
    """State, before signing, whether you already had a relationship with the other side of this target and agent."""

    target: TargetId
    passport: PassportId
    side: Side
    related: bool
    statement: Private | None = None
