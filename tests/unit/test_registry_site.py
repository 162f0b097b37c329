"""The living rulebook: whole, safe, with links that resolve, and working in a browser from a folder."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest
from small_rulebook import TODAY, VERSION, Rulebook

from support import ROOT, require
from tollbench.adapters.rulebook import site
from tollbench.adapters.rulebook.dossier import dossier
from tollbench.adapters.rulebook.results import ResultsError, read_results
from tollbench.protocol.edition import Shelf
from tollbench.rules import editing
from tollbench.rules import trace as traces
from tollbench.rules.amendments import read_amendments
from tollbench.rules.lint import lint_survey, survey


class Links(HTMLParser):
    """Collects what a page links to, its ids, and any tag left open."""

    def __init__(self):
        super().__init__()
        self.targets, self.ids, self.open = [], set(), []

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.targets += [found[key] for key in ("href", "src") if key in found]
        self.ids.add(found.get("id"))
        if tag not in ("meta", "link", "input", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def export(root, out, results=None):
    shelf = Shelf(root / "protocol")
    seen = survey(root)
    rows = traces.trace(seen, lint_survey(seen, today=TODAY))
    by_rule = {row.rule: row for row in rows}
    edition = shelf.current
    known = {e.id: dossier(e, edition, seen, by_rule.get(e.id), {}) for e in edition.rules.values()}
    return site.export(out, shelf, rows, known, read_amendments(root)[0], results)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    out = tmp_path_factory.mktemp("site")
    export(ROOT, out)
    return out


def pages(out):
    return sorted(out.rglob("*.html"))


def test_every_rule_has_a_page_and_every_link_resolves(whole):
    rules = Shelf(ROOT / "protocol").current.rules
    assert {path.stem for path in (whole / "rule").glob("*.html")} == set(rules)
    for page in pages(whole):
        links = Links()
        links.feed(page.read_text("utf-8"))
        assert links.open == [], page
        for target in links.targets:
            if target != "data:,":
                assert not re.match(r"[a-z]+:|/", target), f"{page}: {target} leaves the folder"
                assert (page.parent / target.split("#")[0]).is_file(), f"{page}: {target}"


def test_pages_fit_a_phone_and_need_no_server(whole):
    for page in pages(whole):
        text = page.read_text("utf-8")
        assert 'name="viewport"' in text
        assert "fetch(" not in text
        assert text.count("<table>") == text.count('<div class="scroll"><table>')


def test_machines_get_the_trace(whole):
    trace = json.loads((whole / "trace.json").read_text("utf-8"))
    assert len(trace["rows"]) >= 300
    assert (whole / "matrix.csv").read_text("utf-8").splitlines()[0].startswith("rule,title,tier")


def test_a_rule_page_says_what_there_is_to_say(whole):
    text = (whole / "rule" / "TB-OUT-015.html").read_text("utf-8")
    for said in ("LAPSE_TOO_EARLY", "P14D", "draft", "ruling A-06", "line 26", "1.3.0-draft.1: revision"):
        assert said in text


def test_wordings_of_two_editions_stand_side_by_side(tmp_path):
    book = Rulebook(tmp_path / "tree")
    text = "The rule TB-BAND-002 tells what <follows> from the number."
    change = {"rule": "TB-BAND-002", "change": "text", "text": text}
    words = {"title": "Other words", "text": "It says the same again.", "note": "No figure moves."}
    path = editing.draft_amendment(book.root, [change], "2026-08-10", class_="editorial", **words)
    editing.move_amendment(book.root, path.stem, "review")
    editing.move_amendment(book.root, path.stem, "last_call", effective="2026-08-10")
    editing.enact_amendment(book.root, path.stem, "1.3.0-draft.2", "2026-08-10")
    export(book.root, tmp_path / "out")
    page = (tmp_path / "out/rule/TB-BAND-002.html").read_text("utf-8")
    assert "<del>says</del> what <del>follows</del>" in page
    assert "<ins>tells</ins> what <ins>&lt;follows&gt;</ins>" in page
    changes = (tmp_path / "out/changelog.html").read_text("utf-8")
    assert f"{VERSION} to 1.3.0-draft.2" in changes
    assert "revision 1 to 2: text" in changes
    assert f'id="{path.stem}"' in changes


REPORT = """<testsuites><testsuite name="pytest">
<testcase name="test_the_band_follows[1]"><properties><property name="rule" value="TB-BAND-001"/>
<property name="refusal" value="TB-BAND-001"/><property name="refusal" value="TB-BAND-001"/></properties></testcase>
<testcase name="test_other"><properties><property name="rule" value="TB-BAND-001"/></properties><failure/></testcase>
<testcase name="test_skipped"><properties><property name="rule" value="TB-BAND-002"/></properties><skipped/></testcase>
<testcase name="test_plain"/></testsuite></testsuites>"""


def test_results_of_the_last_run_and_refusals(tmp_path):
    (tmp_path / "junit.xml").write_text(REPORT)
    results = read_results(tmp_path / "junit.xml")
    assert results.by_rule["TB-BAND-001"] == [("test_the_band_follows[1]", "passed"), ("test_other", "failed")]
    assert results.by_rule["TB-BAND-002"] == [("test_skipped", "skipped")]
    assert results.refusals == {"TB-BAND-001": 2}
    book = Rulebook(tmp_path / "tree")
    export(book.root, tmp_path / "out", results)
    page = (tmp_path / "out/rule/TB-BAND-001.html").read_text("utf-8")
    assert "Refused 2 times" in page
    assert "the band follows[1]" in page


@pytest.mark.parametrize("text", ["", "{}", "<a>", "<a></b>"])
def test_what_is_no_report_is_refused(tmp_path, text):
    (tmp_path / "junit.xml").write_text(text)
    with pytest.raises(ResultsError):
        read_results(tmp_path / "junit.xml")


def browse(page, tmp_path):
    """The page as a browser shows it, and what it wrote to its console."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    require("chromium", browser)
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--virtual-time-budget=3000"]
    own = [f"--user-data-dir={tmp_path}/profile", "--window-size=400,800", "--dump-dom", page]
    done = subprocess.run([browser, *options, *own], capture_output=True, text=True, check=True, timeout=120)
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


@pytest.mark.parametrize(
    ("query", "rule"),
    [("TB-OUT-015", "TB-OUT-015"), ("lapse%20ask", "TB-OUT-015"), ("DIAL_UNKNOWN", "TB-ODDS-005")],
)
def test_search_finds_a_rule_by_id_word_and_code(whole, tmp_path, query, rule):
    shown, console = browse(f"{(whole / 'index.html').as_uri()}#q={query}", tmp_path)
    assert console == []
    hits = re.search(r'<ul id="hits">(.*?)</ul>', shown, re.S)[1]
    assert f'href="rule/{rule}.html"' in hits


def test_a_console_error_would_be_seen(tmp_path):
    page = tmp_path / "bad.html"
    page.write_text("<script>nothing.of.the.kind()</script>")
    assert browse(page.as_uri(), tmp_path)[1]


@pytest.mark.parametrize("name", ["matrix.html", "changelog.html", "rule/TB-CMD-003.html"])
def test_pages_open_without_a_console_error(whole, tmp_path, name):
    shown, console = browse((whole / name).as_uri(), tmp_path)
    assert console == []
    assert "<h1>" in shown
