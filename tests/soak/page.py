"""Figures of the page, as rows of a table: spectators, the way back after a kill, weight and first paint."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import FLAGS
from tests.referee.corpus import ReferenceGame, games
from tests.soak.spectators import Played, back_after_kill, play, served, spread
from tests.soak.weight import NETWORKS, Weight, first_paint_s, weighed

SHOWN_GOAL_S = 0.5
MEMORY_GOAL = 0.02
SLOWER_GOAL = 1.1
BACK_GOAL_S = 3.0
WEIGHT_GOAL = 150_000
PAINT_GOAL_S = 1.0
LANGUAGES = ("en", "de", "fr", "es")
PAGES = ("setup", "phone", "tables", "circuit", "practice", "puzzles", "puzzles/1", "sheet", "diagnostics", "overlay")


def page_figures(folder: Path, readers: int, watched: int) -> Iterator[str]:
    """Everything that is measured of the page; goals that are missed are named in their rows."""
    chosen = list(islice(games("classic"), watched))
    for name, options in (("http", ()), ("https", ("--https",))):
        home = folder / name
        home.mkdir()
        with served(home, *options) as program:
            alone = play(program, chosen[:1], 0)
            full = play(program, chosen, readers)
        yield from (f"| {name}, {readers} readers: {row} |" for row in spectators_rows(alone, full))
        yield f"| load of the machine meanwhile | {os.getloadavg()[0]:.1f} |"
    executable = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if executable is None:
        yield "| chromium | not installed |"
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=[*FLAGS])
        yield from in_a_browser(browser, folder, chosen[0])
        browser.close()


def spectators_rows(alone: Played, full: Played) -> Iterator[str]:
    """A game without readers against games with many."""
    p95_s, slower = quantiles(full.shown_s, n=20)[-1], median(full.decided_s) / median(alone.decided_s)
    held, growth = max(full.memory) / 2**20, full.growth
    yield f"{len(full.decided_s)} placements, the event with a reader (median; 95 %; most) | {spread(full.heard_s)}"
    yield f"the changed part of the page too (goal {SHOWN_GOAL_S:g} s for 95 %: {verdict(p95_s <= SHOWN_GOAL_S)}) | {spread(full.shown_s)}"
    yield f"placements not shown to a reader | {full.missed}"
    yield f"a decision: alone | {spread(alone.decided_s)}"
    goal = f"goal: no more than {SLOWER_GOAL:g} times: {verdict(slower <= SLOWER_GOAL)}"
    yield f"a decision: with the readers; ratio of the medians ({goal}) | {spread(full.decided_s)}; {slower:.2f}"
    goal = f"goal {MEMORY_GOAL:.0%}: {verdict(growth < MEMORY_GOAL)}"
    yield f"memory: most; last third against second ({goal}); against first | {held:.0f} MB; {growth:+.2%}; {full.warmed_up:+.2%}"


def in_a_browser(browser: Browser, folder: Path, game: ReferenceGame) -> Iterator[str]:
    """What a real browser shows."""
    home = folder / "browser"
    home.mkdir()
    back = [back_after_kill(browser, home) for _ in range(3)]
    whole_s, after_s = median(one for one, _ in back), median(one for _, one in back)
    goal = f"goal {BACK_GOAL_S:g} s: {verdict(whole_s <= BACK_GOAL_S)}"
    yield f"| from a kill until the page is right again ({goal}); of it after the program answers | {whole_s:.1f} s; {after_s:.1f} s |"
    with served(home) as program:
        program.decide(decision="new_game", variant=game.variant)
        for ply in game.plies[:40]:
            program.decide(decision="place", color=ply.color, cells=[list(cell) for cell in sorted(ply.cells)])
        for language in LANGUAGES:
            found = weighed(browser, program.url, language)
            goal = f" (goal {WEIGHT_GOAL // 1000} kB: {verdict(found.transferred <= WEIGHT_GOAL)})"
            yield f"| live page after 40 turns, {language}: {weight(found)}{goal} |"
        for path in PAGES:
            yield f"| /{path}: {weight(weighed(browser, program.url + path))} |"
        for network in NETWORKS:
            paint_s = first_paint_s(browser, program.url, network)
            goal = f" (goal {PAINT_GOAL_S:g} s: {verdict(paint_s <= PAINT_GOAL_S)})" if not NETWORKS[network] else ""
            yield f"| first words on a phone, processor slowed four times, {network}{goal} | {paint_s:.2f} s |"
    yield f"| load of the machine meanwhile | {os.getloadavg()[0]:.1f} |"


def verdict(is_met: bool) -> str:
    """The word for a goal."""
    return "met" if is_met else "MISSED"


def weight(found: Weight) -> str:
    """What a page weighs, as two columns."""
    return f"files; raw; transferred | {found.files}; {found.raw / 1000:.0f} kB; {found.transferred / 1000:.0f} kB"
