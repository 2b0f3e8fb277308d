import pytest

from referee.placements import placement_table
from referee.variants import get_variant
from tests.referee.slow_rules import fixed_shapes


@pytest.mark.parametrize(("size", "count"), [(20, 30_433), (14, 13_729)])
def test_a_board_has_as_many_placements_as_the_rules_say(size: int, count: int) -> None:
    table = placement_table(size)
    assert len(table.placements) == len(table.number) == count
    assert table.all.bit_count() == count


def test_junior_has_7217_placements_on_its_board() -> None:
    assert placement_table(14).of_pieces(get_variant("junior").pieces).bit_count() == 7_217


def test_every_orientation_lies_at_every_place_where_it_fits() -> None:
    table = placement_table(14)
    for shape in fixed_shapes():
        height, width = 1 + max(row for row, _ in shape), 1 + max(col for _, col in shape)
        corners = [(0, 0), (14 - height, 14 - width)]
        assert all(frozenset((row + top, col + left) for row, col in shape) in table.number for top, left in corners)


def test_the_sets_of_a_cell_are_those_that_cover_it_and_those_that_avoid_it() -> None:
    table = placement_table(14)
    for cell in [(0, 0), (0, 13), (6, 7), (13, 13)]:
        covering = table.covering_any([cell])
        assert set(table.listed(covering)) == {placement for placement in table.placements if cell in placement.cells}
        assert covering ^ table.avoiding[cell[0] * 14 + cell[1]] == table.all


def test_the_placements_of_a_piece_are_its_own_and_all_pieces_together_are_all() -> None:
    table = placement_table(20)
    assert {placement.piece for placement in table.listed(table.of_pieces(["W", "W", "1"]))} == {"1", "W"}
    assert table.of_pieces(table.of_piece) == table.all
    assert table.listed(table.all) == table.placements
    assert table.listed(0) == ()


def test_cells_outside_the_board_are_covered_by_none() -> None:
    assert placement_table(14).covering_any([(-1, 0), (0, 14)]) == 0
