"""The public names load lazily, and every one of them exists."""

import subprocess
import sys

import pytest

import tollbench


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
