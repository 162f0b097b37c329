"""What an audit found: by rule, with lines. A finding never hides a figure."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...protocol.refusal import Problem
from ...rules.evaluators import is_off
from ...rules.law import Law

SHOWN = 100
"""Findings of one rule that are kept in words; of all of them the line numbers are kept."""


class Finding(NamedTuple):
    """One finding: the rule, its code, the line of the file (the header is line 1), the column, what is the matter and
    how to mend it. `lines` are all the lines it is about."""

    rule: str
    code: str
    line: int
    column: str
    detail: str
    fix: str
    lines: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.rule} {self.code} line {self.line}, column {self.column}: {self.detail} Fix: {self.fix}"


@dataclass(slots=True)
class _Kept:
    count: int = 0
    lines: array[int] = field(default_factory=lambda: array("q"))
    examples: list[Finding] = field(default_factory=list)


class Findings:
    """The findings of one audit, gathered under the law of the current edition."""

    def __init__(self, law: Law) -> None:
        self._law = law
        self._kept: dict[str, _Kept] = {}

    def __len__(self) -> int:
        return sum(kept.count for kept in self._kept.values())

    def add(self, rule: str, line: int, column: str, detail: str, fix: str, lines: tuple[int, ...] = ()) -> None:
        """Note a finding; nothing while the rule is switched off."""
        if is_off(rule):
            return
        kept = self._kept.setdefault(rule, _Kept())
        kept.count += 1
        kept.lines.extend(lines or (line,))
        if len(kept.examples) < SHOWN:
            code = self._law.entry(rule).reject_code or "FINDING"
            kept.examples.append(Finding(rule, code, line, column, detail, fix, lines or (line,)))

    def by_rule(self) -> dict[str, list[Finding]]:
        """The findings kept in words, by rule id."""
        return {rule: list(kept.examples) for rule, kept in sorted(self._kept.items())}

    def count(self, rule: str) -> int:
        """How many findings a rule has."""
        return self._kept[rule].count if rule in self._kept else 0

    def lines(self, rule: str) -> list[int]:
        """Every line that a rule has a finding about, in order."""
        return sorted(set(self._kept[rule].lines)) if rule in self._kept else []

    def problems(self) -> list[Problem]:
        """The findings in the shape of refusals, for programs that treat both alike."""
        law = self._law
        return [
            Problem(f.code, rule, law.entry(rule).rev, law.edition_of(rule).version, _where(f), f.detail, f.fix)
            for rule, found in self.by_rule().items()
            for f in found
        ]

    def as_json(self) -> list[dict[str, Any]]:
        """The findings by rule: title, count, all lines, and the first of them in words."""
        return [
            {
                "rule": rule,
                "revision": self._law.entry(rule).rev,
                "edition": self._law.edition_of(rule).version,
                "code": found[0].code,
                "title": self._law.entry(rule).title,
                "count": self.count(rule),
                "lines": self.lines(rule),
                "findings": [
                    {"line": f.line, "column": f.column, "detail": f.detail, "fix": f.fix, "lines": list(f.lines)}
                    for f in found
                ],
            }
            for rule, found in self.by_rule().items()
        ]


def _where(finding: Finding) -> str:
    return f"line {finding.line}, column {finding.column}" if finding.column else f"line {finding.line}"
