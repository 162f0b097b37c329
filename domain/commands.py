"""Commands: what an actor asks for, checked for shape before any rule judges it.

A command is a frozen pydantic model with strict types; unknown fields, floats and naive instants are refused at this
boundary (TB-CMD-001, TB-CMD-006). Fields marked `Private` never enter an event: they go to the vault, and the event
carries a commitment.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple, TypeAlias, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    StringConstraints,
    WithJsonSchema,
)

from ..protocol import instants
from .events import UUID5

if TYPE_CHECKING:
    from pydantic_core import CoreSchema

    from .world import Proposed, World

Role = Literal["person", "agent", "operator", "steward", "system"]
ROLES: tuple[Role, ...] = ("person", "agent", "operator", "steward", "system")


class Actor(NamedTuple):
    """Who sends a command: a role, and the id it acts under.

    `person`, `operator` and `steward` act under the id of a person registered with that capacity (`person-…`), an
    `agent` under the id of its Passport (`passport-…`), and the `system` as `system`. The poster of a target is the
    person who recorded it: there is no role of that name.
    """

    role: Role
    id: str

    @classmethod
    def system(cls) -> Actor:
        """The platform itself: the application that embeds the core, and its clock."""
        return cls("system", "system")


@dataclass(frozen=True, slots=True)
class PrivateMark:
    """Marks a field that may only ever live in the vault; its JSON Schema says so as `x-toll-private`."""

    until: ClassVar[str] = "always"

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {**handler(schema), "x-toll-private": self.until}


def as_text(value: str) -> str:
    """Text without control characters, normalised to NFC. Raises `ValueError` where it holds one."""
    if any((ord(c) < 32 and c not in "\n\t") or 0xD800 <= ord(c) <= 0xDFFF or ord(c) == 127 for c in value):
        raise ValueError("control characters are not text; leave them out")
    return unicodedata.normalize("NFC", value)


def _instant(value: str) -> str:
    return instants.text(instants.parse(value))


def _of_kind(kind: str) -> Any:
    return Annotated[str, StringConstraints(pattern=f"^{kind}-{UUID5}$")]


# Some characters grow under NFC, so what an event will hold is measured after it, too.
Text = Annotated[str, StringConstraints(max_length=4000), AfterValidator(as_text), StringConstraints(max_length=4000)]
"""Public text, normalised to NFC."""
Name = Annotated[
    str,
    StringConstraints(min_length=1, max_length=120),
    AfterValidator(as_text),
    StringConstraints(min_length=1, max_length=120),
]
"""A public name or version label, 1 to 120 characters."""
Private = Annotated[
    str,
    StringConstraints(max_length=20_000),
    AfterValidator(as_text),
    StringConstraints(max_length=20_000),
    PrivateMark(),
]
"""Private text: kept in the vault, never in an event."""
Cents = Annotated[int, Field(ge=-(2**53) + 1, le=2**53 - 1)]
"""Money in US cents. Signs are judged by rules, not by the type."""
Whole = Annotated[int, Field(ge=-(2**53) + 1, le=2**53 - 1)]
"""A whole number as large as JSON holds exactly. Its range is judged by rules."""
Seconds = Annotated[int, Field(ge=0, le=10**10)]
"""A duration in whole seconds."""
DecimalText = Annotated[str, StringConstraints(pattern=r"^-?[0-9]{1,3}(\.[0-9]{1,6})?$")]
"""A decimal number as text, for example "0.70". Floats are refused."""
InstantText = Annotated[str, AfterValidator(_instant), WithJsonSchema({"type": "string", "format": "date-time"})]
"""An instant with its offset; a naive one is refused."""
if TYPE_CHECKING:
    PersonId: TypeAlias = str
    TargetId: TypeAlias = str
    ProposalId: TypeAlias = str
    DealId: TypeAlias = str
    PassportId: TypeAlias = str
    SystemId: TypeAlias = str
    ReviewId: TypeAlias = str
    AskId: TypeAlias = str
else:
    PersonId = _of_kind("person")
    TargetId = _of_kind("target")
    ProposalId = _of_kind("proposal")
    DealId = _of_kind("deal")
    PassportId = _of_kind("passport")
    SystemId = _of_kind("system")
    ReviewId = _of_kind("review")
    AskId = _of_kind("ask")


class Part(BaseModel):
    """A structured part inside a command, as strict as the command itself; it is no command."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Command(BaseModel):
    """Base of all commands. The class name is the command's public name."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        _commands[cls.__name__] = cls


C = TypeVar("C", bound=Command)
Handler = Callable[[Any, "World"], Iterator["Proposed"]]
_commands: dict[str, type[Command]] = {}
_handlers: dict[type[Command], Handler] = {}


def handles(
    command: type[C],
) -> Callable[[Callable[[C, World], Iterator[Proposed]]], Callable[[C, World], Iterator[Proposed]]]:
    """Register the decorated `(command, world) -> events` as what decides this command."""

    def register(handler: Callable[[C, World], Iterator[Proposed]]) -> Callable[[C, World], Iterator[Proposed]]:
        if command in _handlers:
            raise ValueError(f"{command.__name__} has two handlers")
        _handlers[command] = handler
        return handler

    return register


def handler_of(command: type[Command]) -> Handler:
    """What decides this command."""
    return _handlers[command]


def commands() -> Mapping[str, type[Command]]:
    """All commands by public name."""
    return _commands
