"""Corners of the board on the command line: the option `--corners`, and what can be wrong with the points it gives."""

from __future__ import annotations

import math
import re
from typing import Any

import click

from web.cli.program import Refusal

Corners = tuple[tuple[float, float], ...]
"""Four points (x, y) in pixels: top left, top right, bottom right, bottom left of the grid."""

LEAST_SIDE_PX = 60
"""Least side between `--corners`: 3 pixels a cell, of which one is groove; below that every cell looks like its neighbour."""

_POINT = re.compile(r"(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)")


class CornersParam(click.ParamType[Corners]):
    """Four points in one text, clockwise."""

    name = "corners"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Corners:
        """The points; refused when there are not four, or when they run the wrong way round."""
        if isinstance(value, tuple):
            return value
        points, rest = _POINT.findall(value), _POINT.sub("", value).strip()
        if len(points) != 4 or rest:
            self.fail(
                'four points are wanted, like "10,20 500,25 510,480 5,470": top left, top right, bottom right, bottom left', param, ctx
            )
        corners = tuple((float(x), float(y)) for x, y in points)
        turns = [_turn(corners[i - 1], corners[i], corners[(i + 1) % 4]) for i in range(4)]
        if all(turn < 0 for turn in turns):
            self.fail(
                "the points run counter-clockwise, as in a mirror; give top left, top right, bottom right, bottom left of the grid",
                param,
                ctx,
            )
        if any(turn <= 0 for turn in turns):
            self.fail("the points are not the corners of a board: they must go round it without crossing", param, ctx)
        return corners


def _turn(before: tuple[float, float], at: tuple[float, float], after: tuple[float, float]) -> float:
    """Positive for a right turn on the screen, where y runs down."""
    return (at[0] - before[0]) * (after[1] - at[1]) - (at[1] - before[1]) * (after[0] - at[0])


corners_option = click.option(
    "--corners",
    type=CornersParam(),
    metavar='"x,y x,y x,y x,y"',
    help="Outer corners of the grid in pixels, clockwise from the top left, when it is not found.",
)


def check_inside(corners: Corners, width: int, height: int) -> None:
    """Refuse corners that cannot be meant for a picture of this size: far outside it, or nearer together than cells can be told apart."""
    if any(not (-width <= x <= 2 * width and -height <= y <= 2 * height) for x, y in corners):
        raise Refusal(f"--corners lie far outside this picture of {width}x{height} pixels")
    if min(math.dist(corners[i - 1], corners[i]) for i in range(4)) < LEAST_SIDE_PX:
        raise Refusal(f"--corners are too near together: a board's side needs at least {LEAST_SIDE_PX} pixels, better 400")
