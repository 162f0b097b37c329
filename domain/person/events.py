"""What is public of a person: capacities, keys, results of checks, attestations. Never a name or an address."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from ..events import Commitment, Id, KeyHex, Word, register

Capacity = Literal["person", "operator", "steward"]
Side = Literal["poster", "operator"]


class PersonRegistered(TypedDict):
    """A pseudonymous account: what it may act as, its public key, a commitment to name and contact."""

    capacity: list[Capacity]
    key: KeyHex
    identity_commitment: Commitment


class KeyRotated(TypedDict):
    """The new key of a person or an agent, and the one it replaces. Signatures made under the old one stay valid."""

    key: KeyHex
    previous: KeyHex


class PersonVerified(TypedDict):
    """All checks completed so far, and whether they make the person verified (TB-INTEG-002)."""

    checks: list[Word]
    verified: bool
    evidence_commitment: NotRequired[Commitment]


class AttestationFiled(TypedDict):
    """Whether the sender already had a relationship with the other side of this target and agent (TB-INTEG-008)."""

    target: Id
    passport: Id
    side: Side
    related: bool
    statement_commitment: NotRequired[Commitment]


register(
    "person",
    {
        "person.registered": PersonRegistered,
        "person.verified": PersonVerified,
        "person.attestation.filed": AttestationFiled,
    },
)
register(("person", "passport"), {"actor.key_rotated": KeyRotated})
