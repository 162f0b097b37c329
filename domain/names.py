"""Names and texts as readers see them: spellings that look alike are one name, and what does not show says nothing."""

from __future__ import annotations

import unicodedata

_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")


def stated(text: object) -> bool:
    """Whether a text says anything: it holds at least one letter, digit, mark of punctuation or symbol that shows."""
    return isinstance(text, str) and any(unicodedata.category(c)[0] in "LNPS" and c not in _BLANK for c in text)


def fold(name: str) -> str:
    """The form in which names are compared: NFKC, case folded, invisible characters dropped, spaces collapsed."""
    seen = "".join(c for c in unicodedata.normalize("NFKC", name) if unicodedata.category(c) != "Cf")
    return " ".join(unicodedata.normalize("NFKC", seen.casefold()).split())
