"""Work pulses of a deal as a bench shows them (`projections.pulses`): the content to three readers, times to all."""

from __future__ import annotations

from typing import Any

from ..domain.commands import Actor
from ..domain.deal.state import Deal
from ..domain.events import read
from ..projections.pulses import PublicPulses, PulseView, public_pulses, pulse_view
from .bench import Bench


def pulses(bench: Bench, deal: str, *, by: Actor) -> PulseView | None:
    """Header bar, active card and step threads of a deal, for its agent, its person or a steward.

    Raises `Refused` (TB-PULSE-009) for any other reader and `domain.streams.Unknown` where there is no such deal.
    """
    found = Deal.of(bench, deal)
    events = [read(body) for body in bench.stream(deal)]

    def reveal(commitment: str) -> Any:
        return bench.reveal(commitment, by=by)

    return pulse_view(bench.law().pinned(found.pins), events, reveal, bench.now())


def liveness(bench: Bench, deal: str) -> PublicPulses | None:
    """What everybody sees of a deal's pulses: times and liveness, and nothing of what they say."""
    found = Deal.of(bench, deal)
    events = [read(body) for body in bench.stream(deal)]
    return public_pulses(bench.law().pinned(found.pins), events, bench.now())
