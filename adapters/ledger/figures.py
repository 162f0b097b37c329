"""The board of a published log: recomputed from its events alone, and bound to the head that covers them.

The header of a published board names the root of the head and who cosigned it, so a figure can be followed to a signed
tree; `witness` is `unwitnessed` where no witness of the log's own policy cosigned.
"""

from __future__ import annotations

from typing import Any, Final

from ...domain.rulebook.state import KIND, STREAM, Rulebook
from ...projections.board import board_bytes, board_of
from ...projections.facts import apply, ledger
from ...projections.rows import MemoryRows
from ...protocol.checkpoint import Checkpoint
from ...protocol.edition import Shelf
from ...protocol.envelope import Event
from ...rules.law import Law

UNWITNESSED: Final = "unwitnessed"


class Figures:
    """Folds events in leaf order and gives the board at the end. `shelf` holds the editions that the events name."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._rows = MemoryRows()
        self._rulebook: Any = None
        self._last_at = ""

    def feed(self, leaf: int, event: Event) -> None:
        """Fold one event."""
        apply(self._rows, leaf, event)
        if event.stream == STREAM:
            self._rulebook = KIND.evolve(self._rulebook, event)
        self._last_at = event.at

    def document(self) -> dict[str, Any]:
        """The board of everything folded so far, under the edition in force at the last event."""
        known = isinstance(self._rulebook, Rulebook)
        law = self._rulebook.law_at(self._shelf, self._last_at) if known else Law(self._shelf)
        return board_of(ledger(self._rows.items(), law), law)

    def published(self, head: Checkpoint, cosigned: dict[str, int]) -> bytes:
        """`board.json` of a bundle: the board with the head in its header, canonical bytes and a line feed."""
        document = self.document()
        for part in (document, document.get("historic")):
            if part is not None:
                part["header"]["root"] = f"sha256:{head.root.hex()}"
                part["header"]["witness"] = sorted(cosigned) or UNWITNESSED
        return board_bytes(document) + b"\n"
