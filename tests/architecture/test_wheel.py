"""What an installation gets: the packages with their page, and the sample game; no tests."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The files in a wheel built from this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return set(zipfile.ZipFile(wheel).namelist())


def test_the_wheel_holds_every_file_of_the_packages(names: set[str]) -> None:
    packages = ("calibration", "referee", "vision", "web")
    files = {path.relative_to(ROOT) for package in packages for path in (ROOT / package).rglob("*") if path.is_file()}
    wanted = {str(file) for file in files if "__pycache__" not in file.parts}
    assert {Path(name).suffix for name in wanted} >= {".py", ".js", ".css", ".html", ".po", ".npy", ".npz"}
    assert wanted <= names


def test_the_sample_game_comes_along(names: set[str]) -> None:
    assert len([name for name in names if name.startswith("sample_images/full_game/frames/")]) == 77


def test_what_was_learnt_comes_along(names: set[str]) -> None:
    assert {"calibration/border.npy", "vision/second.npz"} <= names


def test_the_puzzles_come_along(names: set[str]) -> None:
    assert len([name for name in names if name.startswith("referee/puzzles/") and name.endswith(".json")]) == 10


def test_neither_tests_nor_tools_come_along(names: set[str]) -> None:
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"calibration", "referee", "vision", "web", "sample_images"}
