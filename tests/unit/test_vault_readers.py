"""Who may read the vault: every kind of row that a season makes, and every role, with the rule that closes the rest.

The season fills in every private text, so that every kind of row there is occurs (TB-PRIV-007, TB-BID-002,
TB-PULSE-009).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from marked import MarkedBench
from seasons import played

from tollbench.domain.commands import Actor
from tollbench.domain.vault import PULSES, SEALED_BIDS
from tollbench.domain.world import VaultRow
from tollbench.protocol.refusal import Refused

TWO_SIDES = {"poster", "agent", "steward"}
BID = TWO_SIDES
READERS: dict[str, set[str]] = {
    "answer": BID,
    "attestation": {"person", "steward"},
    "card": {"poster", "steward"},
    "config_change": TWO_SIDES,
    "deal.answer": TWO_SIDES,
    "deal.card": TWO_SIDES,
    "deal.note": TWO_SIDES,
    "deal.outcome": TWO_SIDES,
    "deal.question": TWO_SIDES,
    "deal.reason": TWO_SIDES,
    "deal.words": TWO_SIDES,
    "decline_reason": {"poster", "steward"},
    "endpoint": {"agent", "operator", "steward"},
    "evidence": {"steward"},
    "identity": {"person", "steward"},
    "intake": {"poster", "steward"},
    "liveness_reason": {"agent", "operator", "steward"},
    "payment_link": TWO_SIDES,
    "proposal": BID,
    "pulse": TWO_SIDES,
    "question": BID,
    "reasons": {"steward"},
    "suspicion": {"steward"},
    "verification": {"steward"},
    "withdrawal": BID,
    "workflow_pitch": TWO_SIDES,
}
"""For each kind of row the parties that may read it; nobody else may."""


@dataclass
class Cast:
    """Everybody in the season, by role."""

    bench: MarkedBench
    persons: list[str]
    operators: list[str]
    stewards: list[str]
    agents: list[str]

    def parties(self, row: VaultRow) -> dict[str, Actor]:
        """The parties that the row is about: what its subject says, and for a bid whose bid it is."""
        state = self.bench.state(row.subject)
        kind = row.subject.partition("-")[0]
        if kind == "person":
            return {"person": Actor("person" if row.subject in self.persons else state.capacity[0], row.subject)}
        agent = self._agent(row, state, kind)
        found = {} if agent is None else {"agent": Actor("agent", agent)}
        if agent is not None:
            found["operator"] = Actor("operator", self.bench.state(agent).operator)
        return found if kind == "passport" else {**found, "poster": Actor("person", state.person)}

    def _agent(self, row: VaultRow, state: Any, kind: str) -> str | None:
        if kind == "passport":
            return row.subject
        if kind == "deal":
            return str(state.passport)
        if "proposal" in row.body:
            return str(state.proposals[row.body["proposal"]].passport)
        return next((id for id in row.readers if id.startswith("passport-")), None)

    def everybody(self, row: VaultRow) -> Iterator[tuple[str | None, Actor]]:
        """Each party of the row by its name, stewards, and one stranger of each role without a name."""
        parties = self.parties(row)
        yield from parties.items()
        yield from (("steward", Actor("steward", id)) for id in self.stewards)
        named = {actor.id for actor in parties.values()}
        for role, ids in (("person", self.persons), ("operator", self.operators), ("agent", self.agents)):
            yield None, Actor(role, next(id for id in ids if id not in named))  # type: ignore[arg-type]
        yield None, Actor.system()


@pytest.fixture(scope="module")
def cast() -> Iterator[Cast]:
    bench, _ = played(MarkedBench, "memory:")
    with bench:
        registered = [event for event in bench.events() if event.type == "person.registered"]
        agents = [event.stream for event in bench.events() if event.type == "passport.issued"]
        by_role = {
            role: [event.stream for event in registered if role in event.data["capacity"]]
            for role in ("person", "operator", "steward")
        }
        yield Cast(bench, by_role["person"], by_role["operator"], by_role["steward"], agents)


def _rows(cast: Cast) -> list[VaultRow]:
    with cast.bench.store.unit(write=False) as unit:
        names = [row[0] for row in unit._rows("SELECT commitment FROM vault WHERE NOT erased ORDER BY seq")]
        return [row for row in map(unit.vault_row, names) if row is not None]


def test_the_table_names_every_kind_there_is(cast: Cast) -> None:
    assert {row.kind for row in _rows(cast)} == READERS.keys()


def _rule_of(kind: str) -> str:
    return "TB-BID-002" if kind in SEALED_BIDS else "TB-PULSE-009" if kind in PULSES else "TB-PRIV-007"


@pytest.mark.parametrize("kind", sorted(READERS))
def test_its_readers_read_it_and_nobody_else_does(kind: str, cast: Cast) -> None:
    rows = [row for row in _rows(cast) if row.kind == kind][:6]
    tried: set[str | None] = set()
    for row in rows:
        for party, actor in cast.everybody(row):
            tried.add(party)
            if party in READERS[kind]:
                assert cast.bench.reveal(row.commitment, by=actor) == row.body, party
                continue
            with pytest.raises(Refused) as refused:
                cast.bench.reveal(row.commitment, by=actor)
            assert [problem.rule for problem in refused.value.problems] == [_rule_of(kind)], (party, actor)
    assert tried >= {*READERS[kind], None}


@pytest.mark.parametrize("kind", sorted(READERS))
def test_no_false_name_opens_it(kind: str, cast: Cast) -> None:
    row = next(row for row in _rows(cast) if row.kind == kind and not set(cast.stewards) & set(row.readers))
    reader = next((id for id in row.readers if id != "steward"), cast.persons[0])
    role = "agent" if reader.startswith("passport-") else "person"
    false = [
        Actor("steward", reader),
        Actor("steward", "steward"),
        Actor("person", "steward"),
        Actor("system", "steward"),
        Actor("system", reader),
        Actor("person" if role == "agent" else "agent", reader),
        Actor(role, reader[:-1] + ("0" if reader[-1] != "0" else "1")),  # type: ignore[arg-type]
        Actor("person", ""),
    ]
    for actor in false:
        with pytest.raises(Refused) as refused:
            cast.bench.reveal(row.commitment, by=actor)
        assert "TB-CMD-002" in {problem.rule for problem in refused.value.problems}, actor


def test_the_readers_named_in_a_row_are_parties_of_its_subject(cast: Cast) -> None:
    for row in _rows(cast):
        allowed = {actor.id for actor in cast.parties(row).values()} | {"steward"}
        assert set(row.readers) <= allowed, row.kind


def test_what_never_was_opens_as_nothing(cast: Cast) -> None:
    assert cast.bench.reveal("sha256:" + "0" * 64, by=Actor.system()) is None
