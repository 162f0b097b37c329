"""Full replay to state against the bare parser: one process, interleaved, best of three, as ratios to `orjson.loads`.

The documents are those of a played season. "replay" reads canonical bytes strictly, checks envelope, registered shape,
versions and order, and folds every stream to its state; "read" is the envelope alone; "view" is the fold to facts.

Run: `python benchmarks/replay.py [targets]`. Exits 1 when the replay misses its goal.
"""

import resource
import sys
from collections.abc import Callable
from time import perf_counter

import orjson

from tollbench.adapters.replay import Replayer
from tollbench.adapters.simulator.season import open_bench, play
from tollbench.domain.events import read
from tollbench.projections.facts import apply
from tollbench.projections.rows import MemoryRows

GOAL = 0.10


def season(targets: int) -> list[bytes]:
    """The canonical bytes of every event of a season with this many targets."""
    bench, clock = open_bench("memory:", 1)
    with bench:
        play(bench, clock, 1, targets, lambda share: None)
        return [body for _, body in bench.log()]


def replay(bodies: list[bytes]) -> None:
    replayer = Replayer()
    for leaf, body in enumerate(bodies):
        replayer.feed(leaf, body)
    assert not replayer.defects


def view(bodies: list[bytes]) -> None:
    rows = MemoryRows()
    for leaf, body in enumerate(bodies):
        apply(rows, leaf, read(body))


def each(work: Callable[[bytes], object]) -> Callable[[list[bytes]], None]:
    def run(bodies: list[bytes]) -> None:
        for body in bodies:
            work(body)

    return run


WORKS: dict[str, Callable[[list[bytes]], None]] = {
    "bare": each(orjson.loads),
    "read": each(read),
    "replay": replay,
    "view": view,
}


def main() -> int:
    bodies = season(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
    best = dict.fromkeys(WORKS, float("inf"))
    for _ in range(3):
        for name, work in WORKS.items():
            start = perf_counter()
            for _ in range(5):
                work(bodies)
            best[name] = min(best[name], perf_counter() - start)
    ratios = {name: best["bare"] / seconds for name, seconds in best.items()}
    size = sum(map(len, bodies)) / len(bodies)
    print(f"{len(bodies)} events of {size:.0f} bytes on average; ratios to orjson.loads of the same documents")
    for name, ratio in ratios.items():
        print(f"{name:8} {ratio:6.3f}   {best[name] / 5 / len(bodies) * 1e6:6.2f} us an event")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    print(f"goal: replay >= {GOAL}: {'met' if ratios['replay'] >= GOAL else 'missed'}")
    return 0 if ratios["replay"] >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
