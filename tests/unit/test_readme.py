"""The README is true: its embedding example runs as it stands, and its table names commands that exist."""

import re
import subprocess
import sys

import pytest

from support import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLE = re.search(r"```python\n(.*?)```", README, re.DOTALL)
COMMANDS = sorted({" ".join(words) for words in re.findall(r"`toll ([a-z]+)(?: (show|lint)(?= ID|`))?", README)})


def test_embedding_example_runs_as_it_stands(tmp_path):
    assert EXAMPLE is not None
    ran = subprocess.run([sys.executable, "-c", EXAMPLE[1]], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    refused, *events = ran.stdout.splitlines()
    assert refused.startswith("TB-CMD-002 ")
    assert [line.split()[0] for line in events] == ["rulebook.edition.enacted", "person.registered"]
    assert (tmp_path / "bench.db").is_file()


def test_embedding_example_is_short():
    assert EXAMPLE is not None
    assert len([line for line in EXAMPLE[1].splitlines() if line.strip()]) <= 11


@pytest.mark.parametrize("command", COMMANDS)
def test_command_of_the_table_exists(command):
    ran = subprocess.run(
        [sys.executable, "-m", "tollbench", *command.split(), "--help"], capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert "Usage:" in ran.stdout
