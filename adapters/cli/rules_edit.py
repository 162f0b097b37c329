"""`toll rules new`, `amend`, `enact`, `freeze`: the rulebook changes by commands, and each change is checked whole."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

import click

from ...protocol.edition import EditionError
from ...rules import editing
from ...rules.compile import FreezeError, freeze
from ...rules.findings import RegistryError
from ...rules.lint import ROOT
from .output import fail, json_option, print_json

root_option = click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=ROOT,
    show_default="this package",
    help="The tree that holds the rulebook.",
)
day_option = click.option(
    "--on", "day", type=click.DateTime(["%Y-%m-%d"]), help="The day of the act. Default: today (UTC)."
)
TRANSITIONS = click.Choice(["keep_pinned", "migrate_at", "immediate"])
CLASSES = click.Choice(["substantive", "parameter", "editorial", "errata"])


def _day(given: datetime | None) -> str:
    return (given or datetime.now(UTC)).date().isoformat()


def _refuse(error: Exception) -> NoReturn:
    fail(str(error), code=1)


def _say(as_json: bool, value: dict[str, Any], line: str) -> None:
    print_json(value) if as_json else click.echo(line)


@click.command()
@click.argument("area")
@click.option("--title", required=True, help="What the rule says, in a few words.")
@click.option("--text", required=True, help="The rule.")
@click.option("--line", type=int, required=True, help="The line of the paper it comes from.")
@root_option
@day_option
@json_option
def new(area: str, title: str, text: str, line: int, root: Path, day: datetime | None, as_json: bool) -> None:
    """Allocate the next id of AREA and write a draft rule, to be completed by hand and brought in by an amendment."""
    try:
        path = editing.new_rule(root, area, title, text, line, _day(day))
    except editing.EditError as error:
        _refuse(error)
    file = path.relative_to(root).as_posix()
    _say(
        as_json,
        {"rule": path.stem, "file": file},
        f"{path.stem} is a draft in {file}; complete it, then: toll rules amend {path.stem} --add",
    )


@click.command()
@click.argument("what")
@click.option(
    "--set", "values", multiple=True, metavar="PARAMETER=VALUE", help="A new value, from the effective date on."
)
@click.option("--text", help="A new wording of the rule.")
@click.option("--add", is_flag=True, help="Bring a draft rule into force.")
@click.option("--withdraw", is_flag=True, help="End the rule.")
@click.option("--superseded-by", metavar="RULE", help="End the rule in favour of another.")
@click.option("--title", help="What the amendment does, in a few words.")
@click.option("--class", "class_", type=CLASSES, help="Default: parameter for values alone, else substantive.")
@click.option("--note", help="How attempts made before stay readable.")
@click.option("--effective", type=click.DateTime(["%Y-%m-%d"]), help="The first day in force.")
@click.option(
    "--transition",
    type=TRANSITIONS,
    help="What becomes of attempts begun before: they keep the rule they pinned (the default), move at an instant "
    "(--migrate-at), or move when the edition is in force.",
)
@click.option(
    "--migrate-at", metavar="INSTANT", help="With --transition migrate_at: the instant, as 2026-11-01T00:00:00Z."
)
@click.option("--impact", help="What a recount under the amendment changes (toll rules impact).")
@click.option("--to", "status", type=click.Choice(["review", "last_call", "withdrawn"]), help="Move an amendment on.")
@root_option
@day_option
@json_option
def amend(what: str, root: Path, day: datetime | None, as_json: bool, **options: Any) -> None:
    """Draft an amendment of a rule (WHAT is its id), or move an amendment on (WHAT is its id, with --to)."""
    effective = options["effective"] and _day(options["effective"])
    try:
        if what.startswith("AMD-"):
            if options["status"] is None:
                fail("say where the amendment moves: --to review, last_call or withdrawn")
            names = ("impact", "transition", "migrate_at")
            more = {name: options[name] for name in names}
            path = editing.move_amendment(root, what, options["status"], effective=effective, **more)
        else:
            path = _draft(root, what, _day(day), effective, options)
    except (editing.EditError, RegistryError) as error:
        _refuse(error)
    file = path.relative_to(root).as_posix()
    status = options["status"] or "draft"
    _say(as_json, {"amendment": path.stem, "status": status, "file": file}, f"{path.stem} is in {status}: {file}")


def _draft(root: Path, rule: str, day: str, effective: str | None, options: dict[str, Any]) -> Path:
    changes = _changes(rule, options)
    if not changes:
        fail("say what changes: --set, --text, --add, --withdraw or --superseded-by")
    if options["title"] is None or options["note"] is None:
        fail("an amendment has a --title, and a --note on how attempts made before stay readable")
    only_values = all(change["change"] == "value" for change in changes)
    return editing.draft_amendment(
        root,
        changes,
        day,
        title=options["title"],
        class_=options["class_"] or ("parameter" if only_values else "substantive"),
        text=f"{options['title']}: changes {rule}.",
        note=options["note"],
        effective=effective,
        transition=options["transition"] or "keep_pinned",
        migrate_at=options["migrate_at"],
    )


def _changes(rule: str, options: dict[str, Any]) -> list[dict[str, Any]]:
    changes: list[dict[str, Any]] = []
    for written in options["values"]:
        name, equals, value = written.partition("=")
        if not equals:
            fail(f"--set wants PARAMETER=VALUE, not {written!r}")
        changes.append({"rule": rule, "change": "value", "parameter": name, "value": _value(value)})
    if options["text"]:
        changes.append({"rule": rule, "change": "text", "text": options["text"]})
    if options["add"]:
        changes.append({"rule": rule, "change": "add"})
    if options["withdraw"]:
        changes.append({"rule": rule, "change": "withdraw"})
    if options["superseded_by"]:
        changes.append({"rule": rule, "change": "supersede", "by": options["superseded_by"]})
    return changes


def _value(text: str) -> Any:
    """A value as the registry writes it: JSON where it is JSON without fractions, text otherwise ("0.55", P14D)."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return text if isinstance(value, float) else value


