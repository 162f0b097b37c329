"""How much of a result luck explains: the Poisson-binomial distribution of successes under the frozen odds.

An agent that exactly meets the odds succeeds on attempt i with probability p_i, so its number of successes has the
generating polynomial prod(1 - p_i + p_i x). Up to `EXACT_LIMIT` attempts the answer is *certified*: the polynomial is
multiplied in integers scaled by 2^bits, every coefficient rounded down; because the true coefficients sum to exactly
one, the shortfall of the sum bounds the error of every probability. If a published digit or a quantile is still in
doubt, the product is repeated with more bits, and at last in exact integers. Beyond the limit Volkova's refined normal
approximation is used, and the method says so.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from itertools import accumulate
from statistics import NormalDist
from typing import NamedTuple

from .intervals import fixed

EXACT_LIMIT = 5_000
"""Attempts up to which luck is computed exactly (to the published digit) rather than approximated."""
EXACT = "poisson_binomial_exact"
NORMAL = "poisson_binomial_refined_normal"
PLACES = 10
"""Decimals of a published probability."""
UNIT = 10_000
"""p is given in basis points: 7,000 is 0.70."""

_Poly = tuple[int, list[int]]  # degree of the first coefficient, coefficients scaled by 2^bits
_CHUNK = 32


class Luck(NamedTuple):
    """`low` and `high` are the numbers of successes that bound the luck band; `at_most` is P(X <= k), `at_least`
    P(X >= k), `two_sided` twice the smaller one (at most 1), as text with ten decimals."""

    low: int
    high: int
    at_most: str
    at_least: str
    two_sided: str
    method: str


def luck(p_bp: Sequence[int], k: int, level: Decimal, *, exact_limit: int = EXACT_LIMIT) -> Luck:
    """Where k successes lie among attempts with these frozen probabilities (basis points, 0..10000; at least one).

    The band holds the counts from the (1 - level) / 2 quantile to the (1 + level) / 2 quantile.
    """
    if not p_bp or not 0 <= k <= len(p_bp):
        raise ValueError(f"{k} successes of {len(p_bp)} attempts")
    tail = (1 - Fraction(level)) / 2
    if len(p_bp) > exact_limit:
        return _refined_normal(p_bp, k, tail)
    if len(p_bp) > 2 * _CHUNK:
        for bits in (96, 224, 480):
            found = _certified(*_product(p_bp, bits), bits, k, tail)
            if found is not None:
                return found
    return _from_exact(distribution(p_bp), k, tail)


def distribution(p_bp: Sequence[int]) -> list[Fraction]:
    """P(X = 0), ..., P(X = n), exact. The time grows with the cube of n: meant for n up to a few hundred."""
    row = [1]
    for p in p_bp:
        q = UNIT - p
        row = [q * here + p * before for here, before in zip([*row, 0], [0, *row], strict=True)]
    whole = UNIT ** len(p_bp)
    return [Fraction(count, whole) for count in row]


def _from_exact(chances: list[Fraction], k: int, tail: Fraction) -> Luck:
    reached = list(accumulate(chances))
    low = next(count for count, below in enumerate(reached) if below >= tail)
    high = next(count for count, below in enumerate(reached) if below >= 1 - tail)
    return _worded(low, high, reached[k], 1 - reached[k] + chances[k], EXACT)


def _certified(first: int, chances: list[int], bits: int, k: int, tail: Fraction) -> Luck | None:
    """The answer where the error bound leaves no doubt about it, else None."""
    one = 1 << bits
    short = one - sum(chances)
    low = _quantile(first, chances, short, tail * one)
    high = _quantile(first, chances, short, (1 - tail) * one)
    upto = sum(chances[: max(0, k + 1 - first)])
    at_most = _settled(upto, short, one)
    at_least = _settled(sum(chances[max(0, k - first) :]), short, one)
    if low is None or high is None or at_most is None or at_least is None:
        return None
    return _worded(low, high, at_most, at_least, EXACT)


def _quantile(first: int, chances: list[int], short: int, goal: Fraction) -> int | None:
    """The smallest count whose cumulative chance reaches the goal; None where the shortfall leaves it open."""
    below = 0
    for count, chance in enumerate(chances, first):
        below += chance
        if below >= goal:
            return count
        if below + short >= goal:
            return None
    return None


def _settled(lower: int, short: int, one: int) -> Fraction | None:
    """The probability, if its published digits are the same at both ends of the error bound."""
    low, high = Fraction(lower, one), Fraction(min(one, lower + short), one)
    return low if fixed(low, PLACES) == fixed(high, PLACES) else None


def _worded(low: int, high: int, at_most: Fraction, at_least: Fraction, method: str) -> Luck:
    two_sided = min(Fraction(1), 2 * min(at_most, at_least))
    return Luck(low, high, fixed(at_most, PLACES), fixed(at_least, PLACES), fixed(two_sided, PLACES), method)


def _product(p_bp: Sequence[int], bits: int) -> _Poly:
    """The generating polynomial in scaled integers: small factors first, so that operands stay of like size."""
    heap: list[tuple[int, int, _Poly]] = []
    for p, count in sorted(Counter(p_bp).items()):
        whole, rest = divmod(count, _CHUNK)
        if whole:
            heap.append((0, len(heap), _raised(_binomial(p, _CHUNK, bits), whole, bits)))
        if rest:
            heap.append((0, len(heap), _binomial(p, rest, bits)))
    heap = [(len(poly[1]), order, poly) for _, order, poly in heap]
    heapq.heapify(heap)
    order = len(heap)
    while len(heap) > 1:
        poly = _times(heapq.heappop(heap)[2], heapq.heappop(heap)[2], bits)
        heapq.heappush(heap, (len(poly[1]), order, poly))
        order += 1
    return heap[0][2]


def _binomial(p: int, count: int, bits: int) -> _Poly:
    """The chances of 0..count successes at one probability, scaled and rounded down."""
    q, whole = UNIT - p, UNIT**count
    chances, choose = [], 1
    for successes in range(count + 1):
        chances.append((choose * p**successes * q ** (count - successes) << bits) // whole)
        choose = choose * (count - successes) // (successes + 1)
    return _trimmed(0, chances)


def _raised(poly: _Poly, power: int, bits: int) -> _Poly:
    result: _Poly | None = None
    while True:
        if power & 1:
            result = poly if result is None else _times(result, poly, bits)
        power >>= 1
        if not power:
            assert result is not None
            return result
        poly = _times(poly, poly, bits)


def _times(left: _Poly, right: _Poly, bits: int) -> _Poly:
    """The product, by packing the coefficients of each factor into one long integer (Kronecker substitution)."""
    a, b = left[1], right[1]
    width = (2 * bits + min(len(a), len(b)).bit_length() + 7) // 8
    packed = [int.from_bytes(b"".join(c.to_bytes(width, "little") for c in side), "little") for side in (a, b)]
    count = len(a) + len(b) - 1
    raw = (packed[0] * packed[1]).to_bytes(width * (count + 1), "little")
    spread = range(0, width * count, width)
    return _trimmed(left[0] + right[0], [int.from_bytes(raw[at : at + width], "little") >> bits for at in spread])


def _trimmed(first: int, chances: list[int]) -> _Poly:
    """Without the zeros at both ends: what was rounded down to nothing only adds to the shortfall."""
    start, end = 0, len(chances)
    while start < end - 1 and not chances[start]:
        start += 1
    while end > start + 1 and not chances[end - 1]:
        end -= 1
    return first + start, chances[start:end]


def _refined_normal(p_bp: Sequence[int], k: int, tail: Fraction) -> Luck:
    """Volkova's approximation G((k + 1/2 - mean) / sd), G(x) = Phi(x) + skewness (1 - x^2) phi(x) / 6."""
    counts = Counter(p_bp).items()
    mean = Fraction(sum(p * c for p, c in counts), UNIT)
    variance = Fraction(sum(p * (UNIT - p) * c for p, c in counts), UNIT**2)
    third = Fraction(sum(p * (UNIT - p) * (UNIT - 2 * p) * c for p, c in counts), UNIT**3)
    if not variance:
        sure = int(mean)
        return _worded(sure, sure, Fraction(k >= sure), Fraction(k <= sure), EXACT)

    with localcontext(Context(prec=34)):
        spread = (Decimal(variance.numerator) / variance.denominator).sqrt()
        skew = Decimal(third.numerator) / third.denominator / spread**3

        def below(count: int) -> Fraction:
            gap = count + Fraction(1, 2) - mean
            x = Decimal(gap.numerator) / gap.denominator / spread
            chance = _normal_below(x) + skew * (1 - x * x) * _normal_density(x) / 6
            return Fraction(min(max(chance, Decimal(0)), Decimal(1)))

        def quantile(goal: Fraction) -> int:
            count = max(0, min(len(p_bp), int(mean + Fraction(NormalDist().inv_cdf(float(goal)) * float(spread)))))
            while count < len(p_bp) and below(count) < goal:
                count += 1
            while count and below(count - 1) >= goal:
                count -= 1
            return count

        at_most, before = below(k), below(k - 1)
        return _worded(quantile(tail), quantile(1 - tail), at_most, 1 - before, NORMAL)


def _normal_density(x: Decimal) -> Decimal:
    return (-x * x / 2).exp() / Decimal("6.283185307179586476925286766559005768394").sqrt()


def _normal_below(x: Decimal) -> Decimal:
    """The standard normal distribution function, by its power series; beyond ten sigma it is 0 or 1."""
    if abs(x) > 10:
        return Decimal(x > 0)
    term = total = x
    step = 1
    while abs(term) > Decimal("1e-32"):
        step += 2
        term = term * x * x / step
        total += term
    return Decimal("0.5") + total * _normal_density(x)
