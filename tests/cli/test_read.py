"""`read`: the contract's object for each picture, and the same told to people."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from web.cli import main
from web.samples import SAMPLE_IMAGES

STILLS = SAMPLE_IMAGES / "stills"
NAMES = sorted(path.stem for path in STILLS.glob("*.json"))
FIELDS = {"image", "board", "grid", "confidence", "pieces", "loose", "violations", "findings", "colors", "timing_ms"}


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, ["read", *map(str, args)])


def truth(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((STILLS / f"{name}.json").read_text())
    return loaded


def turned(grid: list[str], quarter_turns: int) -> list[str]:
    for _ in range(quarter_turns):
        grid = ["".join(column) for column in zip(*grid, strict=True)][::-1]
    return grid


def corners_text(points: list[list[float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)


@pytest.fixture(scope="module")
def readings() -> dict[str, dict[str, Any]]:
    """What one run says about all stills, by name."""
    result = run("--json", *(STILLS / f"{name}.jpg" for name in NAMES))
    assert result.exit_code == 0, result.stderr
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [Path(line["image"]).stem for line in lines] == NAMES
    return dict(zip(NAMES, lines, strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_the_object_has_the_contract_s_fields(readings: dict[str, dict[str, Any]], name: str) -> None:
    assert readings[name].keys() >= FIELDS
    assert readings[name]["timing_ms"].keys() >= {"decode", "locate", "classify", "total"}
    assert (readings[name]["board"]["rows"], readings[name]["board"]["cols"]) == (20, 20)


@pytest.mark.parametrize("name", NAMES)
def test_no_cell_is_silently_wrong_and_corners_fit(readings: dict[str, dict[str, Any]], name: str) -> None:
    found, true = readings[name], truth(name)
    corners, wanted = found["board"]["corners_px"], true["grid_corners_px"]
    turns = min(range(4), key=lambda k: math.dist(corners[k], wanted[0]))
    assert max(math.dist(a, b) for a, b in zip(corners[turns:] + corners[:turns], wanted, strict=True)) < 12
    grid = turned(found["grid"], turns)
    wrong = [(r, c) for r in range(20) for c in range(20) if grid[r][c] not in ("?", true["board"][r][c])]
    assert wrong == []
    assert sum(row.count("?") for row in grid) < 8


@pytest.mark.parametrize("name", NAMES)
def test_given_corners_fix_the_orientation(name: str) -> None:
    true = truth(name)
    result = run(STILLS / f"{name}.jpg", "--json", "--corners", corners_text(true["grid_corners_px"]))
    grid = json.loads(result.stdout)["grid"]
    assert all(
        seen in ("?", is_) for row, true_row in zip(grid, true["board"], strict=True) for seen, is_ in zip(row, true_row, strict=True)
    )


def test_people_see_the_board_and_what_is_left() -> None:
    result = run(STILLS / "walnut_table.jpg")
    assert result.exit_code == 0
    assert "34 pieces" in result.stdout.splitlines()[0]
    assert [line.split()[0] for line in result.stdout.splitlines() if "squares left" in line] == ["Blue", "Yellow", "Red", "Green"]


def test_a_folder_stands_for_its_pictures() -> None:
    assert len(run("--json", STILLS).stdout.splitlines()) == len(NAMES)


def test_an_overlay_is_a_picture_of_the_same_size(tmp_path: Path) -> None:
    from vision.pictures import read_picture

    image = STILLS / "walnut_table.jpg"
    result = run(image, "--overlay", tmp_path / "seen.png")
    assert result.exit_code == 0, result.stderr
    assert read_picture(tmp_path / "seen.png").shape == read_picture(image).shape


def test_an_overlay_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    result = run(STILLS / "walnut_table.jpg", "--overlay", tmp_path / "none" / "seen.png")
    assert result.exit_code == 3
    assert len(result.stderr.strip().splitlines()) == 1
