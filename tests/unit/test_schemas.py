"""The published schemas: event shapes are frozen, the rest is as the registries have it, and events obey them."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, ValidationError, validators
from mini_ledger import play as play_mini
from referencing import Registry, Resource
from seasons import played

from support import shared
from tollbench.adapters import schemas
from tollbench.adapters.bench import Bench
from tollbench.adapters.cli import main
from tollbench.domain.commands import Actor, Command, PrivateMark, commands
from tollbench.domain.events import event_type, event_types
from tollbench.protocol import canonical
from tollbench.protocol.edition import shelf
from tollbench.protocol.refusal import Refused

FILES = {path.relative_to(schemas.FOLDER).as_posix(): path for path in schemas.FOLDER.rglob("*.json")}
PUBLISHED = {name: json.loads(path.read_text("utf-8")) for name, path in FILES.items() if "/" in name}
RENEW = "run `python -m tollbench.adapters.schemas` and commit what it writes"
REGISTRY: Registry[Any] = Registry().with_resources(
    [(schema["$id"], Resource.from_contents(schema)) for schema in PUBLISHED.values()]
)


def _pattern(_: Any, pattern: str, instance: Any, __: Any) -> Iterator[ValidationError]:
    """Patterns as JSON Schema means them (ECMA-262), where `$` is the very end and not also before a last newline."""
    if isinstance(instance, str) and not re.search(pattern.replace("$", r"\Z"), instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


Validator = validators.extend(Draft202012Validator, {"pattern": _pattern})


@lru_cache(maxsize=400)
def validator(name: str, kind: Any = Validator) -> Any:
    """The validator of a published schema."""
    return kind(PUBLISHED[name], registry=REGISTRY)


# -- the files ---------------------------------------------------------------------------------------------------------


def test_no_event_left_its_published_shape() -> None:
    wrong = schemas.moved()
    assert wrong == [], "\n".join(wrong)


def test_everything_published_is_up_to_date() -> None:
    wanted = {name: schemas.text(schema) for name, schema in schemas.generated().items()}
    stale = sorted(name for name, body in wanted.items() if name not in FILES or FILES[name].read_text("utf-8") != body)
    assert stale == [], RENEW


def test_every_version_of_every_type_is_there_and_nothing_else() -> None:
    versions = {
        f"events/{type_.name}.v{n}.json" for type_ in event_types().values() for n in range(1, type_.schema + 1)
    }
    assert {name for name in PUBLISHED if name.startswith("events/")} == {*versions, "events/envelope.v1.json"}
    assert {name for name in PUBLISHED if name.startswith("commands/")} == {
        f"commands/{name}.json" for name in commands()
    }


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_each_is_a_good_schema_that_names_good_rules(name: str) -> None:
    schema = PUBLISHED[name]
    Draft202012Validator.check_schema(schema)
    assert schema["description"]
    assert set(schema["x-toll-rules"]) <= set(shelf().current.rules)
    # `\d` and `\w` mean other characters to other engines; a pattern here means the same to all of them.
    assert not re.search(r"\\\\[dwsb]", FILES[name].read_text("utf-8"))


def test_a_changed_shape_is_refused_with_the_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert schemas.moved(tmp_path) == []
    schemas.write(tmp_path)
    path = tmp_path / "events" / "deal.declined.v1.json"
    old = json.loads(path.read_text("utf-8"))
    old["description"] = "In other words."
    path.write_text(json.dumps(old), "utf-8")
    assert schemas.moved(tmp_path) == []
    assert schemas.write(tmp_path) == ["events/deal.declined.v1.json"]
    old["properties"]["data"]["properties"]["reason"] = {"type": "string"}
    path.write_text(json.dumps(old), "utf-8")
    (wrong,) = schemas.moved(tmp_path)
    assert "register the new one as schema 2 with an upcaster from schema 1" in wrong
    monkeypatch.setattr(schemas, "moved", lambda: [wrong])
    assert schemas.main() == 1


def test_a_command_that_is_gone_loses_its_schema(tmp_path: Path) -> None:
    (tmp_path / "commands").mkdir()
    (tmp_path / "commands" / "FlyToTheMoon.json").write_text("{}")
    schemas.write(tmp_path)
    assert not (tmp_path / "commands" / "FlyToTheMoon.json").exists()


def test_the_command_line_prints_what_is_published(capsys: pytest.CaptureFixture[str]) -> None:
    for name, file in (("SignDeal", "commands/SignDeal.json"), ("deal.signed", "events/deal.signed.v1.json")):
        with pytest.raises(SystemExit):
            main(["schema", name])
        assert json.loads(capsys.readouterr().out) == PUBLISHED[file]


def test_private_fields_are_marked_as_such() -> None:
    for name, model in commands().items():
        marks = {
            field
            for field, info in model.model_fields.items()
            if any(isinstance(mark, PrivateMark) for mark in info.metadata)
        }
        told = PUBLISHED[f"commands/{name}.json"].get("properties", {})
        assert marks <= {field for field in told if "x-toll-private" in json.dumps(told[field])}
    card = PUBLISHED["commands/RefineTarget.json"]["properties"]["finish_line"]
    assert card["anyOf"][0]["x-toll-private"] == "until_posted"


# -- real events -------------------------------------------------------------------------------------------------------


class Watched(Bench):
    """A bench that notes which rules refused which command, and which event types each command wrote."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.refusing: dict[str, set[str]] = defaultdict(set)
        self.wrote: dict[str, set[str]] = defaultdict(set)
        super().__init__(*arguments, **options)

    def do(self, request: Command, *, by: Actor, **options: Any) -> Any:
        name = type(request).__name__
        try:
            done = super().do(request, by=by, **options)
        except Refused as refused:
            self.refusing[name] |= {problem.rule for problem in refused.problems}
            raise
        self.wrote[name] |= {event.type for event in done.events}
        return done


