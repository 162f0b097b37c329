"""`toll rules impact`: what a change of the law would change in results that are already there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ...protocol import instants
from ...protocol.edition import EditionError, shelf
from ..bench import Bench
from ..public_data.reader import UnusableFile
from ..rulebook.impact import Amended, ChangeError, Impact, Ledger, amended, read_bench, read_results, sweep
from ..rulebook.impact import impact as recount
from .output import console, fail, json_option, print_json, problem_lines, table

FIGURES_SHOWN = 40


@click.command("impact")
@click.option("--ledger", "source", required=True, help="A bench (path or sqlite:///path), or a results file *.csv.")
@click.option("--edition", "version", help="Recount under this edition.")
@click.option("--set", "change", help="Recount with one parameter changed: RULE.parameter=value.")
@click.option("--sweep", "span", help="Recount at every step of a range: RULE.parameter=a..b.")
@click.option(
    "--mode",
    type=click.Choice(["recount", "prospective", "pinned"]),
    default="recount",
    show_default=True,
    help="Everything anew; only attempts signed from --from on; or what everything pinned, as published.",
)
@click.option("--from", "since", help="With --mode prospective: the instant from which attempts are read anew.")
@json_option
@click.pass_context
def impact(
    ctx: click.Context,
    source: str,
    version: str | None,
    change: str | None,
    span: str | None,
    mode: Any,
    since: str | None,
    as_json: bool,
) -> None:
    """List what a recount under a changed rule changes: bands, outcomes, weeks, crowns, figures. Not a forecast."""
    if sum(each is not None for each in (version, change, span)) != (0 if mode == "pinned" else 1):
        fail("give one of --edition, --set and --sweep" if mode != "pinned" else "--mode pinned takes no change")
    if (since is not None) != (mode == "prospective"):
        fail("--from goes with --mode prospective, and that needs it")
    ledger = _ledger(source)
    try:
        changes = _changes(ledger, version, change, span)
        found = [recount(ledger, each, mode, _instant(since)) for each in changes]
    except (ChangeError, EditionError) as error:
        fail(str(error))
    if as_json:
        print_json([each.as_dict() for each in found] if span is not None else found[0].as_dict())
    elif span is not None:
        _print_sweep(found)
    else:
        _print(found[0])
    ctx.exit(1 if any(each.differs for each in found) else 0)


def _ledger(source: str) -> Ledger:
    if not source.endswith(".csv"):
        with Bench.open(source, create=False) as bench:
            return read_bench(bench)
    try:
        return read_results(Path(source), shelf())
    except UnusableFile as unusable:
        click.echo("\n".join(problem_lines([unusable.problem])), err=True)
        raise click.exceptions.Exit(2) from None


def _changes(ledger: Ledger, version: str | None, change: str | None, span: str | None) -> list[Amended]:
    if version is not None:
        return [Amended(ledger.law.shelf.get(version), f"edition {ledger.law.current.version} -> {version}")]
    if change is not None:
        return [amended(ledger.law, change)]
    return [Amended(ledger.law.current, "none")] if span is None else list(sweep(ledger.law, span))


def _instant(since: str | None) -> int | None:
    if since is None:
        return None
    try:
        return instants.micros(since if "T" in since else f"{since}T00:00:00Z")
    except instants.InstantError as error:
        raise ChangeError(f"--from: {error}") from None


def _print(found: Impact) -> None:
    out = console()
    out.print(f"{found.attempts} attempts, {found.mode}: {found.change}")
    if found.mode == "pinned":
        out.print("differs from the published board" if found.differs else "the published board, byte for byte")
        return
    pairs = {"Bands": found.rebanded, "Weeks": found.moved, "Outcomes": found.outcomes}
    for title, changed in pairs.items():
        if changed:
            rows = [(deal, *pair) for deal, pair in changed.items()]
            out.print(table(title, ["deal", "before", "after"], rows))
    if found.crowns:
        crowns = [
            (week, *(None if c is None else f"{c[0]} {c[1]}" for c in pair)) for week, pair in found.crowns.items()
        ]
        out.print(table("Crowns", ["week", "before", "after"], crowns))
    if found.figures:
        shown = [(p, f, _figure(old), _figure(new)) for p, f, old, new in found.figures if f != "other"]
        out.print(table("Figures (n)", ["place", "of", "before", "after"], shown[:FIGURES_SHOWN]))
        if len(shown) > FIGURES_SHOWN:
            out.print(f"{len(shown) - FIGURES_SHOWN} more; --json lists them all")
    out.print(f"unchanged: {', '.join(found.unchanged) or 'nothing'}")


def _figure(value: Any) -> str | None:
    return f"{value[0]} ({value[1]})" if isinstance(value, list) else None if value is None else str(value)


def _print_sweep(found: list[Impact]) -> None:
    columns = ["change", "rebanded", "moved", "outcomes", "crowns", "figures"]
    rows = [(i.change, len(i.rebanded), len(i.moved), len(i.outcomes), len(i.crowns), len(i.figures)) for i in found]
    console().print(table("Sweep: how much changes", columns, rows, right=columns[1:]))
