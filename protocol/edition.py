"""Editions: the compiled, hashed form of the rulebook, and the shelf they stand on.

People write rules as YAML; the runtime loads only a compiled edition, one canonical JSON file under `editions/`, whose
BLAKE3 fingerprint stands in `manifest.json`. A file whose bytes do not give that fingerprint is refused. Rules and
parameters are read into objects only when somebody asks for them, so that a command starts in a few milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import orjson

from .commitment import fingerprint
from .parameter_types import parse_type

HOME = Path(__file__).resolve().parent


class EditionError(Exception):
    """An edition or the manifest is missing, damaged, or not the one whose hash was published."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a rule comes from: document, version, 1-based line, the line's first words and its SHA-256."""

    document: str
    version: str
    line: int
    anchor: str
    paragraph_hash: str
    also_lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter as an edition holds it: the written value with its type and standing.

    `role` is normative or descriptive; `reserved` forbids the value as a literal in code; `draft` marks a value that
    stands in for one that the paper names and whose value was lost.
    """

    name: str
    type: str
    value: Any
    role: str
    authority: str
    reserved: bool
    draft: bool

    @property
    def typed(self) -> Any:
        """The value as code receives it (`parameter_types`)."""
        return parse_type(self.type).convert(self.value)


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """One rule of an edition. `evaluator` is guard, requirement, computed or none; `governs_at` names the moment
    whose pinned edition decides; `fingerprint` covers the normative text, `values_fingerprint` the parameter values."""

    id: str
    rev: int
    title: str
    status: str
    kind: str
    tier: str
    text: str
    source: Source
    authority: str
    rulings: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    applies_to: Mapping[str, Any]
    evaluator: str
    visibility: str
    reject_code: str | None
    governs_at: str
    needs: tuple[str, ...]
    verify_by: str
    effective: str
    fingerprint: str
    values_fingerprint: str

    @property
    def draft(self) -> bool:
        """Whether a parameter of the rule is a draft value."""
        return any(parameter.draft for parameter in self.parameters)

    @classmethod
    def of(cls, rule_id: str, raw: Mapping[str, Any]) -> RuleEntry:
        """Read the entry of a compiled edition."""
        source = dict(raw["source"], also_lines=tuple(raw["source"].get("also_lines", ())))
        return cls(
            id=rule_id,
            rev=raw["rev"],
            title=raw["title"],
            status=raw["status"],
            kind=raw["kind"],
            tier=raw["tier"],
            text=raw["text"],
            source=Source(**source),
            authority=raw["authority"],
            rulings=tuple(raw.get("rulings", ())),
            parameters=tuple(_parameter(name, item) for name, item in raw["parameters"].items()),
            applies_to=raw["applies_to"],
            evaluator=raw["evaluator"]["kind"],
            visibility=raw["evaluator"]["visibility"],
            reject_code=raw.get("reject_code"),
            governs_at=raw["governs_at"],
            needs=tuple(raw.get("needs", ())),
            verify_by=raw["verify_by"],
            effective=raw["effective"],
            fingerprint=raw["fingerprint"],
            values_fingerprint=raw["values_fingerprint"],
        )


@dataclass(frozen=True, slots=True)
class Change:
    """How the amendment that an edition carries changed a rule: its id, and what becomes of attempts pinned before.

    `transition` is keep_pinned, immediate or migrate_at; `at` is the instant (UTC text) of migrate_at, else None.
    """

    amendment: str
    transition: str
    at: str | None = None


class Rules(Mapping[str, RuleEntry]):
    """The rules of an edition by id, read when first asked for. An unknown id raises `KeyError` naming the edition."""

    __slots__ = ("_raw", "_read", "_version")

    def __init__(self, raw: Mapping[str, Any], version: str) -> None:
        self._raw = raw
        self._version = version
        self._read: dict[str, RuleEntry] = {}

    def __getitem__(self, rule_id: str) -> RuleEntry:
        entry = self._read.get(rule_id)
        if entry is None:
            if rule_id not in self._raw:
                raise KeyError(f"edition {self._version} has no rule {rule_id}")
            entry = self._read[rule_id] = RuleEntry.of(rule_id, self._raw[rule_id])
        return entry

    def __contains__(self, rule_id: object) -> bool:
        return rule_id in self._raw

    def __iter__(self) -> Iterator[str]:
        return iter(self._raw)

    def __len__(self) -> int:
        return len(self._raw)


class Edition:
    """A compiled edition: `version`, `hash` ("b3:…" of its bytes), `effective` (date), its rules, and `amended`: the
    rules that the amendment it carries changed."""

    __slots__ = ("_params", "_raw", "amended", "effective", "hash", "rules", "version")

    def __init__(self, data: bytes) -> None:
        """Read canonical edition bytes. Raises `EditionError` when they are no edition."""
        try:
            raw = orjson.loads(data)
            self.version: str = raw["version"]
            self.effective: str = raw["effective"]
            self._raw: Mapping[str, Any] = raw["rules"]
            amended: Mapping[str, Mapping[str, Any]] = raw.get("amended", {})
            self.amended: Mapping[str, Change] = {rule: Change(**change) for rule, change in amended.items()}
        except (orjson.JSONDecodeError, KeyError, TypeError) as error:
            raise EditionError(f"these bytes are no compiled edition: {error}") from None
        self.hash = fingerprint(data)
        self.rules = Rules(self._raw, self.version)
        self._params: dict[str, Mapping[str, Any]] = {}

    def params(self, rule_id: str) -> Mapping[str, Any]:
        """The typed parameters of a rule, by name. Raises `KeyError` for a rule the edition does not have."""
        found = self._params.get(rule_id)
        if found is None:
            if rule_id not in self._raw:
                raise KeyError(f"edition {self.version} has no rule {rule_id}")
            raw = self._raw[rule_id]["parameters"]
            typed = {name: parse_type(item["type"]).convert(item["value"]) for name, item in raw.items()}
            found = self._params[rule_id] = MappingProxyType(typed)
        return found

    def with_value(self, rule_id: str, name: str, value: Any) -> Edition:
        """The same edition with one written parameter value replaced, under its own hash: for recounts, never for law.

        Raises `KeyError` for an unknown rule or parameter, `ValueError` for a value that the type does not allow.
        """
        parameters = self._raw[rule_id]["parameters"]
        problem = parse_type(parameters[name]["type"]).problem(value)
        if problem is not None:
            raise ValueError(f"{rule_id}.{name}: {problem}")
        changed = {**parameters, name: {**parameters[name], "value": value}}
        rules = {**self._raw, rule_id: {**self._raw[rule_id], "parameters": changed}}
        amended = {
            rule: {key: item for key, item in asdict(change).items() if item is not None}
            for rule, change in self.amended.items()
        }
        raw = {"amended": amended, "effective": self.effective, "rules": rules, "version": self.version}
        return Edition(orjson.dumps(raw, option=orjson.OPT_SORT_KEYS))


class Shelf:
    """The editions at hand, as the manifest in `home` lists them; each is checked against its hash when first read."""

    __slots__ = ("_home", "_listed", "_read", "current_version", "manifest")

    def __init__(self, home: Path = HOME) -> None:
        """Open the shelf. Raises `EditionError` when the manifest is missing or unusable."""
        try:
            self.manifest: Mapping[str, Any] = orjson.loads((home / "manifest.json").read_bytes())
            self._listed = {item["version"]: item for item in self.manifest["editions"]}
            self.current_version: str = self.manifest["current"]
        except (OSError, orjson.JSONDecodeError, KeyError, TypeError) as error:
            raise EditionError(f"the manifest of editions cannot be read: {error}") from None
        self._home = home
        self._read: dict[str, Edition] = {}

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions on the shelf, oldest first."""
        return tuple(self._listed)

    @property
    def current(self) -> Edition:
        """The edition in force."""
        return self.get(self.current_version)

    def get(self, version: str) -> Edition:
        """An edition by version. Raises `EditionError` when it is not on the shelf or its bytes have another hash."""
        edition = self._read.get(version)
        if edition is None:
            edition = self._read[version] = self._load(version)
        return edition

    @classmethod
    def of(cls, editions: Sequence[Edition], current: str) -> Shelf:
        """A shelf in memory of these editions alone, oldest first, as a published log brings them."""
        shelf = cls.__new__(cls)
        shelf.manifest, shelf.current_version, shelf._home = {}, current, HOME
        shelf._listed = {one.version: {"version": one.version, "hash": one.hash} for one in editions}
        shelf._read = {one.version: one for one in editions}
        return shelf

    def add(self, edition: Edition) -> None:
        """Put an edition on this shelf in memory only, as a recount under amended values does."""
        self._listed.setdefault(edition.version, {"version": edition.version, "hash": edition.hash})
        self._read[edition.version] = edition

    def _load(self, version: str) -> Edition:
        item = self._listed.get(version)
        if item is None:
            raise EditionError(f"edition {version} is not on the shelf; there are {', '.join(self._listed)}")
        try:
            data = (self._home / item["file"]).read_bytes()
        except OSError as error:
            raise EditionError(f"edition {version} cannot be read: {error.strerror}") from None
        found = fingerprint(data)
        if found != item["hash"]:
            raise EditionError(f"edition {version} has hash {found}, the manifest says {item['hash']}")
        return Edition(data)

    def standing_in(self, edition: Edition) -> Shelf:
        """A copy of this shelf on which `edition` stands in place of the one with its version."""
        copy = Shelf(self._home)
        copy._listed = dict(self._listed)
        copy.current_version = self.current_version
        copy._read = {**self._read, edition.version: edition}
        return copy


_stand_in: ContextVar[Shelf | None] = ContextVar("shelf_stand_in", default=None)


@lru_cache(maxsize=1)
def _own_shelf() -> Shelf:
    return Shelf()


def shelf() -> Shelf:
    """The shelf of this package, or the one that `shelf_of` put in its place."""
    return _stand_in.get() or _own_shelf()


@contextmanager
def shelf_of(other: Shelf) -> Iterator[None]:
    """Let another shelf stand in for the package's own within the block (proofs and tests only)."""
    token = _stand_in.set(other)
    try:
        yield
    finally:
        _stand_in.reset(token)


def _parameter(name: str, raw: Mapping[str, Any]) -> Parameter:
    return Parameter(
        name=name,
        type=raw["type"],
        value=raw["value"],
        role=raw.get("role", "normative"),
        authority=raw["authority"],
        reserved=raw.get("reserved", False),
        draft=raw.get("draft", False),
    )
