"""What one picture of a board tells of the result, and what it leaves open."""

from __future__ import annotations

import pytest

from referee.bounds import tally_of_grid
from referee.game import Game
from referee.options import GameOptions
from referee.tally import Tally
from tests.referee import corpus
from tests.referee.boards import padded


def only(*names: str) -> GameOptions:
    """A game in which blue's set has these pieces alone."""
    return GameOptions(missing={"blue": tuple(name for name in GameOptions().rules.pieces if name not in names)})


def walled(*rows: str) -> list[str]:
    """A board with these rows at its top left, and yellow on all other cells."""
    return [row.ljust(20, "Y") for row in (*rows, *[""] * (20 - len(rows)))]


def plays(tally: Tally) -> dict[str, str]:
    return {line.color: line.play for line in tally.colors}


def left(tally: Tally) -> dict[str, str]:
    return {line.color: str(line.score.squares_left) for line in tally.colors}


def grid_after(game: corpus.ReferenceGame) -> list[str]:
    return game.final().position.to_text()


@pytest.mark.parametrize("file", ["classic", "classic_2", "classic_3", "classic_complete", "duo_complete", "junior"])
def test_a_clear_picture_of_a_finished_game_gives_its_result(file: str) -> None:
    for game in list(corpus.games(file))[:5]:
        tally = tally_of_grid(GameOptions(game.variant), grid_after(game))
        assert tally.state == "over", game.name
        assert {line.color: line.score.squares_left.low for line in tally.colors} == game.remaining
        assert {line.color: sorted(line.pieces_left) for line in tally.colors} == {c: sorted(p) for c, p in game.pieces_left.items()}
        for line in tally.colors:
            low, high = line.score.advanced.low, line.score.advanced.high
            if game.variant == "junior":
                assert low == high
            elif game.remaining[line.color]:
                assert (low, high) == (game.advanced[line.color],) * 2
            else:
                assert (low, high) == (15, 20)


def test_fifteen_or_twenty_cannot_be_told_and_is_said() -> None:
    game = next(corpus.games("duo_complete20"))
    tally = tally_of_grid(GameOptions("duo"), grid_after(game))
    done = next(color for color, squares in game.remaining.items() if squares == 0)
    assert tally.scores.as_json()["colors"][done]["advanced"] == [15, 20]
    assert any("15 or 20" in sentence for sentence in tally.sentences)


def test_a_set_without_the_single_square_has_no_twenty() -> None:
    game = next(corpus.games("duo_complete"))
    done = next(color for color, squares in game.remaining.items() if squares == 0)
    single = next(ply.cells for ply in game.plies if ply.color == done and ply.piece == "1")
    grid = [
        "".join("." if (row, col) in single else letter for col, letter in enumerate(line)) for row, line in enumerate(grid_after(game))
    ]
    tally = tally_of_grid(GameOptions("duo", missing={done: ("1",)}), grid)
    assert tally.scores.as_json()["colors"][done]["advanced"] == 15


def test_people_who_stop_too_early_are_named_with_their_number_of_placements() -> None:
    game = next(corpus.games("classic"))
    before = Game.new(game.options).replayed((ply.color, ply.cells) for ply in game.plies[:-1])
    last = game.plies[-1].color
    tally = tally_of_grid(GameOptions(players=("Ann", "Bea", "Cem", "Dan")), before.position.to_text())
    assert [line.color for line in tally.can_move] == [color for color in tally.options.rules.colors if before.legal_count(color)]
    assert last in tally.sentences[0]
    assert "not over" in tally.sentences[0]
    assert f"{before.legal_count(last)} placement" in tally.sentences[0]
    assert not tally.is_final


def test_cells_in_doubt_may_be_any_colour_s() -> None:
    tally = tally_of_grid(GameOptions(), padded("BB.?  ...?"))
    assert left(tally) == {"blue": "85 to 87", "yellow": "87 to 89", "red": "87 to 89", "green": "87 to 89"}
    assert tally.scores.as_json()["colors"]["blue"]["squares_left"] == [85, 87]
    assert any("2 squares could not be told" in sentence for sentence in tally.sentences)


@pytest.mark.parametrize("scoring", ["basic", "advanced"])
def test_players_are_listed_best_first_though_their_places_are_not_known(scoring: str) -> None:
    tally = tally_of_grid(GameOptions(scoring=scoring), padded("Y.BB??RRR.G"))
    assert [(player.name, player.place) for player in tally.places] == [("Red", None), ("Blue", None), ("Yellow", None), ("Green", None)]


def test_a_few_cells_in_doubt_do_not_hide_that_a_colour_can_move() -> None:
    assert plays(tally_of_grid(GameOptions(), padded("BB.... ...... .....?")))["blue"] == "can move"


