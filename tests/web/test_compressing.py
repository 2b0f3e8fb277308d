"""Answers are compressed where that helps, and say so."""

from __future__ import annotations

import gzip

import pytest
from werkzeug.test import TestResponse

from tests.web.conftest import Visitor

GZIP = {"Accept-Encoding": "gzip, deflate, br"}


def fetched(browser: Visitor, path: str) -> TestResponse:
    """The answer for a reader that understands gzip, read and closed."""
    answer = browser.client.get(path, headers=GZIP)
    assert answer.data
    answer.close()
    return answer


@pytest.mark.parametrize("path", ["/", "/live", "/static/page.css", "/static/editor.js", "/api/state", "/download/html"])
def test_text_is_compressed_for_whoever_understands_it(browser: Visitor, path: str) -> None:
    browser.place("blue", [(0, 0)])
    with browser.client.get(path, headers={"Accept-Encoding": "identity"}) as plain:
        assert "Content-Encoding" not in plain.headers
        whole = plain.data
    packed = fetched(browser, path)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == whole
    assert len(packed.data) < len(whole) / 2
    assert int(packed.headers["Content-Length"]) == len(packed.data)
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert packed.headers["X-Content-Type-Options"] == "nosniff"


def test_an_unchanged_part_is_not_sent_again_compressed_or_not(browser: Visitor) -> None:
    for path in ("/live", "/static/page.css"):
        tag = fetched(browser, path).headers["ETag"]
        assert tag.startswith("W/")
        with browser.client.get(path, headers={**GZIP, "If-None-Match": tag}) as again:
            assert again.status_code == 304


def test_pictures_short_answers_and_heads_are_left_alone(browser: Visitor) -> None:
    assert "Content-Encoding" not in fetched(browser, "/download/png").headers
    assert "Content-Encoding" not in fetched(browser, "/api/session").headers
    assert "Content-Encoding" not in browser.client.head("/", headers=GZIP).headers


def test_a_stream_leaves_at_once(browser: Visitor) -> None:
    answer = browser.client.get("/api/events?after=0", headers=GZIP)
    assert "Content-Encoding" not in answer.headers
    answer.close()
