"""The view at a terminal: the board and what matters below the lines that scroll by."""

from __future__ import annotations

import io
import os
import pty
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from referee.options import GameOptions
from referee.table import Table
from web.cli.output import Printer
from web.cli.screen import Screen
from web.samples import sample_game

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


def terminal(height: int = 40, width: int = 80) -> Console:
    return Console(file=io.StringIO(), force_terminal=True, width=width, height=height, color_system="standard", _environ={})


def shown(console: Console) -> list[str]:
    """Lines written so far, without colours and cursor movements."""
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in ESCAPES.sub("", console.file.getvalue()).replace("\r", "\n").splitlines()]


@pytest.fixture
def table() -> Table:
    table = Table(GameOptions(order=("blue", "yellow", "red", "green")))
    table.start(["." * 20] * 20)
    table.decide({"decision": "place", "color": "blue", "cells": [[0, 0], [0, 1]]})
    return table


def last_view(console: Console) -> list[str]:
    """What the terminal shows after the last drawing."""
    lines = shown(console)
    start = max(k for k, line in enumerate(lines) if line.split() and line.split()[:2] == ["a", "b"])
    return lines[start:]


def test_the_board_the_turn_and_the_camera_are_shown(table: Table) -> None:
    console = terminal()
    with Screen(table.state(), console) as screen:
        screen.camera({"state": "no_board", "reason": "no grid of lines was seen"})
        screen.progress(3, 77)
        view = last_view(console)
    assert view[1] == " 20  B B" + " ." * 18
    assert any("Yellow" in line for line in view[21:])
    assert any("Blue" in line for line in view[21:])
    assert "Not watching: no board in sight: no grid of lines was seen" in view
    assert "picture 3 of 77" in view


def test_what_changes_is_drawn_anew(table: Table) -> None:
    console = terminal()
    with Screen(table.state(), console) as screen:
        table.decide({"decision": "place", "color": "yellow", "cells": [[0, 19], [1, 19]]})
        screen.show(table.state())
        assert last_view(console)[2].endswith("Y")


def test_a_dispute_stays_in_sight_while_it_is_open(table: Table) -> None:
    console = terminal()
    table.decide({"decision": "place", "color": "yellow", "cells": [[0, 19], [3, 19]]})
    state = table.state()
    assert state["disputes"]
    with Screen(state, console):
        assert any(line.startswith("! ") for line in last_view(console))


def test_a_low_terminal_gets_no_board(table: Table) -> None:
    console = terminal(height=20)
    with Screen(table.state(), console):
        assert not any("a b c d" in line for line in shown(console))
        assert any("Yellow" in line for line in shown(console))


def test_no_line_is_wider_than_the_terminal(table: Table) -> None:
    console = terminal(width=50)
    with Screen(table.state() | {"last": {"sentence": "word " * 50}}, console) as screen:
        screen.camera({"state": "lost", "reason": "no picture " * 20})
    assert max(map(len, shown(console))) <= 50


def test_lines_and_progress_go_to_the_screen(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    console, printer = terminal(), Printer(as_json=False)
    with Screen(table.state(), console) as screen:
        printer.screen = screen
        printer.event({"event": "placement", "turn": 7, "color": "red", "sentence": "Red places the W."})
        printer.event({"event": "state", "state": "dark", "reason": "add light"})
        printer.progress(1, 2)
        printer.note("a warning")
    lines = shown(console)
    assert {"  7   Red places the W.", "a warning", "picture 1 of 2"} <= set(lines)
    assert any("too dark" in line for line in lines)
    assert capsys.readouterr() == ("", "")


def typed(*args: str) -> Iterator[bytes]:
    """What the real program writes to a terminal."""
    process, terminal_file = pty.fork()
    if process == 0:
        os.environ.update(TERM="xterm-256color", LINES="40", COLUMNS="90")
        os.execv(sys.executable, [sys.executable, "-m", "web.cli", *args])
    try:
        while data := os.read(terminal_file, 65536):
            yield data
    except OSError:  # the other end is closed
        return
    finally:
        os.close(terminal_file)
        os.waitpid(process, 0)


def test_a_game_at_a_terminal_ends_with_its_board_in_sight(tmp_path: Path) -> None:
    for path in sorted(sample_game().glob("*.jpg"))[:3]:
        shutil.copy(path, tmp_path)
    written: Any = b"".join(typed("watch", str(tmp_path), "--stills", "--no-web", "--db", ":memory:")).decode()
    lines = [line.strip() for line in ESCAPES.sub("", written).replace("\r", "\n").splitlines()]
    assert "a b c d e f g h i j k l m n o p q r s t" in lines
    assert any(line.startswith("The game is not over") for line in lines)
    assert "\x1b[?25h" in written, "the cursor is there again"
