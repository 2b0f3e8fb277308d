import pytest

from referee.errors import BoardTextError
from referee.position import Position
from tests.referee.boards import padded

PICTURE = """
    BB..
    ..YY
    R..G
"""


def test_a_picture_is_read_and_written_back() -> None:
    rows = padded(PICTURE)
    position = Position.from_text(rows)
    assert position.to_text() == rows
    assert position.cells[(1, 2)] == "yellow"
    assert position.squares("red") == {(2, 0)}


def test_cells_nobody_is_sure_of_are_empty() -> None:
    assert Position.from_text(["?" * 14] * 14) == Position.empty(14)


def test_blocks_are_what_hangs_together_by_sides() -> None:
    position = Position.from_text(padded("BB.\n..B"))
    assert position.blocks("blue") == (frozenset({(0, 0), (0, 1)}), frozenset({(1, 2)}))
    assert position.blocks("red") == ()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["."] * 3, "row 0 has 1 cells, but there are 3 rows"),
        (["x"], "letter 'x' is no colour's"),
    ],
)
def test_a_picture_that_cannot_be_read_says_why(rows: list[str], message: str) -> None:
    with pytest.raises(BoardTextError, match=message):
        Position.from_text(rows)
