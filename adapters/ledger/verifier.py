"""Verification of a published log or bundle by somebody who trusts nothing but a pinned key.

What is checked, in this order: the checkpoint under the pinned key and, where a policy is pinned, its quorum of
witnesses; the signed manifest and the hash of every file; that an earlier head is a prefix; every tile, entry and body
up to the root; every event against its schema, its order, its citations and every public rule, under the editions it
names; and the board, recomputed and compared byte for byte. What could not be checked is listed, and without a pinned
key the verdict is never `ok`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from ...domain.events import catalogue
from ...protocol.checkpoint import Checkpoint, open_checkpoint
from ...protocol.commitment import fingerprint
from ...protocol.edition import EditionError
from ...protocol.envelope import Event
from ...protocol.faults import LogFault
from ...protocol.note import Note, VerifierKey
from ...protocol.policy import Policy, Verdict
from ...protocol.proofs import verify_consistency
from ...protocol.tiles import WIDTH
from .bundle import RULEBOOK
from .clerk import Editions, Office, Taken, open_office
from .examine import Examiner
from .figures import UNWITNESSED
from .manifest import Manifest
from .published import Fetch, PublishedLog
from .sources import Source

OK: Final = "ok"
UNVERIFIED: Final = "unverified"
FAILED: Final = "failed"
BUNDLES_A_BATCH: Final = 4
AHEAD: Final = 4


@dataclass(slots=True)
class Report:
    """What a verification found. `pinned` says whether the caller brought a key; `faults` counts all findings."""

    source: str
    pinned: bool
    head: Checkpoint | None = None
    cosigned: dict[str, int] = field(default_factory=dict)
    witnessed: str = UNWITNESSED
    checked: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    findings: list[LogFault] = field(default_factory=list)
    faults: int = 0

    @property
    def verdict(self) -> str:
        """`failed` where anything was found, `unverified` without a pinned key, else `ok`."""
        if self.findings:
            return FAILED
        return OK if self.pinned else UNVERIFIED

    def add(self, fault: LogFault) -> None:
        """Note a finding."""
        self.findings.append(fault)
        self.faults += 1

    def document(self) -> dict[str, Any]:
        """The report as JSON values."""
        head = self.head
        return {
            "verdict": self.verdict,
            "source": self.source,
            "key_pinned": self.pinned,
            "origin": head and head.origin,
            "size": head and head.size,
            "root": head and f"sha256:{head.root.hex()}",
            "witness": self.witnessed,
            "cosigned": dict(sorted(self.cosigned.items())),
            "checked": self.checked,
            "unchecked": self.unchecked,
            "faults": self.faults,
            "findings": [fault.document() for fault in self.findings],
        }


def verify(
    source: Source,
    *,
    key: VerifierKey | None,
    policy: Policy | None = None,
    since: bytes | None = None,
    progress: Callable[[int, int], None] = lambda done, whole: None,
) -> Report:
    """Verify everything at the source. `since` is an earlier checkpoint that the log must extend.

    `policy` without `key` pins the log keys that it lists. `progress` is told how many events of how many are judged.
    Every fault of the source ends in the report; raises KEY_MALFORMED only where key and policy contradict each other.
    """
    report = Report(source.label, key is not None or (policy is not None and bool(policy.logs)))
    run = _Run(source, report, progress)
    with run.step():
        run.checkpoint(trusted_policy(key, policy))
    if run.verdict is not None:
        run.everything_under(run.verdict, since)
    return report


def trusted_policy(key: VerifierKey | None, policy: Policy | None) -> Policy | None:
    """The policy that a checkpoint must satisfy, or None where nothing is pinned."""
    if policy is None or not policy.logs:
        if key is None:
            return None
        pinned = Policy.of_log(key)
        return pinned if policy is None else Policy(pinned.logs, policy.witnesses, policy.groups, policy.quorum)
    if key is not None and key not in [log.key for log in policy.logs]:
        raise LogFault("KEY_MALFORMED", f"the policy does not list the pinned key of {key.name}")
    return policy


class _Run:
    """One verification; each step leaves its result here and its faults in the report."""

    def __init__(self, source: Source, report: Report, progress: Callable[[int, int], None]) -> None:
        self.source = source
        self.report = report
        self.progress = progress
        self.verdict: Verdict | None = None
        self.keys: tuple[VerifierKey, ...] = ()

    @contextmanager
    def step(self) -> Iterator[None]:
        """Turn a fault of this step into a finding."""
        try:
            yield
        except LogFault as fault:
            self.report.add(fault)

    def checkpoint(self, trust: Policy | None) -> None:
        """Open the head under what is pinned, or under the source's own key where nothing is."""
        report = self.report
        note = self.source.fetch("checkpoint")
        if note is None:
            raise LogFault("FILE_MISSING", "there is no checkpoint", "checkpoint")
        policy = trust or Policy.of_log(self._own_key())
        self.keys = tuple(log.key for log in policy.logs)
        self.verdict = policy.examine(note)
        report.head, report.cosigned = self.verdict.checkpoint, self.verdict.cosigned
        if trust is None:
            report.unchecked.append("signature of the checkpoint: no key is pinned, only the source's own was tried")
        else:
            size, origin = report.head.size, report.head.origin
            report.checked.append(f"checkpoint of {size} events signed by the pinned key of {origin}")
        self._quorum(policy, note)

    def _own_key(self) -> VerifierKey:
        data = self.source.fetch("vkey")
        if data is None:
            raise LogFault("KEY_MISSING", "no key is pinned and none lies beside the log", "vkey")
        return VerifierKey.parse(data.decode("utf-8", "replace").removesuffix("\n"))

    def _quorum(self, policy: Policy, note: bytes) -> None:
        report = self.report
        if policy.quorum is None:
            claimed = [signed.name for signed in Note.parse(note).signatures][1:]
            told = f": the checkpoint bears lines of {', '.join(claimed)}" if claimed else ""
            report.unchecked.append(f"witnesses: no policy with a quorum is pinned{told}")
            return
        policy.check(note)
        names = ", ".join(sorted(report.cosigned))
        report.witnessed = names
        report.checked.append(f"quorum {policy.quorum} met by {names}")

    def everything_under(self, verdict: Verdict, since: bytes | None) -> None:
        """All that hangs on a head."""
        report, head = self.report, verdict.checkpoint
        manifest: Manifest | None = None
        with self.step():
            manifest = Manifest.open(self.source, head, self.keys)
            if manifest is None:
                report.unchecked.append("files beside the log: there is no signed manifest")
        fetch: Fetch = self.source.fetch if manifest is None else manifest.fetch
        with self.step():
            log = PublishedLog(fetch, head)
            if since is not None:
                self._extends(log, since)
            self._events(log, fetch)
        if manifest is not None:
            faults = list(manifest.rest())
            for fault in faults:
                report.add(fault)
            if not faults:
                report.checked.append(f"manifest signed by the log, {len(manifest)} files as it lists them")

    def _extends(self, log: PublishedLog, since: bytes) -> None:
        """An earlier head is a prefix of this one."""
        with self.step():
            old, _ = open_checkpoint(since, self.keys)
            if old.size > log.head.size:
                raise LogFault("HEAD_ROLLBACK", f"the earlier head covers {old.size} events, this one {log.head.size}")
            if old.size:
                try:
                    verify_consistency(old.size, log.head.size, old.root, log.head.root, log.consistency(old.size))
                except LogFault as fault:
                    raise LogFault("HEAD_SPLIT", f"this log does not extend the earlier head: {fault.detail}") from None
            self.report.checked.append(f"the earlier head of {old.size} events is a prefix of this one")

    def _events(self, log: PublishedLog, fetch: Fetch) -> None:
        """Every event: under the root, of good form, passed by every public rule; and the board that follows."""
        report, size = self.report, log.head.size
        editions = self._editions(fetch)
        examiner, faults = Examiner(editions.shelf()), 0
        with open_office(editions, size) as office:
            for first, bodies, taken in _batches(log, office):
                report.findings += taken.faults
                faults += taken.count
                for leaf, body in enumerate(bodies, first):
                    if leaf not in taken.unusable:
                        examiner.feed(leaf, catalogue().present(Event(**orjson.loads(body))))
                self.progress(first + len(bodies), size)
            report.findings += examiner.findings
            report.faults += faults + examiner.faults
            report.checked.append(f"{size} bodies, entries and leaves under the root, every tile on the way")
            if not faults:
                report.checked.append(f"schema, order and citations of {size} events")
            self._told(examiner)
            if faults or examiner.faults:
                report.unchecked.append("board: the events it would be recomputed from do not hold")
            else:
                self._board(log, fetch, office)

    def _told(self, examiner: Examiner) -> None:
        run = examiner.run()
        if not examiner.faults:
            self.report.checked.append(f"{len(run)} public rules run again, {run.total()} times")
        for rule, times in sorted(examiner.unchecked().items()):
            self.report.unchecked.append(f"{rule}, {times} times: it judges private facts")

    def _editions(self, fetch: Fetch) -> Editions:
        """The editions of the bundle, each under its stated hash; the verifier's own where the source has none."""
        data = fetch(f"{RULEBOOK}/manifest.json")
        if data is None:
            self.report.unchecked.append("rulebook: none lies beside the log, the verifier's own editions were used")
            return Editions((), None)
        files = []
        try:
            manifest = orjson.loads(data)
            for item in manifest["editions"]:
                edition = fetch(f"{RULEBOOK}/{item['file']}")
                if edition is None or fingerprint(edition) != item["hash"]:
                    raise LogFault("EDITION_WRONG", f"edition {item['version']} is absent or has another hash")
                files.append(edition)
            found = Editions(tuple(files), manifest["current"])
            found.shelf()
        except (orjson.JSONDecodeError, KeyError, TypeError, EditionError) as error:
            raise LogFault("EDITION_WRONG", f"the rulebook cannot be read: {error}", RULEBOOK) from None
        self.report.checked.append(f"{len(files)} editions of the rulebook under their hashes")
        return found

    def _board(self, log: PublishedLog, fetch: Fetch, office: Office) -> None:
        published = fetch("board.json")
        if published is None:
            self.report.unchecked.append("board: none lies beside the log")
            return
        own = fetch("policy")
        cosigned = Policy.parse(own).examine(self.source.fetch("checkpoint") or b"").cosigned if own else {}
        if office.board(log.head, cosigned) != published:
            raise LogFault("BOARD_WRONG", "recomputed from the events it reads otherwise", "board.json")
        self.report.checked.append("board.json recomputed, byte for byte")


def _batches(log: PublishedLog, office: Office) -> Iterator[tuple[int, list[bytes], Taken]]:
    """Verified bodies in batches with what the clerk says of them; the clerk is always a few batches ahead."""
    waiting: deque[tuple[int, list[bytes], Callable[[], Taken]]] = deque()
    numbers = log.bundles()
    for at in range(0, len(numbers), BUNDLES_A_BATCH):
        bodies = [body for number in numbers[at : at + BUNDLES_A_BATCH] for body in log.bodies(number)]
        waiting.append((at * WIDTH, bodies, office.take(at * WIDTH, bodies)))
        if len(waiting) > AHEAD:
            first, ready, taken = waiting.popleft()
            yield first, ready, taken()
    for first, ready, taken in waiting:
        yield first, ready, taken()
