"""The law of one command or report: which edition of each rule governs, and what it says.

A rule's `governs_at` names the moment whose edition decides (the posting, the bid, the signing, the event itself, the
close of the period). A state pins the edition in force at each such moment; a rule whose moment is not pinned yet is
read in the edition that is current.

An amendment may reach further back than that. Each edition notes, for the rules that its amendment changed, what
becomes of attempts pinned before it:

* `keep_pinned`  they keep the rule they pinned;
* `immediate`    from the effective instant of the enactment on they are judged by the amended rule;
* `migrate_at`   from the instant that the amendment names on they are, if the edition is in force by then.

Several amendments in a row compose: the last one that reaches an attempt gives the edition. The law is read at an
instant: a command at its own, a figure of an attempt at the resolution of that attempt (an open one at the last event
of the log). No clock is asked. What is in the log stays what it is: instants and sums that an event states were fixed
by the law of that event, and an attempt that resolved before an amendment is measured as it was.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from ..protocol import instants
from ..protocol.edition import Edition, RuleEntry, Shelf

Enacted = tuple[tuple[str, str], ...]
"""The enactments of a ledger in their order: version, and the instant (UTC text) from which it is in force."""


class Reading(NamedTuple):
    """Where a rule is read, and whether it is in force there (not withdrawn, not later than what is pinned)."""

    edition: Edition
    in_force: bool


class Law:
    """The editions that govern a command or a report, with a note of every rule that was applied.

    `pins` maps a `governs_at` moment to an edition version; `enacted` are the enactments of the ledger and `at` the
    instant (UTC text) at which the law is read, by default after the last of them. Laws made by `pinned` and `read_at`
    share the notes of their parent, so that an event cites every rule applied on the way to it.
    """

    __slots__ = ("_at", "_cited", "_enacted", "_era", "_kin", "_read", "current", "pins", "shelf")

    def __init__(
        self,
        shelf: Shelf,
        current: str | None = None,
        pins: Mapping[str, str] | None = None,
        *,
        enacted: Enacted = (),
        at: str | None = None,
    ) -> None:
        self.shelf = shelf
        self.current: Edition = shelf.get(current) if current is not None else shelf.current
        self.pins: Mapping[str, str] = pins or {}
        self._enacted = enacted
        self._at = at
        self._era: int | None = None if len(enacted) > 1 else 0
        self._cited: set[tuple[str, str]] = set()
        self._read: dict[str, Reading] = {}
        self._kin: dict[tuple[tuple[tuple[str, str], ...], int | None], Law] = {}

    def pinned(self, pins: Mapping[str, str] | None) -> Law:
        """The same law read under other pins; citations go to the same notes."""
        if not pins or pins == self.pins:
            return self
        return self._relative(pins, self._era)

    def read_at(self, instant: int | None) -> Law:
        """The same law as it reaches pinned attempts at an instant, in microseconds since 1970; None: as it is."""
        if instant is None or len(self._enacted) < 2:
            return self
        era = self._passage.era(instant)
        return self if era == self.era else self._relative(self.pins, era)

    @property
    def era(self) -> int:
        """Which stretch of time the law is read in: from one instant at which amendments reach attempts to the next."""
        if self._era is None:
            passage = self._passage
            self._era = len(passage.starts) if self._at is None else passage.era(instants.micros(self._at))
        return self._era

    def era_of(self, instant: int | None) -> int:
        """The stretch an instant lies in; equal ones read pinned rules alike."""
        return self.read_at(instant).era

    def edition_of(self, rule: str) -> Edition:
        """The edition in which the rule governs here. Raises `KeyError` for a rule that no such edition has."""
        return self._reading(rule).edition

    def entry(self, rule: str) -> RuleEntry:
        """The rule as it stands in the edition that governs."""
        return self._reading(rule).edition.rules[rule]

    def params(self, rule: str) -> Mapping[str, Any]:
        """The typed parameters of the rule in the edition that governs."""
        return self._reading(rule).edition.params(rule)

    def in_force(self, rule: str) -> bool:
        """Whether the rule binds here: it is withdrawn nowhere that governs, and not newer than what is pinned."""
        try:
            return self._reading(rule).in_force
        except KeyError:
            return False

    def apply(self, rule: str) -> Mapping[str, Any] | None:
        """Note that the rule was applied and give its parameters; None where it is not in force."""
        if not self.in_force(rule):
            return None
        edition = self._reading(rule).edition
        self._cited.add((rule, edition.version))
        return edition.params(rule)

    def take_citations(self) -> list[tuple[str, str]]:
        """The rules applied since the last call, each with the version it was read in, and a clean sheet."""
        taken = sorted(self._cited)
        self._cited.clear()
        return taken

    # -- finding the edition -------------------------------------------------------------------------------------------

    @property
    def _passage(self) -> Passage:
        return _passage(self.shelf, self._enacted)

    def _relative(self, pins: Mapping[str, str], era: int | None) -> Law:
        key = (tuple(pins.items()), era)
        found = self._kin.get(key)
        if found is None:
            found = Law(self.shelf, self.current.version, pins, enacted=self._enacted, at=self._at)
            found.current, found._era, found._cited, found._kin = self.current, era, self._cited, self._kin
            self._kin[key] = found
        return found

    def _reading(self, rule: str) -> Reading:
        found = self._read.get(rule)
        if found is None:
            found = self._read[rule] = self._look_up(rule)
        return found

    def _look_up(self, rule: str) -> Reading:
        entry = self.current.rules.get(rule)
        if entry is None:
            for version in self.pins.values():
                edition = self.shelf.get(version)
                if rule in edition.rules:
                    return _reading(edition, rule)
            raise KeyError(rule)
        pinned = self.pins.get(entry.governs_at)
        if pinned is None or pinned == self.current.version:
            return _reading(self.current, rule)
        reached = self._passage.reached(rule, pinned, self.era) if self.era else pinned
        edition = self.shelf.get(reached)
        # A rule that came later has no older wording: whoever asks for its values gets the present ones.
        return _reading(edition, rule) if rule in edition.rules else Reading(self.current, False)


def _reading(edition: Edition, rule: str) -> Reading:
    return Reading(edition, edition.rules[rule].status == "active")


class Passage:
    """How the amended rules of a ledger's editions pass to attempts pinned before them.

    `starts` are the instants (microseconds since 1970, rising) at which that may change; none where every amendment
    keeps attempts with what they pinned. Era n lies between the n-th start and the next one.
    """

    __slots__ = ("_in_force", "_order", "_steps", "starts")

    def __init__(self, shelf: Shelf, enacted: Enacted) -> None:
        self._order = {version: index for index, version in enumerate(shelf.versions)}
        self._steps: dict[str, list[tuple[int, int, str]]] = {}
        begins = [(instants.micros(effective), self._order[version]) for version, effective in enacted]
        starts = {effective for effective, _ in begins}
        for version in shelf.versions[: max((index for _, index in begins), default=-1) + 1]:
            for rule, change in shelf.get(version).amended.items():
                if change.transition != "keep_pinned":
                    since = 0 if change.at is None else instants.micros(change.at)
                    self._steps.setdefault(rule, []).append((self._order[version], since, version))
                    starts.add(since)
        self.starts = tuple(sorted(starts - {0})) if self._steps else ()
        self._in_force = [_latest(begins, start) for start in self.starts]

    def era(self, instant: int) -> int:
        """The era an instant lies in; a start belongs to the era it opens."""
        return bisect_right(self.starts, instant)

    def reached(self, rule: str, pinned: str, era: int) -> str:
        """The version in which a rule pinned in `pinned` governs in an era."""
        if not era:
            return pinned
        now, last, first = self.starts[era - 1], self._in_force[era - 1], self._order.get(pinned, -1)
        for index, since, version in reversed(self._steps.get(rule, ())):
            if first < index <= last and since <= now:
                return version
        return pinned


def _latest(begins: list[tuple[int, int]], instant: int) -> int:
    """The place on the shelf of the edition in force: the latest to take effect, of two the later enacted."""
    in_force = [(effective, order, index) for order, (effective, index) in enumerate(begins) if effective <= instant]
    return max(in_force, default=(0, 0, -1))[2]


@lru_cache(maxsize=32)
def _passage(shelf: Shelf, enacted: Enacted) -> Passage:
    return Passage(shelf, enacted)
