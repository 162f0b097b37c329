"""The living rulebook: one static site that opens from a folder, a page a rule, with search, matrix and changelog.

Nothing is fetched at run time: the search index is a script, all pages share one style sheet, every link is relative.
A search has an address of its own, `index.html#q=words`.
Beside the pages lie `trace.json` and `matrix.csv` for machines.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

from ...protocol.edition import Edition, Shelf
from ...rules import trace as traces
from ...rules.amendments import Amendment
from ...rules.scenarios import RULE_ID
from ...rules.trace import Row
from .difference import difference
from .results import Results

_STYLE = """:root{color-scheme:light dark;--line:#8886;--soft:#8882;--ok:#2a7d3a;--bad:#b3261e;--wait:#8a6100}
*{box-sizing:border-box}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}
nav a{margin-right:1rem}h1{font-size:1.4rem;line-height:1.2}h2{font-size:1.1rem;margin-top:1.6rem}
table{border-collapse:collapse;width:100%}.scroll{overflow-x:auto}
th,td{border-bottom:1px solid var(--line);padding:.3rem .5rem;text-align:left;vertical-align:top}
code{background:var(--soft);padding:0 .2rem;overflow-wrap:anywhere}input{font:inherit;width:100%;padding:.5rem}
.ok{color:var(--ok)}.waived{color:var(--wait)}.bad{color:var(--bad)}.draft{color:var(--wait)}
.two{display:grid;grid-template-columns:1fr 1fr;gap:1rem}del{background:#f002}ins{background:#0a02;text-decoration:none}
@media(max-width:40rem){.two{grid-template-columns:1fr}}
"""
_SEARCH = """const box=document.getElementById("q"),list=document.getElementById("hits");
function show(){const words=box.value.toLowerCase().split(/\\s+/).filter(Boolean);list.textContent="";
if(!words.length)return;let n=0;for(const r of RULES){const hay=(r.id+" "+r.title+" "+r.text+" "+r.code).toLowerCase();
if(!words.every(w=>hay.includes(w)))continue;if(++n>50)break;
const li=document.createElement("li"),a=document.createElement("a");
a.href="rule/"+r.id+".html";a.textContent=r.id+" "+r.title;li.append(a);list.append(li);}
if(!n)list.textContent="No rule says that.";}
box.value=decodeURIComponent((location.hash.match(/^#q=(.*)$/)||["",""])[1]);
box.addEventListener("input",show);show();
"""


def export(
    out: Path,
    shelf: Shelf,
    rows: Sequence[Row],
    dossiers: Mapping[str, Mapping[str, Any]],
    amendments: Mapping[str, Amendment],
    results: Results | None = None,
) -> list[str]:
    """Write the site into `out` (made where missing) and give the names of its files.

    `rows` is the trace, `dossiers` what is known of each rule of the current edition, `results` the last scenario run.
    """
    edition = shelf.current
    files = {
        "style.css": _STYLE,
        "search.js": f"const RULES={_index(edition)};\n{_SEARCH}",
        "index.html": _home(edition, rows),
        "matrix.html": _matrix(edition, rows),
        "changelog.html": _changelog(shelf, amendments),
        "trace.json": json.dumps(traces.as_json(rows, edition.version, edition.hash), indent=1, ensure_ascii=False)
        + "\n",
        "matrix.csv": traces.as_csv(rows),
    }
    editions = [shelf.get(version) for version in shelf.versions]
    known = frozenset(edition.rules)
    for rule_id, dossier in dossiers.items():
        files[f"rule/{rule_id}.html"] = _rule(dossier, editions, results, known)
    for name, text in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return sorted(files)


def _index(edition: Edition) -> str:
    found = [
        {"id": entry.id, "title": entry.title, "text": entry.text, "code": entry.reject_code or ""}
        for entry in edition.rules.values()
    ]
    return json.dumps(found, ensure_ascii=False).replace("</", "<\\/")


def _page(title: str, body: str, up: str = "") -> str:
    links = (("index.html", "Rules"), ("matrix.html", "Coverage"), ("changelog.html", "Changes"))
    nav = "".join(f'<a href="{up}{href}">{name}</a>' for href, name in links)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<link rel="icon" href="data:,"><link rel="stylesheet" href="{up}style.css">'
        f"<title>{escape(title)}</title></head>\n<body><nav>{nav}</nav>\n<h1>{escape(title)}</h1>\n{body}\n</body></html>\n"
    )


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of cells that are HTML already."""
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "\n".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{top}</tr></thead><tbody>\n{body}\n</tbody></table></div>'


def _state(state: str) -> str:
    kind = state if state in ("ok", "waived") else "bad"
    return f'<span class="{kind}">{escape(state)}</span>'


def _home(edition: Edition, rows: Sequence[Row]) -> str:
    areas: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row.rule in edition.rules:
            areas[row.area].append(row)
    parts = [
        f"<p>Edition {escape(edition.version)}, in force from {edition.effective}. <code>{edition.hash}</code></p>",
        '<p><label for="q">Search by word, id or refusal code</label>',
        '<input id="q" type="search" autocomplete="off"></p>',
        '<ul id="hits"></ul>',
    ]
    for area, found in sorted(areas.items()):
        items = "".join(
            f'<li><a href="rule/{row.rule}.html">{row.rule}</a> {escape(row.title)} {_state(row.state)}</li>'
            for row in found
        )
        parts.append(f"<h2>{area}</h2><ul>{items}</ul>")
    parts.append('<script src="search.js"></script>')
    return _page("The Toll Bench rulebook", "\n".join(parts))


def _matrix(edition: Edition, rows: Sequence[Row]) -> str:
    lines = []
    for row in rows:
        link = f'<a href="rule/{row.rule}.html">{row.rule}</a>' if row.rule in edition.rules else escape(row.rule)
        counts = (str(len(found)) for found in (row.evaluators, row.scenarios, row.schemas, row.documents, row.outside))
        states = (_state(row.state), traces.proven(row.proven))
        lines.append((link, escape(row.tier), *states, *counts, escape("; ".join(row.reasons))))
    counted = {state: sum(row.state == state for row in rows) for state in traces.STATES}
    summary = ", ".join(f"{count} {state}" for state, count in counted.items() if count)
    files = '<p>The same for machines: <a href="trace.json">trace.json</a>, <a href="matrix.csv">matrix.csv</a>.</p>'
    head = ("rule", "tier", "state", "proven", "code", "scenarios", "schemas", "docs", "outside", "why")
    return _page("Coverage", f"<p>{summary}</p>{files}{_table(head, lines)}")


def _changelog(shelf: Shelf, amendments: Mapping[str, Amendment]) -> str:
    current = frozenset(shelf.current.rules)
    parts = ["<h2>Editions</h2>"]
    lines = [
        (escape(i["version"]), escape(i["effective"]), f"<code>{i['hash']}</code>") for i in shelf.manifest["editions"]
    ]
    parts.append(_table(("version", "in force from", "hash"), lines))
    for old, new in pairwise(shelf.versions):
        change = difference(shelf.get(old), shelf.get(new))
        items = [f"{_linked(one['rule'], current)} added: {escape(one['title'])}" for one in change["added"]]
        items += [f"{escape(one['rule'])} removed" for one in change["removed"]]
        for one in change["changed"]:
            moved = [f"{name}: {json.dumps(a)} to {json.dumps(b)}" for name, (a, b) in one["values"].items()]
            words = "; ".join([*one["fields"], *moved])
            items.append(
                f"{_linked(one['rule'], current)} revision {one['rev'][0]} to {one['rev'][1]}: {escape(words)}"
            )
        parts.append(f"<h2>{escape(old)} to {escape(new)}</h2><ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>")
    parts.append("<h2>Amendments</h2>")
    for amendment in sorted(amendments.values(), key=lambda one: one.value["proposed"], reverse=True):
        value = amendment.value
        changed = ", ".join(dict.fromkeys(change["rule"] for change in value["changes"]))
        dates = f"proposed {value['proposed']}" + (f", effective {value['effective']}" if "effective" in value else "")
        parts.append(
            f'<h3 id="{amendment.id}">{amendment.id} {escape(value["title"])}</h3>'
            f"<p>{value['status']}, {value['class']}, {dates}, {value['transition']}.</p>"
            f"<p>{escape(value['text'])}</p><p>{escape(value['migration_note'])}</p><p>{_linked(changed, current)}</p>"
        )
    return _page("Changes", "\n".join(parts))


def _linked(text: str, known: frozenset[str], up: str = "") -> str:
    """Escaped text in which every id of a known rule is a link."""
    return RULE_ID.sub(
        lambda match: f'<a href="{up}rule/{match[0]}.html">{match[0]}</a>' if match[0] in known else match[0],
        escape(text),
    )


_PROVEN = {
    None: "not known",
    True: "yes: switched off, or with a number moved, a citing scenario fails",
    False: "no: a change of the rule goes unnoticed by every citing scenario",
}


def _rule(
    dossier: Mapping[str, Any], editions: Sequence[Edition], results: Results | None, known: frozenset[str]
) -> str:
    source = dossier["source"]
    evaluator = dossier["evaluator"]
    cites = ", ".join([dossier["authority"], *dossier["rulings"]])
    refuses = f", refuses with <code>{dossier['reject_code']}</code>" if dossier["reject_code"] else ""
    facts = [
        ("State", f"{_state(dossier['state'])} {escape('; '.join(dossier['reasons']))}"),
        ("Proven", _PROVEN[dossier["proven"]]),
        (
            "Revision",
            f"{dossier['rev']}, in force from {dossier['effective']}, by {escape(str(dossier['introduced_by']))}",
        ),
        ("Kind", f"{dossier['kind']}, {dossier['tier']}, decided at {dossier['governs_at']}"),
        ("Source", escape(f"{source['document']} {source['version']}, line {source['line']}: {source['anchor']} …")),
        ("Authority", escape(cites)),
        ("Evaluator", f"{evaluator['kind']}, {evaluator['visibility']}{refuses}"),
        ("Needs", _linked(", ".join(dossier["needs"]), known, "../") or "nothing"),
        ("Fingerprints", f"<code>{dossier['fingerprint']}</code> <code>{dossier['values_fingerprint']}</code>"),
    ]
    parts = [
        f"<p>{_linked(dossier['text'], known, '../')}</p>",
        _table(("", ""), [(f"<b>{k}</b>", v) for k, v in facts]),
    ]
    parts += [_values(dossier), _notes(dossier), _places(dossier, results), _wordings(dossier["id"], editions)]
    return _page(f"{dossier['id']} {dossier['title']}", "\n".join(filter(None, parts)), "../")


def _values(dossier: Mapping[str, Any]) -> str:
    lines = []
    for parameter in dossier["parameters"]:
        draft = ' <span class="draft">draft</span>' if parameter["draft"] else ""
        for dated in parameter["dated"] or [{"from": "", "value": parameter["value"], "reference": ""}]:
            value = escape(json.dumps(dated["value"], ensure_ascii=False))
            name = f"<code>{escape(parameter['name'])}</code>{draft}"
            lines.append((name, escape(dated["from"]), f"<code>{value}</code>", escape(dated["reference"])))
    head = ("parameter", "from", "value", "reference")
    return f"<h2>Parameters over time</h2>{_table(head, lines)}" if lines else ""


def _notes(dossier: Mapping[str, Any]) -> str:
    items = [f"{note.get('ruling', note['authority'])}: {note['text']}" for note in dossier["notes"]]
    items += [f"Example: {example}" for example in dossier["examples"]]
    return f"<h2>Notes</h2>{_list(items)}" if items else ""


def _places(dossier: Mapping[str, Any], results: Results | None) -> str:
    parts = []
    for key, title in (
        ("evaluators", "Code"),
        ("scenarios", "Scenarios"),
        ("schemas", "Schemas"),
        ("documents", "Documents"),
    ):
        if dossier[key]:
            parts.append(f"<h2>{title}</h2>{_list(dossier[key])}")
    if results is not None:
        ran = results.by_rule.get(dossier["id"], [])
        lines = [(escape(_spoken(name)), _state("ok" if outcome == "passed" else outcome)) for name, outcome in ran]
        if lines:
            parts.append(f"<h2>Last results</h2>{_table(('scenario', 'result'), lines)}")
        parts.append(f"<p>Refused {results.refusals[dossier['id']]} times in that run.</p>")
    if "judged" in dossier:
        types = ", ".join(f"{count} {name}" for name, count in dossier["judged"]["by_type"].items())
        parts.append(
            f"<p>Applied to {dossier['judged']['events']} ledger events{': ' if types else ''}{escape(types)}.</p>"
        )
    return "\n".join(parts)


def _spoken(name: str) -> str:
    return re.sub(r"^test_", "", name).replace("_", " ")


def _list(items: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(item)}</li>" for item in items) + "</ul>"


def _wordings(rule_id: str, editions: Sequence[Edition]) -> str:
    """The wording per edition; where it changed, old and new side by side."""
    having = [edition for edition in editions if rule_id in edition.rules]
    parts = ["<h2>Wording per edition</h2>"]
    texts = [(edition.version, edition.rules[rule_id].rev, edition.rules[rule_id].text) for edition in having]
    parts.append(_list(f"{version}: revision {rev}" for version, rev, _ in texts))
    for (old, _, before), (new, _, after) in pairwise(texts):
        if before != after:
            left, right = _side_by_side(before.split(), after.split())
            parts.append(f'<div class="two"><div><b>{escape(old)}</b><p>{left}</p></div>')
            parts.append(f"<div><b>{escape(new)}</b><p>{right}</p></div></div>")
    return "\n".join(parts)


def _side_by_side(before: list[str], after: list[str]) -> tuple[str, str]:
    left, right = [], []
    for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        old, new = escape(" ".join(before[a:b])), escape(" ".join(after[c:d]))
        if old:
            left.append(old if kind == "equal" else f"<del>{old}</del>")
        if new:
            right.append(new if kind == "equal" else f"<ins>{new}</ins>")
    return " ".join(left), " ".join(right)
