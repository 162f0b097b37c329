"""The quantities of one attempt: time, cost and the flags, each the evaluator of its rule.

The ledger folds use these to turn intervals and payments into facts; the board uses them to show a row. Times are whole
microseconds or seconds, money is cents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..rules.evaluators import computes
from ..rules.law import Law
from .intervals import fixed

Span = tuple[int, int]


@computes("TB-CAMP-003", neutral=lambda target, campaign: campaign or target)
def counted_as(params: object, target: str, campaign: str | None) -> str:
    """The target that an attempt counts as, and in whose band: the stage it was made on, whatever the campaign."""
    return target


@computes("TB-CLOCK-003", neutral=())
def pauses(params: object, asks: Sequence[Span]) -> tuple[Span, ...]:
    """The stretches in which the clock stands: while at least one human-only ask is open (A-18).

    `asks` holds (opened, answered) of every ask and approval request, overlapping at will; the result is disjoint.
    """
    merged: list[Span] = []
    for opened, answered in sorted(asks):
        if merged and opened <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], answered))
        else:
            merged.append((opened, answered))
    return tuple(merged)


@computes("TB-CLOCK-001", neutral=0)
def agent_seconds(params: object, signed_at: int, resolved_at: int, standing: Sequence[Span]) -> int:
    """Agent-court time T in whole seconds: from signing to resolution without the pauses, summed in microseconds and
    floored once at the end. `standing` holds disjoint pauses; what lies outside the attempt is cut off."""
    waited = sum(max(0, min(end, resolved_at) - max(start, signed_at)) for start, end in standing)
    return (resolved_at - signed_at - waited) // 1_000_000


@computes("TB-CLOCK-005", neutral=None)
def agent_days(params: Mapping[str, Any], seconds: Fraction | int) -> Fraction | None:
    """Seconds of agent-court time as agent-days, exact."""
    return Fraction(seconds) / int(params["seconds_per_agent_day"])


def shown_days(law: Law, seconds: Fraction | int | None) -> str | None:
    """Agent-days for display: truncated to one decimal, never rounded up, `<0.1` for a little more than nothing."""
    if seconds is None or (days := agent_days(law, seconds)) is None:
        return None
    params = law.params("TB-CLOCK-006")
    scale = 10 ** int(params["decimals"])
    if 0 < days * scale < 1:
        return str(params["below_one_unit"])
    return fixed(Fraction(int(days * scale), scale), int(params["decimals"]))


@computes("TB-CLOCK-008", neutral=0)
def on_time(params: object, o: int | None, landed_at: int | None, deadline: int | None) -> int:
    """1 when the target was delivered and the final approval landed by the deadline, that instant included (A-09)."""
    if o != 1 or landed_at is None or deadline is None:
        return 0
    return int(landed_at <= deadline)


@computes("TB-COST-001", neutral=lambda released, returned: released)
def cost_kept(params: object, released: int, returned: int) -> int:
    """Cost to the person C in cents: escrow released on signed approvals minus what was later returned (A-25)."""
    return released - returned
