"""What all tests share: step modules as plugins, rule ids as markers, one hypothesis profile.

Scenarios carry the ids of the rules they show as tags, and pytest turns tags into markers. Under `--strict-markers` a
tag that names no rule of the registry is therefore an error.
"""

import os
from pathlib import Path

import pytest
from hypothesis import settings

_TESTS = Path(__file__).resolve().parent

# Step modules import each other: their assertions are rewritten whichever is imported first.
pytest.register_assert_rewrite("steps")
pytest_plugins = [f"steps.{path.stem}" for path in sorted(_TESTS.glob("steps/[a-z]*.py"))]

# Reproducible by default; TOLL_FUZZ=N searches N fresh examples instead.
_fuzz = int(os.environ.get("TOLL_FUZZ", "0"))
settings.register_profile("toll", deadline=None, derandomize=not _fuzz, max_examples=_fuzz or 100)
settings.load_profile("toll")


def pytest_configure(config: pytest.Config) -> None:
    for path in sorted(_TESTS.parent.glob("rules/**/TB-*.yaml")):
        config.addinivalue_line("markers", f"{path.stem}: shows this rule of the registry")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the rules that a test cites into its report, where JUnit readers and `toll rules export` find them."""
    for item in items:
        cited = {marker.name for marker in item.iter_markers() if marker.name.startswith("TB-")}
        item.user_properties += [("rule", rule) for rule in sorted(cited)]
