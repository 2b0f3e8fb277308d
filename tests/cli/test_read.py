"""`read`: the contract's object for each picture, and the same told to people."""

from __future__ import annotations

import json
import math
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from web.cli import main
from web.cli.reading import Order, Outcome, usual_jobs
from web.samples import SAMPLE_IMAGES

STILLS = SAMPLE_IMAGES / "stills"
NAMES = sorted(path.stem for path in STILLS.glob("*.json"))
LEFT_OPEN = 7
"""Cells that may stay `?` in one picture: one of the stills has a window's glare over a corner at a slant."""

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


def _die(_: Path, __: Order) -> Outcome:
    os._exit(9)


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
    assert sum(row.count("?") for row in grid) <= LEFT_OPEN


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
    assert [line.split()[0] for line in result.stdout.splitlines() if "squares left:" in line] == ["Blue", "Yellow", "Red", "Green"]


def test_a_folder_stands_for_its_pictures() -> None:
    assert len(run("--json", STILLS).stdout.splitlines()) == len(NAMES)


def test_people_are_told_where_a_colour_could_still_go() -> None:
    image = STILLS / "walnut_table.jpg"
    example = json.loads(run("--json", image).stdout)["colors"]["blue"]["example"]
    names = " ".join(f"{'abcdefghijklmnopqrst'[col]}{20 - row}" for row, col in example["cells"])
    assert f"can still move ({example['piece']} on {names})" in run(image).stdout


def test_several_processes_say_the_same_in_the_same_order(tmp_path: Path) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"no picture")
    images = [STILLS / "walnut_table.jpg", broken, STILLS / "oak_table.jpg"]
    alone, together = (run("--json", *images, "--jobs", jobs) for jobs in ("1", "3"))
    assert (together.exit_code, together.stderr) == (0, alone.stderr)
    for mine, theirs in zip(alone.stdout.splitlines(), together.stdout.splitlines(), strict=True):
        assert {**json.loads(mine), "timing_ms": 0} == {**json.loads(theirs), "timing_ms": 0}
    assert len(alone.stdout.splitlines()) == 3


@pytest.mark.parametrize(("pictures", "processors", "jobs"), [(1, 8, 1), (7, 8, 1), (8, 8, 2), (400, 4, 4), (400, 1, 1)])
def test_there_is_work_for_each_process(pictures: int, processors: int, jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(processors)), raising=False)
    assert usual_jobs(pictures) == jobs


def test_a_process_ended_from_outside_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.cli.reading.read_one", _die)
    result = run("--json", STILLS / "walnut_table.jpg", STILLS / "oak_table.jpg", "--jobs", "2")
    assert result.exit_code == 3
    assert "--jobs 1" in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_an_overlay_is_a_picture_of_the_same_size(tmp_path: Path) -> None:
    from vision.pictures import read_picture

    image = STILLS / "walnut_table.jpg"
    result = run(image, "--overlay", tmp_path / "seen.png")
    assert result.exit_code == 0, result.stderr
    assert read_picture(tmp_path / "seen.png").shape == read_picture(image).shape


def test_a_full_disk_leaves_an_older_overlay_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    overlay = tmp_path / "seen.png"
    overlay.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    result = run(STILLS / "walnut_table.jpg", "--overlay", overlay)
    assert result.exit_code == 3
    assert f"--overlay {overlay}: cannot be written (No space left on device)" in result.stderr
    assert overlay.read_text() == "old"
    assert [*tmp_path.iterdir()] == [overlay]


def test_an_overlay_never_takes_the_place_of_its_picture(tmp_path: Path) -> None:
    image = Path(shutil.copy(STILLS / "walnut_table.jpg", tmp_path))
    before = image.read_bytes()
    result = run(image, "--overlay", image)
    assert result.exit_code == 3
    assert f"--overlay {image}: this is the file to be read" in result.stderr
    assert image.read_bytes() == before


def test_an_overlay_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    result = run(STILLS / "walnut_table.jpg", "--overlay", tmp_path / "none" / "seen.png")
    assert result.exit_code == 3
    assert len(result.stderr.strip().splitlines()) == 1
