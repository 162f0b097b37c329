"""A recount of 100,000 attempts beside one plain rebuild of their board: one process, interleaved, best of three.

Run: `python benchmarks/impact.py [attempts]`. Exits 1 when the recount takes more than three rebuilds.
"""

import random
import resource
import sys
from time import perf_counter

from tollbench.adapters.rulebook.impact import Ledger, amended, impact
from tollbench.projections.attempts import AttemptFacts, Change, LedgerFacts
from tollbench.projections.board import board_of
from tollbench.protocol import instants
from tollbench.protocol.edition import shelf
from tollbench.rules.law import Law

GOAL = 3.0
START = instants.micros("2026-06-29T00:00:00Z")
SPAN = 13 * 7 * 86_400 * 1_000_000
CHANGE = "TB-BAND-002.short_min=0.55"


def attempts(count: int) -> tuple[AttemptFacts, ...]:
    """Resolved attempts of 200 agents on 12 base models over one season."""
    rng = random.Random(1)
    made = []
    for number in range(count):
        p = rng.randrange(2, 91) * 100
        won = rng.random() < p / 10_000
        resolved, agent = START + rng.randrange(SPAN), rng.randrange(200)
        cents = rng.choice((0, 0, 2_000, 15_000))
        made.append(
            AttemptFacts(
                deal=f"deal-{number}",
                target=f"target-{number}",
                agent=f"agent-{agent}",
                agent_name=f"agent {agent}",
                system_version=f"{agent % 4}.0",
                models=(f"model-{agent % 12}",),
                p_bp=p,
                o=int(won),
                end="delivered" if won else "expired",
                k=3 if won else 1,
                m=4,
                t_seconds=rng.randrange(600_000),
                elapsed_seconds=700_000,
                c_cents=cents if won else 0,
                b_cents=cents,
                integrity="official",
                standard="paid" if cents else "free",
                tier="small" if cents else "free",
                category="service",
                delivery="remote",
                signed_at=resolved - 700_000_000_000,
                resolved_at=resolved,
                on_time=int(won),
                history=(Change(number, "official", 0, "deal.resolved"),),
            )
        )
    return tuple(made)


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    law = Law(shelf())
    ledger = Ledger(LedgerFacts(attempts=attempts(count), position=count), law)
    change = amended(law, CHANGE)
    board = recount = float("inf")
    for _ in range(3):
        start = perf_counter()
        board_of(ledger.facts, law)
        middle = perf_counter()
        found = impact(ledger, change, "recount")
        recount, board = min(recount, perf_counter() - middle), min(board, middle - start)
    ratio = recount / board
    print(f"{count} attempts: board {board:.2f} s, recount {recount:.2f} s, ratio {ratio:.2f}")
    print(f"{len(found.rebanded)} attempts in another band, {len(found.figures)} figures changed")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    print(f"goal: at most {GOAL} boards: {'met' if ratio <= GOAL else 'missed'}")
    return 0 if ratio <= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
