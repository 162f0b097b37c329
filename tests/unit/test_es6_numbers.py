"""The oracle is the RFC's: `rfc8785` writes the published ES6 number sequence (RFC 8785, appendix B).

Events hold no floating point number, so `canonical` never writes one. The library that its bytes are compared with
does, and here it is held to the published digests of the first 100,000 lines `<bits in hex>,<number>`.
"""

import json
import math
import struct
from collections.abc import Iterator
from fractions import Fraction
from hashlib import sha256
from itertools import chain, islice

import pytest
import rfc8785

from support import shared

# The sequence opens with -+(10^22 .. 10^-27)/3; where it differs from the nearest double: index -> units in last place.
NUDGED = {2: 1, 3: 1, 4: 1, 5: 2, 6: 1, 7: 1, 8: 3, 9: 1, 10: 2, 11: 2, 12: 1, 13: 1, 14: 1, 18: -1, 49: 1}
SMALLEST_NORMAL = 0x0010000000000000


def _bits(number: float) -> int:
    return int.from_bytes(struct.pack(">d", number), "big")


def _number(bits: int) -> float:
    return struct.unpack(">d", bits.to_bytes(8, "big"))[0]


def _around(number: float, *steps: int) -> list[float]:
    return [_number(_bits(number) + step) for step in steps]


def _edges() -> list[float]:
    """The 168 hand-picked numbers that open the sequence."""
    thirds = [_number(_bits(float(Fraction(10) ** (22 - at) / 3)) + NUDGED.get(at, 0)) for at in range(50)]
    return [
        *(0.0, -0.0, 5e-324, -5e-324),
        *(-third for third in thirds),
        *thirds,
        *(10.0, 5.0, 0.5, 0.05, 0.005, 0.0005, 5e-05, 5e-06, 5e-07, 5e-08, 5e-09),
        *(float(f"5.{'0' * zeros}6e-06") for zeros in range(1, 15)),
        *(5e-06, 1.0, -1.0),
        *_around(-1.0, -6, -5),
        *_around(1.0, -6, -5, -4, -2),
        *_around(-1.0, -1, -1),
        *_around(1.0, -1, -1),
        *_around(0.3, -1, 0, 1),
        *_around(_number(SMALLEST_NORMAL), 0, -3, -1),
        *(_number(0x7FEFFFFFFFFFFFFF), -_number(0x7FEFFFFFFFFFFFFF)),
        *(2.0**53, -(2.0**53), 2.0**68),
        *_around(1e23, -1, 0, 1),
        *_around(1e21, -2, -1, 0),
        *_around(1e-6, -1, 0),
        *_around(1e9 / 3, -2, -1, 0, 1, 2),
        *(-3.3333333333333333e-06, 1424953923781206.2),
    ]


def _chained() -> Iterator[float]:
    """Doubles cut from a chain of SHA-256 blocks that starts at 32 zero bytes, without zeros, NaN and infinities."""
    block = bytes(32)
    while True:
        block = sha256(block).digest()
        for (number,) in struct.iter_unpack("<d", block):
            if number and math.isfinite(number):
                yield number


def _sequence() -> Iterator[float]:
    return chain(_edges(), (_number(SMALLEST_NORMAL + step) for step in range(2000)), _chained())


@pytest.mark.parametrize("lines", [1_000, 10_000, 100_000])
def test_published_digest_of_the_number_sequence(lines):
    published = json.loads(shared("vectors/jcs-vectors.json").read_text(encoding="utf-8"))["es6_sha256"]
    digest = sha256()
    for number in islice(_sequence(), lines):
        digest.update(b"%x,%s\n" % (_bits(number), rfc8785.dumps(number)))
    assert digest.hexdigest() == published[str(lines)]
