"""What changes in the rulebook are public: all of them."""

from __future__ import annotations

from typing_extensions import TypedDict

from ..events import Digest, Instant, Probability, PublicText, Word, register
from ..target.events import Edition


class EditionEnacted(TypedDict):
    """An edition of the rulebook by version and hash, in force from `effective` on."""

    version: Edition
    hash: Digest
    effective: Instant


AnchorChanged = TypedDict("AnchorChanged", {"class": Word, "from": Probability, "to": Probability})
AnchorChanged.__doc__ = """The anchor of one reference class, corrected for every posting from now on (TB-CAL-006)."""


class AliasRecorded(TypedDict):
    """A model name as declared, and the one canonical id it stands for (ruling A-57)."""

    declared: PublicText
    canonical: PublicText


register(
    "rulebook",
    {
        "rulebook.edition.enacted": EditionEnacted,
        "odds.anchor.changed": AnchorChanged,
        "model.alias.recorded": AliasRecorded,
    },
)
