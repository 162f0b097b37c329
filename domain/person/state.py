"""The state of a person, folded from the events of its stream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ...protocol.envelope import Event
from ..streams import State, replace, stream_kind

KIND = stream_kind("person")


class Key(NamedTuple):
    """A public key with the instant from which it is the holder's."""

    key: str
    since: str


class Attestation(NamedTuple):
    """A statement about a relationship: `related`, and when it was filed."""

    related: bool
    at: str


def key_at(keys: tuple[Key, ...], at: str) -> str | None:
    """The key that was in force at this instant (UTC text); None before the first one."""
    return next((key.key for key in reversed(keys) if key.since <= at), None)


@dataclass(frozen=True, kw_only=True)
class Person(State):
    """A pseudonymous account.

    `keys` lists every key oldest first, `key` is the present one. `checks` are the completed verification checks.
    `attestations` maps (target, passport, side) to the last statement filed.
    """

    capacity: tuple[str, ...]
    key: str
    keys: tuple[Key, ...]
    identity_commitment: str
    verified: bool = False
    checks: tuple[str, ...] = ()
    attestations: Mapping[tuple[str, str, str], Attestation] = field(default_factory=dict)

    @property
    def parties(self) -> Mapping[str, str]:
        """The parties of this stream: in every capacity it is the person itself."""
        return dict.fromkeys(("person", "poster", "operator"), self.id)

    def attested(self, target: str, passport: str, side: str) -> Attestation | None:
        """The last attestation of this side for this target and agent."""
        return self.attestations.get((target, passport, side))


@KIND.on("person.registered")
def _registered(state: None, event: Event) -> Person:
    data = event.data
    return Person(
        id=event.stream,
        capacity=tuple(data["capacity"]),
        key=data["key"],
        keys=(Key(data["key"], event.at),),
        identity_commitment=data["identity_commitment"],
    )


@KIND.on("actor.key_rotated")
def _rotated(state: Person, event: Event) -> Person:
    key = event.data["key"]
    return replace(state, key=key, keys=(*state.keys, Key(key, event.at)))


@KIND.on("person.verified")
def _verified(state: Person, event: Event) -> Person:
    return replace(state, verified=event.data["verified"], checks=tuple(event.data["checks"]))


@KIND.on("person.attestation.filed")
def _attested(state: Person, event: Event) -> Person:
    data = event.data
    filed = Attestation(data["related"], event.at)
    return replace(state, attestations={**state.attestations, (data["target"], data["passport"], data["side"]): filed})
