"""Corners of the board that people give by hand, in an option or on the page: what can be wrong with them, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence

Corners = tuple[tuple[float, float], ...]
"""Four points (x, y) in pixels: top left, top right, bottom right, bottom left of the grid."""

LEAST_SIDE_PX = 60
"""Least side between corners: 3 pixels a cell, of which one is groove; below that every cell looks like its neighbour."""


class CornersError(ValueError):
    """These points cannot be the corners of a board; the message says why, in one line."""


def corners_in_order(points: Sequence[Sequence[float]]) -> Corners:
    """Four points as corners.

    Args:
        points: (4, 2) px.

    Raises:
        CornersError: there are not four, they are no numbers, or they do not run clockwise round a convex area. Endless ones pass:
            `check_corners` refuses them with all that are far outside the picture.
    """
    corners = tuple((float(point[0]), float(point[1])) for point in points if len(point) == 2)
    if len(corners) != 4 or len(points) != 4 or any(math.isnan(value) for point in corners for value in point):
        raise CornersError("four points of two numbers are wanted: top left, top right, bottom right, bottom left of the grid")
    turns = [_turn(corners[i - 1], corners[i], corners[(i + 1) % 4]) for i in range(4)]
    if all(turn < 0 for turn in turns):
        raise CornersError(
            "the points run counter-clockwise, as in a mirror; give top left, top right, bottom right, bottom left of the grid"
        )
    if any(turn <= 0 for turn in turns):
        raise CornersError("the points are not the corners of a board: they must go round it without crossing")
    return corners


def _turn(before: tuple[float, float], at: tuple[float, float], after: tuple[float, float]) -> float:
    """Positive for a right turn on the screen, where y runs down."""
    return (at[0] - before[0]) * (after[1] - at[1]) - (at[1] - before[1]) * (after[0] - at[0])


def check_corners(corners: Corners, image_wh: tuple[int, int], *, beyond: float = 1.0) -> None:
    """Refuse corners that cannot be meant for a picture of this size.

    Args:
        corners: in px.
        image_wh: width and height of the picture in px.
        beyond: how far outside it they may lie, in widths and heights of the picture.

    Raises:
        CornersError: they lie farther outside, or nearer together than cells can be told apart.
    """
    width, height = image_wh
    if any(not (-beyond * width <= x <= (1 + beyond) * width and -beyond * height <= y <= (1 + beyond) * height) for x, y in corners):
        raise CornersError(f"the corners lie {'far ' if beyond else ''}outside this picture of {width}x{height} pixels")
    if min(math.dist(corners[i - 1], corners[i]) for i in range(4)) < LEAST_SIDE_PX:
        raise CornersError(f"the corners are too near together: a board's side needs at least {LEAST_SIDE_PX} pixels, better 400")
