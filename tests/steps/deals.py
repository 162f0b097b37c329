"""Steps about the card of a deal: what is proposed, signed, declined, amended. Ada posts, alder attempts."""

from __future__ import annotations

import hashlib
from typing import Any

from pytest_bdd import given, parsers, then, when

from steps import folk
from steps.lives import Life
from tollbench.domain.commands import Actor
from tollbench.domain.deal import statements
from tollbench.domain.deal.commands import AmendDeal, DeclineDeal, FundEscrow, ProposeDeal, SignDeal, Spend, Step
from tollbench.domain.target.commands import WithdrawTarget
from tollbench.protocol import commitment, envelope, instants, signature

CEILING, TOTAL, DAY = 10_000, 10_000, 86_400
HEADS = ("ad_spend", "tools", "own_work")
STEPS = [Step(what="The parts list", amount_cents=3_000), Step(what="The test ride", amount_cents=4_000)]
CARD: dict[str, Any] = {
    "total_cents": TOTAL,
    "allocation": dict(zip(HEADS, (0, 3_000, 7_000), strict=True)),
    "timeline_days": 20,
    "steps": STEPS,
    "outcome_cents": 3_000,
}
AT_ZERO: dict[str, Any] = {
    "total_cents": 0,
    "allocation": dict.fromkeys(HEADS, 0),
    "timeline_days": 20,
    "steps": [Step(what="The parts list"), Step(what="The test ride")],
    "outcome_cents": 0,
}


def ada(life: Life) -> Actor:
    """The poster."""
    return life.actors["Ada"]


def alder(life: Life) -> Actor:
    """The agent."""
    return life.actors["alder"]


def deal(life: Life) -> Any:
    """The present state of the deal."""
    return life.bench.state(life.ids["the deal"])


def secret(seed: int) -> bytes:
    """The private key of this seed."""
    return hashlib.sha256(f"seed {seed}".encode()).digest()


def chosen(life: Life, *, verified: bool = True, **card: Any) -> None:
    """A want of Ada, a declared system of alder, its proposal picked, both sides unrelated."""
    folk.person(life, "Ada")
    if verified:
        folk.verified(life, "Ada")
    want = folk.want(life, "Ada", **card)
    folk.system(life, "alder")
    folk.chosen(life, want, "alder")
    folk.attested(life, want, "alder")


def card(life: Life, **fields: Any) -> ProposeDeal:
    """The standard card on alder's proposal, but for the fields given."""
    want = life.ids["the want"]
    told = CARD | fields
    if "timeline_seconds" in fields:
        told.pop("timeline_days")
    return ProposeDeal(target=want, proposal=life.ids[f"alder's proposal on {want}"], **told)


def proposes(life: Life, **fields: Any) -> None:
    """Let alder propose the card; `the deal` is what came of it."""
    life.attempt(card(life, **fields), alder(life))
    if life.done is not None:
        life.ids["the deal"] = life.done.id


def signed(life: Life, *, fund: bool = True, **fields: Any) -> None:
    """A deal that both signed, with its whole total in escrow."""
    proposes(life, **fields)
    life.do(SignDeal(deal=life.ids["the deal"]), ada(life))
    if fund and fields.get("total_cents", TOTAL):
        life.do(FundEscrow(deal=life.ids["the deal"], amount_cents=deal(life).total_cents), ada(life))


@given(parsers.re(r"alder's proposal was chosen(?: on a want of (?P<cents>\d+) cents)?"))
def was_chosen(life: Life, cents: str | None) -> None:
    chosen(life, **({} if cents is None else {"budget_ceiling_cents": int(cents)}))


@given("a second want of Ada, on which alder was not chosen")
def second_want(life: Life) -> None:
    want = folk.want(life, "Ada")
    folk.proposal(life, want, "alder")
    folk.attested(life, want, "alder")
    life.ids["the want"] = want


@given("Ada withdrew the want")
def withdrew(life: Life) -> None:
    life.do(WithdrawTarget(target=life.ids["the want"]), ada(life))


@given("alder proposed the deal")
@when("alder proposes the deal")
def alder_proposes(life: Life) -> None:
    proposes(life)


@when(parsers.parse("alder asks {total:d} cents, split {ads:d}, {tools:d} and {work:d}"))
def asks_split(life: Life, total: int, ads: int, tools: int, work: int) -> None:
    proposes(life, total_cents=total, allocation=dict(zip(HEADS, (ads, tools, work), strict=True)))


