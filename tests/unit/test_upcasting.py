"""Events of older schemas are upcast when they are read; stored bytes stay; what is newer than known is refused."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import TypedDict

from steps import folk
from steps.lives import Life
from tollbench.adapters.bench import Bench
from tollbench.adapters.cli import main
from tollbench.adapters.ledger.figures import Figures
from tollbench.adapters.ledger.forms import Forms
from tollbench.adapters.replay import replay_check
from tollbench.domain.events import Catalogue, catalogue
from tollbench.domain.target.commands import BuyPriority
from tollbench.protocol import envelope
from tollbench.protocol.edition import shelf
from tollbench.protocol.envelope import EnvelopeError, Event, UnreadableEvent

NAME = "lamp.lit"
FEE = "target.priority_purchased"


class Lit(TypedDict):
    """The third shape of a made-up event: colour as a word, brightness in hundredths."""

    colour: str
    hundredths: int


def lamps() -> Catalogue:
    """A registry whose one type is in its third version."""
    made = Catalogue()
    made.register("lamp", {NAME: Lit}, schema=3)

    @made.upcast(NAME, from_schema=1)
    def spelled(data: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"colour": data["color"], "bright": data["bright"]}

    @made.upcast(NAME, from_schema=2)
    def finer(data: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"colour": data["colour"], "hundredths": data["bright"] * 100}

    return made


def event(type_: str, schema: int, data: dict[str, Any], **other: Any) -> Event:
    """An event as it might lie in a log."""
    told: dict[str, Any] = {
        "stream": "lamp-1",
        "version": 1,
        "subject": None,
        "at": "2026-08-24T00:00:00.000000Z",
        "actor": {"role": "system", "id": "system"},
        "command": "c",
        "id": "i",
        "rules": {},
        "rulebooks": {},
    }
    return Event(type=type_, schema=schema, data=data, **(told | other))


@pytest.mark.parametrize(
    ("schema", "data"),
    [
        (1, {"color": "red", "bright": 2}),
        (2, {"colour": "red", "bright": 2}),
        (3, {"colour": "red", "hundredths": 200}),
    ],
)
def test_every_version_reads_as_the_newest(schema: int, data: dict[str, Any]) -> None:
    old = event(NAME, schema, data)
    before = envelope.to_bytes(old)
    read = lamps().present(old)
    assert (read.schema, read.data) == (3, {"colour": "red", "hundredths": 200})
    assert lamps().types[NAME].problems(read.data) == []
    assert dataclasses.replace(read, schema=schema, data=data) == old
    assert envelope.to_bytes(old) == before


@pytest.mark.parametrize(
    ("type_", "schema", "says"),
    [
        (NAME, 4, "schema 4, this version reads schemas up to 3; upgrade"),
        (NAME, 0, "schema 0, which never existed"),
        (NAME, -1, "schema -1, which never existed"),
        ("lamp.broken", 1, "a type that is not registered"),
    ],
)
def test_what_is_not_known_is_refused(type_: str, schema: int, says: str) -> None:
    with pytest.raises(UnreadableEvent, match=says):
        lamps().present(event(type_, schema, {}))


def test_gaps_are_named() -> None:
    made = lamps()
    assert made.gaps() == []
    del made.upcasters[NAME, 2]
    made.upcast(NAME, from_schema=3)(dict)
    assert made.gaps() == [f"{NAME} lacks an upcaster from schema 2", f"{NAME} has no schema after 3"]
    with pytest.raises(ValueError, match="two upcasters"):
        made.upcast(NAME, from_schema=3)(dict)
    with pytest.raises(ValueError, match="registered twice"):
        made.register("lamp", {NAME: Lit})


def test_no_registered_type_lacks_an_upcaster() -> None:
    assert catalogue().gaps() == []


@pytest.mark.parametrize(
    ("key", "value"),
    [("schema", "1"), ("schema", True), ("version", None), ("at", 5), ("data", []), ("subject", 7), ("actor", "x")],
)
def test_an_envelope_has_values_of_its_kinds(key: str, value: object) -> None:
    body = event(NAME, 1, {}).as_dict() | {key: value}
    with pytest.raises(EnvelopeError, match=f"`{key}` is n"):
        envelope.from_bytes(envelope.canonical.dumps(body))


# -- a bench whose log holds an older schema ---------------------------------------------------------------------------


@pytest.fixture
def second_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the priority fee be in its second version; the first one gave it in whole dollars."""
    monkeypatch.setitem(catalogue().types, FEE, dataclasses.replace(catalogue().types[FEE], schema=2))
    monkeypatch.setitem(catalogue().upcasters, (FEE, 1), lambda data: {"fee_cents": data["fee_dollars"] * 100})


