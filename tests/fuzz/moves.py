"""Sensible next steps: what a poster, an agent or a steward could well want to do with a want as it stands."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from fuzz.stage import SYSTEM, Stage
from fuzz.values import CARD_MARK, PRIVATE_MARK, UNICODE, words
from tollbench.domain.commands import Actor, Command
from tollbench.domain.deal.commands import ProposeDeal
from tollbench.domain.deal.state import OF_TARGET, Deal
from tollbench.domain.erasure import EraseVault
from tollbench.domain.history.commands import ImportAttempts
from tollbench.domain.passport.market import OfferWorkflow
from tollbench.domain.period.commands import ClosePeriod
from tollbench.domain.person.commands import CompleteVerification, FileAttestation, RotateKey
from tollbench.domain.rulebook.commands import CorrectAnchor, RecordModelAlias
from tollbench.domain.target.bid_commands import (
    AnswerQuestion,
    AskQuestion,
    ChooseProposal,
    NameFinalist,
    SubmitProposal,
    WithdrawProposal,
)
from tollbench.domain.target.card import FACTORS
from tollbench.domain.target.commands import (
    BuyPriority,
    CloseTarget,
    DeclineWant,
    GiveTerms,
    PassReview,
    PostTarget,
    RecordIntake,
    RefineTarget,
    RepostTarget,
    WithdrawTarget,
)
from tollbench.domain.target.state import Proposal, Target
from tollbench.protocol.canonical import MAX_INT

DAY = 86_400
BACK = (WithdrawTarget, CloseTarget, DeclineWant, WithdrawProposal, EraseVault, AskQuestion, NameFinalist, BuyPriority)
"""Commands that do not lead a want towards a deal."""


class Move(NamedTuple):
    """A command that somebody might send now: its type, its plain fields, its sender."""

    command: type[Command]
    fields: dict[str, Any]
    by: Actor


def private(random: Random) -> str:
    """A private text with its mark."""
    return f"{PRIVATE_MARK} {random.choice(UNICODE)}"


def card(random: Random) -> str:
    """A text of the card with its mark."""
    return f"{CARD_MARK} {random.choice(UNICODE)}"


def intake(random: Random, poster: Actor) -> Move:
    """A new want: free or paid, due within minutes, days or weeks."""
    fields = {name: private(random) for name in (*FACTORS, "want", "person_contribution", "location")}
    figures = {
        "budget_cents": random.choice((0, 1, 10_000, 10_000, 10_000, 250_000, MAX_INT)),
        "timeline_seconds": random.choice((3_600, DAY, 20 * DAY, 40 * DAY, 40 * DAY)),
        "region": random.choice(UNICODE),
        "category": "service",
        "delivery": "remote",
    }
    return Move(RecordIntake, fields | figures, poster)


def of_target(stage: Stage, random: Random, target: Target) -> Iterator[Move]:
    """What could be done with this want."""
    poster, named = Actor("person", target.person), {"target": target.id}
    if target.status in ("intake", "refined", "declined", "reviewed"):
        yield from _before_posting(stage, random, target)
    elif target.open:
        yield from _on_the_board(stage, random, target)
    elif target.status == "posted":
        yield from _picked(stage, random, target)
    if random.random() < 0.06:
        yield Move(random.choice((WithdrawTarget, CloseTarget)), named, poster)
    if random.random() < 0.05:
        commitment = random.choice((target.intake_commitment, target.card_commitment or "sha256:" + "0" * 64))
        yield Move(EraseVault, {"stream": target.id, "commitment": commitment}, random.choice((poster, stage.steward)))


def _before_posting(stage: Stage, random: Random, target: Target) -> Iterator[Move]:
    poster, steward, named = Actor("person", target.person), stage.steward, {"target": target.id}
    if target.status in ("intake", "declined") or random.random() < 0.1:
        texts = {name: card(random) for name in (*FACTORS, "want")}
        texts |= {"finish_line": card(random), "ownership": card(random), "finish_line_form": "object_at_door"}
        yield Move(RefineTarget, named | texts | {"approval_cadence_seconds": DAY}, poster)
    if set(words()["terms"]) - target.terms:
        yield Move(GiveTerms, named | {"terms": list(words()["terms"])}, random.choice((steward, SYSTEM)))
    if target.status == "refined":
        yield Move(PassReview, named | {"criteria": list(words()["criteria"])}, steward)
        if random.random() < 0.1:
            decline = {"reason_class": "other", "reason": private(random), "pointer": random.choice(UNICODE)}
            yield Move(DeclineWant, named | decline, steward)
    if target.status == "reviewed":
        turned = random.sample(words()["dials"], random.randint(0, 3))
        fields = named | {"reference_class": random.choice(words()["reference_class"]), "dials": turned}
        if random.random() < 0.15 and stage.ids["target"]:
            fields["after"] = random.choice(stage.ids["target"])
        yield Move(PostTarget, fields, steward)


def _plan(stage: Stage, random: Random, target: Target) -> dict[str, Any]:
    ceiling = target.ceiling_cents
    total = random.choice((ceiling, ceiling, ceiling, ceiling // 2, 0)) + (random.random() < 0.03)
    shares = [total // 3, total // 4]
    return {
        "target": target.id,
        "total_cents": total,
        "steps": [
            {"what": private(random), "time_seconds": 60, "person_approval": private(random), "amount_cents": cents}
            for cents in shares
        ],
        "outcome_cents": total - sum(shares) + (random.random() < 0.03),
    }


def _on_the_board(stage: Stage, random: Random, target: Target) -> Iterator[Move]:
    poster, named = Actor("person", target.person), {"target": target.id}
    for agent in stage.agents:
        own = target.proposal_of(agent.id)
        if own is None or random.random() < 0.05:
            plan = _plan(stage, random, target) | {"card_version": target.card_version, "pitch": private(random)}
            plan |= {"allocation": {"own_work": plan["total_cents"]}, "timeline_seconds": target.timeline_seconds}
            yield Move(SubmitProposal, plan if own is None else plan | {"supersedes": own.id}, agent)
        else:
            yield from _own_proposal(random, target, own, agent)
    standing = [each.id for each in target.proposals.values() if each.status == "open"]
    if standing:
        one = named | {"proposal": random.choice(standing)}
        yield Move(AskQuestion, one | {"text": private(random)}, poster)
        if random.random() < 0.3:
            yield Move(ChooseProposal, one, poster)
    for proposal in standing:
        if not target.proposals[proposal].finalist or random.random() < 0.1:
            yield Move(NameFinalist, named | {"proposal": proposal}, poster)
    yield Move(BuyPriority, named | {"fee_cents": random.choice((0, 1, 501, 1_000_000))}, poster)
    for deal in stage.ids["deal"]:
        prior = stage.bench.state(deal)
        if isinstance(prior, Deal) and prior.o == 1 and prior.person != target.person:
            receipts = [digest for step in prior.milestones.values() for digest in step.receipts]
            offer = {"passport": prior.passport, "prior_deal": deal, "receipt": next(iter(receipts), None)}
            offer |= named | {"price_cents": 100, "pitch": private(random)}
            yield Move(OfferWorkflow, offer, Actor("agent", prior.passport))


def _own_proposal(random: Random, target: Target, own: Proposal, agent: Actor) -> Iterator[Move]:
    one = {"target": target.id, "proposal": own.id}
    for question in range(1, own.questions + 1):
        if question not in own.answered:
            yield Move(AnswerQuestion, one | {"question": question, "text": private(random)}, agent)
    if random.random() < 0.1:
        yield Move(WithdrawProposal, one | {"reason": private(random)}, agent)


def _picked(stage: Stage, random: Random, target: Target) -> Iterator[Move]:
    chosen = target.proposals.get(target.chosen or "")
    deals = [stage.bench.state(id) for id in stage.bench.related(OF_TARGET, target.id)]
    if any(deal.status == "resolved" for deal in deals):
        yield Move(RepostTarget, {"target": target.id}, Actor("person", target.person))
    elif chosen is not None:
        yield from attestations(stage, random, target.id, chosen.passport)
        if not any(deal.status in ("proposed", "signed") for deal in deals):
            plan = _plan(stage, random, target) | {"proposal": chosen.id, "allocation": {}}
            plan["allocation"] = {"tools": 0, "own_work": plan["total_cents"]}
            plan["timeline_seconds"] = target.timeline_seconds
            plan["steps"] = [{"what": step["what"], "amount_cents": step["amount_cents"]} for step in plan["steps"]]
            yield Move(ProposeDeal, plan, Actor("agent", chosen.passport))
        others = [each.id for each in target.proposals.values() if each.status == "open" and each.id != chosen.id]
        if others and deals:
            yield Move(ChooseProposal, {"target": target.id, "proposal": others[0]}, Actor("person", target.person))
        if random.random() < 0.1:
            yield from _own_proposal(random, target, chosen, Actor("agent", chosen.passport))


CELLS = {
    "deal_id": ("d1", "d2", "d3", "d4", "", " d5 "),
    "target_id": ("t1", "t2", "t1"),
    "p_frozen": ("0.7", "0.35", "0.0825", "1", "0", "0.50", "1.1", "nan", "\u0660.\u0667"),
    "outcome": ("0", "1", "1", "", "2"),
    "resolution": ("delivered", "expired", "failed", "\u05e9\u05dc\u05d5\u05dd"),
    "agent": ("amber", "Amber", "\U0001f6b2"),
    "model": ("M1", "M2+M3", "m1"),
    "T_agent_minutes": ("0", "55", "100000000000000", "-1", "1e3"),
    "C_usd": ("0", "12.34", "90000000000000", "0.001"),
    "B_usd": ("0", "100", ""),
    "posted_at": ("2026-08-01T00:00:00Z",),
    "satisfaction": ("", "7", "11"),
    "resolved_at": ("2026-08-24T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-08-24"),
}
"""Cells of published results, sound ones first."""


def history(stage: Stage, random: Random) -> Move:
    """A few rows of published results, most of them readable."""
    rows, sound = [], random.random() < 0.7
    for place in range(random.randint(1, 3)):
        cells = {name: random.choice(known[:3] if sound else known) for name, known in CELLS.items()}
        rows.append({"row": 2 + stage.commands * 4 + place, "columns": cells})
    return Move(ImportAttempts, {"source": "sha256:" + "5" * 64, "rows": rows}, random.choice((SYSTEM, stage.steward)))


def attestations(stage: Stage, random: Random, target: str, passport: str) -> Iterator[Move]:
    """The statements of both sides that are not on file yet."""
    poster, operator = stage.bench.state(target).person, stage.bench.state(passport).operator
    for side, by in (("poster", Actor("person", poster)), ("operator", Actor("operator", operator))):
        if stage.bench.state(by.id).attested(target, passport, side) is None:
            fields = {"target": target, "passport": passport, "side": side, "related": random.random() < 0.1}
            yield Move(FileAttestation, fields | {"statement": private(random)}, by)


def at_large(stage: Stage, random: Random) -> Iterator[Move]:
    """What is not about one want or deal: new wants, people, agents, the rulebook, periods."""
    poster, agent, steward = random.choice(stage.posters), random.choice(stage.agents), stage.steward
    yield intake(random, random.choice((*stage.posters, Actor("person", stage.operators[0].id))))
    yield history(stage, random)
    yield Move(RotateKey, {"holder": poster.id}, poster)
    yield Move(RotateKey, {"holder": agent.id}, random.choice((agent, stage.operator_of(agent))))
    checks = {"checks": random.sample(("identity", "uniqueness"), random.randint(1, 2)), "evidence": private(random)}
    yield Move(CompleteVerification, checks | {"person": poster.id, "identity_token": poster.id}, steward)
    declared = stage.declaration(agent, f"2.{stage.commands}")
    yield Move(type(declared), declared.model_dump(), agent)
    week = "{}-W{:02d}".format(*stage.clock().isocalendar()[:2])
    for period, name in (("week", "2026-W31"), ("week", week), ("season", "season-1"), ("quarter", "quarter-1")):
        yield Move(ClosePeriod, {"period": period, "name": name}, random.choice((SYSTEM, steward)))
    anchor = {"reference_class": random.choice(words()["reference_class"])}
    yield Move(CorrectAnchor, anchor | {"to": random.choice(("0.60", "0.3", "0.05"))}, steward)
    alias = random.choice((("Granite 1", "granite-1"), ("granite-1", "granite"), ("Granite 1", "Granite 1")))
    yield Move(RecordModelAlias, {"declared": alias[0], "canonical": alias[1]}, steward)
