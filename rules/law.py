"""The law of one command: which edition of each rule governs, and what it says.

A rule's `governs_at` names the moment whose edition decides (the posting, the bid, the signing, the event itself, the
close of the period). A state pins the edition in force at each such moment; a rule whose moment is not pinned yet is
read in the edition that is current.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..protocol.edition import Edition, RuleEntry, Shelf


class Law:
    """The editions that govern a command or a report, with a note of every rule that was applied.

    `pins` maps a `governs_at` moment to an edition version. Laws made by `pinned` share the notes of their parent, so
    that an event cites every rule applied on the way to it.
    """

    __slots__ = ("_cited", "current", "pins", "shelf")

    def __init__(
        self,
        shelf: Shelf,
        current: str | None = None,
        pins: Mapping[str, str] | None = None,
        _cited: set[str] | None = None,
    ) -> None:
        self.shelf = shelf
        self.current: Edition = shelf.get(current) if current is not None else shelf.current
        self.pins: Mapping[str, str] = pins or {}
        self._cited: set[str] = set() if _cited is None else _cited

    def pinned(self, pins: Mapping[str, str] | None) -> Law:
        """The same law read under other pins; citations go to the same notes."""
        if not pins or pins == self.pins:
            return self
        return Law(self.shelf, self.current.version, pins, self._cited)

    def edition_of(self, rule: str) -> Edition:
        """The edition in which the rule governs here. Raises `KeyError` for a rule that no such edition has."""
        entry = self.current.rules.get(rule)
        if entry is None:
            for version in self.pins.values():
                edition = self.shelf.get(version)
                if rule in edition.rules:
                    return edition
            raise KeyError(rule)
        pinned = self.pins.get(entry.governs_at)
        if pinned is None or pinned == self.current.version:
            return self.current
        edition = self.shelf.get(pinned)
        return edition if rule in edition.rules else self.current

    def entry(self, rule: str) -> RuleEntry:
        """The rule as it stands in the edition that governs."""
        return self.edition_of(rule).rules[rule]

    def params(self, rule: str) -> Mapping[str, Any]:
        """The typed parameters of the rule in the edition that governs."""
        return self.edition_of(rule).params(rule)

    def cite(self, rule: str) -> None:
        """Note that the rule was applied."""
        self._cited.add(rule)

    def take_citations(self) -> set[str]:
        """The rules applied since the last call, and a clean sheet."""
        taken = set(self._cited)
        self._cited.clear()
        return taken
