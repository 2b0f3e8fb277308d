"""The command line: the one place where the rules, the eyes and the page are put together.

Each command is a module of its own. They import their machinery when they run, so that `--help` and completion answer at once.
"""

from __future__ import annotations

import os

import click

from web.cli.calibrate import calibrate
from web.cli.check import check
from web.cli.circuit import circuit
from web.cli.completion import completion
from web.cli.decide import decide
from web.cli.demo import demo
from web.cli.export import export
from web.cli.program import Program, prepare_interrupts, prepare_streams
from web.cli.puzzle import puzzle
from web.cli.read import read
from web.cli.replay import replay
from web.cli.score import score
from web.cli.serve import serve
from web.cli.watch import watch

EPILOG = "Exit status: 0 done; 2 wrong usage; 3 nothing could be read. Start with `blokus-referee demo`."


@click.group(cls=Program, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="blokus-referee", prog_name="blokus-referee", message="%(prog)s %(version)s")
def main() -> None:
    """A referee for Blokus on a real board.

    A camera watches the board; the program sees every piece that is placed, rules on it, names the rule and the squares
    when it breaks one, and keeps the score.
    """
    # The matrices here are small: a second BLAS thread costs more time in handing over than it saves. Read when numpy loads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    prepare_interrupts()
    prepare_streams()


for command in (read, watch, check, calibrate, replay, score, circuit, export, serve, demo, puzzle, decide, completion):
    main.add_command(command)