@when(parsers.parse('alder asks 10000 cents of which {cents:d} go to "{head}"'))
def asks_head(life: Life, cents: int, head: str) -> None:
    proposes(life, allocation={"own_work": TOTAL - cents, head: cents})


@when(parsers.parse("alder proposes a total of {cents:d} cents"))
def proposes_total(life: Life, cents: int) -> None:
    amounts: dict[str, Any] = {"steps": [Step(what="All of it", amount_cents=0)], "outcome_cents": 0}
    proposes(life, total_cents=cents, allocation={"own_work": cents}, **amounts)


@when(parsers.parse("alder proposes steps of {first:d} and {second:d} cents with {last:d} cents for the finish line"))
def proposes_amounts(life: Life, first: int, second: int, last: int) -> None:
    steps = [Step(what="The parts list", amount_cents=first), Step(what="The test ride", amount_cents=second)]
    proposes(life, steps=steps, outcome_cents=last)


@given(parsers.parse("alder proposed a card of {count:d} step"))
@when(parsers.parse("alder proposes a card of {count:d} steps"))
def proposes_steps(life: Life, count: int) -> None:
    proposes(life, steps=[Step(what=f"Step {number}") for number in range(1, count + 1)])


@when(parsers.parse("alder proposes a timeline of {seconds:d} seconds"))
def proposes_seconds(life: Life, seconds: int) -> None:
    proposes(life, timeline_seconds=seconds)


@when(
    parsers.re(r"alder proposes to spend (?P<first>-?\d+) and (?P<second>-?\d+) cents, the second (?P<when>after .+)")
)
def proposes_schedule(life: Life, first: str, second: str, when: str) -> None:
    later = {"after 10 days": 10 * DAY, "after 20 days": 20 * DAY, "after the end": 20 * DAY + 1}[when]
    entries = [Spend(after_seconds=0, amount_cents=int(first)), Spend(after_seconds=later, amount_cents=int(second))]
    proposes(life, schedule=entries)


@when(parsers.parse('alder proposes to spend {cents:d} cents "{repeats}"'))
def proposes_recurring(life: Life, cents: int, repeats: str) -> None:
    proposes(life, schedule=[Spend(after_seconds=0, amount_cents=cents, repeats=repeats)])


@given("Ada declined the deal")
@when("Ada declines the deal")
def declines(life: Life) -> None:
    life.attempt(DeclineDeal(deal=life.ids["the deal"], reason="Too slow"), ada(life))


@given("Ada signed the deal")
@when("Ada signs the deal")
def signs(life: Life) -> None:
    life.attempt(SignDeal(deal=life.ids["the deal"]), ada(life))


@when("alder signs in the place of Ada")
def signs_for_her(life: Life) -> None:
    life.attempt(SignDeal(deal=life.ids["the deal"]), alder(life))


@when(parsers.parse('"{what}" of the signed card is rewritten'))
def rewrites(life: Life, what: str) -> None:
    changes: dict[str, dict[str, Any]] = {
        "the total": {"total_cents": 9_000},
        "the timeline": {"timeline_seconds": 30 * DAY},
        "the committed steps": {"steps": STEPS[:1]},
    }
    life.attempt(AmendDeal(deal=life.ids["the deal"], **changes[what]), alder(life))


@given(
    parsers.re(
        r"a signed deal(?P<zero> at \$0)?(?P<unverified> of an unverified person)?(?P<bare> without money in escrow)?"
        r"(?: with (?P<steps>\d+) steps)?"
    )
)
def signed_deal(life: Life, zero: str | None, unverified: str | None, bare: str | None, steps: str | None) -> None:
    chosen(life, verified=not unverified)
    fields = dict(AT_ZERO) if zero else {}
    if steps:
        fields["steps"] = [Step(what=f"Step {number}") for number in range(1, int(steps) + 1)]
    signed(life, fund=not bare, **fields)


@given(parsers.parse("a signed deal of {total:d} cents, all for the finish line"))
def signed_for_the_finish_line(life: Life, total: int) -> None:
    chosen(life)
    signed(life, total_cents=total, allocation={"own_work": total}, steps=[Step(what="All")], outcome_cents=total)


# -- signatures ------------------------------------------------------------------------------------------------------


@given(parsers.parse("Ada keeps the key of seed {seed:d} herself"))
def own_key(life: Life, seed: int) -> None:
    folk.person(life, "Ada", key=signature.public_of(secret(seed)))


@given(parsers.parse("alder keeps the key of seed {seed:d} itself"))
def agents_own_key(life: Life, seed: int) -> None:
    folk.agent(life, "alder", key=signature.public_of(secret(seed)))


