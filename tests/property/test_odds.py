"""The derivation of p is exact, total, and the same in whole hundredths as in decimals."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from tollbench.domain.target import odds
from tollbench.protocol.edition import shelf
from tollbench.rules.evaluators import switched_off
from tollbench.rules.law import Law

LAW = Law(shelf())
HUNDREDTHS = st.integers(2, 90)
DIALS = st.lists(st.sampled_from(sorted(odds.dials(LAW))), unique=True)


@given(HUNDREDTHS, DIALS)
def test_p_is_the_clamped_sum_in_whole_hundredths(start: int, turned: list[str]) -> None:
    derived = odds.derive(LAW, Decimal(start) / 100, turned)
    steps = [int(odds.dials(LAW)[dial] * 100) for dial in turned]
    assert derived.nominal * 100 == start + sum(steps)
    assert derived.p * 100 == min(max(start + sum(steps), 2), 90)
    assert odds.decimals(derived.p) <= 2 and Decimal(odds.text(derived.p)) == derived.p


@given(HUNDREDTHS, DIALS)
def test_the_order_of_dials_does_not_matter(start: int, turned: list[str]) -> None:
    one, other = (odds.derive(LAW, Decimal(start) / 100, each) for each in (turned, turned[::-1]))
    assert (one.nominal, one.p) == (other.nominal, other.p)


@given(HUNDREDTHS, DIALS)
def test_raising_dials_never_lower_and_lowering_dials_never_raise(start: int, turned: list[str]) -> None:
    anchor = Decimal(start) / 100
    before = odds.derive(LAW, anchor, turned).p
    for dial in odds.dials(LAW):
        if dial not in turned:
            after = odds.derive(LAW, anchor, [*turned, dial]).p
            assert after >= before if dial in odds.raising(LAW) else after <= before


@given(st.lists(st.text(max_size=30)))
def test_unknown_dials_have_no_step(turned: list[str]) -> None:
    derived = odds.derive(LAW, Decimal("0.35"), turned)
    assert derived.p == Decimal("0.35") + sum(odds.dials(LAW).get(dial, 0) for dial in turned)


@given(st.decimals("-10", "10", allow_nan=False, allow_infinity=False, places=6))
def test_a_number_keeps_its_value_as_text(value: Decimal) -> None:
    assert Decimal(odds.text(value)) == value
    assert odds.decimals(value) == len(format(value.normalize(), "f").partition(".")[2])


@given(st.integers(200, 9_000))
def test_bands_tile_the_rubric(p_bp: int) -> None:
    p = Decimal(p_bp) / 10_000
    rows = [row for row in (odds.row(LAW, name) for name in odds.reference_classes(LAW)) if row is not None]
    assert odds.band(LAW, p) == odds.bands(LAW)[odds.band_index(LAW, p_bp)]
    holding = [row for row in rows if row.low <= p < row.high or p == row.high == max(each.high for each in rows)]
    assert len(holding) == 1
    assert odds.bands(LAW).index(odds.band(LAW, p)) == rows.index(holding[0])


def test_a_band_without_its_rules_is_no_band() -> None:
    with switched_off("TB-BAND-001"):
        assert odds.band(LAW, Decimal("0.70")) == "unbanded"
    with switched_off("TB-BAND-002"):
        assert odds.band(LAW, Decimal("0.02")) == "short"
