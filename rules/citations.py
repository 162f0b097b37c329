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
from pathlib import Path

from .scenarios import CITATION

CODE = ("protocol", "rules", "domain", "projections", "adapters")
ENFORCING = ("domain", "projections", "adapters")
_KINDS = {"guard": "guard", "requires": "requirement", "computes": "computed"}
_DOCUMENTS = ("*.md", "docs/**/*.md")
_HINT = re.compile(r"\b(guard|requires|computes)\(")


@dataclass(frozen=True, slots=True)
class Citation:
    """One citation. `kind` is guard, requirement, computed (an evaluator registered in code), mention or link."""

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
        return ast.parse(self.text, self.file)


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


def mentions(source: Source, kind: str = "mention") -> Iterator[Citation]:
    """Every rule id in the text."""
    if "TB-" not in source.text:
        return
    for number, line in enumerate(source.text.splitlines(), 1):
        for match in CITATION.finditer(line):
            yield Citation(match[1], int(match[2]) if match[2] else None, kind, source.file, number)


def evaluators(source: Source) -> Iterator[Citation]:
    """The evaluators that the file registers under literal ids. Raises `SyntaxError` for a file that is no Python."""
    if not source.file.startswith(ENFORCING) or not _HINT.search(source.text):
        return
    for node in ast.walk(source.tree()):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for decorator in node.decorator_list:
                yield from _registration(source, decorator, node.name)
        elif isinstance(node, ast.Expr):
            yield from _registration(source, node.value, "")


def _registration(source: Source, node: ast.expr, name: str) -> Iterator[Citation]:
    if not isinstance(node, ast.Call) or not node.args:
        return
    called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    first = node.args[0]
    if called not in _KINDS or not isinstance(first, ast.Constant) or not isinstance(first.value, str):
        return
    match = CITATION.fullmatch(first.value)
    if match is None:
        return
    words = {word.arg: word.value for word in node.keywords}
    private = words.get("private")
    is_private = isinstance(private, ast.Constant) and private.value is True
    rev = int(match[2]) if match[2] else None
    yield Citation(match[1], rev, _KINDS[called], source.file, node.lineno, name, is_private)
