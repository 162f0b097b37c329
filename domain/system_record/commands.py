"""Declarations of agent systems, and of material changes to them."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from ...protocol import instants
from ..commands import Command, DealId, Name, Part, PassportId, Private


def _date(value: str) -> str:
    instants.parse(f"{value}T00:00:00Z")
    return value


DateText = Annotated[str, StringConstraints(pattern=r"^[0-9]{4}(-[0-9]{2}){2}$"), AfterValidator(_date)]
"""A calendar date, YYYY-MM-DD."""
AutonomyText = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z_-]*$", max_length=40)]
"""An autonomy level as sent; TB-SYS-003 lists those that exist."""


class DeclaredModel(Part):
    """One base model of a system. A model without an exact version is refused by TB-SYS-002."""

    name: Name
    version: Name | None = None


class DeclareSystem(Command):
    """Declare a version of an agent system (sent by the agent or its operator).

    The record takes the agent's name and the operator from the Passport and follows the record that was in force
    before. Every field is optional here, so that everything missing is named at once (TB-SYS-002).
    """

    passport: PassportId
    system_version: Name | None = None
    base_models: Annotated[list[DeclaredModel], Field(max_length=50)] = Field(default_factory=list)
    harness_version: Name | None = None
    autonomy_level: AutonomyText | None = None
    start_date: DateText | None = None


class RecordConfigChange(Command):
    """State that the system at work on a deal changed materially. Give what is in use now; `other` names a material
    capability that none of the fields covers, and is read by the two sides and stewards."""

    deal: DealId
    base_models: Annotated[list[DeclaredModel], Field(max_length=50)] | None = None
    harness_version: Name | None = None
    autonomy_level: AutonomyText | None = None
    other: Annotated[Private, Field(min_length=1)] | None = None
