"""What commands about people cause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..commands import handles
from ..deal.integrity import settle_integrity
from ..names import fold
from ..passport.state import Passport
from ..target.state import Target
from ..world import Proposed, World
from .commands import CompleteVerification, FileAttestation, RegisterPerson, RotateKey
from .rules import IDENTITY_SCOPE, completes
from .state import Person


@handles(RegisterPerson)
def register_person(cmd: RegisterPerson, world: World) -> Iterator[Proposed]:
    """Open a pseudonymous account; name and contact go to the vault."""
    person = world.new_id("person")
    identity = {"name": cmd.name, "contact": cmd.contact}
    yield Proposed(
        person,
        "person.registered",
        {
            "capacity": sorted(set(cmd.capacity)),
            "key": world.new_key(person) if cmd.key is None else cmd.key,
            "identity_commitment": world.commit("identity", identity, subject=person, readers=(person, "steward")),
        },
    )


@handles(RotateKey)
def rotate_key(cmd: RotateKey, world: World) -> Iterator[Proposed]:
    """Put a new key in the place of the present one."""
    kind: type[Person | Passport] = Person if cmd.holder.startswith("person-") else Passport
    holder = kind.of(world, cmd.holder)
    key = world.new_key(holder.id) if cmd.key is None else cmd.key
    yield Proposed(holder.id, "actor.key_rotated", {"key": key, "previous": holder.key})


@handles(CompleteVerification)
def complete_verification(cmd: CompleteVerification, world: World) -> Iterator[Proposed]:
    """Add the checks passed; when they complete the verification, settle the outcomes that waited for it.

    Checks that are complete already, without anything new to keep, change nothing.
    """
    person = Person.of(world, cmd.person)
    known = world.law.params("TB-INTEG-002")["checks"]
    for name in cmd.checks:
        if name not in known:
            world.lacks("checks", f"there is no check {name}", f"name one of {', '.join(known)}")
    done = [name for name in known if name in person.checks or name in cmd.checks]
    if tuple(done) == person.checks and cmd.identity_token is None and cmd.evidence is None:
        return
    data: dict[str, Any] = {"checks": done, "verified": completes(world.law, done)}
    if cmd.identity_token is not None:
        token = fold(cmd.identity_token)
        if world.claimed(IDENTITY_SCOPE, token) is None:
            world.claim(IDENTITY_SCOPE, token, person.id)
    if cmd.evidence is not None:
        data["evidence_commitment"] = world.commit(
            "verification", {"evidence": cmd.evidence}, subject=person.id, readers=("steward",)
        )
    yield Proposed(person.id, "person.verified", data)
    if data["verified"] and not person.verified:
        for deal in world.related("deals_of_person", person.id):
            yield from settle_integrity(world, deal)


@handles(FileAttestation)
def file_attestation(cmd: FileAttestation, world: World) -> Iterator[Proposed]:
    """Enter the statement in the stream of the poster, or of the agent's operator; what was said needs no repeat."""
    target, passport = Target.of(world, cmd.target), Passport.of(world, cmd.passport)
    person = Person.of(world, target.person if cmd.side == "poster" else passport.operator)
    said = person.attested(target.id, passport.id, cmd.side)
    if said is not None and said.related == cmd.related and cmd.statement is None:
        return
    data: dict[str, Any] = {
        "target": target.id,
        "passport": passport.id,
        "side": cmd.side,
        "related": cmd.related,
    }
    if cmd.statement is not None:
        data["statement_commitment"] = world.commit(
            "attestation", {"statement": cmd.statement}, subject=person.id, readers=(person.id, "steward")
        )
    yield Proposed(person.id, "person.attestation.filed", data)
