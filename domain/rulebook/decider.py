"""What commands about the rulebook cause."""

from __future__ import annotations

from collections.abc import Iterator

from ..commands import handles
from ..target import odds
from ..world import Proposed, World
from .commands import CorrectAnchor, EnactEdition, RecordModelAlias
from .state import STREAM, Rulebook


@handles(EnactEdition)
def enact_edition(cmd: EnactEdition, world: World) -> Iterator[Proposed]:
    """Write which edition is in force from when."""
    effective = world.at if cmd.effective is None else cmd.effective
    yield Proposed(
        STREAM, "rulebook.edition.enacted", {"version": cmd.version, "hash": cmd.hash, "effective": effective}
    )


@handles(CorrectAnchor)
def correct_anchor(cmd: CorrectAnchor, world: World) -> Iterator[Proposed]:
    """Write the old and the new anchor of the class; a correction to the present value is nothing to write."""
    anchor = odds.anchor(world.law, cmd.reference_class, Rulebook.now(world).anchors)
    to = odds.number(cmd.to)
    if to != anchor:
        data = {"class": cmd.reference_class, "from": odds.text(anchor), "to": odds.text(to)}
        yield Proposed(STREAM, "odds.anchor.changed", data)


@handles(RecordModelAlias)
def record_model_alias(cmd: RecordModelAlias, world: World) -> Iterator[Proposed]:
    """Write the alias; repeating one that stands is nothing to write."""
    if Rulebook.now(world).aliases.get(cmd.declared) != cmd.canonical:
        yield Proposed(STREAM, "model.alias.recorded", {"declared": cmd.declared, "canonical": cmd.canonical})
