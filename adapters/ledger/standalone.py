#!/usr/bin/env python3
"""Check a Toll Bench audit bundle with nothing but Python: no package, no network, no trust in whoever sent it.

    python verify.py [BUNDLE] --key VKEY [--policy FILE] [--since CHECKPOINT] [--json]

BUNDLE is the folder or .tar file, by default the folder this file lies in. VKEY is the log's verifier key, which you
must have from elsewhere: without it everything is checked against the bundle's own word and the verdict is
`unverified`.

This is a second implementation, written apart from the program that made the bundle and sharing no line with it. It
reads the same formats (C2SP signed-note, tlog-checkpoint, tlog-cosignature, tlog-policy and tlog-tiles; RFC 9162;
RFC 8785; RFC 8032) and checks:

 1  the checkpoint's signature, and the witnesses' cosignatures if you bring a policy
 2  the signed manifest and the SHA-256 of every file
 3  the whole Merkle tree, built anew from the events; every tile and bundle of entries, byte for byte
 4  that an earlier checkpoint is a prefix of this log, if you bring one
 5  every event: canonical form, closed set of keys, versions and instants in order
 6  every signature of a person or agent on a deal card, a milestone approval or an outcome approval
 7  the headline figures of the board: attempts, successes, success rate, Bench rating, and the Toll of each band

Exit status: 0 all of it holds under the key you gave, 1 something does not hold or no key was given, 2 unusable input.
"""

from __future__ import annotations

import argparse
import base64
import binascii
import hashlib
import json
import re
import sys
import tarfile
from datetime import datetime, timezone
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # annotations are never evaluated, so Python 3.8 runs what is written for 3.11
    from collections.abc import Callable, Iterable, Iterator
    from typing import ClassVar, NoReturn

    Point = tuple[int, int, int, int]
    Signature = tuple[str, bytes, bytes]
    Facts = dict[str, Any]

EM_DASH = "\u2014"
ENVELOPE = {
    "actor",
    "at",
    "command",
    "data",
    "id",
    "rulebooks",
    "rules",
    "schema",
    "stream",
    "subject",
    "type",
    "version",
}
CARD = (
    "target",
    "proposal",
    "passport",
    "person",
    "system",
    "card_version",
    "card_hash",
    "total_cents",
    "timeline_seconds",
    "step_cents",
    "outcome_cents",
    "card_commitment",
)


class Wrong(Exception):
    """Something in the bundle does not hold."""


class Unusable(Exception):
    """The input cannot be read at all."""


