"""The result as the page explains it."""

from __future__ import annotations

from typing import Any

import pytest

from referee.table import Table
from referee.tally import Tally
from tests.referee.test_tally import NAMES, played_out
from tests.web.states import move, state_of
from web.result_view import final_photo, result
from web.tally_words import sentences
from web.translating import in_language


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


def test_what_must_be_said_with_the_numbers_is_said_in_the_page_s_language() -> None:
    table = Table()
    table.decide({"decision": "place", "color": "blue", "cells": [[0, 0]]})
    table.decide({"decision": "place", "color": "yellow", "cells": [[5, 5]]})
    table.decide({"decision": "finish"})
    with in_language("de"):
        found = result(table.state())
        assert found is not None
        assert found.sentences[0] == (
            "Das Spiel ist nicht zu Ende; noch im Spiel: Blau, Gelb, Rot und Grün. Diese Zahlen sind nicht endgültig."
        )
        assert found.sentences[1:] == ("1 Sache ist offen: die Zahlen sind vorläufig, bis der Tisch entschieden hat.",)


@pytest.mark.parametrize("language", ["de", "fr", "es"])
@pytest.mark.parametrize("name", ["classic", "classic_2", "classic_3", "duo_complete20", "junior"])
def test_as_much_is_said_in_every_language_as_in_english(name: str, language: str) -> None:
    tally = Tally.of_table(played_out(name))
    with in_language(language):
        said = sentences(tally)
    assert len(said) == len(tally.sentences)
    assert not {*said} & {*tally.sentences}


def ended(*evidence: list[str], status: str = "over") -> dict[str, Any]:
    """The state of a game that has ended after turns with these pictures."""
    return state_of(status=status, placements=[move(turn, "blue", "1", [[0, 0]], evidence=names) for turn, names in enumerate(evidence, 1)])


def test_the_photo_of_the_end_is_the_last_one_that_is_kept() -> None:
    state = ended(["f1a", "f1b"], ["f2a", "f2b"])
    last = final_photo(state, {"f1b": 1.0, "f2b": 1.5}.get)
    assert last is not None
    assert (last.name, last.caption, last.margin) == ("f2b", "The board after the last turn, as the camera saw it", 1.5)
    earlier = final_photo(state, {"f1b": 1.0, "f2a": 1.0}.get)
    assert earlier is not None
    assert (earlier.name, earlier.caption) == ("f1b", "The board after turn 1, as the camera saw it")


def test_without_pictures_or_an_end_there_is_no_photo() -> None:
    assert final_photo(ended(["f1a", "f1b"]), lambda _: None) is None
    assert final_photo(ended([], []), lambda _: 1.0) is None
    assert final_photo(ended(), lambda _: 1.0) is None
    assert final_photo(ended(["f1a", "f1b"], status="playing"), lambda _: 1.0) is None
