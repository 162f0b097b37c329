"""Signatures on deals and approvals, checked by another implementation of Ed25519 from public events alone."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import ed25519_plain
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steps import folk
from steps.lives import Life
from support import shared
from tollbench.adapters.simulator.season import open_bench, play
from tollbench.domain.commands import Actor, Command
from tollbench.domain.deal import statements
from tollbench.domain.deal.commands import ApproveOutcome, FundEscrow, RequestOutcomeApproval, SignDeal
from tollbench.domain.deal.statements import SignedStatement, signed_statements
from tollbench.domain.events import read
from tollbench.domain.milestone.commands import ApproveMilestone, FileReceipt, RequestApproval
from tollbench.domain.passport.commands import RegisterAgent
from tollbench.domain.person.commands import RegisterPerson, RotateKey
from tollbench.protocol import signature

SEED = b"the key of a person".ljust(32, b".")
NEXT = b"her next key".ljust(32, b".")
OTHER = b"the key of somebody else".ljust(32, b".")


def _holds(signed: SignedStatement) -> bool:
    """Whether the other implementation takes the signature that the event carries."""
    data = signed.event.data
    given = bytes.fromhex(data["signature"])
    return ed25519_plain.verify(bytes.fromhex(data["key"]), signed.statement, given)


def test_the_other_implementation_agrees_with_published_cases() -> None:
    groups = json.loads(shared("vectors/wycheproof-ed25519_test.json").read_text())["testGroups"]
    cases = [(group["publicKey"]["pk"], case) for group in groups for case in group["tests"]]
    for key, case in cases:
        found = ed25519_plain.verify(bytes.fromhex(key), bytes.fromhex(case["msg"]), bytes.fromhex(case["sig"]))
        assert found is (case["result"] == "valid"), case["comment"]
    assert len(cases) == 151


@pytest.fixture(scope="module")
def season() -> list[bytes]:
    """The public log of a season with custodial keys, in which two persons and two agents rotate theirs."""
    bench, clock = open_bench("memory:", 7)
    with bench:
        play(bench, clock, 7, 24, lambda part: None)
        return [body for _, body in bench.log()]


def test_every_signature_of_a_season_verifies_from_public_events_alone(season: list[bytes]) -> None:
    found = list(signed_statements(map(read, season)))
    carried = [body for body in season if '"signature":' in body.decode()]
    assert len(found) == len(carried) > 60
    kinds = Counter(signed.event.type for signed in found)
    assert kinds.keys() == {"deal.proposed", "deal.signed", "milestone.approved", "outcome.approved"}
    for signed in found:
        assert signed.flaw() is None
        assert signed.registered == signed.event.data["key"]
        assert signed.event.data["statement_hash"] == "sha256:" + hashlib.sha256(signed.statement).hexdigest()
        assert _holds(signed)


def test_a_rotation_leaves_earlier_signatures_verifiable(season: list[bytes]) -> None:
    events = [read(body) for body in season]
    now: dict[str, str] = {}
    for event in events:
        if event.type in ("person.registered", "passport.issued", "actor.key_rotated"):
            now[event.stream] = event.data["key"]
    replaced = [signed for signed in signed_statements(events) if signed.event.data["key"] != now[signed.signer]]
    assert {signed.event.type for signed in replaced} >= {"deal.proposed", "deal.signed", "milestone.approved"}
    assert all(_holds(signed) for signed in replaced)


def test_an_auditor_finds_what_was_forged(season: list[bytes]) -> None:
    for type_ in ("deal.proposed", "deal.signed", "milestone.approved", "outcome.approved"):
        place = next(n for n, body in enumerate(season) if f'"type":"{type_}"' in body.decode())
        for change, says in (
            ({"signature": None}, "it is not signed"),
            ({"key": signature.public_of(OTHER)}, "not the one registered"),
            ({"statement_hash": "sha256:" + "0" * 64}, "another statement"),
            ({"signature": "0" * 128}, "does not fit"),
        ):
            events = [read(body) for body in season]
            events[place].data = {**events[place].data, **change}
            flaws = [signed.flaw() for signed in signed_statements(events[: place + 1])]
            assert says in (flaws[-1] or ""), type_


@given(at=st.integers(0, 63), bit=st.integers(0, 7), message=st.binary(max_size=40))
def test_a_flipped_bit_is_refused_by_both(at: int, bit: int, message: bytes) -> None:
    public, made = signature.public_of(SEED), bytearray.fromhex(signature.sign(SEED, message))
    made[at] ^= 1 << bit
    assert not signature.verify(public, message, made.hex())
    assert not ed25519_plain.verify(bytes.fromhex(public), message, bytes(made))


# -- refused by the right rule -----------------------------------------------------------------------------------------


@pytest.fixture
def owned(life: Life) -> Life:
    """A deal whose two sides keep their own keys, proposed and about to be signed by Ada."""
    folk.person(life, "Ada", key=signature.public_of(SEED))
    folk.agent(life, "alder")
    folk.system(life, "alder")
    target = folk.want(life, "Ada")
    folk.chosen(life, target, "alder")
    life.ids["the deal"] = folk.proposed_deal(life, target, "alder")
    return life


def _sign(life: Life, given: str) -> Command:
    return SignDeal(deal=life.ids["the deal"], signature=given)


def _approve(life: Life, given: str) -> Command:
    return ApproveMilestone(deal=life.ids["the deal"], milestone=1, signature=given)


def _finish(life: Life, given: str) -> Command:
    return ApproveOutcome(deal=life.ids["the deal"], signature=given)


def _card(deal: Any) -> bytes:
    return statements.deal_card(deal.id, deal.terms)


def _approval(deal: Any) -> bytes:
    return statements.milestone_approval(deal, deal.milestones[1])


def _up_to(life: Life, rule: str) -> Any:
    """Bring the deal to the point at which the act that this rule judges is next; the deal."""
    deal, ada, alder = life.ids["the deal"], life.actors["Ada"], life.actors["alder"]
    if rule != "TB-DEAL-005":
        life.do(_sign(life, signature.sign(SEED, _card(life.bench.state(deal)))), ada)
        life.do(FundEscrow(deal=deal, amount_cents=10_000), ada)
        life.do(FileReceipt(deal=deal, milestone=1, sha256="sha256:" + "ab" * 32), alder)
        life.do(RequestApproval(deal=deal, milestone=1), alder)
    if rule == "TB-OUT-020":
        life.do(_approve(life, signature.sign(SEED, _approval(life.bench.state(deal)))), ada)
        life.do(RequestOutcomeApproval(deal=deal), alder)
    return life.bench.state(deal)


ACTS: dict[str, tuple[Callable[[Life, str], Command], Callable[[Any], bytes], Callable[[Any], bytes]]] = {
    "TB-DEAL-005": (_sign, _card, statements.outcome_approval),
    "TB-MILE-007": (_approve, _approval, _card),
    "TB-OUT-020": (_finish, statements.outcome_approval, _approval),
}
"""For each rule: the command it judges, the statement that is to be signed, and another one of the same deal."""


@pytest.mark.parametrize("rule", ACTS)
def test_only_the_right_signature_is_taken(rule: str, owned: Life) -> None:
    deal = _up_to(owned, rule)
    command, statement, another = ACTS[rule]
    right = signature.sign(SEED, statement(deal))
    flipped = [f"{right[:at]}{int(right[at], 16) ^ 1:x}{right[at + 1 :]}" for at in (0, 63, 64, 127)]
    of_another_key = signature.sign(OTHER, statement(deal))
    of_another_statement = signature.sign(SEED, another(deal))
    beside = [right.upper(), right[:-2], right + "00", "", "0" * 128, "not hexadecimal"]
    log = list(owned.bench.log())
    for wrong in (*flipped, of_another_key, of_another_statement, *beside):
        owned.attempt(command(owned, wrong), owned.actors["Ada"])
        assert owned.refused_by(rule).field == "signature"
        assert [problem.rule for problem in owned.refused] == [rule]
    assert list(owned.bench.log()) == log
    owned.do(command(owned, right), owned.actors["Ada"])
    signed = list(signed_statements(owned.bench.events()))[-1]
    assert signed.event.data["signature"] == right
    assert _holds(signed)


@pytest.mark.parametrize("rule", ACTS)
def test_after_a_rotation_the_new_key_signs_and_the_old_one_no_more(rule: str, owned: Life) -> None:
    deal, ada = _up_to(owned, rule), owned.actors["Ada"]
    command, statement, _ = ACTS[rule]
    owned.do(RotateKey(holder=ada.id, key=signature.public_of(NEXT)), ada)
    owned.attempt(command(owned, signature.sign(SEED, statement(deal))), ada)
    assert "registered key" in owned.refused_by(rule).detail
    owned.do(command(owned, signature.sign(NEXT, statement(deal))), ada)
    assert [signed.flaw() for signed in signed_statements(owned.bench.events())].count(None) >= 2
    assert all(_holds(signed) for signed in signed_statements(owned.bench.events()))


WEAK = [
    "01" + "00" * 31,
    "00" * 32,
    "00" * 31 + "80",
    "ec" + "ff" * 30 + "7f",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "ed" + "ff" * 30 + "7f",  # zero, written as the prime
    "02" + "00" * 31,  # no point of the curve
]


@pytest.mark.parametrize("key", WEAK)
def test_weak_keys_are_refused_wherever_one_is_registered(key: str, life: Life) -> None:
    ada, operator = folk.person(life, "Ada"), folk.person(life, "Olga", "operator")
    alder = folk.agent(life, "alder", "Olga")
    agent = RegisterAgent(agent_name="elm", operator=operator.id, operator_name="Elm", architecture="a", key=key)
    for command, by in (
        (RegisterPerson(key=key), Actor.system()),
        (agent, operator),
        (RotateKey(holder=ada.id, key=key), ada),
        (RotateKey(holder=alder.id, key=key), operator),
    ):
        life.attempt(command, by)
        assert life.refused_by("TB-PASS-006").field == "key"


def test_with_a_key_of_small_order_one_signature_would_fit_many_statements() -> None:
    """Why such keys are refused: by the formula alone a signature of nothing fits every statement."""
    nothing = bytes.fromhex("01" + "00" * 31) + bytes(32)
    weak = bytes.fromhex(WEAK[0])
    assert ed25519_plain.verify(weak, b"one statement", nothing)
    assert ed25519_plain.verify(weak, b"another statement", nothing)
    assert not signature.verify(WEAK[0], b"one statement", nothing.hex())
