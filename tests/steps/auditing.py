"""Steps about published results: files, what an audit finds in them, and their import as historic events."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_bdd import given, parsers, then, when

from steps.lives import Life
from tollbench.adapters.history import import_rows, inspect
from tollbench.adapters.public_data.audit import AuditReport, audit
from tollbench.adapters.public_data.reader import UnusableFile

FIRST = {
    "deal_id": "d1",
    "target_id": "t1",
    "card_type": "classic",
    "keeper": "false",
    "lane": "free",
    "band": "short",
    "p_frozen": "0.70",
    "outcome": "0",
    "resolution": "ended",
    "agent": "alder",
    "model": "M1",
    "T_agent_minutes": "0",
    "C_usd": "0.0",
    "B_usd": "0.0",
    "toll": "",
    "satisfaction": "",
    "week_resolved": "2026-W33",
    "posted_at": "2026-08-10T00:00:00Z",
    "resolved_at": "2026-08-12T00:00:00Z",
}
SECOND = FIRST | {"deal_id": "d2", "target_id": "t2", "band": "long", "p_frozen": "0.35"}


class Paper:
    """The results file of a scenario and what came of reading it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.report: AuditReport | None = None
        self.unusable: UnusableFile | None = None

    def write(self, *rows: dict[str, str]) -> None:
        out = io.StringIO(newline="")
        writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        self.path.write_text(out.getvalue(), "utf-8")


@pytest.fixture
def paper(tmp_path: Path) -> Iterator[Paper]:
    yield Paper(tmp_path / "deals.csv")


@given("a results file")
def a_file(paper: Paper) -> None:
    paper.write(FIRST, SECOND)


@given("an empty results file")
def empty(paper: Paper) -> None:
    paper.path.write_bytes(b"")


@given("a results file with a byte order mark")
def with_bom(paper: Paper) -> None:
    paper.write(FIRST)
    paper.path.write_bytes(b"\xef\xbb\xbf" + paper.path.read_bytes())


@given(parsers.parse('a results file without the column "{column}"'))
def without(paper: Paper, column: str) -> None:
    paper.write({name: value for name, value in FIRST.items() if name != column})


@given(parsers.parse('a results file with "{value}" as "{column}" in its second row'))
def with_value(paper: Paper, value: str, column: str) -> None:
    paper.write(FIRST, SECOND | {column: value})


@given(parsers.parse("a results file with a line of {size:d} bytes"))
def long_line(paper: Paper, size: int) -> None:
    padded = [f"x{number}" for number in range(20)]
    paper.write(FIRST | dict.fromkeys(padded, ""), SECOND | dict.fromkeys(padded, ""))
    lines = paper.path.read_text("utf-8").splitlines()
    missing = size - len(lines[2])
    cells = [missing // len(padded)] * len(padded)
    cells[0] += missing % len(padded)
    lines[2] = lines[2].removesuffix("," * len(padded)) + "".join("," + "x" * count for count in cells)
    paper.path.write_text("\n".join(lines) + "\n", "utf-8")


@when("it is audited")
def audited(paper: Paper) -> None:
    try:
        paper.report = audit(paper.path)
    except UnusableFile as unusable:
        paper.unusable = unusable


@when("it is imported")
def imported(paper: Paper, life: Life) -> None:
    import_rows(life.bench, inspect(paper.path, life.bench.law()))


@then(parsers.parse("the file is unusable by {rule}"))
def unusable_by(paper: Paper, rule: str) -> None:
    assert paper.unusable is not None
    problem = paper.unusable.problem
    assert problem.rule == rule and problem.detail and problem.fix


@then(parsers.parse('the message names "{words}"'))
def names(paper: Paper, words: str) -> None:
    assert paper.unusable is not None
    assert words in paper.unusable.problem.field and words in paper.unusable.problem.detail


@then(parsers.re(r"(?P<rule>TB-[A-Z]+-\d{3}) is found at lines? (?P<lines>[\d, ]+)"))
def found_at(paper: Paper, rule: str, lines: str) -> None:
    assert paper.report is not None
    found = paper.report.findings.as_json()
    mine = [each for each in found if each["rule"] == rule]
    assert mine, f"no finding of {rule} among {[each['rule'] for each in found]}"
    assert [int(line) for line in lines.split(",")] == mine[0]["lines"]


@then("nothing is found")
def nothing_found(paper: Paper) -> None:
    assert paper.report is not None and paper.report.clean


@then(parsers.re(r"(?P<count>\d+) rows? makes? the figures"))
def counted(paper: Paper, count: str) -> None:
    assert paper.report is not None
    assert paper.report.counted == int(count)
    assert paper.report.board()["overall"]["counts"]["attempts"] == int(count)


@then("the ledger holds its rows word for word")
def word_for_word(paper: Paper, life: Life) -> None:
    with paper.path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    events = [event for event in life.bench.events() if event.type == "attempt.imported"]
    assert [event.data["columns"] for event in events] == rows
    assert [event.data["row"] for event in events] == [2, 3]


@then("importing it again writes nothing")
def again(paper: Paper, life: Life) -> None:
    assert import_rows(life.bench, inspect(paper.path, life.bench.law())) == 0


@then(parsers.parse("the board counts no native attempt and {count:d} historic ones"))
def kept_apart(life: Life, count: int) -> None:
    board = life.bench.board()
    assert board["header"]["origin"] == "native"
    assert board["overall"] is None
    assert board["historic"]["header"]["origin"] == "historic"
    assert board["historic"]["overall"]["counts"]["attempts"] == count
