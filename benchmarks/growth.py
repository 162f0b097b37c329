"""What a growing ledger costs: commands on a bench of 100,000 events beside an empty one, and a replay of a million.

Part one opens two benches on disk. One is filled with rounds of a simulated season whose ids and dates are made fresh
for every round, with all private tables beside the events; the other is empty. The same lives are then lived on both,
each command on the one bench right after the other. For every command p50 and p99 of the elapsed time are compared,
and p50 of the processor time, which neighbours on the machine and the disk leave alone. The least of three runs counts.

Part two replays a million events in such rounds. The states of a round are let go when it ends, so that what is left
must stay flat; then a few rounds are replayed with every state kept, which says what the live state takes.

Run: `python benchmarks/growth.py [events on the bench] [events replayed]`. Ends with status 1 where a goal is missed.
"""

from __future__ import annotations

import hashlib
import re
import resource
import sys
from collections import defaultdict
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import groupby
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, thread_time
from typing import Any

from tollbench.adapters.bench import Bench, Done
from tollbench.adapters.replay import Replayer
from tollbench.adapters.simulator.dice import SeededEntropy
from tollbench.adapters.simulator.season import open_bench, play
from tollbench.adapters.simulator.stage import WEEKS, Clock
from tollbench.domain.commands import Actor, commands
from tollbench.domain.streams import kind_of
from tollbench.domain.world import VaultRow
from tollbench.protocol import envelope, instants

LEDGER, REPLAYED = 100_000, 1_000_000
RUNS, LIVES = 3, 40
MOST = 1.3
KEPT_MB = 30
"""How much the memory of a replay may grow from its second round to its last, apart from states."""
BATCH = 2_000
SYSTEM = Actor.system()
DAY = 86_400


# -- a log of any length ----------------------------------------------------------------------------------------------


class Rounds:
    """A simulated season, again and again: round after round with fresh ids, digests and later dates.

    What exists once on a bench (rulebook, periods, imports) is left out.
    """

    _PARTS = re.compile(
        rb"[0-9a-f]{8}(?=-[0-9a-f]{4}-5[0-9a-f]{3}-)|(?<=sha256:)[0-9a-f]{8}|[0-9]{4}-[0-9]{2}-[0-9]{2}(?=T)"
    )
    _SPREAD = 0x9E3779B1

    def __init__(self, targets: int = 60) -> None:
        bench, clock = open_bench("memory:", 1)
        with bench:
            play(bench, clock, 1, targets, lambda part: None)
            events = list(bench.events())
        once = ("rulebook", "period", "import")
        self._season = [envelope.to_bytes(event) for event in events if not event.stream.startswith(once)]
        self.size = len(self._season)

    def bodies(self, number: int) -> Iterator[bytes]:
        """The events of one round as canonical bytes."""
        shift, days = number * self._SPREAD, timedelta(weeks=(WEEKS + 8) * number)
        seen: dict[bytes, bytes] = {}

        def fresh(found: re.Match[bytes]) -> bytes:
            part = found.group()
            made = seen.get(part)
            if made is None:
                if len(part) == 8:
                    made = b"%08x" % ((int(part, 16) + shift) & 0xFFFFFFFF)
                else:
                    made = str(date.fromisoformat(part.decode()) + days).encode()
                seen[part] = made
            return made

        for body in self._season:
            yield self._PARTS.sub(fresh, body)


def fill(bench: Bench, rounds: Rounds, events: int) -> str:
    """Write so many events of rounds, and what commands keep beside them; returns the instant of the last one."""
    number, last = 0, ""
    while bench.position() < events:
        states: dict[str, Any] = {}
        made = [envelope.from_bytes(body) for body in rounds.bodies(number)]
        for start in range(0, len(made), BATCH):
            last = _write(bench, made[start : start + BATCH], states)
        number += 1
    return last


def _write(bench: Bench, events: list[envelope.Event], states: dict[str, Any]) -> str:
    with bench.store.unit(write=True) as unit:
        first = unit.append(events)[0]
        for event in events:
            states[event.stream] = kind_of(event.stream).evolve(states.get(event.stream), event)
        for stream in {event.stream for event in events}:
            unit.index(stream, states[stream])
            if stream.startswith(("person", "passport")):
                unit.claim("name", stream, stream)
                unit.keep_key(stream, bytes(32))
        for command, group in groupby(enumerate(events, first), key=lambda pair: pair[1].command):
            written = list(group)
            result = b'{"ids":[],"first":%d,"count":%d}' % (written[0][0], len(written))
            if unit.command(command) is None:
                unit.record_command(command, hashlib.sha256(command.encode()).digest(), result)
            for _, event in written:
                kept = [value for name, value in event.data.items() if name.endswith("_commitment") and value]
                unit.keep([_row(value, event.stream) for value in kept], command)
    return events[-1].at


