"""The composition root: `Bench.open` builds everything, `do` carries out a command.

    with Bench.open("bench.db") as bench:
        ada = bench.do(RegisterPerson(capacity=["person"], name="Ada"), by=Actor.system()).id

One command is one transaction: states are read, the command is judged, its events are appended to every stream they
belong to, private matter goes to the vault, and the result is remembered under the command's key, all or nothing.
"""

from __future__ import annotations

import os
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol, Self

import orjson

from ..domain import protocol, vault
from ..domain.boundary import parse
from ..domain.commands import Actor, Command
from ..domain.deal.commands import SweepDeal
from ..domain.deal.state import OF_TARGET, Deal
from ..domain.erasure import EraseVault
from ..domain.events import read
from ..domain.rulebook.commands import EnactEdition
from ..domain.rulebook.state import Rulebook
from ..domain.streams import kind_of
from ..domain.world import World
from ..projections.attempts import LedgerFacts
from ..projections.board import board_bytes, board_of
from ..projections.facts import ledger
from ..projections.public_record import public_record
from ..projections.rows import Row
from ..projections.todo import Todo, todo
from ..protocol import canonical, envelope, instants, signature
from ..protocol.commitment import SALT_BYTES
from ..protocol.edition import EditionError, Shelf, shelf
from ..protocol.envelope import Event
from ..protocol.refusal import Problem, Refused
from ..rules.law import Law
from . import views
from .store import SqliteStore, StoreError, open_store
from .store.unit import Damaged, Unit

CACHED_STATES = 20_000
_KEY_ORDINAL = 1 << 20


class Entropy(Protocol):
    """Where salts and custodial keys come from: 32 bytes for a command and an ordinal."""

    def __call__(self, command: str, ordinal: int, /) -> bytes: ...


class Signer(Protocol):
    """Who signs for actors: the Ed25519 signature (hexadecimal) of the actor over the statement, or None."""

    def __call__(self, actor: str, statement: bytes, /) -> str | None: ...


def system_entropy(command: str, ordinal: int) -> bytes:
    """Fresh random bytes; the default."""
    return secrets.token_bytes(32)


def _whole_entropy(entropy: Entropy) -> Entropy:
    """The same source, which must give 32 bytes each time: less would make a salt that can be guessed."""

    def draw(command: str, ordinal: int, /) -> bytes:
        drawn = entropy(command, ordinal)
        if not isinstance(drawn, bytes) or len(drawn) != SALT_BYTES:
            raise ValueError(f"the source of entropy gives {SALT_BYTES} bytes each time")
        return drawn

    return draw


