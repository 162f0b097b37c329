"""Importing published results: the rows of a file as historic ledgered events, verbatim.

The file is read twice: once to see that every row can be taken, so that a file that cannot leaves no trace, and once
to write. Batches carry keys made from the file's hash, so an import that was interrupted goes on where it stopped, and
importing the same file again writes nothing.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from ..domain.commands import Actor
from ..domain.history.commands import HistoricRow, ImportAttempts
from ..rules.law import Law
from .bench import Bench
from .public_data.reader import COLUMNS, READABLE, ResultsFile, UnusableFile, open_results, unusable

BATCH = 500


@dataclass(frozen=True, slots=True)
class Source:
    """A results file that can be imported: where it is, the SHA-256 of its bytes, and how many rows it has."""

    path: Path
    sha256: str
    rows: int

    @property
    def stream(self) -> str:
        """The stream that its rows go to."""
        return f"import-{self.sha256}"


def inspect(path: Path, law: Law) -> Source:
    """Read the whole file once. Raises `UnusableFile` for anything that cannot be imported; writes nothing."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        detail = f"{path} is no regular file; an import reads it twice, first to see that it can be taken whole"
        raise unusable(law, READABLE, "file", detail, "save what it gives to a file, and import that")
    with open_results(path, law) as results:
        count = sum(1 for _ in _rows(results))
        if not count:
            raise results.refused(READABLE, "line 2", "the file has a header and no rows", "add the rows")
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return Source(path, digest.hexdigest(), count)


def import_rows(bench: Bench, source: Source, progress: Callable[[int], None] = lambda count: None) -> int:
    """Ledger the rows of an inspected file; returns how many of them were new. `progress` hears the rows done."""
    start, done = bench.position(), 0
    with open_results(source.path, bench.law()) as results:
        rows = _rows(results)
        while batch := list(itertools.islice(rows, BATCH)):
            request = ImportAttempts(source=f"sha256:{source.sha256}", rows=batch)
            bench.do(request, by=Actor.system(), key=f"import/{source.sha256}/{batch[0].row}")
            done += len(batch)
            progress(done)
    return bench.position() - start


def _rows(file: ResultsFile) -> Iterator[HistoricRow]:
    names = list(file.columns)
    for line, cells in file.numbered():
        if len(cells) != len(names):
            raise file.refused(
                COLUMNS,
                f"line {line}",
                f"{len(cells)} cells where the header names {len(names)}",
                "give every row one cell a column",
            )
        try:
            yield HistoricRow(row=line, columns=dict(zip(names, cells, strict=True)))
        except ValidationError as error:
            raise _unfit(file, line, error) from None


def _unfit(file: ResultsFile, line: int, error: ValidationError) -> UnusableFile:
    """The refusal of a row that no event can hold."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = first["loc"]
    column = f", column {place[1]}" if place[:1] == ("columns",) and len(place) > 1 else ""
    detail = first["msg"].removeprefix("Value error, ")
    return file.refused(READABLE, f"line {line}{column}", detail, "shorten it, or leave it out of the file")
