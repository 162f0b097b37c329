"""The closed registry of event types.

An event type is a stable name, a schema version and the shape of its public data. Nothing outside this registry can be
written or read, so a database row can never name code to import. Data are plain dictionaries typed by `TypedDict`:
what is listed is public, and everything else stays in the vault behind a commitment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

UUID5 = "[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"
"""The pattern of a version 5 UUID in lower case."""
Id = Annotated[str, StringConstraints(pattern=f"^[a-z_]+-{UUID5}$")]
"""`<kind>-<uuid5>`: the id of an entity."""
Instant = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$")]
"""UTC with six digits."""
Cents = Annotated[int, Field(ge=0, le=2**53 - 1)]
"""Money in minor units (US cents), never negative."""
Seconds = Annotated[int, Field(ge=0, le=2**53 - 1)]
"""A duration in whole seconds."""
Probability = Annotated[str, StringConstraints(pattern=r"^(0|1)(\.\d{1,4})?$")]
"""A decimal string from 0 to 1."""
SignedDecimal = Annotated[str, StringConstraints(pattern=r"^-?\d+(\.\d{1,4})?$")]
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


_types: dict[str, EventType] = {}


def register(streams: str | tuple[str, ...], table: Mapping[str, Any], *, schema: int = 1) -> None:
    """Enter the event types of an aggregate: a map from type name to the `TypedDict` of its data."""
    for name, model in table.items():
        if name in _types:
            raise ValueError(f"event type {name} is registered twice")
        model.__pydantic_config__ = ConfigDict(extra="forbid", strict=True)
        kinds = (streams,) if isinstance(streams, str) else streams
        _types[name] = EventType(name, schema, kinds, model, TypeAdapter(model))


def event_type(name: str) -> EventType:
    """The registered type of this name. Raises `UnknownEventType`."""
    try:
        return _types[name]
    except KeyError:
        raise UnknownEventType(name) from None


def event_types() -> Mapping[str, EventType]:
    """All registered types by name."""
    return _types
