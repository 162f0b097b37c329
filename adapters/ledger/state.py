"""The private side of a log: its settings, its key, and the record of the last head it signed.

They lie in one folder beside the database, `<database>.log/`, that is never published:

    log.json    origin, folder of the public files, where the signing key is, web address if there is one
    key         the signing key, readable by its owner only; absent where the key comes from the environment
    policy      the trust policy with the log's own line in it, a tlog-policy file
    signed      the last head that was signed, a note; written and synced before the signature leaves this folder
    lock        held while somebody publishes

A key is never replaced under one origin, because a reader could not tell a new key from a stolen name. Rotation starts
a new origin with a new key over the same entries: the new log begins with the old log's last head as its own past.
"""

from __future__ import annotations

import json
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ...protocol.checkpoint import Checkpoint, open_checkpoint
from ...protocol.faults import LogFault
from ...protocol.note import ED25519, SigningKey, VerifierKey, check_name
from ...protocol.policy import Policy
from .files import Folder, lock
from .rules import check_witnessed

FORMAT: Final = "toll-log/1"
MANIFEST_TITLE: Final = "toll-bundle/1"
LOCK_WAIT: Final = 60.0
_SETTINGS: Final = {"format", "origin", "out", "key", "url", "vkey"}


@dataclass(frozen=True, slots=True)
class Settings:
    """What `log.json` says. `key` is `file` or `env:<variable>`, `url` where the log is served or an empty text."""

    origin: str
    out: Path
    key: str
    url: str
    vkey: str


