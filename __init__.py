"""Toll Bench protocol core: rules decide commands, commands emit ledgered events, events give every figure.

The public names are loaded on first use (PEP 562). Nothing is imported eagerly, because test runners import this
file a second time under the name of the folder it lies in, and because the command line should start fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .protocol.refusal import Problem, Refused

__version__ = "0.1.0"

# public name -> module that defines it; None as attribute means the module itself is the public name
_PUBLIC: dict[str, str] = {
    "Problem": ".protocol.refusal",
    "Refused": ".protocol.refusal",
}

__all__ = ["Problem", "Refused", "__version__"]


def __getattr__(name: str) -> Any:
    """Resolve a public name at first use and keep it, so that later uses cost a plain lookup."""
    home = _PUBLIC.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(home, __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_PUBLIC})
