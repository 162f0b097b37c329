"""Refusals: one shape everywhere, for commands, for dry runs, for the command line and for embedding programs.

Every problem of a command is reported at once, each with the rule that refuses, the revision and the edition it was
judged under, the field it is about, and what to do. A refused command writes nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason why a command is refused.

    `code` is the stable upper-case refusal code (`DEAL_NOT_ACTIVE`), `rule` the registry id (`TB-CMD-007`),
    `revision` that rule's revision, `edition` the version of the rulebook that judged (`1.3.0-draft.1`), `field` the
    dotted path of the offending field (empty when the command as a whole is meant), `detail` what is wrong with the
    values at hand, `fix` what would make it right.
    """

    code: str
    rule: str
    revision: int
    edition: str
    field: str
    detail: str
    fix: str

    def as_dict(self) -> dict[str, str | int]:
        """The problem as JSON-ready mapping, keys in the order of the fields."""
        return {
            "code": self.code,
            "rule": self.rule,
            "revision": self.revision,
            "edition": self.edition,
            "field": self.field,
            "detail": self.detail,
            "fix": self.fix,
        }

    def __str__(self) -> str:
        where = f"{self.field}: " if self.field else ""
        law = f"{self.rule} r{self.revision}, edition {self.edition}"
        return f"{self.code} [{law}] {where}{self.detail} Fix: {self.fix}"


class Refused(Exception):
    """A command was refused; `problems` holds every reason, in the order they were found, never empty."""

    problems: tuple[Problem, ...]

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        if not self.problems:
            raise ValueError("a refusal names at least one problem")
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)
