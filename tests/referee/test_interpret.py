"""Reading a board without rules: drawings before and after, and what was done between them."""

from __future__ import annotations

import pytest

from referee.cells import LETTER_COLOR, Cell, Cells, components
from referee.interpret import Piece, interpret
from referee.pieces import PIECES, identify
from referee.readings import Amended, Back, Gone, Item, New, Odd, Shifted

NAMES = frozenset(PIECES)
COLORS = ("blue", "yellow", "red", "green")


def cells(picture: str) -> dict[Cell, str]:
    rows = picture.split()
    return {(row, col): LETTER_COLOR[letter] for row, line in enumerate(rows) for col, letter in enumerate(line) if letter in LETTER_COLOR}


def pieces(picture: str, *, last: int = 0, loose: frozenset[int] = frozenset()) -> list[Piece]:
    """The blocks of a drawing as pieces, numbered from 1 in reading order within each colour of COLORS."""
    board, found = cells(picture), list[tuple[str, Cells]]()
    for color in COLORS:
        found += [(color, block) for block in components(cell for cell, other in board.items() if other == color)]
    return [
        Piece(number, color, block, block, is_loose=number in loose or number == last, is_last=number == last)
        for number, (color, block) in enumerate(found, 1)
    ]


def told(item: Item) -> str:
    match item:
        case New():
            return f"new {item.color} {identify(item.cells)}"
        case Odd():
            return f"odd {len(item.look)}"
        case Gone() | Back():
            return f"{type(item).__name__.lower()} {item.number}"
        case Shifted() | Amended():
            return f"{type(item).__name__.lower()} {item.number} {identify(item.cells)}"


def read(lying: list[Piece], after: str) -> list[tuple[list[str], float]]:
    readings = interpret(lying, cells(after), NAMES, COLORS, 0.6)
    return [(sorted(map(told, reading)), share) for reading, share in readings]


ROWS: list[tuple[str, str, str, list[str]]] = [
    ("nothing", "BB... YY...", "BB... YY...", []),
    ("one piece comes", "BB...", "BB... ..BB.", ["new blue 2"]),
    ("two colours come", ".....", "BB.YY", ["new blue 2", "new yellow 2"]),
    ("two of one colour come", ".......", "BB.BBB.", ["new blue 2", "new blue I3"]),
    ("a block that is no piece comes", "....... .......", "BBBBBB. .......", ["new blue None"]),
    ("one goes", "BB.YY", "...YY", ["gone 1"]),
    ("one moves far", "BB..... .......", "....... .....BB", ["shifted 1 2"]),
    ("one moves over its own cells", "BBB....", ".BBB...", ["shifted 1 I3"]),
    ("one turns over its own cells", "BBB. .... ....", "B... B... B...", ["shifted 1 I3"]),
    ("another shape comes for one that goes", "BBB..... ........", "........ ..BBBB..", ["gone 1", "new blue I4"]),
    ("a piece of another colour takes its place", "BBB....", "YYY....", ["odd 3"]),
    ("a piece is laid over part of another", "BBB.... .......", "BBY.... ..Y....", ["new yellow 2"]),
    ("one cell changes colour", "BBB....", "BYB....", ["odd 1"]),
    ("a hole in a piece", "BBB....", "B.B....", ["odd 1"]),
    ("one moves and one comes", "BB..... .......", "....BB. YYY....", ["new yellow I3", "shifted 1 2"]),
    ("another shape comes partly on the cells of one that goes", "BBB... ......", "..BB.. ..BB..", ["gone 1", "new blue O"]),
    ("two of one colour move", "BB..BBB ....... .......", "....... BBB.BB. .......", ["shifted 1 2", "shifted 2 I3"]),
    (
        "many go",
        "B.B.B.B.B Y.Y.Y.Y.Y",
        ".......... Y........",
        ["gone 1", "gone 2", "gone 3", "gone 4", "gone 5", "gone 7", "gone 8", "gone 9", "gone 10"],
    ),
]


@pytest.mark.parametrize(("before", "after", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_what_was_done_between_two_boards(before: str, after: str, expected: list[str]) -> None:
    assert read(pieces(before), after) == [(sorted(expected), 1.0)]


def test_a_disputed_piece_covered_wholly_was_taken_back() -> None:
    assert read(pieces("BBB....", loose=frozenset({1})), "YYY....") == [(["gone 1", "new yellow I3"], 1.0)]


def test_a_disputed_block_loses_a_part_and_the_rest_is_looked_at_anew() -> None:
    block = pieces("BBBBBB. .......", loose=frozenset({1}))
    assert read(block, "BBBB... .......") == [(["gone 1", "new blue I4"], 1.0)]
    assert read(block, "BBBBBBB .......") == [(["gone 1", "new blue None"], 1.0)]


def test_squares_beside_the_last_piece_leave_two_readings() -> None:
    assert read(pieces("BBB....", last=1), "BBBB...") == [(["amended 1 I4"], 0.6), (["new blue 1"], 0.4)]
    assert read(pieces("BBB...."), "BBBB...") == [(["new blue 1"], 1.0)]


def test_squares_missing_from_the_last_piece_leave_two_readings() -> None:
    assert read(pieces("BBB....", last=1), "BB.....") == [([], 0.6), (["amended 1 2"], 0.4)]


def test_a_removed_piece_is_put_back_or_put_elsewhere() -> None:
    absent = Piece(1, "blue", frozenset(), frozenset(cells("BBB....")))
    assert read([absent], "BBB....") == [(["back 1"], 1.0)]
    assert read([absent], "....BBB") == [(["shifted 1 I3"], 1.0)]
    assert read([absent], "..BB...") == [(["new blue 2"], 1.0)]
    assert read([absent], ".......") == [([], 1.0)]


def test_a_moved_piece_is_put_back_even_over_its_own_cells() -> None:
    moved = Piece(1, "blue", frozenset(cells(".BBB...")), frozenset(cells("BBB....")))
    assert read([moved], "BBB....") == [(["back 1"], 1.0)]
    assert read([moved], ".BBB...") == [([], 1.0)]


def test_what_lay_under_a_piece_is_not_new_when_it_comes_to_light() -> None:
    under, over = (
        Piece(1, "blue", frozenset(cells("BBB")), frozenset(cells("BBB"))),
        Piece(2, "red", frozenset(cells("..RR")), frozenset(cells("..RR"))),
    )
    assert read([under, over], "BBB.") == [(["gone 2"], 1.0)]
    assert read([under, over], "BBRR") == [([], 1.0)]


def test_a_whole_field_of_new_squares_is_read_in_a_moment() -> None:
    field = " ".join(["BBBBBB"] * 5 + ["......"] * 3)
    lying = pieces("...... ...... ...... ...... ...... ...... B.BB.B B.BB.B")
    (reading, share), *rest = read(lying, field)
    assert (share, rest) == (1.0, [])
    assert len(reading) == 4
