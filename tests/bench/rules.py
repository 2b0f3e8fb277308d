"""The rules' speed on every ply of reference games, beside a plain Python loop measured in the same run.

`python -m tests.bench.rules` prints it alone; `make bench` includes it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from statistics import median

from referee.cells import Cells, corner_neighbors, on_board, side_neighbors
from referee.game import Game
from referee.pieces import PIECES
from tests.referee.corpus import Ply, ReferenceGame, games

Row = tuple[str, list[float], str, float | None]
"""A measured figure: its name, the values, their unit, and the goal or None."""

REFERENCE_EVERY = 12
"""One ply in so many is listed by the plain loop too: it takes a thousand times as long."""


@dataclass
class Timings:
    """Seconds of each act, one value a ply."""

    listing: list[float] = field(default_factory=list)
    counting: list[float] = field(default_factory=list)
    judging: list[float] = field(default_factory=list)
    judging_fouls: list[float] = field(default_factory=list)
    playing: list[float] = field(default_factory=list)
    scoring: list[float] = field(default_factory=list)
    plain_listing: list[float] = field(default_factory=list)


def plain_placements(game: Game, color: str) -> set[Cells]:
    """The legal placements as a plain Python program lists them: every piece, turned every way, laid on every corner."""
    size, own = game.options.rules.size, game.position.squares(color)
    closed = {cell for square in own for cell in side_neighbors(square)} | set(game.position.cells)
    corners = {cell for square in own for cell in corner_neighbors(square) if on_board(cell, size)} if own else game.start_cells(color)
    found = set()
    for row, col in corners - closed:
        for name in game.hands[color]:
            for form in PIECES[name].orientations:
                for down, right in form:
                    cells = frozenset((row + r - down, col + c - right) for r, c in form)
                    if all(on_board(cell, size) and cell not in closed for cell in cells):
                        found.add(cells)
    return found


def _time_ply(timings: Timings, game: Game, ply: Ply) -> None:
    """Add one ply's timings; the foul is the same piece one row further down."""
    foul = frozenset((row + 1, col) for row, col in ply.cells)
    acts = (
        (timings.listing, lambda: game.legal_placements(ply.color)),
        (timings.counting, lambda: [game.legal_count(color) for color in game.hands]),
        (timings.judging, lambda: game.judge(ply.color, ply.cells)),
        (timings.judging_fouls, lambda: game.judge(ply.color, foul)),
        (timings.playing, lambda: game.play(ply.color, ply.cells)),
        (timings.scoring, game.scores),
    )
    for values, act in acts:
        begun = time.perf_counter()
        act()
        values.append(time.perf_counter() - begun)


def _time_plain(timings: Timings, game: Game, ply: Ply) -> None:
    begun = time.perf_counter()
    found = plain_placements(game, ply.color)
    timings.plain_listing.append(time.perf_counter() - begun)
    if len(found) != ply.legal_count:
        raise AssertionError(f"the plain loop lists {len(found)} placements, the reference {ply.legal_count}")


def timed(references: Iterator[ReferenceGame]) -> Timings:
    """The timings of all plies of some games; the first game is played once before, uncounted."""
    listed = list(references)
    listed[0].final()
    timings = Timings()
    for reference in listed:
        for number, (game, ply) in enumerate(reference.replay()):
            _time_ply(timings, game, ply)
            if number % REFERENCE_EVERY == 0:
                _time_plain(timings, game, ply)
    return timings


def rows(count: int = 20) -> Iterator[Row]:
    """The figures of the rules on that many games of each board."""
    for file in ("classic", "duo", "junior"):
        found = timed(islice(games(file), count))
        yield f"legal placements, {file}", [1e3 * s for s in found.listing], "ms", 0.25
        yield f"the same by a plain Python loop, {file}", [1e3 * s for s in found.plain_listing], "ms", None
        yield f"counting them for all colours, {file}", [1e6 * s for s in found.counting], "us", None
        yield f"a legal placement judged, {file}", [1e6 * s for s in found.judging], "us", 20
        yield f"a foul judged, every violation, {file}", [1e6 * s for s in found.judging_fouls], "us", 20
        both = [1e6 * (play + score) for play, score in zip(found.playing, found.scoring, strict=True)]
        yield f"a ply judged, played, all blocked checked, scored, {file}", both, "us", 200


def lines() -> Iterator[str]:
    """Each figure, and how many times as fast as the plain loop the listing is."""
    found = {name: (values, unit, goal) for name, values, unit, goal in rows()}
    for name, (values, unit, goal) in found.items():
        yield f"{name:<64} {median(values):>9.3f} {unit}" + ("" if goal is None else f"   goal {goal:g}")
    for file in ("classic", "duo", "junior"):
        plain, listing = (median(found[f"{name}, {file}"][0]) for name in ("the same by a plain Python loop", "legal placements"))
        yield f"listing is {plain / listing:.0f} times as fast as the plain loop, {file}"


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in lines())