def forged(statement: bytes, seed: int, how: str | None) -> str | None:
    """A signature over the statement by the key of this seed, spoilt as the scenario says."""
    if how == "leaves it unsigned":
        return None
    made = signature.sign(secret(seed), statement + (b" " if how == "signs another statement" else b""))
    if how == "flips a bit of it":
        made = f"{int(made[:2], 16) ^ 1:02x}{made[2:]}"
    return made.upper() if how == "writes it in capitals" else made


SPOILT = r"(?:, but (?P<how>leaves it unsigned|signs another statement|flips a bit of it|writes it in capitals))?"


@when(parsers.re(r"Ada signs the deal with the key of seed (?P<seed>\d+)" + SPOILT))
def signs_with(life: Life, seed: str, how: str | None) -> None:
    statement = statements.deal_card(life.ids["the deal"], deal(life).terms)
    life.attempt(SignDeal(deal=life.ids["the deal"], signature=forged(statement, int(seed), how)), ada(life))


@given(parsers.parse("a deal that she signed with the key of seed {seed:d}"))
def signed_with(life: Life, seed: int) -> None:
    chosen(life)
    proposes(life)
    signs_with(life, str(seed), None)
    life.do(FundEscrow(deal=life.ids["the deal"], amount_cents=TOTAL), ada(life))


@when(parsers.re(r"alder proposes the deal signed with the key of seed (?P<seed>\d+)" + SPOILT))
def proposes_with(life: Life, seed: str, how: str | None) -> None:
    plain = card(life)
    target = life.bench.state(plain.target)
    named = envelope.entity_id("deal", envelope.command_id(alder(life).id, "the card"))
    salt = bytes(range(32))
    private = plain.model_dump(mode="json", include={"steps", "allocation", "schedule"})
    terms = {
        "target": target.id,
        "proposal": plain.proposal,
        "passport": alder(life).id,
        "person": target.person,
        "system": life.bench.related("systems_of_passport", alder(life).id)[-1],
        "card_version": target.card_version,
        "card_hash": target.card_hash,
        "total_cents": plain.total_cents,
        "timeline_seconds": 20 * DAY,
        "step_cents": [step.amount_cents for step in plain.steps],
        "outcome_cents": plain.outcome_cents,
        "card_commitment": commitment.commit("deal.card", salt, private),
    }
    made = forged(statements.deal_card(named, terms), int(seed), how)
    life.attempt(card(life, salt=salt.hex(), signature=made), alder(life), key="the card")


# -- what came of it -------------------------------------------------------------------------------------------------


@then(parsers.parse('the deal is "{status}"'))
def status_is(life: Life, status: str) -> None:
    assert deal(life).status == status


@then(parsers.parse("the signed card states {total:d} cents, {seconds:d} seconds and {steps:d} steps"))
def card_states(life: Life, total: int, seconds: int, steps: int) -> None:
    data = life.last_event("deal.signed").data
    assert (data["total_cents"], data["timeline_seconds"], data["steps"]) == (total, seconds, steps)


@then(parsers.parse('the deadline is "{instant}"'))
def deadline_is(life: Life, instant: str) -> None:
    event = life.last_event("deal.signed")
    assert event.data["deadline"] == instant
    length = instants.micros(instant) - instants.micros(event.at)
    assert length == event.data["timeline_seconds"] * 1_000_000


@then("the signed card names one card version and one System Record")
def card_names(life: Life) -> None:
    data, target = life.last_event("deal.signed").data, life.bench.state(life.ids["the want"])
    record = life.bench.state(data["system"])
    assert data["card_version"] == target.card_version
    assert (data["system_hash"], data["system_version"]) == (record.record_hash, record.system_version)


@then(parsers.parse('the ledger holds {count:d} "{type_}"'))
def ledger_holds(life: Life, count: int, type_: str) -> None:
    assert life.types().count(type_) == count


@then(parsers.parse('neither "{first}" nor "{second}" stands in the log'))
def not_in_the_log(life: Life, first: str, second: str) -> None:
    log = b"".join(body for _, body in life.bench.log())
    assert first.encode() not in log and second.encode() not in log


@then(parsers.parse('"{who}" can read the step "{what}" in the vault'))
def in_the_vault(life: Life, who: str, what: str) -> None:
    body = life.bench.reveal(deal(life).card_commitment, by=life.actors[who])
    assert what in [step["what"] for step in body["steps"]]
