"""The store on SQLite, through the recorders of the `eventsourcing` library.

Four things are ours, each by subclassing a class of the library: write transactions begin immediate (a plain `BEGIN`
lets two read-then-write commands deadlock), commits are fully synchronous, the recorder keeps a dense `leaf_index` of
its own (row ids have gaps or are reused), and the private tables live in the same transaction as the events.

The file also holds the vault and the custodial keys: it is never the thing to publish.

What is erased is gone from the file, not only from the tables. SQLite moves rows between pages when rows are inserted
in the middle or deleted, and leaves old copies in the unused parts of pages, where no setting reaches them. The vault
and the remembered commands are therefore only ever appended to (new rows go to the end by their number, which moves no
other row), and an erasure overwrites a row where it stands, with zeros of the same length. `secure_delete` wipes the
one page that SQLite does move (the root of a table, when it grows), and `scrub` empties the write-ahead log.
"""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from eventsourcing.persistence import (
    ConnectionPoolClosedError,
    InfrastructureFactory,
    PersistenceError,
    StoredEvent,
)
from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteDatastore,
    SQLiteFactory,
    SQLiteTransaction,
)
from eventsourcing.utils import Environment

from .errors import NoSuchBench, StoreError
from .unit import Damaged, Unit

APPLICATION_ID = 0x544F4C4C
"""`TOLL` in ASCII, in the header of the file: this database is ours."""
SCHEMA = 1
"""Version of the tables; a file with a higher one was made by a newer version."""

CHECKPOINT = 2000
"""After how many pages the write-ahead log is written back. SQLite's own 1000 come together in about a hundred
commands, so that one command in a hundred would wait for it, the longer the larger the file."""
SETTINGS = ("synchronous=FULL", "secure_delete=FAST", "temp_store=MEMORY", f"wal_autocheckpoint={CHECKPOINT}")
LOCK_TIMEOUT = 120
"""How many seconds a command waits for others to finish writing."""

PRIVATE_TABLES = (
    "CREATE TABLE commands (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, digest BLOB NOT NULL,"
    " result BLOB NOT NULL)",
    "CREATE TABLE vault (seq INTEGER PRIMARY KEY, commitment TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,"
    " subject TEXT NOT NULL, readers TEXT NOT NULL, command TEXT NOT NULL, erased INTEGER NOT NULL,"
    " salt BLOB NOT NULL, body BLOB NOT NULL)",
    "CREATE TABLE claims (scope TEXT, digest BLOB, owner TEXT NOT NULL, PRIMARY KEY (scope, digest)) WITHOUT ROWID",
    "CREATE TABLE related (seq INTEGER PRIMARY KEY, relation TEXT, key TEXT, stream TEXT,"
    " UNIQUE (relation, key, stream))",
    "CREATE INDEX related_by_stream ON related (stream)",
    "CREATE TABLE due (stream TEXT PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID",
    "CREATE INDEX due_by_instant ON due (at, stream)",
    "CREATE TABLE keys (actor TEXT PRIMARY KEY, seed BLOB NOT NULL) WITHOUT ROWID",
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
    "CREATE TABLE view_rows (view TEXT, key TEXT, body BLOB NOT NULL, PRIMARY KEY (view, key)) WITHOUT ROWID",
    "CREATE TABLE view_positions (view TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID",
)
TABLES = {"stored_events"} | {text.split()[2] for text in PRIVATE_TABLES if text.startswith("CREATE TABLE")}
"""Every table of a bench."""


class ImmediateTransaction(SQLiteTransaction):
    """A transaction that takes the write lock at once when it is going to commit."""

    def __enter__(self) -> SQLiteCursor:
        cursor = self.connection.cursor()
        cursor.execute("BEGIN IMMEDIATE" if self.commit else "BEGIN")
        return cursor


class Connection(SQLiteConnection):
    """A connection whose writing transactions are immediate."""

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[SQLiteCursor]:
        with ImmediateTransaction(self, commit=commit) as cursor, cursor:
            yield cursor


class Pool(SQLiteConnectionPool):
    """Connections that commit durably, wipe what they free, and keep nothing in temporary files."""

    def _create_connection(self) -> SQLiteConnection:
        raw = super()._create_connection()._sqlite_conn
        for setting in SETTINGS:
            raw.execute(f"PRAGMA {setting}")
        return Connection(sqlite_conn=raw, max_age=self.max_age)


class Datastore(SQLiteDatastore):
    """The library's datastore on our connections."""

    def __init__(self, db_name: str, **options: Any) -> None:
        super().__init__(db_name, **options)
        self.pool.close()
        self.pool = Pool(db_name=db_name, lock_timeout=options.get("lock_timeout"))


class LogRecorder(SQLiteApplicationRecorder):
    """The library's recorder with a dense leaf index beside each event."""

    def construct_create_table_statements(self) -> list[str]:
        table = self.events_table_name
        return [
            f"CREATE TABLE {table} (originator_id TEXT, originator_version INTEGER, topic TEXT NOT NULL,"
            " state BLOB NOT NULL, leaf_index INTEGER NOT NULL, PRIMARY KEY (originator_id, originator_version))",
            f"CREATE UNIQUE INDEX {table}_by_leaf ON {table} (leaf_index)",
            *PRIVATE_TABLES,
            f"PRAGMA application_id={APPLICATION_ID}",
            f"PRAGMA user_version={SCHEMA}",
        ]

    def _insert_events(self, c: SQLiteCursor, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int]:
        c.execute(f"SELECT COALESCE(MAX(leaf_index) + 1, 0) FROM {self.events_table_name}")
        first = int(c.fetchone()[0])
        leaves = range(first, first + len(stored_events))
        c.executemany(
            f"INSERT INTO {self.events_table_name} VALUES (?,?,?,?,?)",
            [
                (e.originator_id, e.originator_version, e.topic, e.state, leaf)
                for e, leaf in zip(stored_events, leaves, strict=True)
            ],
        )
        return list(leaves)


