"""From one noisy look to what happened: the right change, or a doubt, never a wrong one."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.cells import LETTER_COLOR, Cell, Cells
from referee.placements import placement_table
from referee.sightings import Change
from vision.infer import Inference, infer
from vision.observation import EMPTY, UNKNOWN, Observation
from vision.odds import cell_odds

COLORS = ("blue", "yellow", "red", "green")
LABELS = (EMPTY, *COLORS, UNKNOWN)
SIZE = 20
Board = Mapping[Cell, str]


def seen(
    board: Board, *, noise: float = 0.0, seed: int = 0, hidden: Cells = frozenset(), misread: Mapping[Cell, str] | None = None
) -> Observation:
    """A reading of a board: mostly sure, with `noise` as the spread of its logits, some cells hidden, some surely wrong."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(0, noise, (SIZE, SIZE, len(LABELS))) if noise else np.zeros((SIZE, SIZE, len(LABELS)))
    for row in range(SIZE):
        for col in range(SIZE):
            label = (misread or {}).get((row, col), board.get((row, col), EMPTY))
            logits[row, col, LABELS.index(UNKNOWN if (row, col) in hidden else label)] += 9
    return Observation(LABELS, (logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)).astype(np.float32))


def change_odds(before: Board, after: Board) -> np.ndarray:
    """What a comparison of looks says: cells that changed do look changed."""
    out = np.full((SIZE, SIZE), -12.0)
    for cell in Change.between(before, after).cells:
        out[cell] = 5.0
    return out


def told(before: Board, after: Board, **reading: object) -> Inference:
    return infer(cell_odds(before, seen(after, **reading), change_log_odds=change_odds(before, after)))  # type: ignore[arg-type]


def board_of(text: str) -> dict[Cell, str]:
    """Letters on an otherwise empty board, top-left."""
    rows = text.split()
    return {(r, c): LETTER_COLOR[x] for r, row in enumerate(rows) for c, x in enumerate(row) if x in LETTER_COLOR}


placements = st.integers(0, len(placement_table(SIZE).placements) - 1).map(lambda n: placement_table(SIZE).placements[n].cells)


@settings(deadline=None)
@given(placements, placements, st.sampled_from(COLORS), st.sampled_from(COLORS), st.integers(0, 99))
def test_any_single_placement_is_found_whatever_the_rules_say(old: Cells, new: Cells, was: str, color: str, seed: int) -> None:
    before = dict.fromkeys(old, was)
    after = before | dict.fromkeys(new - old, color)
    found = told(before, after, noise=1.0, seed=seed)
    assert found.best == Change.between(before, after)
    assert found.p > 0.7


@settings(deadline=None)
@given(placements, st.sampled_from(COLORS), st.integers(0, 99))
def test_any_removal_is_found(cells: Cells, color: str, seed: int) -> None:
    before = dict.fromkeys(cells, color)
    found = told(before, {}, noise=1.0, seed=seed)
    assert found.best == Change.between(before, {})
    assert found.p > 0.7


def test_a_piece_put_down_in_the_place_of_another_is_found() -> None:
    before, after = board_of("BB. .BB .B."), board_of("BB. .BB ..B")
    found = told(before, after, noise=1.0, seed=4)
    assert found.best == Change.between(before, after)
    assert found.p > 0.9


@settings(deadline=None)
@given(placements, st.sampled_from(COLORS), st.data())
def test_a_shifted_piece_is_found(cells: Cells, color: str, data: st.DataObject) -> None:
    down, right = data.draw(st.sampled_from([(0, 1), (1, 0), (1, 1), (0, -1)]))
    there = {(r + down, c + right) for r, c in cells}
    if all(0 <= r < SIZE and 0 <= c < SIZE for r, c in there):
        before, after = dict.fromkeys(cells, color), dict.fromkeys(there, color)
        assert told(before, after, noise=0.7).best == Change.between(before, after)


@settings(deadline=None)
@given(placements, st.sampled_from(COLORS), st.integers(0, 999), st.data())
def test_a_misread_cell_is_doubted_or_put_right_but_never_believed(cells: Cells, color: str, seed: int, data: st.DataObject) -> None:
    cell = data.draw(st.sampled_from(sorted(cells)))
    after = dict.fromkeys(cells, color)
    found = infer(cell_odds({}, seen(after, noise=0.7, seed=seed, misread={cell: EMPTY}), change_log_odds=change_odds({}, after)))
    assert found.best == Change.between({}, after) or found.p < 0.9 or len(cells) == 1


