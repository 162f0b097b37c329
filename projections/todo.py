"""What waits for whom: the open work of posters, agents, stewards and the platform, read off the present states.

A pure function of states. Nothing here decides anything; each item names the commands that would answer it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..domain.deal.state import OUTCOME, Deal
from ..domain.passport.state import Passport
from ..domain.person.state import Person
from ..domain.streams import Reader
from ..domain.target.state import Target


class Todo(NamedTuple):
    """One thing that waits.

    `party` is poster, agent, steward or system, `who` its id (`steward`, `system` or `anyone` where no single id is
    meant), `subject` the entity it is about, `since` and `due` instants (UTC text, or None), `commands` what answers
    it.
    """

    party: str
    who: str
    what: str
    subject: str
    since: str | None
    due: str | None
    commands: tuple[str, ...]


def of_target(target: Target, deals: tuple[Deal, ...]) -> Iterator[Todo]:
    """What a want waits for, given the deals on it."""
    poster = target.person
    if target.status == "intake":
        yield Todo("poster", poster, "refine the card", target.id, target.recorded_at, None, ("RefineTarget",))
    elif target.status == "refined":
        yield Todo("steward", "steward", "review the want", target.id, None, None, ("PassReview", "DeclineWant"))
    elif target.status == "reviewed":
        yield Todo("steward", "steward", "freeze the odds and post", target.id, None, None, ("GiveTerms", "PostTarget"))
    elif target.status == "declined":
        commands = ("RefineTarget", "WithdrawTarget")
        yield Todo("poster", poster, "mend or withdraw the want", target.id, None, None, commands)
    elif target.open and target.proposals:
        what, answers = "choose one proposal or none", ("NameFinalist", "ChooseProposal", "CloseTarget")
        yield Todo("poster", poster, what, target.id, target.posted_at, None, answers)
    elif target.open:
        yield Todo("agent", "anyone", "propose a plan", target.id, target.posted_at, None, ("SubmitProposal",))
    for proposal in target.proposals.values():
        if target.open and proposal.questions > len(proposal.answered):
            what = "answer the person's question"
            yield Todo("agent", proposal.passport, what, proposal.id, None, None, ("AnswerQuestion",))
    chosen = target.proposals.get(target.chosen or "")
    if chosen is not None and not any(deal.proposal == chosen.id for deal in deals):
        yield Todo("agent", chosen.passport, "propose the deal", target.id, None, None, ("ProposeDeal",))


def of_deal(deal: Deal, verified: bool) -> Iterator[Todo]:
    """What a deal waits for; `verified` says whether its person is."""
    poster = deal.person
    if deal.status == "proposed":
        commands = ("SignDeal", "DeclineDeal")
        yield Todo("poster", poster, "sign or decline the deal", deal.id, deal.proposed_at, None, commands)
    if deal.active:
        yield from _running(deal)
    for review, ground in deal.reviews.items():
        yield Todo("steward", "steward", f"close the review ({ground})", review, None, None, ("CloseReview",))
    owed = deal.money.paid_out - deal.money.settled
    if deal.resolution == "delivered" and deal.standard == "paid" and owed > 0:
        what = f"settle {owed} of {deal.money.paid_out} cents of the payment"
        yield Todo("system", "system", what, deal.id, deal.resolved_at, None, ("SettlePayment",))
    if deal.status == "resolved" and deal.o is not None and deal.integrity == "provisional" and not verified:
        what = f"verify the person, so that the outcome of {deal.id} becomes official"
        yield Todo("steward", "steward", what, deal.person, deal.resolved_at, None, ("CompleteVerification",))


def _running(deal: Deal) -> Iterator[Todo]:
    poster, agent = deal.person, deal.passport
    for name, lapses_at in deal.requests.items():
        if name == OUTCOME:
            commands: tuple[str, ...] = ("ApproveOutcome", "DeclineOutcome")
            what = "approve or decline the finish line"
        elif name.startswith("milestone-"):
            commands, what = ("ApproveMilestone", "DeclineMilestone"), f"approve or decline {name}"
        else:
            commands, what = ("AnswerAsk",), "answer the agent"
        yield Todo("poster", poster, what, name if commands == ("AnswerAsk",) else deal.id, None, lapses_at, commands)
    if deal.requests:
        return
    declined = [step.subject for step in deal.milestones.values() if step.status == "declined"]
    if declined:
        what, commands = f"revise {', '.join(declined)}", ("ReviseMilestone", "WalkDeal")
    else:
        what, commands = "deliver the next step", ("FileReceipt", "RequestApproval", "RequestOutcomeApproval")
    yield Todo("agent", agent, what, deal.id, deal.turn_since, deal.deadline, commands)


def of_passport(passport: Passport) -> Iterator[Todo]:
    """What an agent's Passport waits for."""
    for review, deal in passport.reviews.items():
        what = f"close the liveness review on {deal}"
        yield Todo("steward", "steward", what, review, None, None, ("CloseLivenessReview", "SuspendNewWork"))


def todo(reader: Reader, streams: Iterator[str], deals_of: Any) -> list[Todo]:
    """Everything that waits on these streams, by party, then by due instant.

    `deals_of(target)` gives the deals on a target.
    """
    found: list[Todo] = []
    for stream in streams:
        state = reader.state(stream)
        if isinstance(state, Target):
            deals = tuple(d for d in map(reader.state, deals_of(stream)) if isinstance(d, Deal))
            found.extend(of_target(state, deals))
        elif isinstance(state, Deal):
            person = reader.state(state.person)
            found.extend(of_deal(state, isinstance(person, Person) and person.verified))
        elif isinstance(state, Passport):
            found.extend(of_passport(state))
    return sorted(found, key=lambda item: (item.party, item.due or "~", item.who, item.subject, item.what))
