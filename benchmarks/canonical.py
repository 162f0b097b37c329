"""Canonical JSON against the bare parser: one process, interleaved, best of three, as ratios to `orjson.loads`.

Run: `python benchmarks/canonical.py [documents]`. Exits 1 when `dumps` misses its goal.
"""

import random
import sys
import uuid
from collections.abc import Callable
from time import perf_counter

import orjson
import rfc8785

from tollbench.protocol import canonical

GOAL = 0.40


def documents(count: int) -> list[dict]:
    """Event envelopes like those of a season: approvals, releases, postings with public text, plain lists of models."""
    rng = random.Random(1)

    def uid() -> str:
        return str(uuid.UUID(int=rng.getrandbits(128), version=5))

    def data(kind: int) -> dict:
        if kind == 0:
            return {"key": rng.randbytes(32).hex(), "signature": rng.randbytes(64).hex(), "statement_hash": uid()}
        if kind == 1:
            return {"amount_cents": rng.randrange(10**6), "cause": "milestone"}
        if kind == 2:
            return {"card": "Find a café that opens at six. " * 12, "p": "0.70", "budget_cents": 0, "repost_of": None}
        return {"base_models": [{"name": f"model-{at}", "version": "2026.8"} for at in range(3)], "predecessor": None}

    return [
        {
            "actor": {"id": f"person-{uid()}", "role": "person"},
            "at": f"2026-08-24T00:00:{at % 60:02}.000000Z",
            "command": uid(),
            "data": data(at % 4),
            "id": uid(),
            "rulebooks": {"1.3.0": f"b3:{rng.randbytes(32).hex()}"},
            "rules": {"1.3.0": ["TB-MILE-007", "TB-CMD-003"]},
            "schema": 1,
            "stream": f"deal-{uid()}",
            "subject": "milestone-2" if at % 3 else None,
            "type": "milestone.approved",
            "version": at,
        }
        for at in range(count)
    ]


def seconds(work: Callable, inputs: list) -> float:
    start = perf_counter()
    for one in inputs:
        work(one)
    return perf_counter() - start


def main(count: int) -> int:
    objects = documents(count)
    stored = [canonical.dumps(document) for document in objects]
    works: dict[str, tuple[Callable, list]] = {
        "orjson.loads": (orjson.loads, stored),
        "canonical.dumps": (canonical.dumps, objects),
        "canonical.loads (strict)": (canonical.loads, stored),
        "rfc8785.dumps (oracle)": (rfc8785.dumps, objects),
    }
    best = dict.fromkeys(works, float("inf"))
    for _ in range(3):
        for name, (work, inputs) in works.items():
            best[name] = min(best[name], seconds(work, inputs))
    bare = best["orjson.loads"]
    print(f"{count} documents, {sum(map(len, stored)) / count:.0f} bytes each")
    for name, taken in best.items():
        print(f"{name:26} {taken / count * 1e6:7.2f} us   ratio {bare / taken:.2f}")
    reached = bare / best["canonical.dumps"]
    print(f"canonicalise: {reached:.2f}, goal {GOAL:.2f}: {'reached' if reached >= GOAL else 'MISSED'}")
    return 0 if reached >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000))
