"""The shape of the tree: imports go one way, the package list is whole, nothing names a machine or a registry.

protocol <- rules <- domain <- projections <- adapters. The check reads the sources; it imports nothing.
"""

import ast
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from support import ROOT

LAYERS = ("protocol", "rules", "domain", "projections", "adapters")
FOLDERS = (*LAYERS, "features")
MODULES = sorted(path.relative_to(ROOT) for layer in LAYERS for path in (ROOT / layer).rglob("*.py"))
SCRIPTS = sorted(path.relative_to(ROOT) for top in ("tests", "benchmarks") for path in (ROOT / top).rglob("*.py"))
SCIENTIFIC = {"numpy", "scipy", "pandas"}
IMPURE = {"os", "io", "time", "random", "secrets", "socket", "sqlite3", "subprocess", "pathlib", "threading", "shutil"}


def _imports(path: Path):
    """Every import as (line, level, dotted module); `from . import x` is given as the module x."""
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, 0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.lineno, node.level, node.module
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, node.level, alias.name) for alias in node.names)


def _layer_reached(path: Path, level: int, module: str) -> str:
    """The first folder, seen from the root, that a relative import of this file leads to."""
    up = path.parts[:-level]
    return (*up, *module.split("."))[0]


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_imports_go_one_way(path):
    own = LAYERS.index(path.parts[0])
    for line, level, module in _imports(path):
        if level == 0:
            assert module.split(".")[0] not in ("tollbench", *FOLDERS, "tests"), (
                f"{path}:{line}: import {module} relatively; an absolute import can load a second copy"
            )
            continue
        assert level <= len(path.parts), f"{path}:{line}: leads out of the package"
        reached = _layer_reached(path, level, module)
        assert reached in LAYERS, f"{path}:{line}: {reached} is no layer that code may import"
        assert LAYERS.index(reached) <= own, f"{path}:{line}: {LAYERS[own]} may not import {reached}"


@pytest.mark.parametrize("path", SCRIPTS, ids=str)
def test_tests_and_benchmarks_use_the_package_by_its_name(path):
    for line, level, module in _imports(path):
        assert level == 0, f"{path}:{line}: write tollbench.… here"
        assert module.split(".")[0] not in FOLDERS, f"{path}:{line}: import tollbench.{module}, not a second copy"


@pytest.mark.parametrize("path", [path for path in MODULES if path.parts[0] in LAYERS[:-1]], ids=str)
def test_scoring_path_needs_no_scientific_stack_and_pure_layers_touch_no_world(path):
    pure = path.parts[0] in ("domain", "projections")
    for line, level, module in _imports(path):
        top = module.split(".")[0]
        assert level or top not in SCIENTIFIC, f"{path}:{line}: {top} is a test oracle only"
        assert level or not pure or top not in IMPURE, f"{path}:{line}: {path.parts[0]} is pure and may not use {top}"


def test_root_imports_nothing_of_the_project_eagerly():
    tree = ast.parse((ROOT / "__init__.py").read_text(encoding="utf-8"))
    eager = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.level]
    assert eager == []


def test_root_holds_no_other_module():
    assert sorted(path.name for path in ROOT.glob("*.py")) == ["__init__.py", "__main__.py"]


def test_package_list_is_the_tree():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]
    folders = {path.parent.relative_to(ROOT) for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")}
    found = sorted(["tollbench", *(".".join(("tollbench", *path.parts)) for path in folders)])
    assert sorted(declared) == found, f"missing {set(found) - set(declared)}, gone {set(declared) - set(found)}"
    assert [str(path) for path in folders if not (ROOT / path / "__init__.py").is_file()] == []


def test_tests_are_no_packages():
    assert list((ROOT / "tests").rglob("__init__.py")) == []
    assert list(ROOT.glob("conftest.py")) == []


def test_modules_say_what_they_are_for():
    silent = [str(path) for path in MODULES if not ast.get_docstring(ast.parse((ROOT / path).read_text("utf-8")))]
    assert silent == []


def test_no_file_names_a_registry_host_or_a_path_of_a_machine():
    hosts = "|".join(("pypi" + r"\.org", "python" + r"hosted\.org", "npm" + r"js\.(org|com)", "crates" + r"\.io"))
    forbidden = re.compile(rf"{hosts}|(?<![\w.~*$}}])/(work|root|home|Users)/|{re.escape(str(ROOT))}/")
    named = []
    for path in _committed():
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            if found := forbidden.search(line):
                named.append(f"{path.relative_to(ROOT)}:{number}: {found.group()}")
    assert named == []


def _committed() -> list[Path]:
    """The files git knows, or where this is no clone (an unpacked source archive) every file outside hidden folders."""
    try:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return [path for path in ROOT.rglob("*.*") if path.is_file() and "/." not in str(path.relative_to(ROOT.parent))]
    return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]
