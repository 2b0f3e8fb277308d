"""The program as a whole: helpful help, fast, and never a traceback."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from referee.errors import JournalError, RecordError
from web.cli import main
from web.cli.program import DEBUG_VARIABLE, Misuse, Program, as_refusal, called, refusal_about

COMMANDS = sorted(main.commands)
HEAVY = ("cv2", "flask", "numpy", "sqlalchemy")


def run(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "web.cli", *args], capture_output=True, text=True, timeout=120, check=False)


def test_version_names_the_program() -> None:
    assert CliRunner().invoke(main, ["--version"]).output.startswith("blokus-referee ")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    result = CliRunner().invoke(main, [command, "--help"])
    assert result.exit_code == 0
    options = [p for p in main.commands[command].params if isinstance(p, click.Option)]
    assert all(option.help for option in options)
    assert main.commands[command].short_help


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("args", [["--help"], ["--version"], ["read", "--help"]])
def test_help_that_cannot_be_written_ends_in_one_line(args: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "web.cli", *args], stdout=full, stderr=subprocess.PIPE, text=True, timeout=120, check=False
        )
    assert done.returncode == 3
    (line,) = done.stderr.splitlines()
    assert line.startswith("blokus-referee: No space left on device")


def test_help_loads_nothing_heavy() -> None:
    code = f"import sys; from web.cli import main\ntry: main(['watch', '--help'])\nfinally: print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_an_unknown_command_is_wrong_usage() -> None:
    assert CliRunner().invoke(main, ["reed"]).exit_code == 2


def program_raising(error: BaseException) -> Program:
    @click.command()
    def fail() -> None:
        raise error

    return Program("program", commands={"fail": fail})


@pytest.mark.parametrize(
    ("error", "exit_code", "words"),
    [
        (FileNotFoundError(2, "No such file or directory", "game.mp4"), 3, "game.mp4: No such file"),
        (PermissionError(13, "Permission denied", "games.db"), 3, "games.db: Permission denied"),
        (OSError(28, "No space left on device"), 3, "make room"),
        (ZeroDivisionError("division by zero"), 1, DEBUG_VARIABLE),
        (KeyboardInterrupt(), 130, "Stopped."),
    ],
)
def test_errors_end_in_one_line_and_their_status(error: BaseException, exit_code: int, words: str) -> None:
    result = CliRunner().invoke(program_raising(error), ["fail"])
    assert (result.exit_code, result.stdout) == (exit_code, "")
    assert words in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert "Traceback" not in result.stderr


def test_an_unexpected_error_shows_its_place_when_asked(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv(DEBUG_VARIABLE, "1")
    with pytest.raises(SystemExit):
        program_raising(ZeroDivisionError("division by zero"))(["fail"])
    assert "Traceback" in capsys.readouterr().err


def test_a_message_of_several_lines_becomes_one() -> None:
    assert as_refusal(OSError(5, "cannot\n  listen")).message == "cannot listen"


def test_a_reader_that_leaves_is_no_error() -> None:
    script = f"{sys.executable} -m web.cli completion bash | true"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def test_the_console_script_is_installed() -> None:
    script = Path(sys.executable).parent / "blokus-referee"
    assert subprocess.run([script, "--version"], capture_output=True, text=True, check=True).stdout.startswith("blokus-referee ")


def test_the_module_answers_under_the_same_name() -> None:
    assert run("--help").stdout.startswith("Usage: blokus-referee ")


LOADING = """
import os, signal, sys
import web.start
class Pressed:
    def find_spec(self, name, *rest):
        if name == "click":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Pressed())
web.start.main()
"""


def test_ctrl_c_while_the_program_loads_is_a_quiet_end() -> None:
    done = subprocess.run([sys.executable, "-c", LOADING], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def test_commands_take_ctrl_c_over_when_they_run() -> None:
    code = (
        "import signal, sys, web.start\n"
        "sys.argv = ['blokus-referee', 'completion', 'bash']\n"
        "try: web.start.main()\n"
        "except SystemExit: print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.splitlines()[-1] == "True"


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("games.db", "games.db"),
        ("postgresql://me:secret@host/games?password=secret", "postgresql://host/games"),
        ("sqlite:////var/games.db?timeout=5", "sqlite:////var/games.db"),
        ("postgresql://me:secret@[host/games", "postgresql://..."),
    ],
)
def test_a_database_is_called_by_its_url_without_secrets(name: str, printed: str) -> None:
    assert called(name) == printed


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (RecordError("it holds no game"), "a.json: it holds no game"),
        (RecordError("in a.json there is no game"), "in a.json there is no game"),
        (Misuse("this is wrong"), "a.json: this is wrong"),
        (JournalError("the database holds no game"), "the database holds no game"),
    ],
)
def test_a_refusal_names_what_it_is_about_once(error: Exception, line: str) -> None:
    refusal = refusal_about("a.json", error)
    assert (refusal.message, refusal.exit_code) == (line, 2 if isinstance(error, Misuse) else 3)
