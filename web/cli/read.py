"""`read`: what lies on the board of one photograph."""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.cli.options import json_option, variant_option
from web.cli.program import NOTHING_READ, Refusal, as_refusal, one_line
from web.cli.read_text import describe

if TYPE_CHECKING:
    from vision.read import Reading

Corners = tuple[tuple[float, float], ...]
"""Four points (x, y) in pixels: top left, top right, bottom right, bottom left of the grid."""


LEAST_SIDE_PX = 60
"""Least side between `--corners`: 3 pixels a cell, of which one is groove; below that every cell looks like its neighbour."""


class CornersParam(click.ParamType[Corners]):
    """Four points in one text, clockwise."""

    name = "corners"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Corners:
        """The points; refused when there are not four, or when they run the wrong way round."""
        if isinstance(value, tuple):
            return value
        points = re.findall(r"(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)", value)
        rest = re.sub(r"(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)", "", value).strip()
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


@click.command(short_help="Read the board in a photograph.")
@click.argument("images", metavar="IMAGE...", nargs=-1, required=True, type=click.Path(path_type=Path, readable=False))
@variant_option
@click.option(
    "--corners",
    type=CornersParam(),
    metavar='"x,y x,y x,y x,y"',
    help="Outer corners of the grid in pixels, clockwise from the top left, when it is not found.",
)
@json_option
@click.option("--overlay", metavar="FILE.png", type=click.Path(path_type=Path, dir_okay=False), help="Draw what was read over the picture.")
@click.pass_context
def read(
    ctx: click.Context, images: tuple[Path, ...], *, variant: str, corners: Corners | None, as_json: bool, overlay: Path | None
) -> None:
    """Read the board in each IMAGE (or each picture of a folder): its pieces, what breaks the rules, what is left to play.

    One photograph has no history: it proves some fouls, and cannot tell the order of play.

    \b
    blokus-referee read table.jpg
    blokus-referee read table.jpg --json --overlay seen.png
    """
    pictures = list(_pictures(images))
    if overlay is not None and len(pictures) != 1:
        raise click.UsageError(f"--overlay draws over one picture, and {len(pictures)} were given")
    good = [_read_one(path, variant, corners, overlay, as_json=as_json) for path in pictures]
    if not any(good):
        ctx.exit(NOTHING_READ)


def _pictures(images: Sequence[Path]) -> Iterator[Path]:
    """The pictures named, folders replaced by what they hold; an empty folder stays, to be refused in its turn."""
    from vision.recordings import PICTURE_SUFFIXES, name_order

    for path in images:
        if path.is_dir():
            yield from sorted((p for p in path.iterdir() if p.suffix.lower() in PICTURE_SUFFIXES), key=name_order) or [path]
        else:
            yield path


def _read_one(path: Path, variant: str, corners: Corners | None, overlay: Path | None, *, as_json: bool) -> bool:
    """Read, print and perhaps draw one picture; False when it could not be read, which is then said."""
    try:
        found = _reading(path, variant, corners, overlay)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one picture must not keep the others from being read
        refusal = as_refusal(error) if not isinstance(error, Refusal) else error
        message = refusal.message if one_line(str(path)) in refusal.message else one_line(f"{path}: {refusal.message}")
        if as_json:
            click.echo(json.dumps({"image": str(path), "error": message}))
        click.echo(f"blokus-referee: {message}", err=True)
        return False
    click.echo(json.dumps(found) if as_json else describe(found))
    return True


def _reading(path: Path, variant: str, corners: Corners | None, overlay: Path | None) -> dict[str, Any]:
    """The contract's object for one picture."""
    from vision.pictures import read_picture
    from vision.read import read_board

    if path.is_dir():
        raise Refusal(f"{path}: no pictures in this folder; JPEG or PNG files are wanted")
    begun_s = time.perf_counter()
    image_bgr = read_picture(path)
    decode_ms = round((time.perf_counter() - begun_s) * 1000, 1)
    if corners is not None:
        _check_inside(corners, image_bgr.shape[1], image_bgr.shape[0])
    reading = read_board(image_bgr, variant=variant, corners=corners)
    if overlay is not None:
        _draw(image_bgr, reading, overlay)
    found = reading.as_json(str(path))
    found["timing_ms"] = {**found.get("timing_ms", {}), "decode": decode_ms}
    return found


def _check_inside(corners: Corners, width: int, height: int) -> None:
    """Refuse corners that cannot be meant for a picture of this size: far outside it, or nearer together than cells can be told apart."""
    if any(not (-width <= x <= 2 * width and -height <= y <= 2 * height) for x, y in corners):
        raise Refusal(f"--corners lie far outside this picture of {width}x{height} pixels")
    if min(math.dist(corners[i - 1], corners[i]) for i in range(4)) < LEAST_SIDE_PX:
        raise Refusal(f"--corners are too near together: a board's side needs at least {LEAST_SIDE_PX} pixels, better 400")


def _draw(image_bgr: Any, reading: Reading, overlay: Path) -> None:
    from vision.overlay import draw
    from vision.pictures import write_png

    picture = draw(image_bgr, reading.pose, reading.grid, findings=reading.findings, violations=reading.violations)
    try:
        write_png(overlay, picture)
    except OSError as error:
        raise Refusal(f"--overlay {overlay}: cannot be written ({error.strerror or error})") from error
