"""A game on a page with many spectators: how soon they see what happens, what they cost, and how the page comes back after a kill."""

from __future__ import annotations

import json
import os
import signal
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Browser, expect

from referee.journal import Journal
from referee.options import GameOptions
from tests.cli.programs import first_line
from tests.referee.corpus import ReferenceGame
from tests.soak.kills import ROOT
from tests.soak.readers import ALL_LISTEN
from web.live import LiveGame

PLY_S = 0.5
"""Seconds between two placements: a turn takes people half a minute."""

WAIT_MS = 120_000


@dataclass(frozen=True)
class Played:
    """A game as spectators had it, all times in seconds from the moment the placement was sent to the server.

    Attributes:
        heard_s, shown_s: for each reader and placement, until its event came and until the changed part of the page had.
        decided_s: until the ruling was back, for each placement.
        memory: bytes held by the server, after each placement.
        missed: placements that readers had not been shown in the end, over all of them.
    """

    heard_s: list[float]
    shown_s: list[float]
    decided_s: list[float]
    memory: list[int]
    missed: int

    @property
    def growth(self) -> float:
        """The last third's memory against the second's, 0.01: one hundredth more; by then every cache has its bound, as in `hours`."""
        third = len(self.memory) // 3
        return median(self.memory[-third:]) / median(self.memory[third:-third]) - 1

    @property
    def warmed_up(self) -> float:
        """The same against the first third's, in which readers come and caches fill."""
        third = len(self.memory) // 3
        return median(self.memory[-third:]) / median(self.memory[:third]) - 1


@dataclass
class Served:
    """The program, serving a page in a process of its own."""

    process: subprocess.Popen[str]
    url: str

    def decide(self, **decision: object) -> None:
        """Carry out a decision."""
        body = json.dumps(decision).encode()
        asked = urllib.request.Request(f"{self.url}api/decisions", data=body, headers={"Content-Type": "application/json"})
        context = ssl._create_unverified_context() if self.url.startswith("https") else None
        with urllib.request.urlopen(asked, timeout=60, context=context) as answer:
            answer.read()

    def memory(self) -> int:
        """Bytes that it holds just now."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def served(folder: Path, *options: str, port: str = "0") -> Iterator[Served]:
    """The program over a database in a folder, which is its home too; killed at the end."""
    command = [sys.executable, "-m", "web.cli", "serve", "--db", str(folder / "games.db"), "--port", port, *options]
    home = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with subprocess.Popen(command, cwd=ROOT, env=home, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Served(process, first_line(process))
        finally:
            process.kill()


def play(program: Served, games: list[ReferenceGame], readers: int) -> Played:
    """Play games, one placement after the other, before so many spectators."""
    sent_s: list[float] = []
    decided_s, memory = [], []
    with ExitStack() as stack:
        watching = stack.enter_context(spectators(program.url, readers)) if readers else None
        for game in games:
            program.decide(decision="new_game", variant=game.variant)
            for ply in game.plies:
                time.sleep(PLY_S)
                sent_s.append(time.monotonic())
                program.decide(decision="place", color=ply.color, cells=[list(cell) for cell in sorted(ply.cells)])
                decided_s.append(time.monotonic() - sent_s[-1])
                memory.append(program.memory())
        if watching is None:
            return Played([], [], decided_s, memory, 0)
        time.sleep(2.0)
        answer, _ = watching.communicate(timeout=60)
    broken, told_to = json.loads(answer)
    assert broken == [], f"readers broke off: {broken}"
    heard = [at_s - begun_s for heard_s, _ in told_to for at_s, begun_s in zip(heard_s, sent_s, strict=False)]
    shown = [at_s - begun_s for _, shown_s in told_to for at_s, begun_s in zip(shown_s, sent_s, strict=False)]
    return Played(heard, shown, decided_s, memory, len(sent_s) * readers - len(shown))


@contextmanager
def spectators(url: str, number: int) -> Iterator[subprocess.Popen[str]]:
    """So many readers in a process of their own, all of them listening."""
    command = [sys.executable, "-m", "tests.soak.readers", url, str(number)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert first_line(process) == ALL_LISTEN
            yield process
        finally:
            process.kill()


def back_after_kill(browser: Browser, folder: Path) -> tuple[float, float]:
    """Kill the program with its page open, put another piece down meanwhile, start it again.

    Gives the seconds from the kill until the page shows the piece, and from the moment at which the program answers again.
    """
    page = browser.new_page()
    page.set_default_timeout(WAIT_MS)
    with served(folder) as program:
        program.decide(decision="new_game", variant="duo")
        page.goto(program.url)
        program.decide(decision="place", color="purple", cells=[[4, 4]])
        expect(page.locator("#board [data-turn='1']")).to_be_visible(timeout=WAIT_MS)
        port = program.url.rstrip("/").rpartition(":")[2]
        killed_s = time.monotonic()
        program.process.send_signal(signal.SIGKILL)
        program.process.wait()
    live = LiveGame.open(Journal(str(folder / "games.db")), GameOptions())
    live.decide({"decision": "place", "color": "orange", "cells": [[9, 9]]})
    live.close()
    with served(folder, port=port):
        answers_s = time.monotonic()
        expect(page.locator("#board [data-turn='2']")).to_be_visible(timeout=WAIT_MS)
        back_s = time.monotonic()
    page.context.close()
    return back_s - killed_s, back_s - answers_s


def spread(values_s: list[float]) -> str:
    """Median, 95 % and most, in milliseconds."""
    return f"{median(values_s) * 1000:.0f}; {quantiles(values_s, n=20)[-1] * 1000:.0f}; {max(values_s) * 1000:.0f} ms"
