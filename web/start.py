"""Where the installed command begins: Ctrl-C ends it quietly even while its parts are still being loaded.

Nothing heavy is imported here. Python would show a traceback for a Ctrl-C during imports; until the command line is up, the system's own
way of ending a program is better. The command line then takes over (`web.cli.program.prepare_interrupts`).
"""

from __future__ import annotations

import signal

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # programs in the background have it ignored, and keep that
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def main() -> None:
    """Load and run the command line."""
    from web.cli import main as command_line

    command_line(prog_name="blokus-referee")
