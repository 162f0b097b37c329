"""Ed25519: the published Wycheproof cases, refused keys, and the separation of statement kinds."""

import json

import pytest

from support import shared
from tollbench.protocol.canonical import CanonicalError
from tollbench.protocol.signature import KeyRefused, check_key, public_of, sign, statement, verify

PRIVATE = bytes(range(32))
P = 2**255 - 19

SMALL_ORDER = {
    "order 1": "01" + "00" * 31,
    "order 2": "ec" + "ff" * 30 + "7f",
    "order 4": "00" * 32,
    "order 4, other sign": "00" * 31 + "80",
    "order 8": "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "order 8, other sign": "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "order 8, second pair": "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "order 8, second pair, other sign": "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "order 1 with a sign": "01" + "00" * 30 + "80",
    "order 2 with a sign": "ec" + "ff" * 31,
}


def test_published_wycheproof_cases():
    groups = json.loads(shared("vectors/wycheproof-ed25519_test.json").read_text())["testGroups"]
    wrong = []
    for group in groups:
        key = check_key(group["publicKey"]["pk"])
        for case in group["tests"]:
            if verify(key, bytes.fromhex(case["msg"]), case["sig"]) is not (case["result"] == "valid"):
                wrong.append((case["tcId"], case["comment"]))
    assert sum(len(group["tests"]) for group in groups) == 151
    assert wrong == []


def test_rfc_8032_first_vector():
    private = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    assert public_of(private) == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert sign(private, b"").startswith("e5564300c360ac729086e2cc806e828a")


@pytest.mark.parametrize("key", SMALL_ORDER.values(), ids=SMALL_ORDER.keys())
def test_point_of_small_order_is_refused(key):
    with pytest.raises(KeyRefused, match="small order"):
        check_key(key)


@pytest.mark.parametrize("excess", range(19))
@pytest.mark.parametrize("sign_bit", [0, 1])
def test_encoding_beyond_the_field_is_refused(excess, sign_bit):
    encoded = (P + excess | sign_bit << 255).to_bytes(32, "little").hex()
    with pytest.raises(KeyRefused, match="non-canonical"):
        check_key(encoded)


@pytest.mark.parametrize(
    "key",
    ["", "00", "zz" * 32, "ab" * 31, "ab" * 33, "AB" * 32, " " + "ab" * 32, "ab" * 32 + "\n", "0x" + "ab" * 31],
)
def test_text_that_is_no_key_is_refused(key):
    with pytest.raises(KeyRefused, match="64 lower-case hex"):
        check_key(key)


def test_half_of_all_encodings_are_no_point_of_the_curve():
    refused = 0
    for y in range(2, 202):
        try:
            check_key(y.to_bytes(32, "little").hex())
        except KeyRefused as error:
            refused += "no point of the curve" in str(error)
    assert 80 <= refused <= 120


def test_own_keys_pass():
    for seed in range(50):
        key = public_of(bytes([seed]) * 32)
        assert check_key(key) == key


def test_signature_binds_key_kind_and_body():
    key, message = public_of(PRIVATE), statement("deal.signed", {"total_cents": 5})
    signature = sign(PRIVATE, message)
    assert message == b'tollbench/deal.signed\n{"total_cents":5}'
    assert verify(key, message, signature)
    assert not verify(key, statement("milestone.approved", {"total_cents": 5}), signature)
    assert not verify(key, statement("deal.signed", {"total_cents": 6}), signature)
    assert not verify(public_of(bytes(32)), message, signature)


def test_signature_text_has_one_spelling():
    key, message = public_of(PRIVATE), statement("deal.signed", None)
    signature = sign(PRIVATE, message)
    for other in (signature.upper(), signature[:-2], signature + "00", f" {signature}", "", "zz" * 64):
        assert not verify(key, message, other)


def test_verification_under_a_refused_key_is_false():
    message = statement("deal.signed", None)
    # R = identity, S = 0 satisfies the bare equation for the identity as key, whatever the message
    assert not verify(SMALL_ORDER["order 1"], message, "01" + "00" * 63)
    assert not verify("no key", message, sign(PRIVATE, message))


@pytest.mark.parametrize("kind", ["", "Deal", "deal\n", "deal signed", ".deal", "deal..signed", "dé"])
def test_unclear_statement_kind_is_refused(kind):
    with pytest.raises(ValueError, match="no statement kind"):
        statement(kind, None)


def test_statement_body_is_canonical_json():
    with pytest.raises(CanonicalError):
        statement("deal.signed", {"p": 0.5})  # type: ignore[dict-item]
