"""The example of every command is a command file, and its sender may cause what the command is for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tollbench.adapters.bench import Bench
from tollbench.adapters.cli.commands import read_command
from tollbench.adapters.examples import example_of
from tollbench.adapters.schemas import proposable
from tollbench.domain import protocol
from tollbench.domain.commands import commands
from tollbench.protocol.edition import shelf
from tollbench.rules.law import Law

assert protocol
PARTIES = {"person": {"person", "poster"}, "agent": {"agent"}, "operator": {"operator"}}
SENDERS = Law(shelf()).params("TB-CMD-003")["senders"]


@pytest.mark.parametrize("name", sorted(commands()))
def test_example_of_a_command_is_one(tmp_path: Path, name: str) -> None:
    path = tmp_path / "command.json"
    path.write_text(json.dumps(example_of(name)))
    given = read_command(str(path))
    with Bench.open("memory:") as bench:
        bench.parse(given.command, given.fields)
    allowed = {party for type_ in proposable(commands()[name]) for party in SENDERS.get(type_, ())}
    role = given.by.role
    assert PARTIES.get(role, {role}) & allowed
