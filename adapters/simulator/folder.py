"""The folder of a season: what was asked for, the bench, and the files that a finished season leaves behind.

`season.json` is written before the bench is made, so that a season which was cut off can only be resumed as what it
is. Every file is written beside its place, synchronised, and then renamed: it is there whole or not at all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..bench import Bench

BENCH, RECORD, BOARD, EVENTS = "bench.db", "season.json", "board.json", "events.jsonl"
SCRIPT = 1
"""Version of the script. A season is resumed by the script that began it."""
MOST_TARGETS = 100_000


class FolderError(Exception):
    """The folder or what was asked for cannot be used; the message says why and how to go on."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder that holds, or will hold, the season with this seed and so many targets."""

    path: Path
    seed: int
    targets: int

    @property
    def bench(self) -> Path:
        """The database. It holds the vault and is never the thing to publish."""
        return self.path / BENCH

    @property
    def board(self) -> Path:
        """The board: canonical bytes."""
        return self.path / BOARD

    @property
    def events(self) -> Path:
        """The public record: the canonical bytes of each event, one a line."""
        return self.path / EVENTS

    def prepare(self, *, resume: bool) -> None:
        """Make the folder and record what is asked for. Raises `FolderError` where something else stands there."""
        if not 1 <= self.targets <= MOST_TARGETS:
            raise FolderError(f"a season has 1 to {MOST_TARGETS} targets, not {self.targets}")
        if self.path.exists() and not self.path.is_dir():
            raise FolderError(f"{self.path}: is a file; name a folder")
        record = self.path / RECORD
        if record.exists() or self.bench.exists():
            self._check(record, resume=resume)
        else:
            self.path.mkdir(parents=True, exist_ok=True)
            write(record, [json.dumps(self._record(), indent=2).encode() + b"\n"])

    def _record(self) -> dict[str, Any]:
        return {"seed": self.seed, "targets": self.targets, "script": SCRIPT}

    def _check(self, record: Path, *, resume: bool) -> None:
        if not resume:
            raise FolderError(f"{self.path}: holds a season already; go on with --resume, or name an empty folder")
        if not record.exists():
            raise FolderError(f"{self.path}: the bench there was not begun by a season; name an empty folder")
        try:
            begun = json.loads(record.read_bytes())
            told = {name: begun[name] for name in self._record()}
        except (ValueError, TypeError, KeyError) as error:
            raise FolderError(f"{record}: is no record of a season; name an empty folder") from error
        if told["script"] != SCRIPT:
            raise FolderError(f"{self.path}: was begun by another version of the simulator; name an empty folder")
        if told != self._record():
            raise FolderError(
                f"{self.path}: was begun with --seed {told['seed']} --targets {told['targets']}; "
                "resume it with these, or name an empty folder"
            )

    def publish(self, bench: Bench) -> None:
        """Write the board and the public record of the bench."""
        write(self.board, [bench.board_bytes()])
        write(self.events, (body + b"\n" for _, body in bench.log()))


def write(path: Path, chunks: Iterable[bytes]) -> None:
    """Put these bytes in place of the file, all or nothing. What a killed process left beside it is overwritten."""
    beside = path.with_name(f".{path.name}.tmp")
    try:
        with beside.open("wb") as file:
            for chunk in chunks:
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
