"""A second bookkeeper: reads the public record event by event, by rules of its own, and says where it cannot be right.

It shares no code with the states and projections that it is held against.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from fuzz.values import CARD_MARK, PRIVATE_MARK
from tollbench.protocol.envelope import Event

FINALISTS = 3
LAPSE = 14 * 86_400 * 10**6
OVER = (
    "ask.", "milestone.", "agent.checkin.posted", "deal.resolved", "deal.signed", "deal.declined", "escrow.funded",
    "escrow.released", "deal.interim_outcome", "outcome.approval", "outcome.approved", "outcome.declined",
)  # fmt: skip
"""What cannot follow the end of an attempt."""
NOT_AFTER_CLOSING = ("target.", "proposal.submitted", "proposal.finalist_named", "proposal.chosen", "proposal.answer")
"""What cannot follow the withdrawal or the close of a want."""


def micros(at: str) -> int:
    """An instant as whole microseconds."""
    moment = datetime.fromisoformat(at.replace("Z", "+00:00"))
    return int((moment - datetime.fromisoformat("1970-01-01T00:00:00+00:00")).total_seconds()) * 10**6 + (
        moment.microsecond
    )


def band_of(p: str) -> str:
    """The band of a probability, by the band equation of the paper."""
    if Decimal(p) >= Decimal("0.50"):
        return "short"
    return "long" if Decimal(p) >= Decimal("0.15") else "moonshot"


def texts(value: Any) -> Iterator[str]:
    """Every text in the data of an event."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from texts(item)


@dataclass
class Books:
    """The accounts and the clock of one deal. Every movement takes from one account what it gives another."""

    total: int
    amounts: Mapping[str, int]
    signed: int | None = None
    deadline: int | None = None
    person: int = 0
    escrow: int = 0
    agent: int = 0
    funded: int = 0
    released: int = 0
    returned: int = 0
    approved: set[str] = field(default_factory=set)
    paid: set[str] = field(default_factory=set)
    waits: dict[str, int] = field(default_factory=dict)
    pauses: list[tuple[int, int]] = field(default_factory=list)
    end: tuple[str, int | None, str] | None = None

    def move(self, source: str, sink: str, cents: int) -> None:
        """Move money; no account but the person's may fall below zero, and together they stay at zero."""
        assert cents > 0, f"{cents} cents move"
        setattr(self, source, getattr(self, source) - cents)
        setattr(self, sink, getattr(self, sink) + cents)
        assert self.escrow >= 0 and self.agent >= 0, "an account fell below zero"
        assert self.person + self.escrow + self.agent == 0, "money appeared or vanished"
        assert self.funded == self.released + self.returned + self.escrow, "escrow does not add up"
        assert self.funded <= self.total and self.released <= self.total

    def ask(self, name: str, at: int) -> None:
        """Something that only the person can answer is open from now on."""
        assert name not in self.waits, f"{name} is open already"
        self.waits[name] = at

    def answer(self, name: str, at: int) -> None:
        """It is answered."""
        self.pauses.append((self.waits.pop(name), at))

    def agent_micros(self) -> int:
        """The agent's time of an attempt that ended: from signing to the end, less the union of all waits."""
        assert self.signed is not None and self.end is not None
        stop = micros(self.end[2])
        waits = [*self.pauses, *((at, stop) for at in self.waits.values())]
        spans = sorted((low, min(high, stop)) for low, high in waits)
        paused, reach = 0, self.signed
        for low, high in spans:
            paused += max(0, high - max(low, reach))
            reach = max(reach, high)
        return stop - self.signed - paused


