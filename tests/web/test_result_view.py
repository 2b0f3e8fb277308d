"""The result as the page explains it."""

from __future__ import annotations

import pytest

from referee.table import Table
from tests.referee.test_tally import NAMES, played_out
from tests.web.states import state_of
from web.result_view import result


def test_as_long_as_people_play_there_is_no_result() -> None:
    assert result(state_of()) is None
    assert result(state_of(status="playing")) is None


def test_a_result_is_explained_piece_by_piece() -> None:
    table = played_out("classic", players=list(NAMES))
    found = result(table.state())
    assert found is not None
    assert found.title == "Final scores"
    assert found.sentences == (), "who has won stands in the banner already"
    for color, words in found.sums.items():
        assert words.endswith(f"= {table.state()['colors'][color]['squares_left']}") or words == "every piece placed"


def test_the_bonus_for_placing_everything_is_explained() -> None:
    found = result(played_out("duo_complete20").state())
    assert found is not None
    assert "every piece placed: +15 for placing everything, +5 for the single square last" in found.sums.values()


@pytest.mark.parametrize("how", ["finish", "abandon"])
def test_a_game_that_was_stopped_has_scores_so_far(how: str) -> None:
    table = Table()
    table.decide({"decision": "place", "color": "blue", "cells": [[0, 0]]})
    table.decide({"decision": how})
    found = result(table.state())
    assert found is not None
    assert found.title == "Scores so far"
    assert ("can still play" in found.sentences[0]) == (how == "finish")
