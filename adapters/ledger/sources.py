"""Where a published log or a bundle is read from: a folder, a tar file, or a web address.

Every source is the same to a reader: `fetch(path)` gives the bytes at a relative path or None, `paths()` lists what is
there where the source can say so. Nothing from a source is ever written to disk or run.
"""

from __future__ import annotations

import http.client
import re
import tarfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Protocol

from ...protocol.faults import LogFault
from .files import MAX_FILE, Folder, read_file

TIMEOUT: Final = 30.0
MAX_TAR: Final = 64 * 1024 * 1024 * 1024
_SAFE: Final = re.compile(r"(?!.*//)(?!(.*/)?\.{1,2}(/|$))[A-Za-z0-9._-][A-Za-z0-9._/-]*[A-Za-z0-9_-]")


def check_path(path: str) -> str:
    """Return a path that stays below its root and is spelled in one way. Raises PATH_UNSAFE."""
    if len(path) > 300 or not _SAFE.fullmatch(path):
        raise LogFault("PATH_UNSAFE", f"{path[:80]!r} is no path of a bundle")
    return path


class Source(Protocol):
    """A place that files are read from."""

    label: str

    def fetch(self, path: str) -> bytes | None:
        """The file's bytes, or None where there is none."""

    def paths(self) -> Iterator[str] | None:
        """Every path there is, sorted, or None where the source cannot list them."""

    def close(self) -> None:
        """Let go of the source."""


class FolderSource:
    """Files below a folder."""

    def __init__(self, root: Path) -> None:
        self._folder = Folder(root)
        self.label = str(root)

    def fetch(self, path: str) -> bytes | None:
        """The file's bytes, or None."""
        return self._folder.read(check_path(path))

    def paths(self) -> Iterator[str] | None:
        """Every path, sorted."""
        return self._folder.files()

    def close(self) -> None:
        """Nothing is held open."""


class TarSource:
    """Members of an uncompressed tar file. Raises BUNDLE_MALFORMED for one that is none or has members twice."""

    def __init__(self, path: Path) -> None:
        self.label = str(path)
        try:
            self._tar = tarfile.open(path, "r:")  # noqa: SIM115 - held open until `close`
            members = self._tar.getmembers()
        except (tarfile.TarError, EOFError) as error:
            raise LogFault("BUNDLE_MALFORMED", f"no tar file: {error}", path.name) from None
        except OSError as error:
            raise LogFault("DISK_REFUSED", error.strerror or str(error), path.name) from None
        self._members: dict[str, tarfile.TarInfo] = {}
        for member in members:
            if member.isdir():
                continue
            if not member.isfile() or member.name in self._members:
                raise LogFault("BUNDLE_MALFORMED", "a bundle holds plain files only, each once", member.name[:80])
            self._members[check_path(member.name)] = member

    def fetch(self, path: str) -> bytes | None:
        """The member's bytes, or None."""
        member = self._members.get(check_path(path))
        if member is None:
            return None
        if member.size > MAX_FILE:
            raise LogFault("FILE_TOO_LARGE", f"{member.size} bytes, the limit is {MAX_FILE}", path)
        try:
            file = self._tar.extractfile(member)
            data = b"" if file is None else file.read()
        except (tarfile.TarError, OSError, EOFError) as error:
            raise LogFault("BUNDLE_MALFORMED", f"the member cannot be read: {error}", path) from None
        if len(data) != member.size:
            raise LogFault("BUNDLE_MALFORMED", "the tar file breaks off", path)
        return data

    def paths(self) -> Iterator[str] | None:
        """Every path, sorted."""
        return iter(sorted(self._members))

    def close(self) -> None:
        """Close the file."""
        self._tar.close()


class WebSource:
    """Files below a web address. A 404 or 410 is a file that is not there; SOURCE_SILENT where the server fails."""

    def __init__(self, url: str) -> None:
        self.label = url
        self._base = url.rstrip("/")

    def fetch(self, path: str) -> bytes | None:
        """The file's bytes, or None."""
        request = urllib.request.Request(f"{self._base}/{check_path(path)}")
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
                data: bytes = answer.read(MAX_FILE + 1)
        except urllib.error.HTTPError as error:
            with error:
                if error.code in (404, 410):
                    return None
                raise LogFault("SOURCE_SILENT", f"the server answered {error.code}", path) from None
        except (OSError, http.client.HTTPException) as error:
            raise LogFault("SOURCE_SILENT", f"no answer: {error}", path) from None
        if len(data) > MAX_FILE:
            raise LogFault("FILE_TOO_LARGE", f"more than {MAX_FILE} bytes", path)
        return data

    def paths(self) -> Iterator[str] | None:
        """A server does not list its files."""
        return None

    def close(self) -> None:
        """Nothing is held open."""


def open_source(place: str) -> Source:
    """The source at a folder, a tar file or a web address. Raises SOURCE_MISSING and what its kind raises."""
    if place.startswith(("http://", "https://")):
        return WebSource(place)
    path = Path(place)
    if path.is_dir():
        return FolderSource(path)
    if path.is_file():
        return TarSource(path)
    raise LogFault("SOURCE_MISSING", "there is no such folder or file", place)


def read_argument(place: str) -> bytes:
    """Content of a file that a person named. Raises SOURCE_MISSING, FILE_TOO_LARGE and DISK_REFUSED."""
    data = read_file(Path(place), 4 * 1024 * 1024)
    if data is None:
        raise LogFault("SOURCE_MISSING", "there is no such file", place)
    return data
