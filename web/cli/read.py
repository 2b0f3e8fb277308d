"""`read`: what lies on the board of one photograph."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from vision.given_corners import Corners
from web.cli.corners import corners_option
from web.cli.options import json_option, variant_option
from web.cli.output import Printer
from web.cli.program import NOTHING_READ
from web.cli.read_text import describe
from web.cli.reading import Order, Outcome, read_all, usual_jobs


class PictureName(click.Path):
    """The name of a picture or folder. An empty one, as of an unset variable, is none: it would mean the folder one is in."""

    def convert(self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse an empty name."""
        if not str(value).strip():
            self.fail("the name is empty; name a picture or a folder", param, ctx)
        return super().convert(value, param, ctx)


@click.command(short_help="Read the board in a photograph.")
@click.argument("images", metavar="IMAGE...", nargs=-1, required=True, type=PictureName(path_type=Path, readable=False))
@variant_option
@corners_option
@json_option
@click.option("--overlay", metavar="FILE.png", type=click.Path(path_type=Path, dir_okay=False), help="Draw what was read over the picture.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    metavar="N",
    help="Pictures read at the same time [default: one a processor, when there are many].",
)
@click.pass_context
def read(
    ctx: click.Context,
    images: tuple[Path, ...],
    *,
    variant: str,
    corners: Corners | None,
    as_json: bool,
    overlay: Path | None,
    jobs: int | None,
) -> None:
    """Read the board in each IMAGE (or each picture of a folder): its pieces, what breaks the rules, what is left to play.

    One photograph has no history: it proves some fouls, and cannot tell the order of play.

    \b
    blokus-referee read table.jpg
    blokus-referee read table.jpg --json --overlay seen.png
    blokus-referee read pictures/ --json --jobs 4
    """
    pictures = list(_pictures(images))
    if overlay is not None and len(pictures) != 1:
        raise click.UsageError(f"--overlay draws over one picture, and {len(pictures)} were given")
    if overlay is not None and overlay.suffix.lower() != ".png" and overlay not in pictures:
        raise click.UsageError(f"--overlay {overlay}: only PNG files are drawn; end the name in .png")
    printer, good = Printer(as_json=as_json), 0
    if len(pictures) > 1:
        printer.progress(0, len(pictures))
    for done, outcome in enumerate(read_all(pictures, Order(variant, corners, overlay), jobs or usual_jobs(len(pictures))), 1):
        _tell(outcome, printer)
        good += outcome.found is not None
        if len(pictures) > 1:
            printer.progress(done, len(pictures))
    printer.end_progress()
    if not good:
        ctx.exit(NOTHING_READ)


def _tell(outcome: Outcome, printer: Printer) -> None:
    """Print what one picture shows, or why it could not be read."""
    if outcome.found is not None:
        printer.result(json.dumps(outcome.found) if printer.as_json else describe(outcome.found))
        return
    if printer.as_json:
        printer.result(json.dumps({"image": str(outcome.path), "error": outcome.error}))
    printer.note(f"blokus-referee: {outcome.error}")


def _pictures(images: Sequence[Path]) -> Iterator[Path]:
    """The pictures named, folders replaced by what they hold; an empty folder stays, to be refused in its turn."""
    from vision.recordings import listed_files

    for path in images:
        if path.is_dir():
            yield from listed_files(path) or [path]
        else:
            yield path
