"""`toll rules`: read the rulebook, check it, trace it and change it.

Exit codes: 0 fine, 1 findings (or a change that is refused), 2 unusable input.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ...protocol.edition import Edition, EditionError, Shelf
from ...rules import trace as traces
from ...rules.findings import Finding
from ...rules.lint import ROOT, Survey, lint_survey, survey
from ...rules.trace import Row
from .output import console, fail, json_option, print_json, table
from .rules_edit import amend, enact, freeze_, index, new, root_option
from .rules_impact import impact
from .rules_site import export

ledger_option = click.option("--bench", "url", help="A bench whose ledger is counted: a path or sqlite:///path.")
proof_option = click.option(
    "--proof",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="What `toll rules prove --out` wrote: marks each rule as proven or unproven.",
)
results_option = click.option(
    "--results",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A JUnit report of the scenarios (pytest --junitxml): counts refusals.",
)
DATE = click.DateTime(["%Y-%m-%d"])


@click.group()
def rules() -> None:
    """The rulebook: numbered rules, the editions they are compiled to, and what cites them."""


for command in (new, amend, enact, freeze_, index, export, impact):
    rules.add_command(command)


@rules.command()
@root_option
@click.option(
    "--paper", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="The paper's text, to find drift."
)
@json_option
@click.pass_context
def lint(ctx: click.Context, root: Path, paper: Path | None, as_json: bool) -> None:
    """Check the rulebook and everything that cites it; all findings in one run."""
    found = lint_survey(survey(root), paper=None if paper is None else _text(paper))
    if as_json:
        print_json({"findings": [finding.as_dict() for finding in found]})
    else:
        for finding in found:
            click.echo(finding.text())
        click.echo(f"{len(found)} finding{'' if len(found) == 1 else 's'}", err=True)
    ctx.exit(1 if found else 0)


@rules.command("trace")
@root_option
@click.option("--area", help="Only the rules of this area, for example ODDS.")
@click.option("--with", "others", multiple=True, type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Citations handed in by another application (JSON); may be given several times.")  # fmt: skip
@proof_option
@click.option("--md", "form", flag_value="md", help="Print Markdown.")
@click.option("--html", "form", flag_value="html", help="Print one HTML page.")
@click.option("--csv", "form", flag_value="csv", help="Print CSV.")
@json_option
@click.pass_context
def trace_(
    ctx: click.Context,
    root: Path,
    area: str | None,
    others: tuple[Path, ...],
    proof: Path | None,
    form: str | None,
    as_json: bool,
) -> None:
    """Show, rule by rule, what enforces it and what shows it, with its state."""
    rows = [row for row in _rows(root, others, proof) if area in (None, row.area)]
    if not rows:
        fail(f"no rule stands in the area {area}")
    edition = _shelf(root).current
    if as_json:
        print_json(traces.as_json(rows, edition.version, edition.hash))
    elif form == "md":
        click.echo(traces.as_markdown(rows), nl=False)
    elif form == "csv":
        click.echo(traces.as_csv(rows), nl=False)
    elif form == "html":
        click.echo(traces.as_html(rows, edition.version), nl=False)
    else:
        _print_rows(rows, edition.version)
    ctx.exit(0 if all(row.state in ("ok", "waived") for row in rows) else 1)


def _print_rows(rows: Sequence[Row], version: str) -> None:
    lines = [
        (row.rule, row.tier, row.state, traces.proven(row.proven),
         len(row.evaluators), len(row.scenarios), len(row.documents), row.reasons[0])
        for row in rows
    ]  # fmt: skip
    columns = ["rule", "tier", "state", "proven", "code", "scenarios", "docs", "why"]
    console().print(table(f"Trace of edition {version}", columns, lines, right=["code", "scenarios", "docs"]))
    counts = {state: sum(row.state == state for row in rows) for state in traces.STATES}
    click.echo(", ".join(f"{count} {state}" for state, count in counts.items() if count))


@rules.command()
@click.argument("rule_id")
@root_option
@click.option("--edition", "version", help="As this edition has it.")
@click.option("--at", "day", type=DATE, help="As it was in force on this date.")
@ledger_option
@results_option
@proof_option
@json_option
def show(
    rule_id: str,
    root: Path,
    version: str | None,
    day: Any,
    url: str | None,
    results: Path | None,
    proof: Path | None,
    as_json: bool,
) -> None:
    """Show one rule: wording, values, source, and what enforces, shows and cites it."""
    from ..rulebook.dossier import dossier, edition_at
    from ..rulebook.results import ResultsError, read_results

    if version is not None and day is not None:
        fail("give --at or --edition, not both")

    shelf = _shelf(root)
    try:
        edition = shelf.current
        if version is not None:
            edition = shelf.get(version)
        elif day is not None:
            edition = edition_at(shelf, day.date().isoformat())
        entry = edition.rules[rule_id]
    except (EditionError, LookupError) as error:
        fail(str(error.args[0]))
    seen = survey(root)
    try:
        ran = None if results is None else read_results(results)
    except ResultsError as error:
        fail(str(error))
    rows = traces.trace(seen, lint_survey(seen), proof=_proof(proof, shelf.current))
    row = next((row for row in rows if row.rule == rule_id), None)
    found = dossier(entry, edition, seen, row, None if url is None else _judged(url))
    if ran is not None:
        found["refusals"] = ran.refusals[rule_id]
        found["results"] = [{"scenario": name, "result": outcome} for name, outcome in ran.by_rule.get(rule_id, ())]
    if as_json:
        print_json(found)
    else:
        _print_dossier(found)


_PLACES = {"code": "evaluators", "scenario": "scenarios", "schema": "schemas", "document": "documents"}
_PROVEN = {None: "", True: "; proven", False: "; unproven"}


def _print_dossier(found: dict[str, Any]) -> None:
    out = console()
    source = found["source"]
    out.print(
        f"[bold]{found['id']}[/] revision {found['rev']}, edition {found['edition']}: {found['title']}", markup=True
    )
    out.print(found["text"], markup=False)
    enforced = f"{found['evaluator']['kind']}, {found['evaluator']['visibility']}"
    state = f"{found['state']}: {'; '.join(found['reasons'])}{_PROVEN[found['proven']]}" if "state" in found else "gone"
    rows = [
        ("state", state),
        ("kind, tier", f"{found['kind']}, {found['tier']}"),
        ("source", f"{source['document']} {source['version']}, line {source['line']}: {source['anchor']} …"),
        ("authority", ", ".join([found["authority"], *found["rulings"]])),
        ("in force", f"from {found['effective']}, by {found['introduced_by']}; decided at {found['governs_at']}"),
        ("evaluator", enforced + (f", refuses with {found['reject_code']}" if found["reject_code"] else "")),
        *((name, place) for name, key in _PLACES.items() for place in found.get(key, ())),
        *(("note", f"{note.get('ruling', note['authority'])}: {note['text']}") for note in found["notes"]),
    ]
    rows += [("last result", f"{one['result']}: {one['scenario']}") for one in found.get("results", ())]
    if "refusals" in found:
        rows.append(("refused", f"{found['refusals']} times in that run"))
    if "judged" in found:
        types = ", ".join(f"{count} {name}" for name, count in found["judged"]["by_type"].items())
        rows.append(("judged", f"{found['judged']['events']} events{': ' if types else ''}{types}"))
    out.print(table("", ["", "what"], rows))
    if found["parameters"]:
        values = [
            (p["name"], p["type"], json.dumps(p["value"], ensure_ascii=False),
             p["authority"] + (", draft" if p["draft"] else ""),
             "; ".join(f"from {dated['from']}: {dated['reference']}" for dated in p["dated"]))
            for p in found["parameters"]
        ]  # fmt: skip
        out.print(table("Parameters", ["name", "type", "value", "authority", "reference"], values))


@rules.command()
@click.argument("what")
@root_option
@ledger_option
@json_option
def explain(what: str, root: Path, url: str | None, as_json: bool) -> None:
    """Explain a refusal (its code, or a refused command's JSON as a file or -) or an event (its id, with --bench)."""
    shelf = _shelf(root)
    cited = _cited(what, shelf.current, url)
    found: list[dict[str, Any]] = [
        {"rule": rule, "edition": edition.version, "title": entry.title, "text": entry.text,
         "reject_code": entry.reject_code, "said": said,
         "source": f"{entry.source.document} {entry.source.version}, line {entry.source.line}: {entry.source.anchor} …",
         "parameters": {p.name: p.value for p in entry.parameters}}
        for rule, said, version in cited
        if (entry := (edition := _that_judged(shelf, version)).rules.get(rule)) is not None
    ]  # fmt: skip
    if not found:
        fail(f"{what} is no refusal code, rule, refusal or event that edition {shelf.current.version} can explain")
    if as_json:
        print_json(found)
        return
    for one in found:
        click.echo(f"{one['rule']} {one['title']} (edition {one['edition']})")
        for line in (one["said"], one["text"], f"Source: {one['source']}"):
            if line:
                click.echo(f"  {line}")
        if one["parameters"]:
            values = ", ".join(f"{name} = {json.dumps(value)}" for name, value in one["parameters"].items())
            click.echo(f"  Values: {values}")


def _that_judged(shelf: Shelf, version: str | None) -> Edition:
    """The edition that a refusal or an event names; the current one where it names none."""
    try:
        return shelf.current if version is None else shelf.get(version)
    except EditionError as error:
        fail(str(error))


def _cited(what: str, edition: Edition, url: str | None) -> list[tuple[str, str, str | None]]:
    """The rules to explain, each with what was said of it and the version that judged, where that is known."""
    by_code = [rule for rule in edition.rules if what in (rule, edition.rules[rule].reject_code)]
    if by_code:
        return [(rule, "", None) for rule in by_code]
    if url is not None:
        for event in _events(url):
            if event.id == what:
                said = f"applied to {event.type} of {event.stream} at {event.at}"
                return [(rule, said, version) for version, cited in event.rules.items() for rule in cited]
    path = Path(what)
    if what == "-" or path.is_file():
        text = sys.stdin.read() if what == "-" else _text(path)
        try:
            refused = json.loads(text)["refused"]
            return [
                (one["rule"], f"{one['code']} in {one['field'] or 'the command'}: {one['detail']}", one.get("edition"))
                for one in refused
            ]
        except (ValueError, KeyError, TypeError):
            fail(f"{what} is no refusal; give what `toll check --json` printed")
    return []


@rules.command()
@click.argument("old")
@click.argument("new")
@root_option
@json_option
def diff(old: str, new: str, root: Path, as_json: bool) -> None:
    """Show what changed from edition OLD to edition NEW."""
    from ..rulebook.difference import difference

    shelf = _shelf(root)
    try:
        found = difference(shelf.get(old), shelf.get(new))
    except EditionError as error:
        fail(str(error))
    if as_json:
        print_json(found)
        return
    rows: list[tuple[str, str, str, str]] = [(one["rule"], "added", "", one["title"]) for one in found["added"]]
    rows += [(one["rule"], "removed", one["title"], "") for one in found["removed"]]
    for one in found["changed"]:
        for name, (before, after) in {**one["fields"], **one["values"]}.items():
            rows.append(
                (one["rule"], name, json.dumps(before, ensure_ascii=False), json.dumps(after, ensure_ascii=False))
            )
    if rows:
        console().print(table(f"{old} to {new}", ["rule", "what", "before", "after"], rows))
    else:
        click.echo(f"{old} and {new} say the same")


@rules.command()
@click.argument("ids", nargs=-1)
@click.option("--parameters/--no-parameters", default=True, show_default=True, help="Move each numeric parameter too.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the proof here, for --proof.")
@json_option
@click.pass_context
def prove(ctx: click.Context, ids: tuple[str, ...], parameters: bool, out: Path | None, as_json: bool) -> None:
    """Switch each rule off and move its numbers: a citing scenario must fail, or the rule is unproven.

    With --out the proof is kept: `toll rules trace`, `show` and `export` mark rules by it with --proof.
    """
    from ..rulebook.prove import prove as run

    unknown = [rule for rule in ids if rule not in _shelf(ROOT).current.rules]
    if unknown:
        fail(f"no such rule: {', '.join(unknown)}")
    try:
        proof = run(ids, parameters=parameters)
    except LookupError as error:
        fail(str(error))
    document = proof.as_dict(_shelf(ROOT).current)
    if out is not None:
        out.write_text(json.dumps(document, indent=1, sort_keys=True) + "\n", "utf-8")
    if as_json:
        print_json(document)
    else:
        lines = [(m.rule, m.change, m.scenarios) for m in proof.unproven]
        if lines:
            console().print(
                table("Unproven", ["rule", "change", "citing scenarios"], lines, right=["citing scenarios"])
            )
        for name in proof.broken:
            click.echo(f"fails under the law as it stands: {name}")
        click.echo(f"{len(proof.mutations) - len(proof.unproven)} of {len(proof.mutations)} mutations noticed")
    ctx.exit(1 if proof.unproven or proof.broken else 0)


# -- what the commands share -------------------------------------------------------------------------------------------


def _shelf(root: Path) -> Shelf:
    try:
        shelf = Shelf(root / "protocol")
        _ = shelf.current
    except EditionError as error:
        fail(str(error))
    return shelf


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        fail(f"{path} is not UTF-8")


def _events(url: str) -> Any:
    from ..bench import Bench

    with Bench.open(url, create=False) as bench:
        yield from bench.events()


def _judged(url: str) -> Any:
    from ..rulebook.dossier import judged

    return judged(_events(url))


def _rows(root: Path, others: Sequence[Path], proof: Path | None) -> list[Row]:
    from ..rulebook.runtime import disagreements, strange_names

    seen: Survey = survey(root)
    found: list[Finding] = lint_survey(seen)
    if root == ROOT:
        found += disagreements(seen.evaluators)
        found += strange_names(seen.tree.rules.values())
    documents = [_citations(path) for path in others]
    return traces.trace(seen, found, proof=_proof(proof, _shelf(root).current), outside=documents)


def _citations(path: Path) -> Any:
    from ...rules.schema import validator

    try:
        document = json.loads(_text(path))
    except ValueError as error:
        fail(f"{path} is no JSON: {error}")
    for wrong in validator("citations").iter_errors(document):
        where = ".".join(map(str, wrong.absolute_path)) or "the document"
        fail(f"{path}: {where}: {wrong.message}")
    return document


def _proof(path: Path | None, edition: Edition) -> dict[str, str] | None:
    from ..rulebook.results import ResultsError, read_proof

    try:
        return None if path is None else read_proof(path, edition)
    except ResultsError as error:
        fail(str(error))
