"""What a decider can see while it judges one command, and what it hands back.

The world gives present states, the private indexes, the vault, the instant and the law. It is read-only towards the
store: what a command wants kept in private (vault rows, unique names) is collected here and written in the command's
own transaction, together with its events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..protocol import commitment, envelope, instants
from ..rules.evaluators import Finding
from ..rules.law import Law
from .commands import Actor, Command


class Facts(Protocol):
    """The port to the store: everything a decider may look up."""

    def load(self, stream: str) -> tuple[Any, int]:
        """The state of the stream and its version; `(None, 0)` where it has no event."""

    def related(self, relation: str, key: str) -> tuple[str, ...]:
        """The streams whose state entered `(relation, key)` in the private index, oldest first."""

    def claimed(self, scope: str, value: str) -> str | None:
        """Who holds this unique value, if anybody."""

    def reveal(self, commitment: str) -> Any:
        """The vault body behind a commitment; None when it was erased or never existed."""

    def row(self, commitment: str) -> VaultRow | None:
        """The whole vault row behind a commitment: what kind of matter it is, and whose."""

    def position(self) -> int:
        """How many events the log holds."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """An event that a command wants to write. `pins` are the editions it is judged under where its stream is new.

    A resolution by the clock happens at its due instant, however late the sweep is, and is judged by the law of then.
    """

    stream: str
    type: str
    data: Mapping[str, Any]
    subject: str | None = None
    pins: Mapping[str, str] | None = None

    @property
    def happened(self) -> str | None:
        """The instant that the event states for itself where that is not the instant of its command."""
        return self.data.get("resolved_at")


@dataclass(frozen=True, slots=True)
class VaultRow:
    """Private matter with its commitment: `body` is JSON, `readers` are the parties that may read it."""

    commitment: str
    kind: str
    subject: str
    readers: tuple[str, ...]
    salt: bytes
    body: Any


@dataclass(slots=True)
class World:
    """One command's view of the bench.

    `at` is the instant of the command (UTC text), `actor` its sender, `command` its id. `salt` and `sign` are the
    injected entropy and the custodial signer. `trail` holds the types of the events proposed so far.
    """

    facts: Facts
    law: Law
    at: str
    actor: Actor
    command: str
    salt: Callable[[str, int], bytes]
    sign: Callable[[str, bytes], str | None] = lambda actor, statement: None
    new_key: Callable[[str], str | None] = lambda actor: None
    claims: list[tuple[str, str, str]] = field(default_factory=list)
    vault: list[VaultRow] = field(default_factory=list)
    created: list[str] = field(default_factory=list)
    missing: list[Finding] = field(default_factory=list)
    trail: list[str] = field(default_factory=list)
    read: dict[str, int] = field(default_factory=dict)
    _states: dict[str, Any] = field(default_factory=dict)

    def state(self, stream: str) -> Any:
        """The state of the stream, the events proposed so far by this command included; None where it has none."""
        if stream not in self._states:
            self._states[stream], self.read[stream] = self.facts.load(stream)
        return self._states[stream]

    def advance(self, stream: str, state: Any) -> None:
        """Note the state after an event that this command proposes."""
        self._states[stream] = state

    def law_of(self, state: Any, instant: str | None = None) -> Law:
        """The law under the editions that this state pins, and the amendments that reached it by an instant (UTC text,
        that of the command by default)."""
        law = self.law.pinned(getattr(state, "pins", None))
        return law if instant is None else law.read_at(instants.micros(instant))

    def related(self, relation: str, key: str) -> tuple[str, ...]:
        """The streams in the private index under this relation and key, oldest first."""
        return self.facts.related(relation, key)

    def claimed(self, scope: str, value: str) -> str | None:
        """Who holds this unique value: by an earlier command, or by this one."""
        return self.facts.claimed(scope, value)

    def claim(self, scope: str, value: str, owner: str) -> None:
        """Ask for a unique value; a guard refuses the command where somebody holds it already."""
        self.claims.append((scope, value, owner))

    def reveal(self, commitment: str) -> Any:
        """The vault body behind a commitment, this command's own rows included."""
        for row in self.vault:
            if row.commitment == commitment:
                return row.body
        return self.facts.reveal(commitment)

    def commit(self, kind: str, body: Any, *, subject: str, readers: Sequence[str], salt: bytes | None = None) -> str:
        """Put private matter into the vault and return its commitment, `sha256:…` over domain, salt and body.

        `kind` names what it is (the commitment's domain), `subject` whose matter it is, `readers` the parties that may
        read it. A sender who signs the commitment beforehand brings the 32 bytes of `salt`.
        """
        salt = salt or self.salt(self.command, len(self.vault))
        value = commitment.commit(kind, salt, body)
        self.vault.append(VaultRow(value, kind, subject, tuple(readers), salt, body))
        return value

    def row(self, commitment: str) -> VaultRow | None:
        """The whole vault row behind a commitment of an earlier command; None where it was erased."""
        return self.facts.row(commitment)

    def new_id(self, kind: str) -> str:
        """A new entity id of this kind, derived from the command."""
        id = envelope.entity_id(kind, self.command, sum(1 for made in self.created if made.startswith(f"{kind}-")))
        self.created.append(id)
        return id

    def lacks(self, field: str, detail: str, fix: str) -> None:
        """Report that the command names something inside a stream that does not exist (TB-CMD-004)."""
        self.missing.append(Finding(field, detail, fix))


@dataclass(slots=True)
class Case:
    """What a guard judges: one proposed event, the state before it, and the world around it."""

    event: Proposed
    state: Any
    world: World
    law: Law
    request: Command
    rule: str = ""

    @property
    def data(self) -> Mapping[str, Any]:
        """The public data of the proposed event."""
        return self.event.data

    @property
    def actor(self) -> Actor:
        """Who sends the command."""
        return self.world.actor

    @property
    def at(self) -> str:
        """The instant of the command."""
        return self.world.at

    @property
    def params(self) -> Mapping[str, Any]:
        """The parameters of the rule that is judging, under the edition that governs."""
        return self.law.params(self.rule)

    def finding(self, field: str, detail: str, fix: str) -> Finding:
        """What the guard returns to refuse: the field, what is the matter, how to mend it."""
        return Finding(field, detail, fix)
