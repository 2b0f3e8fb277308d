"""When an empty look is doubted: relief, cut-off channels, and what lies around; small drawn boards."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.boards import drawn, random_rows, spot
from vision.classify import CellReading, read_cells
from vision.doubt import DoubtSettings, GlareWeights, cut_off_samples, glare_doubt, relief_match, shown_in_part, washed_share
from vision.light import flat_light
from vision.likelihood import BoardLook
from vision.palette import CellMedians, Palette
from vision.sampling import BoardSamples, Window, sample_board

ROWS = random_rows(20, "...BYRG", seed=21)


def are(letter: str) -> NDArray[np.bool_]:
    return np.array([[one == letter for one in row] for row in ROWS])


def grooves(side_px: int = 624, cell_px: int = 24) -> NDArray[np.float64]:
    """(side_px, side_px) light on a board whose cells have dark grooves around them; pieces are smooth."""
    at = (np.arange(side_px) % cell_px + 3) % cell_px < 6
    dark = (at[:, None] | at) & np.kron(np.pad(are("."), 3), np.ones((cell_px, cell_px), np.bool_))
    return np.where(dark, 0.75, 1.0)


def looked_at(light: float = 1.0, glare: NDArray[np.float64] | float = 0.0) -> tuple[CellReading, BoardSamples]:
    image, pose = drawn(ROWS, light=light * grooves(), glare=glare)
    reading = read_cells(image, pose)
    return reading, sample_board(image, pose, 6, nudge=reading.nudge)


def test_empty_cells_match_the_relief_of_the_board() -> None:
    reading, samples = looked_at()
    assert float(np.median(relief_match(samples, reading.board)[are(".")])) > 0.5


def test_a_cell_without_any_relief_matches_none() -> None:
    reading, samples = looked_at()
    flat = replace(samples, linear_bgr=np.full_like(samples.linear_bgr, 0.9))
    assert np.abs(relief_match(flat, reading.board)).max() < 0.05
    flat_board = BoardLook(0.01, np.zeros((6, 6), np.float32), np.ones((6, 6), np.float32))
    assert np.abs(relief_match(samples, flat_board)).max() < 1e-3


def doubts(reading: CellReading, samples: BoardSamples, settings: DoubtSettings | None = None) -> NDArray[np.float32]:
    none = np.zeros((20, 20), np.float32)
    here = np.full((20, 20), np.median(reading.medians.level[are(".")]), np.float32)
    washed = washed_share(reading.palette, reading.medians, here, reading.q)
    cut_off = samples.by_cell(cut_off_samples(samples)[None])[0].mean(-1)
    return glare_doubt(samples.window, relief_match(samples, reading.board), washed, reading.q, none, cut_off, settings)


def test_empty_cells_in_even_light_are_hardly_doubted() -> None:
    assert float(doubts(*looked_at())[are(".")].max()) < 1e-3


def test_blown_cells_among_washed_pieces_are_doubted() -> None:
    lit = doubts(*looked_at(light=0.45, glare=spot(624, (312, 312), 70, 260)))
    middle, corner = lit[8:11, 8:11], lit[:3, :3]
    assert float(middle.min()) > 5 * float(corner.max())


@pytest.mark.parametrize("field", ["relief", "pieces_near"])
def test_what_speaks_for_an_empty_cell_lowers_the_doubt(field: str) -> None:
    reading, samples = looked_at()
    without = DoubtSettings(GlareWeights(**{field: 0.0}))
    assert (doubts(reading, samples, without)[are(".")] >= doubts(reading, samples)[are(".")]).mean() > 0.9


@pytest.mark.parametrize(
    ("lacks", "covered", "p", "doubted"),
    [(0.0, 0.6, 0.995, True), (0.0, 1.0, 0.995, False), (0.5, 0.6, 0.995, False), (0.9, 0.6, 0.995, True), (0.0, 0.6, 0.9999, False)],
    ids=["a wall", "a piece", "a piece in glare", "a gleam", "beyond doubt"],
)
def test_a_full_colour_on_a_part_of_a_cell_is_doubted(lacks: float, covered: float, p: float, *, doubted: bool) -> None:
    ones = np.ones((14, 14), np.float32)
    q = np.stack([(1 - p) * ones, p * ones, 0 * ones])
    told = shown_in_part(lacks * ones, q, np.full((4, 6), covered, np.float32), Window(2, 3, 6, 9))
    assert told.shape == (4, 6)
    assert (told == doubted).all()


@pytest.mark.parametrize(("purity", "lacks"), [(1.0, 0.0), (0.5, 0.5), (0.1, 0.9)])
def test_what_of_its_colour_a_cell_lacks(purity: float, lacks: float) -> None:
    palette = Palette(("blue",), np.array([[0.5, 0.0]], np.float32), flat_light(np.zeros(2, np.float32)))
    v = purity * 0.5 * 6**0.5
    ratios = np.zeros((2, 14, 14), np.float32)
    ratios[0] = np.log((1 + v) / (1 - v / 2))  # the log ratio whose chroma is that much blue
    medians = CellMedians(ratios, np.full((14, 14), -0.5, np.float32), np.ones((14, 14), np.bool_))
    q = np.full((3, 14, 14), 1 / 3, np.float32)
    assert washed_share(palette, medians, medians.level, q) == pytest.approx(lacks, abs=1e-5)
