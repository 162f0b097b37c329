"""Streams: the kinds of aggregate, and how each folds its events into a state.

A state is an immutable value rebuilt from the events of one stream. `evolve` only ever applies what was ledgered: it
does not validate, so that old logs load under new rules. Each kind also says which private index entries a state has
(so that a command can find, say, all deals of a person) and when the clock next has something to do for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, Self, TypeVar

from ..protocol.envelope import Event

S = TypeVar("S")
Evolve = Callable[[Any, Event], Any]


class Reader(Protocol):
    """Whatever can give the present state of a stream (None where it has no event)."""

    def state(self, stream: str) -> Any: ...


class Unknown(Exception):
    """A command names an entity that does not exist. `kind` is the kind of entity, `id` what was named."""

    def __init__(self, kind: str, id: str) -> None:
        super().__init__(f"there is no {kind} {id}")
        self.kind = kind
        self.id = id


def replace(state: S, **changes: Any) -> S:
    """A copy of a state (or a frozen part of one) with some fields changed; `TypeError` for a field it does not have.

    Does what `dataclasses.replace` does, ten times faster: folding a log is mostly this. It needs dataclasses without
    slots and without an `__init__` of their own.
    """
    fields = state.__dict__
    if not changes.keys() <= fields.keys():
        raise TypeError(f"{type(state).__name__} has no field {', '.join(changes.keys() - fields.keys())}")
    made = object.__new__(type(state))
    made.__dict__.update(fields)
    made.__dict__.update(changes)
    return made


@dataclass(frozen=True, kw_only=True)
class State:
    """What every state has: the stream id, and the edition pinned at each moment that a rule may be governed at."""

    id: str
    pins: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, reader: Reader, id: str) -> Self:
        """The present state of this stream. Raises `Unknown` where it does not exist or is of another kind."""
        state = reader.state(id)
        if not isinstance(state, cls):
            raise Unknown(cls.__name__.lower(), id)
        return state


@dataclass(slots=True)
class StreamKind:
    """One kind of stream: its evolve functions by event type, and its private index."""

    kind: str
    evolvers: dict[str, Evolve] = field(default_factory=dict)
    index: Callable[[Any], Iterable[tuple[str, str]]] = lambda state: ()
    due: Callable[[Any], str | None] = lambda state: None

    def evolve(self, state: Any, event: Event) -> Any:
        """The state after the event; an event type without a function leaves the state as it is."""
        function = self.evolvers.get(event.type)
        return state if function is None else function(state, event)

    def on(self, *types: str) -> Callable[[Callable[[S, Event], Any]], Callable[[S, Event], Any]]:
        """Register the decorated `(state, event) -> state` for these event types."""

        def register(function: Callable[[S, Event], Any]) -> Callable[[S, Event], Any]:
            for type_ in types:
                if type_ in self.evolvers:
                    raise ValueError(f"{self.kind}: {type_} has two evolve functions")
                self.evolvers[type_] = function
            return function

        return register


_kinds: dict[str, StreamKind] = {}


def stream_kind(kind: str) -> StreamKind:
    """The kind of this name, entered on first use."""
    return _kinds.setdefault(kind, StreamKind(kind))


def kind_of(stream: str) -> StreamKind:
    """The kind of a stream id (`deal-…` is a deal, `rulebook` the rulebook)."""
    name = stream.partition("-")[0]
    return _kinds.get(name) or StreamKind(name)
