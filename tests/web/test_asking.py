"""What anybody may ask without changing anything."""

from __future__ import annotations

import pytest

from tests.web.conftest import Visitor
from tests.web.test_stories import first_round


def test_trying_a_decision_tells_what_it_would_cause_and_changes_nothing(browser: Visitor) -> None:
    first_round(browser)
    browser.place("blue", [(2, 2)])
    before = browser.state
    answer = browser.post("/api/try", {"decision": "correct", "turn": 1, "now": {"color": "blue", "cells": [[0, 0]]}})
    assert [event["event"] for event in answer.get_json()["events"]][:2] == ["corrected", "rejudged"]
    assert answer.get_json()["events"][-1]["offending_cells"] == [[2, 2]]
    assert browser.state == before


def test_trying_to_stop_names_who_can_still_move(browser: Visitor) -> None:
    first_round(browser)
    [event] = browser.post("/api/try", {"decision": "finish"}).get_json()["events"]
    assert set(event["legal_counts"]) == {"blue", "yellow", "red", "green"}
    assert browser.state["status"] == "playing"


def test_what_cannot_be_decided_is_refused_in_one_line(browser: Visitor) -> None:
    answer = browser.post("/api/try", {"decision": "correct", "turn": 7, "now": None})
    assert (answer.status_code, answer.get_json()["message"]) == (422, "there is no placement of turn 7")


@pytest.mark.parametrize("path", ["/api/try", "/api/practice"])
def test_guests_may_ask_and_other_sites_may_not(guest: Visitor, path: str) -> None:
    body = {"decision": "undo", "name": "edge_contact", "cells": [[0, 2]]}
    assert guest.post(path, body).status_code in (200, 422)
    assert guest.post(path, body, Origin="http://evil.example").status_code == 403
    assert guest.post(path, body, **{"X-CSRF-Token": "wrong"}).status_code == 403
    assert guest.client.post(path, data="name=x", headers={"X-CSRF-Token": guest.token}).status_code == 415


def test_practice_judges_what_is_tried(browser: Visitor) -> None:
    answer = browser.post("/api/practice", {"name": "edge_contact", "cells": [[0, 2]]}).get_json()
    assert (answer["legal"], answer["kinds"], answer["offending_cells"]) == (
        False,
        ["edge_contact", "no_corner_contact"],
        [[0, 1], [0, 2]],
    )
    assert browser.post("/api/practice", {"name": "edge_contact", "cells": [[1, 2]]}).get_json()["legal"] is True


def test_practice_answers_in_the_language_of_the_page(browser: Visitor) -> None:
    browser.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "es"
    assert browser.post("/api/practice", {"name": "edge_contact", "cells": [[1, 2]]}).get_json()["message"] == "Azul 1: jugada válida."
    html = browser.client.get("/practice").get_data(as_text=True)
    assert "Azul I3: comparte un lado con una pieza de su color." in html


@pytest.mark.parametrize(
    "body", [{"name": "no such", "cells": [[0, 0]]}, {"name": "edge_contact", "cells": []}, {"cells": [[0, 0]]}, {"name": 3}]
)
def test_practice_refuses_what_it_cannot_judge_in_one_line(browser: Visitor, body: dict[str, object]) -> None:
    answer = browser.post("/api/practice", body)
    assert answer.status_code == 422
    assert "\n" not in answer.get_json()["message"]


def test_the_demonstrations_are_shown_with_their_rulings(browser: Visitor) -> None:
    html = browser.client.get("/practice").get_data(as_text=True)
    assert html.count("data-lesson=") == 3
    assert html.count('class="verdict good"') == 2
    assert html.count('class="offending"') == 2
