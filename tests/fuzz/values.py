"""Field values for any command, read off its model: sound ones, ones at the bounds, and ones that no field may take.

Every choice comes from one `random.Random`, which the caller seeds, so that a command can be made again from its seed.
Private text carries a mark of its own, so that a test can look for it in the public record.
"""

from __future__ import annotations

import datetime
import decimal
import hashlib
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from random import Random
from typing import Any

from annotated_types import Ge, Gt, Le, Lt, MaxLen, MinLen
from pydantic import BaseModel, StringConstraints
from pydantic.fields import FieldInfo

from tollbench.domain.commands import Command, PrivateMark
from tollbench.domain.target.commands import PrivateUntilPosted
from tollbench.protocol.edition import shelf

PRIVATE_MARK, CARD_MARK = "zqprivatezq", "zqcardzq"
"""In every private text; in every text that is private until its want is posted."""
INT_BOUND = 2**53 - 1

UNICODE = (
    "plain words",
    "e\u0301tude, \u00e9tude",  # the same word decomposed and composed
    "\U0001f6b2 \U0001f469\u200d\U0001f527",  # astral, and joined by a zero width joiner
    "\u05e9\u05dc\u05d5\u05dd \u202eevil\u202c",  # right to left, with an override
    "zero\u200bwidth\ufeff",
    "\U0001d160" * 8,  # grows under NFC
    "\ufdfa",  # grows under NFKC
    "\u1112\u1161\u11ab",  # composes under NFC
    "a\tb\nc",
    "\u0662\u0660\u0662\u0666",  # digits, but not ASCII
)
JUNK: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, INT_BOUND, -INT_BOUND, 2**53, 2**63, 2**64, -(2**70), 0.5, -0.0, 1e300,
    float("nan"), float("inf"), "", " ", "\x00", "\ud800", "\x7f", "x" * 30_000, "\U0001d160" * 4000, "null", "NaN",
    "\u0660", "0x10", "1e3", "-0", [], [None], {}, {"a": {"b": []}}, {"\ud800": 1}, b"bytes", (), {1, 2},
    datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC), decimal.Decimal("0.1"), object, "deal-", "deal-" + "0" * 36,
)  # fmt: skip
"""What some field somewhere may not take."""

_WORDS = {
    "category": ("TB-TARGET-017", "categories"),
    "delivery": ("TB-TARGET-017", "delivery_settings"),
    "finish_line_form": ("TB-TARGET-009", "finish_line_forms"),
    "terms": ("TB-TARGET-015", "terms"),
    "criteria": ("TB-TARGET-013", "criteria"),
    "found": ("TB-REVIEW-002", "prohibited_classes"),
    "reason_class": ("TB-REVIEW-002", "prohibited_classes"),
    "destination": ("TB-MILE-003", "destinations"),
    "ground": ("TB-OUT-013", "grounds"),
    "indicators": ("TB-INTEG-010", "indicators"),
    "checks": ("TB-INTEG-002", "checks"),
    "autonomy_level": ("TB-SYS-003", "autonomy_levels"),
    "band": ("TB-BAND-001", "bands"),
}


@lru_cache(maxsize=1)
def words() -> Mapping[str, tuple[str, ...]]:
    """The words that the rulebook lists for a field, by the field's name."""
    edition = shelf().current
    found = {field: tuple(edition.params(rule)[name]) for field, (rule, name) in _WORDS.items()}
    raising, lowering = (tuple(edition.params(rule)["steps"]) for rule in ("TB-ODDS-008", "TB-ODDS-009"))
    rows = ("TB-ODDS-011", "TB-ODDS-012", "TB-ODDS-013")
    classes = tuple(edition.params(rule)["reference_class"] for rule in rows)
    return {
        **found,
        "dials": raising + lowering,
        "reference_class": classes,
        "ground": (*found["ground"], *edition.params("TB-OUT-018")["grounds"]),
        "rail": ("checkout", "bank"),
    }


