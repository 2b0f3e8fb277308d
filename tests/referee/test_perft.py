"""Counts of move sequences, against the rules' page and perft.json of the corpus."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from referee.game import Game
from referee.legality import legal_set
from referee.options import GameOptions
from tests.referee.corpus import FOLDER

COUNTS: Mapping[str, Any] = json.loads((FOLDER / "perft.json").read_text(encoding="utf-8"))
VARIANTS = ("classic", "duo", "junior")


def _start(variant: str, **options: Any) -> Game:
    return Game.new(GameOptions(variant=variant, starts="assigned", **options))


def perft(game: Game, plies: int) -> int:
    """How many sequences of that many legal placements follow."""
    color = game.on_turn
    if color is None:
        return 0
    if plies == 1:
        return game.legal_count(color)
    return sum(perft(game.play(color, placement.cells), plies - 1) for placement in game.legal_placements(color))


def deep_perft(game: Game, plies: int) -> int:
    """The same for the first plies of a game: the last but one is put on the position alone, as nobody retires that soon."""
    color, following = game.on_turn, game.order[game.turn % len(game.order)]
    assert color is not None
    assert following is not None
    if plies > 2:
        return sum(deep_perft(game.play(color, placement.cells), plies - 1) for placement in game.legal_placements(color))
    left, starts = game.left[following], game.start_cells(following)
    after = (game.position.with_piece(color, placement.cells) for placement in game.legal_placements(color))
    return sum(legal_set(position, following, left, starts).bit_count() for position in after)


def own_second_moves(variant: str) -> list[int]:
    """For each first placement of the first colour, how many second ones it has when nobody else plays."""
    game = _start(variant)
    color = game.options.rules.colors[0]
    return [game.play(color, placement.cells).legal_count(color) for placement in game.legal_placements(color)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_colour_has_the_known_number_of_first_moves(variant: str) -> None:
    game = _start(variant)
    assert [game.legal_count(color) for color in game.options.rules.colors] == COUNTS[variant]["first_moves_per_colour"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_piece_has_the_known_number_of_first_moves(variant: str) -> None:
    game = _start(variant)
    by_piece = Counter(placement.piece for placement in game.legal_placements(game.options.rules.colors[0]))
    assert by_piece == COUNTS[variant]["first_moves_by_piece_colour0"]


@pytest.mark.parametrize(
    ("variant", "starts", "count"),
    [
        ("classic", None, 232),
        ("duo", ((4, 4), (9, 9)), 828),
        ("duo", None, 828),  # whichever diagonal is marked
        ("junior", ((4, 4), (9, 9)), 378),
        ("junior", None, 378),
    ],
)
def test_with_any_free_start_cell_there_are_as_many_first_moves_as_the_rules_say(variant: str, starts: Any, count: int) -> None:
    game = Game.new(GameOptions(variant=variant, marks=starts))
    assert {game.legal_count(color) for color in game.options.rules.colors} == {count}
    assert {game.blocked_proof(color).fitting for color in game.options.rules.colors} == {count}


@pytest.mark.parametrize(("variant", "total"), [("classic", 9_729), ("duo", 217_530), ("junior", 46_094)])
def test_one_colour_alone_has_the_known_number_of_second_moves(variant: str, total: int) -> None:
    counts = own_second_moves(variant)
    assert sum(counts) == total == COUNTS[variant]["own_second_moves_sum_pentobi"]
    assert [min(counts), max(counts)] == COUNTS[variant]["own_second_min_max"]


@pytest.mark.parametrize(("variant", "plies"), [("classic", 2), ("classic", 3), ("duo", 2), ("junior", 2)])
def test_shallow_sequences_are_as_many_as_known(variant: str, plies: int) -> None:
    key = f"perft{plies}" if plies > 2 else "perft2_pentobi"
    assert perft(_start(variant), plies) == COUNTS[variant][key]


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "plies"), [("classic", 4), ("duo", 3), ("junior", 3)])
def test_deep_sequences_are_as_many_as_known(variant: str, plies: int) -> None:
    assert deep_perft(_start(variant), plies) == COUNTS[variant][f"perft{plies}"]
