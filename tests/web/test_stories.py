"""What people do at the table, through the routes of the page."""

from __future__ import annotations

import re
from pathlib import Path

import web as page_files
from referee.sightings import Change, Sighting
from tests.referee.test_tally import played_out
from tests.web.conftest import Visitor
from web import create_app
from web.live import LiveGame
from web.pictures import Picture

BLUE_START = [(0, 0), (0, 1), (1, 1)]
YELLOW_START = [(0, 19), (1, 19)]
RED_START = [(19, 19)]
GREEN_START = [(19, 0)]


def first_round(visitor: Visitor) -> None:
    visitor.place("blue", BLUE_START)
    visitor.place("yellow", YELLOW_START)
    visitor.place("red", RED_START)
    visitor.place("green", GREEN_START)


def seen(live: LiveGame, *cells: tuple[int, int, str], number: int = 0) -> None:
    """Let the camera see pieces come, with two pictures as evidence."""
    change = Change(added=frozenset(((row, col), color) for row, col, color in cells))
    names = (f"f{number}a", f"f{number}b")
    sighting = Sighting(((change, 1.0),), frame=number, evidence=names)
    live.observe(sighting, {name: Picture(name.encode()) for name in names})


def test_a_new_table_waits_for_the_first_piece(browser: Visitor) -> None:
    html = browser.open_page()
    assert "Place the first piece" in html
    assert "No camera: pieces are entered by hand" in html
    assert "89" in html


def test_a_piece_entered_by_hand_is_ruled_on_and_shown(browser: Visitor) -> None:
    assert browser.place("blue", BLUE_START)[0] == "placement"
    assert browser.state["placements"][0]["piece"] == "V3"
    assert 'data-turn="1"' in browser.html
    assert browser.state["colors"]["blue"]["squares_left"] == 86


def test_after_the_first_round_the_page_says_whose_turn_it_is(browser: Visitor) -> None:
    first_round(browser)
    html = browser.html
    assert '<h1 class="banner-title">Blue</h1>' in html
    assert "Anna" in html


def test_a_piece_that_the_camera_sees_is_shown_as_well(browser: Visitor, live: LiveGame) -> None:
    live.camera("ready")
    seen(live, *[(row, col, "blue") for row, col in BLUE_START])
    assert "Watching" in browser.html
    assert browser.state["placements"][0]["color"] == "blue"


def test_a_foul_takes_over_the_page_until_the_table_decides(browser: Visitor, live: LiveGame) -> None:
    first_round(browser)
    seen(live, (1, 2, "blue"), (1, 3, "blue"), number=9)
    html = browser.html
    assert 'data-mode="dispute"' in html
    assert "Side touches its own colour" in html
    assert "/evidence/f9a.jpg" in html
    assert "/evidence/f9b.jpg" in html
    dispute = browser.state["disputes"][0]
    assert "edge_contact" in dispute["kinds"]
    assert all(f'data-how="{remedy["how"]}"' in html for remedy in dispute["remedies"])
    events = browser.decide("resolve", id=dispute["id"], how="let_stand")
    assert {"event": "resolved", "id": dispute["id"], "how": "let_stand"}.items() <= events[0].items()
    assert 'data-mode="play"' in browser.html
    assert "let stand" in browser.html


def test_the_evidence_can_be_looked_at(browser: Visitor, live: LiveGame) -> None:
    seen(live, (0, 0, "blue"), number=3)
    answer = browser.client.get("/evidence/f3b.jpg")
    assert (answer.status_code, answer.mimetype, answer.data) == (200, "image/jpeg", b"f3b")
    assert browser.client.get("/evidence/f4b.jpg").status_code == 404


def test_a_wrong_decision_says_what_is_wrong_and_changes_nothing(browser: Visitor) -> None:
    before = browser.state
    answer = browser.post("/api/decisions", {"decision": "resolve", "id": 7, "how": "return"})
    assert 400 <= answer.status_code < 500
    assert answer.get_json()["message"]
    assert browser.state == before


def test_asking_whether_a_placement_is_legal_changes_nothing(browser: Visitor) -> None:
    first_round(browser)
    before = browser.state
    [answer] = browser.decide("would_be_legal", color="blue", cells=[[1, 2]])
    assert answer["legal"] is False
    assert "edge_contact" in answer["kinds"]
    assert browser.state == before


def test_undo_takes_the_last_piece_back(browser: Visitor) -> None:
    first_round(browser)
    browser.decide("undo")
    assert [move["color"] for move in browser.state["placements"]] == ["blue", "yellow", "red"]


