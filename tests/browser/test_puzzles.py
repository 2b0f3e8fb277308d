"""Puzzles laid by hand: with taps, by dragging, and with the keys alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from referee.cells import Cell, Cells
from referee.pieces import PIECES
from referee.puzzle import shipped_puzzle
from referee.puzzle_solve import solve
from tests.browser.conftest import Running, opened
from tests.referee.test_puzzle_seen import board
from tests.web.test_puzzles import see
from web.tray import lying

pytestmark = pytest.mark.browser


@pytest.fixture
def page(window: tuple[int, int], chromium: Browser, table: Running) -> Iterator[Page]:
    """The first puzzle in each of the windows."""
    with opened(chromium, table, width=window[0], height=window[1]) as shown:
        shown.goto(f"{table.server.url}puzzles/1")
        yield shown


def keys_to_lay(cells: Cells, piece: str, rows: int, cols: int) -> list[str]:
    """The keys that bring a piece from nowhere to its cells: turned first, then to the corner, then down and right."""
    wanted = at_origin(cells)
    shape, turns = lying(PIECES[piece].orientations[0]), ["ArrowUp"]
    for flip in (False, True):
        for _ in range(4):
            if shape == wanted:
                top, left = min(row for row, _ in cells), min(col for _, col in cells)
                corner = ["ArrowUp"] * rows + ["ArrowLeft"] * cols
                return [*turns, *corner, *["ArrowDown"] * top, *["ArrowRight"] * left]
            height = 1 + max(row for row, _ in shape)
            shape = at_origin(frozenset((col, height - 1 - row) for row, col in shape))
            turns.append("r")
        if not flip:
            shape = at_origin(frozenset((row, -col) for row, col in shape))
            turns.append("f")
    raise AssertionError(f"{piece} cannot lie so")


def at_origin(cells: Cells) -> Cells:
    top, left = min(row for row, _ in cells), min(col for _, col in cells)
    return frozenset((row - top, col - left) for row, col in cells)


def spot(page: Page, cell: Cell) -> tuple[float, float]:
    """Where a cell lies in the window."""
    box = page.locator("#puzzle-board .board-face").bounding_box()
    assert box is not None
    side = box["width"] / 7.25
    return box["x"] + (cell[1] + 0.625) * side, box["y"] + (cell[0] + 0.625) * side


def test_a_puzzle_is_solved_with_the_keys_alone_and_is_remembered(page: Page) -> None:
    puzzle = shipped_puzzle(1)
    [found] = solve(puzzle, limit=1, keep=1).found
    expect(page.locator("#puzzle-verdict")).to_contain_text("Choose a piece")
    for placement in found:
        page.locator(f".given [data-piece='{placement.piece}']").focus()
        page.keyboard.press("Enter")
        page.locator("#puzzle-board").focus()
        for key in keys_to_lay(placement.cells, placement.piece, puzzle.rows, puzzle.cols):
            page.keyboard.press(key)
    expect(page.locator("#puzzle-verdict")).to_have_text("Solved.")
    expect(page.get_by_role("link", name="Next puzzle")).to_be_visible()
    page.get_by_role("link", name="All puzzles").click()
    expect(page.locator("[data-number='1'] .solved")).to_be_visible()
    expect(page.locator("[data-number='2'] .solved")).to_be_hidden()
    assert Axe().run(page).response["violations"] == []


def test_a_wrong_place_is_told_at_once_by_its_squares_and_words(page: Page) -> None:
    page.locator(".given [data-piece='I4']").click()
    page.mouse.click(*spot(page, (1, 2)))
    expect(page.locator("#puzzle-verdict")).to_have_class("verdict needs-script bad")
    expect(page.locator("#puzzle-verdict")).to_contain_text("shares a side")
    expect(page.locator("#puzzle-board .offending").first).to_be_visible()
    assert Axe().run(page).response["violations"] == []
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("#puzzle-verdict")).to_contain_text("Choose a piece")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_a_piece_is_dragged_onto_the_board_and_on_it(page: Page) -> None:
    page.locator(".given [data-piece='I4']").scroll_into_view_if_needed()
    page.locator(".given [data-piece='I4']").hover()
    page.mouse.down()
    page.mouse.move(*spot(page, (0, 1)), steps=5)
    page.mouse.up()
    piece = page.locator("#puzzle-board .halo-last")
    assert piece.get_attribute("d") == "M0 0h1M0 1h1M0 0v1M1 0h1M1 1h1M2 0h1M2 1h1M3 0h1M3 1h1M4 0v1"
    page.mouse.move(*spot(page, (0, 3)))
    page.mouse.down()
    page.mouse.move(*spot(page, (0, 5)), steps=4)
    page.mouse.up()
    assert str(piece.get_attribute("d")).startswith("M2 0h1")
    expect(page.locator("#puzzle-verdict")).to_contain_text("Still to place: P")


def test_the_puzzle_on_the_real_board_is_checked_with_the_camera(window: tuple[int, int], chromium: Browser, table: Running) -> None:
    puzzle = shipped_puzzle(1)
    [found] = solve(puzzle, limit=1, keep=1).found
    laid = {cell: "G" for placement in found for cell in placement.cells}
    see(table.live, board(puzzle, {**laid, max(laid): "?"}, size=20, at=(5, 5)))
    with opened(chromium, table, width=window[0], height=window[1]) as page:
        page.goto(f"{table.server.url}puzzles/1")
        verdict = page.locator("#puzzle-verdict")
        page.get_by_role("button", name="Check with the camera").click()
        expect(verdict).to_contain_text("Not sure: what lies on")
        expect(page.locator("#puzzle-board .unsure")).to_have_count(1)
        expect(page.locator("#puzzle-board .laid")).not_to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        assert Axe().run(page).response["violations"] == []
        see(table.live, board(puzzle, laid, size=20, at=(5, 5), turns=3))
        page.get_by_role("button", name="Check with the camera").click()
        expect(verdict).to_have_text("Solved.")
        expect(page.get_by_role("link", name="Next puzzle")).to_be_visible()


def test_without_a_camera_none_is_offered(page: Page) -> None:
    expect(page.get_by_role("button", name="Check with the camera")).to_have_count(0)
