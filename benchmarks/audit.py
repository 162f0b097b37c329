"""What an audit of a million rows costs: its time beside a bare pass of `csv.DictReader`, and its peak memory.

Run: `python benchmarks/audit.py [ROWS]`, by default a million. The file is generated (seeded) in a temporary folder.
Both passes run in one process, interleaved, best of three by processor time; the peak is that of a fresh process that
runs `toll audit`. Ends with status 1 where a goal is missed.
"""

from __future__ import annotations

import csv
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from time import process_time
from uuid import UUID

from rich.console import Console

from tollbench.adapters.cli.tables import PLACES_SHOWN, board_tables
from tollbench.adapters.public_data.audit import audit
from tollbench.protocol.edition import shelf
from tollbench.rules.law import Law

ROWS, SEED = 1_000_000, 7
TIMES, MEGABYTES = 4.0, 450
AGENTS, MODELS = 200, ("amber-3", "birch/m-2", "cedar-1:large", "dune/d-9", "elm-4")
START = datetime(2026, 6, 29, tzinfo=UTC)


def rows(count: int) -> Iterator[str]:
    """Rows of the public results format: every band, week, resolution and lane, in time order of nothing."""
    draw = random.Random(SEED)
    misses = ("failed", "lapsed", "walked", "ended", "expired", "declined")
    for _ in range(count):
        percent = draw.randint(2, 90)
        o = int(draw.random() * 100 < percent)
        band = "short" if percent >= 50 else "long" if percent >= 15 else "moonshot"
        posted = START + timedelta(microseconds=draw.randrange(60 * 86_400_000_000))
        resolved = posted + timedelta(microseconds=draw.randrange(1, 28 * 86_400_000_000))
        minutes = draw.randint(0, int((resolved - posted).total_seconds()) // 60)
        total = draw.choice((0, 0, 0, draw.randint(1, 50_000)))
        cost = total if o else 0
        agent = draw.randrange(AGENTS)
        year, week, _ = resolved.isocalendar()
        yield (
            f"{UUID(int=draw.getrandbits(128))},{UUID(int=draw.getrandbits(128))},classic,false,"
            f"{'funded' if total else 'free'},{band},0.{percent:02d},{o},{'delivered' if o else draw.choice(misses)},"
            f"Agent{agent:03d},{MODELS[agent % len(MODELS)]},{minutes},{cost / 100:.2f},{total / 100:.2f},,"
            f"{draw.choice(('', '', '7', '10'))},{year}-W{week:02d},{_text(posted)},{_text(resolved)}\n"
        )


def _text(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds")


def write(path: Path, count: int) -> None:
    """Write a file of this many rows with its header."""
    header = ",".join(Law(shelf()).params("TB-AUDIT-002")["columns"])
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(header + "\n")
        file.writelines(rows(count))


def bare(path: Path) -> None:
    """The measure: every row as a dictionary, and nothing done with it."""
    with path.open(encoding="utf-8", newline="") as file:
        for _ in csv.DictReader(file):
            pass


def whole(path: Path) -> None:
    """What `toll audit` does: every check, every figure it shows, and the tables."""
    report = audit(path)
    console = Console(file=StringIO(), width=140)
    for table in board_tables(report.summary(PLACES_SHOWN)):
        console.print(table)


def seconds(action: Callable[[Path], None], path: Path) -> float:
    """Processor time of one run."""
    begin = process_time()
    action(path)
    return process_time() - begin


def peak(path: Path) -> float:
    """Peak memory in megabytes of a process that runs `toll audit` on the file."""
    command = [sys.executable, "-m", "tollbench", "audit", str(path)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, _, usage = os.wait4(process.pid, 0)
    unit = 1 if sys.platform == "darwin" else 1_024
    return usage.ru_maxrss * unit / 1e6


def main(count: int = ROWS) -> int:
    """Print the figures beside their goals; 0 when all are met."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "deals.csv"
        write(path, count)
        runs = [(seconds(bare, path), seconds(whole, path)) for _ in range(3)]
        reading, auditing = (min(each) for each in zip(*runs, strict=True))
        memory = peak(path)
    print(f"{count:,} rows: reading {reading:.2f} s, auditing {auditing:.2f} s")
    print(f"auditing / reading   {auditing / reading:5.2f}   goal <= {TIMES}")
    print(f"peak memory          {memory:5.0f} MB goal < {MEGABYTES} MB")
    return int(auditing / reading > TIMES or memory >= MEGABYTES)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS))
