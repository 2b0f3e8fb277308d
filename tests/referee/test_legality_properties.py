"""The fast rules against the slow ones, and what symmetry and undoing must leave alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.cells import Cell, Cells
from referee.game import Game
from referee.pieces import PIECES, identify, squares_of
from referee.placements import placement_table
from tests.referee import slow_rules
from tests.strategies import games, wild_cells

PLACE_KINDS = {"off_board", "overlap", "edge_contact", "no_corner_contact", "start_not_covered"}

Symmetry = tuple[Callable[[Cell, int], Cell], bool]

SYMMETRIES: list[Symmetry] = [
    (lambda cell, last: (cell[1], last - cell[0]), False),
    (lambda cell, last: (last - cell[0], last - cell[1]), False),
    (lambda cell, last: (last - cell[1], cell[0]), False),
    (lambda cell, last: (cell[0], last - cell[1]), True),
    (lambda cell, last: (last - cell[0], cell[1]), True),
    (lambda cell, _: (cell[1], cell[0]), True),
    (lambda cell, last: (last - cell[1], last - cell[0]), True),
]
"""Each turning or mirroring of a board whose last row and column have the given number, and whether it mirrors."""

thorough = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], max_examples=60)
"""Building a game takes milliseconds, which varies with the machine: no deadline."""


def slow_board(game: Game) -> slow_rules.Board:
    return slow_rules.Board(game.options.rules.size, game.placed)


@thorough
@given(st.data())
def test_every_rule_of_place_agrees_with_the_slow_rules_and_names_the_same_cells(data: st.DataObject) -> None:
    game = data.draw(games())
    color = data.draw(st.sampled_from(game.options.rules.colors))
    cells = data.draw(wild_cells(game.options.rules.size))
    expected = slow_rules.broken_by_place(slow_board(game), color, cells, game.seating.start_cells(color))
    ruling = game.judge(color, cells)
    assert {violation.kind: violation.cells for violation in ruling.violations if violation.kind in PLACE_KINDS} == expected


@settings(thorough, max_examples=12)
@given(st.data())
def test_the_legal_placements_are_those_of_the_slow_rules(data: st.DataObject) -> None:
    game = data.draw(games(max_moves=30))
    color = data.draw(st.sampled_from([color for color in game.hands if color not in game.retired] or [*game.hands]))
    shapes = {slow_rules.canonical(PIECES[name].orientations[0]) for name in game.hands[color]}
    expected = slow_rules.legal_placements(slow_board(game), color, shapes, game.seating.start_cells(color))
    fitting = {placement.cells for placement in placement_table(game.options.rules.size).listed(game.fitting[color])}
    assert fitting == (set() if color in game.retired else expected)


@thorough
@given(st.data())
def test_a_placement_is_listed_exactly_when_it_breaks_no_rule_but_the_turn_s(data: st.DataObject) -> None:
    game = data.draw(games())
    color = data.draw(st.sampled_from(game.options.rules.colors))
    cells = data.draw(
        wild_cells(game.options.rules.size) | st.sampled_from([p.cells for p in game.legal_placements(color)] or [frozenset({(0, 0)})])
    )
    listed = cells in {placement.cells for placement in game.legal_placements(color)}
    may_be_on_turn = game.seat_on_turn is not None and game.on_turn is None and color in game.seating.unseated
    allowed = set() if may_be_on_turn else {"out_of_turn"}
    assert listed == (set(game.judge(color, cells).kinds) <= allowed)


@thorough
@given(games(), st.sampled_from(SYMMETRIES))
def test_a_turned_or_mirrored_game_has_turned_or_mirrored_answers(game: Game, symmetry: Symmetry) -> None:
    move, is_mirror = symmetry

    def moved(cells: Cells) -> Cells:
        return frozenset(move(cell, game.options.rules.size - 1) for cell in cells)

    options = replace(game.options, mirrored=game.options.mirrored != is_mirror)
    if options.starts == "assigned":
        seats = zip(game.order, Game.new(game.options).seating.starts, strict=True)
        options = replace(options, start_cells={color: move(cell, options.rules.size - 1) for color, cell in seats if color and cell})
    other = Game.new(options).replayed((color, moved(cells)) for color, cells in game.placed)
    assert [step.ruling.kinds for step in other.moves] == [step.ruling.kinds for step in game.moves]
    assert (other.on_turn, other.order, other.skipped, other.retired) == (game.on_turn, game.order, game.skipped, game.retired)
    assert other.scores() == game.scores()
    for color in game.hands:
        listed = {(placement.piece, moved(placement.cells)) for placement in game.legal_placements(color)}
        assert {(placement.piece, placement.cells) for placement in other.legal_placements(color)} == listed


@thorough
@given(st.data())
def test_undoing_a_move_gives_the_game_before_it(data: st.DataObject) -> None:
    game = data.draw(games())
    color = data.draw(st.sampled_from(game.options.rules.colors))
    played = game.play(color, data.draw(wild_cells(game.options.rules.size)), force=True)
    assert played.undone() == game
    assert played.replayed(played.moves) == played


@thorough
@given(games())
def test_a_game_in_play_never_contradicts_itself(game: Game) -> None:
    kinds = [set(move.ruling.kinds) for move in game.moves]
    assert [move.turn for move in game.moves] == list(range(1, game.turn))
    assert not any({"out_of_turn", "color_retired"} <= broken for broken in kinds)
    assert game.is_over == (not game.may_play) == all(not game.fitting[color] for color in game.hands)
    assert not set(game.may_play) & set(game.retired)
    for color in game.hands:
        proof = game.blocked_proof(color)
        assert (color in game.retired) == (proof.fitting == 0)
        assert game.retired.get(color) == ("finished" if proof.tried == 0 else "blocked" if proof.is_blocked else None)


@thorough
@given(games(wildness=0, max_moves=40))
def test_a_fair_game_counts_squares_and_pieces_alike_and_never_brings_a_colour_back(game: Game) -> None:
    assert all(move.ruling.is_legal for move in game.moves)
    for color, hand in game.hands.items():
        assert game.squares_left[color] == squares_of(hand) == squares_of(game.options.sets[color]) - len(game.position.squares(color))
        assert sorted(map(identify, game.position.blocks(color)), key=str) == sorted(
            (m.piece for m in game.moves if m.color == color), key=str
        )
    for earlier in range(len(game.moves)):
        before = game.replayed(game.moves[:earlier])
        assert before.retired.items() <= game.retired.items()
