"""The table of log faults is closed: every code that is raised is in it, and every code in it is raised."""

import pickle
import re

from support import ROOT
from tollbench.protocol.faults import FAULTS, LogFault

SOURCES = [*(ROOT / "protocol").glob("*.py"), *(ROOT / "adapters").rglob("*.py")]


def _raised() -> set[str]:
    found: set[str] = set()
    for path in SOURCES:
        if path.name != "faults.py":
            found.update(re.findall(r'(?:LogFault|_?find)\(\s*"([A-Z0-9_]+)"', path.read_text("utf-8")))
    return found


def test_codes_raised_are_the_codes_listed():
    assert _raised() == set(FAULTS)


def test_every_fault_says_what_it_means_and_what_to_do():
    for code, kind in FAULTS.items():
        assert kind.status in (1, 2), code
        assert kind.meaning.endswith("."), code
        assert kind.fix.endswith("."), code
    assert len({kind.meaning for kind in FAULTS.values()}) == len(FAULTS)


def test_fault_survives_the_way_out_of_another_process():
    fault = pickle.loads(pickle.dumps(LogFault("PROOF_WRONG", "no", "file")))
    assert (fault.code, fault.detail, fault.where) == ("PROOF_WRONG", "no", "file")


def test_place_is_given_once():
    fault = LogFault("PROOF_WRONG", "no").at("file").at("elsewhere")
    assert str(fault) == "PROOF_WRONG: file: no"
    assert fault.document()["where"] == "file"
