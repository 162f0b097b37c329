"""A season in which every private text carries a marker of its own, to be searched for everywhere."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel

from tollbench.adapters.bench import Bench, Done
from tollbench.domain.commands import Actor, Command, PrivateMark, commands
from tollbench.domain.erasure import EraseVault
from tollbench.protocol.refusal import Refused

Path = tuple[str, ...]
"""Where a field stands in a command; `*` is every item of a list or an object."""


def private_fields(model: type[BaseModel]) -> dict[Path, PrivateMark]:
    """The private fields of a command or a part of one, nested ones included."""
    found: dict[Path, PrivateMark] = {}
    for name, info in model.model_fields.items():
        found.update(_marks(info.annotation, info.metadata, (name,)))
    return found


def _marks(annotation: Any, metadata: Any, path: Path) -> Iterator[tuple[Path, PrivateMark]]:
    for mark in metadata:
        if isinstance(mark, PrivateMark):
            yield path, mark
    origin = get_origin(annotation)
    if origin is Annotated:
        inner, *more = get_args(annotation)
        yield from _marks(inner, more, path)
    elif origin in (Union, UnionType):
        for option in get_args(annotation):
            yield from _marks(option, (), path)
    elif origin in (list, dict):
        for item in get_args(annotation):
            yield from _marks(item, (), (*path, "*"))
    elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
        for inner_path, mark in private_fields(annotation).items():
            yield (*path, *inner_path), mark


WORD = re.compile(r"marker\d{5}x")


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker: the word, the command and field it was put into, and whether posting publishes that field."""

    word: str
    command: str
    field: Path
    until: str
    text: str


class MarkedBench(Bench):
    """A bench that puts a fresh marker into every private text of every command before it carries it out.

    `written` are the markers of commands that were carried out, `turned_away` those of refused ones, `erased` those of
    what the season had erased. A command that
    is refused with its texts filled in is sent once more as it was; the season may count on that refusal.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.written: list[Marker] = []
        self.turned_away: list[Marker] = []
        self.erased: set[str] = set()
        self._numbers = itertools.count()
        super().__init__(*arguments, **options)

    def do(self, request: Command, *, by: Actor, **options: Any) -> Done:
        if isinstance(request, EraseVault):
            with self.store.unit(write=False) as unit:
                self.erased |= set(WORD.findall(str(unit.reveal(request.commitment))))
        filled, markers = self._filled(request)
        if markers:
            try:
                done = super().do(filled, by=by, **options)
            except Refused:
                self.turned_away += markers
            else:
                self.written += markers
                return done
        return super().do(request, by=by, **options)

    def _filled(self, request: Command) -> tuple[Command, list[Marker]]:
        body = request.model_dump()
        markers: list[Marker] = []
        for path, mark in private_fields(type(request)).items():
            self._fill(body, path, mark, type(request).__name__, path, markers)
        return type(request).model_validate(body), markers

    def _fill(self, at: Any, rest: Path, mark: PrivateMark, command: str, path: Path, markers: list[Marker]) -> None:
        key, *more = rest
        if key == "*":
            for item in at if isinstance(at, list) else at.values():
                self._fill(item, tuple(more), mark, command, path, markers)
        elif more:
            if at[key] is not None:
                self._fill(at[key], tuple(more), mark, command, path, markers)
        else:
            word = f"marker{next(self._numbers):05d}x"
            at[key] = f"{at[key]} {word}" if at[key] else word
            markers.append(Marker(word, command, path, mark.until, at[key]))


def every_private_field() -> dict[tuple[str, Path], PrivateMark]:
    """All private fields of all commands."""
    return {
        (name, path): mark for name, model in sorted(commands().items()) for path, mark in private_fields(model).items()
    }
