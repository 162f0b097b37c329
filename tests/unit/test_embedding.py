"""The page on embedding is true: its blocks, one after another, are a program that runs as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from support import ROOT
from tollbench.domain.commands import ROLES

PAGE = (ROOT / "docs" / "embedding.md").read_text(encoding="utf-8")
PROGRAM = "\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))


def test_the_life_on_the_page_runs(tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    walked, *_, sealed = ran.stdout.splitlines()
    assert walked.startswith("TB-CMD-007 ") and sealed.startswith("TB-")


def test_the_page_lists_every_role() -> None:
    listed = re.findall(r"^\| `([a-z]+)` \|", PAGE, re.MULTILINE)
    assert sorted(listed) == sorted(ROLES)


def test_every_command_of_the_life_has_a_key() -> None:
    kept = PROGRAM[: PROGRAM.index("except pydantic")]
    assert kept.count("bench.do(") == kept.count("key=")
