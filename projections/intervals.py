"""Uncertainty intervals and luck, without a scientific stack (ruling A-31).

The figures of the board are exact rationals; what stands here are the only inexact ones, and each is computed to far
more digits than are published, so that the published text is the same on every machine:

* rates: Wilson's score interval, and the exact interval of Clopper and Pearson (inverse incomplete beta function);
* the Bench rating R, week points W and calibration gap G: the *edge interval* `n * ClopperPearson(k, n) - sum(p)`, for
  G divided by n;
* medians: order statistics, none below six observations;
* the verified-step rate V: a ratio of sums, linearised, with the attempt as the cluster and Student's t.

Ends are unrounded `Decimal` values with 34 digits; `fixed` makes the published text. The luck band stands in `luck`.

Sources: Wilson 1927; Clopper and Pearson 1934; David and Nagaraja, Order Statistics, 7.1; Cochran, Sampling Techniques,
6.3 (linearised ratio); Howard, Ramdas, McAuliffe and Sekhon 2021 (anytime bound).
"""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

from . import beta
from .beta import DIGITS

_ZERO, _ONE, _HALF = Decimal(0), Decimal(1), Decimal("0.5")


class Interval(NamedTuple):
    """Lower and upper end, not rounded; `fixed` makes the published text."""

    low: Decimal
    high: Decimal

    def shifted(self, scale: int, shift: Fraction) -> Interval:
        """The interval of `scale * x + shift`, scale positive."""
        with localcontext(DIGITS):
            by = Decimal(shift.numerator) / shift.denominator
            return Interval(self.low * scale + by, self.high * scale + by)


def fixed(value: Decimal | Fraction, places: int) -> str:
    """The value with exactly this many decimals, rounded half to even, never "-0.00"."""
    exact = Fraction(value)
    scaled = round(exact * 10**places)
    if places == 0:
        return str(scaled)
    digits = f"{abs(scaled):0{places + 1}d}"
    return f"{'-' if scaled < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def wilson(k: int, n: int, z: Decimal) -> Interval:
    """Wilson's score interval of the rate k / n (0 <= k <= n, n >= 1) at the normal quantile z; inside [0, 1]."""
    _check(k, n)
    with localcontext(DIGITS):
        z2 = z * z
        middle = k + z2 / 2
        reach = z * (Decimal(k) * (n - k) / n + z2 / 4).sqrt()
        low = _ZERO if k == 0 else max(_ZERO, (middle - reach) / (n + z2))
        high = _ONE if k == n else min(_ONE, (middle + reach) / (n + z2))
        return Interval(low, high)


@lru_cache(maxsize=65_536)
def clopper_pearson(k: int, n: int, level: Decimal) -> Interval:
    """The exact interval of the rate k / n (0 <= k <= n, n >= 1) that covers with at least `level`; inside [0, 1]."""
    _check(k, n)
    tail = (1 - level) / 2
    low = _ZERO if k == 0 else beta.quantile(2 * k, 2 * (n - k + 1), tail)
    high = _ONE if k == n else _ONE - beta.quantile(2 * (n - k), 2 * (k + 1), tail)
    return Interval(low, high)


def wilson_with_continuity(k: int, n: int, z: Decimal) -> Interval:
    """Wilson's score interval with continuity correction: a closed form close to Clopper and Pearson's for large n."""
    _check(k, n)
    with localcontext(DIGITS):
        z2, twice = z * z, 2 * (n + z * z)
        spread, part = z2 - _ONE / n, Decimal(4 * k) / n
        low = 2 * k + z2 - 1 - z * max(_ZERO, spread - 2 + part * (n - k + 1)).sqrt()
        high = 2 * k + z2 + 1 + z * max(_ZERO, spread + 2 + part * (n - k - 1)).sqrt()
        return Interval(
            _ZERO if k == 0 else max(_ZERO, low / twice),
            _ONE if k == n else min(_ONE, high / twice),
        )


@lru_cache(maxsize=4_096)
def student_t(df: int, level: Decimal) -> Decimal:
    """The two-sided quantile of Student's t: |T| stays below it with probability `level`; df >= 1 degrees."""
    x = beta.quantile(df, 1, 1 - level)
    with localcontext(DIGITS):
        return (df * (1 - x) / x).sqrt()


class Clusters(NamedTuple):
    """The sums that the linearised interval of sum(k) / sum(m) needs, over n clusters: all integers."""

    n: int
    k: int
    m: int
    kk: int
    km: int
    mm: int


def ratio_interval(sums: Clusters, level: Decimal) -> Interval | None:
    """The interval of a ratio of sums, linearised with each attempt as a cluster; None below two clusters.

    With residuals e = k - V m the standard error is sqrt(n / (n - 1) * sum(e^2)) / sum(m); the quantile is Student's t
    with n - 1 degrees. Clamped to [0, 1].
    """
    if sums.n < 2 or sums.m == 0:
        return None
    ratio = Fraction(sums.k, sums.m)
    squares = sums.kk - 2 * ratio * sums.km + ratio * ratio * sums.mm
    variance = Fraction(sums.n, sums.n - 1) * squares / sums.m**2
    with localcontext(DIGITS):
        middle = Decimal(sums.k) / sums.m
        reach = student_t(sums.n - 1, level) * (Decimal(variance.numerator) / variance.denominator).sqrt()
        return Interval(max(_ZERO, middle - reach), min(_ONE, middle + reach))


@lru_cache(maxsize=65_536)
def median_ranks(n: int, level: Decimal) -> tuple[int, int] | None:
    """The ranks (from 1) of the order statistics that enclose the median with at least `level`; None where none do.

    The tightest symmetric pair (r, n + 1 - r) with 1 - 2 P(Binomial(n, 1/2) < r) >= level; none below n = 6 at 95 %.
    """
    if n < 1:
        return None
    tail = (1 - level) / 2
    # A good guess by the normal approximation, then the exact condition decides.
    rank = max(0, math.floor((n - NormalDist().inv_cdf(1 - float(tail)) * math.sqrt(n)) / 2))
    while rank < n // 2 and _seldom(n, rank + 1, tail):
        rank += 1
    while rank and not _seldom(n, rank, tail):
        rank -= 1
    return (rank, n + 1 - rank) if rank else None


def _seldom(n: int, rank: int, tail: Decimal) -> bool:
    """Whether P(Binomial(n, 1/2) < rank) <= tail. The normal approximation, which errs by far less than 1 / n here,
    decides where it is that clear; else the sum for small n, the incomplete beta function for large."""
    near = NormalDist().cdf((2 * rank - 1 - n) / math.sqrt(n)) - float(tail)
    if n > 200 and abs(near) * n > 1:
        return near < 0
    if n <= 200:
        fewer = Fraction(sum(math.comb(n, heads) for heads in range(rank)), 2**n)
        return bool(fewer <= tail)
    return beta.below(2 * (n - rank + 1), 2 * rank, _HALF) <= tail


def anytime_bound(variance: Fraction, rho: Decimal, level: Decimal) -> Decimal:
    """How far R may stray from 0 by luck at *any* time, looked at after every attempt, with probability `level`.

    The normal-mixture bound sqrt((V + rho) ln((V + rho) / (rho alpha^2))), V the sum of p (1 - p), rho > 0 its tuning.
    """
    with localcontext(DIGITS):
        total = Decimal(variance.numerator) / variance.denominator + rho
        return (total * (total / (rho * (1 - level) ** 2)).ln()).sqrt()


def _check(k: int, n: int) -> None:
    if not 0 <= k <= n or n < 1:
        raise ValueError(f"{k} of {n} is no count of successes")