# --- Ed25519 (RFC 8032), verification only ---------------------------------------------------------------------------

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
CURVE_D = -121665 * pow(121666, PRIME - 2, PRIME) % PRIME
ROOT_OF_MINUS_ONE = pow(2, (PRIME - 1) // 4, PRIME)
NEUTRAL: Point = (0, 1, 1, 0)


def point_sum(p: Point, q: Point) -> Point:
    """Sum of two points in extended coordinates (X, Y, Z, T)."""
    x1, y1, z1, t1 = p
    x2, y2, z2, t2 = q
    a = (y1 - x1) * (y2 - x2) % PRIME
    b = (y1 + x1) * (y2 + x2) % PRIME
    c = 2 * t1 * t2 * CURVE_D % PRIME
    d = 2 * z1 * z2 % PRIME
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


def point_double(p: Point) -> Point:
    """Twice a point."""
    x, y, z, _ = p
    a, b = x * x % PRIME, y * y % PRIME
    c = 2 * z * z % PRIME
    h = a + b
    e = h - (x + y) * (x + y) % PRIME
    g = a - b
    f = c + g
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


def point_decode(data: bytes) -> Point | None:
    """The point of a 32-byte encoding, or None where it is not canonical or on no curve."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    if y >= PRIME:
        return None
    top, bottom = (y * y - 1) % PRIME, (CURVE_D * y * y + 1) % PRIME
    x = top * pow(bottom, 3, PRIME) * pow(top * pow(bottom, 7, PRIME), (PRIME - 5) // 8, PRIME) % PRIME
    if bottom * x * x % PRIME == -top % PRIME:
        x = x * ROOT_OF_MINUS_ONE % PRIME
    if bottom * x * x % PRIME != top or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = PRIME - x
    return x, y, 1, x * y % PRIME


def point_encode(p: Point) -> bytes:
    """The 32 bytes of a point."""
    x, y, z, _ = p
    inverse = pow(z, PRIME - 2, PRIME)
    x, y = x * inverse % PRIME, y * inverse % PRIME
    return (y | (x & 1) << 255).to_bytes(32, "little")


def point_row(p: Point) -> list[Point]:
    """The multiples 0 to 15 of a point."""
    row = [NEUTRAL, p]
    for _ in range(14):
        row.append(point_sum(row[-1], p))
    return row


BASE_ROW = point_row(point_decode(bytes([0x58]) + bytes([0x66]) * 31) or NEUTRAL)
KEY_ROWS: dict[bytes, list[Point] | None] = {}


def key_row(public: bytes) -> list[Point] | None:
    """The multiples of the negated key, or None for a key that nobody may use: not canonical, or of small order."""
    if public not in KEY_ROWS:
        point = point_decode(public)
        if point is not None:
            eightfold = point_double(point_double(point_double(point)))
            if eightfold[0] % PRIME == 0 and (eightfold[1] - eightfold[2]) % PRIME == 0:
                point = None
        KEY_ROWS[public] = None if point is None else point_row((PRIME - point[0], point[1], 1, PRIME - point[3]))
    return KEY_ROWS[public]


def ed25519_holds(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the 64-byte signature of the message is valid under the 32-byte key."""
    if len(public) != 32 or len(signature) != 64:
        return False
    row, scalar = key_row(public), int.from_bytes(signature[32:], "little")
    if row is None or scalar >= ORDER:
        return False
    digest = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % ORDER
    total = NEUTRAL
    for shift in range(252, -4, -4):
        if total is not NEUTRAL:
            total = point_double(point_double(point_double(point_double(total))))
        for number, multiples in ((scalar, BASE_ROW), (digest, row)):
            digit = number >> shift & 15
            if digit:
                total = point_sum(total, multiples[digit])
    return point_encode(total) == signature[:32]


# --- the encodings of notes ------------------------------------------------------------------------------------------


def unbase64(text: str, what: str) -> bytes:
    """Bytes of padded base64 in its one spelling."""
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except (ValueError, binascii.Error, UnicodeEncodeError):
        raise Wrong(f"{what} is not base64") from None
    if base64.b64encode(data).decode() != text:
        raise Wrong(f"{what} is not in its one base64 spelling")
    return data


def natural(text: str, what: str) -> int:
    """A decimal number without sign or leading zero."""
    if not re.match(r"(0|[1-9][0-9]{0,18})\Z", text, re.ASCII):
        raise Wrong(f"{what} is no plain decimal number: {text[:40]!r}")
    return int(text)


class Key:
    """A verifier key: name, type byte, public key and 4-byte id."""

    def __init__(self, text: str) -> None:
        match = re.match(r"([^\s+]+)\+([0-9a-f]{8})\+(.+)\Z", text)
        if not match:
            raise Unusable(f"{text[:80]!r} is no verifier key")
        self.name = match.group(1)
        material = unbase64(match.group(3), "the key of " + self.name)
        self.kind, self.public = material[0], material[1:]
        self.id = hashlib.sha256(self.name.encode() + b"\n" + material).digest()[:4]
        if self.id.hex() != match.group(2) or len(self.public) != 32 or self.kind not in (1, 4):
            raise Unusable(f"the verifier key of {self.name} is damaged or of another type")
        if key_row(self.public) is None:
            raise Unusable(f"the verifier key of {self.name} is no usable Ed25519 key")

    def holds(self, body: bytes, signature: bytes) -> bool:
        """Whether a signature under the text is valid for this key; a cosignature covers its time and the text."""
        if self.kind == 1:
            return ed25519_holds(self.public, body, signature)
        if len(signature) != 72:
            return False
        seconds = int.from_bytes(signature[:8], "big")
        signed = b"cosignature/v1\ntime %d\n" % seconds + body
        return 0 < seconds < 2**63 and ed25519_holds(self.public, signed, signature[8:])


def read_note(data: bytes) -> tuple[str, list[Signature]]:
    """(text with its final line feed, [(name, id, signature)]) of a signed note."""
    if len(data) > 1000000:
        raise Wrong("the note is longer than a million bytes")
    try:
        whole = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Wrong("the note is not UTF-8") from None
    if any(ord(char) < 32 and char != "\n" for char in whole):
        raise Wrong("the note holds a control character")
    cut = whole.rfind("\n\n")
    lines = whole[cut + 2 :].split("\n")
    if cut < 0 or len(lines) < 2 or lines.pop() != "" or len(lines) > 100:
        raise Wrong("the note does not end in a blank line and signature lines")
    signatures = []
    for line in lines:
        words = line.split(" ")
        if len(words) != 3 or words[0] != EM_DASH or not re.match(r"[^\s+]+\Z", words[1]):
            raise Wrong(f"no signature line: {line[:60]!r}")
        raw = unbase64(words[2], "the signature of " + words[1])
        if len(raw) < 5:
            raise Wrong(f"the signature of {words[1]} is too short")
        signatures.append((words[1], raw[:4], raw[4:]))
    return whole[: cut + 1], signatures


def signers(text: str, signatures: list[Signature], keys: Iterable[Key]) -> list[Key]:
    """The keys that signed; one that does not verify refuses the note."""
    found = []
    for name, id_, signature in signatures:
        for key in keys:
            if (key.name, key.id) == (name, id_):
                if not key.holds(text.encode(), signature):
                    raise Wrong(f"the signature of {name} does not fit the text")
                if key not in found:
                    found.append(key)
    return found


def read_checkpoint(data: bytes, keys: list[Key]) -> tuple[str, int, bytes, str, list[Signature]]:
    """(origin, size, root, text, signatures) of a checkpoint that one of the log keys signed for its origin."""
    text, signatures = read_note(data)
    lines = text[:-1].split("\n")
    if len(lines) < 3 or "" in lines:
        raise Wrong("a checkpoint has the lines origin, size and root and no blank one")
    size, root = natural(lines[1], "the tree size"), unbase64(lines[2], "the root")
    if len(root) != 32:
        raise Wrong("the root has not 32 bytes")
    own = [key for key in keys if key.name == lines[0] and key.kind == 1]
    if not own:
        raise Wrong(
            "the checkpoint is of {!r}, the key is for {}".format(lines[0], ", ".join(key.name for key in keys))
        )
    if not signers(text, signatures, own):
        raise Wrong(f"the checkpoint is not signed by the key of {lines[0]}")
    return lines[0], size, root, text, signatures


class Policy:
    """A trust policy: log keys, witness keys by name, and the quorum as a function of the names that cosigned."""

    def __init__(self, data: bytes) -> None:
        self.logs: list[Key] = []
        self.witnesses: dict[str, Key] = {}
        self.groups: dict[str, tuple[int, list[str]]] = {}
        self.quorum: str | None = None
        member_of: set[str] = set()
        quorums = 0
        for line in data.decode("utf-8", "surrogateescape").split("\n"):
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            kind, rest = words[0], words[1:]
            if kind == "log" and len(rest) in (1, 2):
                self.logs.append(self.fresh(Key(rest[0])))
            elif kind == "witness" and len(rest) in (2, 3) and self.free(rest[0]):
                self.witnesses[rest[0]] = self.fresh(Key(rest[1]))
            elif kind == "group" and len(rest) >= 3 and self.free(rest[0]):
                members = rest[2:]
                need = {"any": 1, "all": len(members)}.get(rest[1]) or natural(rest[1], "the threshold")
                known = all(name in self.witnesses or name in self.groups for name in members)
                if not known or not 1 <= need <= len(members) or member_of & set(members):
                    raise Unusable(f"the group {rest[0]} of the policy cannot be meant")
                if len(set(members)) != len(members):
                    raise Unusable(f"the group {rest[0]} names a member twice")
                member_of |= set(members)
                self.groups[rest[0]] = (need, members)
            elif kind == "quorum" and len(rest) == 1:
                if rest[0] != "none" and rest[0] not in self.witnesses and rest[0] not in self.groups:
                    raise Unusable("the quorum of the policy is not defined above it")
                quorums += 1
                self.quorum = None if rest[0] == "none" else rest[0]
            else:
                raise Unusable(f"no line of a policy: {line[:60]!r}")
        if quorums != 1:
            raise Unusable("a policy has exactly one quorum line")

    def free(self, name: str) -> bool:
        """Whether a name is not in use."""
        return name != "none" and name not in self.witnesses and name not in self.groups

    def fresh(self, key: Key) -> Key:
        """The key, refused where the policy lists it already under whatever name or role."""
        if key.public in [other.public for other in [*self.logs, *self.witnesses.values()]]:
            raise Unusable(f"the policy lists the key of {key.name} twice")
        return key

    def met(self, names: set[str], at: str | None = None) -> bool:
        """Whether these names make the quorum."""
        at = self.quorum if at is None else at
        if at is None or at in self.witnesses:
            return at is None or at in names
        need, members = self.groups[at]
        return sum(self.met(names, member) for member in members) >= need

    def cosigners(self, text: str, signatures: list[Signature]) -> list[str]:
        """Names of the listed witnesses whose cosignature is valid."""
        found = signers(text, signatures, [key for key in self.witnesses.values() if key.kind == 4])
        return sorted(name for name, key in self.witnesses.items() if key in found)


# --- the bundle and its tree -----------------------------------------------------------------------------------------


class Bundle:
    """The files of a bundle, from a folder or a tar file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.tar: tarfile.TarFile | None = None
        if path.is_file():
            try:
                self.tar = tarfile.open(str(path), "r:")  # noqa: SIM115 - read to the end of the run
                self.members = {member.name: member for member in self.tar.getmembers() if not member.isdir()}
            except (tarfile.TarError, OSError, EOFError) as error:
                raise Unusable(f"{path} is no tar file: {error}") from None
            if not all(member.isfile() for member in self.members.values()):
                raise Wrong("the bundle holds something that is no plain file")
        elif not path.is_dir():
            raise Unusable(f"there is no bundle at {path}")

    def read(self, name: str) -> bytes:
        """Bytes of a file. Raises Wrong where it is absent."""
        try:
            if self.tar is None:
                return (self.path / name).read_bytes()
            file = self.tar.extractfile(self.members[name])
            return b"" if file is None else file.read()
        except (KeyError, OSError, AttributeError, tarfile.TarError):
            raise Wrong(f"{name} is missing") from None

    def names(self) -> list[str]:
        """Every file there is."""
        if self.tar is not None:
            return sorted(self.members)
        found = (path.relative_to(self.path) for path in self.path.rglob("*") if path.is_file())
        return sorted(name.as_posix() for name in found if not any(part.startswith(".") for part in name.parts))


def check_manifest(bundle: Bundle, origin: str, size: int, keys: list[Key]) -> dict[str, Any]:
    """The listed files; every one of them has been hashed."""
    body = bundle.read("manifest.json")
    text, signatures = read_note(bundle.read("manifest.note"))
    digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
    if text != f"toll-bundle/1\n{origin}\n{size}\n{digest}\n":
        raise Wrong("the signed manifest is of another bundle")
    if not signers(text, signatures, [key for key in keys if key.name == origin]):
        raise Wrong("the manifest is not signed by the log")
    listed: dict[str, Any] = json.loads(body)["files"]
    for name in sorted(listed):
        data = bundle.read(name)
        if hashlib.sha256(data).hexdigest() != listed[name]["sha256"] or len(data) != listed[name]["bytes"]:
            raise Wrong(f"{name} is not the file that was signed")
    for name in bundle.names():
        if name not in listed and name not in ("manifest.json", "manifest.note"):
            raise Wrong(f"{name} is not listed in the manifest")
    return listed


def tile_name(number: int, width: int) -> str:
    """The path elements of a tile number and, for a partial one, its width."""
    digits = f"{number:03d}"
    digits = "0" * (-len(digits) % 3) + digits
    groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
    return "/".join(["x" + group for group in groups[:-1]] + groups[-1:]) + (f".p/{width}" if width < 256 else "")


def read_bodies(bundle: Bundle, size: int) -> Iterator[bytes]:
    """The bodies of all events in order."""
    for start in range(0, size, 256):
        width = min(256, size - start)
        name = "bodies/" + tile_name(start // 256, width)
        lines = bundle.read(name).split(b"\n")
        if lines.pop() != b"" or len(lines) != width:
            raise Wrong(f"{name} does not hold {width} lines")
        yield from lines


def check_tree(
    bundle: Bundle,
    entries: list[bytes],
    root: bytes,
    listed: dict[str, Any],
    old: tuple[int, bytes] | None,
) -> int:
    """Build the tree from the entries, compare root, tiles and bundles, and the root of an earlier size."""
    size = len(entries)
    rows = [[hashlib.sha256(b"\0" + entry).digest() for entry in entries]]
    while len(rows[-1]) > 1:
        below = rows[-1]
        pairs = range(0, len(below) - 1, 2)
        rows.append([hashlib.sha256(b"\1" + below[at] + below[at + 1]).digest() for at in pairs])

    def root_of(count: int) -> bytes:
        peaks: list[bytes] = []
        start = 0
        for level in range(count.bit_length() - 1, -1, -1):
            if count >> level & 1:
                peaks.append(rows[level][start >> level])
                start += 1 << level
        while len(peaks) > 1:
            right = peaks.pop()
            peaks[-1] = hashlib.sha256(b"\1" + peaks[-1] + right).digest()
        return peaks[0] if peaks else hashlib.sha256(b"").digest()

    if root_of(size) != root:
        raise Wrong("the events do not lead to the signed root")
    if old is not None and (old[0] > size or root_of(old[0]) != old[1]):
        raise Wrong("this log does not extend the earlier checkpoint: its history was rewritten")
    wanted = {}
    for level in range(8):
        row = rows[8 * level] if 8 * level < len(rows) else []
        for start in range(0, len(row), 256):
            part = row[start : start + 256]
            wanted[f"tile/{level}/{tile_name(start // 256, len(part))}"] = b"".join(part)
    for start in range(0, size, 256):
        part = entries[start : start + 256]
        name = "tile/entries/" + tile_name(start // 256, len(part))
        wanted[name] = b"".join(len(entry).to_bytes(2, "big") + entry for entry in part)
    if set(wanted) != {name for name in listed if name.startswith("tile/")}:
        raise Wrong("the bundle does not hold exactly the tiles of this tree")
    for name, data in wanted.items():
        if bundle.read(name) != data:
            raise Wrong(f"{name} does not follow from the events")
    return len(wanted)


# --- events, signatures and figures ----------------------------------------------------------------------------------


def canonical(value: Any) -> bytes:
    """RFC 8785 bytes of a value without floating point numbers whose keys are ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def unique(pairs: list[tuple[str, Any]]) -> Facts:
    """A JSON object without a key twice."""
    if len(dict(pairs)) != len(pairs):
        raise Wrong("an event holds a key twice")
    return dict(pairs)


def no_number(text: str) -> NoReturn:
    """Refuse a floating point number."""
    raise Wrong(f"an event holds the number {text}, which is no whole one")


def micros(text: str) -> int:
    """Microseconds since 1970 of an instant."""
    utc = timezone.utc  # noqa: UP017 - Python 3.8 knows no other name
    whole = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=utc) - datetime(1970, 1, 1, tzinfo=utc)
    return (whole.days * 86400 + whole.seconds) * 1000000 + whole.microseconds


