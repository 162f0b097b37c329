"""Citations of rules in code and documents, read statically.

Code enforces a rule by registering an evaluator under its literal id (`@guard`, `requires`, `@computes`); every other
appearance of an id (a docstring, a message) is a mention. Documents cite by `[[ID]]` or plain id. A citation may name
the revision it was written against, `<ID>~2`. All of them must name rules that exist.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from .scenarios import CITATION

CODE = ("protocol", "rules", "domain", "projections", "adapters")
ENFORCING = ("domain", "projections", "adapters")
_KINDS = {"guard": "guard", "requires": "requirement", "computes": "computed"}
_DOCUMENTS = ("*.md", "docs/**/*.md")
_HINT = re.compile(r"\b(guard|requires|computes)\(")


@dataclass(frozen=True, slots=True)
class Citation:
    """One citation. `kind` is guard, requirement or computed (an evaluator in code), mention, link or schema."""

    rule: str
    rev: int | None
    kind: str
    file: str
    line: int
    name: str = ""
    private: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """A Python file, read once for all checks; `tree` is parsed only when a check needs it."""

    file: str
    text: str

    def tree(self) -> ast.Module:
        """The syntax tree; raises `SyntaxError`."""
        return _parse(self.text, self.file)


@lru_cache(maxsize=512)
def _parse(text: str, file: str) -> ast.Module:
    return ast.parse(text, file)


def read_code(root: Path, folders: Iterable[str] = CODE) -> list[Source]:
    """The Python files below the folders of code."""
    return [
        Source(path.relative_to(root).as_posix(), path.read_text("utf-8"))
        for folder in folders
        for path in sorted((root / folder).glob("**/*.py"))
    ]


def read_documents(root: Path) -> list[Source]:
    """The documents in which rules may be cited."""
    return [
        Source(path.relative_to(root).as_posix(), path.read_text("utf-8"))
        for pattern in _DOCUMENTS
        for path in sorted(root.glob(pattern))
    ]


def read_schemas(root: Path) -> list[Source]:
    """The JSON Schemas of documents and events, which cite the rules they express or are judged by as `x-toll-rules`.

    Those of commands name every rule that may refuse the command: they are made from the code, and cite nothing new.
    """
    folder = root / "protocol" / "schemas"
    return [
        Source(path.relative_to(root).as_posix(), path.read_text("utf-8"))
        for path in sorted([*folder.glob("*.json"), *folder.glob("events/*.json")])
    ]


def mentions(source: Source, kind: str = "mention") -> Iterator[Citation]:
    """Every rule id in the text; in a document, outside its code blocks, which may show rules yet to be made."""
    if "TB-" not in source.text:
        return
    fenced = False
    for number, line in enumerate(source.text.splitlines(), 1):
        if kind == "link" and line.lstrip().startswith("```"):
            fenced = not fenced
        if fenced:
            continue
        for match in CITATION.finditer(line):
            yield Citation(match[1], int(match[2]) if match[2] else None, kind, source.file, number)


def evaluators(source: Source) -> Iterator[Citation]:
    """The evaluators that the file registers under literal ids, alone or in a loop over a literal list of ids.

    Raises `SyntaxError` for a file that is no Python.
    """
    if not source.file.startswith(ENFORCING) or not _HINT.search(source.text):
        return
    nodes = list(ast.walk(source.tree()))
    names = {
        id(decorator): node.name
        for node in nodes
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        for decorator in node.decorator_list
    }
    loops: dict[str, list[str]] = {}
    for node in nodes:
        if isinstance(node, (ast.For, ast.comprehension)) and isinstance(node.target, ast.Name):
            loops.setdefault(node.target.id, []).extend(_ids(node.iter))
    for node in nodes:
        if isinstance(node, ast.Call) and node.args:
            first = node.args[0]
            cited = loops.get(first.id, []) if isinstance(first, ast.Name) else _ids(first)
            for text in cited:
                yield from _registration(source, node, text, names.get(id(node), ""))


def _ids(node: ast.expr) -> list[str]:
    """The literal rule ids of a constant, tuple or list."""
    items = node.elts if isinstance(node, (ast.Tuple, ast.List)) else [node]
    texts = [item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)]
    return [text for text in texts if CITATION.fullmatch(text)]


def _registration(source: Source, node: ast.Call, text: str, name: str) -> Iterator[Citation]:
    called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    match = CITATION.fullmatch(text)
    if called not in _KINDS or match is None:
        return
    private = {word.arg: word.value for word in node.keywords}.get("private")
    is_private = isinstance(private, ast.Constant) and private.value is True
    rev = int(match[2]) if match[2] else None
    yield Citation(match[1], rev, _KINDS[called], source.file, node.lineno, name, is_private)
