"""Publishing: from committed events to a head that others have cosigned.

The order is the promise. Events are committed first; then tiles, entries and bodies are written, synced and read back;
then the witnesses are asked whether they know anything newer; only then is a head signed, and the signature is on
record here before anybody else sees it; then the witnesses cosign; and only with a quorum does the head become the
published checkpoint. A crash at any point leaves files that no head covers yet, or a signed head that the next one
extends.

A head is signed only if it extends the last one that was signed, over stored bytes hashed anew. Where the database
holds less or other events than a head has already covered (an older copy restored, a row changed), nothing is signed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from ...protocol import envelope
from ...protocol.checkpoint import Checkpoint, open_checkpoint
from ...protocol.faults import LogFault
from ...protocol.merkle import EMPTY_ROOT, Tree, leaf_hash
from ...protocol.note import NoteSignature
from ...protocol.policy import Policy
from ...protocol.tiles import ENTRIES, WIDTH, bundle_bytes, new_tiles, tile_bytes
from .client import WitnessClient
from .files import Folder
from .published import PublishedLog, body_bytes, body_path
from .rules import asks_witnesses, checked_entry, signs_heads
from .state import LOCK_WAIT, LogState

T = TypeVar("T")


class EventLog(Protocol):
    """Where committed events come from."""

    def log(self, start: int = 0) -> Iterator[tuple[int, bytes]]:
        """Every event from this leaf index on, as `(leaf index, canonical bytes)`."""


@dataclass(frozen=True, slots=True)
class Published:
    """What a publication did: the head, its note, POSIX second of each cosignature, files written, entries added.

    `changed` is False where the published head was up to date. `silent` says of each witness that gave no valid
    cosignature why.
    """

    head: Checkpoint
    note: bytes
    cosigned: dict[str, int]
    files: int
    added: int
    changed: bool
    silent: dict[str, str] = field(default_factory=dict)


class Publisher:
    """Publishes one log. Keep it between publications: it then reads only what is new.

    `clients` are the witnesses to ask, by default those of the policy that have a URL.
    """

    def __init__(self, state: LogState, log: EventLog, clients: Sequence[WitnessClient] | None = None) -> None:
        self._state = state
        self._log = log
        self._tree = Tree()
        self._out = Folder(state.settings.out)
        self._given = clients

    def publish(self, wait: float = LOCK_WAIT) -> Published:
        """Publish everything that is committed.

        Raises LOG_BUSY, HEAD_ROLLBACK, HEAD_SPLIT, EVENT_ALTERED, NOT_CANONICAL, LOG_GAP, TILE_CONFLICT, DISK_REFUSED,
        WITNESS_DISPUTES, QUORUM_UNMET and what reading the key raises. Whatever is raised, the published checkpoint
        stands as it was.
        """
        with self._state.locked(wait):
            self._out.clean()
            policy, key = self._state.policy(), self._state.signing_key()
            known = self._known_heads()
            last = max(known, key=lambda head: head.size)
            self._grow()
            for head in known:
                self._extends(head)
            current = self._published(policy)
            if current is not None and current.head.size == self._tree.size:
                return current
            clients = self._clients(policy)
            silent = self._nothing_newer(policy, clients, last)
            files = self._write(last.size)
            head = Checkpoint(self._state.settings.origin, self._tree.size, self._tree.root())
            self._read_back(head, last.size)
            if not signs_heads():
                return Published(head, b"", {}, files, head.size - last.size, True, silent)
            note = head.signed_by(key).render()
            self._state.record_signed(note)
            signatures = self._cosignatures(clients, head, note, last.size, silent)
            note += "".join(signed.line() for signed in signatures).encode()
            cosigned = _check(policy, note, silent)
            self._out.replace("policy", self._state.policy_text())
            self._out.replace("vkey", f"{self._state.verifier}\n".encode())
            self._out.replace("checkpoint", note)
            return Published(head, note, cosigned, files, head.size - last.size, True, silent)

    # -- what is known and what is new ---------------------------------------------------------------------------------

    def _known_heads(self) -> list[Checkpoint]:
        """Every head that was ever signed and is on record: in the private folder, and in the public one."""
        heads = [Checkpoint(self._state.settings.origin, 0, EMPTY_ROOT)]
        signed = self._state.last_signed()
        if signed is not None:
            heads.append(signed[0])
        published = self._out.read("checkpoint")
        if published is not None:
            heads.append(open_checkpoint(published, (self._state.verifier,))[0])
        return heads

    def _grow(self) -> None:
        """Take new events into the tree, hashing the stored bytes; the last known one is read again and compared."""
        known = self._tree.size
        expected = max(known - 1, 0)
        rows = self._log.log(expected)
        if known:
            leaf, body = next(rows, (-1, b""))
            if leaf != expected:
                raise LogFault("HEAD_ROLLBACK", f"the database no longer holds event {expected}")
            if leaf_hash(envelope.event_hash(body)) != self._tree.node(0, expected):
                raise LogFault("EVENT_ALTERED", f"event {expected} is not the one that was published")
        self._tree.extend(_checked(rows, known))

    def _extends(self, head: Checkpoint) -> None:
        size = self._tree.size
        if size < head.size:
            raise LogFault(
                "HEAD_ROLLBACK", f"the database holds {size} events, the last signed head covers {head.size}"
            )
        if self._tree.root(head.size) != head.root:
            raise LogFault("HEAD_SPLIT", f"the first {head.size} events are not those that the last signed head covers")

    def _published(self, policy: Policy) -> Published | None:
        """The published head where it stands under the quorum."""
        note = self._out.read("checkpoint")
        if note is None:
            return None
        try:
            verdict = policy.check(note)
        except LogFault:
            return None
        return Published(verdict.checkpoint, note, verdict.cosigned, 0, 0, False)

    # -- files -----------------------------------------------------------------------------------------------------

    def _write(self, old: int) -> int:
        """Write every tile, bundle and file of bodies that the new head needs; returns how many were new."""
        return self._out.place(self._files(old))

    def _files(self, old: int) -> Iterator[tuple[str, bytes]]:
        rows = self._log.log(old - old % WIDTH)
        for tile in new_tiles(old, self._tree.size):
            if tile.level != ENTRIES:
                yield tile.path, tile_bytes(self._tree, tile)
                continue
            bodies = [body for _, (_, body) in zip(range(tile.width), rows, strict=False)]
            yield tile.path, bundle_bytes([envelope.event_hash(body) for body in bodies])
            yield body_path(tile.number, tile.width), body_bytes(bodies)

    def _read_back(self, head: Checkpoint, old: int) -> None:
        """Read from the disk what the head will vouch for, and hash it anew."""
        log = PublishedLog(self._out.read, head)
        for number in log.bundles()[old // WIDTH :]:
            log.bodies(number)

    # -- witnesses ---------------------------------------------------------------------------------------------------

    def _clients(self, policy: Policy) -> Sequence[WitnessClient]:
        if not asks_witnesses():
            return ()
        if self._given is not None:
            return self._given
        return [WitnessClient(witness) for witness in policy.witnesses if witness.url]

    def _nothing_newer(self, policy: Policy, clients: Sequence[WitnessClient], last: Checkpoint) -> dict[str, str]:
        """Ask before signing. Raises WITNESS_DISPUTES, or QUORUM_UNMET where too few witnesses can be asked."""
        if not last.size:
            return {}
        signed = self._state.last_signed()
        note = signed[1] if signed is not None and signed[0].size == last.size else self._out.read("checkpoint") or b""
        silent: dict[str, str] = {}
        _each(clients, lambda client: client.holds_nothing_newer(last, note), silent)
        asked = frozenset(client.name for client in clients) - silent.keys()
        if not policy.met_by(frozenset(asked)):
            raise LogFault("QUORUM_UNMET", f"too few witnesses answer to sign another head: {_listed(silent)}")
        return silent

    def _cosignatures(
        self, clients: Sequence[WitnessClient], head: Checkpoint, note: bytes, old: int, silent: dict[str, str]
    ) -> list[NoteSignature]:
        able = [client for client in clients if client.name not in silent]
        return _each(able, lambda client: client.cosign(head, note, old, self._tree.node), silent)


def _each(clients: Sequence[WitnessClient], ask: Callable[[WitnessClient], T], silent: dict[str, str]) -> list[T]:
    """Ask all witnesses at once; note why the silent ones are, and raise the first dispute."""
    if not clients:
        return []
    answers = []
    with ThreadPoolExecutor(len(clients)) as pool:
        asked = [(client.name, pool.submit(ask, client)) for client in clients]
        for name, future in asked:
            try:
                answers.append(future.result())
            except LogFault as fault:
                if fault.code != "WITNESS_SILENT":
                    raise
                silent[name] = fault.detail
    return answers


def _checked(rows: Iterator[tuple[int, bytes]], known: int) -> Iterator[bytes]:
    """The hash of each stored event, whose index must follow on the one before and whose bytes must be an event."""
    for expected, (leaf, body) in enumerate(rows, known):
        if leaf != expected:
            raise LogFault("LOG_GAP", f"event {expected} is missing; the next stored one is {leaf}")
        yield checked_entry(leaf, body)


def _check(policy: Policy, note: bytes, silent: dict[str, str]) -> dict[str, int]:
    try:
        return policy.check(note).cosigned
    except LogFault as fault:
        if fault.code != "QUORUM_UNMET" or not silent:
            raise
        raise LogFault("QUORUM_UNMET", f"{fault.detail}; {_listed(silent)}") from None


def _listed(silent: dict[str, str]) -> str:
    return "; ".join(f"{name}: {why}" for name, why in sorted(silent.items())) or "none is listed with a URL"
