"""The half of a verification that needs no rule: the form of every event, and the figures that follow from all of them.

It runs beside the examiner, in a process of its own where the log is long and a second core is there. Batches of
bodies go in order to one clerk; it answers which of them are no events and what is wrong, and in the end gives the
board.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final, Protocol

from ...protocol.checkpoint import Checkpoint
from ...protocol.edition import Edition, Shelf
from ...protocol.envelope import Event
from ...protocol.faults import LogFault
from .examine import NOT_FOLLOWING
from .figures import Figures
from .forms import Forms

WORTH_A_PROCESS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Editions:
    """Compiled editions as bytes, and the version that is current; `None` stands for the verifier's own."""

    files: tuple[bytes, ...]
    current: str | None

    def shelf(self) -> Shelf:
        """The shelf that holds them."""
        return Shelf() if self.current is None else Shelf.of([Edition(data) for data in self.files], self.current)


@dataclass(frozen=True, slots=True)
class Taken:
    """What a clerk finds in a batch: faults (at most 100 in a log), their number, and leaves that are no events."""

    faults: tuple[LogFault, ...]
    count: int
    unusable: frozenset[int]


class Clerk:
    """Checks forms and folds figures, batch by batch."""

    def __init__(self, editions: Editions) -> None:
        shelf = editions.shelf()
        self._forms = Forms(shelf)
        self._figures = Figures(shelf)
        self._told = 0

    def take(self, first: int, bodies: Sequence[bytes]) -> Taken:
        """Take the next batch, whose first event has this leaf index."""
        before, unusable = self._forms.count, []
        for leaf, body in enumerate(bodies, first):
            event = self._forms.feed(leaf, body)
            if event is None:
                unusable.append(leaf)
            elif not self._forms.count:
                self._fold(leaf, event)
        faults = tuple(self._forms.faults[self._told :])
        self._told = len(self._forms.faults)
        return Taken(faults, self._forms.count - before, frozenset(unusable))

    def _fold(self, leaf: int, event: Event) -> None:
        try:
            self._figures.feed(leaf, event)
        except NOT_FOLLOWING as error:
            self._forms.find("EVENT_ORDER", leaf, f"{event.type} gives no figure where it stands: {error!r}")

    def board(self, head: Checkpoint, cosigned: dict[str, int]) -> bytes:
        """The board of everything taken, bound to its head; empty bytes where the events give none."""
        try:
            return self._figures.published(head, cosigned)
        except NOT_FOLLOWING:
            return b""


class Office(Protocol):
    """A clerk at work, here or in a process of its own."""

    def take(self, first: int, bodies: Sequence[bytes]) -> Callable[[], Taken]:
        """Hand over the next batch; the result gives the answer, in the order of the batches."""

    def board(self, head: Checkpoint, cosigned: dict[str, int]) -> bytes:
        """Ask for the board."""


class Here:
    """A clerk in this process."""

    def __init__(self, editions: Editions) -> None:
        self._clerk = Clerk(editions)

    def take(self, first: int, bodies: Sequence[bytes]) -> Callable[[], Taken]:
        """Do the batch at once."""
        taken = self._clerk.take(first, bodies)
        return lambda: taken

    def board(self, head: Checkpoint, cosigned: dict[str, int]) -> bytes:
        """The board of everything taken."""
        return self._clerk.board(head, cosigned)


class Beside:
    """A clerk in a process of its own, which does the batches in order.

    It is started as a program, not by `multiprocessing`, so that it never imports the caller's main module. What goes
    through its pipes is pickled, and read by nobody but the two halves of this class. The clerk's answers are so small
    that a few of them fit into a pipe, so neither side can block the other for good.
    """

    def __init__(self, editions: Editions) -> None:
        program = f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import serve; serve()"
        self._child = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._send(editions)

    def take(self, first: int, bodies: Sequence[bytes]) -> Callable[[], Taken]:
        """Send the batch."""
        self._send((first, bodies))
        return self._receive

    def board(self, head: Checkpoint, cosigned: dict[str, int]) -> bytes:
        """The board of everything sent."""
        self._send((head, cosigned))
        board: bytes = self._receive()
        return board

    def close(self) -> None:
        """End the process."""
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        self._child.kill()
        self._child.wait()

    def _send(self, message: Any) -> None:
        try:
            pickle.dump(message, self._child.stdin, pickle.HIGHEST_PROTOCOL)  # type: ignore[arg-type]
            self._child.stdin.flush()  # type: ignore[union-attr]
        except OSError:
            raise LogFault("PROCESS_LOST", "the second process of the verification takes no more work") from None

    def _receive(self) -> Any:
        try:
            return pickle.load(self._child.stdout)  # type: ignore[arg-type]
        except (EOFError, OSError, pickle.UnpicklingError):
            raise LogFault("PROCESS_LOST", "the second process of the verification gives no answer") from None


def serve() -> None:
    """The child's side of `Beside`: a clerk on standard input and output."""
    source, target = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    clerk = Clerk(pickle.load(source))
    while True:
        try:
            first, second = pickle.load(source)
        except EOFError:
            return
        answer = clerk.take(first, second) if isinstance(first, int) else clerk.board(first, second)
        pickle.dump(answer, target, pickle.HIGHEST_PROTOCOL)
        target.flush()


@contextmanager
def open_office(editions: Editions, size: int) -> Iterator[Office]:
    """A clerk for a log of this size: beside this process where that pays, else here."""
    if size < WORTH_A_PROCESS or (os.cpu_count() or 1) < 2:
        yield Here(editions)
        return
    beside = Beside(editions)
    try:
        yield beside
    finally:
        beside.close()
