"""The event envelope: the exact bytes that are hashed, stored and proven.

An event is one JSON object with a closed set of keys, serialised by RFC 8785 (`canonical`). Its hash is the SHA-256 of
those bytes and becomes the entry of the transparency log. The bytes of an event never change once they are written:
older schemas are upcast when they are read.

`rules` and `rulebooks` may name several editions, because one command may be judged under more than one.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import canonical

NAMESPACE = uuid.UUID("6f1d4a52-5d0c-5b0e-9a57-1b0a6a2f7c11")
"""The UUID namespace of Toll Bench commands (version 5 names: SHA-1 over namespace and name)."""


_SHAPE: dict[str, type] = {
    "actor": dict,
    "at": str,
    "command": str,
    "data": dict,
    "id": str,
    "rulebooks": dict,
    "rules": dict,
    "schema": int,
    "stream": str,
    "type": str,
    "version": int,
}
KEYS = frozenset((*_SHAPE, "subject"))
_KINDS: dict[type, str] = {dict: "object", int: "whole number", str: "text"}


class EnvelopeError(ValueError):
    """Bytes that are canonical JSON but no event envelope."""


class UnreadableEvent(EnvelopeError):
    """A good envelope of an event type, or a schema of it, that this version does not know. The message says which."""


@dataclass(slots=True)
class Event:
    """One ledgered event; treat it as read-only.

    `at` is UTC text with six digits, `version` counts from 1 within the stream, `subject` names the entity inside the
    stream (a milestone, a proposal) or is null, `rules` maps an edition to the sorted rule ids that judged or demanded
    the event, `rulebooks` maps the same editions to their hashes.
    """

    type: str
    schema: int
    stream: str
    version: int
    subject: str | None
    at: str
    actor: Mapping[str, str]
    command: str
    id: str
    data: Mapping[str, Any]
    rules: Mapping[str, list[str]]
    rulebooks: Mapping[str, str]

    def as_dict(self) -> dict[str, Any]:
        """The envelope as a JSON object with exactly the closed set of keys."""
        return {
            "actor": self.actor,
            "at": self.at,
            "command": self.command,
            "data": self.data,
            "id": self.id,
            "rulebooks": self.rulebooks,
            "rules": self.rules,
            "schema": self.schema,
            "stream": self.stream,
            "subject": self.subject,
            "type": self.type,
            "version": self.version,
        }


def to_bytes(event: Event) -> bytes:
    """The canonical bytes of the event (RFC 8785)."""
    return canonical.dumps(event.as_dict())


def from_bytes(data: bytes) -> Event:
    """Read an event from its canonical bytes.

    The event is as it was written, in the schema it was written in. Raises `canonical.CanonicalError` for bytes that
    are not canonical, and `EnvelopeError` for another set of keys or a value of another kind.
    """
    body = canonical.loads(data)
    if not isinstance(body, dict) or body.keys() != KEYS:
        raise EnvelopeError("not an event envelope: its keys differ from the closed set")
    for key, kind in _SHAPE.items():
        if type(body[key]) is not kind:
            raise EnvelopeError(f"not an event envelope: `{key}` is no {_KINDS[kind]}")
    if type(body["subject"]) not in (str, type(None)):
        raise EnvelopeError("not an event envelope: `subject` is neither text nor null")
    return Event(**body)  # type: ignore[arg-type]


def event_hash(data: bytes) -> bytes:
    """The 32 bytes that enter the transparency log: SHA-256 over the canonical bytes."""
    return hashlib.sha256(data).digest()


def command_id(actor: str, key: str) -> str:
    """The id of a command: uuid5 over the actor and the key that the caller chose, so that a repeat is recognised."""
    return str(uuid.uuid5(NAMESPACE, f"{actor}\n{key}"))


def event_id(command: str, ordinal: int) -> str:
    """The id of the event that a command wrote at this place (from 0)."""
    return str(uuid.uuid5(uuid.UUID(command), str(ordinal)))


def entity_id(kind: str, command: str, ordinal: int = 0) -> str:
    """The id of an entity that a command creates: `<kind>-<uuid5 of the creating command>`."""
    return f"{kind}-{uuid.uuid5(uuid.UUID(command), f'{kind}/{ordinal}')}"
