"""Faults of the transparency log: one closed table of what can be wrong with it.

Everything that reads a note, a proof, a tile, a policy or a bundle raises `LogFault` and nothing else. A code names one
fault; the table says what it means for the reader, what to do, and with which status a command ends: 1 where the
evidence does not hold or a step was refused, 2 where the input cannot be used at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

FINDING: Final = 1
UNUSABLE: Final = 2


@dataclass(frozen=True, slots=True)
class FaultKind:
    """What a fault code stands for: exit status (1 or 2), meaning and cure, each one plain sentence, and the rule of
    the registry that it enforces, if there is one."""

    status: int
    meaning: str
    fix: str
    rule: str = ""


class LogFault(ValueError):
    """One fault: `code` out of `FAULTS`, `detail` saying what was seen, `where` naming the file, line or entry."""

    def __init__(self, code: str, detail: str, where: str = "") -> None:
        self.code = code
        self.kind = FAULTS[code]
        self.detail = detail
        self.where = where
        super().__init__(f"{code}: {where + ': ' if where else ''}{detail}")

    def __reduce__(self) -> tuple[type[LogFault], tuple[str, str, str]]:
        """What pickle needs to carry a fault out of another process."""
        return LogFault, (self.code, self.detail, self.where)

    def at(self, where: str) -> LogFault:
        """The same fault with the place it was met at, unless a place is already known."""
        return self if self.where else LogFault(self.code, self.detail, where)

    def document(self) -> dict[str, str | int]:
        """The fault as a flat mapping for `--json` output."""
        return {
            "code": self.code,
            "detail": self.detail,
            "where": self.where,
            "meaning": self.kind.meaning,
            "fix": self.kind.fix,
            "rule": self.kind.rule,
            "status": self.kind.status,
        }


_TABLE: Final[dict[str, FaultKind]] = {
    "BASE64_JUNK": FaultKind(
        UNUSABLE, "A field that must be standard padded base64 is not.", "Fetch the file again, byte for byte."
    ),
    "SIZE_MALFORMED": FaultKind(
        UNUSABLE, "A tree size or index is not a plain decimal number.", "Write ASCII digits only, no leading zero."
    ),
    "NOTE_TOO_LARGE": FaultKind(
        UNUSABLE, "A signed note is larger than any reader must accept.", "Ask for the note, not another file."
    ),
    "NOTE_MALFORMED": FaultKind(
        UNUSABLE, "The bytes are not a signed note.", "Keep text, one blank line and signature lines exactly as signed."
    ),
    "NOTE_UNSIGNED": FaultKind(
        FINDING, "No key that is trusted here signed the note.", "Pin the verifier key of this log."
    ),
    "SIGNATURE_WRONG": FaultKind(
        FINDING, "A signature of a trusted key does not fit the text.", "Treat it as altered; keep it as evidence."
    ),
    "KEY_MALFORMED": FaultKind(
        UNUSABLE, "A verifier or signing key cannot be read.", "Copy the whole key: name, key id and base64 part."
    ),
    "KEY_WEAK": FaultKind(
        UNUSABLE, "A public key is of small order or no point of the curve; it binds nobody.", "Generate a new key."
    ),
    "KEY_AMBIGUOUS": FaultKind(UNUSABLE, "Two trusted keys share one name and key id.", "List every key once."),
    "KEY_TWO_NAMES": FaultKind(
        UNUSABLE, "One public key is listed under two names.", "Keep one name for a key, so that it counts once."
    ),
    "CHECKPOINT_MALFORMED": FaultKind(
        UNUSABLE, "The note is no checkpoint.", "A checkpoint has origin, size, root and no blank line."
    ),
    "ORIGIN_WRONG": FaultKind(
        FINDING, "The checkpoint is of another log than the one asked for.", "Ask for the log whose key is pinned."
    ),
    "PROOF_MALFORMED": FaultKind(
        UNUSABLE, "The proof cannot be read.", "Fetch the proof again; it has a fixed line format."
    ),
    "PROOF_TOO_LONG": FaultKind(
        UNUSABLE, "A proof has more than 63 hashes, which no tree needs.", "Refuse the proof; ask the log for another."
    ),
    "PROOF_EMPTY": FaultKind(UNUSABLE, "The proof or answer is empty.", "Ask again; an empty answer proves nothing."),
    "PROOF_WRONG": FaultKind(
        FINDING, "The proof does not lead to the root.", "Entry, position, size and root must be of one checkpoint."
    ),
    "INDEX_RANGE": FaultKind(
        UNUSABLE, "The position lies outside the tree.", "Take a position below the size of the checkpoint."
    ),
    "POLICY_MALFORMED": FaultKind(
        UNUSABLE, "The policy file cannot be read.", "See the tlog-policy format: log, witness, group and quorum lines."
    ),
    "WITNESS_DUPLICATE": FaultKind(
        UNUSABLE, "One key is listed twice in the policy.", "List every key once, so that it counts once."
    ),
    "WITNESS_IS_LOG": FaultKind(
        UNUSABLE, "A witness of the policy is the log itself.", "Name a witness that somebody else runs."
    ),
    "QUORUM_UNMET": FaultKind(
        FINDING,
        "Too few witnesses cosigned the checkpoint.",
        "Wait for the witnesses or ask them again.",
        "TB-LEDGER-005",
    ),
    "TILE_PATH": FaultKind(
        UNUSABLE, "The path is not of a tile or a bundle.", "A path is tile/<level>/<number>, .p/<width> if partial."
    ),
    "TILE_MISSING": FaultKind(
        FINDING, "A tile or bundle that the checkpoint needs is absent.", "Fetch it from a mirror or publish again."
    ),
    "TILE_TRUNCATED": FaultKind(
        FINDING, "A tile or bundle has not the length its path says.", "Restore the file from a mirror or a backup."
    ),
    "TILE_FORGED": FaultKind(
        FINDING, "A tile does not belong under the signed root.", "Treat the copy as forged; compare with a mirror."
    ),
    "BUNDLE_FORGED": FaultKind(
        FINDING, "A logged entry does not hash to its leaf.", "Treat the copy as forged; compare with a mirror."
    ),
    "BODY_FORGED": FaultKind(
        FINDING, "The body of an event does not hash to its entry.", "Treat the copy as forged; compare with a mirror."
    ),
    "BODY_MISSING": FaultKind(
        FINDING, "The bodies of logged events are absent.", "Fetch the file from a mirror or publish again."
    ),
    "FILE_TOO_LARGE": FaultKind(
        UNUSABLE, "A file is larger than any file of a log is.", "Name the file of the log; nothing was read."
    ),
    "DISK_REFUSED": FaultKind(
        UNUSABLE, "The disk does not take or give a file.", "Free space or mend access, then run the command again."
    ),
    "LOG_BUSY": FaultKind(
        FINDING, "Another process is publishing this log.", "Wait for it; two publishers are never needed."
    ),
    "LOG_EXISTS": FaultKind(
        UNUSABLE, "A log or witness of this name exists already.", "Use it, or give a new origin and another folder."
    ),
    "LOG_MISSING": FaultKind(UNUSABLE, "No log is set up for this bench.", "Run `toll log init` first."),
    "LOG_MALFORMED": FaultKind(
        UNUSABLE, "The settings of the log cannot be read.", "Restore log.json from a backup of the settings."
    ),
    "LOG_GAP": FaultKind(
        FINDING, "The stored events are not numbered without a gap.", "Restore the database; nothing was signed."
    ),
    "KEY_MISSING": FaultKind(
        UNUSABLE, "The signing key is not where the settings say.", "Put the key back, or set the variable."
    ),
    "KEY_EXPOSED": FaultKind(
        UNUSABLE, "Others than its owner may read the signing key.", "Run chmod 600 on it, and consider a new origin."
    ),
    "KEY_CHANGED": FaultKind(
        UNUSABLE, "The signing key is not the one the log was set up with.", "A new key needs a new origin: rotate."
    ),
    "HEAD_ROLLBACK": FaultKind(
        FINDING,
        "There are fewer events than a signed head covers.",
        "Restore the newest database; an older copy must not be appended to.",
        "TB-LEDGER-006",
    ),
    "HEAD_SPLIT": FaultKind(
        FINDING,
        "The events are not those that a signed head covers: a second history.",
        "Stop and compare with the published log; restore the database it came from.",
        "TB-LEDGER-006",
    ),
    "EVENT_ALTERED": FaultKind(
        FINDING,
        "A stored event is not what was logged.",
        "Restore the database; keep the altered copy.",
        "TB-LEDGER-006",
    ),
    "NOT_CANONICAL": FaultKind(
        FINDING, "Stored bytes are no canonical event.", "Restore the database; nothing was signed.", "TB-LEDGER-002"
    ),
    "HEAD_RARE": FaultKind(UNUSABLE, "Heads would be too far apart.", "Take a shorter interval.", "TB-LEDGER-003"),
    "LOG_UNWITNESSED": FaultKind(
        UNUSABLE,
        "A log on the web needs outside witnesses.",
        "Give a policy whose quorum has one, or serve the log locally only.",
        "TB-LEDGER-005",
    ),
    "TILE_CONFLICT": FaultKind(
        FINDING,
        "A file to be published exists with other bytes.",
        "Find out which history it is of; remove it by hand only if no signed head covers it.",
        "TB-LEDGER-006",
    ),
    "WITNESS_SILENT": FaultKind(
        FINDING, "A witness gives no valid answer.", "Ask its operator; a quorum of the others may do."
    ),
    "WITNESS_DISPUTES": FaultKind(
        FINDING,
        "A witness holds a head that the new one does not extend.",
        "Stop: the history was rolled back or split, or the witness lies. Compare both heads before anything else.",
        "TB-LEDGER-005",
    ),
    "SOURCE_MISSING": FaultKind(UNUSABLE, "There is no such file, folder or bundle.", "Check the path."),
    "SOURCE_SILENT": FaultKind(UNUSABLE, "The web address gives no answer.", "Try again later, or take a mirror."),
    "PATH_UNSAFE": FaultKind(
        UNUSABLE, "A path leads out of the bundle or has two spellings.", "Refuse the bundle; ask for an honest one."
    ),
    "BUNDLE_EXISTS": FaultKind(UNUSABLE, "Something is there where the bundle is to go.", "Name another place."),
    "BUNDLE_MALFORMED": FaultKind(
        UNUSABLE, "The file is no bundle.", "A bundle is a folder or an uncompressed tar file of plain files."
    ),
    "FILE_MISSING": FaultKind(FINDING, "A file of the bundle is absent.", "Fetch the whole bundle again."),
    "FILE_ALTERED": FaultKind(
        FINDING, "A file of the bundle is not the one that was signed.", "Treat the copy as altered; fetch it again."
    ),
    "FILE_UNLISTED": FaultKind(
        FINDING, "The bundle holds a file that nobody signed.", "Take it out; it is no part of the evidence."
    ),
    "MANIFEST_MALFORMED": FaultKind(UNUSABLE, "The manifest cannot be read.", "Fetch the whole bundle again."),
    "MANIFEST_WRONG": FaultKind(
        FINDING, "The manifest is signed for something else.", "Treat the bundle as altered; fetch it again."
    ),
    "EDITION_WRONG": FaultKind(
        FINDING, "An edition of the rulebook is not the one its hash names.", "Fetch the edition from its publisher."
    ),
    "EVENT_SHAPE": FaultKind(
        FINDING, "A logged event is of no registered type or shape.", "Verify with a version that knows the type."
    ),
    "EVENT_ORDER": FaultKind(
        FINDING, "Events do not follow on each other as a bench writes them.", "Ask the bench; its log is at fault."
    ),
    "RULE_UNKNOWN": FaultKind(
        FINDING, "An event cites a rule that its edition does not have.", "Ask the bench for the edition it names."
    ),
    "RULE_UNCITED": FaultKind(
        FINDING, "A rule judges an event that does not cite it.", "Ask the bench; the event hides what judged it."
    ),
    "RULE_BROKEN": FaultKind(
        FINDING, "An event stands in the log that a public rule refuses.", "Ask the bench; the figures rest on it."
    ),
    "BOARD_WRONG": FaultKind(
        FINDING, "The published figures do not follow from the events.", "Believe the recomputed board, and ask."
    ),
    "RECEIPT_MALFORMED": FaultKind(
        UNUSABLE,
        "The file is no receipt.",
        "Verify a bundle (`toll log bundle`), a published folder or address, a receipt (`toll receipt`) or a proof.",
    ),
    "ROW_WRONG": FaultKind(
        FINDING, "A row of the board does not follow from the events beside it.", "Believe the events, and ask."
    ),
    "EVENT_UNKNOWN": FaultKind(
        UNUSABLE, "The published log has no such event or deal.", "Publish first, or check the id or leaf index."
    ),
    "PROCESS_LOST": FaultKind(
        UNUSABLE, "The verification lost its second process.", "Run it again, with more memory or on one core."
    ),
}

FAULTS: Final[Mapping[str, FaultKind]] = MappingProxyType(_TABLE)
