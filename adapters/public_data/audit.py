"""The audit of a results file: every rule its rows can show, and every figure recomputed from them.

    report = audit("deals.csv", law)
    report.findings.by_rule(); report.document()["board"]

Model names stay as the file spells them; spellings that look like one model are a finding (A-57). Of several rows with
one deal id the first counts. A very large file draws luck and edges by labelled closed forms, so that an audit's time
stays a small multiple of reading the file.
"""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...projections import board as boards
from ...projections.finish import Drawing
from ...projections.luck import EXACT_LIMIT
from ...projections.periods import Books
from ...projections.sections import Desk
from ...projections.tally import Tally, loop
from ...projections.trace import Columns
from ...protocol.edition import shelf
from ...rules.law import Law
from .checks import COLUMNS, SAME, Checker
from .findings import Findings
from .reader import READABLE, open_results

SPELLING = "TB-MODEL-003"
LARGE, LARGE_LIMIT = 50_000, 100
"""Rows from which a file counts as large, and the attempts up to which luck and edges are exact there."""


@dataclass(slots=True)
class AuditReport:
    """What an audit found. `rows` were read, `counted` of them make the figures; `books` holds the tally."""

    name: str
    sha256: str
    size: int
    rows: int
    counted: int
    findings: Findings
    books: Books
    law: Law

    @property
    def clean(self) -> bool:
        """Whether there is no finding."""
        return not len(self.findings)

    def board(self) -> dict[str, Any]:
        """The recomputed board, without single rows."""
        return boards.without_switched_off(boards.figures(self.books, None, "historic"))

    def summary(self, places: int | None = None) -> dict[str, Any]:
        """What a terminal shows of the board: all attempts by band, weeks, seasons (`places` lines each), quarters."""
        return boards.without_switched_off(boards.summary(self.books, None, "historic", places))

    def document(self) -> dict[str, Any]:
        """The whole report as JSON."""
        return {
            "format": "toll-audit",
            "version": 1,
            "file": {"name": self.name, "sha256": self.sha256, "bytes": self.size},
            "edition": self.law.current.version,
            "rows": self.rows,
            "counted": self.counted,
            "left_out": self.rows - self.counted,
            "findings": self.findings.as_json(),
            "board": self.board(),
        }


def audit(path: str | Path, law: Law | None = None) -> AuditReport:
    """Audit a results file under a law, by default the current edition.

    Raises `reader.UnusableFile` for a file that cannot be read as published results at all.
    """
    law = law or Law(shelf())
    findings = Findings(law)
    checker, tally = Checker(law, findings), Tally()
    plan = loop(law, Columns(SAME), COLUMNS)
    with open_results(path, law) as file, _no_collection():
        plan.run(checker.rows(file), tally.cells)
        if not checker.read:
            detail, fix = "the file has a header and no rows", "add the rows"
            raise file.refused(READABLE, "line 2", detail, fix)
        if file.bom:
            findings.add(READABLE, 1, "", "the file starts with a byte order mark", "save it as UTF-8 without one")
        if file.crlf:
            findings.add(READABLE, 1, "", "lines end with carriage return and line feed", "end lines with a line feed")
        name, digest, size = file.name, file.digest, file.size
    checker.close()
    counts = {model: totals.accepted for model, totals in tally.by(lambda cell: cell.models, ()).items()}
    spellings(findings, checker.models, counts, law)
    draw = Drawing(law, EXACT_LIMIT if checker.read <= LARGE else LARGE_LIMIT)
    books = Books(Desk(law, draw), tally)
    return AuditReport(name, digest, size, checker.read, sum(counts.values()), findings, books, law)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Without cyclic garbage collection: a pass over many rows makes millions of objects and not one cycle."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def spellings(findings: Findings, models: Mapping[str, int], counts: Mapping[str, int], law: Law) -> None:
    """Note every model that the file spells in several ways. `models` maps a spelling to its first line."""
    aliases = law.params(SPELLING)["aliases"]
    alike: dict[str, list[str]] = defaultdict(list)
    for spelling in models:
        alike[canonical(aliases.get(spelling, spelling))].append(spelling)
    for name, found in sorted(alike.items()):
        if len(found) > 1:
            first = sorted(models[spelling] for spelling in found)
            words = ", ".join(f"{spelling} ({counts[spelling]} rows)" for spelling in sorted(found))
            detail = f"one model, {name}, has {len(found)} spellings: {words}"
            fix = "declare one name, or record an alias; the rows stay under the names they have"
            findings.add(SPELLING, first[0], "model", detail, fix, tuple(first))


def canonical(spelling: str) -> str:
    """What spellings of one model have in common: lower case, without the provider before the last slash."""
    return spelling.rpartition("/")[2].strip().casefold()
