"""`toll import`: published results as historic events."""

from __future__ import annotations

from pathlib import Path

import click

from ...protocol.edition import shelf
from ...rules.law import Law
from ..bench import Bench
from ..history import import_rows, inspect
from ..public_data.reader import UnusableFile
from .output import console, json_option, print_json, problem_lines


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--into", "url", required=True, help="The bench: a path or sqlite:///path; made if it does not exist.")
@json_option
@click.pass_context
def import_(ctx: click.Context, file: Path, url: str, as_json: bool) -> int:
    """Ledger the rows of a published results file, verbatim, under the hash of the file.

    Historic rows have figures of their own and never mix with native ones. Importing a file again writes nothing.
    """
    try:
        source = inspect(file, Law(shelf()))
    except UnusableFile as unusable:
        if as_json:
            print_json({"refused": [unusable.problem.as_dict()]})
        else:
            click.echo("\n".join(problem_lines([unusable.problem])), err=True)
        return 2
    with Bench.open(url) as bench:
        written = import_rows(bench, source)
    if as_json:
        print_json({"stream": source.stream, "rows": source.rows, "written": written})
    else:
        console().print(f"{source.rows} rows of {file}, {written} of them new, in {source.stream}")
    return 0
