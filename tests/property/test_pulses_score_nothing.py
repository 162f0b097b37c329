"""TB-PULSE-013 to TB-PULSE-015: whatever pulses an attempt has, or none, every figure of the board is the same."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from steps.lives import Life
from steps.pulses import board_without, check_in, deal, is_pulse, running
from steps.reviews import deliver
from tollbench.domain.deal.commands import AnswerAsk, OpenAsk
from tollbench.protocol.refusal import Refused

Move = tuple[int, str]
MOVES = st.lists(
    st.tuples(st.integers(0, 200), st.sampled_from(["pulse", "sweep", "ask", "answer", "wait"])), max_size=8
)


def live(moves: list[Move], *, pulses: bool) -> Life:
    """An attempt that goes through these moves, with the pulses among them or without, and is delivered."""
    life = Life()
    running(life)
    ask: str | None = None
    for minutes, what in moves:
        life.clock.forward(minutes=minutes)
        if what == "pulse" and pulses:
            try:
                life.do(check_in(life, progress_percent=25), life.actors["alder"])
            except Refused as refused:
                raise AssertionError(refused.problems) from None
        elif what == "sweep" and pulses:
            life.bench.sweep()
        elif what == "ask" and ask is None:
            ask = life.do(OpenAsk(deal=deal(life).id, question="Which?"), life.actors["alder"]).id
        elif what == "answer" and ask is not None:
            life.do(AnswerAsk(deal=deal(life).id, ask=ask, answer="That"), life.actors["Ada"])
            ask = None
    life.clock.forward(minutes=7)
    deliver(life, deal(life).id)
    return life


@settings(max_examples=25)
@given(MOVES)
def test_board_is_the_same_with_pulses_and_without(moves):
    with_pulses, without = live(moves, pulses=True), live(moves, pulses=False)
    try:
        figures = with_pulses.bench.board()["overall"]
        assert figures["counts"]["successes"] == 1
        assert figures == without.bench.board()["overall"]
        assert board_without(with_pulses, is_pulse) == board_without(with_pulses, lambda type_: False)
    finally:
        with_pulses.close()
        without.close()
