"""`toll rules export`: the rulebook as one static site."""

from __future__ import annotations

from pathlib import Path

import click

from ...protocol.edition import EditionError, Shelf
from ...rules import trace as traces
from ...rules.amendments import read_amendments
from ...rules.lint import ROOT, lint_survey, survey
from .output import fail, json_option, print_json


@click.command()
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="The folder of the site.")
@click.option("--results", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="A JUnit report of the scenarios (pytest --junitxml).")  # fmt: skip
@click.option("--proof", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="What `toll rules prove --out` wrote.")  # fmt: skip
@click.option("--bench", "url", help="A bench whose ledger is counted: a path or sqlite:///path.")
@click.option("--root", type=click.Path(exists=True, file_okay=False, path_type=Path), default=ROOT,
              show_default="this package", help="The tree that holds the rulebook.")  # fmt: skip
@json_option
def export(out: Path, results: Path | None, proof: Path | None, url: str | None, root: Path, as_json: bool) -> None:
    """Write the living rulebook: a page a rule, search, coverage and changes; it opens without a server."""
    from ..rulebook import site
    from ..rulebook.dossier import dossier, judged
    from ..rulebook.results import ResultsError, read_proof, read_results

    try:
        shelf = Shelf(root / "protocol")
        edition = shelf.current
        ran = None if results is None else read_results(results)
        proved = None if proof is None else read_proof(proof, edition)
    except (EditionError, ResultsError) as error:
        fail(str(error))
    counts = None
    if url is not None:
        from ..bench import Bench

        with Bench.open(url, create=False) as bench:
            counts = judged(bench.events())
    seen = survey(root)
    rows = traces.trace(seen, lint_survey(seen), proof=proved)
    by_rule = {row.rule: row for row in rows}
    known = {entry.id: dossier(entry, edition, seen, by_rule.get(entry.id), counts) for entry in edition.rules.values()}
    files = site.export(out, shelf, rows, known, read_amendments(root)[0], ran)
    if as_json:
        print_json({"out": str(out), "files": files})
    else:
        click.echo(f"{len(files)} files in {out}; open {out / 'index.html'}")
