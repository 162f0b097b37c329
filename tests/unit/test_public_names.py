"""The public names load lazily, and every one of them exists."""

import subprocess
import sys

import pytest

import tollbench


@pytest.mark.parametrize("name", tollbench.__all__)
def test_public_name_resolves(name):
    assert getattr(tollbench, name) is getattr(tollbench, name)
    assert name in dir(tollbench)


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        tollbench.nothing_of_the_kind  # noqa: B018 - the access is the test


def test_import_of_the_package_loads_nothing_else():
    code = "import sys, tollbench; print([m for m in sys.modules if m.startswith('tollbench.')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
