"""Trust policies: C2SP tlog-policy, which logs and how many of which witnesses make a checkpoint count.

    log <verifier key> [<url>]
    witness <name> <verifier key> [<url>]
    group <name> all|any|<k> <member>...
    quorum <name>|none

Blank lines and lines starting with # are skipped. Names are local to the file and compared byte by byte; a line may
only refer to names above it; a name is a member of one group at most. One key is listed once, whatever its names, so
no witness counts twice; and no listed log is a witness, because a log that vouches for itself shows nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from . import cosignature
from .checkpoint import Checkpoint, open_checkpoint
from .faults import LogFault
from .note import COSIGNATURE, ED25519, Note, VerifierKey
from .strict import decimal

MAX_POLICY: Final = 64 * 1024
MAX_LINES_A_KIND: Final = 64
_FORBIDDEN: Final = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class PolicyLog:
    """A log whose checkpoints are accepted, and where it is served, if the policy says so."""

    key: VerifierKey
    url: str | None


@dataclass(frozen=True, slots=True)
class PolicyWitness:
    """A witness: its name in this file, its cosignature key, and its submission prefix, if the policy says so."""

    name: str
    key: VerifierKey
    url: str | None


@dataclass(frozen=True, slots=True)
class Group:
    """A group that has witnessed where at least `threshold` of its members have."""

    threshold: int
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a policy finds in a checkpoint: the head, its note, and each valid cosignature's POSIX second by witness."""

    checkpoint: Checkpoint
    note: Note
    cosigned: dict[str, int]


@dataclass(frozen=True, slots=True)
class Policy:
    """A parsed policy. `quorum` names a witness or a group, or is None where no cosignature is asked for."""

    logs: tuple[PolicyLog, ...]
    witnesses: tuple[PolicyWitness, ...]
    groups: dict[str, Group]
    quorum: str | None

    @classmethod
    def parse(cls, data: bytes) -> Policy:
        """Read a policy file. Raises POLICY_MALFORMED, WITNESS_DUPLICATE, KEY_TWO_NAMES, WITNESS_IS_LOG, or what a
        verifier key raises, each with the line number."""
        return _Reader().read(data)

    @classmethod
    def of_log(cls, *keys: VerifierKey) -> Policy:
        """The policy of a reader who pins keys of one log and asks for no witness."""
        return cls(tuple(PolicyLog(key, None) for key in keys), (), {}, None)

    def met_by(self, names: frozenset[str]) -> bool:
        """Whether these witnesses make the quorum."""
        return self.quorum is None or self._has_witnessed(self.quorum, names)

    def fewest(self) -> int:
        """How many witnesses the smallest quorum has; 0 where none is asked for."""
        return 0 if self.quorum is None else self._fewest(self.quorum)

    def _fewest(self, name: str) -> int:
        group = self.groups.get(name)
        return 1 if group is None else sum(sorted(map(self._fewest, group.members))[: group.threshold])

    def _has_witnessed(self, name: str, names: frozenset[str]) -> bool:
        group = self.groups.get(name)
        if group is None:
            return name in names
        return sum(self._has_witnessed(member, names) for member in group.members) >= group.threshold

    def examine(self, data: bytes) -> Verdict:
        """Open a checkpoint and list who cosigned it, quorum or not.

        Raises what `open_checkpoint` raises, and SIGNATURE_WRONG where a listed witness's cosignature is not valid.
        """
        checkpoint, note = open_checkpoint(data, tuple(log.key for log in self.logs))
        by_key = {witness.key: witness.name for witness in self.witnesses}
        if not any(key.made(signed) for key in by_key for signed in note.signatures):
            return Verdict(checkpoint, note, {})
        signed = note.verified(tuple(by_key))
        return Verdict(checkpoint, note, {by_key[key]: cosignature.unpack(line.data)[0] for key, line in signed})

    def check(self, data: bytes) -> Verdict:
        """Open a checkpoint that the policy accepts. Raises what `examine` raises, and QUORUM_UNMET."""
        verdict = self.examine(data)
        if not self.met_by(frozenset(verdict.cosigned)):
            names = ", ".join(sorted(verdict.cosigned)) or "no witness"
            raise LogFault("QUORUM_UNMET", f"cosigned by {names}, which is not the quorum {self.quorum}")
        return verdict


