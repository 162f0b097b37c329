"""Results files that cannot be read, and files that can although they are odd: one clear message, nothing hidden."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tollbench.adapters.public_data import reader
from tollbench.adapters.public_data.audit import audit
from tollbench.adapters.public_data.reader import UnusableFile, open_results
from tollbench.protocol.edition import shelf
from tollbench.rules.law import Law

HEADER = ",".join(Law(shelf()).params("TB-AUDIT-002")["columns"])
ROW = "d1,t1,classic,false,free,short,0.70,1,delivered,alder,M1,5,0.0,0.0,,,2026-W33," + ",".join(
    ("2026-08-10T00:00:00.000000+00:00", "2026-08-12T00:00:00.000000+00:00")
)
FILE = f"{HEADER}\n{ROW}\n"


def refused(path: Path, content: bytes | None = None) -> reader.Problem:
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UnusableFile) as caught:
        audit(path)
    problem = caught.value.problem
    assert problem.fix and problem.edition and problem.revision
    return problem


UNUSABLE: dict[str, tuple[bytes, str, str, str]] = {
    "empty": (b"", "TB-AUDIT-001", "file", "empty"),
    "header only": (HEADER.encode(), "TB-AUDIT-001", "line 2", "no rows"),
    "header and blank lines": (HEADER.encode() + b"\n\n\n", "TB-AUDIT-001", "line 2", "no rows"),
    "a missing column": (FILE.replace("p_frozen", "p").encode(), "TB-AUDIT-002", "line 1, column p_frozen", "p_frozen"),
    "a column twice": (FILE.replace("toll", "lane").encode(), "TB-AUDIT-002", "line 1, column toll", "toll"),
    "semicolons": (FILE.replace(",", ";").encode(), "TB-AUDIT-002", "line 1", "semicolons"),
    "tabs": (FILE.replace(",", "\t").encode(), "TB-AUDIT-002", "line 1", "tabs"),
    "invalid UTF-8": (
        FILE.replace("alder", "al\xffder").encode("latin-1"),
        *("TB-AUDIT-001", "line 2, column agent", "0xff"),
    ),
    "UTF-16": (FILE.encode("utf-16"), "TB-AUDIT-001", "line 1", "UTF-16"),
    "carriage returns": (FILE.replace("\n", "\r").encode(), "TB-AUDIT-001", "line 1", "comma separated"),
    "an open quote": (FILE.replace("alder", '"alder').encode(), "TB-AUDIT-001", "line 2", "comma separated"),
    "a long line": (FILE.encode() + b"x" * 1_000_001, "TB-AUDIT-001", "line 3", "longer"),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_a_file_that_cannot_be_used(name: str, tmp_path: Path) -> None:
    content, rule, where, words = UNUSABLE[name]
    problem = refused(tmp_path / "deals.csv", content)
    assert (problem.rule, problem.field) == (rule, where) and words in problem.detail


def test_a_directory_and_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert "directory" in refused(tmp_path).detail
    assert "cannot be read" in refused(tmp_path / "none.csv").detail


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="this user may read everything")
def test_a_file_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "deals.csv"
    path.write_text(FILE)
    path.chmod(0)
    assert "permission denied" in refused(path).detail


def test_a_line_of_two_gigabytes_is_never_held(tmp_path: Path) -> None:
    path = tmp_path / "deals.csv"
    with path.open("wb") as file:
        file.write(FILE.encode())
        file.truncate(2 << 30)  # a sparse file: the line is there, the disk is not
    asked = 0

    def counted(size: int, read: Callable[[int], bytes]) -> bytes:
        nonlocal asked
        asked += size
        return read(size)

    with path.open("rb") as file, pytest.raises(UnusableFile):
        read = file.read

        class Counting:
            def read(self, size: int) -> bytes:
                return counted(size, read)

        for _ in reader.ResultsFile(Counting(), Law(shelf()), "deals.csv").rows:  # type: ignore[arg-type]
            pass
    assert asked < 3_000_000


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"\xef\xbb\xbf" + FILE.encode(), "byte order mark"), (FILE.replace("\n", "\r\n").encode(), "carriage return")],
)
def test_an_odd_file_is_a_finding_and_counts(content: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "deals.csv"
    path.write_bytes(content)
    report = audit(path)
    (finding,) = report.findings.by_rule()["TB-AUDIT-001"]
    assert finding.line == 1 and words in finding.detail and report.counted == 1 and len(report.findings) == 1


def test_quoted_cells_may_hold_commas_quotes_and_line_feeds(tmp_path: Path) -> None:
    path = tmp_path / "deals.csv"
    quoted = ROW.replace("alder", '"al, ""der"""'), ROW.replace("d1", '"d\n2"')
    path.write_text("\n".join([HEADER, *quoted]))
    report = audit(path)
    assert [agent["agent"] for agent in report.board()["agents"]] == ['al, "der"', "alder"]
    assert report.counted == 2


def test_a_last_line_without_line_feed_and_blank_lines_between(tmp_path: Path) -> None:
    path = tmp_path / "deals.csv"
    path.write_text(f"{HEADER}\n\n{ROW}\n\n{ROW.replace('d1', 'd2')}")
    report = audit(path)
    assert (report.rows, report.counted, len(report.findings)) == (2, 2, 0)


@pytest.mark.parametrize("piece", [1, 7, 64, 997])
def test_the_size_of_the_pieces_changes_nothing(piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "deals.csv"
    rows = [ROW.replace("d1", f"d{number}").replace("alder", f"ällder{number % 3}") for number in range(40)]
    path.write_text("\n".join([HEADER, *rows, ROW.replace("0.70", "nan").replace("d1", "x")]) + "\n", "utf-8")
    expected = audit(path).document()
    monkeypatch.setattr(reader, "_PIECE", piece)
    assert audit(path).document() == expected


def test_an_empty_piece_of_a_file_is_its_end(tmp_path: Path) -> None:
    path = tmp_path / "deals.csv"
    path.write_text(FILE)
    law = Law(shelf())
    with open_results(path, law) as file:
        assert len(list(file.rows)) == 1
        assert file.size == path.stat().st_size and file.digest.startswith("sha256:")
