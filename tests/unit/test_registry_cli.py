"""`toll rules …`: exit codes, JSON, and the walk of an amendment by the commands alone."""

import json
import shlex
import shutil

import pytest
from click.testing import CliRunner
from small_rulebook import Rulebook

from support import ROOT, shared
from tollbench.adapters.cli.rules import rules
from tollbench.protocol.edition import Shelf


@pytest.fixture
def book(tmp_path):
    return Rulebook(tmp_path / "tree")


def toll(book, *arguments, code=0, **options):
    root = ["--root", str(book.root)] if book else []
    done = CliRunner().invoke(rules, [arguments[0], *root, *arguments[1:]], **options)
    assert code in (None, done.exit_code), (done.output, done.exception)
    return done


def said(book, *arguments, **options):
    return json.loads(toll(book, *arguments, "--json", **options).stdout)


def test_lint_says_what_and_where(book):
    assert toll(book, "lint").stderr == "0 findings\n"
    book.edit("rules/band/TB-BAND-001.yaml", "rev: 1", "rev: 1.5")
    done = toll(book, "lint", code=1)
    assert "rules/band/TB-BAND-001.yaml:2: [malformed]" in done.stdout
    assert said(book, "lint", code=1)["findings"][0]["line"] == 2


def test_lint_with_the_paper_at_hand(book, tmp_path):
    (tmp_path / "paper.txt").write_text("First line of a paper\nSomething else\nThe score is a sum")
    found = said(book, "lint", "--paper", str(tmp_path / "paper.txt"), code=1)["findings"]
    assert {one["state"] for one in found} == {"drifted"}
    (tmp_path / "paper.txt").write_bytes(b"\xff")
    assert "is not UTF-8" in toll(book, "lint", "--paper", str(tmp_path / "paper.txt"), code=2).stderr


def test_trace_in_every_form(book):
    assert said(book, "trace")["counts"] == {"ok": 3}
    assert "3 ok" in toll(book, "trace").stdout
    assert toll(book, "trace", "--md").stdout.startswith("| rule |")
    assert toll(book, "trace", "--csv").stdout.startswith("rule,")
    assert toll(book, "trace", "--html").stdout.startswith("<!doctype html>")
    assert [row["rule"] for row in said(book, "trace", "--area", "GOV")["rows"]] == ["TB-GOV-014"]
    assert "no rule stands in the area NONE" in toll(book, "trace", "--area", "NONE", code=2).stderr


def test_trace_with_others_and_with_a_proof(book, tmp_path):
    cited = {"application": "app", "citations": [{"rule": "TB-BAND-009", "kind": "enforces", "place": "a.go:1"}]}
    (tmp_path / "app.json").write_text(json.dumps(cited))
    rows = said(book, "trace", "--with", str(tmp_path / "app.json"), code=1)["rows"]
    assert rows[-2]["rule"] == "TB-BAND-009"
    off, up = ({"rule": "TB-BAND-001", "change": change} for change in ("switched off", "short_min: 0.50 -> 0.51"))
    proof = {"mutations": [{**off, "proven": True}, {**up, "proven": False}]}
    proof["edition"] = {"hash": Shelf(book.root / "protocol").current.hash}
    (tmp_path / "proof.json").write_text(json.dumps(proof))
    rows = said(book, "trace", "--proof", str(tmp_path / "proof.json"), code=1)["rows"]
    assert (rows[0]["state"], rows[0]["proven"]) == ("unproven", False)
    assert rows[0]["reasons"] == ["short_min: 0.50 -> 0.51: no citing scenario fails"]
    assert said(book, "show", "TB-BAND-001", "--proof", str(tmp_path / "proof.json"))["proven"] is False
    assert "unproven" in toll(book, "show", "TB-BAND-001", "--proof", str(tmp_path / "proof.json")).stdout
    site = ("--out", str(tmp_path / "site"), "--proof", str(tmp_path / "proof.json"))
    toll(book, "export", *site)
    assert "goes unnoticed by every citing scenario" in (tmp_path / "site/rule/TB-BAND-001.html").read_text("utf-8")
    proof["edition"]["hash"] = "b3:0"
    (tmp_path / "proof.json").write_text(json.dumps(proof))
    assert "of another edition" in toll(book, "trace", "--proof", str(tmp_path / "proof.json"), code=2).stderr


