"""The manifest of a bundle: the hash of every file, signed by the log.

`manifest.json` is canonical JSON with the path, length and SHA-256 of each file of the bundle but the two of the
manifest itself; `manifest.note` is a signed note over its hash, made with the key that signs checkpoints:

    toll-bundle/1
    <origin>
    <number of events>
    <base64 of SHA-256 of manifest.json>

Its first line keeps it apart from a checkpoint, whose second line is a number.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Final

from ...protocol import canonical
from ...protocol.checkpoint import Checkpoint
from ...protocol.faults import LogFault
from ...protocol.note import Note, SigningKey, VerifierKey, sign_note
from ...protocol.strict import encode64
from .sources import Source, check_path
from .state import MANIFEST_TITLE

PATH: Final = "manifest.json"
NOTE: Final = "manifest.note"
OWN: Final = frozenset((PATH, NOTE))


class Builder:
    """Collects the files of a bundle for the manifest. `files` and `bytes` count all, those of the manifest too."""

    def __init__(self, head: Checkpoint) -> None:
        self._head = head
        self._listed: dict[str, canonical.JSON] = {}
        self.files = 0
        self.bytes = 0

    def add(self, path: str, data: bytes) -> None:
        """List one file."""
        self._listed[check_path(path)] = {"bytes": len(data), "sha256": sha256(data).hexdigest()}
        self._count(data)

    def finish(self, key: SigningKey) -> Iterator[tuple[str, bytes]]:
        """The two files of the manifest, signed by the log."""
        head = self._head
        body = canonical.dumps(
            {"files": self._listed, "format": MANIFEST_TITLE, "origin": head.origin, "size": head.size}
        )
        for path, data in ((PATH, body), (NOTE, sign_note(_text(head, body), (key,)).render())):
            self._count(data)
            yield path, data

    def _count(self, data: bytes) -> None:
        self.files += 1
        self.bytes += len(data)


def _text(head: Checkpoint, body: bytes) -> str:
    return f"{MANIFEST_TITLE}\n{head.origin}\n{head.size}\n{encode64(sha256(body).digest())}\n"


class Manifest:
    """A verified manifest. `fetch` reads a file of the bundle and refuses one that is not as listed."""

    def __init__(self, source: Source, files: dict[str, tuple[int, str]]) -> None:
        self._source = source
        self._files = files
        self._held: set[str] = set()

    @classmethod
    def open(cls, source: Source, head: Checkpoint, keys: tuple[VerifierKey, ...]) -> Manifest | None:
        """The manifest of a bundle for this head, or None where the source has none.

        Raises MANIFEST_MALFORMED, MANIFEST_WRONG for another head or hash, and what a note raises.
        """
        body, signed = source.fetch(PATH), source.fetch(NOTE)
        if body is None and signed is None:
            return None
        if body is None or signed is None:
            raise LogFault("FILE_MISSING", "a manifest has two files", NOTE if signed is None else PATH)
        note = Note.parse(signed)
        note.verified(tuple(key for key in keys if key.name == head.origin))
        if note.text != _text(head, body):
            raise LogFault("MANIFEST_WRONG", "the signed manifest is of another bundle or another head", NOTE)
        return cls(source, _listed(body))

    def fetch(self, path: str) -> bytes | None:
        """The bytes of a listed file; None where it is not listed. Raises FILE_MISSING and FILE_ALTERED."""
        stated = self._files.get(path)
        if stated is None:
            return None
        data = self._source.fetch(path)
        if data is None:
            raise LogFault("FILE_MISSING", "the manifest lists it, the bundle does not have it", path)
        if (len(data), sha256(data).hexdigest()) != stated:
            raise LogFault("FILE_ALTERED", "its bytes are not those that the manifest lists", path)
        self._held.add(path)
        return data

    def rest(self) -> Iterator[LogFault]:
        """Check every listed file that was not read yet, and find files that are not listed."""
        for path in sorted(self._files.keys() - self._held):
            try:
                self.fetch(path)
            except LogFault as fault:
                yield fault
        for path in self._source.paths() or ():
            if path not in self._files and path not in OWN:
                yield LogFault("FILE_UNLISTED", "the manifest does not list it", path)

    def __len__(self) -> int:
        return len(self._files)


def _listed(body: bytes) -> dict[str, tuple[int, str]]:
    try:
        found: Any = canonical.loads(body)
        return {check_path(path): (int(entry["bytes"]), str(entry["sha256"])) for path, entry in found["files"].items()}
    except (canonical.CanonicalError, KeyError, TypeError, AttributeError, ValueError) as error:
        raise LogFault("MANIFEST_MALFORMED", f"this is no manifest: {error}", PATH) from None