class LogState:
    """The private folder of a log, opened. Make one with `LogState.create` or `LogState.open`."""

    def __init__(self, root: Path, settings: Settings) -> None:
        self.folder = Folder(root)
        self.root = root
        self.settings = settings

    @classmethod
    def of_bench(cls, database: Path) -> Path:
        """Where the private folder of a database's log lies."""
        return database.with_name(database.name + ".log")

    @classmethod
    def create(
        cls, root: Path, *, origin: str, out: Path, policy: bytes | None = None, key_env: str = "", url: str = ""
    ) -> LogState:
        """Set up a new log. `policy` holds witness, group and quorum lines; the log's own line is added to it.

        The key is made here, or read from the environment variable `key_env`. Raises LOG_EXISTS, KEY_MALFORMED,
        KEY_MISSING, LOG_UNWITNESSED and what a policy raises; nothing is written then.
        """
        if (root / "log.json").exists():
            raise LogFault("LOG_EXISTS", "a log is set up here already; a new key needs a new origin", root.name)
        if check_name(origin).startswith("toll-bundle/"):
            raise LogFault("KEY_MALFORMED", f"{origin} cannot be an origin: manifests are titled so")
        key = _from_environment(key_env) if key_env else SigningKey(origin, ED25519, secrets.token_bytes(32))
        if key.name != origin or key.kind != ED25519:
            raise LogFault("ORIGIN_WRONG", f"the key is for {key.name}, the log is {origin}")
        text = with_log_line(policy or b"quorum none\n", key.verifier, url)
        check_witnessed(Policy.parse(text), published=bool(url))
        state = cls(
            root, Settings(origin, out.resolve(), f"env:{key_env}" if key_env else "file", url, str(key.verifier))
        )
        root.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not key_env:
            state.folder.replace("key", f"{key.secret_text()}\n".encode(), 0o600)
        state.folder.replace("policy", text)
        state._write_settings()
        return state

    @classmethod
    def open(cls, root: Path) -> LogState:
        """Open the private folder of a log. Raises LOG_MISSING or LOG_MALFORMED."""
        data = Folder(root).read("log.json", 64 * 1024)
        if data is None:
            raise LogFault("LOG_MISSING", "no log is set up here; run `toll log init` first", root.name)
        try:
            found: Any = json.loads(data)
        except ValueError:
            found = None
        if not isinstance(found, dict) or found.keys() != _SETTINGS or found["format"] != FORMAT:
            raise LogFault("LOG_MALFORMED", "this is no settings file of a log", "log.json")
        if not all(isinstance(value, str) for value in found.values()):
            raise LogFault("LOG_MALFORMED", "every setting of a log is text", "log.json")
        settings = Settings(found["origin"], Path(found["out"]), found["key"], found["url"], found["vkey"])
        return cls(root, settings)

    def _write_settings(self) -> None:
        settings = {
            "format": FORMAT,
            "key": self.settings.key,
            "origin": self.settings.origin,
            "out": str(self.settings.out),
            "url": self.settings.url,
            "vkey": self.settings.vkey,
        }
        self.folder.replace("log.json", (json.dumps(settings, indent=2) + "\n").encode())

    @property
    def verifier(self) -> VerifierKey:
        """The public key of the log."""
        return VerifierKey.parse(self.settings.vkey)

    def signing_key(self) -> SigningKey:
        """The log's private key. Raises KEY_MISSING, KEY_EXPOSED, KEY_MALFORMED, or KEY_CHANGED for another key."""
        place = self.settings.key
        key = _from_environment(place.removeprefix("env:")) if place.startswith("env:") else self._key_file()
        if key.verifier != self.verifier:
            raise LogFault("KEY_CHANGED", f"the key is not the one that {self.settings.origin} was set up with")
        return key

    def _key_file(self) -> SigningKey:
        data = self.folder.read("key", 4096)
        if data is None:
            raise LogFault("KEY_MISSING", "the signing key is not there", "key")
        check_private(self.root / "key")
        return SigningKey.parse(data.decode("utf-8", "replace").strip())

    def policy_text(self) -> bytes:
        """The trust policy of the log as it is published. Raises LOG_MISSING."""
        data = self.folder.read("policy")
        if data is None:
            raise LogFault("LOG_MISSING", "the policy of the log is not there", "policy")
        return data

    def policy(self) -> Policy:
        """The trust policy of the log."""
        return Policy.parse(self.policy_text())

    def last_signed(self) -> tuple[Checkpoint, bytes] | None:
        """The last head that was signed and its note, or None for a log that never signed. Raises note faults."""
        data = self.folder.read("signed")
        return None if data is None else (open_checkpoint(data, (self.verifier,))[0], data)

    def record_signed(self, note: bytes) -> None:
        """Note the head that has been signed, durably, before anybody else sees the signature."""
        self.folder.replace("signed", note)

    @contextmanager
    def locked(self, wait: float = LOCK_WAIT) -> Iterator[None]:
        """Be the only publisher of this log for the block. Raises LOG_BUSY."""
        with lock(self.root / "lock", wait):
            self.folder.clean()
            yield

    def rotate(self, *, origin: str, key_env: str = "") -> LogState:
        """Start a new origin with a new key over the same entries, and keep the old folder beside the new one.

        The last head of the old log is signed anew as the first past of the new log, so that the new log too can only
        extend it. The old checkpoint moves to `previous/<old key id>/` of the public folder, for readers of the old
        origin. Raises what `create` raises; returns the new state in the same place.
        """
        if origin == self.settings.origin:
            raise LogFault("LOG_EXISTS", "a new key needs a new origin; this one is the old log's", origin)
        old = self.last_signed()
        lines = self.policy_text().splitlines(keepends=True)
        witnesses = b"".join(line for line in lines if line.split()[:1] != [b"log"])
        fresh = self.root.with_name(f"{self.root.name}.new")
        out, url = self.settings.out, self.settings.url
        state = LogState.create(fresh, origin=origin, out=out, policy=witnesses, key_env=key_env, url=url)
        if old is not None:
            head = Checkpoint(origin, old[0].size, old[0].root)
            state.record_signed(head.signed_by(state.signing_key()).render())
        self._retire(Folder(out))
        self.root.rename(self.root.with_name(f"{self.root.name}.{self.verifier.key_id.hex()}"))
        fresh.rename(self.root)
        return LogState.open(self.root)

    def _retire(self, public: Folder) -> None:
        """Keep the last published head of this origin where the next origin's does not replace it."""
        published = public.read("checkpoint")
        if published is not None:
            kept = f"previous/{self.verifier.key_id.hex()}"
            public.replace(f"{kept}/checkpoint", published)
            public.replace(f"{kept}/vkey", f"{self.verifier}\n".encode())
            (public.root / "checkpoint").unlink()


def check_private(path: Path) -> None:
    """Refuse a secret file that others than its owner may read. Raises KEY_EXPOSED."""
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise LogFault("KEY_EXPOSED", "others than its owner may read the signing key", path.name)


def with_log_line(policy: bytes, key: VerifierKey, url: str) -> bytes:
    """The policy with a line for this log in front, unless it has one."""
    line = f"log {key}{' ' + url if url else ''}\n".encode()
    listed = any(words[:2] == [b"log", str(key).encode()] for words in map(bytes.split, policy.splitlines()))
    return policy if listed else line + policy


def _from_environment(variable: str) -> SigningKey:
    text = os.environ.get(variable)
    if not text:
        raise LogFault("KEY_MISSING", f"the environment variable {variable} holds no signing key")
    return SigningKey.parse(text.strip())
