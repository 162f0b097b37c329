"""Eight processes send 1,000 commands each at one bench: nothing is lost or doubled, and leaf indexes stay dense."""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter
from pathlib import Path

from tollbench.adapters.bench import Bench
from tollbench.domain.commands import Actor
from tollbench.domain.person.commands import RegisterPerson, RotateKey

PROCESSES = 8
OWN, SHARED_STREAM, SHARED_KEY = 500, 400, 100


def _send(url: str, number: int, holders: list[str], failures: multiprocessing.Queue[str]) -> None:
    try:
        with Bench.open(url) as bench:
            for n in range(OWN):
                bench.do(RegisterPerson(capacity=["person"]), by=Actor.system(), key=f"own/{number}/{n}")
            for n in range(SHARED_STREAM):
                holder = holders[n % len(holders)]
                bench.do(RotateKey(holder=holder), by=Actor("person", holder), key=f"rotate/{number}/{n}")
            for n in range(SHARED_KEY):
                bench.do(RegisterPerson(capacity=["operator"]), by=Actor.system(), key=f"shared/{n}")
    except Exception as error:  # a child can only report
        failures.put(f"process {number}: {type(error).__name__}: {error}")


def test_eight_processes_share_one_bench(tmp_path: Path) -> None:
    url = str(tmp_path / "bench.db")
    with Bench.open(url) as bench:
        start = bench.position()
        holders = [bench.do(RegisterPerson(), by=Actor.system(), key=f"holder/{n}").id for n in range(4)]
    context = multiprocessing.get_context("spawn")
    failures = context.Queue()
    children = [context.Process(target=_send, args=(url, n, holders, failures)) for n in range(PROCESSES)]
    for child in children:
        child.start()
    for child in children:
        child.join(timeout=540)
        assert child.exitcode == 0
    assert failures.empty(), failures.get()

    with Bench.open(url) as bench:
        leaves = [leaf for leaf, _ in bench.log()]
        events = list(bench.events())
    assert leaves == list(range(len(leaves))), "leaf indexes are dense and in order"
    expected = len(holders) + PROCESSES * (OWN + SHARED_STREAM) + SHARED_KEY
    assert len(events) == start + expected
    assert len({event.id for event in events}) == len(events)
    versions = Counter(event.stream for event in events)
    for stream, count in versions.items():
        assert [e.version for e in events if e.stream == stream][-1] == count
    assert sum(versions[holder] - 1 for holder in holders) == PROCESSES * SHARED_STREAM
    print(f"{len(events)} events from {PROCESSES} processes on {os.cpu_count()} cores")