def _append(bench: Bench, target: str, schema: int, data: dict[str, Any]) -> bytes:
    """Write a fee by hand, as an older or newer version would have; its bytes."""
    at, version = bench.events(bench.position() - 1), bench.version(target) + 1
    made = event(FEE, schema, data, stream=target, version=version, at=next(at).at)
    with bench.store.unit(write=True) as unit:
        unit.append([made])
    return envelope.to_bytes(made)


@pytest.mark.usefixtures("second_version")
def test_states_views_and_replay_read_old_events_and_leave_their_bytes(life: Life) -> None:
    target = folk.want(life)
    old = _append(life.bench, target, 1, {"fee_dollars": 7})
    life.do(BuyPriority(target=target, fee_cents=250), folk.poster_of(life, target))
    assert life.bench.state(target).priority_fees_cents == 950
    report = replay_check(life.bench)
    assert report.differences == []
    with life.bench.store.unit(write=False) as unit:
        assert b'"fees_cents":[700,250]' in (unit.view_row("facts", target) or b"")
    assert old in [body for _, body in life.bench.log()]
    assert [e.schema for e in life.bench.events() if e.type == FEE] == [1, 2]


@pytest.mark.usefixtures("second_version")
def test_verifiers_of_a_published_log_read_old_events_too(life: Life) -> None:
    target = folk.want(life)
    old = _append(life.bench, target, 1, {"fee_dollars": 7})
    forms, figures = Forms(shelf()), Figures(shelf())
    for leaf, body in life.bench.log():
        read = forms.feed(leaf, body)
        assert read is not None
        figures.feed(leaf, read)
        assert (read.schema, dict(read.data)) == (2, {"fee_cents": 700}) or body != old
    assert [fault.code for fault in forms.faults if fault.code == "EVENT_SHAPE"] == []
    newer = envelope.to_bytes(event(FEE, 3, {}, stream=target))
    assert forms.feed(0, newer) is None
    assert "upgrade to read this log" in forms.faults[-1].detail


def test_a_newer_event_is_refused_with_one_message(
    tmp_path: Path, life: Life, capsys: pytest.CaptureFixture[str]
) -> None:
    life.close()
    life.bench = Bench.open(str(tmp_path / "bench.db"), clock=life.clock)
    target = folk.want(life)
    _append(life.bench, target, 2, {"fee": "7"})
    with pytest.raises(UnreadableEvent, match=f"{FEE} of schema 2, this version reads schemas up to 1; upgrade"):
        life.bench.state(target)
    before = list(life.bench.log())
    with pytest.raises(UnreadableEvent):
        life.do(BuyPriority(target=target, fee_cents=1), folk.poster_of(life, target))
    assert list(life.bench.log()) == before
    life.close()
    for command in (["show", "target", target], ["replay", "--check"], ["board"], ["todo"]):
        with pytest.raises(SystemExit) as left:
            main([*command, "--bench", str(tmp_path / "bench.db")])
        told = capsys.readouterr()
        assert (left.value.code, told.out) == (2, "")
        assert len(told.err.splitlines()) == 1
        assert "upgrade to read this log" in told.err
