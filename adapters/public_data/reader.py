"""Reading a results file: one pass, in pieces, never more of it in memory than one line may hold.

A file that cannot be used at all raises `UnusableFile` with one `Problem`: what is wrong, in which line and column,
which rule says so, and what to do. Line 1 is the header; lines are counted as a text editor counts them.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from ...protocol.refusal import Problem
from ...rules.evaluators import is_off, requires
from ...rules.law import Law

READABLE, COLUMNS = "TB-AUDIT-001", "TB-AUDIT-002"
BOM = b"\xef\xbb\xbf"
_PIECE = 1 << 18
_OTHERS = {";": "semicolons", "\t": "tabs", "|": "bars"}

requires("TB-AUDIT-001", event="audit", field="file")
requires("TB-AUDIT-002", event="audit", field="file.columns")


class UnusableFile(Exception):
    """The file cannot be read as published results; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def unusable(law: Law, rule: str, where: str, detail: str, fix: str) -> UnusableFile:
    """The refusal of a file by a rule; `where` is the line and column."""
    entry = law.entry(rule)
    edition = law.edition_of(rule).version
    return UnusableFile(Problem(entry.reject_code or "FILE_UNREADABLE", rule, entry.rev, edition, where, detail, fix))


class ResultsFile:
    """A results file that is being read.

    `columns` maps each column name to its place, `bom` and `crlf` say whether the file has a byte order mark or Windows
    line ends, `size` and `digest` are the number of bytes read and their SHA-256. `rows` iterates over the cells of
    each row; a blank line is a row without cells.
    """

    def __init__(self, file: BinaryIO, law: Law, name: str) -> None:
        """Read the header. Raises `UnusableFile`."""
        self._law = law
        self.name = name
        self._limit: int = law.params(READABLE)["max_line_bytes"]
        self._file = file
        self._line = 0
        self._hash = hashlib.sha256()
        self.size = 0
        self.bom = self.crlf = False
        self._quotes = False
        self.rows = csv.reader(chain.from_iterable(self._lines()), strict=True)
        header = self._next()
        if header is None:
            raise self.refused(READABLE, "", "the file is empty", "give a file with a header line and rows")
        self.columns = self._header(header)
        self.width = len(header)

    def refused(self, rule: str, where: str, detail: str, fix: str) -> UnusableFile:
        """A refusal of this file."""
        return unusable(self._law, rule, where or "file", f"{self.name}: {detail}", fix)

    @property
    def digest(self) -> str:
        """The SHA-256 of what was read so far: of the whole file when iteration has ended."""
        return f"sha256:{self._hash.hexdigest()}"

    @property
    def line(self) -> int:
        """The line that the row read last ends on."""
        return self.rows.line_num

    def numbered(self) -> Iterator[tuple[int, list[str]]]:
        """The cells of each row that is not blank, with the line it starts on. Raises `UnusableFile`."""
        start = self.line + 1
        try:
            for cells in self.rows:
                if cells:
                    yield start, cells
                start = self.line + 1
        except csv.Error as error:
            raise self.bad_csv(error) from None

    def _next(self) -> list[str] | None:
        try:
            return next(self.rows, None)
        except csv.Error as error:
            raise self.bad_csv(error) from None

    def bad_csv(self, error: csv.Error) -> UnusableFile:
        line = self.rows.line_num
        if "field larger" in str(error):
            return self._too_long(line)
        fix = "quote cells as RFC 4180 says and end every line with a line feed"
        return self.refused(READABLE, f"line {line}", f"these are no comma separated values: {error}", fix)

    def _header(self, header: list[str]) -> Mapping[str, int]:
        wanted: tuple[str, ...] = self._law.params(COLUMNS)["columns"]
        if len(header) == 1:
            for other, words in _OTHERS.items():
                if other in header[0]:
                    raise self.refused(
                        COLUMNS, "line 1", f"the cells are separated by {words}", "separate the cells by commas"
                    )
        missing = [name for name in wanted if name not in header]
        if missing and not is_off(COLUMNS):
            raise self.refused(
                COLUMNS,
                f"line 1, column {missing[0]}",
                f"the header lacks {', '.join(missing)}",
                "name every column of the public results format in the header",
            )
        columns: dict[str, int] = {}
        for place, name in enumerate(header):
            if columns.setdefault(name, place) != place:
                raise self.refused(COLUMNS, f"line 1, column {name}", f"two columns are named {name!r}", "keep one")
        return columns

    def _lines(self) -> Iterator[Iterable[str]]:
        """The lines, decoded, a piece of the file at a time: neither the whole file is ever held, nor a line beyond the
        limit."""
        rest = b""
        while piece := self._file.read(min(_PIECE, self._limit)):
            self._hash.update(piece)
            if not self.size and piece.startswith(BOM):
                self.bom, piece = True, piece[len(BOM) :]
                self.size = len(BOM)
            self.size += len(piece)
            whole = rest + piece
            end = whole.rfind(b"\n") + 1
            first = whole.find(b"\n") if end else len(whole)
            if first > self._limit:
                raise self._too_long(self._line + 1)
            rest = whole[end:]
            if end:
                yield self._decoded(whole[:end])
        if rest:
            yield self._decoded(rest)

    def _decoded(self, data: bytes) -> Iterable[str]:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise self._not_utf8(data, error) from None
        if not self._line:
            self.crlf = text.partition("\n")[0].endswith("\r")
        self._line += text.count("\n")
        self._quotes = self._quotes or '"' in text
        if self._quotes:  # a quoted cell may hold line feeds, so they must stay; iteration splits at nothing else
            return io.StringIO(text, newline="\n")
        return text.removesuffix("\n").split("\n")

    def _not_utf8(self, data: bytes, error: UnicodeDecodeError) -> UnusableFile:
        line = self._line + data.count(b"\n", 0, error.start) + 1
        before = data[data.rfind(b"\n", 0, error.start) + 1 : error.start]
        if line == 1 and data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            return self.refused(READABLE, "line 1", "the file is UTF-16", "save it as UTF-8")
        place = before.count(b",")
        header = data.partition(b"\n")[0].decode("utf-8", "replace")
        names = list(getattr(self, "columns", header.split(",")))  # the header may stand in the same piece, unread
        column = f", column {names[place]}" if place < len(names) else ""
        detail = f"byte {data[error.start]:#04x} is no UTF-8"
        return self.refused(READABLE, f"line {line}{column}", detail, "save the file as UTF-8")

    def _too_long(self, line: int) -> UnusableFile:
        return self.refused(
            READABLE,
            f"line {line}",
            f"the line is longer than {self._limit:,} bytes or holds a cell that is too long",
            "end every row with a line feed",
        )


@contextmanager
def open_results(path: str | Path, law: Law) -> Iterator[ResultsFile]:
    """Open a results file for one pass. Raises `UnusableFile` for a directory, a missing, unreadable or empty file, or
    a bad header."""
    place = Path(path)
    try:
        if place.is_dir():
            raise unusable(law, READABLE, "file", f"{place} is a directory", "name a file")
        file = place.open("rb")
    except OSError as error:
        detail = f"{place} cannot be read: {(error.strerror or 'unknown error').lower()}"
        raise unusable(law, READABLE, "file", detail, "name a readable file") from None
    with file:
        results = ResultsFile(file, law, place.name)
        try:
            yield results
        except csv.Error as error:
            raise results.bad_csv(error) from None
