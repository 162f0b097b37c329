"""Files that survive a power cut: written beside, synced, put in place in one step, and never changed silently.

`Folder.place` is for what may never change once it is there (tiles, bundles, bodies); `Folder.replace` for the few
files that move forward (the checkpoint, the record of the last signed head). Files are written in the hidden folder
`.staging` first, so that a crash leaves nothing half-written where a reader looks. `lock` keeps two publishers, or two
witnesses of one state, apart.
"""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from ...protocol.faults import LogFault

MAX_FILE: Final = 256 * 1024 * 1024
_STAGING: Final = ".staging"
_RETRY_SECONDS: Final = 0.02


class Folder:
    """A folder that is written durably. Paths are relative, with `/` between their parts."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def read(self, path: str, limit: int = MAX_FILE) -> bytes | None:
        """Content of a file, or None where there is none. Raises FILE_TOO_LARGE beyond `limit`, before reading."""
        return read_file(self.root / path, limit)

    def place(self, files: Iterable[tuple[str, bytes]]) -> int:
        """Put files in place for good, in order, and return how many are new; durable when it returns.

        A file that is there with the same bytes is left alone. Raises TILE_CONFLICT where other bytes are there, and
        DISK_REFUSED where the disk does not take them.
        """
        new = 0
        touched: set[Path] = set()
        for path, data in files:
            target = self.root / path
            held = read_file(target)
            if held is None:
                with _refusals(path):
                    self._make(target.parent, touched)
                    self._link(path, data)
                touched.add(target.parent)
                new += 1
            elif held != data:
                raise LogFault("TILE_CONFLICT", "other bytes were published here; it is never overwritten", path)
        with _refusals(str(self.root)):
            for folder in touched:
                _sync_folder(folder)
        return new

    def replace(self, path: str, data: bytes, mode: int = 0o644) -> None:
        """Put a file in place of the one before, so that a reader or a crash sees either the old or the new bytes."""
        target = self.root / path
        touched = {target.parent}
        with _refusals(path):
            self._make(target.parent, touched)
            self._staged(path, data, mode).replace(target)
            for folder in touched:
                _sync_folder(folder)

    def clean(self) -> None:
        """Remove what a killed writer left half-written. Only the holder of the lock may do this."""
        for left in (self.root / _STAGING).glob("*"):
            left.unlink(missing_ok=True)

    def files(self) -> Iterator[str]:
        """Every file below the folder, sorted, without hidden ones."""
        for path in sorted(self.root.rglob("*")):
            relative = path.relative_to(self.root)
            if path.is_file() and not any(part.startswith(".") for part in relative.parts):
                yield relative.as_posix()

    def _make(self, folder: Path, touched: set[Path]) -> None:
        """Make a folder; every folder that gets a new entry must be synced."""
        missing = folder
        while not missing.exists():
            touched.add(missing.parent)
            missing = missing.parent
        folder.mkdir(parents=True, exist_ok=True)

    def _link(self, path: str, data: bytes) -> None:
        beside, target = self._staged(path, data, 0o644), self.root / path
        try:
            os.link(beside, target)
        except FileExistsError:
            if read_file(target) != data:
                raise LogFault("TILE_CONFLICT", "other bytes were published here just now", path) from None
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS):
                raise
            beside.replace(target)  # a file system without links: the lock alone keeps writers apart
        finally:
            beside.unlink(missing_ok=True)

    def _staged(self, path: str, data: bytes, mode: int) -> Path:
        staging = self.root / _STAGING
        staging.mkdir(parents=True, exist_ok=True)
        beside = staging / f"{path.replace('/', '_')}.{os.getpid()}.{time.monotonic_ns()}"
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
        return beside


def read_file(path: Path, limit: int = MAX_FILE) -> bytes | None:
    """Content of a file, or None where there is none. Raises FILE_TOO_LARGE and DISK_REFUSED."""
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > limit:
                raise LogFault("FILE_TOO_LARGE", f"{size} bytes, the limit is {limit}", path.name)
            return file.read()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except OSError as error:
        raise LogFault("DISK_REFUSED", error.strerror or str(error), path.name) from error


@contextmanager
def lock(path: Path, wait: float) -> Iterator[None]:
    """Hold the lock file for the block, across processes. Raises LOG_BUSY where it is taken for `wait` seconds."""
    with _refusals(path.name):
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("ab")
    with file:
        end = time.monotonic() + wait
        while not _taken(file.fileno()):
            if time.monotonic() >= end:
                raise LogFault("LOG_BUSY", f"another process has held it for {wait:g} seconds", path.name)
            time.sleep(_RETRY_SECONDS)
        yield


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _refusals(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise LogFault("DISK_REFUSED", error.strerror or str(error), path) from error
