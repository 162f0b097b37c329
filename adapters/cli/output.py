"""How the command line speaks: one place for JSON, tables, refusals and failures."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

import click
from rich.console import Console
from rich.table import Table

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


def console() -> Console:
    """A console on standard output, made anew so that tests and pipes get what they redirect; at least 100 columns
    wide when it is no terminal, so that tables keep their columns."""
    made = Console(highlight=False)
    return made if made.is_terminal else Console(highlight=False, width=max(made.width, 140))


def print_json(value: Any) -> None:
    """One JSON value, indented, in Unicode."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]], *, right: Sequence[str] = ()) -> Table:
    """A table with these columns; those named in `right` are right-aligned, None shows as a dash."""
    made = Table(title=title, title_justify="left", title_style="bold")
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left", overflow="fold")
    for row in rows:
        made.add_row(*("-" if cell is None else str(cell) for cell in row))
    return made


def problem_lines(problems: Iterable[Problem]) -> list[str]:
    """Each problem in three lines: what and where, which rule, how to fix it."""
    lines = []
    for problem in problems:
        lines.append(f"refused: {problem.code} in {problem.field}: {problem.detail}")
        lines.append(f"  rule:  {problem.rule} (revision {problem.revision}, edition {problem.edition})")
        lines.append(f"  fix:   {problem.fix}")
    return lines


def report_refusal(refused: Refused, *, as_json: bool) -> None:
    """Say what was refused: as JSON on standard output, or in words on standard error."""
    if as_json:
        print_json({"refused": [problem.as_dict() for problem in refused.problems]})
    else:
        click.echo("\n".join(problem_lines(refused.problems)), err=True)


def fail(message: str, code: int = 2) -> NoReturn:
    """One line on standard error, and the exit code (2: unusable input or usage)."""
    click.echo(f"toll: {message}", err=True)
    sys.exit(code)