@settings(deadline=None)
@given(st.integers(0, 9999))
def test_noise_alone_makes_no_event(seed: int) -> None:
    standing = board_of("BB..YY RRR.G. ....GG")
    assert told(standing, standing, noise=2.0, seed=seed).best.is_empty


def test_a_speck_in_an_unchanged_looking_cell_is_nothing() -> None:
    found = told({}, {}, misread={(4, 4): "red"})
    assert found.best.is_empty
    assert found.p > 0.9


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("....", "BBB. .BBB"),  # six squares: no piece of the set
        ("....", "BB.B ...B"),  # two pieces of one colour
        ("....", "BB.Y ...Y"),  # two colours at once
        ("BB..", "..RR"),  # one goes, another comes
        ("BBB. YY..", "B.B. YY.."),  # part of a block goes
        ("BBBB", "BYYB"),  # laid on top
        ("RRR. ....", "R... R... R..."),  # turned on the spot
    ],
)
def test_what_no_legal_move_explains_is_seen_as_it_is(before: str, after: str) -> None:
    was, now = board_of(before), board_of(after)
    found = told(was, now, noise=0.5)
    assert found.best == Change.between(was, now)


def test_another_colour_is_not_bent_to_the_one_on_turn() -> None:
    after = board_of("RR.. .RR.")
    found = infer(cell_odds({}, seen(after), change_log_odds=change_odds({}, after)), (), "blue")
    assert {color for _, color in found.best.added} == {"red"}
    assert found.p > 0.9


def test_hidden_cells_keep_their_last_truth() -> None:
    standing = board_of("BB.. .B..")
    found = told(standing, standing, hidden=frozenset(standing))
    assert found.best.is_empty
    assert found.hidden == frozenset(standing)


def test_a_piece_half_under_a_hand_is_doubtful_and_near_the_hidden_cells() -> None:
    after = board_of("BBBBB")
    found = told({}, after, hidden=frozenset({(0, 3), (0, 4), (0, 5)}))
    assert found.p < 0.9
    assert found.near_hidden(found.best)


def test_a_whole_game_swept_away_is_seen() -> None:
    standing = board_of(" ".join(["BB.YY.RR.GG.BB.YY.RR"] * 14))
    found = told(standing, {}, noise=0.5)
    assert found.best == Change.between(standing, {})


def test_what_is_sure_is_told_apart_from_a_speck_elsewhere() -> None:
    after = board_of("BBBBB")
    odds = change_odds({}, after)
    odds[15, 15] = 2.5
    logs = seen(after).log_p.copy()
    logs[15, 15] = np.log([0.55, 0.01, 0.01, 0.42, 0.005, 0.005])
    found = infer(cell_odds({}, Observation(LABELS, logs), change_log_odds=odds))
    agreed = found.agreed(0.9)
    assert agreed is not None
    assert agreed[0] == Change.between({}, after)


def test_odd_blocks_are_known_as_such() -> None:
    assert told({}, board_of("BBB. .BBB")).is_odd
    assert not told({}, board_of("BBB. ..B.")).is_odd


def test_probabilities_are_ranked_and_sum_to_at_most_one() -> None:
    found = told({}, board_of("BBB. .B.."), noise=2.0, seed=4)
    p = [value for _, value in found.candidates]
    assert p == sorted(p, reverse=True)
    assert sum(p) <= 1 + 1e-9


def test_squares_of_no_piece_are_counted_without_the_pieces_beside_them() -> None:
    found = told({}, board_of("BBB.RR .BBB.R .....RR"), noise=0.5)
    assert found.odd_cells == frozenset(board_of("BBB... .BBB.."))


def test_a_doubtful_square_of_a_piece_is_in_the_answers_and_not_out_of_sight_unless_a_hand_covers_it() -> None:
    after = board_of("BBB. ..BB")
    found = infer(cell_odds({}, seen(after, hidden=frozenset({(1, 3), (9, 9)})), change_log_odds=change_odds({}, after)))
    assert found.hidden == {(1, 3), (9, 9)}
    assert found.hidden - found.weighed(frozenset()) == {(9, 9)}
    assert found.hidden - found.weighed(frozenset({(1, 3)})) == {(1, 3), (9, 9)}


def test_cells_stay_open_as_long_as_something_may_well_have_come_there() -> None:
    piece, square, speck = (Change(frozenset({(cell, "red")})) for cell in ((3, 3), (7, 7), (9, 9)))
    both = Change(piece.added | square.added)
    found = Inference(((piece, 0.9), (both, 0.09), (speck, 0.004)), frozenset())
    assert found.open_cells(piece, 0.01) == {(7, 7)}
    assert found.open_cells(both, 0.01) == {(7, 7)}
