"""Why no board can be read in a picture: what was seen instead, in words that say what to do."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.extent import Candidate, line_contrast
from calibration.settings import LocateSettings
from calibration.views import Gray, View


def why_not(best: Candidate | None, view: View, settings: LocateSettings) -> str:
    """One sentence on a picture in which no board was accepted.

    Args:
        best: what came nearest to a board, its pose that in ``view``; None when nothing did.
        view: the picture, at any size.
        settings: numbers of the search.
    """
    brightness = float(cv2.resize(view.image_bgr, (32, 32), interpolation=cv2.INTER_AREA).mean())
    if brightness < 25:
        return f"no board seen, the picture is very dark (mean level {brightness:.0f} of 255): add light"
    if brightness > 240:
        return f"no board seen, the picture is overexposed (mean level {brightness:.0f} of 255): less light or a shorter exposure"
    if best is None or best.score < settings.least_score:
        return (
            "no grid of evenly spaced lines was seen: point the camera at the board so that it fills a good part of the picture, "
            "sharp and well lit"
        )
    seen = lattice_seen(view.gray, best)
    rows, cols = seen.rows, seen.cols
    if is_of_another_game(seen, best, settings):
        return f"a grid of {rows} x {cols} squares was seen: a board of this game has 20 x 20 or 14 x 14"
    if rows == cols != best.pose.size:
        return f"the board in the picture seems to have {rows} x {rows} squares, not {best.pose.size} x {best.pose.size}: {CHOOSE}"
    if best.pose.residual_cells > settings.most_misfit_cells or best.weakest < settings.least_weakest:
        return (
            "lines like a board's were seen, but they do not fit one grid: show the whole board with its rim, sharp, "
            "and nothing lying across its edges"
        )
    return (
        "the grid may be a cell off: what lies beside it looks like one more row of squares; show the whole rim of the board "
        "and lay nothing against it"
    )


CHOOSE = "choose the variant played on it"

BOARD_SIZES = (20, 14)
"""Squares a side of the boards that are made."""


@dataclass(frozen=True)
class Lattice:
    """The lattice on which a possible board lies.

    Attributes:
        rows, cols: its squares.
        is_whole: whether it ends within the picture on all sides.
    """

    rows: int
    cols: int
    is_whole: bool


def is_of_another_game(seen: Lattice, found: Candidate, settings: LocateSettings) -> bool:
    """Whether a lattice has as many rows as columns, and no board of this game has that many."""
    # At a slant leaning pieces and the board's near wall may pass for one more row.
    nearest = min(abs(seen.rows - size) for size in BOARD_SIZES)
    return seen.rows == seen.cols and nearest > (1 if found.pose.tilt_deg > settings.steep_deg else 0)


def lattice_seen(gray: Gray, found: Candidate) -> Lattice:
    """The lattice on which a possible board lies, counted from its middle outwards.

    Args:
        gray: (h, w) uint8.
        found: possible board in that picture.
    """
    n, beyond = found.pose.size, 12
    contrast = line_contrast(gray, found.pose, (-beyond, -beyond), (n + 2 * beyond, n + 2 * beyond))
    inner = slice(beyond + n // 4, beyond + n - n // 4)
    rows, cols = contrast[0, :, inner].mean(axis=1), contrast[1, inner].mean(axis=0)
    every = _every([contrast[0, inner, inner].mean(axis=0), contrast[1, inner, inner].mean(axis=1)])
    (top, bottom), (left, right) = _run(rows, beyond + n // 2), _run(cols, beyond + n // 2)
    ends = np.array([[x, y] for x in (left - 1, right + 1) for y in (top - 1, bottom + 1)], float) - beyond
    height, width = gray.shape
    corners = found.pose.project(ends)
    is_whole = bool(((corners >= 0) & (corners < (width, height))).all())
    return Lattice(round((bottom - top) / every), round((right - left) / every), is_whole)


def _every(lines: list[np.ndarray]) -> int:
    """How many lattice lines apart the lines of both directions really are: squares of a board of few look like four or nine each."""
    for every in (2, 3):
        shares = []
        for contrast in lines:
            means = np.sort([contrast[first::every].mean() for first in range(every)])
            shares.append(float(means[:-1].max() / max(means[-1], 1e-6)))
        if max(shares) < MISSING_LINES:
            return every
    return 1


MISSING_LINES = 0.4
"""Contrast, in units of the other lines', under which lines are missing."""


def _run(strips: np.ndarray, middle: int) -> tuple[int, int]:
    """Where the neighbouring strips around the middle one that have at least half of its usual contrast begin and end."""
    enough = strips >= 0.5 * float(np.median(strips[middle - 3 : middle + 4]))
    before = np.flatnonzero(~enough[:middle])
    after = np.flatnonzero(~enough[middle:])
    return int(before[-1] + 1 if len(before) else 0), int(middle + after[0] if len(after) else len(strips))
