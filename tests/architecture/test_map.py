"""docs/ARCHITECTURE.md names every module, and none that is not there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "ARCHITECTURE.md").read_text()


def section(package: str) -> str:
    """The part of the page on one package."""
    return PAGE.split(f"### `{package}/`", 1)[1].split("\n##", 1)[0]


@pytest.mark.parametrize("package", ["calibration", "referee", "vision", "web"])
def test_each_module_is_on_the_page(package: str) -> None:
    modules = {path.stem for path in (ROOT / package).rglob("*.py") if not path.stem.startswith("__")}
    assert set(re.findall(r"^\| `(\w+)` \|", section(package), re.MULTILINE)) == modules
