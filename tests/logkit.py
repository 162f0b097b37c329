"""Helpers of the log tests: keys that are always the same, a log held in a dictionary, and counts on the terminal."""

import base64
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tollbench.adapters.bench import Bench
from tollbench.adapters.cli import main
from tollbench.adapters.ledger.bundle import make_bundle
from tollbench.adapters.ledger.publisher import Published, Publisher
from tollbench.adapters.ledger.state import LogState
from tollbench.adapters.ledger.witness import Witness, WitnessServer
from tollbench.adapters.simulator.season import open_bench, play
from tollbench.protocol import envelope
from tollbench.protocol.checkpoint import Checkpoint
from tollbench.protocol.faults import LogFault
from tollbench.protocol.merkle import Tree
from tollbench.protocol.note import COSIGNATURE, ED25519, SigningKey
from tollbench.protocol.tiles import ENTRIES, WIDTH, bundle_bytes, new_tiles, tile_bytes

ORIGIN = "log.example/bench"
LOG_KEY = SigningKey(ORIGIN, ED25519, bytes(range(32)))
WITNESSES = tuple(SigningKey(f"witness{n}.example/w", COSIGNATURE, bytes((n,)) * 32) for n in range(1, 5))
SECONDS = 1_790_000_000


def b64(text: str | None) -> bytes:
    """Bytes of a base64 field of a vector file, which may be null."""
    return base64.b64decode(text or "")


def entries(count: int) -> list[bytes]:
    """Different entries of 32 bytes."""
    return [n.to_bytes(32, "big") for n in range(count)]


def tree_of(items: Iterable[bytes]) -> Tree:
    """A tree over the entries."""
    tree = Tree()
    tree.extend(items)
    return tree


def head(tree: Tree, origin: str = ORIGIN) -> Checkpoint:
    """The unsigned checkpoint of a tree."""
    return Checkpoint(origin, tree.size, tree.root())


def cosigned(checkpoint: Checkpoint, *witnesses: SigningKey, key: SigningKey = LOG_KEY) -> bytes:
    """The checkpoint signed by the log and the witnesses."""
    note = checkpoint.signed_by(key)
    added = b"".join(witness.sign(note.text.encode(), SECONDS).line().encode() for witness in witnesses)
    return note.render() + added


def published(items: list[bytes]) -> dict[str, bytes]:
    """Tiles and bundles of a log by path."""
    tree, files = tree_of(items), {}
    for tile in new_tiles(0, tree.size):
        first = tile.number * WIDTH
        if tile.level == ENTRIES:
            files[tile.path] = bundle_bytes(items[first : first + tile.width])
        else:
            files[tile.path] = tile_bytes(tree, tile)
    return files


def fault_of(call: Callable[[], object]) -> str:
    """The code of the fault that a call ends in; an empty string where it ends well."""
    try:
        call()
    except LogFault as fault:
        return fault.code
    return ""


def told(capsys: pytest.CaptureFixture[str], line: str) -> None:
    """Print a count past pytest's capture, so that it stands in the output of an ordinary run."""
    with capsys.disabled():
        print(f"\n  [vectors] {line}", end="", flush=True)


def event_bytes(count: int, start: int = 0, note: str = "") -> list[bytes]:
    """Canonical bytes of made-up events, numbered from `start`; another `note` makes another history."""
    return [
        envelope.to_bytes(
            envelope.Event(
                type="test.noted",
                schema=1,
                stream="test-0",
                version=n + 1,
                subject=None,
                at=f"2026-07-01T00:00:{n % 60:02d}.000000Z",
                actor={"id": "system", "role": "system"},
                command=envelope.command_id("system", str(n)),
                id=envelope.event_id(envelope.command_id("system", str(n)), 0),
                data={"number": n, "note": note},
                rules={},
                rulebooks={},
            )
        )
        for n in range(start, start + count)
    ]


class MemoryLog:
    """Committed events in a list, as a publisher reads them."""

    def __init__(self, bodies: Iterable[bytes]) -> None:
        self.bodies = list(bodies)

    def log(self, start: int = 0) -> Iterator[tuple[int, bytes]]:
        """Every event from this leaf index on."""
        yield from enumerate(self.bodies[start:], start)


@contextmanager
def serving(witness: Witness) -> Iterator[str]:
    """Serve a witness on a free port of this machine; gives its submission prefix."""
    with WitnessServer(witness) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server.url
        finally:
            server.shutdown()
            thread.join()


def policy_of(**urls: tuple[Witness, str]) -> bytes:
    """Witness lines of a policy in which all of the named witnesses must cosign."""
    lines = [f"witness {name} {witness.verifier} {url}\n" for name, (witness, url) in urls.items()]
    return ("".join(lines) + f"group every all {' '.join(urls)}\nquorum every\n").encode()


class Log:
    """A small bench of real events with its log: the database, the private state, the public folder, the bundle."""

    def __init__(self, root: Path, targets: int) -> None:
        self.root = root
        self.database = root / "bench.db"
        bench, clock = open_bench(str(self.database), 1)
        with bench:
            if targets:
                play(bench, clock, 1, targets, lambda part: None)
        self.key = ""

    @property
    def state(self) -> LogState:
        """The private side of the log."""
        return LogState.open(LogState.of_bench(self.database))

    def publish(self, **options: Any) -> Published:
        """Publish what is committed, setting the log up on first use with these options."""
        if not LogState.of_bench(self.database).exists():
            root = LogState.of_bench(self.database)
            LogState.create(root, origin=ORIGIN, out=self.root / "public", **options)
        self.key = str(self.state.verifier)
        with Bench.open(str(self.database), create=False) as bench:
            return Publisher(self.state, bench).publish()

    def bundle(self, name: str = "bundle") -> Path:
        """The audit bundle of the published head."""
        make_bundle(self.state, self.root / name)
        return self.root / name


def toll(*arguments: object) -> int:
    """Run the command line in this process and return its exit status."""
    try:
        main([str(argument) for argument in arguments])
    except SystemExit as end:
        return int(end.code or 0)
    return 0
