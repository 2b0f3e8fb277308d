"""Corners of the board on the command line: the option `--corners`."""

from __future__ import annotations

import re
from typing import Any

import click

from vision.given_corners import Corners, CornersError, check_corners, corners_in_order
from web.cli.program import Refusal

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
        try:
            return corners_in_order([(float(x), float(y)) for x, y in points])
        except CornersError as error:
            self.fail(str(error), param, ctx)


corners_option = click.option(
    "--corners",
    type=CornersParam(),
    metavar='"x,y x,y x,y x,y"',
    help="Outer corners of the grid in pixels, clockwise from the top left, when it is not found.",
)


def check_inside(corners: Corners, width: int, height: int) -> None:
    """Refuse corners that cannot be meant for a picture of this size: far outside it, or nearer together than cells can be told apart."""
    try:
        check_corners(corners, (width, height))
    except CornersError as error:
        raise Refusal(f"--corners: {error}") from error
