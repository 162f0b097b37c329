"""Where work pulses render: the bar in the plan header, the active card, the step threads, and the public record.

Source: the pulse amendment (2026-07-24/25) and ruling A-66. Pure functions of a deal's events. What the pulses say
comes out of the vault through `reveal`, which gives None for what the reader may not see or what was erased; the public
record asks for none of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple

from ..domain.deal.checkin import pulse_due
from ..domain.deal.state import KIND, Deal
from ..protocol import instants
from ..protocol.envelope import Event
from ..rules.evaluators import computes

COMPLETE = 100
"""The percentage of a step whose outcome was filed (ruling A-35)."""
Liveness = Literal["pulse_owed", "update_overdue", "no_pulse_owed"]


class PulseView(NamedTuple):
    """The three places a pulse shows in.

    `header` has the latest `percent` (0 to 100, None before the first pulse) with its `step`, and `steps`, the bar of
    each step. `card` has the fields that TB-PULSE-008 lists: the latest pulse, its age in whole seconds, when the next
    one is due, and whether the update is overdue. `threads` maps a step to all its pulses, oldest first.
    """

    header: Mapping[str, Any]
    card: Mapping[str, Any]
    threads: Mapping[int, tuple[Mapping[str, Any], ...]]


class PublicPulses(NamedTuple):
    """What everybody sees: the instants of pulses and of missed due times, when the next one is due, and liveness."""

    posted: tuple[str, ...]
    overdue: tuple[str, ...]
    next_due_at: str | None
    liveness: Liveness


@computes("TB-PULSE-008", neutral=None)
def pulse_view(
    params: Mapping[str, Any], events: Iterable[Event], reveal: Callable[[str], Any], now: str
) -> PulseView | None:
    """TB-PULSE-008: header, card and threads of one deal at this instant, for a reader of its pulses."""
    deal: Deal | None = None
    percents: dict[int, int] = {}
    latest: Mapping[str, Any] | None = None
    last_step: int | None = None
    threads: dict[int, tuple[Mapping[str, Any], ...]] = {}
    for event in events:
        deal = KIND.evolve(deal, event)
        if event.type == "milestone.receipt.filed":
            last_step = event.data["milestone"]
            percents[last_step] = COMPLETE
        elif event.type == "agent.checkin.posted":
            last_step = event.data["step"]
            latest = _entry(event, reveal)
            threads[last_step] = (*threads.get(last_step, ()), latest)
            if latest["progress_percent"] is not None:
                percents[last_step] = latest["progress_percent"]
    status = _status(deal, now)
    card = {
        "latest_pulse": latest,
        "age": None if latest is None else _seconds(latest["at"], now),
        "next_due_at": None if deal is None else pulse_due(deal),
        "update_overdue": status == "update_overdue",
    }
    header = {"percent": percents.get(last_step or 0), "step": last_step, "steps": dict(sorted(percents.items()))}
    return PulseView(header, {name: card[name] for name in params["card_fields"]}, dict(sorted(threads.items())))


@computes("TB-PULSE-010", neutral=None)
def public_pulses(params: Mapping[str, Any], events: Iterable[Event], now: str) -> PublicPulses | None:
    """TB-PULSE-010: timing and liveness of one deal, and nothing of what its pulses say."""
    deal: Deal | None = None
    seen: dict[str, tuple[str, ...]] = {}
    for event in events:
        deal = KIND.evolve(deal, event)
        if event.type == "agent.checkin.posted":
            seen["posted"] = (*seen.get("posted", ()), event.at)
        elif event.type == "agent.checkin.overdue":
            seen["overdue"] = (*seen.get("overdue", ()), event.data["due_at"])
    due = None if deal is None else pulse_due(deal)
    return PublicPulses(seen.get("posted", ()), seen.get("overdue", ()), due, _status(deal, now))


def _entry(event: Event, reveal: Callable[[str], Any]) -> dict[str, Any]:
    body = reveal(event.data["pulse_commitment"])
    said = body if isinstance(body, Mapping) else {}
    fields = ("changed", "now", "next", "blocker", "progress_percent")
    return {"at": event.at, "next_due_at": event.data["next_due_at"], **{name: said.get(name) for name in fields}}


def _status(deal: Deal | None, now: str) -> Liveness:
    if deal is None or deal.turn_since is None:
        return "no_pulse_owed"
    due = pulse_due(deal)
    late = deal.pulse.misses > 0 if due is None else due <= now or deal.pulse.misses > 0
    return "update_overdue" if late else "pulse_owed"


def _seconds(since: str, until: str) -> int:
    return (instants.micros(until) - instants.micros(since)) // 1_000_000
