"""`serve`: the page alone, for a game that people enter by hand or that another program watches later."""

from __future__ import annotations

import shlex
import threading
from typing import TYPE_CHECKING

import click

from web.cli.calibrate import calibrations
from web.cli.games import resumed_game, until_stopped
from web.cli.options import Keeping, Serving, default_db, game_options, keeping_options, page_options
from web.cli.output import Printer
from web.cli.serving import page

if TYPE_CHECKING:
    from referee.options import GameOptions


@click.command(short_help="Serve the game's page without a camera.")
@page_options
@keeping_options
@game_options
def serve(*, serving: Serving, keep: Keeping, game: GameOptions) -> None:
    """Serve the page of the game kept in --db; its address is the first line printed. Ctrl-C stops.

    A database of several tables is served whole: the page begins with the --table named, or the one that began a game last, and its
    list of tables and games leads to the others and to games of the past. Each camera runs in a `watch` of its own beside this.

    The last game goes on as it was. A new one starts on the page, or here when the last one is over and options are given.
    Pieces can be entered by hand on the page, which judges them like those a camera sees.
    """
    from web.camera_desk import CameraDesk

    printer = Printer(as_json=False)
    live = resumed_game(keep, game, printer, recordings=True)
    desk = CameraDesk(calibrations(), lambda: live.table.options.rules, command=_watching(keep), warn=printer.note)
    with until_stopped(), page(live, printer, serving, keep, desk=desk):
        threading.Event().wait()


def _watching(keep: Keeping) -> str:
    """The command that watches a camera for the game of this page, with `{camera}` in it; passwords are left out."""
    from sqlalchemy import make_url

    db = make_url(keep.db).render_as_string(hide_password=True) if "://" in keep.db else keep.db
    named = [] if db == default_db() else ["--db", db]
    named += [] if keep.table is None else ["--table", keep.table]
    return " ".join(["blokus-referee watch {camera} --no-web", *map(shlex.quote, named)])
