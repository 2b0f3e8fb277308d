"""Writing `.blksgf` records: what Pentobi wrote stays as it was, and every game comes back turned to the format's corners."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.blksgf import read_blksgf
from referee.blksgf_text import main_line
from referee.blksgf_writing import write_blksgf
from referee.errors import DecisionError
from referee.game import Game
from referee.options import GameOptions
from referee.record import About, Record, first_look, move
from referee.replay import replay
from referee.table import Table
from referee.variants import VARIANTS
from tests.referee.corpus import FOLDER
from tests.referee.watched import FIRST_ROUND, FOUL, RED, YELLOW, Watched
from tests.referee.wild import WildBoard, wild_decision, wild_options
from tests.strategies import game_options, games

FILES = sorted((FOLDER / "blksgf").glob("*.blksgf"))


def record_of(game: Game) -> Record:
    """The record of a game in play."""
    return Record(game.options, (first_look(game.options), *(move(color, cells) for color, cells in game.placed)))


def lines_of(*pieces: str, about: About | None = None, **options: Any) -> list[str]:
    """What is written of a watched game, line by line."""
    return written_of(Watched(**options).play(*pieces).table, about)


def written_of(table: Table, about: About | None = None) -> list[str]:
    """The nodes that are written of a table, without their semicolons."""
    text = write_blksgf(Record.of(table, about))
    assert (text[:3], text[-3:]) == ("(\n;", "\n)\n")
    return text[3:-3].split("\n;")


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_what_pentobi_wrote_stays_as_it_was(path: Path) -> None:
    data = path.read_bytes()
    assert write_blksgf(read_blksgf(data)).replace("CA[UTF-8]", "").encode() == data


# -- any game comes back


@settings(deadline=None, max_examples=60)
@given(games(game_options(starts=("seated",)).map(lambda options: replace(options, missing={})), max_moves=16, wildness=0))
def test_a_seated_game_comes_back_legal_with_every_move(game: Game) -> None:
    found = read_blksgf(write_blksgf(record_of(game)).encode())
    events = replay(found).events
    assert [event.fields["piece"] for event in events if event.name == "placement"] == [placed.piece for placed in game.moves]
    assert _squares_left(found.table()) == _squares_by_turn_order(game)


@settings(deadline=None, max_examples=60)
@given(games(game_options(starts=("free", "assigned")).map(lambda options: replace(options, missing={})), max_moves=16, wildness=0))
def test_a_game_with_any_corners_comes_back_legal_with_every_piece(game: Game) -> None:
    found = read_blksgf(write_blksgf(record_of(game)).encode())
    names = {event.name for event in replay(found).events}
    assert not names & {"dispute", "question"}
    assert _squares_left(found.table()) == _squares_by_turn_order(game)
    assert len(found.table().pieces_on_board()) == len(game.moves)


def _squares_left(table: Table) -> list[int]:
    colors = table.state()["colors"]
    return [colors[color]["squares_left"] for color in table.options.rules.colors]


def _squares_by_turn_order(game: Game) -> list[int]:
    order = record_of(game).table().state()["order"]
    return [game.squares_left[color] for color in order]


@settings(deadline=None, max_examples=40)
@given(st.randoms(use_true_random=False))
def test_whatever_happens_at_a_table_is_written_as_pentobi_reads_it(rng: Random) -> None:
    table = _wild_table(rng)
    text = write_blksgf(Record.of(table))
    line = main_line(text)
    assert not line.damage
    found = read_blksgf(text.encode())
    assert not found.damage
    for color, pieces in _used(found).items():
        assert pieces <= Counter(VARIANTS[table.options.variant].pieces), color


def _wild_table(rng: Random) -> Table:
    table = Table(wild_options(rng))
    board = WildBoard(rng, table, is_flat=True)
    table.start(["." * board.size] * board.size)
    for _ in range(15):
        board.cells = board.happen()
        table.observe(board.sure_look())
        try:
            table.decide(wild_decision(rng, table))
        except DecisionError:
            continue
    return table


def _used(record: Record) -> dict[str, Counter[str]]:
    """The pieces that the moves of a record make, by colour."""
    used: dict[str, Counter[str]] = {}
    for placement in record.table().state()["placements"]:
        if not placement["found"] and placement["ruling"] == "legal":
            used.setdefault(placement["color"], Counter())[placement["piece"]] += 1
    return used


# -- turned to the format's corners


def test_a_game_that_sits_as_the_format_wants_is_not_turned() -> None:
    assert lines_of("blue a20 b20", "yellow t20 s20") == ["GM[Blokus]CA[UTF-8]", "1[a20,b20]", "2[s20,t20]"]


def test_a_game_from_another_corner_is_turned() -> None:
    root, *nodes = lines_of("blue t1 s1", "yellow a1 a2", "red a20 b20", "green t20 t19")
    assert nodes == ["1[a20,b20]", "2[t19,t20]", "3[s1,t1]", "4[a1,a2]"]
    assert "The board is turned by a half here." in root


def test_colours_go_by_the_turn_order() -> None:
    root, *nodes = lines_of("red a20 b20", "blue t20", order=["red", "blue", "green", "yellow"])
    assert nodes == ["1[a20,b20]", "2[t20]"]
    assert "Colours go by the turn order here: blue is red, yellow is blue, red is green, green is yellow." in root


def test_a_game_that_ran_counter_clockwise_is_mirrored() -> None:
    root, *nodes = lines_of("blue a20 a19", "yellow a1", "red t1", "green t20", starts="free")
    assert nodes[:4] == ["1[a20,b20]", "2[t20]", "3[t1]", "4[a1]"]
    assert "The board is mirrored along the diagonal from the top left here." in root


def test_corners_in_no_order_of_the_format_are_set_up() -> None:
    root, *nodes = lines_of("blue a20", "yellow t1", "red t20", "green a1", "blue b19 c19", starts="free")
    assert root.endswith("A1[a20]A2[t1]A3[t20]A4[a1]PL[1]")
    assert nodes == ["1[b19,c19]"]


def test_of_two_pieces_on_one_cell_the_first_is_set_up_and_the_other_told() -> None:
    watched = Watched(starts="free").play("blue a20 b20", "yellow t1", "red a1")
    watched.decide("place", color="green", cells=[[0, 1], [0, 2]])
    watched.decide("resolve", id=1, how="let_stand")
    (root,) = written_of(watched.table)
    assert root.endswith("A1[a20,b20]A2[t1]A3[a1]PL[1]")
    assert "Not written as a move, for the format holds none like it: turn 4, green at b20 and c20." in root


@pytest.mark.parametrize(
    ("pieces", "nodes"),
    [
        (("purple e10", "orange j5"), ["B[e10]", "W[j5]"]),
        (("purple j5", "orange e10"), ["B[e10]", "W[j5]"]),
        (("orange e10 e9", "purple j5"), ["B[e9,e10]", "W[j5]"]),
        (("orange e5 e4", "purple j10"), ["B[d10,e10]", "W[j5]"]),
        (("purple j10 j11", "orange e5"), ["B[d10,e10]", "W[j5]"]),
    ],
)
def test_black_is_who_starts_a_game_of_two_from_its_own_mark(pieces: tuple[str, ...], nodes: list[str]) -> None:
    assert lines_of(*pieces, variant="duo")[1:] == nodes


def test_a_position_that_was_found_is_set_up() -> None:
    table = Table({"variant": "duo"})
    rows = ["." * 14] * 4 + ["....PP........"] + ["." * 14] * 9
    table.start(rows, start_anywhere=True, next_color="orange")
    assert written_of(table) == ["GM[Blokus Duo]CA[UTF-8]AB[e10,f10]PL[W]"]


# -- names and words


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"variant": "classic", "players": ["A", "B", "C", "D"]}, "P1[A]P2[B]P3[C]P4[D]"),
        ({"variant": "partners", "players": ["A", "B", "C", "D"]}, "P1[A]P2[B]P3[C]P4[D]"),
        ({"variant": "partners", "players": ["X", "Y"]}, "P1[X]P2[Y]P3[X]P4[Y]"),
        ({"variant": "two_player", "players": ["A", "B"]}, "PB[A]PW[B]"),
        ({"variant": "three_player", "players": ["A", "B", "C"]}, "P1[A]P2[B]P3[C]"),
        ({"variant": "duo", "players": ["A", "B"]}, "PB[A]PW[B]"),
        ({"variant": "duo", "players": ["A", "B"], "order": ["orange", "purple"]}, "PB[A]PW[B]"),
    ],
)
def test_names_stand_where_pentobi_shows_them(options: dict[str, Any], names: str) -> None:
    assert names in lines_of(**options)[0]


def test_the_root_says_what_is_known_of_the_game() -> None:
    about = About("2026-11-30", "Bonn", "Cup]", "Well\nplayed \\")
    assert lines_of(about=about) == ["GM[Blokus]CA[UTF-8]DT[2026-11-30]PC[Bonn]EV[Cup\\]]C[Well\nplayed \\\\]"]
    assert read_blksgf("\n".join(["(", ";" + lines_of(about=about)[0], ")"]).encode()).about == about


def test_the_program_that_writes_is_named() -> None:
    assert "AP[blokus-referee:1.2]" in write_blksgf(Record(GameOptions()), "blokus-referee:1.2")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"variant": "partners"}, "Played in teams: blue and red, yellow and green."),
        ({"scoring": "advanced"}, "Scoring: advanced."),
        ({"variant": "three_player", "shared": "red"}, "The shared colour is red."),
        ({"starts": "free"}, "Each colour could start from any free start cell."),
        ({"missing": {"blue": ["W", "I5"]}}, "Blue's set lacks W and I5."),
    ],
)
def test_house_rules_are_told_in_the_root(options: dict[str, Any], words: str) -> None:
    assert words in lines_of(**options)[0]


def test_what_was_told_once_is_not_told_again_when_a_record_is_rewritten() -> None:
    text = write_blksgf(Record(GameOptions(variant="partners")))
    again = read_blksgf(text.encode(), {"variant": "partners"})
    assert write_blksgf(again) == text


def test_rulings_and_what_people_decided_are_told_with_their_move() -> None:
    watched = Watched().play(*FIRST_ROUND)
    watched.put(FOUL)
    watched.put(YELLOW)
    watched.decide("resolve", id=1, how="let_stand")
    watched.put(RED)
    nodes = written_of(watched.table)
    assert nodes[5].startswith("1[c18,c19,c20]C[Blue's I3 shares a side with another piece of blue at b20 and c20.\n")
    assert "the table lets it stand" in nodes[5]
    assert nodes[6:] == ["2[p19,q19,r19]", "3[p2,q2,r2]"]


def test_a_foul_that_was_taken_back_is_told_with_the_move_before() -> None:
    watched = Watched().play(*FIRST_ROUND)
    watched.put(FOUL)
    watched.take(FOUL)
    nodes = written_of(watched.table)
    assert len(nodes) == 5
    assert nodes[4].startswith("4[a1,b1]C[Blue's I3 shares a side")
    assert "the piece went back to its owner" in nodes[4]


def test_squares_that_are_no_move_of_the_format_are_told() -> None:
    watched = Watched().play(*FIRST_ROUND)
    watched.put("blue c19 d19 e19 f19 g19 h19")
    watched.decide("resolve", id=1, how="let_stand")
    nodes = written_of(watched.table)
    assert nodes[5].startswith("C[")
    assert "Not written as a move, for the format holds none like it: turn 5, blue at c19, d19, e19, f19, g19 and h19." in nodes[5]


def test_a_piece_that_was_lost_during_the_game_is_told_with_its_move() -> None:
    watched = Watched().play(*FIRST_ROUND)
    watched.decide("declare_missing", color="red", pieces=["W"])
    root, *nodes = written_of(watched.table)
    assert "Red's set lacks W." in root
    assert nodes[3] == "4[a1,b1]C[Red plays on without W.]"