@dataclass
class Ledger:
    """Everything the second bookkeeper knows."""

    events: int = 0
    last_at: str = ""
    versions: dict[str, int] = field(default_factory=dict)
    p: dict[str, str] = field(default_factory=dict)
    posted: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    closed: dict[str, str] = field(default_factory=dict)
    named: dict[str, set[str]] = field(default_factory=dict)
    deals: dict[str, Books] = field(default_factory=dict)
    erased: set[str] = field(default_factory=set)

    def feed(self, leaf: int, body: bytes, event: Event) -> None:
        """Enter the next event of the log."""
        assert leaf == self.events, f"leaf {self.events} is missing"
        assert event.at >= self.last_at, "time runs backward"
        assert event.version == self.versions.get(event.stream, 0) + 1, f"{event.stream} skips a version"
        assert event.rules and event.rules.keys() == event.rulebooks.keys(), "an event cites no rule"
        assert PRIVATE_MARK.encode() not in body, f"{event.type} publishes private text"
        assert CARD_MARK.encode() not in body or event.type == "target.posted", f"{event.type} publishes the card"
        self.events, self.last_at = leaf + 1, event.at
        self.versions[event.stream] = event.version
        if event.type == "vault.erased":
            self.erased.add(event.data["commitment"])
        if event.stream.startswith("target-"):
            self._target(event)
        elif event.stream.startswith("deal-"):
            self._deal(event)

    def _target(self, event: Event) -> None:
        stream, data = event.stream, event.data
        if stream in self.closed:
            assert not event.type.startswith(NOT_AFTER_CLOSING), f"{event.type} after {self.closed[stream]}"
        if event.type == "target.odds.frozen":
            assert stream not in self.p, "the odds were frozen twice"
            assert Decimal("0.02") <= Decimal(data["p"]) <= Decimal("0.90")
            self.p[stream] = data["p"]
        elif event.type == "target.posted":
            assert stream not in self.posted and data["p"] == self.p[stream]
            self.posted[stream] = data
        elif event.type == "proposal.finalist_named":
            self.named.setdefault(stream, set()).add(data["proposal"])
            assert len(self.named[stream]) <= FINALISTS, "a fourth finalist"
        elif event.type in ("target.withdrawn", "target.closed"):
            self.closed[stream] = event.type

    def _deal(self, event: Event) -> None:
        stream, data, at = event.stream, event.data, micros(event.at)
        if event.type == "deal.proposed":
            steps = {f"milestone-{number}": cents for number, cents in enumerate(data["step_cents"], start=1)}
            self.deals[stream] = Books(data["total_cents"], {**steps, "outcome": data["outcome_cents"]})
            assert data["total_cents"] <= self.posted[data["target"]]["budget_ceiling_cents"]
            return
        books = self.deals[stream]
        if books.end is not None:
            assert not event.type.startswith(OVER), f"{event.type} after {books.end[0]}"
        if event.type == "deal.signed":
            books.signed, books.deadline = at, micros(data["deadline"])
            assert books.deadline == at + data["timeline_seconds"] * 10**6
        elif event.type.startswith(("escrow.", "payment.")):
            self._money(books, event)
        elif event.type == "deal.resolved":
            self._end(books, event)
        else:
            self._wait(books, event, at)

    def _money(self, books: Books, event: Event) -> None:
        cents = event.data["amount_cents"]
        if event.type == "escrow.funded":
            books.funded += cents
            books.move("person", "escrow", cents)
        elif event.type == "escrow.released":
            cause = event.data["cause"]
            assert cause in books.approved and cause not in books.paid, "money was released without an approval"
            assert cents == books.amounts[cause], "another amount than the card was signed for"
            books.paid.add(cause)
            books.released += cents
            books.move("escrow", "agent", cents)
        elif event.type == "escrow.reversed":
            books.move("agent", "person", cents)
        elif event.type == "escrow.returned":
            assert books.end is not None, "escrow returned money while the attempt ran"
            books.returned += cents
            books.move("escrow", "person", cents)

    def _wait(self, books: Books, event: Event, at: int) -> None:
        kind, _, act = event.type.rpartition(".")
        if kind == "ask":
            name = event.data["ask"]
        elif kind in ("milestone", "milestone.approval"):
            name = f"milestone-{event.data['milestone']}"
        elif kind in ("outcome", "outcome.approval"):
            name = "outcome"
        else:
            return
        if act in ("opened", "requested"):
            books.ask(name, at)
        elif act in ("answered", "approved", "declined"):
            books.answer(name, at)
        if act == "approved":
            books.approved.add(name)

    def _end(self, books: Books, event: Event) -> None:
        data, at = event.data, micros(event.at)
        assert books.signed is not None and books.deadline is not None, "an attempt ended that never began"
        books.end = (data["resolution"], data["o"], data["resolved_at"])
        assert data["resolved_at"] <= event.at and micros(data["resolved_at"]) <= books.deadline
        assert (data["o"] == 1) == (data["resolution"] == "delivered")
        if data["resolution"] == "expired":
            assert micros(data["resolved_at"]) == books.deadline < at
        elif data["resolution"] == "lapsed":
            # The finish line may have been approved just now, too late to undo the lapse.
            opened = [*books.waits.values(), *(low for low, high in books.pauses if high == at)]
            assert micros(data["resolved_at"]) == min(opened) + LAPSE
        else:
            assert data["resolved_at"] == event.at
        assert books.agent_micros() >= 0, "the agent's clock is negative"
