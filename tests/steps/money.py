"""Steps about the money of a deal and what is recorded on it: escrow, settlement, reversals, subsidy, ratings."""

from __future__ import annotations

from pytest_bdd import given, parsers, then, when

from steps import folk
from steps.attempts import send
from steps.deals import ada, alder, deal
from steps.lives import Life
from tollbench.domain.commands import Actor
from tollbench.domain.deal.commands import (
    DeclareSubsidy,
    FundEscrow,
    RecordEngineRevenue,
    RecordSatisfaction,
    ReleaseEscrow,
    ReverseRelease,
    SettlePayment,
)
from tollbench.domain.target.commands import BuyPriority


@given(parsers.re(r"Ada put (?P<cents>-?\d+) cents? into escrow"))
@when(parsers.re(r"Ada puts (?P<cents>-?\d+) cents? into escrow"))
def funds(life: Life, cents: str) -> None:
    send(life, FundEscrow, ada(life), amount_cents=int(cents))


@when(parsers.parse('Ada releases {cents:d} cents for "{release}" without an approval'))
def releases(life: Life, cents: int, release: str) -> None:
    send(life, ReleaseEscrow, ada(life), release=release, amount_cents=cents)


@given(parsers.re(r"the payment of (?P<cents>\d+) cents settled"))
@when(parsers.re(r'the payment of (?P<cents>\d+) cents settles(?: through "(?P<rail>\w+)")?'))
def settles(life: Life, cents: str, rail: str | None = None) -> None:
    send(life, SettlePayment, Actor.system(), amount_cents=int(cents), rail=rail or "checkout")


@given(parsers.parse('{cents:d} cents of "{release}" went back as "{kind}"'))
@when(parsers.parse('{cents:d} cents of "{release}" go back as "{kind}"'))
def goes_back(life: Life, cents: int, release: str, kind: str) -> None:
    send(life, ReverseRelease, Actor.system(), release=release, amount_cents=cents, kind=kind)


@given(parsers.parse("Ada had paid a priority fee of {cents:d} cents"))
@when(parsers.parse("Ada pays a priority fee of {cents:d} cents"))
def pays_priority(life: Life, cents: int) -> None:
    life.attempt(BuyPriority(target=life.ids["the want"], fee_cents=cents), ada(life))


@given(parsers.parse("alder stated a subsidy and {cents:d} cents of its own money"))
def states_subsidy(life: Life, cents: int) -> None:
    send(life, DeclareSubsidy, alder(life), contributed=True, own_spending_cents=cents)


@given(parsers.parse("the engine of alder earned {cents:d} cents"))
def earns(life: Life, cents: int) -> None:
    send(life, RecordEngineRevenue, alder(life), amount_cents=cents)


@given(parsers.re(r"Ada rated it (?P<score>-?\d+)"))
@when(parsers.re(r"Ada rates it (?P<score>-?\d+)"))
def rates(life: Life, score: str) -> None:
    send(life, RecordSatisfaction, ada(life), score=int(score), words="A good ride")


@when(parsers.parse("{who} rates it {score:d} in the place of Ada"))
def rates_for_her(life: Life, who: str, score: int) -> None:
    by = {"alder": alder, "a steward": folk.steward}[who](life)
    send(life, RecordSatisfaction, by, score=score)


@then(parsers.parse("escrow holds {held:d} cents, alder keeps {kept:d} and {back:d} went back to Ada"))
def money_is(life: Life, held: int, kept: int, back: int) -> None:
    money = deal(life).money
    assert (money.balance, money.accounts["agent"], money.returned + money.taken_back) == (held, kept, back)
    assert sum(money.accounts.values()) == 0


@then(parsers.parse("the subsidy is stated, with {cents:d} cents of own money on a line of its own"))
def subsidy_is(life: Life, cents: int) -> None:
    assert life.last_event("deal.subsidy.declared").data == {"contributed": True, "own_spending_cents": cents}
    assert (deal(life).subsidy, deal(life).own_spending_cents) == (True, cents)


@then(parsers.parse("{cents:d} cents are booked as funding"))
def funding_is(life: Life, cents: int) -> None:
    assert deal(life).engine_revenue_cents == cents


@then(parsers.parse("the public rating is {score:d} and its words are not in the log"))
def rating_is(life: Life, score: int) -> None:
    assert life.last_event("deal.satisfaction.recorded").data["score"] == score
    assert b"A good ride" not in b"".join(body for _, body in life.bench.log())
