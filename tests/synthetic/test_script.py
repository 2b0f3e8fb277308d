"""Fouls are what their names say, and their corrections put everything back."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.synthetic.script import FOULS, Script, Step, write_script
from tests.synthetic.shapes import KINDS, SHAPES, Player, grid_of, normal, orientations


def foul_of(reason: str, seed: int) -> tuple[Player, Script, Step] | None:
    rng = np.random.default_rng(seed)
    player = Player(KINDS["classic"], rng)
    player.play(int(rng.integers(1, 4)) if reason == "start_not_covered" else int(rng.integers(5, 30)))
    script = Script(player, rng)
    script.turn = len(player.placed)
    return (player, script, script.steps[-2]) if script.foul(reason) else None


def contacts(player: Player, step: Step) -> tuple[bool, bool]:
    piece = step.added[0]
    return player.touches_corner(piece.color, piece.cells), player.touches_edge(piece.color, piece.cells)


@pytest.mark.parametrize("reason", FOULS)
def test_a_foul_can_be_made_and_is_undone(reason: str) -> None:
    made = [m for m in (foul_of(reason, seed) for seed in range(8)) if m]
    assert len(made) >= 4
    for player, script, step in made:
        illegal, correction = script.steps
        assert (illegal.kind, illegal.reason, correction.kind, correction.reason) == ("illegal", reason, "correction", f"undo_{reason}")
        assert (correction.added, correction.removed) == (illegal.removed, illegal.added)
        assert grid_of(20, correction.after) == grid_of(20, player.placed)
        assert grid_of(20, illegal.after) != grid_of(20, correction.after)
        assert illegal.expected == correction.expected == script.color
        check = CHECKS[reason]
        assert check(player, script, step), step


def same_shape(step: Step) -> bool:
    name = step.added[0].piece
    return name in SHAPES and normal(step.added[0].cells) in orientations(name)


CHECKS: dict[str, Callable[[Player, Script, Step], bool]] = {
    "removed_piece": lambda p, _s, f: not f.added and f.removed[0] in p.placed,
    "moved_piece": lambda _p, _s, f: normal(f.added[0].cells) == normal(f.removed[0].cells) and f.added[0].cells != f.removed[0].cells,
    "piece_used_twice": lambda p, s, f: same_shape(f) and f.added[0].piece not in p.hands[s.color] and contacts(p, f) == (True, False),
    "no_corner": lambda p, s, f: f.added[0].piece in p.hands[s.color] and contacts(p, f) == (False, False),
    "not_in_set": lambda p, _s, f: f.added[0].piece is None and len(f.added[0].cells) == 6 and contacts(p, f) == (True, False),
    "edge_touch": lambda p, s, f: f.added[0].piece in p.hands[s.color] and contacts(p, f)[1],
    "wrong_turn": lambda p, s, f: f.added[0].color != s.color and contacts(p, f) == (True, False),
    "two_pieces": lambda p, s, f: len(f.added) == 2 and {a.color for a in f.added} == {s.color} and contacts(p, f) == (True, False),
    "start_not_covered": lambda p, s, f: not p.own[s.color] and not set(f.added[0].cells) & set(p.starts.values()),
}


def test_a_foul_leaves_the_hands_as_they_were() -> None:
    for reason in FOULS:
        for seed in range(4):
            made = foul_of(reason, seed)
            if made:
                player = made[0]
                assert all(len(h) == len(set(h)) for h in player.hands.values())
                assert all(sum(p.color == c for p in player.placed) + len(h) == 21 for c, h in player.hands.items())


def test_a_script_tells_turns_in_order() -> None:
    player = Player(KINDS["classic"], np.random.default_rng(3))
    steps = write_script(player, player.rng, 12, ("edge_touch", "wrong_turn"))
    moves = [s for s in steps if s.kind == "move"]
    assert [s.turn for s in moves] == list(range(1, 13))
    assert "".join(s.expected for s in moves) == "BYRG" * 3
    assert all(s.added[0].color == s.expected for s in moves)
    assert sum(s.kind == "illegal" for s in steps) == sum(s.kind == "correction" for s in steps) == 2
