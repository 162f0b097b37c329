"""Where events live: one ordered log of canonical bytes, with the private tables beside it.

`open_store(url)` gives the store for `memory:`, a path, or `sqlite:///path`.
"""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote

from .errors import StoreError
from .sqlite import SqliteStore

__all__ = ["SqliteStore", "StoreError", "open_store"]


def open_store(url: str | os.PathLike[str], *, create: bool = True) -> SqliteStore:
    """The store at this address. Raises `StoreError` with one plain sentence where it cannot be opened.

    `create=False` refuses to make a new database.
    """
    address: object = os.fspath(url) if isinstance(url, os.PathLike) else url
    if not isinstance(address, str):
        raise StoreError(f"{address!r}: an address is text; give memory:, a path, or sqlite:///path")
    return _open(address, create)


def _open(url: str, create: bool) -> SqliteStore:
    if url == "memory:":
        return SqliteStore.memory()
    if url == ":memory:" or url.startswith("file:"):
        raise StoreError(
            f"{url}: is an address of SQLite's own; give memory:, a path (./{url} for a file of this name), or "
            "sqlite:///path"
        )
    if url.startswith("sqlite:///"):
        path = unquote(url.removeprefix("sqlite:///"))
    elif "://" in url:
        raise StoreError(f"{url}: this kind of address is not served here; give memory:, a path, or sqlite:///path")
    else:
        path = url
    if not path:
        raise StoreError("the address names no file; give memory:, a path, or sqlite:///path")
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        raise StoreError(f"{path!r}: is no name of a file; give memory:, a path, or sqlite:///path") from None
    if "\0" in path:
        raise StoreError(f"{path!r}: is no name of a file; give memory:, a path, or sqlite:///path")
    try:
        return SqliteStore.file(Path(path), create=create)
    except OSError as error:
        raise StoreError(f"{path}: cannot be opened ({(error.strerror or str(error)).lower()})") from error
