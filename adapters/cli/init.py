"""`toll init`: an empty bench with the rulebook in force, ready for its first command."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

import click

from ..bench import Bench
from .output import bench_option, console, fail, json_option, print_json


@click.command()
@bench_option
@json_option
def init(url: str, as_json: bool) -> None:
    """Make an empty bench and put the present edition of the rulebook in force on it.

    Refused where the file exists already: nothing is ever overwritten.
    """
    if url == "memory:":
        fail("memory: keeps nothing; name a file")
    path = Path(unquote(url.removeprefix("sqlite:///")))
    if path.exists() and (path.is_dir() or path.stat().st_size):
        fail(f"{path}: exists already; name another file, or use it with --bench {url}")
    with Bench.open(url) as bench:
        edition = bench.law().current
    if as_json:
        print_json({"bench": url, "edition": edition.version, "hash": edition.hash})
        return
    out = console()
    out.print(f"made {url}; edition {edition.version} of the rulebook is in force ({edition.hash})", soft_wrap=True)
    out.print("next: register people with `toll do`; `toll schema RegisterPerson --example` prints such a command")
