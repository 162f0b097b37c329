"""How the command line speaks: one place for JSON, tables, refusals and failures."""

from __future__ import annotations

import difflib
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

import click
from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, JustifyMethod, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from ...protocol.refusal import Problem, Refused

Option = Callable[[Any], Any]
json_option: Option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
bench_option: Option = click.option(
    "--bench",
    "url",
    default="bench.db",
    show_default=True,
    envvar="TOLL_BENCH",
    help="The bench: a path or sqlite:///path.",
)


NEVER_BROKEN = frozenset(("id", "deal", "rule", "week", "rank"))
"""Columns of tables that are never wrapped: what one copies from them."""
_UNBOUNDED = 100_000
_ID = re.compile(r"\b([a-z]+-[0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
_WHOLE_SECOND = re.compile(r"(T[0-9]{2}:[0-9]{2}:[0-9]{2})\.000000Z")
_SHORT_IDS = "ids are cut after 8 digits; `toll show` takes them so, --json and `toll list` have them whole"


_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
LONGEST = 2000


def visible(text: str) -> str:
    """The text with every character that steers a terminal, or that no encoding holds, written as an escape."""
    return _UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def unbroken(text: str) -> str:
    """The same with line feeds, too, written as escapes."""
    return visible(text).replace("\n", "\\n")


def one_line(text: str) -> str:
    """The text on one line that is no longer than a reader reads."""
    text = unbroken(text)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text)} characters)"


class SafeConsole(Console):
    """A console that shows text and nothing else: what a file or a name holds is never markup or a control code."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of whatever is printed, made visible."""
        for segment in super().render(renderable, options):
            if segment.control or not _UNSEEN.search(segment.text):
                yield segment
            else:
                yield Segment(visible(segment.text), segment.style)


def console() -> Console:
    """A console on standard output, made anew so that tests and pipes get what they redirect.

    A terminal, or COLUMNS where it is set, gives the width; into a file or a pipe lines are as long as they are.
    """
    made = SafeConsole(highlight=False, markup=False, emoji=False)
    if not made.is_terminal and not os.environ.get("COLUMNS", "").isdigit():
        made.width = _UNBOUNDED
    return made


def short_ids(text: str) -> str:
    """The text with every id cut to its kind and eight digits, which `toll show` takes as well."""
    return _ID.sub(r"\1", text)


def short_instants(text: str) -> str:
    """The text with instants at a whole second written without their zeros; they can be sent as they stand."""
    return _WHOLE_SECOND.sub(r"\1Z", text)


def lines(columns: Sequence[str], rows: Iterable[Sequence[object]], *, whole: bool = False) -> list[str]:
    """Rows as plain lines under a heading, one a line and never broken: columns are aligned, None shows as a dash.

    Instants are short, and so are ids unless they are wanted `whole`.
    """
    as_said = str if whole else short_ids
    shown = [list(columns)]
    shown += [["-" if each is None else short_instants(as_said(unbroken(str(each)))) for each in row] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*shown, strict=True)]
    return ["  ".join(map(set_cell_size, row, widths)).rstrip() for row in shown]


def echo(said: Iterable[str]) -> None:
    """Lines on standard output as they are: a terminal may wrap them, nothing is cut."""
    for line in said:
        click.echo(visible(line))


def note_short_ids() -> None:
    """Say to a human reader, and to no pipe, that ids are short."""
    if sys.stdout.isatty():
        click.echo(_SHORT_IDS)


def meant(word: str, known: Iterable[str], lists: str) -> str:
    """What to say after a word that nobody knows: the words it may stand for, or the command that lists them."""
    near = difflib.get_close_matches(word, list(known), n=3, cutoff=0.6)
    return f"did you mean {' or '.join(near)}?" if near else f"`{lists}` lists them"


def print_json(value: Any) -> None:
    """One JSON value, indented; in Unicode where standard output takes UTF-8."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    click.echo(json.dumps(value, indent=2, ensure_ascii=encoding.lower().replace("-", "") != "utf8"))


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]], *, right: Sequence[str] = ()) -> Table:
    """A table with these columns; those named in `right` are right-aligned, None shows as a dash.

    Cells are text and never markup, whatever brackets a name or a want holds.
    """
    made = Table(title=title, title_justify="left", title_style="bold", caption_justify="left")
    for column in columns:
        justify: JustifyMethod = "right" if column in right else "left"
        made.add_column(column, justify=justify, overflow="fold", no_wrap=column in NEVER_BROKEN)
    for row in rows:
        made.add_row(*map(cell, row))
    return made


def cell(value: object) -> Text:
    """What a table shows for a value."""
    return Text("-" if value is None else str(value))


def problem_lines(problems: Iterable[Problem]) -> list[str]:
    """Each problem in three lines: what and where, which rule, how to fix it."""
    lines = []
    for problem in problems:
        lines.append(one_line(f"refused: {problem.code} in {problem.field}: {problem.detail}"))
        lines.append(f"  rule:  {problem.rule} (revision {problem.revision}, edition {problem.edition})")
        lines.append(one_line(f"  fix:   {problem.fix}"))
    return lines


def report_refusal(refused: Refused, *, as_json: bool) -> None:
    """Say what was refused: as JSON on standard output, or in words on standard error."""
    if as_json:
        print_json({"refused": [problem.as_dict() for problem in refused.problems]})
    else:
        click.echo("\n".join(problem_lines(refused.problems)), err=True)


def fail(message: str, code: int = 2) -> NoReturn:
    """One line on standard error, and the exit code (2: unusable input or usage)."""
    click.echo(one_line(f"toll: {message}"), err=True)
    sys.exit(code)
