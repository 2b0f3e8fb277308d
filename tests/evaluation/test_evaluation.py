"""The scoring of pictures tells right, unsure, wrong and missed apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation import stills
from tests.evaluation.figures import by_condition, figures
from tests.evaluation.loose import LooseScore, score_loose
from tests.evaluation.page import write_page
from web.samples import SAMPLE_IMAGES

SIZE = 20
CORNERS = [[100.0, 100.0], [500.0, 100.0], [500.0, 500.0], [100.0, 500.0]]
BOARD = ["B" + "." * (SIZE - 1), *["." * SIZE] * (SIZE - 1)]
TURNED = ["." * (SIZE - 1) + "B", *["." * SIZE] * (SIZE - 1)]
"""The same board as it is read when its corners are listed from the top right on, against the clock."""


def truth(**more: Any) -> dict[str, Any]:
    return {"image": "a.jpg", "board": BOARD, "grid_corners_px": CORNERS, "conditions": {"lighting": "lamp", "tilt_deg": 47}} | more


def reading(grid: list[str], corners: list[list[float]], **more: Any) -> dict[str, Any]:
    return {"image": "a.jpg", "grid": grid, "board": {"corners_px": corners}, "loose": [], "timing_ms": {"total": 5.0}} | more


def scored(folder: Path, monkeypatch: pytest.MonkeyPatch, answer: dict[str, Any], **more: Any) -> stills.Score:
    (folder / "a.jpg").write_bytes((SAMPLE_IMAGES / "stills" / "oak_table.jpg").read_bytes())
    (folder / "a.json").write_text(json.dumps(truth(**more)))
    monkeypatch.setattr(stills, "read_pictures", lambda _, paths: [(path, answer) for path in paths])
    return stills.score_folder(folder)[0]


def with_letters(cells: dict[tuple[int, int], str]) -> list[str]:
    return ["".join(cells.get((r, c), BOARD[r][c]) for c in range(SIZE)) for r in range(SIZE)]


def test_any_of_the_four_rotations_is_the_same_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    score = scored(tmp_path, monkeypatch, reading(TURNED, [CORNERS[3], CORNERS[0], CORNERS[1], CORNERS[2]]))
    assert (score.is_located, score.wrong, len(score.unsure), score.cells) == (True, {}, 0, 400)


def test_wrong_unsure_and_hidden_cells_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grid = with_letters({(0, 0): "R", (5, 5): "?", (7, 7): "G"})
    score = scored(tmp_path, monkeypatch, reading(grid, CORNERS), cell_occlusion=[[7, 7, 0.9], [8, 8, 0.1]])
    assert (score.wrong, score.unsure, score.cells) == ({(0, 0): ("B", "R")}, frozenset({(5, 5)}), 399)
    assert score.is_failure
    assert write_page(tmp_path / "page.html", [score]) == 1
    assert "(0, 0) is B and was called R" in (tmp_path / "page.html").read_text()


def test_a_grid_one_cell_off_is_not_located(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    score = scored(tmp_path, monkeypatch, reading(BOARD, [[x + 20, y] for x, y in CORNERS]))
    assert score.corners_off == pytest.approx((1.0,) * 4)
    assert (score.is_located, score.is_failure) == (False, True)


def test_a_board_of_another_size_counts_as_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    score = scored(tmp_path, monkeypatch, reading(["." * 14] * 14, CORNERS))
    assert (score.is_read, score.cells) == (False, 400)


def test_figures_count_by_condition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    score = scored(tmp_path, monkeypatch, reading(with_letters({(5, 5): "?"}), CORNERS))
    negative = stills.Score(tmp_path / "negative_a.jpg", {}, is_board=False, error="no board")
    found = figures([score, negative])
    assert (found["located"], found["unsure"], found["exact"], found["exact_or_unsure"]) == (1, 1, 0, 1)
    assert (found["no_board"], found["no_board_called_board"]) == (1, 0)
    rows = list(by_condition([score, negative]))
    assert [row.split()[:2] for row in rows[1:]] == [["light", "lamp"], ["angle", "45"]]


def box(x: float, y: float) -> list[list[float]]:
    return [[x, y], [x + 60, y], [x + 60, y + 20], [x, y + 20]]


def test_loose_pieces_are_right_unsure_wrong_missed_or_invented() -> None:
    pieces: list[dict[str, Any]] = [
        {"color": color, "squares": 3, "box_px": box(100 * k, 0), "whole": color != "G"} for k, color in enumerate("BYRGB")
    ]
    seen: list[dict[str, Any]] = [
        {"color": "blue", "squares": 3, "polygon_px": box(3, 2)},
        {"color": "yellow", "squares": None, "polygon_px": box(104, 0)},
        {"color": "red", "squares": 4, "polygon_px": box(200, 0)},
        {"color": "green", "squares": 1, "polygon_px": box(300, 0)},
        {"color": "red", "squares": 1, "polygon_px": box(0, 300)},
    ]
    assert score_loose(pieces, seen) == LooseScore(pieces=4, right=1, unsure=1, wrong=1, invented=1)
    assert score_loose(pieces, seen).missed == 1
