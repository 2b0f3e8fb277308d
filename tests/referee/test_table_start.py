"""The first look at the board: empty, in the middle of a game, with pieces nobody meant; and pictures that are mirror images."""

import pytest

from referee.errors import BoardTextError, UnknownNameError
from referee.table import Table
from tests.referee.boards import padded
from tests.referee.watched import FIRST_ROUND, Watched, seen, told

EMPTY = ["." * 20] * 20
MIDDLE = padded("BB.................Y ..BBB............YY. ...................Y")


def begun(grid: list[str], *, anywhere: bool = True, next_color: str | None = None, **options: object) -> Watched:
    game = Watched()
    game.table = Table({"order": ["blue", "yellow", "red", "green"], **options})
    game.table.start(grid, start_anywhere=anywhere, next_color=next_color, frame=4)
    game.board = dict(game.table.standing())
    return game


def test_an_empty_board_begins_the_game() -> None:
    table = Table()
    assert [event.as_json() for event in table.start(EMPTY, frame=2, time_s=0.2)] == [
        {"event": "start", "grid": EMPTY, "findings": [], "frame": 2, "time_s": 0.2, "sentence": "The board is empty; the game may begin."}
    ]
    assert table.state()["status"] == "waiting"


def test_start_anywhere_counts_the_pieces_found_as_played() -> None:
    game = begun(MIDDLE, next_color="yellow")
    assert told(game.table.events) == ["start"]
    state = game.table.state()
    assert [(found["turn"], found["color"], found["piece"], found["ruling"]) for found in state["placements"]] == [
        (1, "blue", "2", "legal"),
        (2, "blue", "I3", "legal"),
        (3, "yellow", "1", "legal"),
        (4, "yellow", "2", "legal"),
        (5, "yellow", "1", "legal"),
    ]
    assert "I3" not in state["colors"]["blue"]["pieces_left"]
    assert (state["turn"], state["on_turn"]["color"]) == (6, "yellow")


def test_start_anywhere_finds_only_what_is_wrong() -> None:
    findings = begun(MIDDLE).table.events[0].fields["findings"]
    assert [(found["kind"], found["color"], found["piece"]) for found in findings] == [("piece_already_used", "yellow", "1")]


def test_without_a_next_colour_the_first_legal_placement_says_whose_turn_it_is() -> None:
    game = begun(MIDDLE)
    assert game.table.on_turn() is None
    assert game.put("blue f18") == ["placement 6 blue 1"]
    assert game.table.on_turn() == "yellow"
    assert game.put("red t1") == ["dispute 1 red 1: out_of_turn"]


def test_pieces_on_the_board_without_the_option_are_named_and_asked_about() -> None:
    game = begun(MIDDLE, anywhere=False)
    assert told(game.table.events) == [
        "start",
        "question 1: Yes, the game goes on from here / No, these pieces will be taken away before Blokus begins",
    ]
    assert [found["kind"] for found in game.table.events[0].fields["findings"]].count("piece_on_board") == 4
    assert game.decide("answer", id=1, choice=0) == ["answered 1: 0"]
    assert game.put("blue f18") == ["placement 6 blue 1"]


def test_pieces_left_from_a_demonstration_are_taken_away_silently() -> None:
    game = begun(MIDDLE, anywhere=False)
    assert game.decide("answer", id=1, choice=1) == ["answered 1: 1"]
    assert game.table.standing() == {}
    assert game.look() == []
    for color, cells in [("blue", "a20 b20"), ("blue", "c19 d19 e19"), ("yellow", "t20"), ("yellow", "r19 s19"), ("yellow", "t18")]:
        assert game.take(f"{color} {cells}") == []
    assert game.put("blue a20 b20") == ["placement 1 blue 2"]


def test_pieces_that_lie_there_are_named_with_the_question_whether_they_belong_to_the_game() -> None:
    asked = begun(MIDDLE, anywhere=False).table.state()["questions"][0]["message"]
    assert asked == "These pieces already lie on the board: blue 2 and I3; yellow 1, 2 and 1. Is this the position to start from?"
    one = begun(padded("BB.BBBBBB"), anywhere=False).table.state()["questions"][0]["message"]
    assert one == "These pieces already lie on the board: blue 2 and squares. Is this the position to start from?"


