"""A bench is opened only under the editions that its ledger pins, by their hashes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tollbench.adapters.bench import Bench
from tollbench.adapters.store import StoreError
from tollbench.domain.commands import Actor
from tollbench.domain.rulebook.commands import EnactEdition
from tollbench.protocol.edition import Edition, Shelf, shelf


def amended() -> Edition:
    return shelf().current.with_value("TB-BID-007", "max_finalists", 4)


def test_another_text_under_the_same_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bench.db"
    Bench.open(str(path)).close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"pins edition .* which is b3:[0-9a-f]+ here; open it with the version"):
        Bench.open(str(path), editions=shelf().standing_in(amended()))
    assert path.read_bytes() == before
    Bench.open(str(path)).close()


def test_an_edition_that_is_not_on_the_shelf_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bench.db"
    wider = Shelf().standing_in(shelf().current)
    later = amended()
    later.version = "1.3.0-draft.99"
    with Bench.open(str(path), editions=wider.standing_in(later)) as bench:
        bench.do(EnactEdition(version=later.version, hash=later.hash), by=Actor.system())
    with pytest.raises(StoreError, match=r"1\.3\.0-draft\.99 is not on the shelf"):
        Bench.open(str(path))
