"""The state of the rulebook, folded from the events of its one stream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple, Self

from ...protocol.edition import Shelf
from ...protocol.envelope import Event
from ...rules.law import Law
from ..streams import Reader, State, replace, stream_kind

KIND = stream_kind("rulebook")
STREAM = "rulebook"


class Enacted(NamedTuple):
    """An enacted edition and the instant (UTC text) from which it is in force."""

    version: str
    hash: str
    effective: str


@dataclass(frozen=True, kw_only=True)
class Rulebook(State):
    """`editions` in order of enactment; `anchors` corrected so far by reference class; `aliases` by declared name."""

    id: str = STREAM
    editions: tuple[Enacted, ...] = ()
    anchors: Mapping[str, Decimal] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def now(cls, reader: Reader) -> Self:
        """The present rulebook; an empty one before the first event."""
        state = reader.state(STREAM)
        return state if isinstance(state, cls) else cls()

    def edition_at(self, at: str) -> str | None:
        """The version in force at this instant (UTC text): the latest to take effect, of two the later enacted."""
        in_force = [edition for edition in self.editions if edition.effective <= at]
        if not in_force:
            return None
        latest = max(edition.effective for edition in in_force)
        return next(edition.version for edition in reversed(in_force) if edition.effective == latest)


    def law_at(self, shelf: Shelf, at: str) -> Law:
        """The law as it reads at this instant; the current edition of the shelf before the first enactment."""
        enacted = tuple((edition.version, edition.effective) for edition in self.editions)
        return Law(shelf, self.edition_at(at), enacted=enacted, at=at)


@KIND.on("rulebook.edition.enacted")
def _enacted(state: Rulebook | None, event: Event) -> Rulebook:
    data = event.data
    rulebook = state or Rulebook()
    edition = Enacted(data["version"], data["hash"], data["effective"])
    return replace(rulebook, editions=(*rulebook.editions, edition))


@KIND.on("odds.anchor.changed")
def _anchor(state: Rulebook | None, event: Event) -> Rulebook:
    data = event.data
    rulebook = state or Rulebook()
    return replace(rulebook, anchors={**rulebook.anchors, data["class"]: Decimal(data["to"])})


@KIND.on("model.alias.recorded")
def _alias(state: Rulebook | None, event: Event) -> Rulebook:
    data = event.data
    rulebook = state or Rulebook()
    return replace(rulebook, aliases={**rulebook.aliases, data["declared"]: data["canonical"]})
