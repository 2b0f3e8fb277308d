"""The overlay: what was read stands where it was read, and the picture itself is left alone."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.pose import PIECE_HEIGHT_CELLS, GridPose
from vision.findings import Finding
from vision.frames import BgrImage
from vision.loose import LoosePiece
from vision.overlay import OverlayStyle, draw
from vision.verdicts import PictureViolation

CORNERS = ((150.0, 100.0), (650.0, 90.0), (720.0, 520.0), (90.0, 540.0))
STYLE = OverlayStyle()
COLORS = dict(STYLE.colors)
EMPTY_GRID = ("." * 20,) * 20


@pytest.fixture
def pose() -> GridPose:
    return GridPose.from_corners(np.array(CORNERS), (800, 600), 20)


@pytest.fixture
def image() -> BgrImage:
    return np.full((600, 800, 3), 90, np.uint8)


def seen_near(drawn: BgrImage, pose: GridPose, col_row: tuple[float, float], height: float = 0.0) -> set[tuple[int, ...]]:
    x, y = pose.project(np.array([col_row]), height)[0].round().astype(int)
    return {tuple(map(int, pixel)) for row in drawn[y - 1 : y + 2, x - 1 : x + 2] for pixel in row}


def with_letter(row: int, col: int, letter: str) -> tuple[str, ...]:
    rows = list(EMPTY_GRID)
    rows[row] = rows[row][:col] + letter + rows[row][col + 1 :]
    return tuple(rows)


def test_the_picture_given_is_not_changed(image: BgrImage, pose: GridPose) -> None:
    draw(image, pose, EMPTY_GRID)
    assert (image == 90).all()


def test_the_grid_s_corners_are_drawn(image: BgrImage, pose: GridPose) -> None:
    drawn = draw(image, pose, EMPTY_GRID)
    assert all(STYLE.line in seen_near(drawn, pose, point) for point in ((0, 10), (20, 10), (10, 0), (10, 20)))


@pytest.mark.parametrize("letter", sorted(COLORS))
def test_a_colour_is_drawn_at_the_height_of_a_piece_s_top(image: BgrImage, pose: GridPose, letter: str) -> None:
    drawn = draw(image, pose, with_letter(3, 7, letter))
    assert COLORS[letter] in seen_near(drawn, pose, (7 + STYLE.ring, 3.5), PIECE_HEIGHT_CELLS)


def test_findings_are_crossed_out_and_violations_framed(image: BgrImage, pose: GridPose) -> None:
    finding = Finding("unclear", frozenset({(5, 5)}), "glare")
    violation = PictureViolation("blue", ("edge_contact",), frozenset({(9, 9)}), ambiguous=False, message="")
    drawn = draw(image, pose, EMPTY_GRID, findings=[finding], violations=[violation])
    assert COLORS["?"] in seen_near(drawn, pose, (5.5, 5.5))
    assert STYLE.wrong in seen_near(drawn, pose, (9 + STYLE.wrong_ring, 9.5), PIECE_HEIGHT_CELLS)


@pytest.mark.parametrize(("squares", "letter"), [(4, "R"), (None, "?")])
def test_loose_pieces_are_outlined_in_their_colour_or_in_white_when_unsure(
    image: BgrImage, pose: GridPose, squares: int | None, letter: str
) -> None:
    outline = np.array([[20.0, 560.0], [60.0, 560.0], [60.0, 590.0], [20.0, 590.0]])
    drawn = draw(image, pose, EMPTY_GRID, loose=[LoosePiece("red", None, squares, outline)])
    assert all(tuple(drawn[y, x]) == COLORS[letter] for x, y in ((40, 560), (60, 575), (40, 590), (20, 575)))