class Ledger:
    """Folds the events into what the signatures and the headline figures need."""

    def __init__(self) -> None:
        self.versions: dict[str, int] = {}
        self.last = ""
        self.keys: dict[str, str] = {}
        self.odds: dict[str, Fraction] = {}
        self.cards: dict[str, Facts] = {}
        self.deals: dict[str, Facts] = {}
        self.receipts: dict[tuple[str, int], list[str]] = {}
        self.signatures = 0

    def take(self, body: bytes, leaf: int) -> None:
        """Check and fold one event."""
        strict: Facts = {"object_pairs_hook": unique, "parse_float": no_number, "parse_constant": no_number}
        event = json.loads(body.decode("utf-8"), **strict)
        if not isinstance(event, dict) or set(event) != ENVELOPE or canonical(event) != body:
            raise Wrong(f"event {leaf} is not in canonical form")
        stream, data, kind = event["stream"], event["data"], event["type"]
        if event["version"] != self.versions.get(stream, 0) + 1:
            raise Wrong(f"event {leaf} is not the next of {stream}")
        if event["at"] < self.last:
            raise Wrong(f"event {leaf} comes before the one above it")
        self.versions[stream], self.last = event["version"], event["at"]
        handler = self.HANDLERS.get(kind)
        if handler is not None:
            handler(self, stream, data, event, leaf)

    def registered(self, stream: str, data: Facts, event: Facts, leaf: int) -> None:
        self.keys[stream] = data["key"]

    def frozen(self, stream: str, data: Facts, event: Facts, leaf: int) -> None:
        self.odds[stream] = Fraction(data["p"])

    def proposed(self, stream: str, data: Facts, event: Facts, leaf: int) -> None:
        self.cards[stream] = dict({name: data[name] for name in CARD}, deal=stream)
        self.signed_by(data["passport"], "deal.card", self.cards[stream], data, leaf)

    def signed(self, stream: str, data: Facts, event: Facts, leaf: int) -> None:
        self.signed_by(data["person"], "deal.card", self.cards[stream], data, leaf)
        self.deals[stream] = {
            "p": self.odds[data["target"]], "at": micros(event["at"]), "o": None, "end": None, "integrity": None,
            "released": 0, "returned": 0, "asks": [], "open": {}, "free": data["total_cents"] == 0,
        }  # fmt: skip

    def receipt(self, stream: str, data: Facts, event: Facts, leaf: int) -> None:
        self.receipts.setdefault((stream, data["milestone"]), []).append(data["sha256"])

    def revised(self, stream: str, data: Facts, event: Facts, leaf: int) -> None:
        self.receipts[stream, data["milestone"]] = []

    def requested(self, stream: str, data: Facts, event: Facts, leaf: int) -> None:
        self.opens(stream, data.get("milestone", data.get("ask", "outcome")), event)

    def opens(self, stream: str, name: Any, event: Facts) -> None:
        deal = self.deals[stream]
        deal["open"][name] = len(deal["asks"])
        deal["asks"].append([micros(event["at"]), None])

    def answered(self, stream: str, data: Facts, event: Facts, leaf: int) -> None:
        deal = self.deals[stream]
        at = deal["open"].pop(data.get("milestone", data.get("ask", "outcome")), None)
        if at is not None:
            deal["asks"][at][1] = micros(event["at"])

    def milestone_approved(self, stream: str, data: Facts, event: Facts, leaf: int) -> None:
        number, card = data["milestone"], self.cards[stream]
        body = {
            "amount_cents": card["step_cents"][number - 1],
            "deal": stream,
            "milestone": number,
            "receipts": self.receipts.get((stream, number), []),
        }
        self.signed_by(card["person"], "milestone.approval", body, data, leaf)
        self.answered(stream, data, event, leaf)

    def outcome_approved(self, stream: str, data: Facts, event: Facts, leaf: int) -> None:
        card = self.cards[stream]
        body = {name: card[key] for name, key in (("amount_cents", "outcome_cents"), ("card_hash", "card_hash"))}
        body.update(deal=stream, target=card["target"])
        self.signed_by(card["person"], "outcome.approval", body, data, leaf)
        self.answered(stream, data, event, leaf)

    def signed_by(self, holder: str, kind: str, body: Facts, data: Facts, leaf: int) -> None:
        """The event bears the holder's signature, under its registered key, on this statement."""
        statement = b"tollbench/" + kind.encode() + b"\n" + canonical(body)
        if data["statement_hash"] != "sha256:" + hashlib.sha256(statement).hexdigest():
            raise Wrong(f"event {leaf}: the hash of the signed statement does not follow from the log")
        if data["key"] != self.keys.get(holder):
            raise Wrong(f"event {leaf} is signed with a key that is not registered for {holder}")
        if not ed25519_holds(bytes.fromhex(data["key"]), statement, bytes.fromhex(data["signature"])):
            raise Wrong(f"event {leaf}: the signature of {holder} is not valid")
        self.signatures += 1

    def released(self, stream: str, data: Facts, event: Facts, leaf: int) -> None:
        self.deals[stream]["released"] += data["amount_cents"]

    def returned(self, stream: str, data: Facts, event: Facts, leaf: int) -> None:
        self.deals[stream]["returned"] += data["amount_cents"]

    def resolved(self, stream: str, data: Facts, event: Facts, leaf: int) -> None:
        self.deals[stream].update(
            o=data["o"], end=data["resolution"], landed=micros(data["resolved_at"]), integrity="provisional"
        )

    def integrity(self, stream: str, data: Facts, event: Facts, leaf: int) -> None:
        self.deals[stream]["integrity"] = data["to"]

    HANDLERS: ClassVar[dict[str, Callable[[Ledger, str, Facts, Facts, int], None]]] = {
        "person.registered": registered,
        "passport.issued": registered,
        "actor.key_rotated": registered,
        "target.odds.frozen": frozen,
        "deal.proposed": proposed,
        "deal.signed": signed,
        "milestone.receipt.filed": receipt,
        "milestone.revised": revised,
        "milestone.approval.requested": requested,
        "outcome.approval.requested": requested,
        "ask.opened": requested,
        "milestone.approved": milestone_approved,
        "milestone.declined": answered,
        "outcome.approved": outcome_approved,
        "outcome.declined": answered,
        "ask.answered": answered,
        "escrow.released": released,
        "escrow.reversed": returned,
        "deal.resolved": resolved,
        "outcome.integrity_changed": integrity,
    }


