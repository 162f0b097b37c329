"""An attempt from the signature to its terminal state."""

from __future__ import annotations

from collections.abc import Callable

from ...domain.deal.checkin import PostCheckIn, SweepOverdue
from ...domain.deal.commands import (
    AnswerAsk,
    ApproveOutcome,
    DeclineOutcome,
    EndDeal,
    ExpireDeal,
    LapseDeal,
    OpenAsk,
    RecordInterimOutcome,
    RequestOutcomeApproval,
    StopDeal,
    WalkDeal,
)
from ...domain.milestone.commands import (
    ApproveMilestone,
    DeclineMilestone,
    FileReceipt,
    RequestApproval,
    ReviseMilestone,
)
from ...protocol import instants
from .attempt import Attempt
from .cast import SYSTEM
from .scenes import change_of_system, silence
from .stage import MINUTE, Script, Wait

_PULSE_EVERY = (17, 28)
_QUARTERS = (0, 25, 50, 75)
_DONE = 100


def perform(attempt: Attempt) -> Script[None]:
    """Play the attempt to the end that the plot gives it."""
    if attempt.has("silent"):
        yield from silence(attempt)
    if attempt.has("by_hand") and attempt.plot.ending == "expired":
        yield from _overdue_by_hand(attempt)
    yield from _ENDINGS[attempt.plot.ending](attempt)


# -- pieces of work ------------------------------------------------------------------------------------------------


def _work(attempt: Attempt, step: int, wait: Wait) -> Script[None]:
    """The agent works on a step for so long; with pulses it posts one at least every thirty minutes."""
    if not attempt.has("pulsed"):
        yield wait
        return
    left, posted = wait.micros, 0
    while left > 0:
        pause = min(left, attempt.life.dice.between(_PULSE_EVERY[0] * MINUTE, _PULSE_EVERY[1] * MINUTE))
        yield Wait(pause)
        left -= pause
        progress = _DONE if step in attempt.receipts else _QUARTERS[min(posted, len(_QUARTERS) - 1)]
        attempt.life.do(_pulse(attempt, step, progress), attempt.worker)
        posted += 1


def _pulse(attempt: Attempt, step: int, progress: int) -> PostCheckIn:
    return PostCheckIn(
        deal=attempt.deal,
        step=step,
        changed="no change" if progress else "started",
        now=attempt.plot.wish.steps[step - 1],
        next="the same until it is done",
        blocker="waiting for a call back" if progress == 50 else None,
        progress_percent=progress,
    )


def _step(attempt: Attempt, step: int) -> Script[None]:
    """One step: work, receipt, request, and the poster's approval; on the way whatever the plot has."""
    yield from _delivered_step(attempt, step)
    yield attempt.answer_time()
    attempt.life.do(ApproveMilestone(deal=attempt.deal, milestone=step), attempt.poster.actor)
    _release(attempt, f"milestone-{step}", attempt.amounts[step - 1])


def _delivered_step(attempt: Attempt, step: int) -> Script[None]:
    """The step up to the request for approval."""
    do, agent, deal = attempt.life.do, attempt.worker, attempt.deal
    yield from _work(attempt, step, attempt.share(8, 18))
    if step == 1 and attempt.has("asks"):
        yield from _several_asks(attempt)
    if step == 1 and attempt.has("interim"):
        what = "A first customer asked for the work by name."
        do(RecordInterimOutcome(deal=deal, what=what, sha256=attempt.digest(0)), agent)
    if step == 1 and attempt.has("changed"):
        yield from change_of_system(attempt)
    _file(attempt, step)
    if step == 1 and attempt.has("revised"):
        do(RequestApproval(deal=deal, milestone=step), agent)
        yield attempt.answer_time()
        do(DeclineMilestone(deal=deal, milestone=step, reason="The colour is wrong."), attempt.poster.actor)
        yield attempt.share(1, 4)
        do(ReviseMilestone(deal=deal, milestone=step, note="In the colour of the card."), agent)
        yield from _work(attempt, step, attempt.share(3, 8))
        _file(attempt, step, version=2)
    do(RequestApproval(deal=deal, milestone=step), agent)


def _file(attempt: Attempt, step: int, version: int = 1) -> None:
    digest = attempt.digest(step, version)
    blake3 = "b3:" + digest[::-1][:64] if attempt.life.dice.chance(30) else None
    attempt.life.do(FileReceipt(deal=attempt.deal, milestone=step, sha256=digest, blake3=blake3), attempt.worker)
    attempt.receipts[step] = digest


def _several_asks(attempt: Attempt) -> Script[None]:
    """Two asks, open at the same time; the clock of the agent stands still until the last one is answered."""
    do, agent, poster = attempt.life.do, attempt.worker, attempt.poster.actor
    first = do(OpenAsk(deal=attempt.deal, question="Which of the two dates?"), agent).id
    yield attempt.share(1, 2)
    second = do(OpenAsk(deal=attempt.deal, question="May I use your address?"), agent).id
    yield attempt.answer_time()
    do(AnswerAsk(deal=attempt.deal, ask=second, answer="Yes."), poster)
    yield attempt.answer_time()
    do(AnswerAsk(deal=attempt.deal, ask=first, answer="The later one."), poster)


