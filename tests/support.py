"""Helpers every test may use: inputs that live beside the repository, and services that may be missing here."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def require(service: str, found: object, reason: str = "") -> None:
    """Skip the test when `found` is falsy, or fail it when `service` is named in the comma list `TOLL_REQUIRE`."""
    if found:
        return
    why = reason or f"{service} is not available here"
    if service in os.environ.get("TOLL_REQUIRE", "").replace(",", " ").split():
        pytest.fail(f"{why}, and TOLL_REQUIRE names {service}")
    pytest.skip(why)


def shared(name: str) -> Path:
    """The path of an input in the folder `shared` beside the repository; skips the test where it is absent."""
    path = ROOT.parent / "shared" / name
    require("shared", path.exists(), f"../shared/{name} is absent")
    return path