def test_show_counts_refusals_of_a_scenario_run(book, tmp_path):
    (tmp_path / "junit.xml").write_text(
        '<testsuite><testcase name="test_a"><properties><property name="rule" value="TB-BAND-001"/>'
        '<property name="refusal" value="TB-BAND-001"/></properties></testcase></testsuite>'
    )
    found = said(book, "show", "TB-BAND-001", "--results", str(tmp_path / "junit.xml"))
    assert (found["refusals"], found["results"]) == (1, [{"scenario": "test_a", "result": "passed"}])
    assert "1 times in that run" in toll(book, "show", "TB-BAND-001", "--results", str(tmp_path / "junit.xml")).stdout
    (tmp_path / "junit.xml").write_text("no")
    assert "no JUnit" in toll(book, "show", "TB-BAND-001", "--results", str(tmp_path / "junit.xml"), code=2).stderr
    both = ("--at", "2026-08-01", "--edition", "1.3.0-draft.1")
    assert "not both" in toll(book, "show", "TB-BAND-001", *both, code=2).stderr


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("no", "no JSON"),
        ("{}", "is a required property"),
        ('{"application":"a","citations":[{"rule":"X"}]}', "citations.0"),
    ],
)
def test_trace_refuses_what_is_no_citation_document(book, tmp_path, text, says):
    (tmp_path / "app.json").write_text(text)
    assert says in toll(book, "trace", "--with", str(tmp_path / "app.json"), code=2).stderr
    assert "no proof" in toll(book, "trace", "--proof", str(tmp_path / "app.json"), code=2).stderr


def test_show_a_rule(book):
    found = said(book, "show", "TB-BAND-001")
    assert found["parameters"][0]["value"] == "0.50"
    assert found["evaluators"] == ["domain/bands.py:1 band"]
    assert "short_min" in toll(book, "show", "TB-BAND-001").stdout
    assert "has no rule TB-BAND-009" in toll(book, "show", "TB-BAND-009", code=2).stderr
    assert "is not on the shelf" in toll(book, "show", "TB-BAND-001", "--edition", "9.9.9", code=2).stderr
    assert "no edition is in force" in toll(book, "show", "TB-BAND-001", "--at", "2020-01-01", code=2).stderr
    assert said(book, "show", "TB-BAND-001", "--at", "2026-08-01")["edition"] == "1.3.0-draft.1"


def test_show_and_explain_count_a_ledger(tmp_path):
    from tollbench.adapters.bench import Bench

    url = str(tmp_path / "bench.db")
    with Bench.open(url) as bench:
        events = list(bench.events())
    event = next(event for event in events if any(event.rules.values()))
    rule = next(rule for cited in event.rules.values() for rule in cited)
    found = said(None, "show", rule, "--bench", url)
    assert found["judged"]["events"] >= 1
    assert rule in [one["rule"] for one in said(None, "explain", event.id, "--bench", url)]


def test_explain_a_refusal():
    found = said(None, "explain", "DIAL_UNKNOWN")
    assert [one["rule"] for one in found] == ["TB-ODDS-005"]
    refused = {
        "refused": [{"code": "ODDS_OUT_OF_BOUNDS", "rule": "TB-ODDS-010", "field": "p", "detail": "0.91 is too much"}]
    }
    done = toll(None, "explain", "-", input=json.dumps(refused))
    assert "TB-ODDS-010" in done.stdout
    assert "0.91 is too much" in done.stdout
    assert 'p_max = "0.90"' in done.stdout
    assert "is no refusal code" in toll(None, "explain", "NOTHING_KNOWN", code=2).stderr
    assert "is no refusal" in toll(None, "explain", "-", input="[]", code=2).stderr


def test_explain_speaks_of_the_edition_that_judged(book, tmp_path):
    change = ("amend", "TB-BAND-001", "--set", "short_min=0.55", "--title", "A higher boundary", "--note", "Pins hold.")
    on = ("--on", "2026-08-10")
    amendment = said(book, *change, "--transition", "immediate", *on)["amendment"]
    said(book, "amend", amendment, "--to", "review")
    said(book, "amend", amendment, "--to", "last_call", "--effective", "2026-08-10", "--impact", "Three rows move.")
    wrong = toll(book, "enact", amendment, "--edition", "1.3.0-draft.2", "--transition", "keep_pinned", *on, code=1)
    assert "names immediate" in wrong.stderr
    said(book, "enact", amendment, "--edition", "1.3.0-draft.2", *on)
    refused = {"code": "X", "rule": "TB-BAND-001", "field": "p", "detail": "0.52 is long"}
    for version, value in (("1.3.0-draft.1", "0.50"), ("1.3.0-draft.2", "0.55"), (None, "0.55")):
        text = json.dumps({"refused": [{**refused, **({"edition": version} if version else {})}]})
        found = said(book, "explain", "-", input=text)
        assert found[0]["parameters"] == {"short_min": value}
    stray = json.dumps({"refused": [{**refused, "edition": "9.9.9"}]})
    assert "is not on the shelf" in toll(book, "explain", "-", input=stray, code=2).stderr


