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


def perform(life: Attempt) -> Script[None]:
    """Play the attempt to the end that the plot gives it."""
    if life.has("silent"):
        yield from silence(life)
    if life.has("by_hand") and life.plot.ending == "expired":
        yield from _overdue_by_hand(life)
    yield from _ENDINGS[life.plot.ending](life)


# -- pieces of work ------------------------------------------------------------------------------------------------------


def _work(life: Attempt, step: int, wait: Wait) -> Script[None]:
    """The agent works on a step for so long; with pulses it posts one at least every thirty minutes."""
    if not life.has("pulsed"):
        yield wait
        return
    left, posted = wait.micros, 0
    while left > 0:
        pause = min(left, life.life.dice.between(_PULSE_EVERY[0] * MINUTE, _PULSE_EVERY[1] * MINUTE))
        yield Wait(pause)
        left -= pause
        progress = _DONE if step in life.receipts else _QUARTERS[min(posted, len(_QUARTERS) - 1)]
        life.life.do(_pulse(life, step, progress), life.worker)
        posted += 1


def _pulse(life: Attempt, step: int, progress: int) -> PostCheckIn:
    return PostCheckIn(
        deal=life.deal,
        step=step,
        changed="no change" if progress else "started",
        now=life.plot.wish.steps[step - 1],
        next="the same until it is done",
        blocker="waiting for a call back" if progress == 50 else None,
        progress_percent=progress,
    )


def _step(life: Attempt, step: int) -> Script[None]:
    """One step: work, receipt, request, and the poster's approval; on the way whatever the plot has."""
    yield from _delivered_step(life, step)
    yield life.answer_time()
    life.life.do(ApproveMilestone(deal=life.deal, milestone=step), life.poster.actor)
    _release(life, f"milestone-{step}", life.amounts[step - 1])


def _delivered_step(life: Attempt, step: int) -> Script[None]:
    """The step up to the request for approval."""
    do, agent, deal = life.life.do, life.worker, life.deal
    yield from _work(life, step, life.share(8, 18))
    if step == 1 and life.has("asks"):
        yield from _several_asks(life)
    if step == 1 and life.has("interim"):
        what = "A first customer asked for the work by name."
        do(RecordInterimOutcome(deal=deal, what=what, sha256=life.digest(0)), agent)
    if step == 1 and life.has("changed"):
        yield from change_of_system(life)
    _file(life, step)
    if step == 1 and life.has("revised"):
        do(RequestApproval(deal=deal, milestone=step), agent)
        yield life.answer_time()
        do(DeclineMilestone(deal=deal, milestone=step, reason="The colour is wrong."), life.poster.actor)
        yield life.share(1, 4)
        do(ReviseMilestone(deal=deal, milestone=step, note="In the colour of the card."), agent)
        yield from _work(life, step, life.share(3, 8))
        _file(life, step, version=2)
    do(RequestApproval(deal=deal, milestone=step), agent)


def _file(life: Attempt, step: int, version: int = 1) -> None:
    digest = life.digest(step, version)
    blake3 = "b3:" + digest[::-1][:64] if life.life.dice.chance(30) else None
    life.life.do(FileReceipt(deal=life.deal, milestone=step, sha256=digest, blake3=blake3), life.worker)
    life.receipts[step] = digest


def _several_asks(life: Attempt) -> Script[None]:
    """Two asks, open at the same time; the clock of the agent stands still until the last one is answered."""
    do, agent, poster = life.life.do, life.worker, life.poster.actor
    first = do(OpenAsk(deal=life.deal, question="Which of the two dates?"), agent).id
    yield life.share(1, 2)
    second = do(OpenAsk(deal=life.deal, question="May I use your address?"), agent).id
    yield life.answer_time()
    do(AnswerAsk(deal=life.deal, ask=second, answer="Yes."), poster)
    yield life.answer_time()
    do(AnswerAsk(deal=life.deal, ask=first, answer="The later one."), poster)


def _some_steps(life: Attempt) -> Script[None]:
    """A part of the steps, at least the first, never the last."""
    for step in range(1, 1 + life.life.dice.between(1, life.steps - 1)):
        yield from _step(life, step)


