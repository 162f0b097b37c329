"""Editions: what the registry compiles to, under which hash, and what the runtime refuses to load."""

import json
import subprocess
import sys
import time
from decimal import Decimal

import pytest
from small_rulebook import VERSION, Rulebook, parameter, rule

from support import ROOT
from tollbench.protocol.commitment import fingerprint
from tollbench.protocol.edition import EditionError, Shelf, shelf
from tollbench.rules.compile import FreezeError, freeze
from tollbench.rules.findings import RegistryError
from tollbench.rules.load import load


@pytest.fixture
def book(tmp_path):
    return Rulebook(tmp_path)


def test_every_rule_of_the_registry_stands_in_the_current_edition():
    current = shelf().current
    assert set(current.rules) == set(load(ROOT).rules)
    assert current.hash == next(i["hash"] for i in shelf().manifest["editions"] if i["version"] == current.version)
    for rule_id, entry in current.rules.items():
        assert entry.id == rule_id
        assert set(current.params(rule_id)) == {parameter.name for parameter in entry.parameters}


def test_an_entry_says_what_the_rule_says():
    entry = shelf().current.rules["TB-OUT-015"]
    assert (entry.evaluator, entry.governs_at, entry.reject_code) == ("guard", "deal.signed", "LAPSE_TOO_EARLY")
    assert entry.draft
    assert not shelf().current.rules["TB-BAND-002"].draft
    assert {p.name: (p.value, p.typed, p.authority, p.draft) for p in entry.parameters}["lapse_after"] == (
        "P14D", 1_209_600, "ruling", True,
    )  # fmt: skip
    assert entry.source.line == 26
    assert entry.source.anchor == "Resolved and delivered. The protocol uses"


def test_parameters_are_typed_and_cannot_be_changed():
    params = shelf().current.params("TB-BAND-002")
    assert params["short_min"] == Decimal("0.50")
    with pytest.raises(TypeError):
        params["short_min"] = Decimal("0.60")
    assert shelf().current.params("TB-PULSE-004")["max_interval"] == 1800
    assert shelf().current.params("TB-OUT-019")["tie_order"] == ("approval", "lapse", "expiry")


def test_unknown_rules_and_versions_are_named():
    with pytest.raises(KeyError, match="TB-ODDS-999"):
        shelf().current.params("TB-ODDS-999")
    with pytest.raises(KeyError, match="TB-ODDS-999"):
        shelf().current.rules["TB-ODDS-999"]
    assert shelf().current.rules.get("TB-ODDS-999") is None
    with pytest.raises(EditionError, match=r"9\.9\.9 is not on the shelf"):
        shelf().get("9.9.9")


def test_a_recount_edition_has_its_own_hash_and_checks_its_values():
    current = shelf().current
    other = current.with_value("TB-BAND-002", "short_min", "0.55")
    assert other.params("TB-BAND-002")["short_min"] == Decimal("0.55")
    assert other.hash != current.hash
    assert current.params("TB-BAND-002")["short_min"] == Decimal("0.50")
    with pytest.raises(ValueError, match=r"TB-BAND-002\.short_min"):
        current.with_value("TB-BAND-002", "short_min", 0.55)
    with pytest.raises(KeyError):
        current.with_value("TB-BAND-002", "no_such", "1")


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (lambda home: (home / "manifest.json").unlink(), "manifest of editions cannot be read"),
        (lambda home: (home / "manifest.json").write_text("[]"), "manifest of editions cannot be read"),
        (lambda home: (home / f"editions/{VERSION}.json").unlink(), "cannot be read: No such file"),
        (lambda home: (home / f"editions/{VERSION}.json").write_bytes(b"{}"), "the manifest says b3:"),
    ],
)
def test_a_damaged_shelf_is_refused(book, harm, says):
    harm(book.root / "protocol")
    with pytest.raises(EditionError, match=says):
        _ = Shelf(book.root / "protocol").current


def test_bytes_with_the_right_hash_that_are_no_edition_are_refused(book):
    home = book.root / "protocol"
    for data in (b"{}", b"not json", b'{"version":1}'):
        (home / f"editions/{VERSION}.json").write_bytes(data)
        manifest = json.loads((home / "manifest.json").read_text())
        manifest["editions"][0]["hash"] = fingerprint(data)
        (home / "manifest.json").write_text(json.dumps(manifest))
        with pytest.raises(EditionError, match="no compiled edition"):
            _ = Shelf(home).current


