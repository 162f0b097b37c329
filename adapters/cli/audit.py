"""`toll audit`: a results file checked rule by rule, and every figure recomputed from its rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..public_data.audit import AuditReport
from ..public_data.audit import audit as audit_file
from ..public_data.reader import UnusableFile
from .output import console, json_option, print_json, problem_lines, table
from .tables import PLACES_SHOWN, board_tables

LINES_SHOWN = 12
FINDINGS_SHOWN = 5


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@json_option
@click.pass_context
def audit(ctx: click.Context, file: Path, as_json: bool) -> None:
    """Audit published results: findings by rule with line numbers, then the recomputed board.

    A finding never hides a figure. Exit codes: 0 nothing found, 1 findings, 2 the file is no results file.
    """
    try:
        report = audit_file(file)
    except UnusableFile as unusable:
        if as_json:
            print_json({"refused": [unusable.problem.as_dict()]})
        else:
            click.echo("\n".join(problem_lines([unusable.problem])), err=True)
        ctx.exit(2)
    if as_json:
        print_json(report.document())
    else:
        _print(report)
    ctx.exit(0 if report.clean else 1)


def _print(report: AuditReport) -> None:
    out = console()
    left_out = report.rows - report.counted
    out.print(f"{report.name}: {report.rows} rows, {report.counted} of them make the figures ({left_out} left out)")
    found: list[dict[str, Any]] = report.findings.as_json()
    if found:
        rows = [(one["rule"], one["title"], one["count"], _lines(one["lines"])) for one in found]
        out.print(table("Findings by rule", ["rule", "title", "count", "lines"], rows, right=["count"]))
        for one in found:
            for each in one["findings"][:FINDINGS_SHOWN]:
                out.print(f"{one['rule']} line {each['line']}, {each['column']}: {each['detail']}")
                out.print(f"  fix: {each['fix']}")
            if len(one["findings"]) > FINDINGS_SHOWN:
                out.print(f"  and {one['count'] - FINDINGS_SHOWN} more of {one['rule']}; --json lists them")
    else:
        out.print("nothing found")
    for each_table in board_tables(report.summary(PLACES_SHOWN)):
        out.print(each_table)


def _lines(lines: list[int]) -> str:
    shown = ", ".join(map(str, lines[:LINES_SHOWN]))
    return shown if len(lines) <= LINES_SHOWN else f"{shown}, … ({len(lines)} in all)"
