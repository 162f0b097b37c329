"""Writing registry YAML: the one layout in which tools create or change a rule, waiver or amendment file.

What `dumps` writes, `yaml_strict` reads back to the same value. Long text is folded at 110 columns, short lists and
mappings stand on one line, everything a loader could take for something else is quoted.
"""

from __future__ import annotations

import json
import re
import textwrap
from typing import Any

WIDTH = 110
_PLAIN = re.compile(r"[^\W\d][\w ,.;()/+*=<>@$%^~'\[\]|-]*")
_UNSAFE_IN_FLOW = re.compile(r"[,\[\]{}]")
_UNSAFE_IN_KEY = re.compile(r"[ ,\[\]{}]")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off"})


def dumps(value: dict[str, Any]) -> str:
    """The mapping as YAML text, keys in their order, ending in one newline."""
    return "".join(f"{line}\n" for line in _mapping(value, 0))


def _mapping(value: dict[str, Any], indent: int) -> list[str]:
    lines: list[str] = []
    for key, item in value.items():
        lines += _entry(" " * indent + f"{_key(key)}:", item, indent)
    return lines


def _entry(head: str, item: Any, indent: int) -> list[str]:
    if isinstance(item, str):
        return _text(head, item, indent + 2)
    flow = _flow(item)
    if not isinstance(item, (dict, list)) or not item or (len(head) + 1 + len(flow) <= WIDTH and not _deep(item)):
        return [f"{head} {flow}"]
    if isinstance(item, dict):
        return [head, *_mapping(item, indent + 2)]
    return [head, *_sequence(item, indent + 2)]


def _sequence(items: list[Any], indent: int) -> list[str]:
    lines: list[str] = []
    for item in items:
        head = " " * indent + "-"
        flow = _flow(item)
        if isinstance(item, str):
            lines += _text(head, item, indent + 2)
        elif not isinstance(item, (dict, list)) or not item or len(head) + 1 + len(flow) <= WIDTH:
            lines.append(f"{head} {flow}")
        else:
            inner = _mapping(item, indent + 2) if isinstance(item, dict) else _sequence(item, indent + 2)
            lines += [f"{head} {inner[0].strip()}", *inner[1:]]
    return lines


def _deep(item: dict[str, Any] | list[Any]) -> bool:
    """Whether the mapping or list holds mappings, which read better on lines of their own."""
    return any(isinstance(value, dict) for value in (item.values() if isinstance(item, dict) else item))


def _text(head: str, text: str, indent: int) -> list[str]:
    if len(head) + 1 + len(_scalar(text, False)) <= WIDTH or not _foldable(text):
        return [f"{head} {_scalar(text, False)}"]
    pad = " " * indent
    lines = textwrap.wrap(text, WIDTH - indent, break_long_words=False, break_on_hyphens=False)
    return [f"{head} >-", *(pad + line for line in lines)]


def _foldable(text: str) -> bool:
    return text == " ".join(text.split()) and not text.startswith(("#", " "))


def _flow(item: Any) -> str:
    if isinstance(item, dict):
        return "{" + ", ".join(f"{_key(key)}: {_flow(value)}" for key, value in item.items()) + "}"
    if isinstance(item, list):
        return "[" + ", ".join(_flow(value) for value in item) + "]"
    return _scalar(item, True)


def _scalar(item: Any, in_flow: bool) -> str:
    if item is None:
        return "null"
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, int):
        return str(item)
    if isinstance(item, float):
        raise TypeError("the registry holds no floating point number; use a quoted decimal")
    if _plain(item) and not (in_flow and _UNSAFE_IN_FLOW.search(item)):
        return str(item)
    return json.dumps(item, ensure_ascii=False)


def _plain(text: str) -> bool:
    return bool(_PLAIN.fullmatch(text)) and text.lower() not in _WORDS and text == text.strip()


def _key(key: str) -> str:
    return key if _plain(key) and not _UNSAFE_IN_KEY.search(key) else json.dumps(key, ensure_ascii=False)
