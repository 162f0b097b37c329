"""Strict YAML: the small part of the language in which a file means what it says.

A registry is read by people, so nothing in it may be turned into something else behind their back. Refused, each with
its line and a fix: duplicate keys, floating point numbers, dates and times that a loader would make objects of, `yes`,
`no`, `on`, `off`, numbers in other notations, anchors, aliases and merges, tags, directives, tabs, several documents,
keys that are no text. All refusals of a file come back at once.

What is left: mappings, lists, quoted and plain text, whole numbers, `true`, `false`, `null`. PyYAML's parser supplies
the events; its constructors, which keep the last of two equal keys and resolve `on` to True, are not used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from yaml.nodes import ScalarNode
from yaml.resolver import Resolver

from .findings import Finding

Path_ = tuple[str | int, ...]

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_resolver: Any = Resolver()
_INT = re.compile(r"-?(0|[1-9][0-9]*)")
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9][0-9_]*(\.[0-9_]*)?)([eE][-+]?[0-9]+)?")
_MAX_BYTES = 1_000_000
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "": None}
_REFUSED = {
    "tag:yaml.org,2002:float": ("the floating point number {0}", 'write a quoted decimal, "{0}"'),
    "tag:yaml.org,2002:timestamp": ("the implicit date or time {0}", 'quote it, "{0}"'),
    "tag:yaml.org,2002:bool": ("the implicit boolean {0}", 'write true or false, or quote the text, "{0}"'),
    "tag:yaml.org,2002:int": ("the number {0} in an easily misread notation", 'write plain digits, or quote it, "{0}"'),
    "tag:yaml.org,2002:null": ("{0} for null", "write null"),
    "tag:yaml.org,2002:merge": ("the merge key {0}", "write the keys out"),
    "tag:yaml.org,2002:value": ("the value key {0}", 'quote it, "{0}"'),
}


@dataclass(slots=True)
class Document:
    """A file as read: its value, the line of every key path, and what was refused (empty when all is well)."""

    file: str
    value: Any = None
    lines: dict[Path_, int] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def line(self, *path: str | int) -> int:
        """The 1-based line where the path stands, or its nearest parent that stands in the file."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)

    def refuse(self, line: int, message: str, fix: str) -> None:
        """Note a refusal at a line."""
        self.findings.append(Finding(self.file, line, "", "malformed", message, fix))


def read(path: Path, name: str | None = None) -> Document:
    """Read a file. `name` stands for it in findings (default: the path). Never raises for bad content."""
    document = Document(name or str(path))
    try:
        data = path.read_bytes()
    except OSError as error:
        document.refuse(1, f"the file cannot be read ({error.strerror})", "make it a readable file")
        return document
    return parse(data, document.file)


def parse(data: bytes, name: str) -> Document:
    """Read YAML bytes strictly; all refusals stand in `.findings`."""
    document = Document(name)
    if len(data) > _MAX_BYTES:
        document.refuse(1, f"the file holds {len(data)} bytes", f"stay below {_MAX_BYTES} bytes")
        return document
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        document.refuse(line, f"byte {error.start} is not UTF-8", "save the file as UTF-8")
        return document
    if text.startswith("\ufeff"):
        document.refuse(1, "the file begins with a byte order mark", "save it as UTF-8 without a mark")
        text = text[1:]
    for number, line_text in enumerate(text.split("\n"), 1):
        if "\t" in line_text:
            document.refuse(number, "a tab", "indent and separate with spaces")
    if not text.strip():
        document.refuse(1, "the file is empty", "write a document or remove the file")
    if not document.findings:
        _Reader(document).read(text)
    return document


class _Reader:
    """Builds the value from parser events, noting lines and refusals on the document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.documents = 0

    def read(self, text: str) -> None:
        try:
            events: Iterator[Any] = yaml.parse(text, Loader=_Loader)
            for event in events:
                if isinstance(event, DocumentStartEvent):
                    self._begin(event)
                elif isinstance(event, (ScalarEvent, MappingStartEvent, SequenceStartEvent, AliasEvent)):
                    value = self._value(event, events, ())
                    if self.documents == 1:
                        self.document.value = value
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line = mark.line + 1 if mark is not None else 1
            self.document.refuse(line, f"no YAML: {error.problem or error.context}", "correct the syntax")
        except yaml.YAMLError as error:
            self.document.refuse(1, f"no YAML: {' '.join(str(error).split())}", "remove what YAML does not allow")
        except RecursionError:
            self.document.refuse(1, "nested too deeply", "flatten the structure")

    def _begin(self, event: Any) -> None:
        self.documents += 1
        line = event.start_mark.line + 1
        if self.documents > 1:
            self.document.refuse(line, "a second document in one file", "keep one document a file")
        if event.version or event.tags:
            self.document.refuse(line, "a YAML directive", "remove the line that begins with %")

    def _value(self, event: Any, events: Iterator[Any], path: Path_) -> Any:
        line = event.start_mark.line + 1
        self.document.lines.setdefault(path, line)
        if isinstance(event, AliasEvent):
            self.document.refuse(line, f"the alias *{event.anchor}", "write the value out")
            return None
        if getattr(event, "anchor", None):
            self.document.refuse(line, f"the anchor &{event.anchor}", "write the value out where it is needed")
        if getattr(event, "tag", None):
            self.document.refuse(line, f"the tag {event.tag}", "remove it; the schema gives the types")
        if isinstance(event, MappingStartEvent):
            return self._mapping(events, path)
        if isinstance(event, SequenceStartEvent):
            return self._sequence(events, path)
        return self._scalar(event, line)

    def _mapping(self, events: Iterator[Any], path: Path_) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for event in events:
            if isinstance(event, MappingEndEvent):
                break
            line = event.start_mark.line + 1
            key = self._value(event, events, (*path, "<key>"))
            self.document.lines.pop((*path, "<key>"), None)
            if not isinstance(key, str):
                self.document.refuse(line, f"the key {key!r} is no text", "quote it")
                key = str(key)
            here = (*path, key)
            if key in found:
                first = self.document.line(*here)
                self.document.refuse(line, f"the key {key} stands twice, first in line {first}", "keep one of the two")
                self._value(next(events), events, (*here, "<again>"))
                continue
            self.document.lines[here] = line
            found[key] = self._value(next(events), events, here)
        return found

    def _sequence(self, events: Iterator[Any], path: Path_) -> list[Any]:
        found: list[Any] = []
        for event in events:
            if isinstance(event, SequenceEndEvent):
                break
            found.append(self._value(event, events, (*path, len(found))))
        return found

    def _scalar(self, event: Any, line: int) -> Any:
        text: str = event.value
        if event.style:  # quoted or block text; the C parser marks plain text with "", the Python one with None
            return text
        if text in _WORDS:
            return _WORDS[text]
        tag = _resolver.resolve(ScalarNode, text, (True, False))
        if tag.endswith(":int") and _INT.fullmatch(text) and text != "-0":
            return int(text)
        if tag.endswith(":str") and _NUMBER.fullmatch(text):
            tag = "tag:yaml.org,2002:float"
        if tag in _REFUSED:
            message, fix = _REFUSED[tag]
            self.document.refuse(line, message.format(text), fix.format(text))
        return text
