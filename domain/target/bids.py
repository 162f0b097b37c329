"""What bidding causes: proposals, finalists, questions, the pick.

The ledger holds ids, the card version and commitments; plans, questions and answers lie in the vault, where their own
agent, the poster and stewards may read them and no other agent ever may (TB-BID-002).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..commands import handles
from ..world import Proposed, World
from .bid_commands import AnswerQuestion, AskQuestion, ChooseProposal, NameFinalist, SubmitProposal, WithdrawProposal
from .state import Proposal, Target


@handles(SubmitProposal)
def submit_proposal(cmd: SubmitProposal, world: World) -> Iterator[Proposed]:
    """Commit to the proposal; where it replaces an earlier one, that one is superseded first."""
    target, passport = Target.of(world, cmd.target), world.actor.id
    proposal = world.new_id("proposal")
    body = cmd.model_dump(mode="json", exclude={"card_version", "supersedes"}) | {"proposal": proposal}
    if cmd.supersedes is not None:
        old = _standing(world, target, cmd.supersedes, "supersedes")
        if old is None:
            return
        data = {"proposal": old.id, "passport": old.passport, "by": proposal}
        yield Proposed(target.id, "proposal.superseded", data, subject=old.id)
    yield Proposed(
        target.id,
        "proposal.submitted",
        {
            "proposal": proposal,
            "passport": passport,
            "card_version": cmd.card_version,
            "proposal_commitment": _seal(world, target, passport, "proposal", body),
            "edition": world.law.current.version,
        },
        subject=proposal,
    )


@handles(WithdrawProposal)
def withdraw_proposal(cmd: WithdrawProposal, world: World) -> Iterator[Proposed]:
    """Take the proposal out of the choice; its naming and its place in the finalist rate stay."""
    target = Target.of(world, cmd.target)
    proposal = _standing(world, target, cmd.proposal)
    if proposal is None:
        return
    data: dict[str, Any] = {"proposal": proposal.id, "passport": proposal.passport}
    if cmd.reason is not None:
        body = {"target": target.id, "proposal": proposal.id, "reason": cmd.reason}
        data["reason_commitment"] = _seal(world, target, proposal.passport, "withdrawal", body)
    yield Proposed(target.id, "proposal.withdrawn", data, subject=proposal.id)


@handles(NameFinalist)
def name_finalist(cmd: NameFinalist, world: World) -> Iterator[Proposed]:
    """Name the proposal once; a repeat finds it named and adds nothing."""
    target = Target.of(world, cmd.target)
    proposal = _standing(world, target, cmd.proposal)
    if proposal is not None and not proposal.finalist:
        yield _of(target, proposal, "proposal.finalist_named")


@handles(AskQuestion)
def ask_question(cmd: AskQuestion, world: World) -> Iterator[Proposed]:
    """Number the question and commit to its text."""
    target = Target.of(world, cmd.target)
    proposal = _standing(world, target, cmd.proposal)
    if proposal is None:
        return
    number = proposal.questions + 1
    body = {"target": target.id, "proposal": proposal.id, "question": number, "text": cmd.text}
    sealed = _seal(world, target, proposal.passport, "question", body)
    data = {"proposal": proposal.id, "question": number, "question_commitment": sealed}
    yield Proposed(target.id, "proposal.question_asked", data, subject=proposal.id)


@handles(AnswerQuestion)
def answer_question(cmd: AnswerQuestion, world: World) -> Iterator[Proposed]:
    """Commit to the answer; every question has one answer."""
    target = Target.of(world, cmd.target)
    proposal = _standing(world, target, cmd.proposal)
    if proposal is None:
        return
    if cmd.question > proposal.questions or cmd.question in proposal.answered:
        world.lacks("question", f"question {cmd.question} is not open", "answer a question that was asked, once")
        return
    body = {"target": target.id, "proposal": proposal.id, "question": cmd.question, "text": cmd.text}
    sealed = _seal(world, target, proposal.passport, "answer", body)
    data = {"proposal": proposal.id, "passport": proposal.passport, "question": cmd.question}
    yield Proposed(target.id, "proposal.answer_filed", {**data, "answer_commitment": sealed}, subject=proposal.id)


@handles(ChooseProposal)
def choose_proposal(cmd: ChooseProposal, world: World) -> Iterator[Proposed]:
    """Pick the proposal; picking the picked one again changes nothing."""
    target = Target.of(world, cmd.target)
    proposal = _standing(world, target, cmd.proposal)
    if proposal is not None and target.chosen != proposal.id:
        yield _of(target, proposal, "proposal.chosen")


def _of(target: Target, proposal: Proposal, type_: str) -> Proposed:
    data = {"proposal": proposal.id, "passport": proposal.passport}
    return Proposed(target.id, type_, data, subject=proposal.id)


def _standing(world: World, target: Target, id: str, field: str = "proposal") -> Proposal | None:
    """The proposal, where it is on this target and was not taken back; otherwise the command lacks its subject."""
    proposal = target.proposals.get(id)
    if proposal is not None and proposal.status == "open":
        return proposal
    state = "was never filed there" if proposal is None else f"was {proposal.status}"
    world.lacks(field, f"{target.id} has no standing proposal {id}: it {state}", "name a proposal that stands")
    return None


def _seal(world: World, target: Target, passport: str, kind: str, body: Any) -> str:
    return world.commit(kind, body, subject=target.id, readers=(passport, target.person, "steward"))
