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

WHOLE = "1,000 plies of whole games replayed and scored"
"""The name of that figure: 200 ms are 5,000 plies a second."""

REFERENCE_EVERY = 12
"""One ply in so many is listed by the plain loop too: it takes a thousand times as long."""


@dataclass
class Timings:
    """Seconds of each act, one value a ply; `replaying` has one a game, of this process's own time."""

    listing: list[float] = field(default_factory=list)
    counting: list[float] = field(default_factory=list)
    judging: list[float] = field(default_factory=list)
    judging_fouls: list[float] = field(default_factory=list)
    playing: list[float] = field(default_factory=list)
    scoring: list[float] = field(default_factory=list)
    replaying: list[float] = field(default_factory=list)
    plain_listing: list[float] = field(default_factory=list)
    plain_judging: list[float] = field(default_factory=list)


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


def plain_kinds(game: Game, color: str, cells: Cells) -> set[str]:
    """The rules of place that a placement breaks, as a plain Python program finds them: squares, sides and corners looked up one by one."""
    own = {cell for cell, owner in game.position.cells.items() if owner == color}
    broken = set()
    if any(not on_board(cell, game.options.rules.size) for cell in cells):
        broken.add("off_board")
    if any(cell in game.position.cells for cell in cells):
        broken.add("overlap")
    if any(other in own for cell in cells for other in side_neighbors(cell)):
        broken.add("edge_contact")
    if own and not any(other in own for cell in cells for other in corner_neighbors(cell)):
        broken.add("no_corner_contact")
    if not own and not cells & game.start_cells(color):
        broken.add("start_not_covered")
    return broken


PLACE_KINDS = {"off_board", "overlap", "edge_contact", "no_corner_contact", "start_not_covered"}


def _time_ply(timings: Timings, game: Game, ply: Ply) -> None:
    """Add one ply's timings."""
    foul = _foul(ply)
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


def _foul(ply: Ply) -> Cells:
    """The same piece one row further down, where it mostly breaks some rule."""
    return frozenset((row + 1, col) for row, col in ply.cells)


def _time_plain(timings: Timings, game: Game, ply: Ply) -> None:
    foul = _foul(ply)
    begun = time.perf_counter()
    kinds = plain_kinds(game, ply.color, foul)
    judged = time.perf_counter()
    found = plain_placements(game, ply.color)
    timings.plain_listing.append(time.perf_counter() - judged)
    timings.plain_judging.append(judged - begun)
    if kinds != PLACE_KINDS.intersection(game.judge(ply.color, foul).kinds):
        raise AssertionError(f"the plain loop finds {sorted(kinds)} broken")
    if len(found) != ply.legal_count:
        raise AssertionError(f"the plain loop lists {len(found)} placements, the reference {ply.legal_count}")


def _replayed_ms(reference: ReferenceGame) -> float:
    """Milliseconds for 1,000 plies of a game judged and played from its first to its last, and scored after each."""
    begun = time.process_time()
    game = Game.new(reference.options)
    for ply in reference.plies:
        game = game.play(ply.color, ply.cells)
        game.scores()
    return 1e6 * (time.process_time() - begun) / len(reference.plies)


def timed(references: Iterator[ReferenceGame]) -> Timings:
    """The timings of all plies of some games; the first game is played once before, uncounted."""
    listed = list(references)
    listed[0].final()
    timings = Timings()
    for reference in listed:
        timings.replaying.append(_replayed_ms(reference))
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
        yield f"its place judged by a plain Python loop, {file}", [1e6 * s for s in found.plain_judging], "us", None
        both = [1e6 * (play + score) for play, score in zip(found.playing, found.scoring, strict=True)]
        yield f"a ply judged, played, all blocked checked, scored, {file}", both, "us", 200
        yield f"{WHOLE}, {file}", found.replaying, "ms", 200


def lines() -> Iterator[str]:
    """Each figure, how many times as fast as the plain loop the listing is, and how many plies are replayed and scored in a second."""
    found = {name: (values, unit, goal) for name, values, unit, goal in rows()}
    for name, (values, unit, goal) in found.items():
        yield f"{name:<64} {median(values):>9.3f} {unit}" + ("" if goal is None else f"   goal {goal:g}")
    for file in ("classic", "duo", "junior"):
        plain, listing = (median(found[f"{name}, {file}"][0]) for name in ("the same by a plain Python loop", "legal placements"))
        yield f"listing is {plain / listing:.0f} times as fast as the plain loop, {file}"
        yield f"{1e6 / median(found[f'{WHOLE}, {file}'][0]):.0f} plies replayed and scored a second, goal 5000, {file}"


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in lines())
