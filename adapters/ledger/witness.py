"""A small witness: cosigns heads of the logs it knows, each only if it extends the one before.

For self-hosting and for tests. One folder holds all of it:

    key                         the cosignature key, readable by its owner only
    logs                        one verifier key of a log a line; blank lines and lines starting with # are skipped
    heads/<sha256 of origin>    the last head cosigned for a log, as the note that was cosigned
    lock                        held while one request is judged and stored, also against a second process

A head is stored and synced before its cosignature leaves; comparing with the old head and storing the new one are one
step under the lock. Started with a state that is older than what it has cosigned, a witness would sign a split view:
its folder must never be restored from a backup.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

from ...protocol.checkpoint import Checkpoint
from ...protocol.faults import LogFault
from ...protocol.note import COSIGNATURE, ED25519, Note, SigningKey, VerifierKey
from ...protocol.witness import MAX_REQUEST, SIZE_TYPE, AddCheckpoint, judge
from .client import Reply
from .files import Folder, lock
from .state import check_private

TEXT: Final = "text/plain"
SUBMIT: Final = "/add-checkpoint"
READ_TIMEOUT: Final = 15.0
_BUSY_SECONDS: Final = 30.0


class Witness:
    """A witness on its folder. Make one with `Witness.create` or `Witness.open`; `clock` gives POSIX seconds."""

    def __init__(self, root: Path, clock: Callable[[], float] = time.time) -> None:
        self.folder = Folder(root)
        self.root = root
        self._clock = clock
        self._threads = threading.Lock()
        data = self.folder.read("key", 4096)
        if data is None:
            raise LogFault("KEY_MISSING", "no witness is set up here", root.name)
        check_private(root / "key")
        self._key = SigningKey.parse(data.decode("utf-8", "replace").strip())
        if self._key.kind != COSIGNATURE:
            raise LogFault("KEY_MALFORMED", "a witness needs a key of the cosignature type", "key")

    @classmethod
    def create(cls, root: Path, name: str, *, seed: bytes | None = None) -> Witness:
        """Set up a witness under a key name. Raises LOG_EXISTS where one is set up already."""
        if (root / "key").exists():
            raise LogFault("LOG_EXISTS", "a witness is set up here already", root.name)
        key = SigningKey(name, COSIGNATURE, seed or secrets.token_bytes(32))
        folder = Folder(root)
        folder.replace("logs", b"# one verifier key of a log a line\n")
        folder.replace("vkey", f"{key.verifier}\n".encode())
        folder.replace("key", f"{key.secret_text()}\n".encode(), 0o600)
        return cls(root)

    @property
    def verifier(self) -> VerifierKey:
        """The public key of the witness."""
        return self._key.verifier

    def trust(self, *keys: VerifierKey) -> None:
        """Add logs to those the witness cosigns for; a key listed already is left alone."""
        with self._threads, lock(self.root / "lock", _BUSY_SECONDS):
            known = {key for keys_of in self._logs().values() for key in keys_of}
            text = self.folder.read("logs") or b""
            added = "".join(f"{key}\n" for key in keys if key not in known)
            self.folder.replace("logs", text + added.encode())

    def add_checkpoint(self, body: bytes) -> Reply:
        """Answer one request body, as HTTP status, content type and body."""
        try:
            request = AddCheckpoint.parse(body)
        except LogFault as fault:
            return Reply(400, TEXT, f"{fault}\n".encode())
        with self._threads, lock(self.root / "lock", _BUSY_SECONDS):
            logs = self._logs()
            answer = judge(request, logs, {origin: head for origin in logs if (head := self._held(origin)) is not None})
            if answer.status == 409 and answer.size is not None:
                return Reply(409, SIZE_TYPE, b"%d\n" % answer.size)
            if answer.head is None or answer.note is None:
                return Reply(answer.status, TEXT, f"{answer.reason}\n".encode())
            signed = self._key.sign(answer.note.text.encode(), int(self._clock()))
            kept = Note(answer.note.text, (*answer.note.signatures, signed))
            self.folder.replace(_head_path(answer.head.origin), kept.render())
        return Reply(200, TEXT, signed.line().encode())

    def _logs(self) -> dict[str, list[VerifierKey]]:
        """Trusted keys by origin, read for every request, so that a log is added without a restart."""
        logs: dict[str, list[VerifierKey]] = {}
        for line in (self.folder.read("logs") or b"").decode("utf-8", "replace").splitlines():
            text = line.strip()
            if text and not text.startswith("#"):
                key = VerifierKey.parse(text)
                if key.kind != ED25519:
                    raise LogFault("KEY_MALFORMED", f"{key.name} is no log key", "logs")
                logs.setdefault(key.name, []).append(key)
        return logs

    def _held(self, origin: str) -> Checkpoint | None:
        """The head last cosigned for this origin, from a note that bears our own valid cosignature."""
        data = self.folder.read(_head_path(origin))
        if data is None:
            return None
        note = Note.parse(data)
        note.verified((self.verifier,))
        return Checkpoint.parse(note.text)


def _head_path(origin: str) -> str:
    return f"heads/{sha256(origin.encode()).hexdigest()}"


class _Handler(BaseHTTPRequestHandler):
    """HTTP around one witness: POST <prefix>/add-checkpoint."""

    protocol_version = "HTTP/1.1"
    timeout = READ_TIMEOUT
    server: WitnessServer

    def do_POST(self) -> None:
        """Read one request within the size limit and answer it."""
        length = self.headers.get("Content-Length", "")
        if self.path != self.server.prefix + SUBMIT:
            self._send(Reply(404, TEXT, b"no such call\n"))
        elif not length.isascii() or not length.isdigit():
            self._send(Reply(411, TEXT, b"a request states its length\n"))
        elif int(length) > MAX_REQUEST:
            self._send(Reply(413, TEXT, f"a request has at most {MAX_REQUEST} bytes\n".encode()))
        else:
            self._send(self._answer(self.rfile.read(int(length))))

    def _answer(self, body: bytes) -> Reply:
        try:
            return self.server.witness.add_checkpoint(body)
        except LogFault as fault:
            return Reply(500, TEXT, f"{fault.code}\n".encode())

    def _send(self, reply: Reply) -> None:
        self.send_response(reply.status)
        if reply.status in (404, 411, 413):  # the body was left unread
            self.send_header("Connection", "close")
        self.send_header("Content-Type", reply.type)
        self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        self.wfile.write(reply.body)

    def log_message(self, format: str, *args: object) -> None:
        """Report a request the way the server was told to, by default nowhere."""
        self.server.report(format % args)


class WitnessServer(ThreadingHTTPServer):
    """Serves a witness at `http://<host>:<port><prefix>/add-checkpoint`."""

    daemon_threads = True

    def __init__(
        self,
        witness: Witness,
        host: str = "127.0.0.1",
        port: int = 0,
        prefix: str = "",
        report: Callable[[str], object] = lambda line: None,
    ) -> None:
        self.witness = witness
        self.prefix = prefix.rstrip("/")
        self.report = report
        super().__init__((host, port), _Handler)

    @property
    def url(self) -> str:
        """The submission prefix of the running server."""
        host, port = self.server_address[:2]
        return f"http://{host!s}:{port}{self.prefix}"