def system_clock() -> datetime:
    """The present instant; the default."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Done:
    """A command that was carried out.

    `ids` are the entities it created, oldest first; `events` what it wrote; `position` the leaf index of the first of
    them. `repeated` says that this is the answer to an earlier sending of the same command under the same key.
    """

    command: str
    ids: tuple[str, ...]
    events: tuple[Event, ...]
    position: int
    repeated: bool = False

    @property
    def id(self) -> str:
        """The first entity that the command created. Raises `LookupError` where it created none."""
        if not self.ids:
            raise LookupError("this command creates no entity")
        return self.ids[0]


class Bench:
    """An open bench. Make one with `Bench.open`; close it, or use it in a `with` block."""

    def __init__(
        self,
        store: SqliteStore,
        *,
        clock: Callable[[], datetime] = system_clock,
        entropy: Entropy = system_entropy,
        editions: Shelf | None = None,
        signer: Signer | None = None,
    ) -> None:
        self.store = store
        self.editions = editions or shelf()
        self._clock = clock
        self._entropy = _whole_entropy(entropy)
        self._signer = signer
        self._states: OrderedDict[str, tuple[Any, int]] = OrderedDict()
        self._lock = threading.RLock()
        self._begin()

    @classmethod
    def open(
        cls,
        url: str | os.PathLike[str],
        *,
        clock: Callable[[], datetime] = system_clock,
        entropy: Entropy = system_entropy,
        editions: Shelf | None = None,
        signer: Signer | None = None,
        create: bool = True,
    ) -> Self:
        """Open the bench at `memory:`, a path or `sqlite:///path`, made if it does not exist.

        `clock` gives the present instant (aware), `entropy` salts and keys, `editions` the rulebook editions. Without a
        `signer` the bench is custodial: it keeps keys for actors that register none, and signs for them. With one it
        keeps none, actors register public keys of their own, and the signer signs where a command brings no signature.
        Raises `StoreError`.
        """
        return cls(open_store(url, create=create), clock=clock, entropy=entropy, editions=editions, signer=signer)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store."""
        self.store.close()

    # -- commands ----------------------------------------------------------------------------------------------------

    def do(
        self,
        request: Command,
        *,
        by: Actor,
        key: str | None = None,
        at: str | None = None,
        expected: Mapping[str, int] | None = None,
    ) -> Done:
        """Carry out a command and return what it wrote.

        `key` makes a repeat harmless: the same key and body give the first answer again (once private matter of the
        command was erased, the key alone does). `at` acts at an instant other than the clock's (never before the last
        committed one). `expected` names stream versions the sender relies on. Raises `Refused` with every problem;
        then nothing is written and the key stays free.
        """
        with self._lock:
            with self.store.unit(write=True) as unit:
                done = self._run(unit, request, by, secrets.token_hex(16) if key is None else key, at, expected or {})
            if isinstance(request, EraseVault):
                self.store.scrub()
            return done

    def check(
        self, request: Command, *, by: Actor, at: str | None = None, expected: Mapping[str, int] | None = None
    ) -> tuple[Problem, ...]:
        """Every problem that `do` would refuse the command for; empty when it would be carried out. Writes nothing."""
        with self._lock, self.store.unit(write=False) as unit:
            try:
                self._run(unit, request, by, secrets.token_hex(16), at, expected or {}, dry=True)
            except Refused as refused:
                return refused.problems
            return ()

    def parse(self, name: str, fields: Mapping[str, Any]) -> Command:
        """A typed command from its public name and plain fields. Raises `Refused` with every problem of its shape."""
        request, problems = parse(self.law(), name, fields)
        if problems or request is None:
            raise Refused(problems)
        return request

    def sweep(self, now: datetime | None = None) -> tuple[Done, ...]:
        """Do everything that the clock owes up to `now` (the clock's instant by default), in order of its due instants.

        A resolution made by the clock carries its due instant, however late the sweep is.
        """
        until = instants.text(now or self._clock())
        done: list[Done] = []
        while True:
            with self._lock, self.store.unit(write=True) as unit:
                due = unit.next_due(until)
                if due is None:
                    return tuple(done)
                stream, at = due
                moment = max(until, unit.last_at() or until)
                swept = self._run(unit, SweepDeal(deal=stream), Actor.system(), f"sweep/{stream}/{at}", moment, {})
            if not swept.events:
                raise RuntimeError(f"{stream} is due at {at} but its sweep did nothing")
            done.append(swept)

    # -- reading -----------------------------------------------------------------------------------------------------

    def law(self) -> Law:
        """The law in force now."""
        with self._lock, self.store.unit(write=False) as unit:
            return self._law_at(unit, instants.text(self._clock()))

    def now(self) -> str:
        """The instant at which the bench stands: that of its clock, or of the last event where that is later."""
        with self.store.unit(write=False) as unit:
            last = unit.last_at()
        now = instants.text(self._clock())
        return max(now, last or now)

    def state(self, stream: str) -> Any:
        """The present state of a stream, or None."""
        with self._lock, self.store.unit(write=False) as unit:
            return self._load(unit, stream)[0]

    def version(self, stream: str) -> int:
        """The present version of a stream; 0 where it has no event."""
        with self._lock, self.store.unit(write=False) as unit:
            return self._load(unit, stream)[1]

    def position(self) -> int:
        """How many events the log holds."""
        with self.store.unit(write=False) as unit:
            return unit.position()

    def log(self, start: int = 0) -> Iterator[tuple[int, bytes]]:
        """Every event from this leaf index on, as `(leaf index, canonical bytes)`, read page by page."""
        while True:
            with self.store.unit(write=False) as unit:
                rows = unit.page(start)
            if not rows:
                return
            yield from rows
            start = rows[-1][0] + 1

    def events(self, start: int = 0) -> Iterator[Event]:
        """Every event from this leaf index on, as it was written (see `domain.events.read` for older schemas)."""
        for _, body in self.log(start):
            yield envelope.from_bytes(body)

    def stream(self, stream: str) -> list[bytes]:
        """The canonical bytes of every event of one stream, in order."""
        with self.store.unit(write=False) as unit:
            return unit.stream(stream)

    def public_record(self, deal: str) -> dict[str, Any]:
        """What anyone may see of a deal, from public events alone. Raises `Unknown` where there is no such deal."""
        with self._lock, self.store.unit(write=False) as unit:
            found = Deal.of(_Facts(self, unit), deal)
            bodies = [body for stream in (found.person, found.target, found.id) for body in unit.stream(stream)]
            events = [read(body) for body in bodies]
            return public_record(self._law_at(unit, None), events)

    def todo(self) -> list[Todo]:
        """What waits for whom, by party and due instant."""
        with self._lock, self.store.unit(write=False) as unit:
            facts = _Facts(self, unit)
            return todo(facts, unit.all_streams(), lambda target: unit.related(OF_TARGET, target))

    def facts(self, *, fresh: bool = False) -> LedgerFacts:
        """What the ledger says about every attempt, from the live view; with `fresh` from a replay of the log."""
        if not fresh:
            views.catch_up(self.store)
        with self._lock, self.store.unit(write=False) as unit:
            rows: Iterable[tuple[str, Row]]
            rows = views.fold_in_memory(self.log()).items() if fresh else views.stored_rows(unit)
            return ledger(rows, self._law_at(unit, None))

    def board(self, *, fresh: bool = False) -> dict[str, Any]:
        """The board: every published figure, recomputed at the log's present position.

        It reads no clock: the same log gives the same board. With `fresh` everything is folded anew from the log.
        """
        facts = self.facts(fresh=fresh)
        with self._lock, self.store.unit(write=False) as unit:
            return board_of(facts, self._law_at(unit, None))

    def board_bytes(self, *, fresh: bool = False) -> bytes:
        """The canonical bytes of the board, as `board.json` holds them."""
        return board_bytes(self.board(fresh=fresh))

    def related(self, relation: str, key: str) -> tuple[str, ...]:
        """The streams in the private index under this relation and key, oldest first."""
        with self.store.unit(write=False) as unit:
            return unit.related(relation, key)

    def reveal(self, commitment: str, *, by: Actor) -> Any:
        """The private matter behind a commitment, for a reader who may see it.

        Returns None where it was erased. Raises `Refused` with the rule that seals it for everybody else.
        """
        with self._lock, self.store.unit(write=False) as unit:
            row = unit.vault_row(commitment)
            if row is None:
                return None
            world = self._world(unit, by, instants.text(self._clock()), "00000000-0000-5000-8000-000000000000", {})
            problems = vault.problems(world, row)
            if problems:
                raise Refused(problems)
            return row.body

    # -- inside one transaction ----------------------------------------------------------------------------------------

    def _begin(self) -> None:
        self.store.scrub()  # a process that was killed may have left pages from before an erasure
        with self._lock, self.store.unit(write=True) as unit:
            if unit.meta("secret") is not None:
                self._recognise(unit)
                return
            if unit.position():
                raise Damaged("the setting secret is missing")
            unit.set_meta("secret", self._entropy("00000000-0000-5000-8000-000000000000", 0))
            edition = self.editions.current
            genesis = EnactEdition(version=edition.version, hash=edition.hash)
            self._run(unit, genesis, Actor.system(), f"genesis/{edition.version}", None, {})

    def _recognise(self, unit: Unit) -> None:
        """Refuse a bench whose ledger pins an edition that is not here, or another text of it, as `StoreError`."""
        rulebook = self._load(unit, "rulebook")[0]
        for enacted in rulebook.editions if isinstance(rulebook, Rulebook) else ():
            try:
                found = self.editions.get(enacted.version).hash
            except EditionError as error:
                raise StoreError(f"{self.store.label}: {error}; open it with a version that has this edition") from None
            if found != enacted.hash:
                raise StoreError(
                    f"{self.store.label}: pins edition {enacted.version} as {enacted.hash}, which is {found} here; open"
                    " it with the version that made it, or start a new bench"
                )

    def _law_at(self, unit: Unit, at: str | None) -> Law:
        """The law in force at an instant (UTC text), or at the last event where that is later or none is given."""
        rulebook = self._load(unit, "rulebook")[0]
        moments = [moment for moment in (at, unit.last_at()) if moment is not None]
        if isinstance(rulebook, Rulebook) and moments:
            return rulebook.law_at(self.editions, max(moments))
        return Law(self.editions)

    def _load(self, unit: Unit, stream: str) -> tuple[Any, int]:
        state, version = self._states.get(stream, (None, 0))
        kind = kind_of(stream)
        fresh = unit.stream(stream, version)
        for body in fresh:
            try:
                event = read(body)
            except envelope.UnreadableEvent:
                raise  # sound, and of a newer version
            except (canonical.CanonicalError, envelope.EnvelopeError) as error:
                raise Damaged(f"an event of {stream} after version {version}: {error}") from None
            state, version = kind.evolve(state, event), event.version
        if fresh:
            self._states[stream] = (state, version)
        if stream in self._states:
            self._states.move_to_end(stream)
            if len(self._states) > CACHED_STATES:
                self._states.popitem(last=False)
        return state, version

    def _world(self, unit: Unit, by: Actor, at: str, command: str, keys: dict[str, bytes]) -> World:
        def seed_of(actor: str) -> bytes | None:
            return keys.get(actor) or unit.key_seed(actor)

        def sign(actor: str, statement: bytes) -> str | None:
            if self._signer is not None:
                return self._signer(actor, statement)
            seed = seed_of(actor)
            return None if seed is None else signature.sign(seed, statement)

        def new_key(actor: str) -> str | None:
            if self._signer is not None:
                return None
            keys[actor] = self._entropy(command, _KEY_ORDINAL + len(keys))
            return signature.public_of(keys[actor])

        return World(
            facts=_Facts(self, unit),
            law=self._law_at(unit, at),
            at=at,
            actor=by,
            command=command,
            salt=self._entropy,
            sign=sign,
            new_key=new_key,
        )

    def _run(
        self,
        unit: Unit,
        request: Command,
        by: Actor,
        key: str,
        at: str | None,
        expected: Mapping[str, int],
        *,
        dry: bool = False,
    ) -> Done:
        if not isinstance(request, Command):
            raise TypeError(f"a command is needed, not {type(request).__name__}; `parse` makes one from plain fields")
        flawed = protocol.boundary.sending_problems(self._law_at(unit, None), by, key, at, expected)
        if flawed:
            raise Refused(flawed)
        body = canonical.dumps({"command": type(request).__name__, "fields": request.model_dump(mode="json")})
        digest = unit.digest(body)
        command = envelope.command_id(by.id, key)
        earlier = unit.command(command)
        if earlier is not None and earlier[0] in (digest, None):
            return _answer(unit, command, earlier[1])
        last_at = unit.last_at()
        given = at if at is None else instants.text(instants.parse(at))
        now = given or instants.text(self._clock())
        moment = max(now, last_at) if last_at else now
        keys: dict[str, bytes] = {}
        world = self._world(unit, by, moment, command, keys)
        received = {"other_body": earlier is not None, "expected": expected, "at": given, "last_at": last_at}
        outcome = protocol.submit(request, world, received)
        if outcome.problems:
            raise Refused(outcome.problems)
        if dry or not outcome.events:
            return Done(command, tuple(world.created), tuple(outcome.events), unit.position())
        leaves = unit.append(outcome.events)
        for scope, value, owner in world.claims:
            unit.claim(scope, value, owner)
        unit.keep(world.vault, command)
        for actor, seed in keys.items():
            unit.keep_key(actor, seed)
        for stream, state in outcome.states.items():
            unit.index(stream, state)
        for event in outcome.events:
            if event.type == "vault.erased":
                unit.erase(event.data["commitment"])
        result = {"ids": list(world.created), "first": leaves[0], "count": len(leaves)}
        unit.record_command(command, digest, orjson.dumps(result))
        return Done(command, tuple(world.created), tuple(outcome.events), leaves[0])


def _answer(unit: Unit, command: str, result: bytes) -> Done:
    stored = orjson.loads(result)
    events = tuple(envelope.from_bytes(body) for _, body in unit.page(stored["first"], stored["count"]))
    return Done(command, tuple(stored["ids"]), events, stored["first"], repeated=True)


class _Facts:
    """The store as deciders see it."""

    def __init__(self, bench: Bench, unit: Unit) -> None:
        self._bench = bench
        self._unit = unit
        self.claimed = unit.claimed
        self.related = unit.related
        self.reveal = unit.reveal
        self.row = unit.vault_row
        self.position = unit.position

    def load(self, stream: str) -> tuple[Any, int]:
        return self._bench._load(self._unit, stream)

    def state(self, stream: str) -> Any:
        return self.load(stream)[0]
