"""The whole protocol under random use: valid and invalid commands of every actor on a bench in memory, at any instant.

Each step sends one command, most often a sensible one, and holds its outcome against what must always be true
(`fuzz.stage`, `fuzz.ledger`); each example ends with a replay of its log. `TOLL_FUZZ=N` plays N/20 examples.
"""

from __future__ import annotations

import os
from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from fuzz.deal_moves import of_deal
from fuzz.ledger import band_of, texts
from fuzz.moves import BACK, Move, at_large, intake, of_target
from fuzz.stage import SYSTEM, Sent, Stage
from steps.pulses import board_without, is_pulse
from tollbench.adapters.replay import replay_check
from tollbench.domain.commands import Actor, commands
from tollbench.domain.target import odds
from tollbench.domain.target.state import Target
from tollbench.protocol import instants
from tollbench.protocol.refusal import Refused

STEPS, EXAMPLES, SEED = 200, 100, 1
LEAST = 20_000
SEEDS = st.binary(min_size=4, max_size=4)
"""What one step is made from; bytes, because small integers would come up again and again."""
ENDS = ("declined", "delivered", "ended", "expired", "lapsed", "stopped", "walked")
NOBODY = "00000000-0000-5000-8000-000000000000"
SHAPE = {"TB-CMD-001", "TB-CMD-006"}
DAY = 86_400
SPANS = (0, 0, 0.000001, 0.000001, 1, 1, 600, 1_799, 1_800, 1_801, 3_600, 7_200, DAY // 2, DAY, DAY, 3 * DAY, 14 * DAY)

steps: Counter[str] = Counter()
"""What all examples of this process sent, and what came of it."""


class Protocol(RuleBasedStateMachine):
    """Actors who act at random."""

    def __init__(self) -> None:
        super().__init__()
        self.stage = Stage()

    def dice(self, seed: bytes) -> Random:
        """The choices of one step. Hypothesis likes to repeat itself: the place of the step makes them differ."""
        return Random(seed + bytes(str(self.stage.commands), "ascii"))

    @initialize(seed=SEEDS)
    def begin(self, seed: bytes) -> None:
        """Two wants are on their way already, one of them perhaps as far as a running deal."""
        random = self.dice(seed)
        for poster in self.stage.posters:
            self.send(random, intake(random, poster))
        for _ in range(random.choice((0, 12, 16, 20))):
            kind = "deal" if self.stage.ids["deal"] else "target"
            things = [self.stage.bench.state(id) for id in self.stage.ids[kind][:1]]
            moves = [move for thing in things for move in self.moves(random, thing) if move.command not in BACK]
            if moves:
                self.send(random, random.choice(moves))

    # -- who acts --------------------------------------------------------------------------------------------------

    @rule(seed=SEEDS)
    def poster_acts(self, seed: bytes) -> None:
        self.act(self.dice(seed), "person")

    @rule(seed=SEEDS)
    def agent_acts(self, seed: bytes) -> None:
        self.act(self.dice(seed), "agent")

    @rule(seed=SEEDS)
    def steward_acts(self, seed: bytes) -> None:
        self.act(self.dice(seed), "steward")

    @rule(seed=SEEDS)
    def anybody_acts(self, seed: bytes) -> None:
        self.act(self.dice(seed), None)

    @rule(seed=SEEDS)
    def time_goes_by(self, seed: bytes) -> None:
        """Time goes by, often to an instant at which something falls due or to a microsecond beside it."""
        random = self.dice(seed)
        due = [at for at in self.due() if at > self.stage.clock.now]
        if due and random.random() < 0.6:
            at = random.choice(sorted(due)[:2])
            off = random.choice((-1, 0, 0, 1))
            self.stage.clock.now = max(self.stage.clock.now, instants.from_micros(instants.micros(at) + off))
        else:
            self.stage.clock.forward(seconds=random.choice(SPANS))
        if random.random() < 0.5:
            self.stage.sweep()
        self.act(random, None)

    def due(self) -> list[Any]:
        """Every instant that the clock waits for."""
        with self.stage.bench.store.unit(write=False) as unit:
            found = {at for _, at in unit.due()}
        for id in self.stage.ids["deal"]:
            deal = self.stage.bench.state(id)
            found |= {deal.deadline, deal.pulse.next_due_at, *deal.requests.values()} if deal.active else set()
        return [instants.parse(at) for at in found if at is not None]

    # -- what is sent ----------------------------------------------------------------------------------------------

    def act(self, random: Random, role: str | None) -> None:
        """Send a sensible command of this role, or of any."""
        move = self.move(random, role)
        if move is not None:
            self.send(random, move)

    def move(self, random: Random, role: str | None) -> Move | None:
        """A sensible move on something that exists, by an actor of this role where there is one."""
        stage = self.stage
        things = [stage.bench.state(id) for kind in ("target", "deal", "deal") for id in stage.ids[kind][-4:]]
        running = [thing for thing in things if getattr(thing, "active", False)]
        found: list[Move] = []
        if things and random.random() < 0.94:
            found = self.moves(random, random.choice(running if running and random.random() < 0.75 else things))
        found = found or list(at_large(stage, random))
        wanted = [move for move in found if role is None or move.by.role == role]
        return random.choice(wanted or found) if found else None

    def moves(self, random: Random, thing: Any) -> list[Move]:
        """What could be done with this want or deal."""
        return list((of_target if isinstance(thing, Target) else of_deal)(self.stage, random, thing))

    def send(self, random: Random, move: Move) -> None:
        """Parse and send it, now and then with a version, an instant or a key that the sender states."""
        options: dict[str, Any] = {}
        if random.random() < 0.05:
            last = instants.micros(self.stage.ledger.last_at)
            at = instants.from_micros(last + random.choice((-1, 0, 0, 1)))
            options["at"] = instants.text(max(at, min(at, self.stage.clock.now)))
        if random.random() < 0.05:
            stream = random.choice((self.stage.steward.id, "rulebook", f"deal-{NOBODY}"))
            options["expected"] = {stream: self.stage.bench.version(stream) + random.choice((0, 0, 1))}
        before = self.stage.footprint()
        try:
            request = self.stage.bench.parse(move.command.__name__, move.fields)
        except Refused as refused:
            self.stage.commands += 1
            assert {problem.rule for problem in refused.problems} <= SHAPE, refused.problems
            self.stage.refused(refused.problems, before)
            return
        self.stage.send(request, move.by, **options)

    @rule(seed=SEEDS)
    def somebody_else_sends_it(self, seed: bytes) -> None:
        """A sensible command, but of another actor, under another role, or about another thing."""
        random = self.dice(seed)
        move = self.move(random, None)
        if move is None:
            return
        if random.random() < 0.6:
            move = move._replace(by=self.anybody(random))
        else:
            name, made = random.choice(list(move.fields)), self.stage.values(random).fields(move.command)
            move = move._replace(fields=move.fields | {name: made.get(name, move.fields[name])})
        self.send(random, move)

    @rule(seed=SEEDS)
    def anything_at_all(self, seed: bytes) -> None:
        """Any command with fields made from its model alone, every third one with fields that do not fit."""
        random = self.dice(seed)
        name = random.choice(sorted(commands()))
        values, model = self.stage.values(random), commands()[name]
        fields = values.fields(model)
        if random.random() < 0.33:
            fields = values.spoil(model, fields)
        self.send(random, Move(model, fields, self.anybody(random)))

    def anybody(self, random: Random) -> Actor:
        """Anyone who exists under any role, or someone who does not exist."""
        stage = self.stage
        known = [*stage.posters, *stage.operators, *stage.agents, stage.steward, SYSTEM]
        if random.random() < 0.75:
            return random.choice(known)
        ids = [*(actor.id for actor in known), f"person-{NOBODY}", f"passport-{NOBODY}", "", "person-\ud800", "x\ny"]
        roles: Any = ("person", "agent", "operator", "steward", "system", "king")
        return Actor(random.choice(roles), random.choice(ids))

    @rule(seed=SEEDS)
    def sent_again(self, seed: bytes) -> None:
        """A command is sent a second time: the same answer. Another body under its key: refused."""
        random = self.dice(seed)
        if not self.stage.sent:
            return
        old: Sent = random.choice(self.stage.sent)
        before = self.stage.footprint()
        self.stage.commands += 1
        again = self.stage.bench.do(old.request, by=old.by, key=old.key)
        assert again.repeated and (again.ids, again.events, again.position) == (
            old.done.ids, old.done.events, old.done.position,
        )  # fmt: skip
        other = random.choice(self.stage.sent)
        if other.request != old.request:
            self.another_body(old, other, before)
        assert self.stage.footprint() == before

    def another_body(self, old: Sent, other: Sent, before: tuple[int, ...]) -> None:
        """Another body under a key is refused; where private matter of the first was erased, the key is all there is
        to know it by, and it gets the first answer."""
        try:
            done = self.stage.bench.do(other.request, by=old.by, key=old.key)
        except Refused as refused:
            self.stage.refused(refused.problems, before)
            assert "TB-CMD-005" in {problem.rule for problem in refused.problems}
        else:
            assert self.stage.ledger.erased & {text for event in old.done.events for text in texts(event.data)}
            assert done.repeated and done.events == old.done.events

    # -- the end ---------------------------------------------------------------------------------------------------

    def teardown(self) -> None:
        stage = self.stage
        steps.update(stage.told)
        steps["steps"] += stage.commands
        stage.sweep()
        assert not replay_check(stage.bench).differences
        stage.bench.todo()
        self.figures()
        self.seals()
        if stage.commands % 4 == 0:
            assert board_without(stage, is_pulse) == board_without(stage, lambda type_: False)
        for books in stage.ledger.deals.values():
            steps["deals"] += 1
            if books.end is not None:
                steps[f"deal {books.end[0]}"] += 1
        stage.bench.close()

    def figures(self) -> None:
        """The facts of every attempt are those of the second bookkeeper."""
        stage = self.stage
        bands = odds.bands_of(stage.law, stage.bench.events())
        assert bands == {target: band_of(p) for target, p in stage.ledger.p.items()}
        for fact in stage.bench.facts().attempts:
            if fact.origin == "historic":
                continue
            books = stage.ledger.deals[fact.deal]
            assert fact.c_cents == books.agent
            assert fact.p_bp == int(float(stage.ledger.p[stage.bench.state(fact.deal).target]) * 10_000 + 0.5)
            if books.end is not None:
                assert fact.t_seconds == books.agent_micros() // 10**6
                assert (fact.end, fact.o) == books.end[:2]

    def seals(self) -> None:
        """Bids are read by their own agent and the poster, never by another agent; pulses by the two sides."""
        stage = self.stage
        for event in stage.bench.events():
            if event.type == "proposal.submitted":
                poster = stage.bench.state(event.stream).person
                commitment, own = event.data["proposal_commitment"], {event.data["passport"], poster}
            elif event.type == "agent.checkin.posted":
                deal = stage.bench.state(event.stream)
                commitment, own = event.data["pulse_commitment"], {deal.passport, deal.person}
            else:
                continue
            for reader in (*stage.agents, *stage.operators):
                try:
                    body = stage.bench.reveal(commitment, by=reader)
                    assert reader.id in own or body is None, f"{reader} reads what is sealed"
                except Refused as refused:
                    assert reader.id not in own, refused


def test_the_protocol_holds_under_random_use(capsys: pytest.CaptureFixture[str]) -> None:
    longer = int(os.environ.get("TOLL_FUZZ", "0")) // 20
    chosen = settings(
        max_examples=max(EXAMPLES, longer),
        stateful_step_count=STEPS,
        derandomize=False,
        suppress_health_check=list(HealthCheck),
    )
    if longer <= EXAMPLES:  # the suite plays the same examples each time: a rare end cannot fail it by luck
        seed(SEED)(Protocol)
    steps.clear()
    run_state_machine_as_test(Protocol, settings=chosen)
    with capsys.disabled():
        ends = ", ".join(f"{steps[f'deal {end}']} {end}" for end in ENDS)
        print(f"\n{steps['steps']} random steps, {steps['done']} carried out, {steps['deals']} deals: {ends}")
    assert steps["steps"] >= LEAST
    assert not [end for end in ENDS if not steps[f"deal {end}"]], "an end that no attempt came to"
