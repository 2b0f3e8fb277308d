"""Hypothesis strategies: options of games, placements legal and wild, and games in play."""

from __future__ import annotations

from hypothesis import strategies as st

from referee.cells import Cells
from referee.game import Game
from referee.options import GameOptions
from referee.placements import placement_table
from referee.variants import VARIANTS


@st.composite
def game_options(draw: st.DrawFn, starts: tuple[str, ...] = ("seated", "free", "assigned")) -> GameOptions:
    """Options of any variant that do not contradict each other, lost pieces included."""
    rules = VARIANTS[draw(st.sampled_from(sorted(VARIANTS)))]
    order = draw(st.none() if rules.order_fixed else st.none() | st.permutations(rules.colors).map(tuple))
    lost = draw(st.dictionaries(st.sampled_from(rules.colors), st.sampled_from(rules.pieces).map(lambda name: (name,)), max_size=2))
    return GameOptions(variant=rules.name, starts=draw(st.sampled_from(starts)), order=order, missing=lost, mirrored=draw(st.booleans()))


@st.composite
def wild_cells(draw: st.DrawFn, size: int) -> Cells:
    """Cells somebody might put squares on: mostly a piece somewhere, also over the edge, also no piece at all."""
    placements = placement_table(size).placements
    kind = draw(st.sampled_from(("piece", "piece", "shifted", "loose")))
    if kind == "loose":
        cell = st.tuples(st.integers(-1, size), st.integers(-1, size))
        return draw(st.frozensets(cell, min_size=1, max_size=7))
    cells = placements[draw(st.integers(0, len(placements) - 1))].cells
    if kind == "piece":
        return cells
    down, right = draw(st.tuples(st.integers(-3, 3), st.integers(-3, 3)))
    return frozenset((row + down, col + right) for row, col in cells)


@st.composite
def games(draw: st.DrawFn, options: st.SearchStrategy[GameOptions] | None = None, max_moves: int = 24, wildness: int = 6) -> Game:
    """A game in play: mostly legal placements of a colour that may be on turn, one in `wildness` wild and let stand.

    With `wildness` 0 every placement is legal.
    """
    game = Game.new(draw(game_options() if options is None else options))
    for _ in range(draw(st.integers(0, max_moves))):
        game = _one_more(draw, game, is_wild=wildness > 0 and draw(st.integers(1, wildness)) == 1)
    return game


def _one_more(draw: st.DrawFn, game: Game, *, is_wild: bool) -> Game:
    if is_wild:
        return game.play(draw(st.sampled_from(game.options.rules.colors)), draw(wild_cells(game.options.rules.size)), force=True)
    if not game.may_play:
        return game
    color = draw(st.sampled_from(game.may_play))
    placements = game.legal_placements(color)
    return game.play(color, placements[draw(st.integers(0, len(placements) - 1))].cells)
