"""`toll board`: the figures of a bench, recomputed from its log."""

from __future__ import annotations

import sys

import click

from ..bench import Bench
from .output import bench_option, console, json_option
from .tables import board_tables


@click.command()
@bench_option
@click.option("--fresh", is_flag=True, help="Fold the whole log anew instead of reading the live view.")
@json_option
def board(url: str, fresh: bool, as_json: bool) -> None:
    """Show the board: weekly and season tables, Toll per band, calibration. With --json print board.json, its bytes."""
    with Bench.open(url, create=False) as bench:
        if as_json:
            sys.stdout.buffer.write(bench.board_bytes(fresh=fresh) + b"\n")
            return
        document = bench.board(fresh=fresh)
    out = console()
    if document["line"]:
        out.print(document["line"])
    for each in board_tables(document):
        out.print(each)
