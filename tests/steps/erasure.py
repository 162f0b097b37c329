"""Steps about erasing private matter."""

from __future__ import annotations

import hashlib

from pytest_bdd import parsers, then, when

from steps import folk
from steps.lives import Life
from steps.pulses import actor, deal
from tollbench.domain.commands import Actor
from tollbench.domain.deal.commands import EndDeal
from tollbench.domain.erasure import EraseVault
from tollbench.protocol import envelope


def erase(life: Life, stream: str, commitment: str, by: Actor) -> None:
    """Try to erase what is behind a commitment, and keep the log as it was before."""
    life.things["log before"] = list(life.bench.log())
    life.things["erased"] = commitment
    life.attempt(EraseVault(stream=stream, commitment=commitment), by)


@when(parsers.re(r'"(?P<who>\w+)" has the intake of her want erased(?P<elsewhere> on her own stream)?'))
def intake_erased(life: Life, who: str, elsewhere: str | None) -> None:
    target = life.bench.state(life.ids["the want"])
    erase(life, life.ids["Ada"] if elsewhere else target.id, target.intake_commitment, actor(life, who))


@when(parsers.parse('"{who}" has the pulse erased'))
def pulse_erased(life: Life, who: str) -> None:
    erase(life, deal(life).id, life.last_event("agent.checkin.posted").data["pulse_commitment"], life.actors[who])


@when(parsers.parse('"{who}" ends the attempt'))
def ends(life: Life, who: str) -> None:
    life.attempt(EndDeal(deal=deal(life).id), life.actors[who])


@then("nobody can open the intake any more")
def nobody_opens(life: Life) -> None:
    for reader in (life.actors["Ada"], folk.steward(life)):
        assert life.bench.reveal(life.things["erased"], by=reader) is None


@then("the log is as long as before plus the erasure, every byte of it unchanged")
def log_unchanged(life: Life) -> None:
    before, after = life.things["log before"], list(life.bench.log())
    assert after[: len(before)] == before and len(after) == len(before) + 1
    last = envelope.from_bytes(after[-1][1])
    assert (last.type, last.data) == ("vault.erased", {"commitment": life.things["erased"]})
    assert [hashlib.sha256(body).digest() for _, body in before] == [
        envelope.event_hash(body) for _, body in after[: len(before)]
    ]


@then("its commitment still stands on the ledger")
def commitment_stands(life: Life) -> None:
    assert life.last_event("agent.checkin.posted").data["pulse_commitment"] == life.things["erased"]
    with life.bench.store.unit(write=False) as unit:
        assert unit.vault_row(life.things["erased"]) is None
