"""Checking a log that we publish ourselves: every file of it, the private record, and the database it comes from.

`fsck` reads everything and changes nothing. A finding is something that is wrong; a remark is something to know, such
as files that a crash left before any head covered them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...protocol.checkpoint import Checkpoint
from ...protocol.faults import LogFault
from ...protocol.merkle import HASH_SIZE
from ...protocol.tiles import ENTRIES, WIDTH, Tile, bundle_bytes, new_tiles
from .files import Folder
from .published import BODIES, PublishedLog, body_bytes
from .publisher import EventLog
from .state import LogState

OWN_FILES = ("checkpoint", "vkey", "policy")


@dataclass(slots=True)
class Health:
    """What was found. `size` is that of the published head, `files` how many files were read and held."""

    size: int = 0
    files: int = 0
    findings: list[LogFault] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def fsck(state: LogState, log: EventLog | None = None) -> Health:
    """Check the published folder, the record of signed heads, and, where `log` is given, the stored events."""
    health = Health()
    out = Folder(state.settings.out)
    note = out.read("checkpoint")
    if note is None:
        health.remarks.append("no head is published yet")
        return health
    try:
        verdict = state.policy().check(note)
        published = PublishedLog(out.read, verdict.checkpoint)
    except LogFault as fault:
        health.findings.append(fault.at("checkpoint"))
        return health
    health.size = verdict.checkpoint.size
    if not verdict.cosigned:
        health.remarks.append("the published head is unwitnessed")
    _check_needed(health, published)
    _check_present(health, out, published)
    _check_signed(health, state, published)
    if log is not None:
        _check_stored(health, published, log)
    return health


def _check_needed(health: Health, log: PublishedLog) -> None:
    """Every tile, bundle and file of bodies that the head needs."""
    for tile in new_tiles(0, log.head.size):
        try:
            if tile.level == ENTRIES:
                log.bodies(tile.number)
            else:
                log.tile(tile)
        except LogFault as fault:
            health.findings.append(fault.at(tile.path))


def _check_present(health: Health, out: Folder, log: PublishedLog) -> None:
    """Every file that lies there, the partial ones of earlier heads included."""
    beyond = 0
    for path in out.files():
        if path in OWN_FILES or path.startswith("previous/"):
            continue
        try:
            tile = Tile.parse(path.replace(BODIES, "tile/entries", 1) if path.startswith(f"{BODIES}/") else path)
        except LogFault:
            health.remarks.append(f"{path} is no file of a log")
            continue
        if _end(tile) > log.head.size:
            beyond += 1
            continue
        try:
            if out.read(path) != _expected(path, tile, log):
                raise LogFault("TILE_FORGED", "the file is not what the head covers", path)
            health.files += 1
        except LogFault as fault:
            health.findings.append(fault.at(path))
    if beyond:
        health.remarks.append(f"{beyond} files reach beyond the published head; no head covers them yet")


def _end(tile: Tile) -> int:
    """How many entries the log must have for this file."""
    return (tile.number * WIDTH + tile.width) << (8 * max(tile.level, 0))


def _expected(path: str, tile: Tile, log: PublishedLog) -> bytes:
    if path.startswith(f"{BODIES}/"):
        return body_bytes(log.bodies(tile.number)[: tile.width])
    if tile.level == ENTRIES:
        return bundle_bytes(log.entries(tile.number)[: tile.width])
    return log.tile(tile)[: tile.width * HASH_SIZE]


def _check_signed(health: Health, state: LogState, log: PublishedLog) -> None:
    try:
        signed = state.last_signed()
    except LogFault as fault:
        health.findings.append(fault.at("signed"))
        return
    head = Checkpoint("", 0, b"") if signed is None else signed[0]
    if head.size < log.head.size:
        health.findings.append(
            LogFault("HEAD_ROLLBACK", f"the record of signed heads ends at {head.size}, {log.head.size} is published")
        )
    elif head.size == log.head.size and head.root != log.head.root:
        health.findings.append(LogFault("HEAD_SPLIT", f"two heads of size {head.size} were signed", "signed"))
    elif head.size > log.head.size:
        health.remarks.append(f"a head of {head.size} events is signed and not published yet")


def _check_stored(health: Health, log: PublishedLog, stored: EventLog) -> None:
    """The stored events are byte for byte the published ones, and then some perhaps."""
    rows: Iterator[tuple[int, bytes]] = stored.log(0)
    try:
        for leaf, body in log.events():
            found = next(rows, None)
            if found is None:
                raise LogFault("HEAD_ROLLBACK", f"the database holds {leaf} events, {log.head.size} are published")
            if found != (leaf, body):
                raise LogFault("EVENT_ALTERED", f"event {leaf} of the database is not the published one")
    except LogFault as fault:
        health.findings.append(fault)
        return
    waiting = sum(1 for _ in rows)
    if waiting:
        health.remarks.append(f"{waiting} events wait to be published")
