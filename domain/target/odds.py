"""Odds and bands: how the frozen probability comes about, and which band it means (paper, sections 3 and 5).

p = the anchor of the reference class + the signed steps of the dials, clamped once to the bounds of the rubric. The
arithmetic is exact (`Decimal`), and every input stands in the events, so that anyone can derive p and the band anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from ...protocol.envelope import Event
from ...rules.evaluators import computes
from ...rules.law import Law

Parameters = Mapping[str, Any]
ZERO = Decimal(0)
BASIS = 10_000
"""Basis points in 1."""
BOUNDS = "TB-ODDS-010"


class Row(NamedTuple):
    """A row of the rubric: the default anchor of a reference class and the range its band covers."""

    reference_class: str
    anchor: Decimal
    low: Decimal
    high: Decimal


def _row(params: Parameters) -> Row:
    return Row(params["reference_class"], params["default"], params["range_low"], params["range_high"])


ROWS = {rule: computes(rule, neutral=None)(_row) for rule in ("TB-ODDS-011", "TB-ODDS-012", "TB-ODDS-013")}
"""The three rows of the rubric by their rules."""


def reference_classes(law: Law) -> tuple[str, ...]:
    """The reference classes of the rubric, from likely to improbable."""
    return tuple(law.params(rule)["reference_class"] for rule in ROWS)


def row(law: Law, reference_class: str | None) -> Row | None:
    """The row of a reference class; None for a class the rubric does not have."""
    for rule, read in ROWS.items():
        if law.params(rule)["reference_class"] == reference_class:
            return read(law)
    return None


@computes("TB-ODDS-017", neutral=lambda default, corrected: default)
def _present_anchor(params: Parameters, default: Decimal, corrected: Decimal | None) -> Decimal:
    """TB-ODDS-017: a posting starts from the anchor that stands on the ledger at that moment."""
    return default if corrected is None else corrected


def anchor(law: Law, reference_class: str | None, corrections: Mapping[str, Decimal]) -> Decimal:
    """The anchor that a posting starts from now: the last correction on the ledger, else the rubric's default.

    `corrections` are `Rulebook.anchors`. A class the rubric does not have starts from 0 and is refused elsewhere.
    """
    found = row(law, reference_class)
    return ZERO if found is None else _present_anchor(law, found.anchor, corrections.get(found.reference_class))


@computes("TB-ODDS-008", neutral={})
def raising(params: Parameters) -> Mapping[str, Decimal]:
    """TB-ODDS-008: the dials that raise p, with their steps."""
    return {dial: abs(step) for dial, step in params["steps"].items()}


@computes("TB-ODDS-009", neutral={})
def lowering(params: Parameters) -> Mapping[str, Decimal]:
    """TB-ODDS-009: the dials that lower p, with their steps."""
    return {dial: -abs(step) for dial, step in params["steps"].items()}


def dials(law: Law) -> Mapping[str, Decimal]:
    """All documented dials with their signed steps."""
    return {**raising(law), **lowering(law)}


@computes("TB-ODDS-007", neutral=lambda nominal, low, high: nominal)
def clamp(params: Parameters, nominal: Decimal, low: Decimal, high: Decimal) -> Decimal:
    """TB-ODDS-007: the sum stops at the bounds (or, where the parameter says so, is left for TB-ODDS-010 to refuse)."""
    return min(max(nominal, low), high) if params["at_bound"] == "stop_at_bound" else nominal


class Derivation(NamedTuple):
    """How p came about: anchor, (dial, signed step) pairs, nominal sum, and p."""

    anchor: Decimal
    steps: tuple[tuple[str, Decimal], ...]
    nominal: Decimal
    p: Decimal


def derive(law: Law, start: Decimal, turned: Sequence[str]) -> Derivation:
    """Derive p from an anchor and the ids of the dials turned. A dial that is not documented has no step."""
    known = dials(law)
    steps = tuple((dial, known.get(dial, ZERO)) for dial in turned)
    nominal = start + sum((step for _, step in steps), ZERO)
    bounds = law.params(BOUNDS)
    return Derivation(start, steps, nominal, clamp(law, nominal, bounds["p_min"], bounds["p_max"]))


def number(written: str) -> Decimal:
    """A decimal string as an exact number."""
    return Decimal(written)


def text(value: Decimal) -> str:
    """A probability or step as events write it: two decimals, or as many as it has where it has more."""
    rounded = format(value, ".2f")
    return rounded if Decimal(rounded) == value else format(value.normalize(), "f")


def decimals(value: Decimal) -> int:
    """How many decimals a number needs."""
    exponent = value.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


@computes("TB-BAND-001", neutral=())
def bands(params: Parameters) -> tuple[str, ...]:
    """TB-BAND-001: the three bands, from likely to improbable."""
    found: tuple[str, ...] = params["bands"]
    return found


@computes("TB-BAND-002", neutral=0)
def band_index(params: Parameters, p_bp: Any) -> Any:
    """TB-BAND-002, equation (1): 0 for Short odds, 1 for Long odds, 2 for Moonshot.

    `p_bp` is the frozen probability times 10,000: a number, or an expression that stands for a column of them.
    """
    short, long = (int(params[name] * BASIS) for name in ("short_min", "long_min"))
    if params["lower_bound_inclusive"]:
        return (p_bp < short) + (p_bp < long)
    return (p_bp <= short) + (p_bp <= long)


def band(law: Law, p: Decimal) -> str:
    """The band of a frozen probability, by name."""
    names = bands(law)
    return names[band_index(law, p * BASIS)] if names else "unbanded"


@computes("TB-BAND-004", neutral=lambda start, p: start)
def banded_number(params: Parameters, start: Decimal, p: Decimal) -> Decimal:
    """TB-BAND-004: what bands a target is the number the dials left it with, never the class it started from."""
    return p


@computes("TB-CAMP-002", neutral=lambda own, before: own if before is None else before)
def stage_number(params: Parameters, own: Decimal, before: Decimal | None) -> Decimal:
    """TB-CAMP-002: a campaign stage has its own p, whatever that of the stage before it."""
    return own


@computes("TB-BAND-005", neutral=lambda law, events: {})
def _rebuilt(params: Parameters, law: Law, events: Iterable[Event]) -> Mapping[str, str]:
    """TB-BAND-005: the band of every posted target, from nothing but public events."""
    frozen: dict[str, tuple[Decimal, Decimal]] = {}
    found: dict[str, str] = {}
    for event in events:
        if event.type == "target.odds.frozen":
            frozen[event.stream] = (Decimal(event.data["anchor"]), Decimal(event.data["p"]))
        elif event.type == "target.posted" and event.stream in frozen:
            pinned = law.pinned({"target.posted": event.data["edition"]})
            found[event.stream] = band(pinned, banded_number(pinned, *frozen[event.stream]))
    return found


def bands_of(law: Law, events: Iterable[Event]) -> Mapping[str, str]:
    """The band of every posted target by its id, recomputed from the public events (TB-BAND-005)."""
    return _rebuilt(law, law, events)
