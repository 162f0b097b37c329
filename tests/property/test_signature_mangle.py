"""Every single changed bit of a key, a signature or a statement is noticed."""

import pytest

from tollbench.protocol.signature import public_of, sign, statement, verify

PRIVATE = bytes(range(1, 33))
KEY = public_of(PRIVATE)
MESSAGE = statement("milestone.approved", {"deal": "deal-1", "step": 2})
SIGNATURE = sign(PRIVATE, MESSAGE)


def _flipped(data: bytes):
    for at in range(len(data) * 8):
        changed = bytearray(data)
        changed[at // 8] ^= 1 << at % 8
        yield bytes(changed)


@pytest.mark.parametrize("part", ["key", "signature", "statement"])
def test_every_flipped_bit_is_noticed(part):
    assert verify(KEY, MESSAGE, SIGNATURE)
    if part == "key":
        assert not any(verify(changed.hex(), MESSAGE, SIGNATURE) for changed in _flipped(bytes.fromhex(KEY)))
    elif part == "signature":
        assert not any(verify(KEY, MESSAGE, changed.hex()) for changed in _flipped(bytes.fromhex(SIGNATURE)))
    else:
        assert not any(verify(KEY, changed, SIGNATURE) for changed in _flipped(MESSAGE))
