"""`calibrate`: keep where a camera sees the board, and its lens, so that `watch` begins there."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from vision.given_corners import Corners
from web.cli.check import lines
from web.cli.corners import corners_option
from web.cli.options import data_folder, json_option, variant_option
from web.cli.output import Printer
from web.cli.program import Misuse, Refusal

if TYPE_CHECKING:
    from calibration.store import Calibration, Store
    from vision.calibrating import Calibrated


def calibrations() -> Store:
    """The calibrations of this user."""
    from calibration.store import Store

    return Store(data_folder() / "cameras")


@click.command(short_help="Keep where a camera sees the board.")
@click.argument("source", required=False)
@variant_option
@corners_option
@click.option("--seconds", type=click.FloatRange(1, 600), default=5.0, show_default=True, help="How long the camera is looked at.")
@click.option("--list", "is_list", is_flag=True, help="Name the cameras whose calibration is kept.")
@click.option("--forget", metavar="CAMERA", help="Remove the calibration of a camera, as --list names it.")
@json_option
def calibrate(
    source: str | None, *, variant: str, corners: Corners | None, seconds: float, is_list: bool, forget: str | None, as_json: bool
) -> None:
    """Find the board in the pictures of SOURCE, a camera or a stream, and keep its corners and the lens under the camera's name.

    `watch` then tries that place first. It is checked against the picture each time: when the camera or the board has moved, the whole
    picture is searched as ever. A camera with fixed focus and place gains a quicker start; with --corners also a board that is not found.

    \b
    blokus-referee calibrate 0
    blokus-referee calibrate 0 --corners "212,95 1071,88 1210,930 70,941"
    blokus-referee calibrate --list
    """
    printer, store = Printer(as_json=as_json), calibrations()
    if sum((source is not None, is_list, forget is not None)) != 1:
        raise Misuse("give a camera to calibrate, or --list, or --forget CAMERA: `blokus-referee calibrate --help` says more")
    if is_list:
        kept = store.all()
        if not kept:
            printer.note("No calibration is kept yet.")
        for one in kept:
            printer.result(json.dumps(asdict(one)) if as_json else _described(one))
    elif forget is not None:
        if not store.forget(forget):
            raise Refusal(f"no calibration is kept for {forget}: `blokus-referee calibrate --list` names those there are")
        printer.note(f"Forgotten: {forget}")
    elif source is not None:
        _calibrate(source, variant, corners, seconds, printer, store)


def _calibrate(source: str, variant: str, corners: Corners | None, seconds: float, printer: Printer, store: Store) -> None:
    from referee.variants import get_variant
    from vision.calibrating import calibrate as measure
    from vision.check import will_do
    from vision.survey import SurveySettings

    rules = get_variant(variant)
    done = measure(
        source, size=rules.size, colors=rules.colors, corners=corners, settings=SurveySettings(live_s=seconds), warn=printer.note
    )
    if not will_do(done.checks):
        worst = next(one for one in done.checks if one.level == "bad")
        raise Refusal(f"nothing is kept, for it will not do: {worst.message}; {worst.advice}")
    file = store.save(done.calibration)
    if printer.as_json:
        measured = {"pictures": done.pictures, "spread_px": round(done.spread_px, 2), "view_deg": round(done.view_deg, 1)}
        printer.result(
            json.dumps({**asdict(done.calibration), **measured, "file": str(file), "checks": [one.as_json() for one in done.checks]})
        )
        return
    for line in lines([one for one in done.checks if one.level != "ok" or one.name == "colours"]):
        printer.result(line)
    printer.result(_summary(done))
    printer.result(f"Kept in {file}")


def _summary(done: Calibrated) -> str:
    kept = done.calibration
    return (
        f"{_described(kept)}; corners within {done.spread_px:.1f} px in {done.pictures} pictures, "
        f"view {done.view_deg:.0f} degrees wide, lens bend {kept.k1:+.3f}"
    )


def _described(kept: Calibration) -> str:
    width, height = kept.image_wh
    hand = ", corners given by hand" if kept.by_hand else ""
    return f"{kept.camera}: a board of {kept.size} x {kept.size} in pictures of {width} x {height}{hand}"
