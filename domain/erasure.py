"""Erasing private matter: the vault row goes, the commitment and every proof stay.

Source: paper, sections Ethics and safety, Reproducibility (private matter appears as commitments only), and the
data-retention and withdrawal terms every participant receives. The erasure is an event on the stream concerned; the
store deletes the row in the same transaction.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import StringConstraints
from typing_extensions import TypedDict

from ..rules.evaluators import Finding, guard
from .commands import Command, DealId, PassportId, PersonId, SystemId, TargetId, handles
from .deal.state import Deal
from .events import Commitment, register
from .world import Case, Proposed, World

STREAMS = ("target", "deal", "passport", "system", "person")


class VaultErased(TypedDict):
    """The private matter behind this commitment was erased; nothing opens the commitment any more."""

    commitment: Commitment


register(STREAMS, {"vault.erased": VaultErased})


class EraseVault(Command):
    """Erase the private matter behind a commitment (sent by the person whose matter it is, or by a steward).

    `stream` is the target, deal, Passport, System Record or person whose events carry the commitment.
    """

    stream: TargetId | DealId | PassportId | SystemId | PersonId
    commitment: Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")]


@handles(EraseVault)
def erase_vault(cmd: EraseVault, world: World) -> Iterator[Proposed]:
    """Ledger the erasure. What was erased before stays erased, and nothing is written."""
    row = world.row(cmd.commitment)
    if world.state(cmd.stream) is None or (row is not None and row.subject != cmd.stream):
        world.lacks("stream", f"{cmd.stream} holds no such private matter", "name the stream that carries it")
    elif row is not None:
        yield Proposed(cmd.stream, "vault.erased", {"commitment": cmd.commitment})


@guard("TB-PRIV-008", on="vault.erased", private=True)
def erasable(case: Case) -> Iterator[Finding]:
    """TB-PRIV-008: persons have their own matter erased; what a running attempt rests on stays until it is resolved."""
    row = case.world.row(case.data["commitment"])
    if row is not None and case.actor.role != "steward" and row.kind not in case.params["persons_matter"]:
        yield case.finding("commitment", f"this is a {row.kind}, not the person's own matter", "ask a steward")
    if isinstance(case.state, Deal) and case.state.active:
        yield case.finding(
            "stream", "both sides of a running attempt rely on this", "wait until the deal is resolved, or end it first"
        )
