"""How fast and how small the Merkle tree is: a million leaves, proofs at historic sizes, from memory and from tiles.

Rates are given as ratios to the bare SHA-256 calls that the work needs, interleaved in one process, best of three,
because absolute rates drift with the machine. Ends with status 1 where a goal is missed.
"""

import random
import resource
import sys
from collections.abc import Callable
from hashlib import sha256
from time import perf_counter

from tollbench.protocol.merkle import Tree, inclusion_path
from tollbench.protocol.tiles import Tile, TileReader, tile_bytes

LEAVES = 1_000_000
RATIO_LEAVES = 200_000
PROOFS = 2_000


def _bare(leaves: int) -> float:
    """Seconds for the hash calls alone: one of 33 bytes a leaf, one of 65 bytes an inner node."""
    leaf, inner = bytes(33), bytes(65)
    begin = perf_counter()
    for _ in range(leaves):
        sha256(leaf).digest()
        sha256(inner).digest()
    return perf_counter() - begin


def _grow(leaves: int, one_by_one: bool) -> tuple[float, Tree]:
    tree = Tree()
    begin = perf_counter()
    if one_by_one:
        for at in range(leaves):
            tree.append(at.to_bytes(32, "big"))
    else:
        tree.extend(at.to_bytes(32, "big") for at in range(leaves))
    return perf_counter() - begin, tree


def _mean(call: Callable[[int, int], object], jobs: list[tuple[int, int]]) -> float:
    """Mean milliseconds of `call(a, b)` over the jobs."""
    begin = perf_counter()
    for job in jobs:
        call(*job)
    return (perf_counter() - begin) / len(jobs) * 1000


def main() -> int:
    """Measure, print one line a figure, and say whether every goal is met."""
    rows: list[tuple[str, float, str, bool]] = []
    seconds, tree = _grow(LEAVES, one_by_one=False)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rows.append(("append 1,000,000 leaves, seconds", seconds, "< 10", seconds < 10))
    rows.append(("peak memory with them, MB", peak, "< 200", peak < 200))

    tries = [(_bare(RATIO_LEAVES), _grow(RATIO_LEAVES, False)[0], _grow(RATIO_LEAVES, True)[0]) for _ in range(3)]
    bare, runs, single = (min(row[n] for row in tries) for n in range(3))
    rows.append(("append in runs, ratio to bare hashing", bare / runs, ">= 0.4", bare / runs >= 0.4))
    rows.append(("append one by one, ratio to bare hashing", bare / single, ">= 0.4", bare / single >= 0.4))

    draw = random.Random(1)
    jobs = [(draw.randrange(size), size) for size in (draw.randint(2, LEAVES) for _ in range(PROOFS))]
    inclusion = _mean(tree.inclusion_proof, jobs)
    consistency = _mean(lambda old, size: tree.consistency_proof(old + 1, size), jobs)
    rows.append(("inclusion proof at any historic size, ms", inclusion, "< 1", inclusion < 1))
    rows.append(("consistency proof between any sizes, ms", consistency, "< 1", consistency < 1))

    def fetch(path: str) -> bytes | None:
        return tile_bytes(tree, Tile.parse(path))

    cold = _mean(lambda i, n: inclusion_path(TileReader(fetch, n, tree.root(n)).node, i, n), jobs[:200])
    warm = TileReader(fetch, LEAVES, tree.root())
    inclusion_path(warm.node, 0, LEAVES)
    mixed = _mean(lambda i, n: inclusion_path(warm.node, i, n), jobs[:500])
    rows.append(("inclusion proof from tiles, nothing read yet, ms", cold, "< 10", cold < 10))
    rows.append(("inclusion proof from tiles, reader kept, ms", mixed, "< 10", mixed < 10))

    for name, value, goal, met in rows:
        print(f"{name:52} {value:10.3f}  goal {goal:10} {'met' if met else 'MISSED'}")
    return 0 if all(met for *_, met in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
