"""Scenarios planted by hand in a copy of the tree: one that asserts nothing of its rule leaves the rule unproven."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support import ROOT

RULE = "TB-BID-007"
FEATURE = f"""Feature: Planted

  Rule: {RULE} Planted by hand

    @{RULE}
    Scenario: Planted by hand
      Given a person "Ada"
      Then all is well with "Ada"
"""
STEPS = """
from pytest_bdd import parsers, then
from steps.lives import Life

@then(parsers.parse('all is well with "{name}"'))
def well(life: Life, name: str) -> None:
    assert life.ids[name]
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the tree in which the planted scenario alone cites the rule."""
    skip = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "build", "golden", "fuzz")
    shutil.copytree(ROOT, tmp_path / "lib" / "tollbench", ignore=skip, symlinks=True)
    root = tmp_path / "lib" / "tollbench"
    for path in (root / "features").glob("*.feature"):
        path.write_text(re.sub(rf" *@{RULE}\b", "", path.read_text("utf-8")), "utf-8")
    (root / "features" / "planted.feature").write_text(FEATURE, "utf-8")
    (root / "tests" / "steps" / "planted.py").write_text(STEPS, "utf-8")
    return root


def rules(tree: Path, *arguments: str) -> Any:
    """A command of `toll rules` in the copy: what it says as JSON, and its exit code."""
    done = subprocess.run(
        [sys.executable, "-m", "tollbench", "rules", *arguments, "--json"],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree.parent), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.stdout, done.stderr
    return json.loads(done.stdout), done.returncode


def test_a_planted_scenario_that_tests_nothing_is_reported_unproven(tree: Path, tmp_path: Path) -> None:
    proof = str(tmp_path / "proof.json")
    found, code = rules(tree, "prove", RULE, "--out", proof)
    assert code == 1
    off = next(m for m in found["mutations"] if m["change"] == "switched off")
    assert (off["proven"], off["scenarios"], found["broken"]) == (False, 1, [])
    traced, code = rules(tree, "trace", "--area", "BID", "--proof", proof)
    assert code == 1
    row = next(row for row in traced["rows"] if row["rule"] == RULE)
    assert (row["state"], row["proven"]) == ("unproven", False)
    assert row["reasons"][0] == "switched off: no citing scenario fails"
