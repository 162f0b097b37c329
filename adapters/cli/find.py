"""What a user names on the command line, found on the bench: by id, by the beginning of an id, or by agent name.

Nobody types 36 characters. An id may be cut anywhere, with its kind or without, as long as it stands for one thing.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...domain.names import fold
from ..bench import Bench
from .output import fail, meant

KINDS = {"target": "target-", "deal": "deal-", "agent": "passport-", "person": "person-"}
"""What can be looked up, and how the ids of it begin."""
LISTS = {"target": "targets", "deal": "deals", "agent": "agents", "person": "people"}
"""What `toll list` calls them."""
SHOWN = 5


def streams(bench: Bench, prefix: str = "") -> list[str]:
    """Every stream whose id begins so, by id."""
    with bench.store.unit(write=False) as unit:
        return [stream for stream in unit.all_streams() if stream.startswith(prefix)]


def agent_names(bench: Bench) -> dict[str, str]:
    """Passport id -> agent name, of every agent."""
    return {stream: bench.state(stream).agent_name for stream in streams(bench, KINDS["agent"])}


def find(bench: Bench, kind: str, text: str, where: str) -> str:
    """The id of the one thing of this kind that the text names; ends the program with one line where there is none
    (code 1), or where there are several (code 2). `where` says which bench that is."""
    known = streams(bench, KINDS[kind])
    names = agent_names(bench) if kind == "agent" else {}
    found = [stream for stream, name in names.items() if fold(name) == fold(text)] or _begun(known, KINDS[kind], text)
    if not found:
        fail(f"there is no {kind} {text} in {where}; {meant(text, names.values(), f'toll list {LISTS[kind]}')}", code=1)
    return _one(f"{kind} {text}", found, names)


def find_stream(bench: Bench, text: str, where: str) -> str:
    """The same for a stream of any kind (`rulebook`, `period-…` and `import-…` among them), given with its kind."""
    known = streams(bench)
    found = [text] if text in known else [stream for stream in known if text and stream.startswith(text)]
    if not found:
        fail(f"there is no stream {text} in {where}; {meant(text, known, 'toll list')}", code=1)
    return _one(f"stream {text}", found, {})


def find_party(bench: Bench, text: str, where: str) -> str:
    """The person or agent that the text names, by id, beginning of an id with its kind, or agent name."""
    return find(bench, "person" if text.startswith(KINDS["person"]) else "agent", text, where)


def _begun(known: Iterable[str], prefix: str, text: str) -> list[str]:
    begun = text if text.startswith(prefix) else prefix + text
    found = [stream for stream in known if text and stream.startswith(begun)]
    return [begun] if begun in found else found


def _one(asked: str, found: list[str], names: dict[str, str]) -> str:
    if len(found) > 1:
        shown = [f"{each} ({names[each]})" if each in names else each for each in found[:SHOWN]]
        more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        fail(f"{asked} can be any of {len(found)}: {', '.join(shown)}{more}")
    return found[0]
