"""Loose pieces are found, coloured, named and counted at any angle, or said to be unsure; nothing else is taken for one."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from referee.pieces import PIECES
from referee.variants import get_variant
from tests.vision.tabletop import GRID, PAINT, Tabletop, bar, disc, view
from vision.loose import LooseLook, find_loose
from vision.loose_count import count_loose
from vision.verdicts import Verdicts

COLORS = ("blue", "yellow", "red", "green")
SPOTS = [(col, row) for row in (-3.5, 23.5) for col in (-2.0, 4.0, 10.0, 16.0, 22.0)]
"""Middles of places above and below the board that are five cells apart."""


def look(top: Tabletop, grid: tuple[str, ...] = GRID) -> LooseLook:
    return find_loose(top.photograph(), top.pose, grid, COLORS)


def told(seen: LooseLook) -> Counter[tuple[str, str | None, int | None]]:
    return Counter((piece.color, piece.piece, piece.squares) for piece in seen.pieces)


@pytest.mark.parametrize("color", COLORS)
@pytest.mark.parametrize("first", [0, 10, 11])
def test_every_piece_is_named_at_any_angle(color: str, first: int) -> None:
    names = list(PIECES)[first : first + 10]
    angles = np.random.default_rng(first).uniform(0, 360, len(names))
    top = Tabletop()
    for name, at, angle in zip(names, SPOTS, angles, strict=True):
        top.lay(color, name, at, float(angle))
    assert told(look(top)) == Counter((color, name, PIECES[name].squares) for name in names)


@pytest.mark.parametrize("tilt_deg", [20, 40, 55])
def test_the_walls_seen_at_a_slant_are_no_squares(tilt_deg: float) -> None:
    top = Tabletop(view(tilt_deg, (1280, 960)))
    laid = {"F": (-4.0, 4.0), "U": (-4.0, 14.0), "W": (24.0, 5.0), "1": (24.0, 14.0), "T4": (3.0, 24.0), "P": (14.0, 24.0)}
    for turn, (name, at) in enumerate(laid.items()):
        top.lay("red", name, at, 25.0 * turn)
    assert told(look(top)) == Counter(("red", name, PIECES[name].squares) for name in laid)


def test_the_outline_lies_where_the_piece_is_seen() -> None:
    top = Tabletop(view(40, (1280, 960))).lay("green", "I3", (24.0, 8.0), 90.0)
    (piece,) = look(top).pieces
    corners = np.array([[23.5, 6.5], [24.5, 6.5], [24.5, 9.5], [23.5, 9.5]])
    expected = top.pose.project(corners, -0.24)
    nearest = np.linalg.norm(piece.polygon_px[:, None] - expected[None], axis=-1).min(0)
    assert len(piece.polygon_px) == 4
    assert nearest.max() < 5  # a quarter of a cell


@pytest.mark.parametrize("gap", [0.25, 0.35])
def test_pieces_that_lie_close_are_told_apart(gap: float) -> None:
    top = Tabletop(view(far_cells=40, image_wh=(1000, 800))).lay("red", "I4", (24.0, 8.0)).lay("red", "I4", (24.0, 9.0 + gap))
    assert told(look(top)) == {("red", "I4", 4): 2}


def test_pieces_side_by_side_are_counted_and_not_named() -> None:
    block = frozenset((row, col) for row, line in enumerate(("##", "##", "#.", "##")) for col, mark in enumerate(line) if mark == "#")
    assert told(look(Tabletop().lay("green", block, (24.5, 10.0), 12.0))) == {("green", None, 7): 1}


@pytest.mark.parametrize("turn_deg", [20, 30, 45, 60, 70])
def test_two_pieces_that_touch_askew_are_told_or_unsure(turn_deg: float) -> None:
    top = Tabletop().lay("blue", "I4", (24.0, 8.0), 90.0).lay("blue", "T4", (24.7, 11.2), 90.0 + turn_deg)
    assert told(look(top)) in ({("blue", "I4", 4): 1, ("blue", "T4", 4): 1}, {("blue", None, None): 1})


def test_two_pieces_that_touch_askew_can_be_told() -> None:
    top = Tabletop().lay("blue", "I4", (24.0, 8.0), 90.0).lay("blue", "T4", (24.7, 11.2), 110.0)
    assert told(look(top)) == {("blue", "I4", 4): 1, ("blue", "T4", 4): 1}


def test_a_piece_cut_off_by_the_picture_s_edge_is_unsure() -> None:
    pose = view(far_cells=30)
    edge = float(pose.unproject(np.array([799.5, 300.0]), -0.24)[0])
    for inside in (1.5, 2.0, 2.5):
        (piece,) = look(Tabletop(pose).lay("red", "I5", (edge - inside + 2.5, 10.0))).pieces
        assert (piece.color, piece.piece, piece.squares) == ("red", None, None)


@pytest.mark.parametrize(
    ("outline", "paint"),
    [
        (disc((24.0, 8.0), 0.6), PAINT["red"]),
        (disc((24.0, 8.0), 2.0), PAINT["blue"]),
        (bar((24.0, 8.0), (0.45, 6.5), 30), PAINT["blue"]),
        (bar((24.5, 8.0), (3.6, 7.4), 15), (40, 40, 42)),
        (bar((24.0, 8.0), (0.75, 0.75), 30), PAINT["red"]),
        (bar((24.0, 8.0), (1.55, 0.78), 30), PAINT["yellow"]),
        (bar((24.0, 8.0), (0.82, 0.82), 30), PAINT["red"]),
        (bar((24.5, 8.0), (1.0, 7.0), 30), PAINT["yellow"]),
        (bar((25.0, 8.0), (4.0, 6.0), 20), PAINT["green"]),
        (disc((24.0, 8.0), 0.56), PAINT["yellow"]),
        (bar((-4.0, 12.0), (5.0, 9.0), 10), (105, 135, 190)),
        (bar((24.0, 8.0), (2.0, 1.0), 10), (235, 235, 235)),
        (bar((24.0, 8.0), (2.0, 1.0), 10), (150, 60, 140)),
    ],
    ids=[
        "coin",
        "mug",
        "pen",
        "phone",
        "die",
        "brick",
        "larger die",
        "long bar",
        "box of whole cells",
        "token",
        "skin",
        "paper",
        "purple block",
    ],
)
def test_other_things_are_no_pieces(outline: np.ndarray, paint: tuple[int, int, int]) -> None:
    assert all(piece.squares is None for piece in look(Tabletop().put(outline, paint)).pieces)


@pytest.mark.parametrize(
    "outline",
    [disc((24.0, 8.0), 0.6), bar((24.0, 8.0), (0.75, 0.75), 30), bar((24.0, 8.0), (1.55, 0.78), 30), bar((25.0, 8.0), (4.0, 6.0), 20)],
    ids=["coin", "die", "brick", "box of whole cells"],
)
@pytest.mark.parametrize("color", ["red", "blue"])
def test_of_things_seen_whole_that_are_no_squares_nothing_is_said(outline: np.ndarray, color: str) -> None:
    assert look(Tabletop().put(outline, PAINT[color])).pieces == ()


def test_of_a_heap_of_pieces_something_is_said() -> None:
    (heap,) = look(Tabletop().lay("red", "I4", (24.0, 8.0)).lay("red", "I4", (24.0, 9.0))).pieces
    assert heap.color == "red"
    assert heap.squares in (None, 8)


@pytest.mark.parametrize("turn_deg", [0.0, 20.0])
@pytest.mark.parametrize("shifts", [(0.5, 0.0, -0.3), (0.0, 0.5, 0.25)])
def test_of_a_heap_whose_squares_lie_on_no_one_lattice_something_is_said(shifts: tuple[float, ...], turn_deg: float) -> None:
    top, turn = Tabletop(view(0, (1280, 960), far_cells=55)), np.radians(turn_deg)
    for down, right in enumerate(shifts):
        at = (24 + right * np.cos(turn) - down * np.sin(turn), 9 + right * np.sin(turn) + down * np.cos(turn))
        top.lay("red", "I4", at, turn_deg)
    assert told(look(top)) == {("red", None, None): 1}


@pytest.mark.parametrize("paint", [(235, 235, 235), (40, 40, 42), (150, 60, 140)], ids=["paper", "phone", "purple"])
def test_a_piece_half_under_something_is_not_taken_for_a_smaller_one(paint: tuple[int, int, int]) -> None:
    for hidden in (1.0, 2.0, 2.5):
        top = Tabletop().lay("red", "I5", (24.0, 8.0)).put(bar((26.5 - hidden + 2.5, 8.0), (5.0, 6.0), 0), paint, height=0.3)
        assert all(piece.squares is None for piece in look(top).pieces)


def test_what_is_printed_on_a_box_is_no_piece() -> None:
    top = Tabletop(view(far_cells=50, image_wh=(1000, 800))).put(bar((27.0, 9.0), (9.0, 8.0), 20), (60, 150, 150), height=0.3)
    for along in (-2.0, 0.0, 2.0):
        top.put(bar((27.0 + along, 9.0), (1.0, 5.0), 0), PAINT["blue"], height=0.3)
    assert all(piece.squares is None for piece in look(top).pieces)


@pytest.mark.parametrize("color", COLORS)
def test_a_piece_that_mirrors_a_lamp_is_named(color: str) -> None:
    top = Tabletop(view(20, (1280, 960))).lay(color, "L5", (24.5, 8.0))
    shining = bar((24.5, 7.5), (2.6, 0.6), 0)
    assert told(look(top.put(shining, (250, 250, 250), height=0.26))) == {(color, "L5", 5): 1}


@pytest.mark.parametrize("color", COLORS)
def test_pieces_are_told_on_a_table_that_is_nearly_of_their_colour(color: str) -> None:
    near = tuple(round(0.35 * white + 0.65 * own) for white, own in zip((120, 150, 170), PAINT[color], strict=True))
    seen = look(Tabletop(table=(near[0], near[1], near[2])).lay(color, "W", (24.0, 8.0), 20.0))
    assert told(seen) == {(color, "W", 5): 1}


def test_a_piece_that_lies_over_an_edge_between_two_cloths_is_named() -> None:
    top = Tabletop(view(far_cells=50, image_wh=(1000, 800)), table=(90, 80, 60)).put(bar((24.5, 0.0), (8.0, 60.0), 0), (200, 190, 180))
    assert told(look(top.lay("red", "L4", (20.5 + 8.0, 10.0), 30.0))) == {("red", "L4", 4): 1}


@pytest.mark.parametrize("table", [(60, 90, 150), (120, 120, 118), (40, 45, 48), (150, 130, 60), (90, 105, 200)])
def test_tables_of_other_colours_make_no_pieces(table: tuple[int, int, int]) -> None:
    assert not look(Tabletop(table=table)).pieces


@pytest.mark.parametrize("color", COLORS)
def test_a_table_of_a_piece_s_colour_is_said_to_hide_it(color: str) -> None:
    seen = look(Tabletop(table=PAINT[color]).lay(color, "W", (24.0, 8.0), 20.0))
    assert (seen.hidden, seen.pieces) == ((color,), ())


def test_a_striped_cloth_in_the_pieces_colours_makes_no_sure_pieces() -> None:
    top = Tabletop(table=(200, 205, 210))
    for at in range(-9, 30, 3):
        top.put(bar((float(at), -5.0), (0.9, 7.0), 0), PAINT["red"])
    assert all(piece.squares is None for piece in look(top).pieces)


def test_sets_are_seen_beside_an_empty_board() -> None:
    top, empty = Tabletop(empty=True), ("." * 20,) * 20
    for color, at in zip(COLORS, SPOTS, strict=False):
        top.lay(color, "P", at, 33.0)
    assert told(look(top, empty)) == {(color, "P", 5): 1 for color in COLORS}


def test_a_checked_cloth_in_a_piece_s_colour_is_said_to_hide_it() -> None:
    top = Tabletop(table=(200, 205, 210))
    for row in range(-8, 28, 2):
        for col in range(-8, 28, 2):
            if not (-2 < row < 21 and -2 < col < 21):
                top.put(bar((col + 0.5, row + 0.5), (1.0, 1.0), 0), PAINT["blue"])
    seen = look(top.lay("red", "W", (24.0, 8.0), 20.0))
    assert "blue" in seen.hidden
    assert all(piece.color != "blue" for piece in seen.pieces)


def test_a_picture_of_the_sets_laid_out_tells_which_piece_is_missing() -> None:
    spots = [(col, row) for row in (-9.5, -4.0, 24.0, 29.5) for col in np.linspace(-9, 29, 8)]
    spots += [(col, row) for col in (-9.5, -4.0, 24.0, 29.5) for row in np.linspace(1, 19, 4)]
    laid = [("blue", name) for name in PIECES] + [("red", name) for name in PIECES if name != "W"]
    top = Tabletop(view(far_cells=58, image_wh=(1280, 1280)), empty=True)
    for (color, name), at, angle in zip(laid, spots, np.random.default_rng(5).uniform(0, 360, len(spots)), strict=False):
        top.lay(color, name, at, float(angle))
    empty = ("." * 20,) * 20
    classic = get_variant("classic")
    blue, yellow, red, _ = count_loose(look(top, empty), Verdicts(empty, classic).left, classic)
    assert (blue.kind, blue.message) == ("loose_count", "Blue: the whole set lies on the table, 21 pieces, 89 squares.")
    assert (red.kind, red.message) == ("loose_mismatch", "Red: 20 of the set's 21 pieces told on the table; not seen: W.")
    assert (yellow.kind, yellow.loose) == ("loose_mismatch", 0)
