"""The incomplete beta function and its inverse in decimal arithmetic, for shapes that are whole or half numbers.

Clopper-Pearson limits, Student's t and the ranks of a median's interval are all quantiles or values of it. Results have
more than twenty right digits, so their published rounding is the same on every machine; floating point only supplies a
first guess. Shapes are given doubled (`a2` = 2 a), which keeps them whole numbers.

Sources: DLMF 8.17.22 (continued fraction), 5.11.1 (Stirling's series); Lentz 1976 (evaluation).
"""

from __future__ import annotations

import math
from decimal import Context, Decimal, localcontext
from functools import lru_cache
from typing import TypeVar

N = TypeVar("N", float, Decimal)

DIGITS = Context(prec=34, Emax=10**12, Emin=-(10**12))
"""IEEE decimal128 precision, with exponents that never overflow here."""
MOST = 2_000_000
"""Largest sum of the two shapes."""

_PI = Decimal("3.14159265358979323846264338327950288419716939937510")
_STIRLING = tuple(
    Decimal(top) / bottom
    for top, bottom in (
        (1, 12),
        (-1, 360),
        (1, 1_260),
        (-1, 1_680),
        (1, 1_188),
        (-691, 360_360),
        (1, 156),
        (-3_617, 122_400),
        (43_867, 244_188),
        (-174_611, 125_400),
        (77_683, 5_796),
    )
)


def below(a2: int, b2: int, x: Decimal) -> Decimal:
    """I_x(a2 / 2, b2 / 2): the probability below x (0 < x < 1) of the beta distribution with these shapes."""
    with localcontext(DIGITS):
        if x * (a2 + b2 + 4) > a2 + 2:
            return 1 - below(b2, a2, 1 - x)
        a, b = Decimal(a2) / 2, Decimal(b2) / 2
        front = _density(a2, b2, x) * x * (1 - x) / a
        return front * _fraction(a, b, x, Decimal("1e-27"), Decimal("1e-1000"))


def quantile(a2: int, b2: int, q: Decimal) -> Decimal:
    """The x with I_x(a2 / 2, b2 / 2) = q for whole a2, b2 >= 1 and 0 < q < 1, to more than twenty digits.

    Raises `ValueError` where the shapes sum to more than `MOST`.
    """
    if a2 + b2 > 2 * MOST:
        raise ValueError(f"the incomplete beta function is computed for shapes summing to at most {MOST}")
    x = Decimal(_guess(a2 / 2, b2 / 2, float(q)))
    with localcontext(DIGITS):
        for _ in range(100):
            new = x - (below(a2, b2, x) - q) / _density(a2, b2, x)
            if not 0 < new < 1:
                new = x / 2 if new <= 0 else (1 + x) / 2
            # Newton doubles the digits each time, so a step this small leaves an error far below the last one.
            settled = abs(new - x) <= new * (1 - new) * Decimal("1e-11")
            x = new
            if settled:
                break
    return x


def _guess(a: float, b: float, q: float) -> float:
    """A first value: Newton's method kept inside a shrinking bracket, in floating point."""
    low, high, x = 0.0, 1.0, a / (a + b)
    scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    for _ in range(60):
        miss = _float_below(a, b, x, scale) - q
        low, high = (x, high) if miss < 0 else (low, x)
        slope = math.exp(scale + (a - 1) * math.log(x) + (b - 1) * math.log1p(-x))
        new = x - miss / slope if slope else low
        if not low < new < high:
            new = (low + high) / 2
        if abs(new - x) <= 1e-13 * new:
            return new
        x = new
    return x


def _float_below(a: float, b: float, x: float, scale: float) -> float:
    if x * (a + b + 2) > a + 1:
        return 1 - _float_below(b, a, 1 - x, scale)
    return math.exp(scale + a * math.log(x) + b * math.log1p(-x)) / a * _fraction(a, b, x, 1e-15, 1e-300)


def _fraction(a: N, b: N, x: N, precise: N, tiny: N) -> N:
    """The continued fraction of the incomplete beta function, evaluated from the front."""
    c = x / x
    d = 1 / _nonzero(1 - (a + b) * x / (a + 1), tiny)
    result = d
    m = 0
    while True:
        m += 1
        for part in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _nonzero(1 + part * d, tiny)
            c = _nonzero(1 + part / c, tiny)
            result *= c * d
        if abs(c * d - 1) < precise:
            return result


def _nonzero(value: N, tiny: N) -> N:
    return value if abs(value) > tiny else tiny


def _density(a2: int, b2: int, x: Decimal) -> Decimal:
    return _power(x, a2 - 2) * _power(1 - x, b2 - 2) / _complete(a2, b2)


def _power(x: Decimal, twice: int) -> Decimal:
    return x ** (twice // 2) if twice % 2 == 0 else x.sqrt() ** twice


@lru_cache(maxsize=4_096)
def _complete(a2: int, b2: int) -> Decimal:
    """B(a2 / 2, b2 / 2)."""
    with localcontext(DIGITS):
        return (_ln_gamma(a2) + _ln_gamma(b2) - _ln_gamma(a2 + b2)).exp()


@lru_cache(maxsize=4_096)
def _ln_gamma(twice: int) -> Decimal:
    """The logarithm of Gamma(twice / 2): by recurrence when small, by Stirling's series when large."""
    with localcontext(Context(prec=44)):
        if twice > 120:
            z = Decimal(twice) / 2
            series = sum((c / z ** (2 * i + 1) for i, c in enumerate(_STIRLING)), Decimal(0))
            return (z - Decimal("0.5")) * z.ln() - z + (2 * _PI).ln() / 2 + series
        product = Decimal(1) if twice % 2 == 0 else _PI.sqrt()
        for i in range(2 if twice % 2 == 0 else 1, twice, 2):
            product = product * i / 2
        return product.ln()
