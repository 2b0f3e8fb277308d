"""The loose pieces counted against what the board leaves over."""

from __future__ import annotations

import numpy as np
import pytest

from referee.pieces import PIECES
from referee.variants import get_variant
from vision.loose import LooseLook, LoosePiece
from vision.loose_count import LooseFinding, count_loose
from vision.verdicts import ColorLeft

CLASSIC, JUNIOR = get_variant("classic"), get_variant("junior")
AT = np.zeros((4, 2))


def left(*names: str, more: int = 0) -> ColorLeft:
    squares = sum(PIECES[name].squares for name in names)
    return ColorLeft((squares, squares + more), names, False, None)


def loose(*names: str, unsure: int = 0, block: int = 0, color: str = "green", hidden: tuple[str, ...] = ()) -> LooseLook:
    told = [LoosePiece(color, name, PIECES[name].squares, AT) for name in names]
    blocks = [LoosePiece(color, None, block, AT)] if block else []
    return LooseLook((*told, *blocks, *[LoosePiece(color, None, None, AT)] * unsure), hidden)


def green(look: LooseLook, of: ColorLeft) -> LooseFinding:
    by_color = {color: of if color == "green" else left() for color in CLASSIC.colors}
    (finding,) = (one for one in count_loose(look, by_color, CLASSIC) if one.color == "green")
    return finding


@pytest.mark.parametrize(
    ("look", "by_board", "kind", "message"),
    [
        (loose("I4", "V3"), left("I4", "V3"), "loose_count", "Green: 7 squares left on the table, 7 by the board."),
        (loose(block=7), left("I4", "V3"), "loose_count", "Green: 7 squares left on the table, 7 by the board."),
        (loose("1"), left("1"), "loose_count", "Green: 1 square left on the table, 1 by the board."),
        (
            loose("I4"),
            left("I4", "V3"),
            "loose_mismatch",
            "Green: 4 squares left on the table, 7 by the board; not seen: V3.",
        ),
        (
            loose("I4", block=6),
            left("I4", "V3", "P", "F"),
            "loose_mismatch",
            "Green: 10 squares left on the table, 17 by the board; 7 squares not seen.",
        ),
        (
            loose("I4", "V3", "W"),
            left("I4", "V3"),
            "loose_mismatch",
            "Green: 12 squares left on the table, 7 by the board; W should not be there.",
        ),
        (
            loose("I4", "I3"),
            left("I4", "V3"),
            "loose_mismatch",
            "Green: 7 squares left on the table, 7 by the board; I3 should not be there.",
        ),
        (
            loose("I4", unsure=1),
            left("I4", "V3"),
            "loose_unsure",
            "Green: at least 4 squares left on the table, 7 by the board; one thing there could not be told for certain; not seen: V3.",
        ),
        (
            loose(unsure=2),
            left("I4", "V3"),
            "loose_unsure",
            "Green: no squares told on the table, 7 by the board; 2 things there could not be told for certain; not seen: V3, I4.",
        ),
        (loose("I4"), left("I4", more=1), "loose_unsure", "Green: 4 squares left on the table, 4 or 5 by the board."),
        (loose("I4", "V3"), left("I4", more=3), "loose_unsure", "Green: 7 squares left on the table, 4 to 7 by the board."),
        (loose("I4", "I5"), left("I4", more=3), "loose_mismatch", "Green: 9 squares left on the table, 4 to 7 by the board."),
        (
            loose("I4", hidden=("green",)),
            left("I4", "V3"),
            "loose_unsure",
            "Green: at least 4 squares left on the table, 7 by the board; the table is too much like green to tell all; not seen: V3.",
        ),
    ],
)
def test_table_and_board_are_compared(look: LooseLook, by_board: ColorLeft, kind: str, message: str) -> None:
    finding = green(look, by_board)
    assert (finding.kind, finding.message) == (kind, message)


WHOLE = left(*CLASSIC.pieces)


@pytest.mark.parametrize(
    ("look", "kind", "message"),
    [
        (loose(*PIECES), "loose_count", "Green: the whole set lies on the table, 21 pieces, 89 squares."),
        (
            loose(*(name for name in PIECES if name not in ("I5", "W"))),
            "loose_mismatch",
            "Green: 19 of the set's 21 pieces told on the table; not seen: I5, W.",
        ),
        (
            loose(*(name for name in PIECES if name not in ("I5", "W")), unsure=1),
            "loose_unsure",
            "Green: 19 of the set's 21 pieces told on the table; one thing there could not be told for certain; not seen: I5, W.",
        ),
        (
            loose(*PIECES, "X"),
            "loose_mismatch",
            "Green: 22 of the set's 21 pieces told on the table; X should not be there.",
        ),
        (loose("X"), "loose_mismatch", "Green: 1 of the set's 21 pieces told on the table; not seen: 20 pieces."),
        (loose("X", block=80), "loose_mismatch", "Green: 85 of the set's 89 squares told on the table."),
    ],
)
def test_sets_are_checked_beside_an_empty_board(look: LooseLook, kind: str, message: str) -> None:
    finding = green(look, WHOLE)
    assert (finding.kind, finding.message) == (kind, message)


def test_a_junior_set_has_two_of_each_piece() -> None:
    by_color = {color: left(*JUNIOR.pieces) for color in JUNIOR.colors}
    one_of_each = tuple(dict.fromkeys(JUNIOR.pieces))
    findings = count_loose(loose(*one_of_each, *one_of_each[1:]), by_color, JUNIOR)
    assert [one.message for one in findings if one.color == "green"] == ["Green: 23 of the set's 24 pieces told on the table; not seen: 1."]


def test_nothing_is_counted_where_no_piece_is_seen() -> None:
    assert count_loose(LooseLook(), dict.fromkeys(CLASSIC.colors, WHOLE), CLASSIC) == ()


def test_programs_get_the_numbers() -> None:
    found = green(loose("I4"), left("I4", "V3")).as_json()
    assert (found["kind"], found["color"], found["squares_loose"], found["squares_left"], found["cells"]) == (
        "loose_mismatch",
        "green",
        4,
        [7, 7],
        [],
    )
