"""Where events live: one ordered log of canonical bytes, with the private tables beside it.

`open_store(url)` gives the store for `memory:`, a path, or `sqlite:///path`.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

from .errors import StoreError
from .sqlite import SqliteStore

__all__ = ["SqliteStore", "StoreError", "open_store"]


def open_store(url: str, *, create: bool = True) -> SqliteStore:
    """The store at this address. Raises `StoreError` with one plain sentence where it cannot be opened.

    `create=False` refuses to make a new database.
    """
    if url == "memory:":
        return SqliteStore.memory()
    if url.startswith("sqlite:///"):
        path = unquote(url.removeprefix("sqlite:///"))
    elif "://" in url:
        raise StoreError(f"{url}: this kind of address is not served here; give memory:, a path, or sqlite:///path")
    else:
        path = url
    if not path:
        raise StoreError("the address names no file; give memory:, a path, or sqlite:///path")
    return SqliteStore.file(Path(path), create=create)
