"""Rules that judge the odds at the moment they are frozen, and every attempt to touch them afterwards."""

from __future__ import annotations

from collections import Counter

from ...rules.evaluators import Judgement, guard, requires
from ..rulebook.state import Rulebook
from ..world import Case
from . import odds

requires("TB-ODDS-001", event="target.posted", field="p")
requires("TB-ODDS-006", event="target.odds.frozen", field="dials")

ANCHOR_CHANGED = "odds.anchor.changed"


@guard("TB-ODDS-002", on="target.odds.frozen")
def odds_never_change(case: Case) -> Judgement:
    """TB-ODDS-002: the probability of a posted want stands."""
    if case.state.posted:
        return case.finding("target", f"the odds of this want were frozen at {case.state.posted_at}", "leave them")
    return None


@guard("TB-ODDS-003", on="target.odds.frozen")
def one_p_a_target(case: Case) -> Judgement:
    """TB-ODDS-003: a target has a single probability."""
    if case.state.odds is not None:
        p = odds.text(case.state.odds.p)
        return case.finding("target", f"this target has p = {p} already", "another p takes another target")
    return None


@guard("TB-ODDS-004", on=("target.odds.frozen", ANCHOR_CHANGED))
def p_starts_from_a_reference_class(case: Case) -> Judgement:
    """TB-ODDS-004: the steward names a reference class of the rubric."""
    named, known = case.data["class"], odds.reference_classes(case.law)
    if named in known:
        return None
    detail = "no reference class is named" if named is None else f"the rubric has no reference class {named}"
    return case.finding("reference_class", detail, f"name one of {', '.join(known)}")


def _turned(case: Case) -> list[str]:
    return [dial["id"] for dial in case.data["dials"] or ()]


@guard("TB-ODDS-005", on="target.odds.frozen")
def only_documented_dials(case: Case) -> Judgement:
    """TB-ODDS-005: nothing moves p but the dials of the rubric."""
    known = odds.dials(case.law)
    return [
        case.finding("dials", f"the rubric has no dial {dial}", f"name one of {', '.join(known)}")
        for dial in dict.fromkeys(_turned(case))
        if dial not in known
    ]


@guard("TB-ODDS-018", on="target.odds.frozen")
def each_dial_once(case: Case) -> Judgement:
    """TB-ODDS-018: a dial is turned at most once."""
    return [
        case.finding("dials", f"{dial} is turned {times} times", "name each dial once")
        for dial, times in Counter(_turned(case)).items()
        if times > 1
    ]


@guard("TB-ODDS-019", on="target.odds.frozen")
def no_contradicting_dials(case: Case) -> Judgement:
    """TB-ODDS-019: two dials that cannot both be true are not both turned."""
    turned = set(_turned(case))
    return [
        case.finding("dials", f"{one} and {other} cannot both hold", "keep the one that is true")
        for one, other in case.params["contradictory_pairs"].items()
        if {one, other} <= turned
    ]


@guard("TB-ODDS-010", on=("target.odds.frozen", ANCHOR_CHANGED))
def p_stays_in_bounds(case: Case) -> Judgement:
    """TB-ODDS-010: no probability outside the rubric, neither frozen nor as an anchor."""
    field = "to" if case.event.type == ANCHOR_CHANGED else "p"
    p, low, high = odds.number(case.data[field]), case.params["p_min"], case.params["p_max"]
    if low <= p <= high:
        return None
    return case.finding(field, f"{odds.text(p)} is outside {low} to {high}", f"stay within {low} and {high}")


@guard("TB-ODDS-021", on=("target.odds.frozen", ANCHOR_CHANGED))
def p_has_two_decimals(case: Case) -> Judgement:
    """TB-ODDS-021: a frozen probability, and what it starts from, has at most two decimals."""
    field = "to" if case.event.type == ANCHOR_CHANGED else "p"
    most = case.params["max_decimals"]
    if odds.decimals(odds.number(case.data[field])) > most:
        return case.finding(field, f"{case.data[field]} has more than {most} decimals", f"round it to {most} decimals")
    return None


@guard("TB-ODDS-020", on="target.odds.frozen")
def p_is_the_derived_one(case: Case) -> Judgement:
    """TB-ODDS-020: the whole derivation is what anchor and dials give; a stated p cannot differ."""
    anchor = odds.anchor(case.law, case.data["class"], Rulebook.now(case.world).anchors)
    derived = odds.derive(case.law, anchor, _turned(case))
    steps = [{"id": dial, "step": odds.text(step)} for dial, step in derived.steps]
    expected = {
        "anchor": odds.text(derived.anchor),
        "nominal": odds.text(derived.nominal),
        "p": odds.text(derived.p),
        "dials": steps,
    }
    return [
        case.finding(
            field, f"{field} is {case.data[field]}, the rubric gives {value}", "leave it out, or state what it gives"
        )
        for field, value in expected.items()
        if case.data[field] is not None and case.data[field] != value
    ]


@guard("TB-BAND-003", on="target.band.assigned")
def nobody_assigns_a_band(case: Case) -> Judgement:
    """TB-BAND-003: the band is read off p; it cannot be set."""
    return case.finding(
        "band",
        f"{case.data['band']} cannot be assigned: the band follows p",
        "choose the class and dials that fit the want",
    )
