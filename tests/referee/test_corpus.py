"""Every ply of every reference game: legal sets, blocked colours, pieces left and scores, all equal."""

from itertools import islice

import pytest

from tests.referee.corpus import GAMES_IN_FILE, ReferenceGame, games, legal_hash

CHUNK = 10
CHUNKS = [(file, first) for file, count in GAMES_IN_FILE.items() for first in range(0, count, CHUNK)]


def _chunk(file: str, first: int) -> list[ReferenceGame]:
    return list(islice(games(file), first, first + CHUNK))


@pytest.mark.parametrize(("file", "first"), CHUNKS)
def test_every_legal_set_and_every_ruling_is_the_reference_s(file: str, first: int) -> None:
    for reference in _chunk(file, first):
        for game, ply in reference.replay():
            where = f"{reference.name} turn {game.turn}"
            placements = game.legal_placements(ply.color)
            assert game.on_turn == ply.color, where
            assert (len(placements), legal_hash(placements)) == (ply.legal_count, ply.legal_hash), where
            assert game.legal_count(ply.color) == ply.legal_count, where
            ruling = game.judge(ply.color, ply.cells)
            assert (ruling.is_legal, ruling.piece) == (True, ply.piece), where


@pytest.mark.parametrize(("file", "first"), CHUNKS)
def test_every_final_result_is_the_reference_s(file: str, first: int) -> None:
    for reference in _chunk(file, first):
        game = reference.final()
        assert game.is_over, reference.name
        for color, hand in game.hands.items():
            score = game.color_score(color)
            assert sorted(hand) == sorted(reference.pieces_left[color]), reference.name
            assert score.basic.as_json() == score.squares_left.as_json() == reference.remaining[color], reference.name
            assert score.advanced.as_json() == reference.advanced[color], reference.name
            assert score.advanced.low + score.basic.low == reference.bonus[color], reference.name


@pytest.mark.parametrize(("file", "first"), CHUNKS)
def test_every_colour_is_retired_when_the_reference_finds_it_without_a_move(file: str, first: int) -> None:
    for reference in _chunk(file, first):
        assert _plies_before_first_skip(reference) == reference.blocked_at, reference.name


def _plies_before_first_skip(reference: ReferenceGame) -> dict[str, int]:
    """For each colour, how many plies had been played when its turn first came with it retired; the last round visits all."""
    found: dict[str, int] = {}
    for played, (game, _) in enumerate(reference.replay()):
        for color in game.skipped:
            found.setdefault(color, played)
    return {color: found.get(color, len(reference.plies)) for color in reference.blocked_at}


def test_the_files_hold_as_many_games_as_their_description_says() -> None:
    assert {file: sum(1 for _ in games(file)) for file in GAMES_IN_FILE} == GAMES_IN_FILE