def test_a_colour_is_not_called_able_to_move_when_its_last_pieces_may_lie_in_doubt() -> None:
    """Only the single square is left, and it may be what lies under the doubtful cell."""
    missing = tuple(name for name in GameOptions().rules.pieces if name not in ("1", "2"))
    options = GameOptions(missing={"blue": missing})
    assert plays(tally_of_grid(options, padded("BB..")))["blue"] == "can move"
    assert plays(tally_of_grid(options, padded("BB?. ....")))["blue"] == "unknown"
    assert plays(tally_of_grid(options, padded("BB.. .... .... ...?")))["blue"] == "unknown"
    assert plays(tally_of_grid(options, padded("BB.. ..B.")))["blue"] == "finished"


def test_blocked_is_said_in_spite_of_doubt_that_cannot_help_the_colour() -> None:
    """Blue is walled in; whatever lies on the cell in doubt, far from its corners, blue has no placement."""
    walled = ["BBYY", "YYYY", "YYYY"]
    options = GameOptions(missing={"blue": ("1",)})
    assert plays(tally_of_grid(options, padded(" ".join(walled))))["blue"] == "blocked"
    far = padded(" ".join(walled))
    far[10] = "." * 19 + "?"
    assert plays(tally_of_grid(options, far))["blue"] == "unknown", "the doubtful cell may be blue and open a corner"
    shut = [*far]
    for row, cells in ((9, "YY"), (10, "Y?"), (11, "YY")):
        shut[row] = "." * 18 + cells
    assert plays(tally_of_grid(options, shut))["blue"] == "blocked"


def test_two_pieces_side_by_side_leave_open_which_pieces_are_left() -> None:
    tally = tally_of_grid(GameOptions(), padded("BBBBBB BBBB.."), ["Blue's 10 squares hang together."])
    blue = tally.colors[0]
    assert not blue.is_sure
    assert str(blue.score.squares_left) == "79"
    assert not tally.is_final
    assert "Blue's 10 squares hang together." in tally.sentences


def test_a_piece_laid_twice_earns_no_bonus() -> None:
    """A set of two dominoes' squares on the board, of which one piece is still in the hand."""
    missing = tuple(name for name in GameOptions().rules.pieces if name not in ("2", "1", "I3"))
    options = GameOptions("classic", scoring="advanced", missing={"blue": missing})
    tally = tally_of_grid(options, padded("BB.. ..BB ...."), [])
    assert str(tally.colors[0].score.advanced) == "-2"
    tally = tally_of_grid(options, padded("BB...... ..BB.... ....BB.."), [])
    assert str(tally.colors[0].score.advanced) == "0"


def test_the_shared_colour_counts_for_nobody() -> None:
    tally = tally_of_grid(GameOptions("three_player", shared="red"), padded("B"))
    assert [player.colors for player in tally.scores.players] == [("blue",), ("yellow",), ("green",)]
    assert any(sentence.startswith("Red is played by all in turn") for sentence in tally.sentences)


def test_lost_pieces_do_not_count() -> None:
    tally = tally_of_grid(GameOptions(missing={"blue": ("W", "1")}), padded("BB"))
    assert left(tally)["blue"] == "81"
    assert "W" not in tally.colors[0].pieces_left
    assert any("Blue played without" in sentence for sentence in tally.sentences)


def test_a_colour_that_has_not_begun_is_blocked_when_every_start_corner_is_taken() -> None:
    grid = [list(row) for row in padded("B")]
    grid[0][19], grid[19][0], grid[19][19] = "B", "R", "R"
    assert plays(tally_of_grid(GameOptions(), ["".join(row) for row in grid]))["green"] == "blocked"


@pytest.mark.parametrize(("doubtful", "play"), [("Y", "can move"), ("?", "unknown")])
def test_a_placement_beside_a_cell_in_doubt_is_not_certain(doubtful: str, play: str) -> None:
    """The only place for the I3 has a cell at its side that may be blue."""
    grid = walled("BBYY", "YY.Y", f"YY.{doubtful}", "YY.Y")
    assert plays(tally_of_grid(only("2", "I3"), grid))["blue"] == play


@pytest.mark.parametrize(("doubtful", "play"), [(".", "can move"), ("?", "unknown")])
def test_a_colour_that_is_not_seen_may_have_begun_under_a_cell_in_doubt(doubtful: str, play: str) -> None:
    grid = padded("Y")
    grid[19] = "." * 19 + doubtful
    assert plays(tally_of_grid(GameOptions(), grid))["blue"] == play


@pytest.mark.parametrize(("doubtful", "play"), [("Y", "blocked"), ("?", "unknown")])
def test_a_piece_beside_a_cell_in_doubt_may_be_a_larger_one(doubtful: str, play: str) -> None:
    """Where the blue square is a domino, the single square is left, and it fits."""
    assert plays(tally_of_grid(only("1", "2"), walled(f"{doubtful}BY", "YY.")))["blue"] == play


def test_what_the_last_piece_was_does_not_matter_in_basic_scoring() -> None:
    tally = tally_of_grid(GameOptions("duo", scoring="basic"), grid_after(next(corpus.games("duo_complete20"))))
    assert not any("single square" in sentence for sentence in tally.sentences)