def _row(commitment: str, subject: str) -> VaultRow:
    return VaultRow(commitment, "text", subject, (subject, "steward"), bytes(32), {"text": "private " * 40})


Times = defaultdict[str, list[tuple[list[float], list[float]]]]
ALL = "every command"


# -- lives lived on two benches at once -------------------------------------------------------------------------------


class Pair:
    """Two benches that are sent the same commands. `times[command]` lists what each sending took on the two benches: a
    pair of elapsed seconds and a pair of processor seconds."""

    def __init__(self, benches: tuple[Bench, Bench], clock: Clock, run: int) -> None:
        self.benches = benches
        self.clock = clock
        self.times: Times = defaultdict(list)
        self._key = f"{run}/"
        self._sent = 0

    def do(self, by: Actor, command: str, /, **fields: Any) -> Done:
        """Send a command to both, the one first that was second before; what the first bench answered."""
        self._sent += 1
        self.clock.now += timedelta(seconds=1)
        request = commands()[command].model_validate(fields)
        elapsed, worked, done = [0.0, 0.0], [0.0, 0.0], []
        for side in (0, 1) if self._sent % 2 else (1, 0):
            begin, work = perf_counter(), thread_time()
            done.append(self.benches[side].do(request, by=by, key=f"{self._key}{self._sent}"))
            elapsed[side], worked[side] = perf_counter() - begin, thread_time() - work
        assert done[0].ids == done[1].ids
        self.times[command].append((elapsed, worked))
        return done[0]

    def person(self, role: Any, name: str) -> Actor:
        """Register somebody."""
        return Actor(role, self.do(SYSTEM, "RegisterPerson", capacity=[role], name=name).id)

    def life(self, mark: str) -> None:
        """Everything that can happen to a want, once, with people of its own."""
        steward, poster = self.person("steward", "Stella"), self.person("person", f"Ada {mark}")
        checks = {"checks": ["identity", "uniqueness"], "identity_token": mark, "evidence": "document seen"}
        self.do(steward, "CompleteVerification", person=poster.id, **checks)
        operator = self.person("operator", f"Otto {mark}")
        agents = [self.agent(operator, f"agent {mark} {number}") for number in range(3)]
        self.do(poster, "RotateKey", holder=poster.id)
        self.before_posting(steward, poster, erased=mark.endswith("0"))
        target = self.want(steward, poster)
        deal = self.deal(target, poster, operator, agents)
        self.work(deal, poster, agents[0], steward)
        self.after(deal, poster, agents[0], steward)
        other = self.want(steward, poster, budget=0)
        deal = self.deal(other, poster, operator, agents[::-1], total=0)
        self.do(poster, "EndDeal", deal=deal, reason="No longer needed")
        self.do(poster, "RepostTarget", target=other)

    def agent(self, operator: Actor, name: str) -> Actor:
        """Register an agent that has declared a system."""
        told = {"operator": operator.id, "operator_name": "Works", "architecture": "scaffold"}
        agent = Actor("agent", self.do(operator, "RegisterAgent", agent_name=name, **told).id)
        system = {"system_version": "1.0", "harness_version": "h", "autonomy_level": "autonomous"}
        models = [{"name": "linden-2", "version": "1"}]
        self.do(agent, "DeclareSystem", passport=agent.id, base_models=models, start_date="2026-06-01", **system)
        return agent

    def want(self, steward: Actor, poster: Actor, budget: int = 10_000) -> str:
        """A want on the board."""
        texts = dict.fromkeys(("want", "time_and_energy", "money_and_resources", "proven_paths"), "A bicycle repaired")
        intake = {**texts, "person_contribution": "the bicycle", "location": "12 Elm Street", "region": "Oregon"}
        strata = {"category": "service", "delivery": "remote", "timeline_seconds": 30 * DAY}
        target = self.do(poster, "RecordIntake", budget_cents=budget, **intake, **strata).id
        line = {"finish_line_form": "object_at_door", "finish_line": "It stands at the door", "ownership": "The poster"}
        self.do(poster, "RefineTarget", target=target, approval_cadence_seconds=DAY, **texts, **line)
        law = self.benches[0].law()
        self.do(steward, "GiveTerms", target=target, terms=list(law.params("TB-TARGET-015")["terms"]))
        self.do(steward, "PassReview", target=target, criteria=list(law.params("TB-TARGET-013")["criteria"]))
        row = law.params("TB-ODDS-011")["reference_class"]
        self.do(steward, "PostTarget", target=target, reference_class=row, dials=["same_day_approvals"])
        return target

    def before_posting(self, steward: Actor, poster: Actor, *, erased: bool) -> None:
        """Wants that end early. Erasures are rare, and each empties the write-ahead log."""
        texts = dict.fromkeys(("want", "time_and_energy", "money_and_resources", "proven_paths"), "Tea")
        intake = {**texts, "person_contribution": "none", "location": "12 Elm Street", "region": "Oregon"}
        strata = {"category": "service", "delivery": "remote", "timeline_seconds": DAY, "budget_cents": 0}
        done = self.do(poster, "RecordIntake", **intake, **strata)
        self.do(steward, "DeclineWant", target=done.id, reason_class="other", reason="Not a want")
        self.do(poster, "WithdrawTarget", target=done.id)
        if erased:
            self.do(poster, "EraseVault", stream=done.id, commitment=done.events[0].data["intake_commitment"])
        self.do(poster, "CloseTarget", target=self.want(steward, poster))

    def deal(self, target: str, poster: Actor, operator: Actor, agents: list[Actor], total: int = 10_000) -> str:
        """A signed deal with the first of the agents."""
        shares = [{"what": what, "amount_cents": total // 4} for what in ("Order the parts", "Fit the parts")]
        allocation = {"tools": total // 4, "own_work": total - total // 4}
        plan = {"target": target, "total_cents": total, "allocation": allocation, "timeline_seconds": 20 * DAY}
        steps = [{**share, "time_seconds": 60, "person_approval": "the parts"} for share in shares]
        if total:
            self.do(poster, "BuyPriority", target=target, fee_cents=500)
        proposals = [
            self.do(agent, "SubmitProposal", card_version=1, steps=steps, pitch="Steady hands", **plan).id
            for agent in agents
        ]
        one = {"target": target, "proposal": proposals[0]}
        self.do(poster, "NameFinalist", **one)
        self.do(poster, "AskQuestion", text="When?", **one)
        self.do(agents[0], "AnswerQuestion", question=1, text="Soon", **one)
        self.do(agents[2], "WithdrawProposal", target=target, proposal=proposals[2], reason="Busy")
        self.do(poster, "ChooseProposal", **one)
        for side, by in (("poster", poster), ("operator", operator)):
            self.do(by, "FileAttestation", target=target, passport=agents[0].id, side=side, related=False)
        card = {**one, **plan, "steps": shares}
        self.do(poster, "DeclineDeal", deal=self.do(agents[0], "ProposeDeal", **card).id)
        deal = self.do(agents[0], "ProposeDeal", **card).id
        self.do(poster, "SignDeal", deal=deal)
        return deal

    def work(self, deal: str, poster: Actor, agent: Actor, steward: Actor) -> None:
        """From the signature to the delivery."""
        first, named = {"deal": deal, "milestone": 1}, {"deal": deal}
        self.do(SYSTEM, "FundEscrow", amount_cents=10_000, **named)
        pulse = dict.fromkeys(("changed", "now", "next"), "the same")
        for percent in (0, 25):
            self.do(agent, "PostCheckIn", progress_percent=percent, **named, **pulse)
        ask = self.do(agent, "OpenAsk", question="Which?", **named).id
        self.do(poster, "AnswerAsk", ask=ask, answer="That", **named)
        self.do(agent, "RecordInterimOutcome", what="A first ride", **named)
        self.do(agent, "DeclareSubsidy", contributed=False, **named)
        for again in (True, False):
            self.do(agent, "FileReceipt", sha256=f"sha256:{'ab' * 32}", **first)
            self.do(agent, "RequestApproval", **first)
            if again:
                self.do(poster, "DeclineMilestone", reason="Wrong colour", **first)
                self.do(agent, "ReviseMilestone", note="In blue", **first)
        self.do(poster, "ApproveMilestone", **first)
        self.do(agent, "RecordConfigChange", harness_version="h2", **named)
        self.do(agent, "RequestOutcomeApproval", **named)
        self.do(poster, "DeclineOutcome", reason="The bell is missing", **named)
        self.do(agent, "RequestOutcomeApproval", **named)
        self.do(poster, "ApproveOutcome", **named)

    def after(self, deal: str, poster: Actor, agent: Actor, steward: Actor) -> None:
        """What follows a delivery."""
        named = {"deal": deal}
        self.do(SYSTEM, "SettlePayment", amount_cents=2_500, **named)
        self.do(poster, "RecordSatisfaction", score=9, words="Fine", **named)
        self.do(SYSTEM, "RecordEngineRevenue", amount_cents=100, **named)
        opened = self.do(steward, "OpenReview", ground="fraud", suspicion="A receipt", **named)
        review = opened.events[0].data["review"]
        self.do(steward, "CloseReview", review=review, finding="cleared", reasons="Shown", **named)
        self.do(steward, "RecordScreening", indicators=["device"], evidence="One device", **named)
        self.do(steward, "RecordRelatedParty", related=False, reasons="A library", **named)
        self.do(SYSTEM, "ReverseRelease", release="milestone-1", amount_cents=100, kind="partial", **named)
        link = self.do(agent, "RegisterPaymentLink", person_bp=6_000, address="shop", **named).id
        self.do(poster, "AgreeSplit", link=link, **named)
        self.do(poster, "PromoteVenture", link=link, **named)
        self.do(SYSTEM, "RecordExternalSale", gross_cents=1_001, link=link, **named)
        self.do(agent, "DisablePaymentLink", link=link, **named)


def commands_grow(rounds: Rounds, events: int, folder: Path) -> bool:
    """Part one: print p50 and p99 of each command on both benches; whether the goal is met."""
    clock = Clock()
    empty, full = (
        Bench.open(str(folder / f"{name}.db"), clock=clock, entropy=SeededEntropy(9)) for name in ("empty", "full")
    )
    with empty, full:
        begin = perf_counter()
        clock.now = instants.parse(fill(full, rounds, events))
        print(f"a bench of {full.position():,} events, filled in {perf_counter() - begin:.0f} s, beside an empty one")
        runs = []
        for run in range(RUNS):
            pair = Pair((empty, full), clock, run)
            for number in range(LIVES):
                pair.life(f"{run}/{number}")
            runs.append(pair.times)
    return compare(runs)


def compare(runs: list[Times]) -> bool:
    """One line a command, then the goals.

    The p99 of a single command says which one met SQLite's checkpoint or a busy neighbour, so the goal for elapsed time
    is that of all commands together.
    """
    print(f"{'':22}{'':6}{'elapsed time':>32}{'processor time':>16}")
    print(f"{'command':22}{'n':>6}{'p50 ms':>9}{'ratio':>7}{'p99 ms':>9}{'ratio':>7}{'p50 ms':>9}{'ratio':>7}")
    for times in runs:
        times[ALL] = [each for every in times.values() for each in every]
    ratios: dict[str, list[float]] = {}
    for name in sorted(runs[0], key=lambda name: (name == ALL, name)):
        line, ratios[name] = f"{name:22}{len(runs[0][name]):6}", []
        for kind, percent in ((0, 50), (0, 99), (1, 50)):
            empty, full = (min(_quantile(run[name], kind, side, percent) for run in runs) for side in (0, 1))
            ratios[name].append(full / empty)
            line += f"{full * 1000:9.2f}{full / empty:7.2f}"
        print(line)
    slowest = max(ratios, key=lambda name: ratios[name][2])
    reached = {
        f"largest p50 of processor time ({slowest})": ratios[slowest][2],
        "p50 of elapsed time": ratios[ALL][0],
        "p99 of elapsed time": ratios[ALL][1],
    }
    for name, ratio in reached.items():
        print(f"{name:52} ratio {ratio:.2f}, goal <= {MOST}")
    return max(reached.values()) <= MOST


def _quantile(times: list[tuple[list[float], list[float]]], kind: int, side: int, percent: int) -> float:
    return quantiles([each[kind][side] for each in times], n=100, method="inclusive")[percent - 1]


# -- a long replay ----------------------------------------------------------------------------------------------------


def memory() -> float:
    """What this process holds now, in megabytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20


def replay(rounds: Rounds, events: int) -> bool:
    """Part two: replay in rounds, then keep every state of some; whether memory stays flat."""
    count, number, settled, begin = 0, 0, 0.0, perf_counter()
    while count < events:
        replayer = Replayer()
        for leaf, body in enumerate(rounds.bodies(number)):
            replayer.feed(leaf, body)
        assert not replayer.defects, replayer.defects[0]
        count, number = count + rounds.size, number + 1
        settled = memory() if number == 2 else settled
    grown = memory() - settled
    seconds = perf_counter() - begin
    print(f"{count:,} events replayed in {number} rounds, {seconds:.0f} s; memory grew by {grown:.1f} MB")
    kept, before = Replayer(), memory()
    for number in range(20):
        for leaf, body in enumerate(rounds.bodies(number)):
            kept.feed(leaf, body)
    size = (memory() - before) * 1024 / len(kept.states)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"live state: {size:.1f} KB a stream, {len(kept.states):,} streams kept; peak memory {peak:.0f} MB")
    return grown <= KEPT_MB


def main() -> int:
    """Both parts; 0 when the goals are met."""
    given = [int(text) for text in sys.argv[1:3]]
    ledger, replayed = (*given, *(LEDGER, REPLAYED)[len(given) :])
    rounds = Rounds()
    flat = replay(rounds, replayed)
    with TemporaryDirectory() as folder:
        met = commands_grow(rounds, ledger, Path(folder))
    return 0 if flat and met else 1


if __name__ == "__main__":
    sys.exit(main())
