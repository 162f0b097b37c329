"""An application that keeps its users' keys elsewhere: the bench asks its signer, and keeps no key itself."""

from __future__ import annotations

import pytest

from tollbench.adapters.bench import Bench
from tollbench.domain.commands import Actor
from tollbench.domain.person.commands import RegisterPerson
from tollbench.protocol import signature
from tollbench.protocol.refusal import Refused

SEED = bytes(range(32))


def test_a_bench_with_a_signer_makes_no_keys() -> None:
    asked: list[str] = []

    def signer(actor: str, statement: bytes) -> str | None:
        asked.append(actor)
        return signature.sign(SEED, statement)

    with Bench.open("memory:", signer=signer) as bench:
        with pytest.raises(Refused) as refused:
            bench.do(RegisterPerson(), by=Actor.system())
        assert [(problem.rule, problem.field) for problem in refused.value.problems] == [("TB-PASS-006", "key")]
        person = bench.do(RegisterPerson(key=signature.public_of(SEED)), by=Actor.system()).id
        assert bench.state(person).key == signature.public_of(SEED)
        assert not asked, "registering signs nothing"
