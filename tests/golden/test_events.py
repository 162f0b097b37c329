"""Every event type and version ever shipped: its bytes and hash stay, and it is still read, upcast and folded."""

from __future__ import annotations

from typing import Any

import pytest
from golden_events import FOLDER, SUMS, name_of, stream_files

from tollbench.adapters.replay import Replayer
from tollbench.domain import protocol  # noqa: F401  fills the registries
from tollbench.domain.events import event_type, event_types, read
from tollbench.domain.streams import kind_of
from tollbench.protocol import envelope

FILES = {path.name: path.read_bytes() for path in sorted(FOLDER.glob("*.json"))}
HASHES = {name: digest for digest, name in (line.split() for line in SUMS.read_text("utf-8").splitlines())}
NEVER_WRITTEN = {
    "deal.amended",
    "deal.payment.forfeited",
    "outcome.appealed",
    "target.amended",
    "target.band.assigned",
}
"""What is always refused: no log holds it."""


def test_every_version_of_every_type_has_its_file() -> None:
    shipped = {name_of(type_.name, n) for type_ in event_types().values() for n in range(1, type_.schema + 1)}
    assert shipped == set(FILES) == set(HASHES), (
        "run `python tests/golden_events.py`; files that are there never change"
    )


@pytest.mark.parametrize("name", sorted(FILES))
def test_bytes_hash_and_reading(name: str) -> None:
    body = FILES[name]
    assert envelope.event_hash(body).hex() == HASHES[name]
    event = envelope.from_bytes(body)
    assert envelope.to_bytes(event) == body
    assert name == name_of(event.type, event.schema)
    type_ = event_type(event.type)
    assert event.stream.partition("-")[0] in type_.streams
    present = read(body)
    assert present.schema == type_.schema
    assert type_.problems(present.data) == []


@pytest.fixture(scope="module")
def states() -> dict[str, dict[str, Any]]:
    """The streams of the golden events folded: for each event by its id, its bytes and the states around it."""
    found: dict[str, dict[str, Any]] = {}
    for file in stream_files():
        replayer = Replayer()
        for leaf, body in enumerate(file.read_bytes().splitlines()):
            event = envelope.from_bytes(body)
            before = replayer.states.get(event.stream)
            replayer.feed(leaf, body)
            found[event.id] = {"before": before, "after": replayer.states.get(event.stream), "body": body}
        assert replayer.defects == []
    return found


@pytest.mark.parametrize("name", sorted(FILES))
def test_each_folds_onto_the_state_it_met(name: str, states: dict[str, dict[str, Any]]) -> None:
    event = read(FILES[name])
    kind = kind_of(event.stream)
    if event.type in NEVER_WRITTEN:
        met = [known["after"] for known in states.values() if known["after"].id == event.stream]
        assert kind.evolve(met[-1], event) is not None
        return
    known = states[event.id]
    assert known["body"] == FILES[name]
    after = kind.evolve(known["before"], event)
    assert after == known["after"]
    assert after is not None
    if event.type in kind.evolvers:
        assert after != known["before"], "an event that a state takes in leaves its mark"
