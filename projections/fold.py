"""The fold from the ledger to rows: one a target, deal, Passport, person, system record, period and imported attempt.

`apply` folds one event into JSON rows and notes only what the event says; amounts are listed, not summed, because a sum
may go beyond the whole numbers that JSON here can hold. An event below the position already reached is passed over, so
a page may be fed twice. `facts.ledger` then reads the rows as facts. Pulses are not folded at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..protocol import instants
from ..protocol.envelope import Event
from .rows import Row, Rows

BENCH = "bench"
"""The row that holds the position reached: the number of events folded."""
OUTCOME = "outcome"
Handler = Callable[[Rows, Row, int, Event], None]

_FRESH: Mapping[str, Callable[[], Row]] = {
    "target": lambda: {"proposals": {}, "filed": {}, "named": [], "fees_cents": [], "events": []},
    "deal": lambda: {
        "asks": [],
        "open": {},
        "approved": [],
        "receipts": [],
        "receipted": False,
        "money": [],
        "settled": False,
        "integrity": [],
        "reviews": [],
        "events": [],
        "earned": False,
        "subsidy": False,
        "changed": False,
    },
    "passport": lambda: {"breaches": [], "suspended": False, "versions": [], "models": []},
    "person": lambda: {"verified": False},
    "rulebook": lambda: {"aliases": {}, "anchors": []},
    "period": lambda: {"closings": []},
    "system": dict,
    "import": dict,
}
_HANDLERS: dict[str, Handler] = {}


def on(*types: str) -> Callable[[Handler], Handler]:
    """Register the decorated function as the fold of these event types. It gets the row of the event's stream."""

    def register(handler: Handler) -> Handler:
        _HANDLERS.update(dict.fromkeys(types, handler))
        return handler

    return register


def apply(rows: Rows, leaf: int, event: Event) -> None:
    """Fold one event, which stands at this leaf index. An event that was folded before changes nothing."""
    bench = rows.get(BENCH) or {"position": 0}
    if leaf < bench["position"]:
        return
    rows.put(BENCH, {**bench, "position": leaf + 1})
    handler = _HANDLERS.get(event.type)
    if handler is None:
        return
    kind = event.stream.partition("-")[0]
    row = rows.get(event.stream) or _FRESH[kind]()
    handler(rows, row, leaf, event)
    rows.put(event.stream, row)


# --- targets ---------------------------------------------------------------------------------------------------------


