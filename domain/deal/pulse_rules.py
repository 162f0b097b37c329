"""What a work pulse must hold to. Source: the pulse amendment (2026-07-24/25) and its rulings.

Most of these rules read the content of the pulse, which lies in the vault: a verifier without it lists them as
unchecked. Times and events are public.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from ...rules.evaluators import Finding, Judgement, guard
from ..passport.state import Passport
from ..vault import PULSES, READ, Reading
from ..world import Case
from .checkin import PostCheckIn, may_stand_still, pulse_due
from .pulse import after
from .state import Deal

POSTED, OVERDUE = "agent.checkin.posted", "agent.checkin.overdue"


def _content(case: Case) -> Mapping[str, Any]:
    """What the proposed pulse says; empty where the vault does not give it."""
    commitment = case.data["pulse_commitment"]
    body = case.world.reveal(commitment) if commitment else None
    return body if isinstance(body, Mapping) else {}


def _texts(case: Case) -> Iterator[tuple[str, str]]:
    for field in case.law.params("TB-PULSE-001")["text_fields"]:
        text = _content(case).get(field)
        if isinstance(text, str):
            yield field, text


def _last_progress(case: Case) -> int | None:
    """The last percentage reported for the step: 100 once its outcome was filed, None where there is no pulse yet."""
    deal, step = case.state, case.data["step"]
    if deal.milestones[step].filed and case.law.params("TB-PULSE-007")["filing_completes"]:
        complete: int = max(case.law.params("TB-PULSE-005")["allowed"])
        return complete
    commitment = deal.pulse.latest.get(step)
    body = case.world.reveal(commitment) if commitment else None
    last: int | None = body["progress_percent"] if isinstance(body, Mapping) else None
    return last


@guard("TB-PULSE-001", on=POSTED, private=True)
def has_its_fields(case: Case) -> Iterator[Finding]:
    """TB-PULSE-001: a pulse says what changed, what happens now, what comes next, and how far the step is."""
    content = _content(case)
    params = case.params
    texts = [field for field in params["text_fields"] if field not in params["optional"]]
    for field in (*texts, *params["required"]):
        value = content.get(field)
        if content and (value is None or (isinstance(value, str) and not value.strip())):
            fix = "give the progress of the step" if field in params["required"] else 'say it; "no change" is valid'
            yield case.finding(field, f"the pulse does not say {field}", fix)


@guard("TB-PULSE-003", on=POSTED, private=True)
def texts_are_short(case: Case) -> Iterator[Finding]:
    """TB-PULSE-003 (ruling A-36): no text is longer than the cap, in code points after NFC."""
    cap = case.params["max_chars"]
    for field, text in _texts(case):
        length = len(unicodedata.normalize("NFC", text))
        if length > cap:
            yield case.finding(field, f"the text has {length} characters, the cap is {cap}", "shorten it")


@guard("TB-PULSE-004", on=POSTED)
def server_sets_the_due_time(case: Case) -> Iterator[Finding]:
    """TB-PULSE-004 (ruling A-34): the due time is the server's to set, at most thirty minutes from its own time."""
    if isinstance(case.request, PostCheckIn) and case.request.next_due_at is not None:
        yield case.finding("next_due_at", "the agent does not choose when its next pulse is due", "leave it out")
    limit = after(case.at, case.params["max_interval"])
    due = case.data["next_due_at"]
    if due > limit or (due == limit and not case.params["inclusive"]):
        yield case.finding("next_due_at", f"{due} is later than {limit}", "leave the due time to the bench")


@guard("TB-PULSE-005", on=POSTED, private=True)
def progress_is_a_quarter(case: Case) -> Judgement:
    """TB-PULSE-005: progress is one of the five values."""
    progress = _content(case).get("progress_percent")
    allowed = case.params["allowed"]
    if progress is not None and progress not in allowed:
        return case.finding(
            "progress_percent", f"{progress} is no quarter", f"report one of {', '.join(map(str, allowed))}"
        )
    return None


@guard("TB-PULSE-006", on=POSTED, private=True)
def progress_never_falls(case: Case) -> Judgement:
    """TB-PULSE-006 (ruling A-35): within a step no pulse reports less than the last one."""
    progress, last = _content(case).get("progress_percent"), _last_progress(case)
    if progress is None or last is None:
        return None
    if progress < last or (progress == last and not may_stand_still(case.law)):
        return case.finding(
            "progress_percent",
            f"step {case.data['step']} stood at {last} before, {progress} is no more",
            f"report {last} or more",
        )
    return None


