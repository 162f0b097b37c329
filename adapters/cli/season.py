"""`toll season`: plays a simulated season with real commands on a fresh bench, and publishes its board and its log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from ..simulator.folder import RECORD, Folder, FolderError
from ..simulator.season import Coverage, open_bench, play
from ..simulator.stage import WEEKS, SeasonError
from .output import console, fail, json_option, print_json, table
from .tables import board_tables


@click.command()
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same bytes.")
@click.option("--targets", type=int, default=60, show_default=True, help="How many wants, reposts and stages included.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The folder for bench, board and events.")
@click.option("--resume", is_flag=True, help="Go on with a season that was cut off in this folder.")
@json_option
def season(seed: int, targets: int, out: Path, resume: bool, as_json: bool) -> None:
    """Play a season of posters, agents, stewards and time from a seed, on a bench in the folder OUT.

    The season uses every command at least once (from 24 targets on) and leaves bench.db, board.json,
    events.jsonl, and season.json, by which it can be resumed.
    """
    folder = Folder(out, seed, targets)
    try:
        folder.prepare(resume=resume)
        bench, clock = open_bench(str(folder.bench), seed)
        with bench:
            with _progress(shown=not as_json) as progress:
                coverage = play(bench, clock, seed, targets, progress)
            folder.publish(bench)
            document = bench.board()
    except (FolderError, SeasonError) as error:
        fail(str(error))
    if as_json:
        print_json(_summary(folder, document, coverage))
    else:
        _show(folder, document, coverage)


@contextmanager
def _progress(*, shown: bool) -> Iterator[Callable[[float], None]]:
    """A bar on standard error that follows simulated time; none where nobody would see it."""
    screen = Console(stderr=True)
    if not (shown and screen.is_terminal):
        yield lambda part: None
        return
    said, share = TextColumn("{task.description}"), TextColumn("{task.percentage:>3.0f}%")
    with Progress(said, BarColumn(), share, TimeElapsedColumn(), console=screen, transient=True) as bar:
        task = bar.add_task("season", total=1.0)

        def advance(part: float) -> None:
            week = min(WEEKS, 1 + int(part * WEEKS))
            bar.update(task, completed=part, description=f"week {week} of {WEEKS}")

        yield advance


def _endings(document: dict[str, Any]) -> dict[str, int]:
    counted = Counter(str(row["end"] or "open") for row in document["attempts"])
    return dict(sorted(counted.items()))


def _files(folder: Folder) -> dict[str, str]:
    return {
        "bench": str(folder.bench),
        "board": str(folder.board),
        "events": str(folder.events),
        "season": str(folder.path / RECORD),
    }


def _summary(folder: Folder, document: dict[str, Any], coverage: Coverage) -> dict[str, Any]:
    bands = (document["overall"] or {"bands": {}})["bands"]
    return {
        "seed": folder.seed,
        "targets": folder.targets,
        "events": document["header"]["log_position"],
        "endings": _endings(document),
        "commands": {"used": len(coverage.used), "known": len(coverage.known), "missing": list(coverage.missing)},
        "weeks": document["weeks"],
        "seasons": document["seasons"],
        "toll": {name: band.get("toll") for name, band in bands.items()},
        "calibration": {str(q["quarter"]): q.get("calibration") for q in document["quarters"]},
        "files": _files(folder),
    }


def _show(folder: Folder, document: dict[str, Any], coverage: Coverage) -> None:
    out = console()
    for each in board_tables({**document, "historic": None}):
        out.print(each)
    out.print(table("Attempts", ["terminal state", "attempts"], _endings(document).items(), right=["attempts"]))
    told = f"events: {document['header']['log_position']}, seed: {folder.seed}, targets: {folder.targets}"
    out.print(f"{told}, corrections of closed periods: {len(document['corrections'])}")
    out.print(coverage.line())
    for name, path in _files(folder).items():
        out.print(f"wrote {name}: {path}", soft_wrap=True)
