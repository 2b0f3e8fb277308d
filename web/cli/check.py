"""`check`: whether camera, light and place will do, and what to change."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from web.cli.options import json_option, variant_option
from web.cli.output import Printer
from web.cli.program import NOTHING_READ

if TYPE_CHECKING:
    from vision.check import Check

_STYLES: dict[str, dict[str, Any]] = {"ok": {"fg": "green"}, "warn": {"fg": "yellow"}, "bad": {"fg": "red", "bold": True}}


@click.command(short_help="Try whether camera, light and place will do.")
@click.argument("source")
@variant_option
@click.option("--seconds", type=click.FloatRange(1, 600), default=5.0, show_default=True, help="How long a camera is looked at.")
@json_option
@click.pass_context
def check(ctx: click.Context, source: str, *, variant: str, seconds: float, as_json: bool) -> None:
    """Look at SOURCE for some seconds and say what is well, what could be better, and what to change.

    SOURCE is what `watch` takes: a camera's number or name, a stream's URL, a film, a folder of pictures; or one picture.
    Best with the board as it will lie, nobody's hands over it, and one piece of each colour on it.

    \b
    blokus-referee check 0
    blokus-referee check http://192.168.1.20:8080/video --json
    """
    from referee.variants import get_variant
    from vision.check import check_setup, will_do
    from vision.survey import SurveySettings, survey_source

    printer, rules = Printer(as_json=as_json), get_variant(variant)
    if sys.stderr.isatty():
        printer.note("Looking ...")
    seen = survey_source(source, size=rules.size, warn=printer.note, settings=SurveySettings(live_s=seconds))
    found = check_setup(seen, rules.colors)
    good = will_do(found)
    if as_json:
        pose = seen.pose
        corners = None if pose is None else [[round(float(v), 2) for v in xy] for xy in pose.corners_px]
        board = None if pose is None else {"rows": pose.size, "cols": pose.size, "corners_px": corners}
        whole = {"will_do": good, "pictures": seen.count, "board": board, "checks": [one.as_json() for one in found]}
        printer.result(json.dumps(whole))
    else:
        for line in lines(found):
            printer.result(line)
        if good:
            printer.result("It will do." if all(one.level == "ok" for one in found) else "It will do, and could be better.")
    if not good:
        worst = next(one for one in found if one.level == "bad")
        printer.note(f"blokus-referee: it will not do: {worst.message}; {worst.advice}")
        ctx.exit(NOTHING_READ)


def lines(found: list[Check]) -> list[str]:
    """The checks as people see them, one a line, with one piece of advice where something is to be changed."""
    return [
        f"{click.style(f'{one.level:<4}', **_STYLES[one.level])}  {one.name.replace('_', ' '):<11} {one.message}"
        + (f": {one.advice}" if one.advice else "")
        for one in found
    ]
