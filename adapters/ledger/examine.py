"""Events judged again by somebody who has nothing but the log.

The examiner folds the events of a log in order, as the domain does, and asks of each: is it a registered event in its
registered shape, next in its stream and not before the last one in time; does every rule that it cites exist in the
edition that it names, under the hash that it names; and would every public evaluator, under the edition that is
pinned, let it pass again? Private evaluators need facts that are not in the log; they are counted, never passed over
in silence.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from ...domain import protocol as _registered  # noqa: F401 - fills the registries of events and evaluators
from ...domain.commands import Actor, Command
from ...domain.engine import findings
from ...domain.events import UnknownEventType, event_type
from ...domain.rulebook.state import STREAM, Rulebook
from ...domain.streams import Unknown, kind_of
from ...domain.world import Case, Proposed, VaultRow, World
from ...protocol import canonical, envelope
from ...protocol.edition import EditionError, Shelf
from ...protocol.envelope import Event
from ...protocol.faults import LogFault
from ...rules.evaluators import Guard, registry
from ...rules.law import Law

MAX_FINDINGS: Final = 100


_NO_REQUEST: Final = Command()
"""Stands where a guard may look for the command: an examiner has the event and not what was asked for."""


class PrivateFact(Exception):
    """A guard asked for something that is not in the log."""


class Examiner:
    """Judges a log event by event. `shelf` holds the editions that the log names.

    `states` maps each stream to its state so far; `run` and `unchecked` count, by rule, the events that its evaluator
    judged again and those that only private facts could judge. `findings` holds at most 100 faults, `faults` counts
    all.
    """

    def __init__(self, shelf: Shelf) -> None:
        self.events = 0
        self.states: dict[str, Any] = {}
        self.run: Counter[str] = Counter()
        self.unchecked: Counter[str] = Counter()
        self.findings: list[LogFault] = []
        self.faults = 0
        self._shelf = shelf
        self._versions: dict[str, int] = {}
        self._related: dict[tuple[str, str], dict[str, None]] = {}
        self._indexed: dict[str, set[tuple[str, str]]] = {}
        self._guards: dict[str, tuple[list[Guard], list[Guard]]] = {}
        self._last_at = ""
        self._world: World | None = None
        self._touched: dict[str, Any] = {}
        self._ordinal = 0

    # -- what a world may look up --------------------------------------------------------------------------------

    def load(self, stream: str) -> tuple[Any, int]:
        """The state of a stream before the command at hand, and its version."""
        return self.states.get(stream), self._versions.get(stream, 0)

    def related(self, relation: str, key: str) -> tuple[str, ...]:
        """The streams under this relation and key, oldest first."""
        return tuple(self._related.get((relation, key), ()))

    def claimed(self, scope: str, value: str) -> str | None:
        """Unique private values are not in the log."""
        raise PrivateFact("claimed")

    def reveal(self, commitment: str) -> Any:
        """What lies behind a commitment is not in the log."""
        raise PrivateFact("reveal")

    def row(self, commitment: str) -> VaultRow | None:
        """Whose matter lies behind a commitment is not in the log."""
        raise PrivateFact("row")

    def position(self) -> int:
        """How many events came before the command at hand."""
        return self.events - self._ordinal

    # -- judging ------------------------------------------------------------------------------------------------

    def feed(self, leaf: int, body: bytes) -> Event | None:
        """Judge the next event and fold it. Returns it, or None where its bytes are no registered event."""
        try:
            event = envelope.from_bytes(body)
            type_ = event_type(event.type)
            wrong = type_.problems(event.data)
        except (canonical.CanonicalError, envelope.EnvelopeError, TypeError) as error:
            self._find("EVENT_SHAPE", leaf, str(error))
            return None
        except UnknownEventType:
            self._find("EVENT_SHAPE", leaf, f"the type {event.type} is not registered")
            return None
        if wrong or event.schema != type_.schema or event.stream.partition("-")[0] not in type_.streams:
            self._find("EVENT_SHAPE", leaf, f"{event.type} has another shape than registered: {wrong or event.stream}")
            return None
        self._in_order(leaf, event)
        self._cites(leaf, event)
        self._judge(leaf, event)
        self.events += 1
        return event

    def finish(self) -> None:
        """Close the last command."""
        self._close()

    def _find(self, code: str, leaf: int, detail: str) -> None:
        self.faults += 1
        if len(self.findings) < MAX_FINDINGS:
            self.findings.append(LogFault(code, detail, f"event {leaf}"))

    def _in_order(self, leaf: int, event: Event) -> None:
        world = self._world
        if world is None or world.command != event.command:
            self._open(event)
        else:
            self._ordinal += 1
        expected = self._versions.get(event.stream, 0) + 1
        if event.version != expected:
            self._find("EVENT_ORDER", leaf, f"{event.stream} is at version {expected - 1}, this is {event.version}")
        self._versions[event.stream] = event.version
        if event.at < self._last_at:
            self._find("EVENT_ORDER", leaf, f"at {event.at} it comes before the event at {self._last_at}")
        self._last_at = max(self._last_at, event.at)
        if event.id != envelope.event_id(event.command, self._ordinal):
            self._find("EVENT_ORDER", leaf, f"its id is not that of event {self._ordinal} of its command")

    def _open(self, event: Event) -> None:
        """Begin the next command: what the one before it wrote now stands in the states and indexes."""
        self._close()
        rulebook = self.states.get(STREAM)
        version = rulebook.edition_at(event.at) if isinstance(rulebook, Rulebook) else None
        self._world = World(
            facts=self,
            law=Law(self._shelf, version),
            at=event.at,
            actor=Actor(event.actor["role"], event.actor["id"]),  # type: ignore[arg-type]
            command=event.command,
            salt=_no_salt,
        )
        self._ordinal = 0

    def _close(self) -> None:
        for stream, state in self._touched.items():
            self.states[stream] = state
            wanted = set(kind_of(stream).index(state))
            held = self._indexed.get(stream, set())
            for entry in sorted(wanted - held):
                self._related.setdefault(entry, {})[stream] = None
            for entry in held - wanted:
                del self._related[entry][stream]
            self._indexed[stream] = wanted
        self._touched = {}

    def _cites(self, leaf: int, event: Event) -> None:
        if event.rules.keys() != event.rulebooks.keys():
            self._find("RULE_UNKNOWN", leaf, "rules and rulebooks name different editions")
        for version, stated in event.rulebooks.items():
            try:
                edition = self._shelf.get(version)
            except EditionError as error:
                self._find("RULE_UNKNOWN", leaf, str(error))
                continue
            if edition.hash != stated:
                self._find("RULE_UNKNOWN", leaf, f"edition {version} has hash {edition.hash}, the event names {stated}")
            for rule in event.rules.get(version, ()):
                if rule not in edition.rules:
                    self._find("RULE_UNKNOWN", leaf, f"edition {version} has no rule {rule}")

    def _judge(self, leaf: int, event: Event) -> None:
        world = self._world
        assert world is not None
        before = world.state(event.stream)
        after = kind_of(event.stream).evolve(before, event)
        pins = getattr(after if before is None else before, "pins", None)
        law = world.law.pinned(pins)
        world.trail.append(event.type)
        proposed = Proposed(event.stream, event.type, event.data, event.subject, pins)
        case = Case(proposed, before, world, law, _NO_REQUEST)
        public, private = self._guards_on(event.type)
        cited = {rule for rules in event.rules.values() for rule in rules}
        for guard in public:
            self._ask(guard, case, cited, leaf)
        for guard in private:
            self.unchecked[guard.rule] += 1
        world.advance(event.stream, after)
        self._touched[event.stream] = after

    def _ask(self, guard: Guard, case: Case, cited: set[str], leaf: int) -> None:
        case.rule = guard.rule
        try:
            found = list(findings(guard.judge(case)))
        except (PrivateFact, Unknown):
            self.unchecked[guard.rule] += 1
            return
        self.run[guard.rule] += 1
        if guard.rule not in cited:
            self._find("RULE_UNCITED", leaf, f"{guard.rule} judges {case.event.type}, the event does not say so")
        for finding in found:
            self._find("RULE_BROKEN", leaf, f"{guard.rule}, {finding.field}: {finding.detail}")

    def _guards_on(self, type_: str) -> tuple[list[Guard], list[Guard]]:
        if type_ not in self._guards:
            every = list(registry().guards_on(type_))
            self._guards[type_] = [g for g in every if not g.private], [g for g in every if g.private]
        return self._guards[type_]


def _no_salt(command: str, ordinal: int) -> bytes:
    raise PrivateFact("salt")