class _Reader:
    """Reads a policy line by line, so that every line sees only what stands above it."""

    def __init__(self) -> None:
        self.logs: list[PolicyLog] = []
        self.witnesses: list[PolicyWitness] = []
        self.groups: dict[str, Group] = {}
        self.names: set[str] = set()
        self.used: set[str] = set()
        self.quorum: list[str] = []

    def read(self, data: bytes) -> Policy:
        if len(data) > MAX_POLICY:
            raise LogFault("POLICY_MALFORMED", f"the policy has {len(data)} bytes, the limit is {MAX_POLICY}")
        if _FORBIDDEN.search(data):
            raise LogFault("POLICY_MALFORMED", "the policy holds a control character")
        if data and not data.endswith(b"\n"):
            raise LogFault("POLICY_MALFORMED", "the last line of the policy is not complete")
        for number, line in enumerate(data.split(b"\n"), 1):
            words = [word.decode("utf-8", "surrogateescape") for word in line.split()]
            if not words or words[0].startswith("#"):
                continue
            try:
                self._line(words[0], words[1:])
            except LogFault as fault:
                raise fault.at(f"line {number}") from None
        if len(self.quorum) != 1:
            raise LogFault("POLICY_MALFORMED", f"a policy has exactly one quorum line, this one {len(self.quorum)}")
        quorum = None if self.quorum[0] == "none" else self.quorum[0]
        return Policy(tuple(self.logs), tuple(self.witnesses), self.groups, quorum)

    def _line(self, keyword: str, words: list[str]) -> None:
        if keyword == "log" and len(words) in (1, 2):
            self._log(VerifierKey.parse(words[0]), words[1] if len(words) == 2 else None)
        elif keyword == "witness" and len(words) in (2, 3):
            self._witness(words[0], VerifierKey.parse(words[1]), words[2] if len(words) == 3 else None)
        elif keyword == "group" and len(words) >= 3:
            self._group(words[0], words[1], tuple(words[2:]))
        elif keyword == "quorum" and len(words) == 1:
            if words[0] != "none":
                self._known(words[0])
            self.quorum.append(words[0])
        else:
            raise LogFault("POLICY_MALFORMED", f"no policy line: {keyword[:40]!r} with {len(words)} words")

    def _log(self, key: VerifierKey, url: str | None) -> None:
        if key.kind != ED25519:
            raise LogFault("KEY_MALFORMED", f"{key.name} is no log key: its type is {key.kind:#04x}")
        _refuse_same_key(key, [log.key for log in self.logs])
        self.logs.append(PolicyLog(key, url))
        self._check_apart(len(self.logs))

    def _witness(self, name: str, key: VerifierKey, url: str | None) -> None:
        if key.kind != COSIGNATURE:
            raise LogFault("KEY_MALFORMED", f"{key.name} is no witness key: its type is {key.kind:#04x}")
        self._new(name)
        _refuse_same_key(key, [witness.key for witness in self.witnesses])
        self.witnesses.append(PolicyWitness(name, key, url))
        self._check_apart(len(self.witnesses))

    def _group(self, name: str, threshold: str, members: tuple[str, ...]) -> None:
        for member in members:
            self._known(member)
            if member in self.used:
                raise LogFault("POLICY_MALFORMED", f"{member!r} is a member twice")
            self.used.add(member)
        named = {"all": len(members), "any": 1}
        wanted = named[threshold] if threshold in named else decimal(threshold, "the threshold")
        if not 1 <= wanted <= len(members):
            raise LogFault("POLICY_MALFORMED", f"{wanted} of {len(members)} members is no threshold")
        self._new(name)
        self.groups[name] = Group(wanted, members)
        self._check_apart(len(self.groups))

    def _new(self, name: str) -> None:
        if name == "none" or name in self.names:
            raise LogFault("POLICY_MALFORMED", f"the name {name!r} is taken")
        self.names.add(name)

    def _known(self, name: str) -> None:
        if name not in self.names:
            raise LogFault("POLICY_MALFORMED", f"no witness or group above is named {name!r}")

    def _check_apart(self, lines: int) -> None:
        if lines > MAX_LINES_A_KIND:
            raise LogFault("POLICY_MALFORMED", f"more than {MAX_LINES_A_KIND} lines of one kind")
        logs = {log.key.public for log in self.logs}
        for witness in self.witnesses:
            if witness.key.public in logs:
                raise LogFault("WITNESS_IS_LOG", f"the key of witness {witness.name!r} is the key of a log")


def _refuse_same_key(key: VerifierKey, others: list[VerifierKey]) -> None:
    for other in others:
        if other.public == key.public:
            if other.name != key.name:
                raise LogFault("KEY_TWO_NAMES", f"{other.name} and {key.name} are one key")
            raise LogFault("WITNESS_DUPLICATE", f"{key.name} is listed twice")