def _some_steps(attempt: Attempt) -> Script[None]:
    """A part of the steps, at least the first, never the last."""
    for step in range(1, 1 + attempt.life.dice.between(1, attempt.steps - 1)):
        yield from _step(attempt, step)


def _release(attempt: Attempt, cause: str, cents: int) -> None:
    if cents:
        attempt.released[cause] = cents


# -- endings -------------------------------------------------------------------------------------------------------


def _deliver(attempt: Attempt) -> Script[None]:
    do, deal, last = attempt.life.do, attempt.deal, attempt.steps
    for step in range(1, last):
        yield from _step(attempt, step)
    together = attempt.life.dice.chance(40)
    if together:
        yield from _work(attempt, last, attempt.share(8, 18))
        _file(attempt, last)
        do(RequestApproval(deal=deal, milestone=last, with_outcome=True), attempt.worker)
    else:
        yield from _step(attempt, last)
        yield from _work(attempt, last, attempt.share(2, 6))
        do(RequestOutcomeApproval(deal=deal), attempt.worker)
    yield attempt.life.until(attempt.deadline) if attempt.has("on_the_dot") else attempt.answer_time()
    do(ApproveOutcome(deal=deal, with_milestone=last if together else None), attempt.poster.actor)
    if together:
        _release(attempt, f"milestone-{last}", attempt.amounts[-1])
    _release(attempt, "outcome", attempt.outcome_cents)


def _expire(attempt: Attempt) -> Script[None]:
    yield from _some_steps(attempt)
    if attempt.has("by_hand"):
        yield attempt.life.until(attempt.deadline + 1, swept=False)
        attempt.life.do(ExpireDeal(deal=attempt.deal), attempt.cast.steward)
    else:
        yield attempt.life.until(attempt.deadline + MINUTE)


def _decline_step(attempt: Attempt) -> Script[None]:
    yield from _some_steps(attempt)
    step = 1 + len(attempt.receipts)
    yield from _delivered_step(attempt, step)
    yield attempt.answer_time()
    request = DeclineMilestone(deal=attempt.deal, milestone=step, reason="This is not what we signed.", end=True)
    attempt.life.do(request, attempt.poster.actor)


def _decline_finish(attempt: Attempt) -> Script[None]:
    do, deal, poster = attempt.life.do, attempt.deal, attempt.poster.actor
    yield from _some_steps(attempt)
    do(RequestOutcomeApproval(deal=deal), attempt.worker)
    yield attempt.answer_time()
    if attempt.has("second_try"):
        do(DeclineOutcome(deal=deal, reason="The band has not confirmed."), poster)
        yield from _work(attempt, 1, attempt.share(5, 10))
        do(RequestOutcomeApproval(deal=deal), attempt.worker)
        yield attempt.answer_time()
    do(DeclineOutcome(deal=deal, reason="The finish line is not reached.", end=True), poster)


def _end(attempt: Attempt) -> Script[None]:
    yield from _some_steps(attempt)
    yield attempt.share(10, 40)
    attempt.life.do(EndDeal(deal=attempt.deal, reason="My plans changed."), attempt.poster.actor)


def _lapse_ask(attempt: Attempt) -> Script[None]:
    yield from _step(attempt, 1)
    yield attempt.share(1, 2)
    asked = attempt.life.do(OpenAsk(deal=attempt.deal, question="Which name goes on the permit?"), attempt.worker)
    yield attempt.life.until(instants.micros(str(asked.events[0].data["lapses_at"])) + MINUTE)


def _lapse_step(attempt: Attempt) -> Script[None]:
    yield from _work(attempt, 1, attempt.share(4, 8))
    _file(attempt, 1)
    asked = attempt.life.do(RequestApproval(deal=attempt.deal, milestone=1), attempt.worker)
    lapses_at = instants.micros(str(asked.events[0].data["lapses_at"]))
    if attempt.has("by_hand"):
        yield attempt.life.until(lapses_at, swept=False)
        attempt.life.do(LapseDeal(deal=attempt.deal), attempt.cast.steward)
    else:
        yield attempt.life.until(lapses_at + MINUTE)


def _walk(attempt: Attempt) -> Script[None]:
    yield from _some_steps(attempt)
    yield attempt.share(5, 20)
    attempt.life.do(WalkDeal(deal=attempt.deal, reason="My tools no longer reach the shop."), attempt.worker)


def _stop(attempt: Attempt) -> Script[None]:
    yield from _some_steps(attempt)
    yield attempt.share(5, 20)
    names, reason = "Consumer law on distance selling", "The goods may not be sold there."
    attempt.life.do(StopDeal(deal=attempt.deal, ground="law", names=names, reason=reason), attempt.cast.steward)


_ENDINGS: dict[str, Callable[[Attempt], Script[None]]] = {
    "delivered": _deliver,
    "expired": _expire,
    "declined_step": _decline_step,
    "declined_finish": _decline_finish,
    "ended": _end,
    "lapsed_ask": _lapse_ask,
    "lapsed_step": _lapse_step,
    "walked": _walk,
    "stopped": _stop,
}


def _overdue_by_hand(attempt: Attempt) -> Script[None]:
    """The platform records an overdue pulse by its own command, at the very instant at which it is due."""
    yield attempt.life.until(attempt.pulse_due, swept=False)
    attempt.life.do(SweepOverdue(deal=attempt.deal), SYSTEM)
