"""What one picture proves, board by board; a `_` of the drawings is a row of 20 or 14 empty cells cut short."""

from __future__ import annotations

import pytest

from referee.variants import get_variant
from vision.verdicts import Verdicts, is_several_pieces


def board(*rows: str, size: int = 20) -> tuple[str, ...]:
    """The rows drawn, filled up with empty cells to the right and below."""
    filled = [row.ljust(size, ".") for row in rows]
    return tuple(filled + ["." * size] * (size - len(filled)))


def verdicts(*rows: str, variant: str = "classic") -> Verdicts:
    rules = get_variant(variant)
    return Verdicts(board(*rows, size=rules.size), rules)


def found(judged: Verdicts) -> list[tuple[str, tuple[str, ...], int, bool]]:
    return [(v.color, v.kinds, len(v.cells), v.ambiguous) for v in judged.violations]


PROOFS = {
    "a legal opening": (("BB", ".B"), []),
    "pieces linked by corners": (("BB", "BB", "..BBB"), []),
    "a piece that touches nothing of its colour": (("BB", "BB", "", "...BBB"), [("blue", ("no_corner_contact",), 3, False)]),
    "a colour that covers no corner of the board": (("", ".BB"), [("blue", ("start_not_covered",), 2, False)]),
    "two pieces and no corner of the board": (("", ".B", "..BB"), [("blue", ("start_not_covered",), 4, True)]),
    "six squares in one block": (("BBBBBB",), [("blue", ("not_a_piece", "edge_contact"), 6, False)]),
    "the same piece again": (("BB", "..B", "..B"), [("blue", ("piece_already_used",), 4, True)]),
    "another colour may lie beside": (("BBYY",), [("yellow", ("start_not_covered",), 2, False)]),
}


@pytest.mark.parametrize("name", PROOFS)
def test_one_picture_proves(name: str) -> None:
    rows, expected = PROOFS[name]
    assert found(verdicts(*rows)) == expected


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(("?B", "BB"), id="the unsure cell may be its corner"),
        pytest.param(("BB", "BB", "..?", "...BBB"), id="the unsure cell may link them"),
        pytest.param(("BB", "..B", "..B?"), id="the second piece may be a larger one"),
    ],
)
def test_a_cell_that_was_not_told_proves_nothing(rows: tuple[str, ...]) -> None:
    assert found(verdicts(*rows)) == []


def test_a_block_too_large_for_a_piece_is_proven_whatever_lies_beside_it() -> None:
    assert found(verdicts("BBBBBB?")) == [("blue", ("not_a_piece", "edge_contact"), 6, False)]


def test_two_groups_that_both_cover_corners_are_both_suspected() -> None:
    judged = Verdicts(("B" + "." * 18 + "B", *("." * 20,) * 19), get_variant("classic"))
    assert [(v.kinds, v.ambiguous) for v in judged.violations] == [
        (("piece_already_used",), True),
        (("no_corner_contact",), True),
        (("no_corner_contact",), True),
    ]


def test_duo_starts_may_lie_on_either_diagonal() -> None:
    for row, col in ((4, 4), (4, 9)):
        assert found(verdicts(*[""] * row, "." * col + "PP", variant="duo")) == []


def test_junior_knows_only_its_twelve_shapes_twice() -> None:
    w_shape = ("", "", "", "", "....G", "....GG", ".....GG")
    assert found(verdicts(*w_shape, variant="junior")) == [("green", ("not_a_piece",), 5, False)]
    twice = ("", "", "", "", "....GG", "......G", "......G")
    assert found(verdicts(*twice, variant="junior")) == []


def test_what_is_left_counts_squares_and_names_pieces() -> None:
    left = verdicts("BB", "..BBB").left["blue"]
    assert left.squares == (84, 84)
    assert "2" not in left.pieces
    assert "I3" not in left.pieces
    assert left.blocked is False
    assert left.example is not None
    assert len(left.example.cells) == 5


def test_unsure_cells_widen_the_count() -> None:
    assert verdicts("BB", "..BBB", "?").left["blue"].as_json()["squares_left"] == [83, 84]


def test_a_walled_in_colour_is_blocked() -> None:
    walled = verdicts("BY", "YY").left["blue"]
    assert walled.blocked is True
    assert walled.example is None


def test_a_walled_in_colour_is_not_called_blocked_when_a_wall_is_unsure() -> None:
    assert verdicts("BY", "Y?").left["blue"].blocked is None


@pytest.mark.parametrize(
    ("cells", "several"),
    [
        (frozenset((0, col) for col in range(6)), True),
        (frozenset((row, col) for row in range(2) for col in range(5)), True),
        (frozenset((row, col) for row in range(4) for col in range(5)), True),
        (frozenset((0, col) for col in range(5)), True),
    ],
)
def test_blocks_are_filled_by_pieces_of_one_set(cells: frozenset[tuple[int, int]], several: bool) -> None:
    assert is_several_pieces(cells, get_variant("classic").pieces) is several