class Factory(SQLiteFactory):
    """The library's factory on our datastore and recorder, named to it by topic."""

    application_recorder_class = LogRecorder

    def __init__(self, env: Environment | dict[str, str] | None) -> None:
        super().__init__(env)
        self.datastore.close()
        self.datastore = Datastore(
            self.env.get(self.SQLITE_DBNAME) or "",
            lock_timeout=int(self.env.get(self.SQLITE_LOCK_TIMEOUT) or 5),
            originator_id_type="text",
        )


class SqliteStore:
    """An open store. `unit()` is one transaction; the methods beside it are reads outside any command."""

    def __init__(self, database: str, *, label: str, fresh: bool) -> None:
        # The environment is spelled out and never taken from the process, so that no ambient variable can change how
        # events are mapped or stored.
        environment = Environment(
            "tollbench",
            {
                "PERSISTENCE_MODULE": f"{__name__}:Factory",
                "SQLITE_DBNAME": database,
                "SQLITE_LOCK_TIMEOUT": str(LOCK_TIMEOUT),
                "ORIGINATOR_ID_TYPE": "text",
                "CREATE_TABLE": "no",
            },
        )
        self.label = label
        factory: InfrastructureFactory[Any] = InfrastructureFactory.construct(environment)
        recorder = factory.application_recorder()
        assert isinstance(recorder, LogRecorder), "the factory makes our recorder"
        self._factory = factory
        self._recorder = recorder
        if fresh:
            self._create()

    @classmethod
    def memory(cls) -> SqliteStore:
        """A store that lives as long as this object."""
        return cls(f"file:tollbench-{uuid.uuid4()}?mode=memory&cache=shared", label="memory:", fresh=True)

    @classmethod
    def file(cls, path: Path, *, create: bool = True) -> SqliteStore:
        """The store in this file, made if it does not exist. Raises `StoreError` for anything that is not ours."""
        path = path.resolve()
        fresh = _inspect(path, create=create)
        try:
            return cls(str(path), label=str(path), fresh=fresh)
        except (PersistenceError, sqlite3.Error) as error:
            raise StoreError(f"{path}: cannot be opened as a database ({error})") from error

    def _create(self) -> None:
        with self._recorder.datastore.transaction(commit=True) as cursor:
            cursor.execute("PRAGMA user_version")
            if cursor.fetchone()[0] == 0:  # another process may have been first
                for statement in self._recorder.create_table_statements:
                    cursor.execute(statement)

    @contextmanager
    def unit(self, *, write: bool) -> Iterator[Unit]:
        """One transaction. With `write` it commits when the block ends and rolls back when the block raises."""
        try:
            with self._recorder.datastore.transaction(commit=write) as cursor:
                yield Unit(cursor, self._recorder)
        except ConnectionPoolClosedError as error:
            raise StoreError(f"{self.label}: this bench is closed; open it again") from error
        except PersistenceError as error:
            raise StoreError(f"{self.label}: the database refused ({error})") from error
        except Damaged as error:
            raise StoreError(f"{self.label}: is damaged: {error}; restore a backup") from error

    def scrub(self) -> bool:
        """Empty the write-ahead log, which may still hold pages from before an erasure. False where somebody reads on
        or the disk refuses.

        It is then emptied by the next call, or when the last connection to the file is closed.
        """
        with self._recorder.datastore.get_connection(commit=True) as connection:
            cursor = connection.cursor()
            cursor.execute("PRAGMA busy_timeout=1000")
            try:
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                return not cursor.fetchone()[0]
            except sqlite3.Error:  # a full disk, or one that may not be written: whoever writes next will hear of it
                return False
            finally:
                cursor.execute(f"PRAGMA busy_timeout={LOCK_TIMEOUT * 1000}")

    def close(self) -> None:
        """Close every connection."""
        self._factory.close()


def _inspect(path: Path, *, create: bool) -> bool:
    """Whether a new database is to be made at this path; `StoreError` where something else stands there."""
    if path.is_dir():
        raise StoreError(f"{path}: is a directory; name a database file")
    if not path.exists() or path.stat().st_size == 0:
        if not create:
            raise NoSuchBench(f"{path}: there is no such database; make one with `toll init --bench {path}`")
        if not path.parent.is_dir():
            raise StoreError(f"{path}: its folder does not exist; make the folder first")
        return True
    try:
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
        try:
            application = connection.execute("PRAGMA application_id").fetchone()[0]
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")}
        finally:
            connection.close()
    except sqlite3.OperationalError as error:
        hint = "a bench needs a folder and a file that may be written, also for reading"
        raise StoreError(f"{path}: cannot be opened ({error}); {hint}") from error
    except sqlite3.Error as error:
        raise StoreError(f"{path}: is not a Toll Bench database ({error})") from error
    if not tables and application == 0:
        return True
    if application != APPLICATION_ID:
        raise StoreError(f"{path}: is a database of another program; name another file")
    if version > SCHEMA:
        raise StoreError(
            f"{path}: was written by a newer version (table schema {version}, this version reads {SCHEMA}); upgrade"
        )
    if version < SCHEMA:
        raise StoreError(f"{path}: is damaged: there is no table schema {version}; restore a backup")
    missing = sorted(TABLES - tables)
    if missing:
        raise StoreError(f"{path}: is damaged: it lacks the table {', '.join(missing)}; restore a backup")
    return False
