"""Traced declarations: only plain operators exist, and the compiled loop computes what a plain loop would."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tollbench.projections import trace
from tollbench.projections.measures import ROW, Totals, measures, points
from tollbench.projections.tally import loop
from tollbench.projections.trace import Columns, Expr, Order, Sum, compiled, lift
from tollbench.protocol.edition import shelf
from tollbench.rules.evaluators import switched_off
from tollbench.rules.law import Law

ROWS = st.lists(st.tuples(st.integers(-5, 5), st.integers(0, 3), st.sampled_from(["x", "y"])), max_size=40)


def test_what_python_cannot_trace_is_refused() -> None:
    for wrong in (
        lambda: bool(ROW.a == 1),
        lambda: ROW.a and ROW.b,
        lambda: 1 if ROW.a else 2,
        lambda: not ROW.a,
        lambda: ROW.a / 2,
        lambda: ROW.a // 2,
        lambda: ROW.a * 0.5,
        lambda: float(ROW.a),
        lambda: int(ROW.a),
    ):
        with pytest.raises(TypeError):
            wrong()  # type: ignore[no-untyped-call]


def test_constants_fold() -> None:
    row: Any = Columns({"kind": "free", "k": 0})
    assert (row.kind == "free").value is True and ((row.kind == "free") & (row.a == 1)).code == "(a == 1)"
    assert ((row.kind == "paid") & (row.a == 1)).value is False and (row.k * row.a).value == 0
    assert ((row.kind == "paid") | (row.a == 1)).code == "(a == 1)" and (row.k + row.a).code == "a"
    assert lift(3).constant and not ROW.a.constant


def test_a_column_that_rows_do_not_have() -> None:
    with pytest.raises(ValueError, match="lack the columns b"):
        compiled({"n": Sum(ROW.b, lift(1))}, {"a": ROW.a}, ("a",))


@given(ROWS, st.sampled_from([1, 3, 1_000]))
def test_the_loop_computes_what_a_plain_loop_does(rows: list[tuple[int, int, str]], chunk: int) -> None:
    odd: Expr = (ROW.a > 0) & (ROW.b != 2)
    declared: dict[str, Sum | Order] = {
        "n": Sum(lift(1), lift(1)),
        "never": Sum(ROW.a, lift(False)),
        "some": Sum(ROW.a * 2 - ROW.b, odd),
        "more": Sum(lift(1), odd & (ROW.a == 3)),
        "either": Sum(3 - ROW.a, (ROW.a < -1) | (ROW.b >= 3)),
        "ordered": Order(ROW.a, ROW.b <= 1),
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trace, "_CHUNK", chunk)
        plan = compiled(declared, {"c": ROW.c, "one": lift("one"), "low": ROW.a < 0}, (("a", "b"), "c"))
    cells: trace.Cells = {}
    plan.run((((a, b), c) for a, b, c in rows), cells)
    expected: dict[Any, list[Any]] = {}
    for a, b, c in rows:
        cell = expected.setdefault((c, "one", a < 0), [0, 0, 0, 0, 0, []])
        cell[0] += 1
        cell[2] += a * 2 - b if a > 0 and b != 2 else 0
        cell[3] += a == 3 and b != 2
        cell[4] += 3 - a if a < -1 or b >= 3 else 0
        cell[5] += [a] if b <= 1 else []
    assert cells == expected


def test_the_declarations_fill_the_totals() -> None:
    law = Law(shelf())
    assert tuple(measures(law)) == Totals._fields
    assert "array" not in loop(law).source and " and " not in loop(law).source


def test_a_row_rule_that_is_switched_off_gives_its_neutral() -> None:
    law = Law(shelf())
    assert points(law, 1, 7_000, 50) == 3_000
    with switched_off("TB-RANK-008"):
        assert points(law, 1, 7_000, 50) == 2_950
    with switched_off("TB-TOLL-002"):
        assert measures(law)["crossings"].where.code == measures(law)["n"].where.code