class Shape(typing.NamedTuple):
    """One annotation, taken apart: the bare type, the constraints on it, and the marks of privacy."""

    type: Any
    low: int | None = None
    high: int | None = None
    least: int = 0
    most: int | None = None
    pattern: str | None = None
    private: bool = False
    card: bool = False


@cache
def shape(annotation: Any) -> Shape:
    """Take an annotation apart, nested `Annotated` included."""
    if typing.get_origin(annotation) is not typing.Annotated:
        return Shape(annotation)
    inner, *meta = typing.get_args(annotation)
    made = shape(inner)
    flat: list[Any] = []
    for each in meta:
        flat.extend(each.metadata if isinstance(each, FieldInfo) else (each,))
    for each in flat:
        made = _with(made, each)
    return made


def _with(made: Shape, each: Any) -> Shape:
    if isinstance(each, Ge | Gt):
        low = int(each.ge if isinstance(each, Ge) else each.gt + 1)  # type: ignore[call-overload]
        return made._replace(low=low if made.low is None else max(made.low, low))
    if isinstance(each, Le | Lt):
        high = int(each.le if isinstance(each, Le) else each.lt - 1)  # type: ignore[call-overload]
        return made._replace(high=high if made.high is None else min(made.high, high))
    if isinstance(each, MinLen):
        return made._replace(least=each.min_length)
    if isinstance(each, MaxLen):
        return made._replace(most=each.max_length)
    if isinstance(each, StringConstraints):
        return made._replace(
            least=each.min_length or made.least,
            most=each.max_length or made.most,
            pattern=str(each.pattern) if each.pattern else made.pattern,
        )
    if isinstance(each, PrivateUntilPosted):
        return made._replace(card=True)
    if isinstance(each, PrivateMark):
        return made._replace(private=True)
    pattern = getattr(each, "pattern", None)
    return made if pattern is None else made._replace(pattern=str(pattern))


@cache
def fields_of(model: type[BaseModel]) -> Mapping[str, Any]:
    """The fields of a command or a part of one, with their whole annotations."""
    hints = typing.get_type_hints(model, include_extras=True)
    return {name: hints[name] for name in model.model_fields}


def parts_of(annotation: Any) -> tuple[Any, ...]:
    """The alternatives of a union (None left out), or the annotation itself."""
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return tuple(each for each in typing.get_args(annotation) if each is not type(None))
    return (annotation,)


def optional(annotation: Any) -> bool:
    """Whether the field takes None."""
    return type(None) in typing.get_args(annotation)