@guard("TB-PULSE-007", on=POSTED, private=True)
def progress_never_skips(case: Case) -> Judgement:
    """TB-PULSE-007 (ruling A-35): one quarter at a time; the first pulse of a step reports 0 or 25."""
    progress, last = _content(case).get("progress_percent"), _last_progress(case)
    if progress is None:
        return None
    if last is None:
        first = case.params["first_values"]
        if progress > max(first):
            return case.finding(
                "progress_percent",
                f"the first pulse of step {case.data['step']} reports {progress}",
                f"begin with {' or '.join(map(str, first))}",
            )
    elif progress > last + case.params["step"]:
        return case.finding(
            "progress_percent",
            f"from {last} to {progress} skips a quarter",
            f"report at most {last + case.params['step']}, or file the outcome of the step",
        )
    return None


@lru_cache(maxsize=8)
def _patterns(expressions: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(each) for each in expressions)


@guard("TB-PULSE-012", on=POSTED, private=True)
def no_credentials(case: Case) -> Iterator[Finding]:
    """TB-PULSE-012: nothing in a pulse looks like a credential. The rest of the rule is for steward review."""
    patterns = _patterns(case.params["credential_patterns"])
    for field, text in _texts(case):
        # Invisible characters inside a key would hide it from the patterns and from nobody else.
        seen = "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")
        if any(pattern.search(seen) for pattern in patterns):
            yield case.finding(
                field, "the text holds what looks like a credential", "take it out, and replace the credential"
            )


@guard("TB-PULSE-009", on=READ, private=True)
def three_readers(reading: Reading) -> Judgement:
    """TB-PULSE-009: what a pulse says is read by the agent, the person on the target, and stewards."""
    if reading.row.kind in PULSES and not reading.listed:
        return reading.closed("a pulse is read by its agent, the person on the target and stewards only")
    return None


@guard("TB-PULSE-013", on="ask.opened")
def pulse_opens_no_ask(case: Case) -> Judgement:
    """TB-PULSE-013: a pulse opens no ask and so pauses no clock."""
    if isinstance(case.request, PostCheckIn):
        return case.finding("asks_person", "a pulse opens no ask", "open the ask by its own command, OpenAsk")
    return None


@guard("TB-PULSE-014", on="outcome.approval.requested")
def pulse_is_no_delivery(case: Case) -> Judgement:
    """TB-PULSE-014: a pulse, even at 100 percent, is no delivery and asks for no approval."""
    if isinstance(case.request, PostCheckIn):
        return case.finding(
            "requests_approval", "a pulse counts as no delivery", "file the receipt, then request the approval"
        )
    return None


@guard("TB-PULSE-011", on=OVERDUE)
def due_time_has_passed(case: Case) -> Judgement:
    """TB-PULSE-011 (ruling A-34): a pulse is overdue when its due time came without one, and not before."""
    due = case.state.pulse.next_due_at if isinstance(case.state, Deal) else None
    if due is None or due != case.data["due_at"] or case.at < due:
        return case.finding("deal", f"the due time {due or 'was not set'} has not passed", "sweep at the due time")
    return None


@guard("TB-PULSE-020", on=OVERDUE)
def pulse_is_owed(case: Case) -> Judgement:
    """TB-PULSE-020 (ruling A-47): a pulse is owed while the deal is active and the agent has the turn."""
    if not isinstance(case.state, Deal) or pulse_due(case.state) is None:
        return case.finding(
            "deal",
            "no pulse is owed: the deal is not active, or it waits for the person",
            "wait for the answer; the due time is set anew then",
        )
    return None


@guard("TB-PULSE-016", on="liveness.review.opened")
def three_misses_in_a_row(case: Case) -> Judgement:
    """TB-PULSE-016 (ruling A-34): whole intervals missed in a row open a review; fewer, or shorter ones, do not."""
    deal = case.world.state(case.data["deal"])
    misses = deal.pulse.misses if isinstance(deal, Deal) else 0
    needed = case.params["consecutive_misses"]
    if misses < needed:
        return case.finding("deal", f"{misses} whole intervals are missed in a row, {needed} open a review", "wait")
    if isinstance(case.state, Passport) and case.data["deal"] in case.state.reviews.values():
        return case.finding("deal", "a liveness review on this deal is open already", "close that one first")
    return None
