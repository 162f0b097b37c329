"""The state of a deal, folded from the events of its stream, those of its milestones included."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from ...protocol import instants
from ...protocol.envelope import Event
from ..milestone.state import EVOLVERS, Milestone
from ..streams import State, replace, stream_kind
from .pulse import Pulse
from .venture import Venture

KIND = stream_kind("deal")
OF_TARGET, OF_PERSON, OF_PASSPORT = "deals_of_target", "deals_of_person", "deals_of_passport"
"""Private indexes: target, poster or agent -> its deals (proposed and declined ones too), oldest first."""
OF_CARD = "deals_of_card"
"""Private index: the commitment of a deal card -> the deal that carries it."""
RELATED = "deals_of_related_parties"
"""Private index: `sides` -> the deals on which a steward found one party behind both."""
OUTCOME = "outcome"
"""The name of the finish line among requests and releases; milestones go by `milestone-N`."""

Status = Literal["proposed", "declined", "signed", "resolved"]


class Money(NamedTuple):
    """The money of a deal in cents, as double entry: every movement takes from one account what it gives another.

    `released` and `reversed` are by cause (`milestone-N`, `outcome`); `settled` is what cleared through the checkout.
    """

    funded: int = 0
    released: Mapping[str, int] = {}
    reversed: Mapping[str, int] = {}
    returned: int = 0
    settled: int = 0
    settlements: int = 0
    chargeback: bool = False

    @property
    def paid_out(self) -> int:
        """All releases, before reversals."""
        return sum(self.released.values())

    @property
    def taken_back(self) -> int:
        """All reversals."""
        return sum(self.reversed.values())

    @property
    def balance(self) -> int:
        """What escrow holds."""
        return self.funded - self.paid_out - self.returned

    @property
    def accounts(self) -> dict[str, int]:
        """The three accounts; they always sum to zero."""
        kept = self.paid_out - self.taken_back
        return {"person": self.returned + self.taken_back - self.funded, "escrow": self.balance, "agent": kept}

    @property
    def payment_settled(self) -> bool:
        """Whether at least what was released cleared through the checkout."""
        return self.settlements > 0 and self.settled >= self.paid_out

    def left_of(self, release: str) -> int:
        """What of a release has not been reversed."""
        return self.released.get(release, 0) - self.reversed.get(release, 0)


@dataclass(frozen=True)
class Ask:
    """Something that only the person can answer; `lapses_at` is when the target lapses if it stays open."""

    id: str
    opened_at: str
    lapses_at: str
    open: bool = True


@dataclass(frozen=True, kw_only=True)
class Deal(State):
    """One deal; an attempt from the moment it is signed.

    `turn_since` is the instant since which it has been the agent's turn (None while the clock pauses, before signing
    and after resolution). `outcome` is where the finish line stands, `outcome_lapses_at` set while its request is open.
    `reviews` maps each open integrity review to its ground, `confirmed` is the ground of a confirmed finding, `related`
    whether one party was found on both sides. `workflow` is the delivered deal whose path this one reuses. `o`,
    `resolution`, `resolved_at` and `integrity` speak of a resolved deal only.
    """

    status: Status = "proposed"
    target: str
    proposal: str
    passport: str
    person: str
    operator: str
    system: str | None
    card_version: int
    card_hash: str
    card_commitment: str
    total_cents: int
    timeline_seconds: int
    outcome_cents: int
    proposed_at: str
    terms: Mapping[str, Any]
    milestones: Mapping[int, Milestone]
    signed_at: str | None = None
    deadline: str | None = None
    standard: str | None = None
    ownership: Mapping[str, str] = field(default_factory=dict)
    agent_name: str | None = None
    system_version: str | None = None
    base_models: tuple[tuple[str, str], ...] = ()
    config_changes: int = 0
    asks: Mapping[str, Ask] = field(default_factory=dict)
    outcome: Literal["open", "requested", "approved", "declined"] = "open"
    outcome_lapses_at: str | None = None
    money: Money = field(default_factory=Money)
    gift_cents: int = 0
    subsidy: bool | None = None
    own_spending_cents: int = 0
    engine_revenue_cents: int = 0
    satisfaction: int | None = None
    interim_outcomes: int = 0
    resolution: str | None = None
    o: int | None = None
    resolved_at: str | None = None
    integrity: Literal["provisional", "official", "invalidated"] = "provisional"
    reviews: Mapping[str, str] = field(default_factory=dict)
    turn_since: str | None = None
    confirmed: str | None = None
    related: bool | None = None
    pulse: Pulse = field(default_factory=Pulse)
    venture: Venture | None = None
    workflow: str | None = None

    @property
    def parties(self) -> Mapping[str, str]:
        """The poster, the agent, and the person who operates it."""
        return {"poster": self.person, "agent": self.passport, "operator": self.operator}

    @property
    def readers(self) -> tuple[str, str, str]:
        """Who may read what is private between the two sides: the person, the agent, and stewards."""
        return (self.person, self.passport, "steward")

    @property
    def active(self) -> bool:
        """Whether the attempt runs: signed and without a terminal event."""
        return self.status == "signed"

    @property
    def requests(self) -> dict[str, str]:
        """The open requests that only the person can answer, each with the instant at which the target lapses."""
        found = {each.id: each.lapses_at for each in self.asks.values() if each.open}
        for step in self.milestones.values():
            if step.lapses_at is not None:
                found[step.subject] = step.lapses_at
        if self.outcome_lapses_at is not None:
            found[OUTCOME] = self.outcome_lapses_at
        return found


def due_of(state: Any) -> str | None:
    """When the clock next has to resolve the deal: at the first lapse, or just after the deadline, which is inclusive.

    Other things that fall due on a deal register themselves in `DUE`.
    """
    if not isinstance(state, Deal) or not state.active:
        return None
    found = list(state.requests.values())
    if state.deadline is not None:
        found.append(instants.text(instants.from_micros(instants.micros(state.deadline) + 1)))
    return min(found, default=None)


DUE: list[Callable[[Any], str | None]] = [due_of]
"""Everything that can fall due on a deal: functions from the state to the next due instant, or None."""


def sides(deal: Deal) -> str:
    """The person and the operator of a deal, as a key."""
    return f"{deal.person} {deal.operator}"


def _index(state: Any) -> Iterable[tuple[str, str]]:
    if not isinstance(state, Deal):
        return ()
    entries = [
        (OF_TARGET, state.target),
        (OF_PERSON, state.person),
        (OF_PASSPORT, state.passport),
        (OF_CARD, state.card_commitment),
    ]
    return [*entries, (RELATED, sides(state))] if state.related else entries


KIND.index = _index
KIND.due = lambda state: min((due for due in (each(state) for each in DUE) if due is not None), default=None)


def _turn(before: Deal, after: Deal, at: str) -> Deal:
    """Stop or restart the agent's clock where the event opened the first human-only request or closed the last."""
    waits = bool(after.requests)
    if waits and before.turn_since is not None:
        return replace(after, turn_since=None)
    if not waits and before.turn_since is None:
        return replace(after, turn_since=at)
    return after


