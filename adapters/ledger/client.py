"""Asking witnesses for cosignatures over HTTP, with patience and without trust.

A witness may be down, slow, or lying. What it answers counts only as far as it verifies: a cosignature must be valid
under the witness's key in the policy, a stated size must lead to a consistency proof that the witness then accepts.
What it *disputes* is never overruled: where a witness holds a head that ours does not extend, publishing stops.
"""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from ...protocol.checkpoint import Checkpoint
from ...protocol.faults import LogFault
from ...protocol.merkle import Node, consistency_path
from ...protocol.note import MAX_NOTE, NoteSignature, parse_signatures
from ...protocol.policy import PolicyWitness
from ...protocol.strict import decimal
from ...protocol.witness import SIZE_TYPE, AddCheckpoint

TIMEOUT: Final = 10.0
ATTEMPTS: Final = 3
PAUSE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP answer: status, content type and body."""

    status: int
    type: str
    body: bytes


Post = Callable[[str, bytes], Reply]


def post(url: str, body: bytes) -> Reply:
    """POST a request body and return the answer, whatever its status. Raises OSError where none comes in time."""
    if urlsplit(url).scheme not in ("http", "https"):
        raise OSError(f"{url} is no web address")
    request = urllib.request.Request(url, body, {"Content-Type": "application/octet-stream"})
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            return Reply(answer.status, answer.headers.get_content_type(), answer.read(MAX_NOTE + 1))
    except urllib.error.HTTPError as error:
        with error:
            return Reply(error.code, error.headers.get_content_type(), error.read(MAX_NOTE + 1))
    except http.client.HTTPException as error:
        raise OSError(f"no HTTP answer: {error!r}") from error


class WitnessClient:
    """One witness of the policy. `post` and `pause` stand for the network and the clock."""

    def __init__(self, witness: PolicyWitness, post: Post = post, pause: Callable[[float], None] = time.sleep) -> None:
        self.witness = witness
        self.name = witness.name
        self._post = post
        self._pause = pause

    def holds_nothing_newer(self, head: Checkpoint, note: bytes) -> None:
        """Ask whether the witness knows a head beyond the last one that we signed, before we sign another.

        Sends the last signed head again. Raises WITNESS_DISPUTES where the witness holds a larger or another one, and
        WITNESS_SILENT where it does not answer to the point.
        """
        reply = self._send(AddCheckpoint(head.size, (), note))
        if reply.status == 200 or (reply.status == 409 and self._size(reply) < head.size):
            return
        self._refuse(reply, head)

    def cosign(self, head: Checkpoint, note: bytes, old: int, node: Node) -> NoteSignature:
        """The witness's cosignature on a head. `old` is the size it is thought to hold, `node` the tree of the head.

        Raises WITNESS_DISPUTES, or WITNESS_SILENT for anything else that is no valid cosignature.
        """
        reply = self._send(AddCheckpoint(old, _proof(node, old, head.size), note))
        if reply.status == 409:
            held = self._size(reply)
            if held <= head.size and held != old:
                reply = self._send(AddCheckpoint(held, _proof(node, held, head.size), note))
        if reply.status != 200:
            self._refuse(reply, head)
        return self._cosignature(reply, head)

    def _cosignature(self, reply: Reply, head: Checkpoint) -> NoteSignature:
        try:
            signatures = parse_signatures(reply.body.decode("utf-8"))
        except (UnicodeDecodeError, LogFault) as error:
            raise LogFault("WITNESS_SILENT", f"no signature lines: {error}", self.name) from None
        for signed in signatures:
            if self.witness.key.made(signed) and self.witness.key.verifies(head.text().encode(), signed):
                return signed
        raise LogFault("WITNESS_SILENT", "the answer holds no valid cosignature of the key in the policy", self.name)

    def _size(self, reply: Reply) -> int:
        """The size that a 409 answer states. Raises WITNESS_DISPUTES for a 409 without one."""
        text = reply.body[:32].decode("ascii", "replace")
        if reply.type != SIZE_TYPE or not text.endswith("\n"):
            raise LogFault("WITNESS_DISPUTES", "it refuses the head and names no size that it holds", self.name)
        try:
            return decimal(text[:-1], "the size that the witness holds")
        except LogFault as fault:
            raise LogFault("WITNESS_SILENT", fault.detail, self.name) from None

    def _refuse(self, reply: Reply, head: Checkpoint) -> None:
        said = reply.body[:200].decode("utf-8", "replace").strip()
        if reply.status == 409:
            held = self._size(reply)
            raise LogFault(
                "WITNESS_DISPUTES",
                f"it holds a head of size {held} that ours of {head.size} does not extend",
                self.name,
            )
        if reply.status == 422:
            raise LogFault(
                "WITNESS_DISPUTES", f"it finds our head of {head.size} not to extend its own: {said}", self.name
            )
        raise LogFault("WITNESS_SILENT", f"it answered {reply.status}: {said}", self.name)

    def _send(self, request: AddCheckpoint) -> Reply:
        """Send, and again where the witness is down or overloaded. Raises WITNESS_SILENT after the last attempt."""
        url = (self.witness.url or "").rstrip("/") + "/add-checkpoint"
        why = ""
        for attempt in range(ATTEMPTS):
            if attempt:
                self._pause(PAUSE * 2**attempt)
            try:
                reply = self._post(url, request.render())
            except OSError as error:
                why = str(error)
                continue
            if reply.status < 500 and reply.status != 429:
                return reply
            why = f"it answered {reply.status}"
        raise LogFault("WITNESS_SILENT", f"no answer after {ATTEMPTS} attempts: {why}", self.name)


def _proof(node: Node, old: int, size: int) -> tuple[bytes, ...]:
    return tuple(consistency_path(node, old, size)) if 0 < old < size else ()
