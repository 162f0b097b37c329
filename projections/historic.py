"""Historic attempts: the cells of one row of published results, read strictly, and the row as attempt facts.

The columns are those of the public results format (TB-AUDIT-002). A row counts as official: the published file has no
integrity state, and every resolved row of it counts (lapses with o = 0). What the format does not say, such as steps,
deadline, signing or verification, stays "not recorded".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from ..domain.deal.figures import standard
from ..domain.target.card import tier
from ..protocol import instants
from ..rules.law import Law
from .attempts import BASIS, NOT_RECORDED, UNKNOWN, AttemptFacts, Change

_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_SHOWN = 40
_SHORT = 14
"""Numbers of fewer characters than this are in range whatever their digits."""
MOST = 2**53 - 1
_FIRST, _LAST = instants.micros("1000-01-01T00:00:00Z"), instants.micros("9000-01-01T00:00:00Z")
"""Instants between these have a week and a season in any calendar."""


class CellError(ValueError):
    """A cell does not have its form; the message says why, `fix` what to write instead."""

    def __init__(self, detail: str, fix: str) -> None:
        super().__init__(detail)
        self.fix = fix


def number(text: str, places: int, fix: str) -> Decimal:
    """A finite decimal that is not negative, with at most `places` decimals. Raises `CellError`."""
    if not text:
        raise CellError("the cell is blank", fix)
    if _NUMBER.fullmatch(text) is None:
        finite = "finite " if text.lower().lstrip("+-") in ("nan", "inf", "infinity") else ""
        raise CellError(f"{_short(text)} is no {finite}number", fix)
    value = Decimal(text)
    if value < 0:
        raise CellError(f"{_short(text)} is negative", fix)
    if value > MOST:
        raise CellError(f"{_short(text)} is too large", fix)
    if value != round(value, places):
        raise CellError(f"{_short(text)} has more than {places} decimals", fix)
    return value


def probability(text: str) -> int:
    """p in basis points: from 0 to 1 with at most four decimals (A-03)."""
    fix = "write a decimal from 0 to 1 with at most four decimals"
    value = number(text, 4, fix)
    if value > 1:
        raise CellError(f"{_short(text)} is above 1 and so no probability", fix)
    return int(value * BASIS)


def outcome(text: str) -> int:
    """o: 0 or 1."""
    if text not in ("0", "1"):
        raise CellError("the cell is blank" if not text else f"{_short(text)} is no outcome", "write 0 or 1")
    return int(text)


def minutes(text: str) -> int:
    """Whole minutes of agent-court time, as seconds."""
    if text.isdecimal() and text.isascii() and len(text) < _SHORT:  # the usual spelling
        return int(text) * 60
    return int(number(text, 0, "write whole minutes, 0 or more")) * 60


def dollars(text: str) -> int:
    """An amount of US dollars as cents."""
    if text[-3:-2] == "." and text.isascii() and len(text) < _SHORT:  # the usual spelling: two decimals
        digits = text.replace(".", "", 1)
        if digits.isdecimal():
            return int(digits)
    return int(number(text, 2, "write dollars with at most two decimals, 0 or more") * 100)


def word(text: str) -> str:
    """A cell that must not be blank; white space around it is part of no name."""
    if not text or text.isspace():
        raise CellError("the cell is blank", "fill it in")
    if text != text.strip():
        raise CellError(f"{_short(text)} has white space around it", "remove the white space")
    return text


def instant(text: str) -> int:
    """An instant with an offset, as microseconds since 1970."""
    if not text:
        raise CellError("the cell is blank", "write an instant with offset, such as 2026-08-24T00:00:00Z")
    try:
        at = instants.micros(text)
    except instants.InstantError as error:
        raise CellError(str(error)[:200], "write an instant with offset, such as 2026-08-24T00:00:00Z") from None
    if not _FIRST <= at < _LAST:
        raise CellError(f"{_short(text)} lies outside every season", "write the year in which it was")
    return at


def score(text: str) -> int | None:
    """A whole number, or None for a blank cell; the scale is another rule's matter."""
    return int(number(text, 0, "write a whole number, or leave the cell blank")) if text else None


def optional_number(text: str) -> None:
    """A cell that is not used here: blank or a number."""
    if text:
        number(text, 15, "write a number, or leave the cell blank")


CELLS: Mapping[str, Callable[[str], Any]] = {
    "deal_id": word,
    "target_id": word,
    "p_frozen": probability,
    "outcome": outcome,
    "resolution": word,
    "agent": word,
    "model": word,
    "T_agent_minutes": minutes,
    "C_usd": dollars,
    "B_usd": dollars,
    "resolved_at": instant,
}
"""The columns that figures are made of, and how each is read."""


def end_of(law: Law, resolution: str) -> str:
    """The terminal state of a published resolution; `failed` is a class, not a state (A-07)."""
    classes: Mapping[str, str] = law.params("TB-OUT-005")["historic_classes"]
    return classes.get(resolution, resolution)


def attempt_of(columns: Mapping[str, str], law: Law, leaf: int) -> AttemptFacts | None:
    """An imported row as attempt facts; None where a cell that figures need does not have its form.

    No figure needs `posted_at`: without it the signing is unknown. `leaf` is the leaf index of the event that holds it.
    """
    try:
        cells = {name: read(columns[name]) for name, read in CELLS.items()}
    except (CellError, KeyError):
        return None
    try:
        posted = instant(columns.get("posted_at", ""))
    except CellError:
        posted = UNKNOWN
    try:
        rating = score(columns.get("satisfaction", ""))
    except CellError:
        rating = None
    b_cents, c_cents = cells["B_usd"], cells["C_usd"]
    return AttemptFacts(
        deal=cells["deal_id"],
        target=cells["target_id"],
        agent=cells["agent"],
        agent_name=cells["agent"],
        system_version=NOT_RECORDED,
        models=(cells["model"],),
        declared_models=(cells["model"],),
        p_bp=cells["p_frozen"],
        o=cells["outcome"],
        end=end_of(law, cells["resolution"]),
        t_seconds=cells["T_agent_minutes"],
        elapsed_seconds=UNKNOWN,
        on_time=UNKNOWN,
        c_cents=c_cents,
        b_cents=b_cents,
        ceiling_cents=b_cents,
        integrity="official",
        standard=standard(law, b_cents),
        tier=tier(law, b_cents) or NOT_RECORDED,
        satisfaction=rating,
        settled=c_cents > 0,
        signed_at=posted,
        resolved_at=cells["resolved_at"],
        origin="historic",
        evidence=(leaf,),
        history=(Change(leaf, "official", c_cents, "attempt.imported"),),
    )


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
