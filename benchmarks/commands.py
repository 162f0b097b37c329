"""Commands end to end on SQLite, durable, beside the bare durable write of the same bytes.

A small season is played on a fresh database file: typed commands judged by every rule, states, signatures, vault and
private indexes, each in one synchronous transaction. The bare write puts the events of each of those commands into a
table of its own, one synchronous transaction a command. Both run in one process, interleaved, best of three, because
absolute rates drift with the machine and its disk. The same season in memory says what the disk leaves out.

Run: `python benchmarks/commands.py [targets]`. There is no goal for the ratio; it is reported.
"""

import itertools
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from tollbench.adapters.simulator.season import open_bench, play
from tollbench.protocol import envelope

SEED = 1
TRIES = 3
Batch = list[tuple[int, bytes]]


def season(url: str, targets: int) -> float:
    """Seconds to play the season on a fresh bench at this address."""
    bench, clock = open_bench(url, SEED)
    with bench:
        begin = perf_counter()
        play(bench, clock, SEED, targets, lambda part: None)
        return perf_counter() - begin


def batches(targets: int) -> list[Batch]:
    """The events of the same season with their leaf indexes, command by command."""
    bench, clock = open_bench("memory:", SEED)
    with bench:
        play(bench, clock, SEED, targets, lambda part: None)
        log = [(leaf, body, envelope.from_bytes(body).command) for leaf, body in bench.log()]
    return [[row[:2] for row in rows] for _, rows in itertools.groupby(log, key=lambda row: row[2])]


@contextmanager
def bare_table(path: Path) -> Iterator[sqlite3.Connection]:
    """A database with one table, as durable as the bench's."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("CREATE TABLE log (leaf INTEGER PRIMARY KEY, state BLOB NOT NULL)")
        yield connection
    finally:
        connection.close()


def bare(path: Path, work: list[Batch]) -> float:
    """Seconds to write the batches, one transaction each."""
    with bare_table(path) as connection:
        begin = perf_counter()
        for batch in work:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT INTO log VALUES (?,?)", batch)
            connection.execute("COMMIT")
        return perf_counter() - begin


def main() -> int:
    """Measure and print one line a figure."""
    targets = int(sys.argv[1]) if len(sys.argv) > 1 else 24
    work = batches(targets)
    tries = []
    with TemporaryDirectory() as folder:
        for number in range(TRIES):
            place = Path(folder)
            durable = season(str(place / f"bench-{number}.db"), targets)
            tries.append((durable, bare(place / f"bare-{number}.db", work), season("memory:", targets)))
    durable, least, memory = (min(row[n] for row in tries) for n in range(3))
    commands, events = len(work), sum(len(batch) for batch in work)
    print(f"{commands} commands, {events} events, best of {TRIES}")
    print(f"{'commands end to end, durable, a second':52} {commands / durable:10.0f}")
    print(f"{'bare durable writes of the same bytes, a second':52} {commands / least:10.0f}")
    print(f"{'commands, ratio to the bare durable write':52} {least / durable:10.3f}")
    print(f"{'commands in memory, a second':52} {commands / memory:10.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