def test_a_value_is_the_last_one_that_started_by_the_effective_date(book):
    dated = parameter("int", 1)
    dated["values"].append({"from": "2026-08-01", "value": 2, "reference": "an amendment"})
    book.put(rule("TB-BAND-002", needs=["TB-BAND-001"], parameters={"count": dated}))
    for effective, value in (("2026-07-31", 1), ("2026-08-01", 2), ("2026-12-01", 2)):
        book.freeze(effective=effective)
        assert Shelf(book.root / "protocol").current.params("TB-BAND-002")["count"] == value


def test_drafts_and_rules_not_yet_in_force_stay_out(book):
    book.put(rule("TB-BAND-002", needs=["TB-BAND-001"], status="draft"))
    book.put(rule("TB-BAND-001", effective="2026-09-01"))
    book.freeze(effective="2026-08-31")
    assert set(Shelf(book.root / "protocol").current.rules) == {"TB-GOV-014"}
    book.freeze(effective="2026-09-01")
    assert set(Shelf(book.root / "protocol").current.rules) == {"TB-GOV-014", "TB-BAND-001"}


def test_freezing_twice_gives_the_same_bytes(book):
    path = book.root / f"protocol/editions/{VERSION}.json"
    before = path.read_bytes(), (book.root / "protocol/manifest.json").read_bytes()
    book.freeze()
    assert (path.read_bytes(), (book.root / "protocol/manifest.json").read_bytes()) == before


def test_a_broken_registry_is_not_frozen(book):
    book.edit("rules/band/TB-BAND-001.yaml", "tier: core", "tier: heart")
    before = (book.root / "protocol/manifest.json").read_bytes()
    with pytest.raises(RegistryError, match=r"TB-BAND-001.yaml:6: \[malformed\]"):
        book.freeze()
    assert (book.root / "protocol/manifest.json").read_bytes() == before


def test_after_launch_an_edition_never_changes(book):
    path = book.root / "protocol/manifest.json"
    path.write_text(path.read_text().replace('"launched_at": null', '"launched_at": "2026-09-01"'))
    book.freeze()
    book.edit("rules/band/TB-BAND-001.yaml", '"0.50"', '"0.55"')
    with pytest.raises(FreezeError, match="take the next version"):
        book.freeze()


def test_the_compiler_runs_as_a_module():
    run = [sys.executable, "-m", "tollbench.rules.compile"]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "usage" in done.stderr


def test_freeze_defaults_to_the_effective_date_it_replaces(book):
    assert freeze(VERSION, root=book.root)["effective"] == "2026-07-26"


def test_loading_is_quick():
    def once():
        started = time.perf_counter()
        Shelf().current.params("TB-ODDS-010")
        return time.perf_counter() - started

    assert min(once() for _ in range(10)) < 0.005


RULINGS = [f"A-{number:02d}" for number in range(1, 73)]


def test_every_ruling_stands_in_the_registry_as_value_note_or_rule():
    carried = set()
    for one in load(ROOT).rules.values():
        for item in one.value["parameters"].values():
            for dated in item["values"]:
                carried.update(dated["reference"].replace(",", "").split())
        carried.update(note.get("ruling") for note in one.value.get("notes", ()))
        if one.value["authority"] == "ruling":
            carried.update(one.value.get("rulings", ()))
    assert [ruling for ruling in RULINGS if ruling not in carried] == []


def test_values_that_a_ruling_gives_say_so():
    for one in load(ROOT).rules.values():
        for name, item in one.value["parameters"].items():
            if any("ruling" in dated["reference"] for dated in item["values"]):
                assert one.declared()[name]["authority"] == "ruling", f"{one.id}.{name}"
            if item.get("draft"):
                assert one.declared()[name]["authority"] == "ruling", f"{one.id}.{name}"


def test_rubric_ranges_tile_the_bands():
    current = shelf().current
    short, long, moonshot = (current.params(f"TB-ODDS-0{number}") for number in (11, 12, 13))
    band, bounds = current.params("TB-BAND-002"), current.params("TB-ODDS-010")
    assert (short["range_low"], short["range_high"]) == (band["short_min"], bounds["p_max"])
    assert (long["range_low"], long["range_high"]) == (band["long_min"], band["short_min"])
    assert (moonshot["range_low"], moonshot["range_high"]) == (bounds["p_min"], band["long_min"])
    for row in (short, long, moonshot):
        assert row["range_low"] <= row["default"] <= row["range_high"]
