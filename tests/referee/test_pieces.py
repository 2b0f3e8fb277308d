from collections import Counter

import pytest

from referee.errors import UnknownNameError
from referee.pieces import PIECES, identify, in_piece_order, require_piece, squares_of
from tests.referee.slow_rules import canonical, fixed_shapes


def test_there_are_21_pieces_of_89_squares_in_the_usual_numbers_by_size() -> None:
    assert len(PIECES) == 21
    assert squares_of(PIECES) == 89
    assert Counter(piece.squares for piece in PIECES.values()) == {1: 1, 2: 1, 3: 2, 4: 5, 5: 12}


def test_the_pieces_have_91_orientations_all_different() -> None:
    orientations = [form for piece in PIECES.values() for form in piece.orientations]
    assert len(orientations) == 91
    assert set(orientations) == fixed_shapes()


def test_the_21_canonical_forms_are_all_different() -> None:
    assert len({canonical(piece.orientations[0]) for piece in PIECES.values()}) == 21


@pytest.mark.parametrize(("name", "count"), [("1", 1), ("O", 1), ("X", 1), ("I5", 2), ("Z4", 4), ("W", 4), ("F", 8), ("P", 8)])
def test_orientations_follow_the_symmetry_of_the_piece(name: str, count: int) -> None:
    assert len(PIECES[name].orientations) == count


@pytest.mark.parametrize("name", PIECES)
def test_mirror_images_and_turned_forms_are_one_piece(name: str) -> None:
    form = PIECES[name].orientations[0]
    mirrored = [(row, -col) for row, col in form]
    turned = [(col + 7, 3 - row) for row, col in form]
    assert identify(form) == identify(mirrored) == identify(turned) == name


@pytest.mark.parametrize(
    "cells",
    [
        [],
        [(0, 0), (0, 2)],
        [(0, 0), (1, 1)],
        [(0, col) for col in range(6)],
        [(0, 0), (0, 1), (5, 5)],
    ],
)
def test_squares_that_are_not_one_polyomino_of_up_to_five_are_no_piece(cells: list[tuple[int, int]]) -> None:
    assert identify(cells) is None


def test_names_are_put_in_order_from_small_to_large_and_copies_stay() -> None:
    assert in_piece_order(["W", "1", "I3", "1"]) == ("1", "1", "I3", "W")


def test_an_unknown_piece_is_named_with_those_that_exist() -> None:
    with pytest.raises(UnknownNameError, match="unknown piece 'Q5'; known: 1, 2, I3"):
        require_piece("Q5")
