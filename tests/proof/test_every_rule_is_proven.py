"""Every evaluator switched off, and every numeric parameter moved a step, turns a citing scenario red."""

from __future__ import annotations

import json
import subprocess
import sys

from support import ROOT
from tollbench.adapters.rulebook.prove import steps
from tollbench.protocol.edition import shelf


def test_switching_off_any_evaluator_turns_a_citing_scenario_red() -> None:
    said = subprocess.run(
        [sys.executable, "-m", "tollbench", "rules", "prove", "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert said.stdout, said.stderr
    found = json.loads(said.stdout)
    unnoticed = [f"{m['rule']} {m['change']}" for m in found["mutations"] if not m["proven"]]
    assert unnoticed == []
    assert found["broken"] == [], "scenarios that fail under the law as it stands"
    off = {m["rule"] for m in found["mutations"] if m["change"] == "switched off"}
    enforced = {rule for rule, entry in shelf().current.rules.items() if entry.evaluator != "none"}
    waived = {"TB-PULSE-019"}
    assert enforced - off <= waived, "every rule with an evaluator was switched off"
    print(f"{len(off)} rules switched off, {len(found['mutations']) - len(off)} parameters moved, all noticed")


def test_each_numeric_parameter_has_a_step_down_and_up() -> None:
    moved = [change for _, _, change in steps(shelf().current.rules["TB-BID-007"])]
    assert moved == ["max_finalists: 3 -> 2", "max_finalists: 3 -> 4"]
