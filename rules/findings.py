"""One shape for everything the registry's tools find wrong: where, which rule, in what state, and how to mend it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One finding: file (relative to the tree), 1-based line, rule id or "", state, what is the matter, the fix."""

    file: str
    line: int
    rule: str
    state: str
    message: str
    fix: str

    def text(self) -> str:
        """The finding as one line, `file:line: [state] rule: message. Fix: …`."""
        rule = f"{self.rule}: " if self.rule else ""
        return f"{self.file}:{self.line}: [{self.state}] {rule}{self.message}. Fix: {self.fix}."

    def as_dict(self) -> dict[str, str | int]:
        """The finding as plain JSON values."""
        return asdict(self)


class RegistryError(Exception):
    """The registry cannot be used; `findings` says everything that is wrong with it."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(sorted(findings))
        super().__init__("\n".join(finding.text() for finding in self.findings))
