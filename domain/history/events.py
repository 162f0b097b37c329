"""Events of an import stream, `import-<sha256 of the file>`."""

from __future__ import annotations

from typing_extensions import TypedDict

from ..events import Digest, PublicText, Seconds, register


class AttemptImported(TypedDict):
    """One row of the file as it stands: `row` is its line number (the header is line 1), `columns` its fields."""

    row: Seconds
    source: Digest
    columns: dict[str, PublicText]


register("import", {"attempt.imported": AttemptImported})
