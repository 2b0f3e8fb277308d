"""Boards and placements written so that a test can be read: cells by name, positions as pictures."""

from __future__ import annotations

from typing import Any

from referee.cells import Cells, parse_cell_name
from referee.game import Game
from referee.options import GameOptions
from referee.position import Position
from referee.variants import get_variant

CORNER = {"top-left": (0, 0), "top-right": (0, 19), "bottom-right": (19, 19), "bottom-left": (19, 0)}


def at(names: str, size: int = 20) -> Cells:
    """The cells of names like `a1 b1`; `a1` is bottom-left."""
    return frozenset(parse_cell_name(name, size) for name in names.split())


def padded(picture: str, size: int = 20) -> list[str]:
    """A picture of the top left part of a board, filled up with empty cells."""
    rows = [row.strip().ljust(size, ".") for row in picture.split()]
    return rows + ["." * size] * (size - len(rows))


def game_with(picture: str, next_color: str | None = None, **options: Any) -> Game:
    """A game in its middle; each group of one colour that hangs together by sides is one piece."""
    rules = get_variant(options.get("variant", "classic"))
    position = Position.from_text(padded(picture, rules.size))
    pieces = [(color, block) for color in position.reaches for block in position.blocks(color)]
    return Game.from_position(GameOptions(**options), pieces, next_color)


def played(game: Game, *moves: str) -> Game:
    """The game after legal moves like `blue a20 b20`."""
    for move in moves:
        color, _, names = move.partition(" ")
        game = game.play(color, at(names, game.options.rules.size))
    return game


def forced(game: Game, *moves: str) -> Game:
    """The game after moves that stand whatever the rules say of them."""
    for move in moves:
        color, _, names = move.partition(" ")
        game = game.play(color, at(names, game.options.rules.size), force=True)
    return game


def kinds(game: Game, move: str) -> tuple[str, ...]:
    """The rules that a move like `blue a20 b20` would break."""
    color, _, names = move.partition(" ")
    return game.judge(color, at(names, game.options.rules.size)).kinds
