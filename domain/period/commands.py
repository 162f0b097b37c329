"""What can be asked of a period: to close it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import StringConstraints

from ..commands import Command


class ClosePeriod(Command):
    """Close a week ("2026-W35"), a season ("season-1") or a quarter ("quarter-1") after its end (by the system)."""

    period: Literal["week", "season", "quarter"]
    name: Annotated[str, StringConstraints(pattern=r"^([0-9]{4}-W[0-9]{2}|(season|quarter)-[1-9][0-9]{0,4})$")]
