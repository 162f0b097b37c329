"""What an import writes: one event a row, verbatim."""

from __future__ import annotations

from collections.abc import Iterator

from ..commands import handles
from ..world import Proposed, World
from .commands import ImportAttempts


@handles(ImportAttempts)
def import_attempts(cmd: ImportAttempts, world: World) -> Iterator[Proposed]:
    """Each row becomes `attempt.imported` on the stream of its file."""
    stream = f"import-{cmd.source.removeprefix('sha256:')}"
    for row in cmd.rows:
        yield Proposed(stream, "attempt.imported", {"row": row.row, "source": cmd.source, "columns": dict(row.columns)})
