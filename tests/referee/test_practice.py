"""The demonstrations before a first game: what they show is what the rules say."""

import json

import pytest

from referee.errors import RefereeError
from referee.practice import DEMONSTRATIONS, demonstration
from tests.referee.boards import at

SHOWN = [
    ("corner_contact", True, (), ""),
    ("edge_contact", False, ("edge_contact",), "b20 c20"),
    ("free_contact", True, (), ""),
]


@pytest.mark.parametrize(("name", "is_legal", "kinds", "offending"), SHOWN)
def test_each_demonstration_has_the_ruling_it_is_there_to_show(name: str, is_legal: bool, kinds: tuple[str, ...], offending: str) -> None:
    ruling = demonstration(name).ruling
    assert (ruling.is_legal, ruling.kinds, ruling.offending_cells) == (is_legal, kinds, at(offending))


def test_legal_corner_contact_illegal_edge_contact_and_free_contact_between_colours_are_shown_in_this_order() -> None:
    assert [shown.name for shown in DEMONSTRATIONS] == ["corner_contact", "edge_contact", "free_contact"]


def test_the_edge_contact_shown_has_corner_contact_too_so_that_it_alone_is_the_fault() -> None:
    shown = demonstration("edge_contact")
    assert shown.cells & {(row + 1, col + 1) for row, col in shown.game.position.squares("blue")}


def test_the_free_contact_shown_is_along_sides_of_another_colour() -> None:
    shown = demonstration("free_contact")
    assert shown.cells & {(row + 1, col) for row, col in shown.game.position.squares("yellow")}


def test_people_may_try_pieces_of_their_own_and_nothing_is_played() -> None:
    shown = demonstration("corner_contact")
    before = shown.game.position.to_text()
    assert shown.judge(at("c19 c18 c17")).is_legal
    assert shown.judge(at("k10 k11")).kinds == ("piece_already_used", "no_corner_contact")
    assert shown.game.position.to_text() == before


def test_a_demonstration_as_json_has_the_board_the_piece_and_the_ruling_and_no_score() -> None:
    value = json.loads(json.dumps(demonstration("edge_contact").as_json()))
    assert value["grid"][0] == "BB" + "." * 18
    assert len(value["grid"]) == 20
    assert {key: value[key] for key in ("color", "piece", "cells", "legal", "kinds", "offending_cells")} == {
        "color": "blue",
        "piece": "I3",
        "cells": [[0, 2], [1, 2], [2, 2]],
        "legal": False,
        "kinds": ["edge_contact"],
        "offending_cells": [[0, 1], [0, 2]],
    }
    assert "scores" not in value


def test_a_demonstration_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(RefereeError, match="unknown demonstration 'jump'; known: corner_contact, edge_contact, free_contact"):
        demonstration("jump")
