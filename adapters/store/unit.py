"""One transaction on the store: what a command reads, and what it writes all at once."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import orjson
from eventsourcing.persistence import StoredEvent
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteCursor

from ...domain.streams import kind_of
from ...domain.world import VaultRow
from ...protocol import canonical, envelope, instants
from ...protocol.envelope import Event

PAGE = 1000
MAX_LEAF = 2**63 - 1
"""The largest number that a table holds."""


class Damaged(Exception):
    """A table holds what no command wrote there; the message says which and where."""


def _bytes(value: Any, what: str) -> bytes:
    if not isinstance(value, bytes):
        raise Damaged(f"{what} is no bytes")
    return value


def _whole(value: Any, what: str) -> int:
    if not isinstance(value, int):
        raise Damaged(f"{what} is no whole number")
    return value


def as_json(value: Any, what: str) -> Any:
    """The JSON in a column. Raises `Damaged`, naming what holds it, where there is none."""
    try:
        return orjson.loads(_bytes(value, what))
    except orjson.JSONDecodeError:
        raise Damaged(f"{what} is no JSON") from None


class Unit:
    """Reads and writes inside one transaction. Nothing is visible to others before the transaction commits."""

    def __init__(self, cursor: SQLiteCursor, recorder: SQLiteApplicationRecorder) -> None:
        self._cursor = cursor
        self._recorder = recorder
        self._table = recorder.events_table_name

    def _rows(self, statement: str, *params: Any) -> list[Any]:
        try:
            self._cursor.execute(statement, params)
        except UnicodeEncodeError:  # no table holds a lone surrogate, so nothing is found under one
            return []
        rows: list[Any] = self._cursor.fetchall()
        return rows

    def _one(self, statement: str, *params: Any) -> Any:
        rows = self._rows(statement, *params)
        return rows[0][0] if rows else None

    # -- the log ---------------------------------------------------------------------------------------------------

    def position(self) -> int:
        """How many events the log holds; the next leaf index."""
        return _whole(self._one(f"SELECT COALESCE(MAX(leaf_index) + 1, 0) FROM {self._table}"), "the last leaf index")

    def stream(self, stream: str, after: int = 0) -> list[bytes]:
        """The canonical bytes of a stream's events beyond this version, in order."""
        return [
            _bytes(row[0], f"an event of {stream}")
            for row in self._rows(
                f"SELECT state FROM {self._table} WHERE originator_id=? AND originator_version>?"
                " ORDER BY originator_version",
                stream,
                after,
            )
        ]

    def page(self, start: int, limit: int = PAGE) -> list[tuple[int, bytes]]:
        """Up to `limit` events from this leaf index on, as `(leaf index, canonical bytes)`."""
        return [
            (_whole(row[0], f"leaf index {row[0]!r}"), _bytes(row[1], f"leaf {row[0]}"))
            for row in self._rows(
                f"SELECT leaf_index, state FROM {self._table} WHERE leaf_index>=? ORDER BY leaf_index LIMIT ?",
                min(start, MAX_LEAF),
                limit,
            )
        ]

    def filed(self, start: int, limit: int = PAGE) -> list[tuple[str, int, str]]:
        """Under which stream, version and type the events of `page` are filed."""
        columns = "originator_id, originator_version, topic"
        statement = f"SELECT {columns} FROM {self._table} WHERE leaf_index>=? ORDER BY leaf_index LIMIT ?"
        return [(row[0], row[1], row[2]) for row in self._rows(statement, start, limit)]

    def append(self, events: Sequence[Event]) -> Sequence[int]:
        """Write events and return their leaf indexes, dense and in this order."""
        leaves = self._recorder._insert_events(
            self._cursor,
            [StoredEvent(e.stream, e.version, e.type, envelope.to_bytes(e)) for e in events],
        )
        self.set_meta("last_at", events[-1].at.encode())
        return list(leaves or ())

    # -- private indexes -------------------------------------------------------------------------------------------

    def related(self, relation: str, key: str) -> tuple[str, ...]:
        """The streams entered under `(relation, key)`, oldest first."""
        rows = self._rows("SELECT stream FROM related WHERE relation=? AND key=? ORDER BY seq", relation, key)
        return tuple(row[0] for row in rows)

    def index(self, stream: str, state: Any) -> None:
        """Enter the state's relations and its next due instant."""
        kind = kind_of(stream)
        wanted = set(kind.index(state))
        present = {(row[0], row[1]) for row in self._rows("SELECT relation, key FROM related WHERE stream=?", stream)}
        for relation, key in sorted(wanted - present):
            self._cursor.execute("INSERT INTO related (relation, key, stream) VALUES (?,?,?)", (relation, key, stream))
        for relation, key in sorted(present - wanted):
            self._cursor.execute("DELETE FROM related WHERE relation=? AND key=? AND stream=?", (relation, key, stream))
        due = kind.due(state)
        if due is None:
            self._cursor.execute("DELETE FROM due WHERE stream=?", (stream,))
        else:
            self._cursor.execute("INSERT OR REPLACE INTO due VALUES (?,?)", (stream, due))

    def indexed(self) -> set[tuple[str, str, str]]:
        """Every entry of the private index, as `(stream, relation, key)`."""
        return {(row[0], row[1], row[2]) for row in self._rows("SELECT stream, relation, key FROM related")}

    def next_due(self, until: str) -> tuple[str, str] | None:
        """The stream that the clock owes something first, with the instant, at or before `until`."""
        rows = self._rows("SELECT stream, at FROM due WHERE at<=? ORDER BY at, stream LIMIT 1", until)
        return (rows[0][0], rows[0][1]) if rows else None

    def due(self) -> Iterator[tuple[str, str]]:
        """Every stream that the clock will have to do with, with the instant, soonest first."""
        for row in self._rows("SELECT stream, at FROM due ORDER BY at, stream"):
            yield row[0], row[1]

    def all_streams(self) -> Iterator[str]:
        """Every stream of the log by id."""
        for row in self._rows(f"SELECT DISTINCT originator_id FROM {self._table} ORDER BY originator_id"):
            yield row[0]

    # -- unique values, vault, keys ----------------------------------------------------------------------------------

    def _digest(self, *parts: str) -> bytes:
        return hmac.new(self.secret(), "\0".join(parts).encode(), hashlib.sha256).digest()

    def secret(self) -> bytes:
        """The bench's own key for digests of private values; an unkeyed digest could be guessed after an erasure."""
        secret = self.meta("secret")
        if secret is None:
            raise LookupError("the bench has no secret yet")
        return secret

    def claimed(self, scope: str, value: str) -> str | None:
        """Who holds the unique value."""
        owner = self._one("SELECT owner FROM claims WHERE scope=? AND digest=?", scope, self._digest(scope, value))
        return None if owner is None else str(owner)

    def claim(self, scope: str, value: str, owner: str) -> None:
        """Give the unique value to its owner, in place of whoever held it."""
        self._cursor.execute("INSERT OR REPLACE INTO claims VALUES (?,?,?)", (scope, self._digest(scope, value), owner))

    def reveal(self, commitment: str) -> Any:
        """The vault body, or None where it was erased or never existed."""
        body = self._one("SELECT body FROM vault WHERE commitment=? AND NOT erased", commitment)
        return None if body is None else as_json(body, f"vault row {commitment}")

    def vault_row(self, commitment: str) -> VaultRow | None:
        """The whole vault row, or None where it was erased or never existed."""
        columns = "commitment, kind, subject, readers, salt, body"
        rows = self._rows(f"SELECT {columns} FROM vault WHERE commitment=? AND NOT erased", commitment)
        if not rows:
            return None
        r = rows[0]
        return VaultRow(
            r[0],
            r[1],
            r[2],
            tuple(orjson.loads(r[3])),
            _bytes(r[4], f"the salt of {r[0]}"),
            as_json(r[5], f"vault row {r[0]}"),
        )

    def vault_rows(self) -> Iterator[VaultRow]:
        """Every vault row that was not erased, in the order in which they came."""
        for (commitment,) in self._rows("SELECT commitment FROM vault WHERE NOT erased ORDER BY seq"):
            row = self.vault_row(commitment)
            if row is not None:
                yield row

    def keep(self, rows: Iterable[VaultRow], command: str) -> None:
        """Put the rows that this command made into the vault; of two with the same commitment the first one stays."""
        for row in rows:
            self._cursor.execute(
                "INSERT OR IGNORE INTO vault (commitment, kind, subject, readers, command, erased, salt, body)"
                " VALUES (?,?,?,?,?,0,?,?)",
                (
                    row.commitment,
                    row.kind,
                    row.subject,
                    orjson.dumps(row.readers).decode(),
                    command,
                    row.salt,
                    canonical.dumps(row.body),
                ),
            )

    def erase(self, commitment: str) -> None:
        """Overwrite salt and body of a vault row where they stand; the commitment stays and opens no more.

        The digest of the command that brought the matter goes too: with the bench's own key a guess could be tested
        against it. Of that command only its key is remembered from now on.
        """
        self._cursor.execute(
            "UPDATE commands SET digest=zeroblob(length(digest))"
            " WHERE id=(SELECT command FROM vault WHERE commitment=?)",
            (commitment,),
        )
        self._cursor.execute(
            "UPDATE vault SET erased=1, salt=zeroblob(length(salt)), body=zeroblob(length(body)) WHERE commitment=?",
            (commitment,),
        )

    def key_seed(self, actor: str) -> bytes | None:
        """The custodial private key of this actor (32 bytes), or None."""
        seed = self._one("SELECT seed FROM keys WHERE actor=?", actor)
        return None if seed is None else bytes(seed)

    def keep_key(self, actor: str, seed: bytes) -> None:
        """Keep (or replace) the custodial private key of this actor."""
        self._cursor.execute("INSERT OR REPLACE INTO keys VALUES (?,?)", (actor, seed))

    # -- commands, meta and views ------------------------------------------------------------------------------------

    def digest(self, body: bytes) -> bytes:
        """The keyed digest of a command's body."""
        return hmac.new(self.secret(), body, hashlib.sha256).digest()

    def command(self, id: str) -> tuple[bytes | None, bytes] | None:
        """The keyed digest (None where it was erased) and the result of a command that was carried out, or None."""
        rows = self._rows("SELECT digest, result FROM commands WHERE id=?", id)
        if not rows:
            return None
        digest = bytes(rows[0][0])
        return digest if any(digest) else None, bytes(rows[0][1])

    def record_command(self, id: str, digest: bytes, result: bytes) -> None:
        """Note that a command was carried out, so that a repeat gets the same answer."""
        self._cursor.execute("INSERT INTO commands (id, digest, result) VALUES (?,?,?)", (id, digest, result))

    def meta(self, name: str) -> bytes | None:
        """A private setting of this bench."""
        value = self._one("SELECT value FROM meta WHERE name=?", name)
        return None if value is None else _bytes(value, f"the setting {name}")

    def last_at(self) -> str | None:
        """The instant of the last event (UTC text), or None before the first."""
        value = self.meta("last_at")
        if value is None:
            return None
        try:
            return instants.text(instants.parse(value.decode("ascii")))
        except ValueError:
            raise Damaged("the setting last_at is no instant") from None

    def set_meta(self, name: str, value: bytes) -> None:
        """Set a private setting of this bench."""
        self._cursor.execute("INSERT OR REPLACE INTO meta VALUES (?,?)", (name, value))

    def view_position(self, view: str) -> int:
        """Up to which leaf index (exclusive) the view has been folded."""
        return _whole(
            self._one("SELECT position FROM view_positions WHERE view=?", view) or 0, f"the position of view {view}"
        )

    def set_view_position(self, view: str, position: int) -> None:
        """Move the view's position; committed together with its rows."""
        self._cursor.execute("INSERT OR REPLACE INTO view_positions VALUES (?,?)", (view, position))

    def view_row(self, view: str, key: str) -> bytes | None:
        """One row of a view, or None."""
        body = self._one("SELECT body FROM view_rows WHERE view=? AND key=?", view, key)
        return None if body is None else _bytes(body, f"row {key} of view {view}")

    def put_view_row(self, view: str, key: str, body: bytes) -> None:
        """Write one row of a view."""
        self._cursor.execute("INSERT OR REPLACE INTO view_rows VALUES (?,?,?)", (view, key, body))

    def view_rows(self, view: str) -> list[tuple[str, bytes]]:
        """All rows of a view by key."""
        rows = self._rows("SELECT key, body FROM view_rows WHERE view=? ORDER BY key", view)
        return [(row[0], _bytes(row[1], f"row {row[0]} of view {view}")) for row in rows]

    def drop_view(self, view: str) -> None:
        """Forget a view and its position."""
        self._cursor.execute("DELETE FROM view_rows WHERE view=?", (view,))
        self._cursor.execute("DELETE FROM view_positions WHERE view=?", (view,))

    def rename_view(self, view: str, new: str) -> None:
        """Put a view in place of another, in one step."""
        self.drop_view(new)
        self._cursor.execute("UPDATE view_rows SET view=? WHERE view=?", (new, view))
        self._cursor.execute("UPDATE view_positions SET view=? WHERE view=?", (new, view))