def test_an_amendment_walks_by_the_commands_alone(book):
    new = said(book, "new", "BAND", "--title", "A third rule", "--text", "What the third rule says.", "--line", "3")
    assert new["rule"] == "TB-BAND-003"
    on = ("--on", "2026-08-10")
    amend = (
        "amend",
        "TB-BAND-001",
        "--set",
        "short_min=0.55",
        "--title",
        "A higher boundary",
        "--note",
        "Pins hold.",
        *on,
    )
    amendment = said(book, *amend)["amendment"]
    assert said(book, "amend", amendment, "--to", "review")["status"] == "review"
    assert (
        "needs an impact report"
        in toll(book, "amend", amendment, "--to", "last_call", "--effective", "2026-08-10", code=1).stderr
    )
    ready = (
        "amend",
        amendment,
        "--to",
        "last_call",
        "--effective",
        "2026-08-10",
        "--impact",
        "Three rows change bands.",
    )
    assert said(book, *ready)["status"] == "last_call"
    line = said(book, "enact", amendment, "--edition", "1.3.0-draft.2", *on)["edition"]
    assert Shelf(book.root / "protocol").current.hash == line["hash"]
    assert toll(book, "lint").exit_code == 0
    found = said(book, "diff", "1.3.0-draft.1", "1.3.0-draft.2")
    assert found["changed"][0]["values"] == {"short_min": ["0.50", "0.55"]}
    assert "short_min" in toll(book, "diff", "1.3.0-draft.1", "1.3.0-draft.2").stdout
    assert "say the same" in toll(book, "diff", "1.3.0-draft.1", "1.3.0-draft.1").stdout
    assert "not on the shelf" in toll(book, "diff", "1.3.0-draft.1", "9.9.9", code=2).stderr


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("new", "x", "--title", "A rule", "--text", "It says so.", "--line", "1"), 1, "is no area"),
        (("amend", "TB-BAND-001"), 2, "say what changes"),
        (("amend", "TB-BAND-001", "--withdraw"), 2, "has a --title"),
        (("amend", "TB-BAND-001", "--set", "short_min"), 2, "PARAMETER=VALUE"),
        (("amend", "AMD-2026-08-10"), 2, "say where the amendment moves"),
        (("enact", "AMD-2026-08-10", "--edition", "1.3.1"), 1, "there is no amendment"),
        (("freeze", "soon"), 1, "is no version"),
        (("freeze", "../1.3.0"), 1, "is no version"),
    ],
)
def test_changes_that_cannot_be_made(book, arguments, code, says):
    assert says in toll(book, *arguments, code=code).stderr


def test_freeze_replaces_a_draft(book):
    book.edit("rules/band/TB-BAND-001.yaml", '"0.50"', '"0.52"')
    assert "parameter values differ" in toll(book, "lint", code=1).stdout
    assert said(book, "freeze", "1.3.0-draft.1")["edition"]["effective"] == "2026-07-26"
    toll(book, "lint")


def test_a_damaged_shelf_is_unusable_input(book):
    book.write("protocol/manifest.json", "{}")
    assert "manifest of editions cannot be read" in toll(book, "show", "TB-BAND-001", code=2).stderr


def test_export(book, tmp_path):
    found = said(book, "export", "--out", str(tmp_path / "site"))
    assert "rule/TB-BAND-001.html" in found["files"]
    assert (tmp_path / "site" / "index.html").is_file()
    (tmp_path / "junit.xml").write_text("no")
    bad = toll(book, "export", "--out", str(tmp_path / "s"), "--results", str(tmp_path / "junit.xml"), code=2)
    assert "no JUnit report" in bad.stderr


def test_the_tutorial_of_contributing_works(tmp_path):
    for folder in ("protocol", "rules", "domain", "projections", "adapters", "features"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## Amending the rulebook")[1]
    lines = text.split("```sh\n")[1].split("```")[0].splitlines()
    assert len(lines) == 7
    before = toll(None, "lint", "--root", str(tmp_path), code=None).stdout
    for line in lines[:-1]:
        program, group, *arguments = shlex.split(line)
        assert (program, group) == ("toll", "rules")
        toll(None, *arguments, "--root", str(tmp_path))
    assert toll(None, "lint", "--root", str(tmp_path), code=None).stdout == before
    shelf = Shelf(tmp_path / "protocol")
    assert "TB-TRIAL-001" in shelf.get("1.3.0-draft.2").rules
    assert shelf.current_version == "1.3.0-draft.1"


def test_a_new_text_of_the_paper_is_indexed_and_the_rules_that_cite_it_drift(book, tmp_path):
    (tmp_path / "paper.txt").write_text("First line of a paper\nA band is read off two numbers\nThe score is a sum")
    options = ("index", str(tmp_path / "paper.txt"), "--dated", "2026-10", "--version")
    assert said(book, *options, "1.0")["file"] == "protocol/paper/index.json"
    found = said(book, "lint", code=1)["findings"]
    assert {one["state"] for one in found if one["file"].startswith("rules/")} == {"drifted"}
    (tmp_path / "paper.txt").write_bytes(b"\xff")
    assert "not UTF-8" in toll(book, *options, "1.1", code=2).stderr


def test_the_index_is_that_of_the_paper(tmp_path):
    paper = shared("seeds/000_ff67c24915f40203.txt")
    shutil.copytree(ROOT / "protocol" / "paper", tmp_path / "protocol" / "paper")
    index = tmp_path / "protocol" / "paper" / "index.json"
    before = index.read_bytes()
    toll(None, "index", "--root", str(tmp_path), str(paper), "--version", "1.3", "--dated", "2026-07")
    assert index.read_bytes() == before
