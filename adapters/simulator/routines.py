"""What goes on beside the wants: weeks are closed, anchors corrected, models renamed, keys rotated, systems renewed."""

from __future__ import annotations

import hashlib

from ...domain.history.commands import HistoricRow, ImportAttempts
from ...domain.period.commands import ClosePeriod
from ...domain.person.commands import RotateKey
from ...domain.rulebook.commands import CorrectAnchor, RecordModelAlias
from ...protocol import instants
from .cast import MODELS, SYSTEM, Agent, Cast, Poster, declare, verify
from .stage import DAY, HOUR, MINUTE, START, WEEK, WEEKS, Life, Script

SEASON = 1
_HISTORIC = (
    ("short", "0.72", "1", "delivered", "2026-W25", "2026-06-16T09:00:00+00:00", "2026-06-17T18:30:00+00:00"),
    ("moonshot", "0.04", "0", "failed", "2026-W26", "2026-06-20T10:15:00+00:00", "2026-06-24T07:00:00+00:00"),
)


def weeks(life: Life) -> Script[None]:
    """Close every week a few minutes after its end, and after the last one the season and the quarter."""
    start = instants.micros(START)
    for number in range(WEEKS):
        year, week, _ = instants.from_micros(start + number * WEEK).isocalendar()
        name = f"{year}-W{week:02d}"
        yield life.until(start + (number + 1) * WEEK + 5 * MINUTE)
        life.do(ClosePeriod(period="week", name=name), SYSTEM)
    for period in ("season", "quarter"):
        life.do(ClosePeriod.model_validate({"period": period, "name": f"{period}-{SEASON}"}), SYSTEM)


def rulebook(life: Life, cast: Cast) -> Script[None]:
    """Join two spellings of a model; correct an anchor twice in the course of the season."""
    yield life.days(15, 17)
    old, new = (f"{MODELS[key].name} {MODELS[key].version}" for key in ("linden_old", "linden"))
    life.do(RecordModelAlias(declared=old, canonical=new), cast.steward)
    for reference_class, to in (("first_attempt_project", "0.33"), ("venture", "0.09")):
        yield life.days(14, 18)
        life.do(CorrectAnchor(reference_class=reference_class, to=to), cast.steward)


def keys(life: Life, cast: Cast) -> Script[None]:
    """Two posters and two agents rotate their keys; what they signed before stays signed."""
    for poster, agent in zip(cast.posters[:2], cast.agents[:2], strict=False):
        yield life.days(8, 15)
        life.do(RotateKey(holder=poster.id), poster.actor)
        yield life.hours(2, 30)
        life.do(RotateKey(holder=agent.id), agent.operator)


def renewal(life: Life, agent: Agent, models: tuple[str, ...]) -> Script[None]:
    """Declare a new version on other base models, as soon as no deal is between pick and signature."""
    yield life.days(25, 45)
    while agent.pending:
        yield life.hours(2, 5)
    agent.versions += 1
    agent.models = models
    declare(life, agent, start=life.stage.clock.now.date().isoformat())


def late_verification(life: Life, cast: Cast, poster: Poster) -> Script[None]:
    """A poster completes verification in the middle of the season; outcomes that waited for it become official."""
    yield life.days(30, 70)
    if not poster.verified:
        verify(life, cast, poster)


def history(life: Life) -> Script[None]:
    """The platform ledgers two attempts from before the season, verbatim."""
    yield life.hours(2, 6)
    rows = [
        HistoricRow(row=number, columns=_columns(life, number, *told)) for number, told in enumerate(_HISTORIC, start=2)
    ]
    source = hashlib.sha256(f"{life.stage.seed}/historic rows".encode()).hexdigest()
    life.do(ImportAttempts(source=f"sha256:{source}", rows=rows), SYSTEM)


def _columns(
    life: Life, number: int, band: str, p: str, outcome: str, resolution: str, week: str, posted: str, resolved: str
) -> dict[str, str]:
    digest = hashlib.sha256(f"{life.stage.seed}/historic {number}".encode()).hexdigest()
    return {
        "deal_id": f"{digest[:8]}-{digest[8:12]}-4{digest[13:16]}-8{digest[17:20]}-{digest[20:32]}",
        "target_id": f"{digest[32:40]}-{digest[40:44]}-4{digest[45:48]}-8{digest[49:52]}-{digest[52:64]}",
        "card_type": "classic",
        "keeper": "false",
        "lane": "free",
        "band": band,
        "p_frozen": p,
        "outcome": outcome,
        "resolution": resolution,
        "agent": "Forerunner",
        "model": "linden-1",
        "T_agent_minutes": str(life.dice.between(3, 900)),
        "C_usd": "0.0",
        "B_usd": "0.0",
        "toll": "",
        "satisfaction": "",
        "week_resolved": week,
        "posted_at": posted,
        "resolved_at": resolved,
    }


def start_of_day(day: int) -> int:
    """Nine in the morning of a day of the season, counted from 0, in microseconds since 1970."""
    return instants.micros(START) + day * DAY + 9 * HOUR
