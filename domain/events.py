"""The closed registry of event types, and how events of older schemas are read.

An event type is a stable name, a schema version and the shape of its public data. Nothing outside this registry can be
written or read, so a database row can never name code to import. Data are plain dictionaries typed by `TypedDict`:
what is listed is public, and everything else stays in the vault behind a commitment.

A shape that was ever written stays as it is. What has to change gets the next schema version and an upcaster, which
turns data of one version into data of the next when an event is read; stored bytes are never rewritten, and hashes and
proofs are always about them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from ..protocol import envelope
from ..protocol.envelope import Event, UnreadableEvent

UUID5 = "[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"
"""The pattern of a version 5 UUID in lower case."""
Id = Annotated[str, StringConstraints(pattern=f"^[a-z_]+-{UUID5}$")]
"""`<kind>-<uuid5>`: the id of an entity."""
Instant = Annotated[str, StringConstraints(pattern=r"^[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}\.[0-9]{6}Z$")]
"""UTC with six digits."""
Cents = Annotated[int, Field(ge=0, le=2**53 - 1)]
"""Money in minor units (US cents), never negative."""
Seconds = Annotated[int, Field(ge=0, le=2**53 - 1)]
"""A duration in whole seconds."""
Probability = Annotated[str, StringConstraints(pattern=r"^(0|1)(\.[0-9]{1,4})?$")]
"""A decimal string from 0 to 1."""
SignedDecimal = Annotated[str, StringConstraints(pattern=r"^-?[0-9]+(\.[0-9]{1,4})?$")]
"""A decimal string with a sign where negative."""
Commitment = Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")]
"""A salted commitment to a vault row."""
Digest = Annotated[str, StringConstraints(pattern=r"^(sha256|b3):[0-9a-f]{64}$")]
"""A plain content digest with its algorithm."""
KeyHex = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""An Ed25519 public key, 32 bytes in lower-case hexadecimal."""
SignatureHex = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{128}$")]
"""An Ed25519 signature, 64 bytes in lower-case hexadecimal."""
Word = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_.:-]*$", max_length=80)]
"""A value of a closed or registry-listed vocabulary, never free text."""
PublicText = Annotated[str, StringConstraints(max_length=4000)]
"""Text that its author publishes (names, the target card, version labels)."""


class UnknownEventType(KeyError):
    """A type name that the closed registry does not have."""


@dataclass(frozen=True, slots=True)
class EventType:
    """One event type: name, schema version, the kinds of stream it may stand in, and the shape of its data."""

    name: str
    schema: int
    streams: tuple[str, ...]
    model: Any
    adapter: TypeAdapter[Any]

    def problems(self, data: Mapping[str, Any]) -> list[str]:
        """What is wrong with the data, one plain sentence each; empty when they have the registered shape."""
        try:
            self.adapter.validator.validate_python(data)
        except ValidationError as error:
            return [f"{'.'.join(map(str, e['loc'])) or 'data'}: {e['msg']}" for e in error.errors()]
        return []

    def json_schema(self) -> dict[str, Any]:
        """The JSON Schema (2020-12) of the data."""
        return self.adapter.json_schema()


Upcaster = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Data of one schema version in, data of the next one out. It makes a new mapping and leaves the given one alone."""


@dataclass(slots=True)
class Catalogue:
    """A closed set of event types with their upcasters. The program has one, tests make small ones of their own."""

    types: dict[str, EventType] = field(default_factory=dict)
    upcasters: dict[tuple[str, int], Upcaster] = field(default_factory=dict)

    def register(self, streams: str | tuple[str, ...], table: Mapping[str, Any], *, schema: int = 1) -> None:
        """Enter the event types of an aggregate: a map from type name to the `TypedDict` of its data."""
        for name, model in table.items():
            if name in self.types:
                raise ValueError(f"event type {name} is registered twice")
            model.__pydantic_config__ = ConfigDict(extra="forbid", strict=True)
            kinds = (streams,) if isinstance(streams, str) else streams
            self.types[name] = EventType(name, schema, kinds, model, TypeAdapter(model))

    def upcast(self, name: str, *, from_schema: int) -> Callable[[Upcaster], Upcaster]:
        """Register the decorated function: it turns data of this schema version of the type into the next one's."""

        def register(function: Upcaster) -> Upcaster:
            if (name, from_schema) in self.upcasters:
                raise ValueError(f"{name} has two upcasters from schema {from_schema}")
            self.upcasters[name, from_schema] = function
            return function

        return register

    def gaps(self) -> list[str]:
        """Older schemas that no upcaster leads on from, and upcasters that lead nowhere; empty when all is well."""
        wanted = {(type_.name, schema) for type_ in self.types.values() for schema in range(1, type_.schema)}
        have = set(self.upcasters)
        missing = [f"{name} lacks an upcaster from schema {schema}" for name, schema in sorted(wanted - have)]
        return missing + [f"{name} has no schema after {schema}" for name, schema in sorted(have - wanted)]

    def present(self, event: Event) -> Event:
        """The event in the newest schema of its type. Raises `UnreadableEvent` where this version does not know it."""
        type_ = self.types.get(event.type)
        if type_ is not None and event.schema == type_.schema:
            return event
        return self._upcast(event, type_)

    def _upcast(self, event: Event, type_: EventType | None) -> Event:
        where = f"version {event.version} of {event.stream}"
        if type_ is None:
            raise UnreadableEvent(f"{where} is a {event.type}, a type that is not registered here")
        if event.schema > type_.schema:
            raise UnreadableEvent(
                f"{where} is a {event.type} of schema {event.schema}, this version reads schemas up to {type_.schema};"
                " upgrade to read this log"
            )
        data = event.data
        for schema in range(event.schema, type_.schema):
            upcaster = self.upcasters.get((event.type, schema))
            if upcaster is None:
                raise UnreadableEvent(f"{where} is a {event.type} of schema {event.schema}, which never existed")
            data = upcaster(data)
        return replace(event, schema=type_.schema, data=data)


_catalogue = Catalogue()
register = _catalogue.register
upcast = _catalogue.upcast


def catalogue() -> Catalogue:
    """The one catalogue of this program; filled once `domain.protocol` is loaded."""
    return _catalogue


def read(body: bytes) -> Event:
    """The event in these canonical bytes, in the newest schema of its type: what states, views and checks fold.

    Raises `canonical.CanonicalError`, `EnvelopeError`, and `UnreadableEvent` for a type or schema unknown here.
    """
    return _catalogue.present(envelope.from_bytes(body))


def event_type(name: str) -> EventType:
    """The registered type of this name. Raises `UnknownEventType`."""
    try:
        return _catalogue.types[name]
    except KeyError:
        raise UnknownEventType(name) from None


def event_types() -> Mapping[str, EventType]:
    """All registered types by name."""
    return _catalogue.types
