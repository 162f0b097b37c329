"""Comparing names: two spellings that a reader cannot tell apart are one name."""

from __future__ import annotations

import unicodedata


def fold(name: str) -> str:
    """The form in which names are compared: NFKC, case folded, invisible characters dropped, spaces collapsed."""
    seen = "".join(c for c in unicodedata.normalize("NFKC", name) if unicodedata.category(c) != "Cf")
    return " ".join(unicodedata.normalize("NFKC", seen.casefold()).split())