@pytest.fixture(scope="module")
def season() -> Iterator[Watched]:
    """A simulated season that uses every command."""
    bench, _ = played(Watched, "memory:")
    with bench:
        yield bench


def _check(body: bytes) -> None:
    event = json.loads(body)
    problems = [
        error.message
        for kind in (Draft202012Validator, Validator)
        for error in validator(f"events/{event['type']}.v{event['schema']}.json", kind).iter_errors(event)
    ]
    assert problems == [], event


def test_every_event_of_a_season_validates(season: Watched) -> None:
    for _, body in season.log():
        _check(body)


def test_every_event_of_the_mini_ledger_validates() -> None:
    golden = yaml.safe_load(shared("golden/mini_ledger.yaml").read_text("utf-8"))
    with play_mini(golden["targets"]).bench as bench:
        for _, body in bench.log():
            _check(body)


def test_the_rules_named_are_those_that_judge(season: Watched) -> None:
    for event in season.events():
        named = set(PUBLISHED[f"events/{event.type}.v1.json"]["x-toll-rules"])
        named |= set(PUBLISHED["events/envelope.v1.json"]["x-toll-rules"])
        cited = {rule for rules in event.rules.values() for rule in rules}
        computed = {rule for rule in cited if shelf().current.rules[rule].evaluator == "computed"}
        assert cited - computed <= named, event.type


def test_the_rules_named_are_those_that_refuse(season: Watched) -> None:
    assert season.refusing
    for name, rules in season.refusing.items():
        assert rules <= set(PUBLISHED[f"commands/{name}.json"]["x-toll-rules"]), name
    for name, types in season.wrote.items():
        assert types <= schemas.proposable(commands()[name]), name


# -- made-up events ----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def samples() -> list[dict[str, Any]]:
    """One event of each type of a small season."""
    bench, _ = played(Bench, "memory:")
    with bench:
        found = {event.type: event.as_dict() for event in bench.events()}
    return [found[type_] for type_ in sorted(found)]


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place inside a JSON value."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield (*path, key)
            yield from _places(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield (*path, index)
            yield from _places(item, (*path, index))


def _with(value: Any, path: tuple[Any, ...], change: Any) -> Any:
    """A copy in which the item at a place is changed by `change(container, key)`."""
    copy = dict(value) if isinstance(value, Mapping) else list(value)
    if len(path) == 1:
        change(copy, path[0])
    else:
        copy[path[0]] = _with(copy[path[0]], path[1:], change)
    return copy


SCALARS = st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(max_size=12)
STRANGE = SCALARS | st.lists(SCALARS, max_size=2) | st.dictionaries(st.text("abc", max_size=3), SCALARS, max_size=2)


@given(st.data())
def test_bad_data_does_not_validate(data: st.DataObject) -> None:
    """What is changed at random validates exactly where the closed registry takes it too, which is rarely."""
    event = data.draw(st.sampled_from(samples()))
    file = f"events/{event['type']}.v{event['schema']}.json"
    places = list(_places(event["data"])) or [("nothing",)]
    path = data.draw(st.sampled_from(places))
    strange = data.draw(STRANGE)
    way = data.draw(st.sampled_from(["replace", "drop", "add"]))

    def change(container: Any, key: Any) -> None:
        if way == "replace":
            container[key] = strange
        elif way == "drop":
            container.pop(key, None) if isinstance(container, dict) else container.pop(key)
        elif isinstance(container, dict):
            container["zz"] = strange
        else:
            container.append(strange)

    changed = {**event, "data": _with(event["data"], path, change)}
    canonical.dumps(changed)
    takes = event_type(event["type"]).problems(changed["data"]) == []
    assert validator(file).is_valid(changed) is takes
    if way == "add" and len(path) == 1:
        assert not takes


@given(st.data())
def test_bad_envelopes_do_not_validate(data: st.DataObject) -> None:
    event = data.draw(st.sampled_from(samples()))
    file = f"events/{event['type']}.v{event['schema']}.json"
    key = data.draw(st.sampled_from(sorted(event)))
    if key == "subject":
        bad: Any = data.draw(st.integers() | st.booleans() | st.lists(st.text(), max_size=1))
    else:
        bad = data.draw(SCALARS.filter(lambda value: value != event[key] and not isinstance(value, int)) | st.just(-1))
    assert not validator(file).is_valid({**event, key: bad})
    assert not validator(file).is_valid({name: value for name, value in event.items() if name != key})
    assert not validator(file).is_valid({**event, "more": bad})
