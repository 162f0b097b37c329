"""The public names load lazily, and every one of them exists."""

import ast
import subprocess
import sys

import pytest

import tollbench
from support import ROOT


@pytest.mark.parametrize("name", tollbench.__all__)
def test_public_name_resolves(name):
    assert getattr(tollbench, name) is getattr(tollbench, name)
    assert name in dir(tollbench)


def test_what_stands_inside_a_command_is_public():
    """Whoever builds a command in Python needs the parts that it holds."""
    from tollbench.domain import protocol
    from tollbench.domain.commands import Part

    assert protocol
    for part in Part.__subclasses__():
        assert part.__name__ in tollbench.__all__
        assert getattr(tollbench, part.__name__) is part


def test_type_checkers_know_every_public_name():
    """What is loaded on first use is imported for type checkers, so that programs that embed the core are checked."""
    (block,) = [node for node in ast.parse((ROOT / "__init__.py").read_text()).body if isinstance(node, ast.If)]
    told = {(name.name, node.module) for node in block.body for name in node.names}
    homes = {(name, home.removeprefix(".")) for name, home in tollbench._HOMES.items()}
    commands = tollbench._commands().values()
    made = {(command.__name__, command.__module__.removeprefix("tollbench.")) for command in commands}
    assert told == homes | made


def test_what_can_go_wrong_is_public():
    with pytest.raises(tollbench.StoreError):
        tollbench.Bench.open("nowhere/at/all.db", create=False)
    with tollbench.Bench.open("memory:") as bench:
        with pytest.raises(tollbench.Unknown):
            bench.public_record("deal-00000000-0000-5000-8000-000000000000")
        assert isinstance(bench.do(tollbench.RegisterPerson(), by=tollbench.Actor.system()), tollbench.Done)


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        tollbench.nothing_of_the_kind  # noqa: B018 - the access is the test


def test_import_of_the_package_loads_nothing_else():
    code = "import sys, tollbench; print([m for m in sys.modules if m.startswith('tollbench.')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