@KIND.on("deal.proposed")
def _proposed(state: None, event: Event) -> Deal:
    data = event.data
    amounts = enumerate(data["step_cents"], start=1)
    return Deal(
        id=event.stream,
        pins=data["pins"],
        target=data["target"],
        proposal=data["proposal"],
        passport=data["passport"],
        person=data["person"],
        operator=data["operator"],
        system=data["system"],
        card_version=data["card_version"],
        card_hash=data["card_hash"],
        card_commitment=data["card_commitment"],
        total_cents=data["total_cents"],
        timeline_seconds=data["timeline_seconds"],
        outcome_cents=data["outcome_cents"],
        proposed_at=event.at,
        terms=data,
        milestones={number: Milestone(number, cents) for number, cents in amounts},
    )


@KIND.on("deal.declined")
def _declined(state: Deal, event: Event) -> Deal:
    return replace(state, status="declined")


@KIND.on("deal.signed")
def _signed(state: Deal, event: Event) -> Deal:
    data = event.data
    return replace(
        state,
        status="signed",
        pins=data["pins"],
        signed_at=event.at,
        deadline=data["deadline"],
        standard=data["standard"],
        ownership=data["ownership"],
        agent_name=data["agent_name"],
        system_version=data["system_version"],
        base_models=tuple((model["name"], model["version"]) for model in data["base_models"] or ()),
        turn_since=event.at,
    )


@KIND.on("deal.amended")
def _amended(state: Deal, event: Event) -> Deal:
    return state


@KIND.on("deal.acceptance_gift_paid")
def _gift(state: Deal, event: Event) -> Deal:
    return replace(state, gift_cents=state.gift_cents + event.data["amount_cents"])


