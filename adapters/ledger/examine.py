"""Rules run again by somebody who has nothing but the log.

The examiner folds well-formed events in order, as the domain does, and asks every public evaluator, under the edition
that is pinned, whether it would let the event pass again, and whether the event cites it. Private evaluators need
facts that are not in the log; they are counted, never passed over in silence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from ...domain import protocol as _registered  # noqa: F401 - fills the registries of events and evaluators
from ...domain.commands import Actor, Command
from ...domain.engine import binding, governing
from ...domain.rulebook.state import STREAM, Rulebook
from ...domain.streams import Unknown, kind_of
from ...domain.world import Case, Proposed, VaultRow, World
from ...protocol import instants
from ...protocol.edition import EditionError, Shelf
from ...protocol.envelope import Event
from ...protocol.faults import LogFault
from ...rules.evaluators import Finding, Guard
from ...rules.law import Law

MAX_FINDINGS: Final = 100
NOT_FOLLOWING: Final = (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, EditionError)
"""What folding raises for an event that no bench wrote in this place: states do not validate, they rely on the log."""
_NO_REQUEST: Final = Command()
"""Stands where a guard may look for the command: an examiner has the event and not what was asked for."""


class PrivateFact(Exception):
    """A guard asked for something that is not in the log."""


@dataclass(frozen=True, slots=True)
class _Bench:
    """The guards of one event type under one law: those that can be run again, those that cannot, and the rules of
    both by the edition they are read in. A rule that was not in force did not judge then and does not now."""

    public: tuple[Guard, ...]
    private: tuple[Guard, ...]
    rules: Mapping[str, frozenset[str]]


class Examiner:
    """Runs the public rules over a log, event by event. `shelf` holds the editions that the log names.

    `findings` holds at most 100 faults, `faults` counts all.
    """

    def __init__(self, shelf: Shelf) -> None:
        self.events = 0
        self.findings: list[LogFault] = []
        self.faults = 0
        self._shelf = shelf
        self._states: dict[str, Any] = {}
        self._versions: dict[str, int] = {}
        self._related: dict[tuple[str, str], dict[str, None]] = {}
        self._indexed: dict[str, set[tuple[str, str]]] = {}
        self._benches: dict[tuple[str, Law], _Bench] = {}
        self._judged: Counter[tuple[str, Law]] = Counter()
        self._closed: Counter[str] = Counter()
        self._laws: dict[str | None, Law] = {}
        self._rulebook: Rulebook | None = None
        self._settled: str | None = None
        self._world: World | None = None
        self._touched: dict[str, Any] = {}
        self._ordinal = 0

    def run(self) -> Counter[str]:
        """How many events each public rule judged again."""
        counts: Counter[str] = Counter()
        for bench, times in self._judged.items():
            for guard in self._benches[bench].public:
                counts[guard.rule] += times
        return counts - self._closed

    def unchecked(self) -> Counter[str]:
        """How many events each rule judged that cannot be run again: it looks at private facts."""
        counts = Counter(self._closed)
        for bench, times in self._judged.items():
            for guard in self._benches[bench].private:
                counts[guard.rule] += times
        return counts

    # -- what a world may look up --------------------------------------------------------------------------------------

    def load(self, stream: str) -> tuple[Any, int]:
        """The state of a stream before the command at hand, and its version."""
        return self._states.get(stream), self._versions.get(stream, 0)

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

    # -- judging -------------------------------------------------------------------------------------------------------

    def feed(self, leaf: int, event: Event) -> None:
        """Judge and fold the next event, whose form has been checked."""
        world = self._world
        if world is None or world.command != event.command:
            world = self._open(event)
        else:
            self._ordinal += 1
        self._versions[event.stream] = event.version
        self.events += 1
        try:
            self._fold(leaf, event, world)
        except NOT_FOLLOWING as error:
            self._find("EVENT_ORDER", leaf, f"{event.type} does not follow on what happened before: {error!r}")

    def _fold(self, leaf: int, event: Event, world: World) -> None:
        before = world.state(event.stream)
        after = kind_of(event.stream).evolve(before, event)
        pins = getattr(after if before is None else before, "pins", None)
        world.trail.append(event.type)
        proposed = Proposed(event.stream, event.type, event.data, event.subject, pins)
        self._judge(leaf, event, Case(proposed, before, world, governing(world, proposed, pins), _NO_REQUEST))
        world.advance(event.stream, after)
        self._touched[event.stream] = after

    def _judge(self, leaf: int, event: Event, case: Case) -> None:
        bench = self._bench(event.type, case.law)
        for guard in bench.public:
            case.rule = guard.rule
            try:
                judged = guard.judge(case)
                if judged is not None:
                    for finding in (judged,) if isinstance(judged, Finding) else judged:
                        self._find("RULE_BROKEN", leaf, f"{guard.rule}, {finding.field}: {finding.detail}")
            except (PrivateFact, Unknown):
                self._closed[guard.rule] += 1
        for version, rules in bench.rules.items():
            uncited = rules.difference(event.rules.get(version, ()))
            if uncited:
                detail = f"{min(uncited)} of edition {version} judges {event.type}, the event does not say so"
                self._find("RULE_UNCITED", leaf, detail)

    def _find(self, code: str, leaf: int, detail: str) -> None:
        self.faults += 1
        if len(self.findings) < MAX_FINDINGS:
            self.findings.append(LogFault(code, detail, f"event {leaf}"))

    def _open(self, event: Event) -> World:
        """Begin the next command: what the one before it wrote now stands in the states and indexes."""
        self._close()
        self._ordinal = 0
        self._world = World(
            facts=self,
            law=self._law_of(event),
            at=event.at,
            actor=Actor(event.actor["role"], event.actor["id"]),  # type: ignore[arg-type]
            command=event.command,
            salt=_no_salt,
        )
        return self._world

    def _law_of(self, event: Event) -> Law:
        """The law of a command; one object as long as the same editions are enacted and reach the same attempts. The
        first enactment of all is judged by the edition that it enacts."""
        version = self._edition_at(event.at)
        law = self._laws.get(version)
        if law is None and self._rulebook is not None:
            law = self._rulebook.law_at(self._shelf, event.at)
        elif law is None:
            first = event.data["version"] if event.type == "rulebook.edition.enacted" else None
            law = Law(self._shelf, first if first in self._shelf.versions else None)
        self._laws[version] = law
        return law.read_at(instants.micros(event.at))

    def _edition_at(self, at: str) -> str | None:
        """The edition in force; asked anew only where the rulebook has changed or holds an edition yet to come."""
        rulebook = self._states.get(STREAM)
        if not isinstance(rulebook, Rulebook):
            return None
        if rulebook is not self._rulebook:
            self._rulebook, self._settled, self._laws = rulebook, None, {}
        if self._settled is None:
            version = rulebook.edition_at(at)
            if any(edition.effective > at for edition in rulebook.editions):
                return version
            self._settled = version
        return self._settled

    def _close(self) -> None:
        for stream, state in self._touched.items():
            if self._states.get(stream) is state:
                continue
            self._states[stream] = state
            wanted = set(kind_of(stream).index(state))
            held = self._indexed.get(stream)
            if wanted == held:
                continue
            held = held or set()
            for entry in sorted(wanted - held):
                self._related.setdefault(entry, {})[stream] = None
            for entry in held - wanted:
                del self._related[entry][stream]
            self._indexed[stream] = wanted
        self._touched = {}

    def _bench(self, type_: str, law: Law) -> _Bench:
        key = type_, law
        self._judged[key] += 1
        bench = self._benches.get(key)
        if bench is None:
            every = list(binding(law, type_, include_any=True))
            public = tuple(guard for guard in every if not guard.private)
            private = tuple(guard for guard in every if guard.private)
            rules: dict[str, set[str]] = {}
            for guard in every:
                rules.setdefault(law.edition_of(guard.rule).version, set()).add(guard.rule)
            read = {version: frozenset(some) for version, some in rules.items()}
            bench = self._benches[key] = _Bench(public, private, read)
        return bench


def _no_salt(command: str, ordinal: int) -> bytes:
    raise PrivateFact("salt")