@click.command()
@click.argument("amendment")
@click.option("--edition", "version", required=True, help="The version of the edition that carries it.")
@click.option("--transition", type=TRANSITIONS, help="Enact only if this is what the last call named.")
@root_option
@day_option
@json_option
def enact(
    amendment: str, version: str, transition: str | None, root: Path, day: datetime | None, as_json: bool
) -> None:
    """Write AMENDMENT (in last call) into the rules and compile the edition that carries it.

    A ledger follows the new edition once `EnactEdition` is carried out on it with the hash printed here.
    """
    try:
        line = editing.enact_amendment(root, amendment, version, _day(day), transition=transition)
    except (editing.EditError, RegistryError, FreezeError, EditionError) as error:
        _refuse(error)
    said = f"{amendment} is enacted by edition {version} {line['hash']}, effective {line['effective']}"
    _say(as_json, {"amendment": amendment, "edition": line}, said)


@click.command("index")
@click.argument("paper", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--version", required=True, help="The paper's version, for example 1.4.")
@click.option("--dated", required=True, help="Its year and month, for example 2026-10.")
@root_option
@json_option
def index(paper: Path, version: str, dated: str, root: Path, as_json: bool) -> None:
    """Take up a new text of the PAPER: lint then names every rule whose paragraph is not what it was."""
    try:
        path = editing.index_paper(root, version, dated, paper.read_bytes())
    except editing.EditError as error:
        fail(str(error))
    file = path.relative_to(root).as_posix()
    _say(as_json, {"file": file, "version": version}, f"{file} is the index of version {version}; run toll rules lint")


@click.command("freeze")
@click.argument("version")
@click.option("--effective", type=click.DateTime(["%Y-%m-%d"]), help="Default: that of the edition replaced, or today.")
@root_option
@json_option
def freeze_(version: str, effective: datetime | None, root: Path, as_json: bool) -> None:
    """Compile the rules into edition VERSION. Before launch an edition may be frozen again; afterwards never."""
    try:
        line = freeze(version, None if effective is None else _day(effective), root)
    except (RegistryError, FreezeError, EditionError) as error:
        _refuse(error)
    _say(as_json, {"edition": line}, f"{line['version']} {line['hash']} effective {line['effective']}")