def test_a_move_is_corrected_and_deleted(browser: Visitor) -> None:
    browser.place("blue", BLUE_START)
    browser.decide("correct", turn=1, now={"color": "blue", "cells": [[0, 0], [0, 1]]})
    assert browser.state["placements"][0]["piece"] == "2"
    browser.decide("correct", turn=1, now=None)
    assert browser.state["placements"] == []


def test_a_claim_is_answered_with_its_proof(browser: Visitor) -> None:
    first_round(browser)
    answer = next(event for event in browser.decide("claim_blocked", color="blue") if event["event"] == "claim")
    assert answer["blocked"] is False
    assert answer["fitting"] > 0


def test_a_new_game_begins_with_what_the_people_agreed(browser: Visitor, live: LiveGame) -> None:
    browser.place("blue", BLUE_START)
    seen(live, (0, 19, "yellow"), number=5)
    [event] = browser.decide("new_game", variant="duo", players=["Eve", "Finn"], missing={"purple": ["W"]}, order=["orange", "purple"])
    assert event["event"] == "new_game"
    state = browser.state
    assert (state["variant"], state["size"], state["placements"], state["game_number"]) == ("duo", 14, [], 2)
    assert {player["name"] for player in state["players"]} == {"Eve", "Finn"}
    assert browser.client.get("/evidence/f5b.jpg").status_code == 404, "the old game's pictures are gone"


def test_a_new_game_understands_the_words_of_the_command_line(browser: Visitor) -> None:
    browser.decide("new_game", variant="classic", players="A, B,C,D", order="red,green,blue,yellow", set="blue:-W")
    state = browser.state
    assert [player["name"] for player in state["players"]] == ["A", "B", "C", "D"]
    assert state["order"] == ["red", "green", "blue", "yellow"]
    assert "W" not in state["colors"]["blue"]["pieces_left"]


def test_a_new_game_with_impossible_options_is_refused_in_one_line(browser: Visitor) -> None:
    before = browser.state
    impossible: list[dict[str, object]] = [
        {"variant": "trigon"},
        {"order": ["blue"]},
        {"order": 3},
        {"players": [1, 2]},
        {"players": ["a", "b", "c", "x" * 61]},
        {"players": ["a", "b", "c", "line\nbreak"]},
        {"players": ["a", "b", "c", " "]},
        {"missing": []},
        {"no": "such"},
    ]
    for options in impossible:
        answer = browser.post("/api/decisions", {"decision": "new_game", **options})
        assert answer.status_code == 422, options
        assert "\n" not in answer.get_json()["message"]
    assert browser.state == before


def test_the_page_is_loud_when_nobody_watches(browser: Visitor, live: LiveGame) -> None:
    live.camera("lost", "The camera was unplugged.")
    html = browser.html
    assert 'class="alarm"' in html
    assert "Not watching: camera lost" in html
    assert "The camera was unplugged." in html


def test_names_cannot_bring_markup_into_the_page(browser: Visitor) -> None:
    browser.decide("new_game", variant="duo", order=["orange", "purple"], players=["<script>alert(1)</script>", '"><img src=x>'])
    html = browser.open_page()
    assert "<script>alert" not in html
    assert "<img src=x" not in html


def test_an_unchanged_page_is_not_sent_again(browser: Visitor) -> None:
    first = browser.client.get("/live")
    again = browser.client.get("/live", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    browser.place("blue", BLUE_START)
    assert browser.client.get("/live", headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


def test_the_page_of_a_whole_game_stays_within_its_weight() -> None:
    browser = Visitor(create_app(LiveGame(played_out("classic"))).test_client())
    paths = ["/", "/static/page.css", "/static/icon.svg", *(f"/static/{name}" for name in loaded_by("main.js"))]
    plain, packed = (sum(weight(browser, path, encoding) for path in paths) for encoding in ("identity", "gzip"))
    assert plain < 150_000
    assert packed < 50_000


def weight(browser: Visitor, path: str, encoding: str) -> int:
    """Bytes of an answer's body on its way."""
    with browser.client.get(path, headers={"Accept-Encoding": encoding}) as answer:
        assert answer.status_code == 200, path
        return len(answer.data)


def loaded_by(script: str) -> set[str]:
    """A script and all that it imports, by name."""
    folder, found, wanted = Path(page_files.__file__).parent / "static", set[str](), {script}
    while wanted:
        name = wanted.pop()
        found.add(name)
        wanted |= set(re.findall(r'from "\./([\w.]+)"', (folder / name).read_text("utf-8"))) - found
    return found