def _release(life: Attempt, cause: str, cents: int) -> None:
    if cents:
        life.released[cause] = cents


# -- endings -------------------------------------------------------------------------------------------------------------


def _deliver(life: Attempt) -> Script[None]:
    do, deal, last = life.life.do, life.deal, life.steps
    for step in range(1, last):
        yield from _step(life, step)
    together = life.life.dice.chance(40)
    if together:
        yield from _work(life, last, life.share(8, 18))
        _file(life, last)
        do(RequestApproval(deal=deal, milestone=last, with_outcome=True), life.worker)
    else:
        yield from _step(life, last)
        yield from _work(life, last, life.share(2, 6))
        do(RequestOutcomeApproval(deal=deal), life.worker)
    yield life.life.until(life.deadline) if life.has("on_the_dot") else life.answer_time()
    do(ApproveOutcome(deal=deal, with_milestone=last if together else None), life.poster.actor)
    if together:
        _release(life, f"milestone-{last}", life.amounts[-1])
    _release(life, "outcome", life.outcome_cents)


def _expire(life: Attempt) -> Script[None]:
    yield from _some_steps(life)
    if life.has("by_hand"):
        yield life.life.until(life.deadline + 1, swept=False)
        life.life.do(ExpireDeal(deal=life.deal), life.cast.steward)
    else:
        yield life.life.until(life.deadline + MINUTE)


def _decline_step(life: Attempt) -> Script[None]:
    yield from _some_steps(life)
    step = 1 + len(life.receipts)
    yield from _delivered_step(life, step)
    yield life.answer_time()
    request = DeclineMilestone(deal=life.deal, milestone=step, reason="This is not what we signed.", end=True)
    life.life.do(request, life.poster.actor)


def _decline_finish(life: Attempt) -> Script[None]:
    do, deal, poster = life.life.do, life.deal, life.poster.actor
    yield from _some_steps(life)
    do(RequestOutcomeApproval(deal=deal), life.worker)
    yield life.answer_time()
    if life.has("second_try"):
        do(DeclineOutcome(deal=deal, reason="The band has not confirmed."), poster)
        yield from _work(life, 1, life.share(5, 10))
        do(RequestOutcomeApproval(deal=deal), life.worker)
        yield life.answer_time()
    do(DeclineOutcome(deal=deal, reason="The finish line is not reached.", end=True), poster)


def _end(life: Attempt) -> Script[None]:
    yield from _some_steps(life)
    yield life.share(10, 40)
    life.life.do(EndDeal(deal=life.deal, reason="My plans changed."), life.poster.actor)


def _lapse_ask(life: Attempt) -> Script[None]:
    yield from _some_steps(life)
    yield life.share(1, 2)
    asked = life.life.do(OpenAsk(deal=life.deal, question="Which name goes on the permit?"), life.worker)
    yield life.life.until(instants.micros(str(asked.events[0].data["lapses_at"])) + MINUTE)


def _lapse_step(life: Attempt) -> Script[None]:
    yield from _work(life, 1, life.share(4, 8))
    _file(life, 1)
    asked = life.life.do(RequestApproval(deal=life.deal, milestone=1), life.worker)
    lapses_at = instants.micros(str(asked.events[0].data["lapses_at"]))
    if life.has("by_hand"):
        yield life.life.until(lapses_at, swept=False)
        life.life.do(LapseDeal(deal=life.deal), life.cast.steward)
    else:
        yield life.life.until(lapses_at + MINUTE)


def _walk(life: Attempt) -> Script[None]:
    yield from _some_steps(life)
    yield life.share(5, 20)
    life.life.do(WalkDeal(deal=life.deal, reason="My tools no longer reach the shop."), life.worker)


def _stop(life: Attempt) -> Script[None]:
    yield from _some_steps(life)
    yield life.share(5, 20)
    request = StopDeal(deal=life.deal, ground="law", names="Consumer law on distance selling", reason="See the file.")
    life.life.do(request, life.cast.steward)


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


def _overdue_by_hand(life: Attempt) -> Script[None]:
    """The platform records an overdue pulse by its own command, at the very instant at which it is due."""
    yield life.life.until(life.pulse_due, swept=False)
    life.life.do(SweepOverdue(deal=life.deal), SYSTEM)
