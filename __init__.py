"""Toll Bench protocol core: rules decide commands, commands emit ledgered events, events give every figure.

Public are `Bench`, `Actor`, `Event`, `Problem`, `Refused`, and every command under its own name
(`tollbench.RegisterPerson`; `toll schema` lists them).

The names are loaded on first use (PEP 562). Nothing is imported eagerly, because test runners import this file a
second time under the name of the folder it lies in, and because the command line should start fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .adapters.bench import Bench
    from .domain.commands import Actor
    from .protocol.envelope import Event
    from .protocol.refusal import Problem, Refused

__version__ = "0.1.0"
__all__ = ["Actor", "Bench", "Event", "Problem", "Refused", "__version__"]

_HOMES = {
    "Actor": ".domain.commands",
    "Bench": ".adapters.bench",
    "Event": ".protocol.envelope",
    "Problem": ".protocol.refusal",
    "Refused": ".protocol.refusal",
}


def __getattr__(name: str) -> Any:
    """Resolve a public name at first use and keep it, so that later uses cost a plain lookup."""
    home = _HOMES.get(name)
    value = getattr(import_module(home, __name__), name) if home else _command(name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *_commands()})


def _command(name: str) -> Any:
    # Only names in the style of classes are looked up: tools probe modules for all sorts of lower-case names.
    if name[:1].isupper() and name in (commands := _commands()):
        return commands[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _commands() -> Any:
    import_module(".domain.protocol", __name__)
    return import_module(".domain.commands", __name__).commands()
