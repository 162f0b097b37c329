"""Commitments bind domain, salt and body; fingerprints are BLAKE3."""

import json
from hashlib import sha256

import pytest

from support import shared
from tollbench.protocol.canonical import CanonicalError
from tollbench.protocol.commitment import commit, fingerprint, verify

SALT = bytes(range(32))


def test_commitment_is_the_documented_hash():
    expected = sha256(b"intake\x00" + SALT + b'{"a":1,"b":"x"}').hexdigest()
    assert commit("intake", SALT, {"b": "x", "a": 1}) == f"sha256:{expected}"


def test_commitment_opens_only_with_the_same_domain_salt_and_body():
    made = commit("intake", SALT, {"a": 1})
    assert verify(made, "intake", SALT, {"a": 1})
    assert not verify(made, "intak", SALT, {"a": 1})
    assert not verify(made, "intake", bytes(32), {"a": 1})
    assert not verify(made, "intake", SALT, {"a": 2})
    assert not verify(made.upper(), "intake", SALT, {"a": 1})
    assert not verify("", "intake", SALT, {"a": 1})
    assert not verify("sha256:\N{SNOWMAN}", "intake", SALT, {"a": 1})


@pytest.mark.parametrize("domain", ["", "in\x00take", "in\ntake", "Straße"])
def test_unclear_domain_is_refused(domain):
    with pytest.raises(ValueError, match="domain"):
        commit(domain, SALT, None)


@pytest.mark.parametrize("length", [0, 16, 31, 33])
def test_salt_has_32_bytes(length):
    with pytest.raises(ValueError, match="32 bytes"):
        commit("intake", bytes(length), None)


def test_body_is_canonical_json():
    with pytest.raises(CanonicalError):
        commit("intake", SALT, {"p": 0.7})  # type: ignore[dict-item]


def test_published_blake3_vectors():
    for case in json.loads(shared("vectors/blake3-test_vectors.json").read_text())["cases"]:
        data = bytes(at % 251 for at in range(case["input_len"]))
        assert fingerprint(data) == "b3:" + case["hash"][:64]
