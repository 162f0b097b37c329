"""Finding one's way on the command line: making a bench, naming things, and reading what is printed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from steps import folk
from steps.lives import Life, entropy
from tollbench.adapters.bench import Bench
from tollbench.adapters.cli import main
from tollbench.adapters.cli.output import lines, short_ids, short_instants, table
from tollbench.adapters.cli.tables import board_tables, weekly_table
from tollbench.domain.commands import ROLES, Actor
from tollbench.domain.person.commands import RegisterPerson

ID = r"[a-z]+-[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    """A bench on disk with a signed deal of alder's, a second agent, and a want of another poster's after intake."""
    life = Life()
    life.bench = Bench.open(str(tmp_path_factory.mktemp("toll") / "bench.db"), clock=life.clock, entropy=entropy)
    folk.chosen(life, folk.want(life), "alder")
    deal = folk.signed_deal(life, life.ids["the want"], "alder")
    folk.agent(life, "[/elm]")
    folk.person(life, "Cleo")
    private = folk.reviewed_want(life, "Bob")
    life.close()
    yield SimpleNamespace(path=Path(life.bench.store.label), ids=life.ids, deal=deal, private=private)


@pytest.fixture
def toll(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs `toll` in this process: what it said on both streams, with the code that it has to end with."""
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.delenv("TOLL_BENCH", raising=False)

    def run(*words: str | Path, code: int = 0) -> str:
        with pytest.raises(SystemExit) as ended:
            main([str(word) for word in words])
        out, err = capfd.readouterr()
        assert ended.value.code == code, err
        return out + err

    return run


# -- an empty bench ----------------------------------------------------------------------------------------------------


