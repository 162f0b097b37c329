"""Names, keys and personal data: the small functions behind the rules about people."""

from __future__ import annotations

import hashlib
import re
import uuid
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tollbench.domain.names import fold
from tollbench.domain.person.rules import _personal
from tollbench.domain.person.state import Key, key_at

DIGITS = st.text("0123456789", min_size=12, max_size=18)


@pytest.mark.parametrize(
    "spelling", ["Alder", "ALDER", " alder ", "al\u200bder", "\uff41lder", "al\u00adder", "\u2066alder\u2069"]
)
def test_spellings_that_read_alike_are_one_name(spelling: str) -> None:
    assert fold(spelling) == "alder"


@pytest.mark.parametrize("other", ["alder two", "al der", "älder", "alder2"])
def test_names_that_read_differently_stay_apart(other: str) -> None:
    assert fold(other) != "alder"


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_the_key_in_force_at_an_instant() -> None:
    keys = (Key("a", "2026-08-01T00:00:00.000000Z"), Key("b", "2026-08-02T00:00:00.000000Z"))
    assert key_at(keys, "2026-07-31T23:59:59.999999Z") is None
    assert key_at(keys, "2026-08-01T00:00:00.000000Z") == "a"
    assert key_at(keys, "2026-08-01T23:59:59.999999Z") == "a"
    assert key_at(keys, "2026-08-02T00:00:00.000000Z") == "b"


def luhn_digit(digits: str) -> str:
    """The check digit that makes a card number of these digits (ISO/IEC 7812-1, appendix B)."""
    total = sum(sum(divmod(int(d) * (2 if place % 2 == 0 else 1), 10)) for place, d in enumerate(reversed(digits)))
    return str(-total % 10)


@given(DIGITS, st.sampled_from(["{}", "pay {} now", "card: {}.", "({})"]))
def test_every_card_number_is_found_and_a_wrong_check_digit_is_not(digits: str, words: str) -> None:
    right = luhn_digit(digits)
    assert _personal(words.format(digits + right)) == "a payment card number"
    assert _personal(words.format(digits + str((int(right) + 1) % 10))) is None


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("GB82 WEST 1234 5698 7654 32", "a bank account number"),
        ("GB82WEST12345698765432", "a bank account number"),
        ("GB82 WEST 1234 5698 7654 33", None),
        ("mail a.b+c@elm.example today", "an e-mail address"),
        ("two @ 40 dollars", None),
        ("@handle", None),
        ("sha256:" + "1" * 64, None),
        ("2026-08-24T00:00:00.000000Z", None),
    ],
)
def test_what_counts_as_personal_data(text: str, what: str | None) -> None:
    assert _personal(text) == what


@given(st.binary(min_size=16, max_size=16), st.sampled_from(["person", "proposal", "system_record"]))
def test_no_id_key_or_digest_is_taken_for_personal_data(seed: bytes, kind: str) -> None:
    hexes = hashlib.sha256(seed).hexdigest()
    for text in (f"{kind}-{uuid.UUID(bytes=seed)}", f"sha256:{hexes}", f"b3:{hexes}", hexes, hexes * 2):
        assert _personal(text) is None


@given(st.text("0123456789", min_size=32, max_size=32))
def test_not_even_an_id_made_of_digits(digits: str) -> None:
    assert _personal(f"person-{uuid.UUID(digits)}") is None


@given(st.text("ab.@ <,\n\u00e9", min_size=6, max_size=40))
def test_an_address_is_found_wherever_it_starts(text: str) -> None:
    found = re.search(r"[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;.]{2,}", text)
    assert _personal(text) == ("an e-mail address" if found else None)


LONG = ("a" * 2_000 + "@" + "a." * 1_000, "a." * 1_999 + "@", "@" + "a" * 3_999, "12 " * 1_333)


@pytest.mark.parametrize("text", LONG, ids=["local part", "no domain", "no local part", "digits"])
def test_long_texts_are_read_once(text: str) -> None:
    begin = perf_counter()
    assert all(_personal(text) is None for _ in range(100))
    assert perf_counter() - begin < 2, "reading takes a time that grows with the square of the length"
