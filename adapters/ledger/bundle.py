"""The audit bundle: everything a stranger needs to check the bench, in one folder or one tar file.

    checkpoint, vkey, policy    the head, the log's key and its trust policy
    tile/..., bodies/...        the tree, the entries and the events
    rulebook/...                the compiled editions and their manifest
    board.json                  every figure, recomputed from exactly these events
    verify.py                   checks the bundle with a bare Python and nothing else
    check.html                  checks one receipt in a browser, offline
    manifest.json, .note        the hash of every other file, signed by the log

The same head gives the same bytes, but for the cosignatures that the head bears.
"""

from __future__ import annotations

import io
import shutil
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Protocol, Self

import orjson

from ...domain.events import read
from ...protocol import envelope
from ...protocol.edition import HOME, Shelf
from ...protocol.faults import LogFault
from ...protocol.policy import Verdict
from ...protocol.tiles import ENTRIES, WIDTH, bundle_bytes, new_tiles
from .figures import Figures
from .files import Folder
from .manifest import Builder
from .published import PublishedLog, body_bytes, body_path
from .state import LogState

STANDALONE: Final = Path(__file__).with_name("standalone.py")
PAGE: Final = Path(__file__).with_name("check.html")
RULEBOOK: Final = "rulebook"


@dataclass(frozen=True, slots=True)
class Bundled:
    """What was written: the head it is of and who cosigned it, how many files, how many bytes."""

    verdict: Verdict
    files: int
    bytes: int


def make_bundle(state: LogState, out: Path, home: Path = HOME) -> Bundled:
    """Write the bundle of the published head to `out`: a tar file where the name ends in .tar, else a folder.

    `home` holds the compiled editions and their manifest. The signing key is needed for the manifest. Raises
    BUNDLE_EXISTS where something is there, FILE_MISSING where nothing is published, and whatever reading the published
    log raises; then nothing is left at `out`.
    """
    if out.is_file() or (out.is_dir() and any(out.iterdir())):
        raise LogFault("BUNDLE_EXISTS", "there is something at this path already", out.name)
    public = Folder(state.settings.out)
    note = public.read("checkpoint")
    if note is None:
        raise LogFault("FILE_MISSING", "nothing is published yet", "checkpoint")
    verdict, key = state.policy().check(note), state.signing_key()
    log = PublishedLog(public.read, verdict.checkpoint)
    listed = Builder(verdict.checkpoint)
    writer: Writer = TarWriter(out) if out.suffix == ".tar" else FolderWriter(out)
    with writer:
        for path, data in _files(state, note, verdict, log, home):
            writer.add(path, data)
            listed.add(path, data)
        for path, data in listed.finish(key):
            writer.add(path, data)
    return Bundled(verdict, listed.files, listed.bytes)


def _files(
    state: LogState, note: bytes, verdict: Verdict, log: PublishedLog, home: Path
) -> Iterator[tuple[str, bytes]]:
    """Every file but the manifest: read, verified and recomputed from the published log."""
    yield "checkpoint", note
    yield "vkey", f"{state.verifier}\n".encode()
    yield "policy", state.policy_text()
    editions = Shelf(home)
    figures = Figures(editions)
    for tile in new_tiles(0, log.head.size):
        if tile.level != ENTRIES:
            yield tile.path, log.tile(tile)
            continue
        bodies = log.bodies(tile.number)
        yield tile.path, bundle_bytes([envelope.event_hash(body) for body in bodies])
        yield body_path(tile.number, tile.width), body_bytes(bodies)
        for leaf, body in enumerate(bodies, tile.number * WIDTH):
            event = read(body)
            _refuse_other_law(editions, leaf, event)
            figures.feed(leaf, event)
    yield from _editions(home)
    yield "board.json", figures.published(log.head, verdict.cosigned)
    yield "verify.py", STANDALONE.read_bytes()
    yield "check.html", PAGE.read_bytes()


def _refuse_other_law(editions: Shelf, leaf: int, event: envelope.Event) -> None:
    """A bundle holds the editions that its events name, or it is not made."""
    for version, stated in event.rulebooks.items():
        if version not in editions.versions or editions.get(version).hash != stated:
            raise LogFault(
                "EDITION_WRONG", f"it names edition {version} under {stated}, which is not here", f"event {leaf}"
            )


def _editions(home: Path) -> Iterator[tuple[str, bytes]]:
    manifest = (home / "manifest.json").read_bytes()
    yield f"{RULEBOOK}/manifest.json", manifest
    for edition in orjson.loads(manifest)["editions"]:
        yield f"{RULEBOOK}/{edition['file']}", (home / edition["file"]).read_bytes()


class Writer(Protocol):
    """Takes the files of a bundle; what it wrote appears at its place only when the block ends well."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def add(self, path: str, data: bytes) -> None:
        """Write one file."""


class FolderWriter:
    """Writes a bundle as a folder, beside its place first."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._part = out.with_name(f"{out.name}.part")

    def __enter__(self) -> Self:
        shutil.rmtree(self._part, ignore_errors=True)
        self._part.mkdir(parents=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            shutil.rmtree(self._part, ignore_errors=True)
            return
        if self._out.is_dir():
            self._out.rmdir()
        self._part.rename(self._out)

    def add(self, path: str, data: bytes) -> None:
        """Write one file."""
        target = self._part / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


class TarWriter:
    """Writes a bundle as an uncompressed tar file without owners or times, beside its place first."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._part = out.with_name(f"{out.name}.part")

    def __enter__(self) -> Self:
        self._part.parent.mkdir(parents=True, exist_ok=True)
        self._tar = tarfile.open(self._part, "w", format=tarfile.USTAR_FORMAT)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._tar.close()
        if error is not None:
            self._part.unlink(missing_ok=True)
            return
        self._part.rename(self._out)

    def add(self, path: str, data: bytes) -> None:
        """Write one file."""
        member = tarfile.TarInfo(path)
        member.size, member.mode = len(data), 0o644
        self._tar.addfile(member, io.BytesIO(data))