def test_init_makes_a_bench_once(toll: Any, tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    assert re.search(r"edition \S+ of the rulebook is in force \(b3:[0-9a-f]{64}\)", toll("init", "--bench", path))
    with Bench.open(str(path), create=False) as bench:
        assert [event.type for event in bench.events()] == ["rulebook.edition.enacted"]
    before = path.read_bytes()
    assert "exists already" in toll("init", "--bench", path, code=2)
    assert path.read_bytes() == before
    assert json.loads(toll("init", "--bench", tmp_path / "other.db", "--json"))["edition"]
    assert "exists already" in toll("init", "--bench", tmp_path, code=2)
    assert "keeps nothing" in toll("init", "--bench", "memory:", code=2)


def test_no_command_but_init_makes_a_bench(toll: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sign_up = tmp_path / "sign-up.json"
    sign_up.write_text(json.dumps({"command": "RegisterPerson", "by": {"role": "system", "id": "system"}}))
    said = toll("do", sign_up, code=2)
    assert f"toll init --bench {tmp_path / 'bench.db'}" in said and "out" not in said
    assert not (tmp_path / "bench.db").exists()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "bench.db").touch()
    assert f"--bench {Path('out', 'bench.db')}" in toll("board", code=2)


def test_a_board_without_attempts_says_so(toll: Any, tmp_path: Path) -> None:
    toll("init", "--bench", tmp_path / "new.db")
    assert toll("board", "--bench", tmp_path / "new.db") == "measurement begins\n"


def test_a_board_of_nothing_but_imported_rows(toll: Any, tmp_path: Path) -> None:
    with Bench.open("memory:") as bench:
        board = bench.board()
    historic = {**board, "overall": {"bands": {}}, "weeks": [{"week": "2026-W30", "table": [], "crown": None}]}
    titles = [str(each.title) for each in board_tables({**board, "historic": historic})]
    assert titles[0] == "Historic: Weekly tables" and all(title.startswith("Historic: ") for title in titles)


# -- names and ids -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", [None, 36, 12, 8])
def test_a_thing_goes_by_the_beginning_of_its_id(toll: Any, story: Any, cut: int | None) -> None:
    bare = story.deal.removeprefix("deal-")
    for name in (bare[:cut], f"deal-{bare[:cut]}"):
        assert toll("show", "deal", name, "--bench", story.path).startswith(f"deal {story.deal}\n")
    shown = json.loads(toll("show", "deal", bare[:cut], "--bench", story.path, "--json"))
    assert shown["id"] == story.deal and shown["events"][0]["at"].endswith("000000Z")


@pytest.mark.parametrize("name", ["alder", "ALDER", " Alder "])
def test_an_agent_goes_by_its_name(toll: Any, story: Any, name: str) -> None:
    passport = story.ids["alder"]
    assert toll("show", "agent", name, "--bench", story.path).startswith(f"agent {passport}\n")
    assert json.loads(toll("todo", "--who", name, "--bench", story.path, "--json")) == json.loads(
        toll("todo", "--who", passport, "--bench", story.path, "--json")
    )


def test_what_can_be_several_things_lists_them(toll: Any, story: Any) -> None:
    said = toll("show", "person", "person-", "--bench", story.path, code=2)
    assert said.count("\n") == 1 and len(re.findall(ID, said)) == 5 and re.search(r"and \d+ more", said)


@pytest.mark.parametrize(
    ("words", "code", "words_said"),
    [
        (("show", "agent", "aldr"), 1, "did you mean alder?"),
        (("show", "agent", ""), 1, "`toll list agents` lists them"),
        (("show", "target", "nothing"), 1, "`toll list targets` lists them"),
        (("show", "deal", "x", "--as", "king:x"), 2, "the roles are person, agent"),
        (("todo", "--who", "aldr"), 1, "did you mean alder?"),
        (("events", "--type", "deal.singed"), 2, "did you mean deal.signed"),
        (("events", "--type", "???"), 2, "`toll schema` lists them"),
        (("events", "--stream", "rulebok"), 1, "did you mean rulebook?"),
        (("schema", "NameFinalst"), 2, "did you mean NameFinalist?"),
        (("schema", "NameFinalst", "--example"), 2, "did you mean NameFinalist?"),
        (("schema", "--example"), 2, "`toll schema` lists them"),
    ],
)
def test_what_nobody_knows_is_refused_with_a_way_on(
    toll: Any, story: Any, words: tuple[str, ...], code: int, words_said: str
) -> None:
    if words[:2] == ("show", "deal"):
        words = ("show", "deal", story.deal, *words[3:])
    where = () if words[0] == "schema" else ("--bench", story.path)
    said = toll(*words, *where, code=code)
    assert words_said in said and said.count("\n") == 1


def test_list_shows_whole_ids_and_no_word_that_is_private(toll: Any, story: Any) -> None:
    agents = toll("list", "agents", "--bench", story.path).splitlines()
    assert [line.split()[1] for line in agents] == ["name", *sorted(("alder", "[/elm]"), key=story.ids.get)]
    assert all(re.match(ID, line) for line in agents[1:])
    targets = {each["id"]: each for each in json.loads(toll("list", "targets", "--bench", story.path, "--json"))}
    assert targets[story.ids["the want"]]["want"] == "A bicycle repaired"
    assert targets[story.private] == {"id": story.private, "status": "reviewed", "want": None}
    (deal,) = json.loads(toll("list", "deals", "--bench", story.path, "--json"))
    assert (deal["id"], deal["agent"], deal["status"]) == (story.deal, "alder", "signed")
    people = json.loads(toll("list", "people", "--bench", story.path, "--json"))
    assert {"steward"} in [set(each["roles"]) for each in people]
    assert "name" not in people[0], "names of people are private"


# -- what is printed ---------------------------------------------------------------------------------------------------


def test_events_and_stories_stand_one_a_line(toll: Any, story: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    head, *rows = toll("events", "--bench", story.path).splitlines()
    with Bench.open(str(story.path)) as bench:
        assert len(rows) == bench.position() and head.split()[:3] == ["leaf", "at", "type"]
    assert all(re.search(r"T\d\d:\d\d:\d\dZ", row) for row in rows)
    short = short_ids(story.deal)
    assert short == story.deal[: len("deal-") + 8]
    signed = [row for row in rows if " deal.signed " in row]
    assert len(signed) == 1 and short in signed[0] and story.deal not in signed[0]
    assert toll("events", "--type", "deal.declined", "--bench", story.path) == "no such event\n"
    assert toll("events", "--stream", short, "--type", "deal.signed", "--bench", story.path).count("\n") == 2


def test_show_gives_every_value_a_line(toll: Any, story: Any) -> None:
    said = toll("show", "deal", story.deal, "--bench", story.path)
    assert re.search(r"^  milestones\.1\.amount_cents +3000$", said, re.MULTILINE)
    assert re.search(r"^  terms\.target +target-[0-9a-f-]{36}$", said, re.MULTILINE)
    assert "{'" not in said and "…" not in said


def test_cut_instants_can_be_sent_as_they_stand() -> None:
    assert short_instants("at 2026-08-24T12:00:00.000000Z") == "at 2026-08-24T12:00:00Z"
    assert short_instants("2026-08-24T12:00:00.000100Z") == "2026-08-24T12:00:00.000100Z"
    assert lines(["a", "b"], [(None, "x"), ("日本", "y")]) == ["a     b", "-     x", "日本  y"]


def test_names_in_tables_are_no_markup(capfd: pytest.CaptureFixture[str]) -> None:
    from tollbench.adapters.cli.output import console

    console().print(table("Names", ["name"], [["[/elm]"], ["[bold]x"]]))
    said = capfd.readouterr().out
    assert "[/elm]" in said and "[bold]x" in said


def test_tables_are_as_wide_as_told(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from tollbench.adapters.cli.output import console

    wide = table("Wide", ["id", "words"], [["deal-1", "word " * 60]])
    console().print(wide)
    assert "word " * 59 in capfd.readouterr().out, "into a pipe nothing is wrapped"
    monkeypatch.setenv("COLUMNS", "60")
    console().print(wide)
    said = capfd.readouterr().out
    assert max(map(len, said.splitlines())) <= 60 and "deal-1" in said


# -- crowns ------------------------------------------------------------------------------------------------------------


def week(crown: dict[str, Any], *agents: str) -> dict[str, Any]:
    points = {"value": "0.30", "n": 1, "low": None}
    places = [
        {"rank": rank, "agent": f"a-{name}", "name": name, "points": points, "successes": 1, "time": {}}
        for rank, name in enumerate(agents, 1)
    ]
    return {"week": "2026-W30", "table": places, "crown": crown}


def crown(*names: str, awarded: bool = True, now: tuple[str, ...] | None = None) -> dict[str, Any]:
    def named(agents: tuple[str, ...]) -> dict[str, Any]:
        return {"champions": [f"a-{name}" for name in agents], "names": list(agents)}

    found = {"awarded": awarded, "marked": now is not None, **named(names)}
    return found if now is None else {**found, "now": named(now)}


CROWNS = [
    ("as it was", crown("Elm"), ["Elm", "Fir"], {"Elm": "champion", "Fir": ""}),
    ("open", crown("Elm", awarded=False), ["Elm", "Fir"], {"Elm": "leads", "Fir": ""}),
    (
        "moved",
        crown("Fir", now=("Elm",)),
        ["Elm", "Fir"],
        {"Elm": "leads now", "Fir": "champion (as closed; now Elm)"},
    ),
    ("no row left", crown("Fir", now=("Elm",)), ["Elm"], {"Elm": "leads now", "Fir": "champion (as closed; now Elm)"}),
    ("nothing left", crown("Fir", now=()), [], {"Fir": "champion (as closed; now nobody)"}),
    ("shared no more", crown("Elm", "Fir", now=("Elm",)), ["Elm", "Fir"], {
        "Elm": "champion", "Fir": "champion (as closed; now Elm)"
    }),
    ("nobody then", crown(now=("Elm",)), ["Elm"], {"Elm": "leads now"}),
    ("nobody", crown(awarded=False), [], {"-": "-"}),
]  # fmt: skip


@pytest.mark.parametrize(("made", "agents", "told"), [case[1:] for case in CROWNS], ids=[case[0] for case in CROWNS])
def test_a_crown_stays_where_it_was_awarded_and_says_where_it_would_be(
    made: dict[str, Any], agents: list[str], told: dict[str, str]
) -> None:
    shown = weekly_table([week(made, *agents)])
    names, crowns = ([str(each) for each in column.cells] for column in (shown.columns[2], shown.columns[7]))
    assert dict(zip(names, crowns, strict=True)) == told
    assert (shown.caption is not None) == made["awarded"]


# -- senders -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "who", "fix"),
    [
        ("king", "system", ", ".join(ROLES)),
        ("system", "toll", "Actor.system()"),
        ("agent", "Ada", "begins with passport-"),
        ("steward", "alder", "begins with person-"),
        ("steward", "Ada", "in a role of the sender"),
        ("person", "person-00000000-0000-5000-8000-000000000000", "register the sender first"),
    ],
)
def test_an_unknown_sender_is_told_what_it_may_be(role: str, who: str, fix: str) -> None:
    life = Life()
    folk.person(life, "Ada")
    folk.agent(life, "alder")
    life.attempt(RegisterPerson(), Actor(role, life.ids.get(who, who)))  # type: ignore[arg-type]
    assert fix in life.refused_by("TB-CMD-002").fix
    life.close()
