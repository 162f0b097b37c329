"""The close of a period."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from ..events import Instant, PublicText, register


class PeriodClosed(TypedDict):
    """A period is over: its figures are read at `log_position` (events before this one) under `edition`.

    `ended_at` is its end, exclusive; what resolved before it belongs to the period or an earlier one.
    """

    period: Literal["week", "season", "quarter"]
    name: Annotated[str, StringConstraints(max_length=20)]
    ended_at: Instant
    edition: PublicText
    log_position: Annotated[int, Field(ge=0)]


register("period", {"period.closed": PeriodClosed})
