"""The random player's positions keep the rules that a board shows."""

from __future__ import annotations

import numpy as np
import pytest

from tests.synthetic.shapes import KINDS, SHAPES, Placed, Player, around, diagonal, grid_of, orientations


def test_there_are_21_shapes_and_91_orientations() -> None:
    assert sorted(map(len, SHAPES.values())) == [1, 2, 3, 3, *[4] * 5, *[5] * 12]
    assert sum(len(orientations(name)) for name in SHAPES) == 91
    assert len({orientations(name) for name in SHAPES}) == 21


def problems(kind: str, placed: list[Placed]) -> list[str]:
    found, own, seen = [], dict[str, set[tuple[int, int]]](), set[tuple[int, int]]()
    for piece in placed:
        mine = own.setdefault(piece.color, set())
        cells = set(piece.cells)
        if cells & seen or any(not 0 <= v < KINDS[kind].size for c in cells for v in c):
            found.append(f"{piece} overlaps or leaves the board")
        if any(n in mine for c in cells for n in around(c)):
            found.append(f"{piece} touches its own side")
        if mine and not any(n in mine for c in cells for n in diagonal(c)):
            found.append(f"{piece} has no corner contact")
        if not mine and not cells & set(KINDS[kind].starts):
            found.append(f"{piece} misses the start")
        mine |= cells
        seen |= cells
    return found


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("seed", range(4))
def test_random_positions_are_legal(kind: str, seed: int) -> None:
    player = Player(KINDS[kind], np.random.default_rng(seed))
    placed = player.play(80)
    assert len(placed) > 15
    assert not problems(kind, placed)
    assert all(sum(p.color == c for p in placed) + len(player.hands[c]) == len(KINDS[kind].pieces) for c in KINDS[kind].colors)


def test_the_same_seed_plays_the_same_game() -> None:
    first, second = (Player(KINDS["classic"], np.random.default_rng(7)).play(40) for _ in range(2))
    assert grid_of(20, first) == grid_of(20, second)


def test_a_piece_taken_back_leaves_no_trace() -> None:
    player = Player(KINDS["classic"], np.random.default_rng(1))
    player.play(8)
    hands, board = {c: sorted(h) for c, h in player.hands.items()}, grid_of(20, player.placed)
    piece = player.move("B")
    assert piece is not None
    player.put(piece)
    player.take(piece)
    assert {c: sorted(h) for c, h in player.hands.items()} == hands
    assert grid_of(20, player.placed) == board
    assert player.free(piece.cells)