def test_a_game_begun_long_ago_is_told_by_the_number_of_its_pieces() -> None:
    grid = ["." * 20 if row % 2 else "B.Y." * 5 for row in range(20)]
    asked = begun(grid, anywhere=False).table.state()["questions"][0]["message"]
    assert asked == "100 pieces already lie on the board. Is this the position to start from?"


DEMONSTRATION = padded("................B... ................BB.. ...................Y")


def test_pieces_of_a_demonstration_that_still_lie_there_at_the_first_turn_are_named_once() -> None:
    game = begun(DEMONSTRATION, anywhere=False)
    game.decide("answer", id=1, choice=1)
    game.board = seen("................B... ................BB.. ...................Y")
    assert game.put("blue a20 b20") == ["placement 1 blue 2", "reminder blue V3, yellow 1"]
    assert game.table.events[-1].sentence == (
        "These pieces still lie on the board and are no part of the game: blue V3 at q20, q19 and r19; yellow 1 at t18. Take them away."
    )
    assert game.put("yellow t20 s20") == ["placement 2 yellow 2"]
    assert game.take("yellow t18") == []


def test_pieces_of_a_demonstration_are_named_before_a_first_turn_entered_by_hand() -> None:
    game = begun(DEMONSTRATION, anywhere=False)
    game.decide("answer", id=1, choice=1)
    assert game.decide("place", color="blue", cells=[[0, 0]]) == ["placement 1 blue 1", "reminder blue V3, yellow 1"]


def test_pieces_of_a_demonstration_taken_away_before_the_first_turn_is_seen_are_not_named_again() -> None:
    game = begun(DEMONSTRATION, anywhere=False)
    game.decide("answer", id=1, choice=1)
    game.board = seen("BB")
    assert game.look() == ["placement 1 blue 2"]


def test_cells_that_cannot_be_named_are_found_and_taken_for_empty() -> None:
    grid = padded("?.?")
    game = begun(grid)
    assert game.table.events[0].fields["findings"][0]["cells"] == [[0, 0], [0, 2]]
    assert game.table.standing() == {}


def test_a_start_in_a_game_under_way_is_a_look_like_others() -> None:
    game = Watched().play(*FIRST_ROUND)
    assert told(game.table.start(game.table.state()["grid"])) == []
    assert game.table.state()["turn"] == 5


@pytest.mark.parametrize("grid", [[], ["."] * 20, ["." * 20] * 19, ["x" * 20] * 20])
def test_a_first_look_of_another_size_is_refused(grid: list[str]) -> None:
    with pytest.raises(BoardTextError):
        Table().start(grid)


def test_a_next_colour_that_is_not_in_the_game_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="purple"):
        Table().start(EMPTY, start_anywhere=True, next_color="purple")


def test_fifteen_or_twenty_is_said_when_the_last_piece_was_not_seen() -> None:
    table = Table({"variant": "junior", "scoring": "advanced"})
    table.start(["." * 14] * 14, start_anywhere=True)
    assert table.state()["scores"]["colors"]["green"]["advanced"] == -88


# -- mirrored pictures

BACKWARDS = ("blue a20 b20", "yellow a1 b1", "red t1 s1", "green t20 s20")


def test_a_first_round_against_the_clock_asks_whether_the_picture_is_mirrored() -> None:
    game = Watched(order=None)
    lines = [line for piece in BACKWARDS for line in game.put(piece)]
    assert lines[0] == "placement 1 blue 2"
    assert lines[-1] == "question 4: Yes, the picture is a mirror image / No, they did play counter-clockwise"
    assert game.decide("answer", id=4, choice=0) == [
        "answered 4: 0",
        "resolved 1 misread",
        "resolved 2 misread",
        "resolved 3 misread",
        "rejudged 2: illegal -> legal",
        "rejudged 3: illegal -> legal",
        "rejudged 4: illegal -> legal",
    ]
    assert (game.table.on_turn(), game.table.options.mirrored) == ("blue", True)


def test_people_who_do_play_against_the_clock_are_asked_once() -> None:
    game = Watched(order=None)
    for piece in BACKWARDS:
        game.put(piece)
    assert game.decide("answer", id=4, choice=1) == ["answered 4: 1"]
    assert game.look() == []
    assert game.open() == ["dispute 1: out_of_turn", "dispute 2: out_of_turn", "dispute 3: out_of_turn"]


def test_a_first_round_with_the_clock_is_not_asked_about() -> None:
    game = Watched(order=None).play(*FIRST_ROUND)
    assert game.open() == []