class Values:
    """Makes values for fields. `ids` gives the known ids of a kind, newest last."""

    def __init__(self, random: Random, ids: Callable[[str], Sequence[str]] = lambda kind: ()) -> None:
        self.random = random
        self.ids = ids

    def fields(self, model: type[BaseModel]) -> dict[str, Any]:
        """Plain fields that a model takes: every required one, and about half of the others."""
        made = {}
        for name, annotation in fields_of(model).items():
            if model.model_fields[name].is_required() or self.random.random() < 0.55:
                made[name] = self.value(annotation, name)
        if issubclass(model, Command) and "timeline_days" in made:
            made.pop("timeline_seconds", None)  # one of the two, exactly
        return made

    def value(self, annotation: Any, name: str) -> Any:
        """A value for one field, by its type; for ids mostly one that exists."""
        if optional(annotation) and self.random.random() < 0.15:
            return None
        made = shape(self.random.choice(parts_of(annotation)))
        origin = typing.get_origin(made.type)
        if origin is typing.Literal:
            return self.random.choice(typing.get_args(made.type))
        if origin is list:
            (item,) = typing.get_args(made.type)
            return [self.value(item, name) for _ in range(self._count(made))]
        if origin is dict:
            key, item = typing.get_args(made.type)
            return {self.value(key, name): self.value(item, name) for _ in range(self._count(made))}
        if isinstance(made.type, type) and issubclass(made.type, BaseModel):
            return self.fields(made.type)
        if made.type is bool:
            return self.random.random() < 0.5
        if made.type is int:
            return self._number(made)
        return self._text(made, name)

    def _count(self, made: Shape) -> int:
        count = max(made.least, self.random.choice((0, 1, 2, 3)))
        return count if made.most is None else min(count, made.most)

    def _number(self, made: Shape) -> int:
        low = -INT_BOUND if made.low is None else made.low
        high = INT_BOUND if made.high is None else made.high
        wanted = (0, 1, 2, 3, 25, 100, 3_000, 10_000, 86_400, low, low + 1, high, high - 1, -1)
        return self.random.choice([number for number in wanted if low <= number <= high])

    def _text(self, made: Shape, name: str) -> str:
        if made.pattern is not None:
            return self._patterned(made.pattern, name)
        if name == "effective" or name.endswith("_at"):
            return self.random.choice(("2026-08-03T09:00:00Z", "9999-12-31T23:59:59Z", "2030-01-01T00:00:00+02:00"))
        mark = PRIVATE_MARK if made.private else CARD_MARK if made.card else ""
        body = f"{mark} {self.random.choice(UNICODE)}".strip()
        if self.random.random() < 0.03 and made.most:
            body = (body * (made.most // len(body) + 1))[: made.most]
        if name in ("sha256", "blake3", "key", "signature") or "signature" in name:
            body = self._digest(name)
        return body[: made.most] if made.most else body

    def _digest(self, name: str) -> str:
        digits = hashlib.sha256(str(self.random.random()).encode()).hexdigest()
        prefix = {"sha256": "sha256:", "blake3": "b3:"}.get(name, "")
        return prefix + digits * (2 if "signature" in name else 1)

    def _patterned(self, pattern: str, name: str) -> str:
        kind = pattern.removeprefix("^").partition("-[0-9a-f")[0]
        if pattern.startswith(f"^{kind}-[0-9a-f"):
            return self.id(kind)
        if name in words():
            return self.random.choice(words()[name])
        return self.random.choice(_FITTING.get(name) or _fitting(pattern))

    def id(self, kind: str) -> str:
        """An id of this kind: mostly one of the last ones that exist, sometimes one that does not."""
        known = self.ids(kind)
        if known and self.random.random() < 0.9:
            return self.random.choice(known[-8:])
        digits = hashlib.sha256(str(self.random.random()).encode()).hexdigest()
        return f"{kind}-{digits[:8]}-{digits[8:12]}-5{digits[12:15]}-8{digits[15:18]}-{digits[18:30]}"

    # -- what no field takes ---------------------------------------------------------------------------------------

    def spoil(self, model: type[BaseModel], fields: Mapping[str, Any]) -> dict[str, Any]:
        """The same fields with one or two things wrong: one missing, one too many, or one of another type."""
        made = dict(fields)
        for _ in range(self.random.choice((1, 1, 2))):
            what = self.random.random()
            if made and what < 0.2:
                made.pop(self.random.choice(list(made)))
            elif what < 0.35:
                made[self.random.choice(("colour", "", "\ud800", "Target", "__class__", "deal "))] = self.junk()
            else:
                made[self.random.choice(list(fields_of(model)))] = self.junk()
        return made

    def junk(self) -> Any:
        """A value that some fields cannot take."""
        return self.random.choice(JUNK)


_FITTING = {
    "release": ("milestone-1", "milestone-2", "outcome"),
    "name": ("2026-W31", "2026-W32", "season-1", "season-2", "quarter-1", "2026-W54"),
    "version": ("1.3.0", "1.3.0-draft.1", "0.0.0"),
    "to": ("0.70", "0.5", "0.02", "0.90", "0.91", "0.015", "-0.2"),
    "p": ("0.70", "0.65", "0.35", "0.08", "0.7", "1.5"),
    "start_date": ("2026-08-01", "2020-02-29"),
}


def _fitting(pattern: str) -> tuple[str, ...]:
    if pattern.startswith("^sha256:"):
        return ("sha256:" + "ab" * 32, "sha256:" + "cd" * 32)
    if pattern.startswith("^b3:"):
        return (shelf().current.hash, "b3:" + "0" * 64)
    if "[0-9a-f]{64}" in pattern:
        return ("ab" * 32, "00" * 32)
    return ("word", "other_word")
