"""The second judgement of cells in doubt: when it counts, and that it means the same from every side; small drawn boards."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.boards import drawn, random_rows, spot
from vision.classify import cells_in_doubt, read_cells
from vision.marks import cell_marks
from vision.second import doubt_of_empty, empty_bound, judged_again, learnt, mistrusted, moved_to_unknown, needs_second

CLASSIC = ("blue", "yellow", "red", "green")
USUAL = empty_bound(np.zeros((1, 1), np.float32))[0]


def column(*p: float) -> NDArray[np.float32]:
    return np.array(p, np.float32)[:, None]


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ((0.9995, 0.0004, 0.00005, 0.00005), (0.6, 0.4, 0.0), "first"),
        ((0.9995, 0.0004, 0.00005, 0.00005), (0.1, 0.9, 0.0), "second"),
        ((0.0002, 0.9997, 0.00005, 0.00005), (0.3, 0.7, 0.0), "first"),
        ((0.0002, 0.9997, 0.00005, 0.00005), (0.6, 0.4, 0.0), "second"),
        ((0.8, 0.0001, 0.0001, 0.1998), (0.9995, 0.0005, 0.0), "second"),
        ((0.8, 0.0001, 0.0001, 0.1998), (0.9, 0.1, 0.0), "second"),
    ],
    ids=["empty, not denied", "empty, denied", "colour, borne out", "colour, denied", "in doubt, settled", "in doubt, left so"],
)
def test_the_first_judgement_stands_where_it_is_sure_and_not_denied(first: tuple[float, ...], second: tuple[float, ...], told: str) -> None:
    p = judged_again(column(*first), np.array([second], np.float32), np.array([0]), USUAL)[:, 0]
    expected = first if told == "first" else (second[0], second[1], 0.0, second[2])
    assert p == pytest.approx(expected, abs=1e-3)
    assert float(p.sum()) == pytest.approx(1, abs=1e-5)


def test_things_are_rarer_on_cells_that_look_empty_than_where_it_was_learnt() -> None:
    first, second = column(0.45, 0.0001, 0.0001, 0.5498), np.array([[0.996, 0.0, 0.004]], np.float32)
    assert judged_again(first, second, np.array([0]), USUAL)[3, 0] == pytest.approx(0.001, abs=1e-4)
    assert judged_again(first, second[:, [1, 0, 2]], np.array([0]), USUAL)[3, 0] == pytest.approx(0.004, abs=1e-4)


def test_empty_cells_among_many_that_are_doubted_must_be_borne_out_for_certain() -> None:
    doubt = np.zeros((20, 20), np.float32)
    doubt[:6, :6] = 0.5
    bound = empty_bound(doubt)
    told = judged_again(column(0.9995, 0.0004, 0.00005, 0.00005), np.array([[0.98, 0.02, 0.0]], np.float32), np.array([0]), bound[3, 3:4])
    assert told[:, 0] == pytest.approx((0.98, 0.02, 0.0, 0.0), abs=1e-3)
    assert bound[15:, 15:] == pytest.approx(USUAL[0])


@pytest.mark.parametrize(
    ("first", "second", "label", "least"),
    [
        ((0.997, 0.002, 0.0, 0.001), (0.98, 0.01, 0.01), 0, 0.999),
        ((0.02, 0.95, 0.0, 0.03), (0.01, 0.96, 0.03), 1, 0.99),
    ],
    ids=["empty", "colour"],
)
def test_what_both_judgements_find_likely_is_told(first: tuple[float, ...], second: tuple[float, ...], label: int, least: float) -> None:
    told = judged_again(column(*first), np.array([second], np.float32), np.array([0]), USUAL)[:, 0]
    assert told[label] >= least
    assert float(told.sum()) == pytest.approx(1, abs=1e-5)


def test_judgements_that_differ_do_not_bear_each_other_out() -> None:
    told = judged_again(column(0.997, 0.002, 0.0, 0.001), np.array([[0.03, 0.95, 0.02]], np.float32), np.array([0]), USUAL)[:, 0]
    assert told == pytest.approx((0.03, 0.95, 0.0, 0.02), abs=1e-3)


def test_empty_cells_among_many_that_are_doubted_are_not_borne_out_by_likelihood() -> None:
    doubted = np.full(1, 0.997, np.float32)
    told = judged_again(column(0.997, 0.002, 0.0, 0.001), np.array([[0.98, 0.01, 0.01]], np.float32), np.array([0]), doubted)[:, 0]
    assert told[0] < 0.999


def test_colours_seen_on_cells_that_look_empty_make_those_around_doubtful_and_as_much_of_a_thing_does_not() -> None:
    seen = np.array([[0.1, 0.9, 0.0], [0.1, 0.0, 0.9]], np.float32)
    for doubt, doubtful in zip(doubt_of_empty(seen), (True, False), strict=True):
        board = np.zeros((20, 20), np.float32)
        board[[8, 9, 11, 12], [8, 11, 9, 12]] = doubt
        assert (empty_bound(board)[10, 10] > USUAL[0]) == doubtful


def test_clear_cells_need_no_second_judgement() -> None:
    assert needs_second(np.array([[1.0, 0.9999, 0.0], [0.0, 0.0001, 1.0]], np.float32)).tolist() == [False, True, False]


def test_cells_among_many_in_doubt_are_believed_less() -> None:
    p = np.full((3, 20, 20), 0.0002, np.float32)
    p[0] = 0.9996
    p[:, 4:11:2, 4:11] = column(0.6, 0.2, 0.2)[..., None]
    told = mistrusted(p)
    assert float(told[0, 7, 7]) < 0.95
    assert np.array_equal(told[:, 15:, 15:], p[:, 15:, 15:])
    assert np.allclose(told.sum(0), p.sum(0))


def test_nothing_is_told_in_a_part_of_the_board_where_little_is_understood() -> None:
    p = np.full((3, 20, 20), 0.0000001, np.float32)
    p[0] = 1
    p[:, 2:14:2, 2:14] = column(0.3, 0.1, 0.6)[..., None]
    told = mistrusted(p)
    assert float(told[0, 7, 7]) < 0.95
    assert float(told[0, 19, 19]) == 1
    assert float(mistrusted(p, whole=False)[0, 19, 7]) == 1


def test_a_thing_on_the_board_makes_nothing_around_it_doubtful() -> None:
    p = np.full((3, 20, 20), 0.0002, np.float32)
    p[0] = 0.9996
    p[:, 4:11, 4:11] = column(0.01, 0.01, 0.98)[..., None]
    assert np.array_equal(mistrusted(p), p)


def test_a_share_moved_to_unknown_is_taken_from_all_others() -> None:
    assert moved_to_unknown(column(0.6, 0.3, 0.1), np.array([0.5], np.float32))[:, 0] == pytest.approx([0.3, 0.15, 0.55])


def test_marks_are_the_same_whichever_side_the_board_is_named_from() -> None:
    image, pose = drawn(random_rows(20, "..BYRG", seed=41), light=0.6, glare=spot(624, (250, 330), 60, 140))
    again, facts = cells_in_doubt(image, pose, CLASSIC)
    turned, facts_turned = cells_in_doubt(image, pose.turned(1), CLASSIC)
    marks, others = cell_marks(facts, again), cell_marks(facts_turned, turned)
    assert again.any()
    where = np.full(again.shape, -1)
    where[again] = np.arange(len(marks))
    same = np.rot90(where)[turned]
    assert (np.rot90(again) == turned).mean() > 0.97
    p, q = learnt()(marks[same[same >= 0]]), learnt()(others[same >= 0])
    assert np.median(np.abs(p - q)) < 0.02


@pytest.mark.parametrize("power", [60, 100, 140])
def test_glare_leaves_few_cells_in_doubt_and_none_wrong(power: float) -> None:
    rows = random_rows(20, "..BYRG", seed=42)
    image, pose = drawn(rows, light=0.6, glare=spot(624, (250, 330), 60, power))
    grid = read_cells(image, pose).seen.grid()
    told = [(got, want) for seen, true in zip(grid, rows, strict=True) for got, want in zip(seen, true, strict=True)]
    assert all(got in ("?", want) for got, want in told)
    assert sum(got == "?" for got, _ in told) < 40


def test_an_empty_cell_on_which_a_thing_may_lie_is_not_borne_out_by_likelihood() -> None:
    first, second, color = column(0.997, 0.002, 0.0, 0.001), np.array([[0.98, 0.01, 0.01]], np.float32), np.array([0])
    assert judged_again(first, second, color, USUAL, np.array([0.05], np.float32))[0, 0] >= 0.999
    assert judged_again(first, second, color, USUAL, np.array([0.3], np.float32))[0, 0] < 0.999
