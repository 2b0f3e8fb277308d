"""Reading `.blksgf` records: the reference games to the last score, and the good part of every bad one."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.blksgf import MOST_SETUPS, read_blksgf
from referee.cells import cell_name
from referee.errors import OptionsError, RecordError
from referee.events import Event
from referee.record import Record
from referee.replay import replay
from tests.referee.boards import at
from tests.referee.corpus import FOLDER, ReferenceGame, games

FILES = sorted((FOLDER / "blksgf").glob("*.blksgf"))


@cache
def references(file: str) -> dict[int, ReferenceGame]:
    """The reference games of a file by their ids."""
    with (FOLDER / f"{file}.jsonl").open(encoding="utf-8") as lines:
        return {json.loads(line)["id"]: game for line, game in zip(lines, games(file), strict=True)}


def reference_of(path: Path) -> ReferenceGame | None:
    """The reference game of a file like classic_2_011_pentobi1.blksgf, where the corpus has it."""
    words = path.stem.split("_")
    place = next(place for place, word in enumerate(words) if len(word) == 3 and word.isdecimal())
    return references("_".join(words[:place])).get(int(words[place]))


WITH_REFERENCE = [path for path in FILES if reference_of(path)]


def record(*nodes: str, name: str = "Blokus", **given: Any) -> Record:
    return read_blksgf("\n".join(("(", f";GM[{name}]", *(f";{node}" for node in nodes), ")", "")).encode(), given)


def told(found: Record) -> list[Event]:
    return list(replay(found).events)


def last(found: Record) -> Event:
    return told(found)[-1]


FIRST_ROUND = ("1[a20,b20]", "2[s20,t20]", "3[s1,t1]", "4[a1,b1]")


# -- the reference games


@pytest.mark.parametrize("path", WITH_REFERENCE, ids=[path.stem for path in WITH_REFERENCE])
def test_a_reference_game_is_judged_like_the_reference(path: Path) -> None:
    reference, found = reference_of(path), replay(read_blksgf(path.read_bytes()), counts=True)
    assert reference is not None
    placements = [event.fields for event in found.events if event.name == "placement"]
    assert [(f["color"], f["piece"], frozenset(map(tuple, f["cells"])), f["legal_count"]) for f in placements] == [
        (ply.color, ply.piece, ply.cells, ply.legal_count) for ply in reference.plies
    ]
    scores = found.events[-1].fields["scores"]["colors"]
    assert {color: score["basic"] for color, score in scores.items()} == reference.remaining
    assert {color: score["advanced"] for color, score in scores.items()} == reference.advanced


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_every_game_that_pentobi_wrote_is_legal_to_its_end(path: Path) -> None:
    found = replay(read_blksgf(path.read_bytes()))
    names = [event.name for event in found.events]
    assert (names.count("placement"), names[-1]) == (path.read_text().count("\n;") - 1, "game_over")


def test_every_reference_file_is_there() -> None:
    assert (len(FILES), len(WITH_REFERENCE)) == (36, 16)


# -- what is understood


def test_colours_have_the_format_s_corners_and_order() -> None:
    assert [event.fields["color"] for event in told(record(*FIRST_ROUND))[1:-1]] == ["blue", "yellow", "red", "green"]
    assert last(record("1[t20]")).fields["kinds"] == ["start_not_covered"]


@pytest.mark.parametrize(
    "moves",
    [
        ("1[A20,B20]",),
        ("1[ a20 , b20 ]",),
        ("1[b20,a20]",),
        ("1[a20][b20]",),
        ("BLUE[a20,b20]",),
        ("BLUE[A20][B20]",),
        ("1[a20,b20]C[a comment]TE[1]XX[what is this]",),
        ("C[only words]", "1[a20,b20]"),
    ],
)
def test_a_move_may_be_written_in_several_ways(moves: tuple[str, ...]) -> None:
    placement = told(record(*moves))[1]
    assert (placement.name, placement.fields["color"], placement.fields["cells"]) == ("placement", "blue", [[0, 0], [0, 1]])


@pytest.mark.parametrize(("first", "second"), [("B", "W"), ("1", "2"), ("BLUE", "GREEN")])
def test_duo_has_old_names_of_its_colours_too(first: str, second: str) -> None:
    found = told(record(f"{first}[e10]", f"{second}[j5]", name="Blokus Duo"))
    assert [event.fields["color"] for event in found[1:-1]] == ["purple", "orange"]


@pytest.mark.parametrize(
    ("name", "first", "wanted"),
    [
        ("Blokus", "1[a20]", ("classic", "blue")),
        ("Blokus Two-Player", "1[a20]", ("two_player", "blue")),
        ("Blokus Three-Player", "1[a20]", ("three_player", "blue")),
        ("Blokus Duo", "B[e10]", ("duo", "purple")),
        ("Blokus Junior", "B[e10]", ("junior", "green")),
        (" blokus  DUO ", "B[e10]", ("duo", "purple")),
    ],
)
def test_every_game_of_the_format_that_is_refereed_is_known(name: str, first: str, wanted: tuple[str, str]) -> None:
    found = record(first, name=name)
    assert (found.options.variant, told(found)[1].fields["color"]) == wanted


@pytest.mark.parametrize("name", ["Blokus Trigon", "Blokus Trigon Two-Player", "Nexos", "Callisto", "GembloQ", "Go", "1"])
def test_games_of_other_kinds_are_refused_in_one_line(name: str) -> None:
    with pytest.raises(RecordError, match="another kind") as refusal:
        record("1[a20]", name=name)
    assert "\n" not in str(refusal.value)


def test_a_record_must_name_its_game() -> None:
    with pytest.raises(RecordError, match=r"GM\[\.\.\.\] is missing"):
        read_blksgf(b"(;1[a20])")


def test_the_root_tells_names_date_and_occasion() -> None:
    found = read_blksgf(b"(;GM[Blokus Two-Player]PB[Ann]PW[Bob]DT[2026-11-30]EV[Cup]RO[3]PC[Bonn]C[Well\nplayed];1[a20])")
    assert found.options.players == ("Ann", "Bob")
    assert (found.about.date, found.about.event, found.about.place, found.about.comment) == ("2026-11-30", "Cup, 3", "Bonn", "Well\nplayed")


@pytest.mark.parametrize(
    ("root", "wanted"),
    [
        ("P1[Ann]P2[Bob]P3[Cem]P4[Dee]", ("Ann", "Bob", "Cem", "Dee")),
        ("P1[Ann\x1b[31m\\]]P2[\u202eBob]P3[Ce\x00m]P4[D\te\\\ne]", ("Ann[31m]", "Bob", "Cem", "D e e")),
        ("P1[Ann]P2[Robot]P3[Robot]P4[Robot]", ("Ann", "Robot (Yellow)", "Robot (Red)", "Robot (Green)")),
        ("P2[Bob]", ("Blue", "Bob", "Red", "Green")),
        ("PB[Ann]PW[Bob]", ()),
    ],
)
def test_names_of_four_are_made_different(root: str, wanted: tuple[str, ...]) -> None:
    assert read_blksgf(f"(;GM[Blokus]{root};1[a20])".encode()).options.players == wanted


def test_variations_are_read_over() -> None:
    text = b"(;GM[Blokus Duo];B[e10](;W[j5](;B[f9,g9])(;B[d9]))(;W[j6]))"
    assert [event.fields.get("piece") for event in told(read_blksgf(text)) if event.name == "placement"] == ["1", "1", "2"]


# -- positions set up


def test_pieces_set_up_are_the_position_already_reached() -> None:
    found = record("A1[a20,b20]A2[t20]PL[3]", "3[t1]")
    start, placement = told(found)[:2]
    assert start.fields["grid"][0] == "BB.................Y"
    assert (placement.name, placement.fields["turn"], placement.fields["color"]) == ("placement", 3, "red")


def test_the_side_to_move_is_on_turn() -> None:
    assert last(record("A1[a20]A2[t20]PL[3]", "4[a1]")).fields["kinds"] == ["out_of_turn"]


def test_without_a_side_to_move_the_first_legal_placement_decides() -> None:
    assert told(record("A1[a20]A2[t20]", "4[a1]"))[1].name == "placement"


def test_pieces_may_be_set_up_and_taken_away_after_moves() -> None:
    found = record(*FIRST_ROUND, "AE[s1,t1]A1[c19,d19]A3[t1,t2]PL[2]", "2[r19]")
    start, placement = told(found)[:2]
    assert start.fields["grid"][18] == "...................R"
    assert start.fields["grid"][1] == "..BB................"
    assert (placement.fields["turn"], placement.fields["color"]) == (6, "yellow")


def test_after_a_setup_between_moves_the_turn_goes_on() -> None:
    assert last(record(*FIRST_ROUND, "A3[r2]", "2[r19]")).fields["kinds"] == ["out_of_turn"]


def test_two_colour_games_set_up_black_and_white() -> None:
    start = told(record("AB[e10]AW[j5]PL[W]", name="Blokus Duo"))[0]
    assert [row for row in start.fields["grid"] if row.strip(".")] == ["....P.........", ".........O...."]


def test_a_setup_cannot_hide_an_illegal_move() -> None:
    found = record("1[b20]", "AE[b20]A1[a20]PL[2]", "2[t20]")
    assert last(found).fields["kinds"] == ["start_not_covered"]


@pytest.mark.parametrize("setup", ["A1[a20]A2[a20]", "A1[z1]", "AE[a20]", "A1[]", "AB[a20]", "A1[a20]PL[x]"])
def test_a_setup_that_makes_no_sense_is_refused(setup: str) -> None:
    with pytest.raises(RecordError, match="line 3, after move 0"):
        record(setup, "1[a20]")


def test_positions_without_end_are_refused() -> None:
    found = record("1[a20]", *(("A2[t20]", "AE[t20]") * MOST_SETUPS))
    assert found.damage.endswith(f"more than {MOST_SETUPS} nodes set up pieces")


# -- illegal games


@pytest.mark.parametrize(
    ("moves", "turn", "kinds"),
    [
        (("2[t20]",), 1, ["out_of_turn"]),
        ((*FIRST_ROUND, "2[r19]"), 5, ["out_of_turn"]),
        (("1[b19]",), 1, ["start_not_covered"]),
        ((*FIRST_ROUND, "1[c19,c20,d20]"), 5, ["edge_contact"]),
        ((*FIRST_ROUND, "1[c19,d19]"), 5, ["piece_already_used"]),
        ((*FIRST_ROUND, "1[h9]"), 5, ["no_corner_contact"]),
        ((*FIRST_ROUND, "1[t20,s20,r20]"), 5, ["overlap", "no_corner_contact"]),
        (("1[a20,a21]",), 1, ["off_board"]),
        (("1[a20,b20,c20,d20,e20,f20]",), 1, ["not_a_piece", "edge_contact"]),
        (("1[a20,c20]",), 1, ["not_a_piece"]),
    ],
)
def test_the_first_illegal_move_ends_in_a_dispute(moves: tuple[str, ...], turn: int, kinds: list[str]) -> None:
    found = record(*moves, "1[a20]", "2[t20]")
    events = replay(found)
    assert [event.name for event in events.events] == ["start", *["placement"] * (turn - 1), "dispute"]
    assert events.events[-1].fields["kinds"] == kinds
    assert (events.unplayed, found.damage) == (2, "")


def test_a_piece_of_a_reduced_set_cannot_be_played() -> None:
    assert last(record("1[a20]", missing={"blue": ("1",)})).name == "dispute"


def test_junior_has_each_piece_twice() -> None:
    moves = ("B[e10,e9]", "W[j5]", "B[f8,g8]", "W[i4]", "B[h7,h6]")
    assert last(record(*moves, name="Blokus Junior")).fields["kinds"] == ["piece_already_used"]
    assert [event.name for event in told(record(*moves[:4], name="Blokus Junior"))][1:-1] == ["placement"] * 4


# -- damage


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("2[20t]", "'20t' is no point"),
        ("2[]", "2 is empty"),
        ("2[t20,t20]", "names a point twice"),
        ("2[s20,]", "'' is no point"),
        ("2[t20]3[t1]", "2 and 3 stand in one node"),
        ("B[t20]", "B is no colour of Blokus"),
        ("2[u21]", "the piece of yellow lies outside the board: u21"),
        ("2[t20,zz900]", "the piece of yellow lies outside the board: t20,zz900"),
        ("2[zz900]", "the piece of yellow lies outside the board: zz900"),
    ],
)
def test_the_moves_before_one_that_makes_no_sense_are_kept(bad: str, reason: str) -> None:
    found = record("1[a20]", bad, "3[t1]")
    assert reason in found.damage
    assert [event.name for event in told(found)] == ["start", "placement", "unfinished"]


def test_a_text_that_breaks_off_keeps_its_moves() -> None:
    found = read_blksgf(b"(;GM[Blokus];1[a20]\n;2[t2")
    assert found.damage.startswith("line 2: ")
    assert [event.name for event in told(found)] == ["start", "placement", "unfinished"]


def test_a_record_of_which_not_even_the_first_move_can_be_read_is_refused() -> None:
    with pytest.raises(RecordError, match="'x' is no point"):
        record("1[x]")


@pytest.mark.parametrize("path", FILES[::6], ids=[path.stem for path in FILES[::6]])
def test_mutated_bytes_give_a_record_or_a_refusal(path: Path) -> None:
    rng, data = Random(path.stem), path.read_bytes()
    for _ in range(60):
        bad = _mutated(rng, data)
        try:
            found = read_blksgf(bad)
        except RecordError:
            continue
        assert replay(found).events, bad


def _mutated(rng: Random, data: bytes) -> bytes:
    bad = bytearray(data[: rng.randrange(30, 400)])
    for _ in range(rng.randint(0, 4)):
        place = rng.randrange(len(bad))
        bad[place : place + rng.randint(0, 3)] = rng.choice(
            [b"", b"[", b"]", b"(", b")", b";", b"\\", b"a", b"9", b"AE", b"A1", b"PL[1]", b"\xff", b"\0"]
        )
    return bytes(bad)


# -- options


@pytest.mark.parametrize(
    "given",
    [
        {"variant": "duo"},
        {"variant": "two_player"},
        {"order": ("yellow", "red", "green", "blue")},
        {"starts": "free"},
        {"mirrored": True},
        {"players": ("Ann",)},
        {"missing": {"purple": ("W",)}},
    ],
)
def test_options_that_contradict_the_record_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises((OptionsError, ValueError)):
        record("1[a20]", **given)


def test_options_the_format_does_not_fix_apply() -> None:
    given: dict[str, Any] = {
        "scoring": "advanced",
        "touch": "strict",
        "players": ("A", "B", "C", "D"),
        "order": ("blue", "yellow", "red", "green"),
    }
    options = record("1[a20]", **given, starts="seated").options
    assert (options.scoring_used, options.touch, options.players) == ("advanced", "strict", ("A", "B", "C", "D"))


def test_a_game_of_four_may_be_one_of_teams() -> None:
    assert record("1[a20]", variant="partners").options.variant == "partners"


def test_points_are_counted_from_the_bottom() -> None:
    assert cell_name((19, 0), 20) == "a1"
    assert told(record("1[a20]"))[1].fields["cells"] == [list(cell) for cell in at("a20")]
