"""The time-lapse on the page: made on demand, once for all who ask, and not by many at a time."""

from __future__ import annotations

import pytest

from tests.web.conftest import Visitor
from tests.web.test_stories import first_round
from vision import timelapse
from web import timelapse as making


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many pictures each GIF made so far has."""
    counts: list[int] = []

    def gif(pictures: list[object]) -> bytes:
        counts.append(len(pictures))
        return b"GIF89a"

    monkeypatch.setattr(timelapse, "gif", gif)
    making._made.cache_clear()
    return counts


def test_whoever_asks_again_gets_the_same_until_somebody_plays(browser: Visitor, made: list[int]) -> None:
    first_round(browser)
    for _ in range(3):
        answer = browser.client.get("/download/gif")
        assert (answer.status_code, answer.mimetype, answer.data) == (200, "image/gif", b"GIF89a")
    assert made == [6]
    browser.place("blue", [(2, 2)])
    browser.client.get("/download/gif")
    assert made == [6, 7]


def test_while_another_one_is_made_people_are_told_to_come_again(
    browser: Visitor, made: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "WAIT_S", 0.01)
    with making._one:
        answer = browser.client.get("/download/gif")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "3")
    assert "try again in a few seconds" in answer.get_data(as_text=True)
    assert made == []


def test_films_are_made_by_the_command_alone(browser: Visitor) -> None:
    assert browser.client.get("/download/mp4").status_code == 404
