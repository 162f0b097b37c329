"""A small rulebook in a folder of its own, so that tests can break it: three rules, one scenario, code that enforces.

`Rulebook(tmp_path)` writes it and freezes it; `lint()` then has nothing to say until a test changes a file.
"""

from __future__ import annotations

import re
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

from support import ROOT
from tollbench.rules.compile import freeze
from tollbench.rules.findings import Finding
from tollbench.rules.lint import lint
from tollbench.rules.yaml_text import dumps

PAPER = "First line of a paper\nA band is read off the number alone\nThe score is a sum"
TODAY = date(2026, 8, 1)
VERSION = "1.3.0-draft.1"


def rule(rule_id: str, **changes: Any) -> dict[str, Any]:
    """A well-formed rule with these fields changed; None removes a field."""
    text = PAPER.split("\n")[1]
    found: dict[str, Any] = {
        "id": rule_id,
        "rev": 1,
        "title": f"The rule {rule_id}",
        "status": "active",
        "kind": "computed_quantity",
        "tier": "core",
        "text": f"The rule {rule_id} says what follows from the number.",
        "source": {
            "document": "small-paper",
            "version": "1.0",
            "line": 2,
            "anchor": "A band is read off the",
            "paragraph_hash": f"sha256:{sha256(text.encode()).hexdigest()}",
        },
        "authority": "paper",
        "parameters": {},
        "applies_to": {"aggregate": "Target"},
        "evaluator": {"kind": "computed", "visibility": "public"},
        "governs_at": "target.posted",
        "verify_by": "scenario",
        "effective": "2026-07-01",
        "introduced_by": "1.3.0-draft.1",
    }
    found.update(changes)
    return {key: value for key, value in found.items() if value is not None}


def parameter(type_: str, value: Any, **more: Any) -> dict[str, Any]:
    """A parameter with one value."""
    return {"type": type_, **more, "values": [{"from": "2026-07-01", "value": value, "reference": "paper, line 2"}]}


class Rulebook:
    """The tree below `root`; `lint()` gives the findings, `say()` their lines."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for path in (ROOT / "protocol" / "schemas").glob("*.schema.json"):  # they cite rules of the real rulebook
            text = re.sub(r'\n *"x-toll-rules": .*', "", path.read_text("utf-8"))
            self.write(f"protocol/schemas/{path.name}", text)
        self.write("protocol/paper/index.json", _index())
        self.put(rule("TB-BAND-001", parameters={"short_min": parameter("decimal", "0.50", reserved=True)}))
        self.put(rule("TB-BAND-002", needs=["TB-BAND-001"]))
        self.put(
            rule(
                "TB-GOV-014",
                kind="governance",
                tier="process",
                evaluator={"kind": "none", "visibility": "public"},
                verify_by="lint",
                parameters={"forbidden_terms": parameter("list[str]", ["toll rating"])},
            )
        )
        self.lock("TB-BAND-001", "TB-BAND-002", "TB-GOV-014")
        self.write("domain/bands.py", '@computes("TB-BAND-001", neutral=None)\ndef band(params, p): ...\n\n\n' + SECOND)
        self.write("features/band.feature", FEATURE)
        self.freeze()

    def write(self, name: str, text: str) -> None:
        """Write a file of the tree."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    def edit(self, name: str, old: str, new: str) -> None:
        """Replace text that must be there."""
        text = (self.root / name).read_text("utf-8")
        assert old in text, (name, old)
        self.write(name, text.replace(old, new))

    def put(self, value: dict[str, Any]) -> str:
        """Write a rule where its id says; gives the file name."""
        name = f"rules/{value['id'].split('-')[1].lower()}/{value['id']}.yaml"
        self.write(name, dumps(value))
        return name

    def lock(self, *ids: str) -> None:
        """Allocate ids."""
        path = self.root / "rules" / "ids.lock"
        before = path.read_text("utf-8") if path.exists() else ""
        path.write_text(before + "".join(f"{one} 2026-07-01 The rule {one}\n" for one in ids), "utf-8")

    def freeze(self, version: str = VERSION, effective: str = "2026-07-26") -> None:
        """Compile the rules."""
        freeze(version, effective, self.root)

    def lint(self, **options: Any) -> list[Finding]:
        """The findings about the tree."""
        return lint(self.root, today=options.pop("today", TODAY), **options)

    def only(self, **options: Any) -> Finding:
        """The one finding about the tree."""
        found = self.lint(**options)
        assert len(found) == 1, "\n".join(finding.text() for finding in found)
        return found[0]


SECOND = '@computes("TB-BAND-002", neutral=None)\ndef second(params, p): ...\n'
FEATURE = """Feature: Bands

  @TB-BAND-001 @TB-BAND-002
  Scenario: The band follows the number
    Given a target with p 0.50
    When its band is read
    Then it is short
"""


def _index() -> str:
    import json

    lines = [
        {"line": number, "anchor": " ".join(text.split()[:6]), "sha256": sha256(text.encode()).hexdigest()}
        for number, text in enumerate(PAPER.split("\n"), 1)
    ]
    return json.dumps({"document": "small-paper", "version": "1.0", "lines": lines})
