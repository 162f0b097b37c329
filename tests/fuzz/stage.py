"""A bench in memory with a small cast, and the one way in which tests here send commands: checked first, then done.

Every sending is held against what must be true of any command: a dry run says what the deed will say, a refusal
writes nothing and names a rule of the edition, and what is written fits the second bookkeeper's record.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from fuzz.ledger import Ledger
from fuzz.values import Values
from steps.lives import Clock, entropy
from tollbench.adapters.bench import Bench, Done
from tollbench.domain.commands import Actor, Command
from tollbench.domain.deal.state import Deal
from tollbench.domain.passport.commands import RegisterAgent
from tollbench.domain.person.commands import CompleteVerification, RegisterPerson
from tollbench.domain.system_record.commands import DeclaredModel, DeclareSystem
from tollbench.domain.target.state import Target
from tollbench.protocol import envelope, instants
from tollbench.protocol.refusal import Problem, Refused

SYSTEM = Actor.system()
_ID = re.compile(r"([a-z_]+)-[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
_FOOTPRINT = "SELECT " + ", ".join(
    f"(SELECT count(*) FROM {table})"
    for table in ("commands", "vault", "claims", "related", "due", "keys", "stored_events")
)


class Sent(NamedTuple):
    """A command that was carried out, so that it can be sent again."""

    request: Command
    by: Actor
    key: str
    done: Done


class Stage:
    """The bench, its clock, its cast, every id seen so far, and the record of the second bookkeeper.

    `told` counts what came of the commands sent: `done`, or the rules that refused.
    """

    def __init__(self) -> None:
        self.clock = Clock()
        self.bench = Bench.open("memory:", clock=self.clock, entropy=entropy)
        self.ledger = Ledger()
        self.ids: defaultdict[str, list[str]] = defaultdict(list)
        self.told: Counter[str] = Counter()
        self.sent: list[Sent] = []
        self.commands = 0
        self.law = self.bench.law()
        self._read()
        self._cast()

    def _cast(self) -> None:
        self.steward = Actor("steward", self._person("steward"))
        self.posters = [Actor("person", self._person("person")) for _ in range(2)]
        both = self._person("operator", "person")
        self.operators = [Actor("operator", both), Actor("operator", self._person("operator"))]
        names = ("alder", "birch", "cedar", "dogwood")
        self.agents = [self._agent(name, self.operators[place % 2]) for place, name in enumerate(names)]
        verified = CompleteVerification(person=self.posters[0].id, checks=["identity", "uniqueness"])
        self.send(verified, self.steward)

    def _person(self, *capacity: str) -> str:
        request = RegisterPerson.model_validate({"capacity": list(capacity), "name": f"zqprivatezq {capacity}"})
        return self.must(request, SYSTEM).id

    def _agent(self, name: str, operator: Actor) -> Actor:
        request = RegisterAgent(agent_name=name, operator=operator.id, operator_name="Works", architecture="scaffold")
        agent = Actor("agent", self.must(request, operator).id)
        self.must(self.declaration(agent, "1.0"), agent)
        return agent

    def declaration(self, agent: Actor, version: str) -> DeclareSystem:
        """A complete declaration of a system of this agent."""
        models = [DeclaredModel(name="Granite", version="1")]
        return DeclareSystem(
            passport=agent.id,
            system_version=version,
            base_models=models,
            harness_version=f"h {version}",
            autonomy_level="autonomous",
            start_date="2026-08-01",
        )

    def values(self, random: Random) -> Values:
        """Makes field values out of the ids that exist here."""
        return Values(random, lambda kind: self.ids[kind])

    def operator_of(self, agent: Actor) -> Actor:
        """The operator of an agent of the cast."""
        return Actor("operator", self.bench.state(agent.id).operator)

    # -- sending -----------------------------------------------------------------------------------------------------

    def must(self, request: Command, by: Actor) -> Done:
        """Send a command that is carried out whatever happened before."""
        done = self.send(request, by)
        assert done is not None, f"{request!r} was refused"
        return done

    def send(
        self,
        request: Command,
        by: Actor,
        *,
        key: str | None = None,
        at: str | None = None,
        expected: Mapping[str, int] | None = None,
    ) -> Done | None:
        """Check the command, then send it, and hold both against everything that must be true. None: refused."""
        self.commands += 1
        before = self.footprint()
        plain = request.model_dump(mode="json")
        assert self.bench.parse(type(request).__name__, plain) == request, "as JSON it is another command"
        foreseen = self.bench.check(request, by=by, at=at, expected=expected)
        assert self.footprint() == before, "a dry run wrote something"
        key = key or f"step {self.commands}"
        try:
            done = self.bench.do(request, by=by, key=key, at=at, expected=expected)
        except Refused as refused:
            assert _said(foreseen) == _said(refused.problems), "the dry run said otherwise"
            self.refused(refused.problems, before)
            return None
        assert not foreseen, f"the dry run refused what was carried out: {foreseen}"
        self._done(Sent(request, by, key, done), before)
        return done

    def refused(self, problems: Sequence[Problem], before: tuple[int, ...]) -> None:
        """A refusal names rules of the edition, fields and fixes, and leaves everything as it was."""
        assert self.footprint() == before, "a refused command wrote something"
        for problem in problems:
            rule = self.law.current.rules[problem.rule]
            assert (problem.code, problem.revision) == (rule.reject_code, rule.rev), problem
            assert problem.edition == self.law.current.version and problem.detail and problem.fix, problem
            self.told[problem.rule] += 1

    def _done(self, sent: Sent, before: tuple[int, ...]) -> None:
        self.told["done"] += 1
        start = self.ledger.events
        if not sent.done.events:
            assert self.footprint() == before, "a command without events wrote something"
            return
        assert sent.done.position == start
        self.sent.append(sent)
        written = self._read()
        assert written == list(sent.done.events), "the answer is not what the log holds"
        for stream in {event.stream for event in written}:
            self._hold(self.bench.state(stream))

    def footprint(self) -> tuple[int, ...]:
        """How many rows every table of the store has."""
        with self.bench.store.unit(write=False) as unit:
            return tuple(unit._rows(_FOOTPRINT)[0])

    def _read(self) -> list[envelope.Event]:
        """Read what is new in the log, and note every id in it."""
        found = []
        for leaf, body in self.bench.log(self.ledger.events):
            event = envelope.from_bytes(body)
            self.ledger.feed(leaf, body, event)
            self.told[event.type] += 1
            for text in (event.stream, event.subject, *event.data.values()):
                shape = _ID.fullmatch(text) if isinstance(text, str) else None
                if shape and text not in self.ids[shape[1]]:
                    self.ids[shape[1]].append(text)
            found.append(event)
        return found

    def _hold(self, state: Any) -> None:
        """Hold a live state against the second bookkeeper's record."""
        if isinstance(state, Target):
            p = self.ledger.p.get(state.id)
            assert (None if state.p is None else str(state.p)) == p, "p is not the one that was frozen"
            assert len(state.namings) == len(self.ledger.named.get(state.id, ()))
        elif isinstance(state, Deal):
            books, money = self.ledger.deals[state.id], state.money
            accounts = {"person": books.person, "escrow": books.escrow, "agent": books.agent}
            assert (money.accounts, money.balance) == (accounts, books.escrow)
            if state.status == "signed":
                assert state.requests.keys() == books.waits.keys()
                assert (state.turn_since is None) == bool(books.waits), "the clock pauses while the person is asked"
            elif state.status == "resolved":
                assert (state.resolution, state.o, state.resolved_at) == books.end, "terminal is terminal"
                assert books.escrow == 0 and state.turn_since is None

    def sweep(self) -> None:
        """Let the clock do what it owes; then nothing is due any more."""
        swept = self.bench.sweep()
        self.told["swept"] += len(swept)
        written = self._read()
        assert written == [event for done in swept for event in done.events]
        for event in written:
            self._hold(self.bench.state(event.stream))
        with self.bench.store.unit(write=False) as unit:
            assert unit.next_due(self.ledger.last_at if self.ledger.last_at > self.now else self.now) is None

    @property
    def now(self) -> str:
        """The present instant as text."""
        return instants.text(self.clock.now)


def _said(problems: Sequence[Problem]) -> list[tuple[str, str, str]]:
    return [(problem.rule, problem.field, problem.fix) for problem in problems]