def agent_seconds(deal: Facts) -> int:
    """Seconds from signing to resolution in which no request to the person was open."""
    waited, reach = 0, deal["at"]
    for start, end in sorted((start, deal["landed"] if end is None else end) for start, end in deal["asks"]):
        start, end = max(start, reach), min(end, deal["landed"])
        if end > start:
            waited += end - start
            reach = end
    return int((deal["landed"] - deal["at"] - waited) // 1000000)


def median(unsorted: Iterable[int]) -> Fraction | None:
    """The exact median, or None of nothing."""
    values = sorted(unsorted)
    if not values:
        return None
    middle = len(values) // 2
    return Fraction(values[middle]) if len(values) % 2 else Fraction(values[middle - 1] + values[middle], 2)


def headline(deals: list[Facts]) -> Facts:
    """The figures of a group of attempts, exact."""
    scored = [deal for deal in deals if deal["integrity"] == "official" and deal["o"] is not None]
    won = [deal for deal in scored if deal["o"] == 1]
    return {
        "attempts": len(deals),
        "resolved_official": len(scored),
        "successes": len(won),
        "success_rate": Fraction(len(won), len(scored)) if scored else None,
        "bench_rating": sum((deal["o"] - deal["p"] for deal in scored), Fraction(0)) if scored else None,
        "toll_seconds": median(agent_seconds(deal) for deal in won),
        "toll_cents": median(deal["released"] - deal["returned"] for deal in won),
    }


def stated(section: Facts, toll: Facts | None) -> Facts:
    """The same figures as the board states them."""

    def number(figure: Facts | None) -> Fraction | None:
        return None if figure is None or figure["value"] is None else Fraction(figure["value"])

    counts = section["counts"]
    return {
        "attempts": counts["attempts"],
        "resolved_official": counts["resolved_official"],
        "successes": counts["successes"],
        "success_rate": number(section["success_rate"]),
        "bench_rating": number(section["bench_rating"]),
        "toll_seconds": number(toll and toll["time"]),
        "toll_cents": number(toll and toll["cost"]),
    }


def check_figures(bundle: Bundle, ledger: Ledger, root: bytes, cosigners: list[str]) -> int:
    """Compare the headline figures and the header of the board. Returns how many figures were compared."""
    board = json.loads(bundle.read("board.json"))
    header = board["header"]
    if header["root"] != "sha256:" + root.hex() or header["witness"] != (cosigners or "unwitnessed"):
        raise Wrong("the board is of another head")
    deals, whole = list(ledger.deals.values()), board["overall"]
    if whole is None:
        if deals:
            raise Wrong("the board says that nothing happened, the log says otherwise")
        return 0
    compared = 0
    for band in [None, *sorted(whole["bands"])]:
        chosen = deals if band is None else [deal for deal in deals if band_of(deal["p"]) == band]
        section = whole if band is None else whole["bands"][band]
        own, theirs = headline(chosen), stated(section, None if band is None else section["toll"])
        for name, value in own.items():
            if band is None and name.startswith("toll_"):
                continue  # a Toll exists per band only
            if value != theirs[name]:
                raise Wrong(
                    "{} of {} is {}, the board says {}".format(name, band or "all attempts", value, theirs[name])
                )
            compared += 1
    return compared


def band_of(p: Fraction) -> str:
    """Equation (1) of the paper: the band of a frozen probability."""
    if p >= Fraction(1, 2):
        return "short"
    return "long" if p >= Fraction(15, 100) else "moonshot"


# --- the run ---------------------------------------------------------------------------------------------------------


def run(
    bundle: Bundle, key: Key | None, policy: Policy | None, since: bytes | None
) -> tuple[list[str], list[str], Facts]:
    """Check everything in order. Returns (checked, unchecked, head), or raises Wrong at the first thing that fails."""
    checked: list[str] = []
    unchecked: list[str] = []
    own = Policy(bundle.read("policy"))
    pinned = list(policy.logs) if policy is not None and policy.logs else []
    if key is not None:
        if pinned and key.public not in [log.public for log in pinned]:
            raise Unusable("the policy does not list the key that was given")
        pinned = [key]
    keys = pinned or [Key(bundle.read("vkey").decode("utf-8", "replace").rstrip("\n"))]
    origin, size, root, text, signatures = read_checkpoint(bundle.read("checkpoint"), keys)
    if pinned:
        checked.append(f"checkpoint of {size} events signed by {origin}")
    else:
        unchecked.append("whose log this is: no key was given, the bundle's own was used")
    cosigners = own.cosigners(text, signatures)
    if policy is None or policy.quorum is None:
        told = ", ".join(cosigners) or "none"
        unchecked.append(f"witnesses: no policy with a quorum was given; the bundle itself names {told}")
    else:
        names = policy.cosigners(text, signatures)
        if not policy.met(set(names)):
            told = ", ".join(names) or "no witness"
            raise Wrong(f"cosigned by {told}, which is no quorum")
        checked.append("cosigned by {}, which is a quorum".format(", ".join(names)))
    listed = check_manifest(bundle, origin, size, keys)
    checked.append(f"signed manifest, {len(listed)} files")
    ledger = Ledger()
    entries: list[bytes] = []
    for leaf, body in enumerate(read_bodies(bundle, size)):
        entries.append(hashlib.sha256(body).digest())
        ledger.take(body, leaf)
    old = None
    if since is not None:
        old = read_checkpoint(since, keys)[1:3]
    tiles = check_tree(bundle, entries, root, listed, old)
    checked.append(f"tree of {size} events under the root, {tiles} tiles and bundles")
    if old is not None:
        checked.append(f"the earlier head of {old[0]} events is a prefix")
    checked.append(f"form and order of {size} events")
    checked.append(f"{ledger.signatures} signatures of persons and agents")
    checked.append(f"{check_figures(bundle, ledger, root, cosigners)} headline figures of the board")
    unchecked.append("rules and all other figures: `toll verify` runs them again")
    return checked, unchecked, {"origin": origin, "size": size, "root": root.hex()}


def main(arguments: list[str] | None = None) -> int:
    """Parse the command line, run, and say what came out."""
    parser = argparse.ArgumentParser(description="Check a Toll Bench audit bundle.")
    parser.add_argument("bundle", nargs="?", default=str(Path(__file__).resolve().parent), help="folder or .tar file")
    parser.add_argument("--key", help="the log's verifier key, from a source you trust")
    parser.add_argument("--policy", help="a tlog-policy file with the witnesses you trust")
    parser.add_argument("--since", help="an earlier checkpoint that the log must extend")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args(arguments)
    report: Facts = {"verdict": "failed", "checked": [], "unchecked": [], "finding": None}
    try:
        key = None if given.key is None else Key(given.key)
        policy = None if given.policy is None else Policy(Path(given.policy).read_bytes())
        since = None if given.since is None else Path(given.since).read_bytes()
        report["checked"], report["unchecked"], head = run(Bundle(Path(given.bundle)), key, policy, since)
        report.update(head, verdict="ok" if key or (policy and policy.logs) else "unverified")
        status = 0 if report["verdict"] == "ok" else 1
    except Wrong as wrong:
        report["finding"], status = str(wrong), 1
    except (Unusable, OSError) as error:
        report["finding"], report["verdict"], status = str(error), "unusable", 2
    except (KeyError, ValueError, TypeError, IndexError, AttributeError) as error:
        report["finding"], status = f"the bundle holds something unexpected: {error!r}", 1
    if given.json:
        print(json.dumps(report, indent=2))
    else:
        for line in report["checked"]:
            print("checked    " + line)
        for line in report["unchecked"]:
            print("unchecked  " + line)
        if report["finding"]:
            print("finding    " + report["finding"])
        print("verdict    " + report["verdict"])
    return status


if __name__ == "__main__":
    sys.exit(main())
