"""Commands of historic attempts."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from ..commands import Command, Text, as_text

ColumnName = Annotated[
    str, StringConstraints(max_length=200), AfterValidator(as_text), StringConstraints(max_length=200)
]
"""The heading of a column."""


class HistoricRow(BaseModel):
    """One row of a results file: its line number (the header is line 1) and its fields, verbatim."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
    row: Annotated[int, Field(ge=2, le=10**9)]
    columns: Annotated[dict[ColumnName, Text], Field(max_length=500)]


class ImportAttempts(Command):
    """Ledger rows of a published results file, named by the SHA-256 of its bytes."""

    source: Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")]
    rows: Annotated[list[HistoricRow], Field(min_length=1, max_length=1000)]
