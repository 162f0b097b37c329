"""Toll Bench protocol core: rules decide commands, commands emit ledgered events, events give every figure.

Public are `Bench` with what it takes and gives (`Actor`, `Done`, `Event`), what can go wrong (`Refused` with its
`Problem`s, `Unknown`, `StoreError`), every command under its own name (`tollbench.RegisterPerson`; `toll schema` lists
them), and the parts that some commands hold (`DeclaredModel`, `PlanStep`, `Spend`, `Step`).

The names are loaded on first use (PEP 562). Nothing is imported eagerly, because test runners import this file a
second time under the name of the folder it lies in, and because the command line should start fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .adapters.bench import Bench, Done
    from .adapters.store.errors import StoreError
    from .domain.commands import Actor
    from .domain.deal.commands import Spend, Step
    from .domain.streams import Unknown
    from .domain.system_record.commands import DeclaredModel
    from .domain.target.bid_commands import PlanStep
    from .protocol.envelope import Event
    from .protocol.refusal import Problem, Refused

__version__ = "0.1.0"
__all__ = [
    "Actor",
    "Bench",
    "DeclaredModel",
    "Done",
    "Event",
    "PlanStep",
    "Problem",
    "Refused",
    "Spend",
    "Step",
    "StoreError",
    "Unknown",
    "__version__",
]

_HOMES = {
    "Actor": ".domain.commands",
    "Bench": ".adapters.bench",
    "DeclaredModel": ".domain.system_record.commands",
    "Done": ".adapters.bench",
    "Event": ".protocol.envelope",
    "PlanStep": ".domain.target.bid_commands",
    "Problem": ".protocol.refusal",
    "Refused": ".protocol.refusal",
    "Spend": ".domain.deal.commands",
    "Step": ".domain.deal.commands",
    "StoreError": ".adapters.store.errors",
    "Unknown": ".domain.streams",
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
