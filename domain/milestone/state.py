"""The state of one milestone, folded from the events of its deal that carry its number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ...protocol.envelope import Event
from ..streams import replace

Status = Literal["open", "requested", "approved", "declined"]


@dataclass(frozen=True)
class Milestone:
    """One committed step.

    `amount_cents` is what its approval releases. `receipts` are the content hashes filed since the last revision,
    `filed` counts all of them. `lapses_at` is set while a request for approval is open.
    """

    number: int
    amount_cents: int
    status: Status = "open"
    receipts: tuple[str, ...] = ()
    filed: int = 0
    declines: int = 0
    lapses_at: str | None = None

    @property
    def subject(self) -> str:
        """The name of the milestone inside its deal's stream."""
        return subject(self.number)


def subject(number: int) -> str:
    """`milestone-N`."""
    return f"milestone-{number}"


def _filed(state: Milestone, event: Event) -> Milestone:
    return replace(state, receipts=(*state.receipts, event.data["sha256"]), filed=state.filed + 1)


def _requested(state: Milestone, event: Event) -> Milestone:
    return replace(state, status="requested", lapses_at=event.data["lapses_at"])


def _approved(state: Milestone, event: Event) -> Milestone:
    return replace(state, status="approved", lapses_at=None)


def _declined(state: Milestone, event: Event) -> Milestone:
    return replace(state, status="declined", lapses_at=None, declines=state.declines + 1)


def _revised(state: Milestone, event: Event) -> Milestone:
    return replace(state, status="open", receipts=())


EVOLVERS: dict[str, Callable[[Milestone, Event], Milestone]] = {
    "milestone.receipt.filed": _filed,
    "milestone.approval.requested": _requested,
    "milestone.approved": _approved,
    "milestone.declined": _declined,
    "milestone.revised": _revised,
}
"""How each event type changes a milestone."""
