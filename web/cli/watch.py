"""`watch`: referee a whole game from a camera, a video, a stream or a folder of pictures."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import click

from web.cli.calibrate import calibrations
from web.cli.games import new_game, resumed_game, until_stopped, watch_game
from web.cli.options import COLORS, Keeping, Serving, game_options, json_option, keeping_options, page_options
from web.cli.output import Printer
from web.cli.program import SIGNALLED, Misuse
from web.cli.serving import page
from web.cli.stopping import Stoppable

if TYPE_CHECKING:
    from referee.options import GameOptions
    from vision.phone import PhoneSource
    from web.live import LiveGame


@click.command(short_help="Referee a game from a camera, video or folder of pictures.")
@click.argument("source")
@json_option
@click.option("--stills", is_flag=True, help="Each picture of the folder is one moment; do not wait for stillness.")
@click.option("--start-anywhere", is_flag=True, help="The first clear picture is the position already reached.")
@click.option("--next", "next_color", type=click.Choice(COLORS), metavar="COLOR", help="With --start-anywhere: whose turn it is.")
@click.option("--no-web", is_flag=True, help="Serve no page.")
@keeping_options
@page_options
@game_options
@click.pass_context
def watch(
    ctx: click.Context,
    source: str,
    *,
    as_json: bool,
    stills: bool,
    start_anywhere: bool,
    next_color: str | None,
    no_web: bool,
    keep: Keeping,
    serving: Serving,
    game: GameOptions,
) -> None:
    """Referee the game that SOURCE shows: a camera's number or name, `phone`, a video file, a stream's URL or a folder of pictures.

    Files and folders are read as fast as possible, always as a new game. A camera goes on with the unfinished game of --db.

    \b
    blokus-referee watch 0
    blokus-referee watch phone --lan --https
    blokus-referee watch game.mp4 --scoring advanced
    blokus-referee watch pictures/ --stills --json --no-web
    """
    if next_color is not None and next_color not in game.rules.colors:
        raise click.UsageError(f"--next {next_color}: {game.variant} is played with {', '.join(game.rules.colors)}")
    from vision.colourless import Coloured
    from vision.phone import PHONE
    from vision.sources import open_source
    from vision.viewfinder import Viewfinder
    from web.camera_desk import CameraDesk
    from web.following import Following

    printer = Printer(as_json=as_json)
    phone = _phone(no_web=no_web, stills=stills) if source == PHONE else None
    if phone:
        viewfinder = Viewfinder(Coloured(phone), "the phone")  # the bare word may be part of a camera's name
    else:
        opening = functools.partial(open_source, warn=printer.note)
        viewfinder = Viewfinder(opening(source, stills=stills), source, opening)
    opened = Stoppable(viewfinder)
    with ExitStack() as stack:
        stack.callback(opened.close)
        live = resumed_game(keep, game, printer) if opened.live else new_game(keep, game)
        stack.callback(live.close)
        resumed = bool(live.table.events)
        live.pausable = viewfinder
        desk = CameraDesk(calibrations(), lambda: live.table.options.rules, viewfinder, warn=printer.note)
        if not no_web:
            stack.enter_context(page(live, printer, serving, keep, phone, desk))
        if not as_json and sys.stdout.isatty():
            stack.enter_context(_on_screen(printer, live))
        how = Following(start_anywhere, next_color, live=opened.live, resumed=resumed, progress=printer.progress)
        with until_stopped() if opened.live else opened.listening():
            watch_game(opened, live, printer, how, stills=stills, desk=desk)
    if opened.stopped_by is not None:
        printer.note("Stopped.")
        ctx.exit(SIGNALLED + opened.stopped_by)


def _phone(*, no_web: bool, stills: bool) -> PhoneSource:
    """The source that takes what a phone's page sends."""
    from vision.phone import PhoneSource

    if no_web:
        raise Misuse("watch phone takes its pictures from a page on the phone: leave --no-web out")
    if stills:
        raise Misuse("--stills wants a folder of pictures; photos that a phone's page sends one by one are told by themselves")
    return PhoneSource()


@contextmanager
def _on_screen(printer: Printer, live: LiveGame) -> Iterator[None]:
    """Show the game at the terminal while the block runs, where the terminal can do that."""
    from web.cli.screen import Screen

    if not Screen.is_possible():
        yield
        return
    screen = Screen(live.table.state())
    stop = live.listen(lambda event: None if event["event"] in ("state", "board") else screen.show(live.table.state()))
    try:
        with screen:
            printer.screen = screen
            yield
    finally:
        printer.screen = None
        stop()
