"""How fast a log is published, and how fast and in how little memory a bundle of it is verified.

Publishing writes 70,000 made-up events with tiles, entries and bodies, every file synced. Verification runs over the
bundle of a played season, in a process of its own; its rate is a ratio to `orjson.loads` of the same events, because
absolute rates drift with the machine. The first argument is the number of targets to play (400; 2,000 give 100,000
events). Ends with status 1 where a goal is missed.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import orjson

from tollbench.adapters.bench import Bench
from tollbench.adapters.ledger.bundle import make_bundle
from tollbench.adapters.ledger.publisher import Publisher
from tollbench.adapters.ledger.state import LogState
from tollbench.adapters.simulator.season import open_bench, play
from tollbench.protocol import envelope

EVENTS = 70_000
MEMORY_MB = 250
CHILD = """
import sys, time
from tollbench.adapters.ledger.sources import FolderSource
from tollbench.adapters.ledger.verifier import verify
from tollbench.protocol.note import VerifierKey
from pathlib import Path
begin = time.perf_counter()
report = verify(FolderSource(Path(sys.argv[1])), key=VerifierKey.parse(sys.argv[2]))
seconds = time.perf_counter() - begin
status = Path("/proc/self/status").read_text()
peak = int(status.split("VmHWM:")[1].split()[0]) / 1024
print(report.verdict, seconds, peak)
"""


class MadeUp:
    """Events that a publisher can read, made before the clock runs."""

    def __init__(self, count: int) -> None:
        made = []
        for number in range(count):
            command = envelope.command_id("system", str(number))
            event = envelope.Event(
                type="bench.noted",
                schema=1,
                stream=f"bench-{number % 500}",
                version=number // 500 + 1,
                subject=None,
                at="2026-07-01T00:00:00.000000Z",
                actor={"id": "system", "role": "system"},
                command=command,
                id=envelope.event_id(command, 0),
                data={"number": number, "text": "x" * 300},
                rules={},
                rulebooks={},
            )
            made.append(envelope.to_bytes(event))
        self._bodies = made

    def log(self, start: int = 0) -> Iterator[tuple[int, bytes]]:
        """Every event from this leaf index on."""
        yield from enumerate(self._bodies[start:], start)


def _publish(root: Path) -> float:
    """Seconds to publish the made-up events on an empty disk."""
    events = MadeUp(EVENTS)
    state = LogState.create(root / "state", origin="log.example/bench", out=root / "public")
    begin = perf_counter()
    Publisher(state, events).publish()
    return perf_counter() - begin


def _season(root: Path, targets: int) -> tuple[Path, str]:
    """The bundle of a played season, and the verifier key of its log."""
    root.mkdir()
    bench, clock = open_bench(str(root / "bench.db"), 1)
    with bench:
        play(bench, clock, 1, targets, lambda part: None)
    state = LogState.create(root / "log", origin="log.example/bench", out=root / "public")
    with Bench.open(str(root / "bench.db"), create=False) as bench:
        Publisher(state, bench).publish()
    make_bundle(state, root / "bundle")
    return root / "bundle", str(state.verifier)


def _bodies(bundle: Path) -> list[bytes]:
    files = [path for path in sorted((bundle / "bodies").rglob("*")) if path.is_file()]
    return [body for path in files for body in path.read_bytes().split(b"\n")[:-1]]


def _bare(bodies: list[bytes]) -> float:
    begin = perf_counter()
    for body in bodies:
        orjson.loads(body)
    return perf_counter() - begin


def main() -> int:
    """Measure, print one line a figure, and say whether every goal is met."""
    targets = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    with tempfile.TemporaryDirectory() as folder:
        seconds = _publish(Path(folder) / "made-up")
        bundle, key = _season(Path(folder) / "season", targets)
        bodies = _bodies(bundle)
        tries = []
        for _ in range(3):
            bare = _bare(bodies)
            told = subprocess.run(
                [sys.executable, "-c", CHILD, bundle, key], capture_output=True, text=True, check=True
            )
            verdict, verified, peak = told.stdout.split()
            tries.append((bare, float(verified), float(peak)))
    bare, verified, peak = (min(each[at] for each in tries) for at in range(3))
    rows = [
        (f"publish {EVENTS} events, seconds", seconds, "< 15", seconds < 15),
        (f"verify {len(bodies)} events, seconds", verified, "reported", verdict == "ok"),
        ("verify, ratio to orjson.loads", bare / verified, ">= 0.05", bare / verified >= 0.05),
        ("verify, peak memory, MB", peak, f"< {MEMORY_MB}", peak < MEMORY_MB),
    ]
    for name, value, goal, met in rows:
        print(f"{name:52} {value:10.3f}  goal {goal:10} {'met' if met else 'MISSED'}")
    return 0 if all(met for *_, met in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
