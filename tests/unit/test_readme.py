"""The README is true: its examples run as they stand, and its table names commands that exist."""

import json
import re
import subprocess
import sys

import pytest

from support import ROOT
from tollbench.adapters.cli.commands import KEYS
from tollbench.domain.commands import ROLES

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


def toll(folder, *words):
    return subprocess.run([sys.executable, "-m", "tollbench", *words], cwd=folder, capture_output=True, text=True)


def test_command_file_is_carried_out_on_a_new_bench(tmp_path):
    example = re.search(r"```json\n(.*?)```", README, re.DOTALL)
    assert example is not None
    (tmp_path / "command.json").write_text(example[1])
    assert toll(tmp_path, "init").returncode == 0
    done = toll(tmp_path, "do", "command.json")
    assert done.returncode == 0, done.stderr
    assert "created person-" in done.stdout


def test_the_help_of_do_holds_a_command_file_and_every_key_and_role(tmp_path):
    said = toll(tmp_path, "do", "--help").stdout
    (tmp_path / "command.json").write_text(re.search(r"\{\n.*\n  \}", said, re.DOTALL)[0])
    assert toll(tmp_path, "init").returncode == 0
    assert toll(tmp_path, "do", "command.json").returncode == 0
    explained = set(re.findall(r"^ +([a-z]+)  ", said, re.MULTILINE))
    assert explained >= KEYS | set(ROLES)


def test_command_file_of_the_amendment_tutorial_has_the_shape_of_one(tmp_path):
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    example = json.loads(re.search(r"```json\n(.*?)```", page, re.DOTALL)[1])
    example["fields"]["hash"] = f"b3:{'0' * 64}"
    (tmp_path / "command.json").write_text(json.dumps(example))
    assert toll(tmp_path, "init").returncode == 0
    refused = json.loads(toll(tmp_path, "check", "command.json", "--json").stdout)["refused"]
    assert "TB-CMD-001" not in [problem["rule"] for problem in refused], "nothing is wrong with its shape"
