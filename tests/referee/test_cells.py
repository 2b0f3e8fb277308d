import numpy as np
import pytest

from referee.cells import (
    cell_name,
    cell_set,
    cells_in,
    cells_text,
    components,
    corner_neighbors,
    corner_sets,
    is_connected,
    numbers_text,
    parse_cell_name,
    side_neighbors,
    side_sets,
)
from referee.errors import RefereeError


@pytest.mark.parametrize(("cell", "name"), [((19, 0), "a1"), ((0, 0), "a20"), ((0, 19), "t20"), ((19, 19), "t1"), ((10, 8), "i10")])
def test_names_count_rows_from_the_bottom(cell: tuple[int, int], name: str) -> None:
    assert cell_name(cell, 20) == name
    assert parse_cell_name(name, 20) == cell


@pytest.mark.parametrize("name", ["", "a", "a0", "a21", "u1", "1a", "a-1", "aa1", "ä1"])
def test_what_is_no_cell_name_is_refused(name: str) -> None:
    with pytest.raises(RefereeError, match="is no cell of a 20x20 board"):
        parse_cell_name(name, 20)


def test_a_cell_outside_the_board_is_named_by_row_and_column() -> None:
    assert cell_name((-1, 3), 20) == "(-1, 3)"


def test_cells_are_listed_in_reading_order_for_a_sentence() -> None:
    assert cells_text([(0, 1)], 20) == "b20"
    assert cells_text([(1, 0), (0, 1), (0, 0)], 20) == "a20, b20 and a19"
    assert cells_text([], 20) == "nowhere"
    assert numbers_text([0, 1, 20], 20) == "a20, b20 and a19"


def test_a_set_of_cells_survives_bits_but_for_cells_outside() -> None:
    assert cells_in(cell_set([(0, 0), (13, 13), (14, 0), (0, -1)], 14), 14) == {(0, 0), (13, 13)}


@pytest.mark.parametrize("size", [14, 20])
def test_the_end_of_a_row_and_the_start_of_the_next_are_no_neighbors(size: int) -> None:
    last = size - 1
    for row in range(last):
        end = row * size + last
        assert cells_in(side_sets(size)[end], size) == {(r, c) for r, c in [(row - 1, last), (row + 1, last), (row, last - 1)] if r >= 0}
        assert cells_in(corner_sets(size)[end], size) == {(r, c) for r, c in [(row - 1, last - 1), (row + 1, last - 1)] if r >= 0}


def test_groups_hang_together_by_sides_only() -> None:
    assert components([(0, 0), (0, 1), (1, 2)]) == (frozenset({(0, 0), (0, 1)}), frozenset({(1, 2)}))
    assert is_connected([(0, 0), (0, 1)])
    assert not is_connected([(0, 0), (1, 1)])
    assert not is_connected([])


def test_neighbours_are_plain_numbers_whoever_asks_first() -> None:
    row, col = np.array([901, 902])  # whose cells no board has, so that nobody has asked before
    for neighbors in (side_neighbors, corner_neighbors):
        asked = neighbors((row, col))
        assert {type(value) for cell in asked for value in cell} == {int}
        assert neighbors((901, 902)) == asked
