"""The command line, `toll`.

Every command has `--json`. Exit codes: 0 fine, 1 findings or refused, 2 unusable input or usage. Commands are loaded
when they are called, so that `toll --help` and `toll audit` do not pay for the domain.
"""

from __future__ import annotations

import importlib
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from .output import fail, report_refusal

COMMANDS: dict[str, str] = {
    "audit": "audit:audit",
    "board": "board:board",
    "check": "commands:check",
    "do": "commands:do",
    "events": "ledger:events",
    "import": "history:import_",
    "init": "init:init",
    "list": "listing:list_",
    "log": "log:log",
    "receipt": "log:receipt",
    "verify": "log:verify",
    "replay": "ledger:replay",
    "rules": "rules:rules",
    "schema": "commands:schema",
    "season": "season:season",
    "show": "show:show",
    "todo": "show:todo",
}
"""Command name -> `module:attribute` in this package."""


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is called for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place = COMMANDS.get(cmd_name)
        if place is None:
            return None
        module, _, attribute = place.partition(":")
        command: click.Command = getattr(importlib.import_module(f"{__name__}.{module}"), attribute)
        return command


SEASON = Path("out") / "bench.db"
"""Where `make run` leaves its bench."""


def _season_nearby() -> str:
    return f"; a season's bench is there, use it with --bench {SEASON}" if SEASON.is_file() else ""


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tollbench", prog_name="toll")
def cli() -> None:
    """Toll Bench: wants with frozen odds, agents that deliver, figures that anyone can recompute."""


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code; no input ends in a traceback."""
    try:
        _steady_streams()
        _run(argv)
    except KeyboardInterrupt:
        fail("interrupted")


def _steady_streams() -> None:
    """Make the standard streams fit for every text: one that is closed becomes the null device, and a character that
    the encoding of the terminal lacks is written as an escape."""
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            null = Path(os.devnull).open("r" if name == "stdin" else "w", encoding="utf-8")  # noqa: SIM115
            setattr(sys, name, null)  # stays open as long as the program runs
        elif isinstance(stream, io.TextIOWrapper) and name != "stdin":
            stream.reconfigure(errors="backslashreplace")


def _run(argv: Sequence[str] | None) -> None:
    from ...protocol.canonical import CanonicalError
    from ...protocol.envelope import EnvelopeError
    from ...protocol.refusal import Refused
    from ..store.errors import NoSuchBench, StoreError

    try:
        code = cli.main(args=None if argv is None else list(argv), prog_name="toll", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except Refused as refused:
        report_refusal(refused, as_json="--json" in (argv or sys.argv))
        sys.exit(1)
    except NoSuchBench as error:
        fail(f"{error}{_season_nearby()}")
    except (StoreError, CanonicalError, EnvelopeError) as error:
        fail(str(error))
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except click.Abort:
        fail("interrupted")
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        fail(f"{error.filename or 'input or output'}: {error.strerror or error}")
