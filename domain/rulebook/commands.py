"""What can be asked of the rulebook."""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints

from ..commands import Command, DecimalText, InstantText, Name

VersionText = Annotated[str, StringConstraints(pattern=r"^[0-9]+\.[0-9]+\.[0-9]+[0-9a-z.-]*$", max_length=40)]
"""The version of an edition, for example 1.3.0."""
HashText = Annotated[str, StringConstraints(pattern=r"^b3:[0-9a-f]{64}$")]
"""The BLAKE3 fingerprint of an edition."""
ClassName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]
"""The name of a reference class; TB-ODDS-004 says which there are."""


class EnactEdition(Command):
    """Put an edition of the rulebook in force, at once or from `effective` on (sent by a steward or the system)."""

    version: VersionText
    hash: HashText
    effective: InstantText | None = None


class CorrectAnchor(Command):
    """Correct the anchor of a reference class against measured outcomes; only later postings start from it."""

    reference_class: ClassName
    to: DecimalText


class RecordModelAlias(Command):
    """Say which canonical model id a declared model name stands for."""

    declared: Name
    canonical: Name
