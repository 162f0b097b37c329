"""What comes beside the fields of a command, and the rims of what can be written: refused, never an error of ours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from steps import folk
from steps.lives import Life
from tollbench.adapters.bench import Bench
from tollbench.domain.commands import Actor, commands
from tollbench.domain.person.commands import RegisterPerson
from tollbench.domain.target.commands import BuyPriority
from tollbench.protocol.canonical import MAX_INT
from tollbench.protocol.refusal import Refused

SYSTEM = Actor.system()


@pytest.fixture
def bench() -> Iterator[Bench]:
    with Bench.open("memory:") as opened:
        yield opened


SENT = {
    "a sender's id with half a character": ({"by": Actor("person", "person-\ud800")}, "TB-CMD-001", "by"),
    "a sender's id of two lines": ({"by": Actor("person", "system\nx")}, "TB-CMD-001", "by"),
    "a role that is none": ({"by": Actor("king", "x")}, "TB-CMD-002", "by"),  # type: ignore[arg-type]
    "an empty id": ({"by": Actor("person", "")}, "TB-CMD-002", "by"),
    "a key with half a character": ({"key": "\ud800"}, "TB-CMD-001", "key"),
    "a key of a megabyte": ({"key": "k" * 2**20}, "TB-CMD-001", "key"),
    "a stream with half a character": ({"expected": {"\udfff": 1}}, "TB-CMD-001", "expected"),
    "a stream that is none": ({"expected": {"deal-x": 1}}, "TB-CMD-009", "expected"),
    "a version beyond all versions": ({"expected": {"rulebook": 2**70}}, "TB-CMD-009", "expected"),
    "a naive instant": ({"at": "2027-01-01T00:00:00"}, "TB-CMD-006", "at"),
    "no instant": ({"at": "tomorrow"}, "TB-CMD-006", "at"),
    "the end of time": ({"at": "9999-12-31T23:59:59Z"}, "TB-CMD-006", "at"),
    "the beginning of time": ({"at": "0001-01-01T00:00:00Z"}, "TB-CMD-010", "at"),
}


@pytest.mark.parametrize(("options", "rule", "field"), SENT.values(), ids=SENT.keys())
def test_what_comes_beside_the_fields(bench: Bench, options: dict[str, Any], rule: str, field: str) -> None:
    before = list(bench.log())
    with pytest.raises(Refused) as done:
        bench.do(RegisterPerson(), **({"by": SYSTEM} | options))
    assert (rule, field) in [(problem.rule, problem.field) for problem in done.value.problems]
    options.pop("key", None)
    checked = bench.check(RegisterPerson(), **({"by": SYSTEM} | options))
    assert not checked or checked == done.value.problems
    assert list(bench.log()) == before


def test_all_of_it_at_once(bench: Bench) -> None:
    with pytest.raises(Refused) as done:
        bench.do(RegisterPerson(), by=Actor("person", "\ud800"), key="\0", at="x", expected={"\ud800": 1})
    assert {problem.field for problem in done.value.problems} == {"by", "key", "at", "expected"}


@pytest.mark.parametrize(
    ("name", "fields", "field"),
    [
        ("ImportAttempts", {"rows": [{"row": 2**60, "columns": {}}]}, "rows.0.row"),
        ("ImportAttempts", {"rows": [{"row": 2, "columns": {"\ud800": "x"}}]}, "rows.0.columns"),
        ("RecordSatisfaction", {"score": 2**70}, "score"),
        ("PostCheckIn", {"progress_percent": -(2**70)}, "progress_percent"),
        ("ClosePeriod", {"name": "\u0662\u0660\u0662\u0666-W\u0660\u0663"}, "name"),
        ("PostTarget", {"p": "\u0660.\u0667"}, "p"),
    ],
)
def test_what_no_event_can_hold_is_malformed(bench: Bench, name: str, fields: dict[str, Any], field: str) -> None:
    with pytest.raises(Refused) as refused:
        bench.parse(name, fields)
    assert any(problem.field.startswith(field) for problem in refused.value.problems)
    assert {problem.rule for problem in refused.value.problems} == {"TB-CMD-001"}


@pytest.mark.parametrize("name", ["0001-W01", "0000-W01", "9999-W52", "2026-W54", "season-99999", "2026-W00"])
def test_a_week_at_the_rim_of_the_calendar_is_no_period(bench: Bench, name: str) -> None:
    request = commands()["ClosePeriod"].model_validate({"period": "week", "name": name})
    assert [problem.rule for problem in bench.check(request, by=SYSTEM)] == ["TB-CMD-004"]


def test_sums_of_the_largest_amounts_stay_exact(life: Life) -> None:
    for poster in ("Ada", "Ben"):
        target = folk.want(life, poster)
        life.do(BuyPriority(target=target, fee_cents=MAX_INT), folk.poster_of(life, target))
        life.attempt(BuyPriority(target=target, fee_cents=1), folk.poster_of(life, target))
        assert life.refused_by("TB-BID-012").field == "fee_cents"
    folk.chosen(life, target, "alder")
    folk.signed_deal(life, target, "alder")
    assert life.last_event("deal.acceptance_gift_paid").data["amount_cents"] == MAX_INT // 2
    assert life.bench.board()["digest"]["posting_priority_fee_cents"] == str(2 * MAX_INT)
    assert life.bench.board_bytes() == life.bench.board_bytes(fresh=True)


@pytest.mark.parametrize("resolved_at", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
def test_an_imported_row_of_no_season_is_unreadable_and_harms_no_board(bench: Bench, resolved_at: str) -> None:
    cells = {"deal_id": "d1", "target_id": "t1", "p_frozen": "0.7", "outcome": "1", "resolution": "delivered"}
    cells |= {"agent": "amber", "model": "M1", "T_agent_minutes": "55", "C_usd": "0", "B_usd": "0"}
    cells |= {"posted_at": "2026-08-24T00:00:00Z", "resolved_at": resolved_at}
    rows = [{"row": 2, "columns": cells}]
    bench.do(bench.parse("ImportAttempts", {"source": f"sha256:{'5' * 64}", "rows": rows}), by=SYSTEM)
    assert bench.board()["historic"]["unreadable_rows"] == 1