@on("target.odds.frozen")
def _frozen(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    row["class"] = event.data["class"]
    row["events"].append(leaf)


@on("target.posted")
def _posted(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    names = ("person", "p", "budget_ceiling_cents", "budget_tier", "category", "delivery", "verification")
    row.update({name: event.data[name] for name in names})
    row["campaign"] = event.data.get("campaign", {}).get("root")
    row["posted"] = leaf
    row["events"].append(leaf)


@on("target.priority_purchased")
def _priority(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    row["fees_cents"].append(event.data["fee_cents"])


@on("proposal.submitted")
def _proposal(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    row["proposals"][event.data["proposal"]] = event.data["passport"]
    row["filed"][event.data["proposal"]] = leaf


@on("proposal.finalist_named")
def _named(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    if event.data["proposal"] not in row["named"]:
        row["named"].append(event.data["proposal"])


@on("proposal.chosen", "target.closed", "target.withdrawn")
def _closed(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    row.setdefault("closed", leaf)


# --- deals -----------------------------------------------------------------------------------------------------------


@on("deal.signed")
def _signed(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    names = ("target", "passport", "person", "agent_name", "system_version", "base_models", "total_cents")
    row.update({name: event.data.get(name) for name in (*names, "timeline_seconds", "steps", "standard", "pins")})
    row["deadline"] = instants.micros(event.data["deadline"])
    row["signed_at"] = instants.micros(event.at)
    row["profile"] = event.data.get("profile")
    row["events"].append(leaf)


def _asked(row: Row, name: str, leaf: int, event: Event) -> None:
    row["open"][name] = len(row["asks"])
    row["asks"].append([instants.micros(event.at), None])
    row["events"].append(leaf)


def _answered(row: Row, name: str, leaf: int, event: Event) -> None:
    index = row["open"].pop(name, None)
    if index is not None:
        row["asks"][index][1] = instants.micros(event.at)
    row["events"].append(leaf)


@on("ask.opened")
def _ask(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    _asked(row, event.data["ask"], leaf, event)


@on("ask.answered")
def _answer(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    _answered(row, event.data["ask"], leaf, event)


@on("milestone.receipt.filed")
def _receipt(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    if event.data["milestone"] not in row["receipts"]:
        row["receipts"].append(event.data["milestone"])
    row["events"].append(leaf)


@on("milestone.approval.requested")
def _requested(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    _asked(row, f"milestone-{event.data['milestone']}", leaf, event)


@on("milestone.approved")
def _approved(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    milestone = event.data["milestone"]
    _answered(row, f"milestone-{milestone}", leaf, event)
    if milestone not in row["approved"]:
        row["approved"].append(milestone)
    row["receipted"] = row["receipted"] or milestone in row["receipts"]


@on("milestone.declined")
def _declined(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    _answered(row, f"milestone-{event.data['milestone']}", leaf, event)


@on("outcome.approval.requested")
def _outcome_requested(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    _asked(row, OUTCOME, leaf, event)


@on("outcome.declined")
def _outcome_declined(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    _answered(row, OUTCOME, leaf, event)


@on("outcome.approved")
def _outcome_approved(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    _answered(row, OUTCOME, leaf, event)
    row["landed_at"] = instants.micros(event.at)


@on("escrow.released")
def _released(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    row["money"].append([leaf, event.data["amount_cents"], 0])
    row["events"].append(leaf)


@on("escrow.reversed")
def _reversed(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    row["money"].append([leaf, 0, event.data["amount_cents"]])
    row["events"].append(leaf)


@on("payment.settled")
def _settled(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    row["settled"] = True
    row["events"].append(leaf)


@on("deal.resolved")
def _resolved(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    row.update(end=event.data["resolution"], o=event.data["o"])
    row["resolved_at"] = instants.micros(event.data["resolved_at"] or event.at)
    row["integrity"].append([leaf, "provisional", event.type])
    row["events"].append(leaf)


@on("outcome.integrity_changed")
def _integrity(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    row["integrity"].append([leaf, event.data["to"], event.data["because"]])
    row["events"].append(leaf)


@on("integrity.review.opened")
def _review(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    row["reviews"].append(event.data["review"])
    row["events"].append(leaf)


@on("integrity.review.closed")
def _reviewed(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    row["reviews"] = [review for review in row["reviews"] if review != event.data["review"]]
    row["events"].append(leaf)


@on("deal.subsidy.declared")
def _subsidy(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    row["subsidy"] = event.data["contributed"]
    row["events"].append(leaf)


@on("deal.engine_revenue.recorded")
def _revenue(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    row["earned"] = row["earned"] or event.data["amount_cents"] > 0
    row["events"].append(leaf)


@on("deal.satisfaction.recorded")
def _satisfaction(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    row["satisfaction"] = event.data["score"]
    row["events"].append(leaf)


# --- people, agents, rulebook, periods, imports ----------------------------------------------------------------------


@on("person.verified")
def _verified(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    row["verified"] = event.data["verified"]


@on("passport.issued")
def _issued(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    row.update(name=event.data["agent_name"], operator=event.data["operator_name"], since=leaf)


@on("passport.breach.recorded")
def _breach(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    row["breaches"].append(f"{event.data['kind']} {event.data['deal']}")


@on("passport.new_work.suspended", "passport.new_work.restored")
def _suspension(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    row["suspended"] = event.type == "passport.new_work.suspended"


@on("model.alias.recorded")
def _alias(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    row["aliases"][event.data["declared"]] = event.data["canonical"]


@on("odds.anchor.changed")
def _anchor(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    row["anchors"].append({**event.data, "position": leaf})


@on("period.closed")
def _period(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    data = event.data
    row["closings"].append([data["period"], data["name"], data["edition"], data["log_position"]])


@on("system_record.declared")
def _declared(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    names = ("passport", "system_version", "base_models", "harness_version", "autonomy_level")
    row.update({name: event.data[name] for name in names})
    row["leaf"] = leaf


@on("system_record.changed")
def _changed(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    if "asks" in row:  # on the attempt: it keeps the record frozen at signing and is flagged
        row["changed"] = True
        row["events"].append(leaf)


@on("workflow.reused")
def _reused(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    row["resale"] = True
    row["events"].append(leaf)


@on("attempt.imported")
def _imported(rows: Rows, row: Row, leaf: int, event: Event) -> None:
    key = f"{event.stream}/{event.data['row']:09d}"
    rows.put(key, {"columns": dict(event.data["columns"]), "row": event.data["row"], "leaf": leaf})
