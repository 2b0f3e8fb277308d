"""The program as a whole: what every command shares when something goes wrong."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
import traceback
from io import TextIOWrapper
from typing import IO, Any

import click

NOTHING_READ = 3
SIGNALLED = 128
"""Shells count the exit status after a signal from here."""

STOPPED = SIGNALLED + signal.SIGINT
"""Exit status after Ctrl-C where it cut something short."""

DEBUG_VARIABLE = "BLOKUS_REFEREE_DEBUG"
"""When set, an unexpected error shows where it happened."""


def one_line(text: str) -> str:
    """The text without line breaks and control characters: names of files may hold both, and sequences that a terminal obeys."""
    joined = " ".join(text.split())
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in joined)


class Refusal(click.ClickException):
    """The end of a command in one clear line on standard error: nothing could be read."""

    exit_code = NOTHING_READ

    def __init__(self, message: str) -> None:
        """`message` says what was tried and what to do; it becomes one printable line."""
        super().__init__(one_line(message))

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the line."""
        click.echo(f"blokus-referee: {self.message}", file=file, err=file is None)


class Misuse(Refusal):
    """The same for wrong usage, where click's own errors would add the usage lines."""

    exit_code = 2


class Unexpected(Refusal):
    """The same for a fault of the program itself."""

    exit_code = 1


class Program(click.Group):
    """A group whose commands never end in a traceback."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the command line; the program's own help and version are printed here already, and that may fail."""
        try:
            return super().make_context(*args, **kwargs)
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise  # click ends quietly
            raise as_refusal(error) from error

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; known errors become a `Refusal`, Ctrl-C a quiet end."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt:
            click.echo("Stopped.", err=True)
            ctx.exit(STOPPED)
        except Exception as error:
            if isinstance(error, OSError) and error.errno == errno.EPIPE:
                _forget_output()
                ctx.exit(0)
            if os.environ.get(DEBUG_VARIABLE):
                traceback.print_exc()
            raise as_refusal(error) from error


def as_refusal(error: Exception) -> Refusal:
    """The line and exit status for an error that a command let through.

    The errors' own modules are imported here, not above: they bring OpenCV and the database along.
    """
    from referee.errors import OptionsError, UnknownNameError
    from referee.table import DecisionError
    from vision.frames import SourceError

    if isinstance(error, OptionsError | UnknownNameError | DecisionError):
        return Misuse(str(error))
    if isinstance(error, SourceError | click.FileError) or type(error).__module__.partition(".")[0] in OWN_PACKAGES:
        return Refusal(str(error))
    if isinstance(error, OSError):
        named = f"{error.filename}: " if error.filename else ""
        advice = "; not all of it could be written: make room, or send it elsewhere" if error.errno in _FULL else ""
        return Refusal(f"{named}{error.strerror or error}{advice}")
    return Unexpected(f"unexpected {type(error).__name__}: {error} (set {DEBUG_VARIABLE}=1 to see where)")


def refusal_about(name: str, error: Exception) -> Refusal:
    """The same with a line that names the file or database it is about; a journal's errors name it themselves."""
    from referee.errors import JournalError

    refusal = error if isinstance(error, Refusal) else as_refusal(error)
    is_named = isinstance(error, JournalError) or one_line(called(name)) in refusal.message
    return refusal if is_named else type(refusal)(f"{called(name)}: {refusal.message}")


def called(name: str) -> str:
    """What a file or a database is called when it is printed: a URL without user name, password and query."""
    rest = name.partition("://")[2]
    if not rest:
        return name
    if rest.startswith("/"):  # a file's: no server, and so nobody's name
        return name.partition("?")[0]
    from vision.http_camera import without_secrets

    return without_secrets(name)


_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors of a place that takes no more."""

OWN_PACKAGES = ("calibration", "referee", "vision", "web")
"""Errors defined in these say in one line what was tried and what to do."""


def prepare_interrupts() -> None:
    """Let Ctrl-C be an exception from here on, which commands end by; `web.start` leaves it to the system until now."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)


def prepare_streams() -> None:
    """Let only this program speak on its standard streams, and let it say everything.

    OpenCV's decoders write lines of their own to the process's standard error, past Python; those go nowhere unless debugging. A character
    that the terminal's encoding lacks is spelled out instead of ending the program.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if sys.stderr is sys.__stderr__ and sys.stderr is not None and not os.environ.get(DEBUG_VARIABLE):
        try:
            _take_stderr(sys.stderr.fileno())
        except OSError:
            return  # closed by whoever started the program: nothing can be said there anyway


def _take_stderr(number: int) -> None:
    """Keep standard error for Python alone; what libraries write to its number goes nowhere."""
    own, nowhere = os.dup(number), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)
    sys.stderr = os.fdopen(own, "w", buffering=1, encoding=sys.stderr.encoding, errors="backslashreplace")


def _forget_output() -> None:
    """Point standard output nowhere after its reader left (`| head`), or the interpreter complains at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
