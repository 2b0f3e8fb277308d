"""Circuits on the page: the games of an evening added up by themselves, or those that people choose."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.journal import Journal
from referee.table import Table
from tests.cli.programs import kept
from tests.referee.test_tally import played_out
from tests.web.conftest import Visitor
from web import create_app
from web.live import LiveGame

NAMES = ["Ann", "Bea", "Cem", "Dan"]
SEATED = [NAMES[-game:] + NAMES[:-game] if game else NAMES for game in range(4)]
"""Who plays blue, yellow, red and green in each game of a circuit."""


def hall(folder: Path, *games: Table) -> Visitor:
    """A page on a database of these games, and one that has just begun."""
    db = kept(folder / "games.db", *games)
    journal = Journal(str(db))
    journal.new_game(Table().options.as_json())
    return Visitor(create_app(LiveGame.open(journal)).test_client())


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Visitor:
    """Four games of a circuit, the same seats once more, a duo and a game without names."""
    classic = [played_out("classic", players=names) for names in SEATED]
    others = [played_out("classic", players=NAMES), played_out("duo_complete20"), played_out("classic")]
    return hall(tmp_path_factory.mktemp("evening"), *classic, *others)


def circuit(visitor: Visitor, games: str | None = None) -> str:
    answer = visitor.client.get("/circuit", query_string={} if games is None else {"games": games})
    assert answer.status_code == 200
    return str(answer.get_data(as_text=True))


def totals(html: str) -> dict[str, int]:
    rows = re.findall(r'<th scope="row">.*?</svg>(\w+)</th><td class="number">(\d+)</td>', html)
    return {name: int(total) for name, total in rows}


def left_in(color: str) -> int:
    """The squares that a colour has left in the game that is always the same."""
    return int(played_out("classic").state()["colors"][color]["squares_left"])


def test_chosen_games_are_added_up_by_person(evening: Visitor) -> None:
    html = circuit(evening, "1,2,3,4")
    everything = sum(left_in(color) for color in ("blue", "yellow", "red", "green"))
    assert totals(html) == dict.fromkeys(NAMES, everything), "everybody has played every colour of the same game"
    assert "After 4 of 4 games" in html
    assert "The circuit is over." in html


def test_two_games_are_not_the_end(evening: Visitor) -> None:
    html = circuit(evening, "1,2")
    assert totals(html)["Ann"] == left_in("blue") + left_in("yellow")
    assert "After 2 of 4 games" in html
    assert "The circuit is over." not in html


def test_the_newest_game_s_circuit_is_shown_by_itself(evening: Visitor, tmp_path: Path) -> None:
    assert totals(circuit(evening)) == totals(circuit(evening, "5")), "after four games the next one begins the seats anew"
    others = played_out("classic", players=["Eva", "Fee", "Gil", "Hal"])
    mixed = hall(tmp_path, played_out("classic", players=SEATED[0]), others, played_out("classic", players=SEATED[1]))
    assert totals(circuit(mixed)) == totals(circuit(mixed, "1,3")), "other people's games between do not count"


def test_a_game_at_other_seats_is_refused_with_the_reason(evening: Visitor) -> None:
    html = circuit(evening, "1,5")
    assert re.search(r'class="trouble"[^>]*>Game 2 does not belong to it: Ann, Bea, Cem, Dan played it', html)
    assert totals(html)["Ann"] == left_in("blue")


def test_only_games_of_four_named_people_can_be_chosen(evening: Visitor) -> None:
    listed = re.findall(r"<b>Game (\d+)</b>", circuit(evening))
    assert listed == ["5", "4", "3", "2", "1"]


def test_a_tap_puts_a_game_in_or_takes_it_out(evening: Visitor) -> None:
    hrefs = re.findall(r'href="/circuit\?games=([^"]*)"', circuit(evening, "1,2"))
    assert hrefs == ["1,2,5", "1,2,4", "1,2,3", "1", "2"]


@pytest.mark.parametrize("games", ["", "99", "x", "1,1,1", "-1", "9" * 500, "1;2", "٣"])
def test_nonsense_chooses_nothing_and_breaks_nothing(evening: Visitor, games: str) -> None:
    assert len(totals(circuit(evening, games))) in (0, 4)


def test_without_games_the_page_says_what_to_do(tmp_path: Path) -> None:
    assert "There are none yet" in circuit(hall(tmp_path))
    assert "There are none yet" in circuit(Visitor(create_app(LiveGame(Table())).test_client()))
