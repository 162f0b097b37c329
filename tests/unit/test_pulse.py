"""The pulse record of a deal: due times, whole intervals, and texts made to be slow to search."""

import re
import time

import pytest

from tollbench.domain.deal.pulse import Pulse, after, whole_intervals
from tollbench.protocol.edition import shelf

START = "2026-08-03T09:00:00.000000Z"


def test_after_counts_whole_seconds_across_midnight():
    assert after("2026-08-03T23:59:59.999999Z", 1) == "2026-08-04T00:00:00.999999Z"


@pytest.mark.parametrize(
    ("until", "count"),
    [
        ("2026-08-03T09:29:59.999999Z", 0),
        ("2026-08-03T09:30:00.000000Z", 1),
        ("2026-08-03T10:29:59.999999Z", 2),
        ("2026-08-03T10:30:00.000000Z", 3),
    ],
)
def test_an_interval_is_missed_when_it_is_whole(until, count):
    assert whole_intervals(START, until, 1800) == count


def test_a_due_time_from_before_the_present_turn_does_not_count():
    record = Pulse().due_set(START, after(START, 1800))
    assert record.owed_at(START) == after(START, 1800)
    assert record.owed_at(after(START, 60)) is None
    assert record.owed_at(None) is None
    assert Pulse().owed_at(START) is None


def test_a_pulse_ends_a_silence_and_the_latest_of_each_step_is_known():
    record = Pulse().due_set(START, after(START, 1800)).missed(2, after(START, 5400))
    assert (record.misses, record.next_due_at) == (2, after(START, 5400))
    record = record.pulsed(after(START, 4000), after(START, 5800), 1, "first").pulsed(
        after(START, 4100), after(START, 5900), 2, "second"
    )
    assert (record.misses, record.posted, record.latest) == (0, 2, {1: "first", 2: "second"})
    assert record.owed_at(START) == after(START, 5900)


@pytest.mark.parametrize(
    "piece", ["sk-", "eyJ-", "a://", "-----BEGIN A", "bearer ", "password  ", "a.", "ghp_", "xoxb-", " is :", "://a:"]
)
def test_no_text_makes_the_credential_patterns_slow(piece):
    text = (piece * 20_000)[:20_000]
    began = time.process_time()
    for pattern in shelf().current.params("TB-PULSE-012")["credential_patterns"]:
        re.search(pattern, text)
    assert time.process_time() - began < 1