@KIND.on(*EVOLVERS)
def _milestone(state: Deal, event: Event) -> Deal:
    number = event.data["milestone"]
    step = EVOLVERS[event.type](state.milestones[number], event)
    return _turn(state, replace(state, milestones={**state.milestones, number: step}), event.at)


@KIND.on("ask.opened")
def _opened(state: Deal, event: Event) -> Deal:
    ask = Ask(event.data["ask"], event.at, event.data["lapses_at"])
    return _turn(state, replace(state, asks={**state.asks, ask.id: ask}), event.at)


@KIND.on("ask.answered")
def _answered(state: Deal, event: Event) -> Deal:
    ask = replace(state.asks[event.data["ask"]], open=False)
    return _turn(state, replace(state, asks={**state.asks, ask.id: ask}), event.at)


@KIND.on("outcome.approval.requested")
def _outcome_requested(state: Deal, event: Event) -> Deal:
    return _turn(state, replace(state, outcome="requested", outcome_lapses_at=event.data["lapses_at"]), event.at)


@KIND.on("outcome.approved")
def _outcome_approved(state: Deal, event: Event) -> Deal:
    # An approval that comes after its request fell due does not undo the lapse.
    lapsed = state.outcome_lapses_at is not None and event.at > state.outcome_lapses_at
    due = state.outcome_lapses_at if lapsed else None
    return _turn(state, replace(state, outcome="approved", outcome_lapses_at=due), event.at)


@KIND.on("outcome.declined")
def _outcome_declined(state: Deal, event: Event) -> Deal:
    return _turn(state, replace(state, outcome="declined", outcome_lapses_at=None), event.at)


@KIND.on("escrow.funded")
def _funded(state: Deal, event: Event) -> Deal:
    money = state.money
    return replace(state, money=money._replace(funded=money.funded + event.data["amount_cents"]))


@KIND.on("escrow.released")
def _released(state: Deal, event: Event) -> Deal:
    return replace(state, money=state.money._replace(released=_added(state.money.released, "cause", event)))


@KIND.on("escrow.reversed")
def _reversed(state: Deal, event: Event) -> Deal:
    money = state.money
    chargeback = money.chargeback or event.data["kind"] == "chargeback"
    back = _added(money.reversed, "release", event)
    return replace(state, money=money._replace(reversed=back, chargeback=chargeback))


def _added(sums: Mapping[str, int], key: str, event: Event) -> Mapping[str, int]:
    name = event.data[key]
    return {**sums, name: sums.get(name, 0) + event.data["amount_cents"]}


@KIND.on("escrow.returned")
def _returned(state: Deal, event: Event) -> Deal:
    money = state.money
    return replace(state, money=money._replace(returned=money.returned + event.data["amount_cents"]))


@KIND.on("payment.settled")
def _settled(state: Deal, event: Event) -> Deal:
    money = state.money
    cleared = money.settled + event.data["amount_cents"]
    return replace(state, money=money._replace(settled=cleared, settlements=money.settlements + 1))


@KIND.on("deal.resolved")
def _resolved(state: Deal, event: Event) -> Deal:
    data = event.data
    return replace(
        state,
        status="resolved",
        resolution=data["resolution"],
        o=data["o"],
        resolved_at=data["resolved_at"] or event.at,
        turn_since=None,
    )


@KIND.on("outcome.integrity_changed")
def _integrity(state: Deal, event: Event) -> Deal:
    return replace(state, integrity=event.data["to"])


@KIND.on("system_record.changed")
def _config(state: Deal, event: Event) -> Deal:
    return replace(state, config_changes=state.config_changes + 1)


@KIND.on("deal.subsidy.declared")
def _subsidy(state: Deal, event: Event) -> Deal:
    own = state.own_spending_cents + event.data["own_spending_cents"]
    return replace(state, subsidy=event.data["contributed"], own_spending_cents=own)


@KIND.on("deal.engine_revenue.recorded")
def _revenue(state: Deal, event: Event) -> Deal:
    return replace(state, engine_revenue_cents=state.engine_revenue_cents + event.data["amount_cents"])


@KIND.on("deal.satisfaction.recorded")
def _satisfaction(state: Deal, event: Event) -> Deal:
    return replace(state, satisfaction=event.data["score"])


@KIND.on("deal.interim_outcome.recorded")
def _interim(state: Deal, event: Event) -> Deal:
    return replace(state, interim_outcomes=state.interim_outcomes + 1)
