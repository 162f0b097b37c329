"""What the money of a deal must hold to: every cent has an approval, a record, and a place.

Source: paper, section 2.3 (Cost to the person); rulings A-25, A-54 and A-71.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.evaluators import Finding, Judgement, guard, requires
from ..target.state import Target
from ..world import Case
from .figures import approved, signed_amount
from .state import OF_TARGET, Deal, Money

CHECKOUT = "checkout"
"""The platform's own rail."""

requires("TB-BID-013", event="deal.acceptance_gift_paid")
requires("TB-COST-006", event="deal.subsidy.declared")
requires("TB-COST-007", event="deal.subsidy.declared", field="own_spending_cents")


def _money(case: Case) -> Money:
    return case.state.money if isinstance(case.state, Deal) else Money()


@guard("TB-COST-002", on="escrow.released")
def release_follows_an_approval(case: Case) -> Judgement:
    """TB-COST-002 (ruling A-71): a signed approval releases exactly the signed amount of its step, once."""
    deal, cause, cents = case.state, case.data["cause"], case.data["amount_cents"]
    if not isinstance(deal, Deal):
        return None
    fix = "money is released by approvals alone"
    if not approved(case.law, deal, cause):
        return case.finding("release", f"the person has not approved {cause}", fix)
    if cause in deal.money.released:
        return case.finding("release", f"{cause} was released already", fix)
    if cents != signed_amount(deal, cause):
        return case.finding("amount_cents", f"the signed card gives {cause} another amount than {cents}", fix)
    return None


@guard("TB-COST-003", on="escrow.reversed")
def reversal_is_within_its_release(case: Case) -> Judgement:
    """TB-COST-003: a reversal takes back at most what is left of its release, and says truly what remains."""
    money, data = _money(case), case.data
    release, cents, kind = data["release"], data["amount_cents"], data["kind"]
    if kind not in case.params["kinds"]:
        kinds = ", ".join(case.params["kinds"])
        return case.finding("kind", f"{kind} is no kind of reversal", f"name one of {kinds}")
    left = money.left_of(release)
    if not 0 < cents <= left:
        return case.finding(
            "amount_cents", f"{cents} cents cannot return: {left} are left of {release}", "return those"
        )
    kept = money.paid_out - money.taken_back - cents
    if (kind == "partial" and kept == 0) or (kind == "full" and kept > 0):
        return case.finding(
            "kind", f"after it the agent keeps {kept} cents", "full means that it keeps nothing, partial that it does"
        )
    return None


@guard("TB-COST-005", on="target.priority_purchased")
def priority_is_paid_before_any_deal(case: Case) -> Judgement:
    """TB-COST-005: the posting-priority fee is paid before any deal exists, on a line of its own."""
    target = case.state
    deals = case.world.related(OF_TARGET, target.id) if isinstance(target, Target) else ()
    if any(getattr(case.world.state(deal), "status", None) != "declined" for deal in deals):
        return case.finding("target", "there is a deal on this want already", "buy priority before any deal")
    return None


@guard("TB-COST-008", on=("escrow.funded", "escrow.released"))
def nothing_is_paid_at_zero(case: Case) -> Judgement:
    """TB-COST-008: a $0 deal costs the person nothing; what an engine earns is booked as funding."""
    deal = case.state
    if isinstance(deal, Deal) and deal.total_cents == 0:
        return case.finding(
            "amount_cents", "this is a $0 deal: no money of the person moves", "record engine revenue as what it is"
        )
    return None


@guard("TB-COST-009", on="payment.settled")
def payment_clears_at_the_checkout(case: Case) -> Judgement:
    """TB-COST-009: payment counts where it clears through the platform's own checkout."""
    if case.data["rail"] != CHECKOUT:
        detail = f"{case.data['rail']} is not the platform's checkout"
        return case.finding("rail", detail, "settle through the checkout")
    return None


@guard("TB-COST-012", on="escrow.released")
def releases_stay_within_the_total(case: Case) -> Judgement:
    """TB-COST-012 (ruling A-54): all releases together never exceed the stated total."""
    deal = case.state
    if isinstance(deal, Deal):
        spent = deal.money.paid_out + case.data["amount_cents"]
        if spent > deal.total_cents:
            detail = f"releases would come to {spent} cents, the total is {deal.total_cents}"
            return case.finding("amount_cents", detail, "release no more than the signed card does")
    return None


@guard("TB-COST-013", on=("escrow.funded", "escrow.released", "escrow.returned", "payment.settled"))
def escrow_balances(case: Case) -> Iterator[Finding]:
    """TB-COST-013: money neither appears nor vanishes. Funding stays within the total, escrow pays out what it holds,
    and no more clears than was funded."""
    money, cents, type_ = _money(case), case.data["amount_cents"], case.event.type
    total = case.state.total_cents if isinstance(case.state, Deal) else 0
    if cents < 0 or (cents == 0 and type_ != "payment.settled"):
        yield case.finding("amount_cents", f"{cents} cents is no amount", "give the amount that moves")
    if type_ == "escrow.funded" and money.funded + cents > total:
        detail = f"escrow would hold {money.funded + cents} cents for a total of {total}"
        yield case.finding("amount_cents", detail, "fund the stated total at most")
    if type_ in ("escrow.released", "escrow.returned") and cents > money.balance:
        yield case.finding("deal", f"escrow holds {money.balance} cents, {cents} are due", "fund the escrow first")
    if type_ == "payment.settled" and money.settled + cents > money.funded:
        detail = f"{money.settled + cents} cents would have cleared of {money.funded} funded"
        yield case.finding("amount_cents", detail, "settle what was funded")
