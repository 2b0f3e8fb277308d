"""Small things that pass for empty cells: found by chroma and brightness together; cells' values and drawn boards."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.cells import Cell
from tests.vision.boards import drawn, random_rows
from vision.classify import classify_cells
from vision.findings import find
from vision.foreign import foreign_cells, solid_blocks
from vision.light import flat_light
from vision.palette import CellMedians, Palette

PALETTE = Palette(("blue", "red"), np.array([[0.5, 0.0], [-0.3, 0.5]], np.float32), flat_light(np.zeros(2, np.float32)))
EMPTY = np.ones((14, 14), np.bool_)
V3: tuple[Cell, ...] = ((4, 4), (4, 5), (5, 4))


def board(cells: tuple[Cell, ...], ratio: float, level: float) -> CellMedians:
    """An even board with noise, whose given cells differ by so much in one log ratio and in log brightness."""
    rng = np.random.default_rng(4)
    ratios = rng.normal(0, 0.01, (2, 14, 14)).astype(np.float32)
    levels = (rng.normal(0, 0.02, (14, 14)) - 0.5).astype(np.float32)
    for cell in cells:
        ratios[0][cell] += ratio
        levels[cell] += level
    return CellMedians(ratios, levels, np.ones((14, 14), np.bool_))


def found(medians: CellMedians, empty: NDArray[np.bool_] = EMPTY) -> set[Cell]:
    return {(row, col) for row, col in np.argwhere(foreign_cells(PALETTE, medians, empty, chroma_sd=0.01)).tolist()}


@pytest.mark.parametrize(
    ("cells", "ratio", "level", "seen"),
    [
        (V3, 0.1, -0.4, True),
        (V3, -0.1, 0.4, True),
        (V3, 0.0, -0.4, False),
        (V3, 0.1, 0.0, False),
        (V3, 0.1, -2.0, False),
        (V3[:1], 0.1, -0.4, False),
        (tuple((r, c) for r in range(4, 7) for c in range(4, 7)), 0.1, -0.4, False),
    ],
    ids=["darker paper", "brighter paper", "a shadow", "a reflection", "deep shade", "one cell", "too large"],
)
def test_a_small_thing_differs_in_chroma_and_in_brightness(cells: tuple[Cell, ...], ratio: float, level: float, *, seen: bool) -> None:
    assert found(board(cells, ratio, level)) == (set(cells) if seen else set())


def test_cells_that_do_not_look_empty_are_neither_things_nor_compared() -> None:
    pieces = EMPTY.copy()
    pieces[4, 4] = False
    assert found(board(V3, 0.1, -0.4), pieces) == set()  # two cells that touch at a corner only
    none = np.zeros((14, 14), np.bool_)
    assert found(board(V3, 0.1, -0.4), none) == set()


def test_the_chroma_is_measured_against_the_light_there() -> None:
    medians = board(V3, 0.1, -0.4)
    cast = np.array([0.3, -0.2], np.float32)
    warm = replace(medians, ratios=medians.ratios + cast[:, None, None])
    light = Palette(PALETTE.colors, PALETTE.means, flat_light(cast))
    assert foreign_cells(light, warm, EMPTY, 0.01).sum() == len(V3)


@pytest.mark.parametrize(
    ("rows", "block"),
    [
        (["BBBB", "BBBB", "BBBB", "BBBB"], ["####", "####", "####", "####"]),
        (["..BBBB", "..BBBB", ".BBBBB", "..BBBB", "B....."], ["..####", "..####", ".#####", "..####", "......"]),
        (["BBBBBBBB", "BBBBBBBB", "BBBBBBBB"], ["........", "........", "........"]),
        (["BBBB", "BB.B", "BBBB", "BBBB"], ["....", "....", "....", "...."]),
        (["BBRR", "BBRR", "BBRR", "BBRR"], ["....", "....", "....", "...."]),
        (["????", "????", "????", "????"], ["....", "....", "....", "...."]),
    ],
    ids=["a square", "a square and what hangs on it", "three rows", "a square with a hole", "two colours", "unknown already"],
)
def test_a_solid_block_of_one_colour_is_no_piece(rows: list[str], block: list[str]) -> None:
    letters = np.array([list(row.ljust(8, ".")) for row in rows + ["." * 8] * (8 - len(rows))])
    q = np.stack([letters == letter for letter in ".BR?"]).astype(np.float32)
    expected = np.array([list(row.ljust(8, ".")) for row in block + ["." * 8] * (8 - len(block))]) == "#"
    assert np.array_equal(solid_blocks(q), expected)


def test_a_sleeve_of_a_pieces_colour_is_told_as_an_unknown_thing() -> None:
    rows = random_rows(20, "....BYRG", seed=42)
    image, pose = drawn(rows)
    cv2.line(image, (0, 624), (330, 330), (150, 62, 28), 130)
    seen = classify_cells(image, pose)
    assert sum(line.count("?") for line in seen.grid()) > 40
    assert max(len(finding.cells) for finding in find(seen, seen.grid()) if finding.kind == "unknown_object") > 40


def test_paper_in_place_of_a_piece_is_told_as_an_unknown_thing() -> None:
    rows = [row[:6] + "....." + row[11:] if 8 <= k < 12 else row for k, row in enumerate(random_rows(20, "..BYRG", seed=41))]
    image, pose = drawn(rows)
    for row, col in ((9, 7), (9, 8), (10, 8)):
        x, y = 72 + col * 24, 72 + row * 24
        cv2.rectangle(image, (x, y), (x + 23, y + 23), (165, 180, 178), -1)
    seen = classify_cells(image, pose)
    things = [finding.cells for finding in find(seen, seen.grid()) if finding.kind == "unknown_object"]
    assert things == [frozenset({(9, 7), (9, 8), (10, 8)})]
