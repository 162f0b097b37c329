"""How long lint of the whole tree takes, and how long the runtime needs for its edition.

Run: `python benchmarks/rulebook.py`. Best of three, in one process; ends with status 1 where a goal is missed.
"""

import sys
from time import perf_counter

from tollbench.protocol.edition import Shelf
from tollbench.rules.lint import lint
from tollbench.rules.load import load

LINT_SECONDS = 2.0
EDITION_SECONDS = 0.005


def best(action, times: int = 3) -> float:
    """The shortest of several runs, in seconds."""

    def once() -> float:
        begin = perf_counter()
        action()
        return perf_counter() - begin

    return min(once() for _ in range(times))


def main() -> int:
    """Print the figures beside their goals; 0 when all are met."""
    rows = [
        ("lint of the full tree", best(lint), LINT_SECONDS),
        ("all YAML", best(load), None),
        ("compiled edition, one rule read", best(lambda: Shelf().current.params("TB-ODDS-010"), 20), EDITION_SECONDS),
    ]
    for name, seconds, goal in rows:
        print(f"{name:34} {seconds * 1000:9.2f} ms" + ("" if goal is None else f"   goal < {goal * 1000:.0f} ms"))
    return int(any(goal is not None and seconds >= goal for _, seconds, goal in rows))


if __name__ == "__main__":
    sys.exit(main())
