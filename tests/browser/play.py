"""What people do again and again in the stories of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page

from referee.sightings import Change, Sighting

if TYPE_CHECKING:
    from tests.browser.conftest import Running

# A picture that every browser can decode: one white pixel.
JPEG = bytes.fromhex(
    "ffd8ffe000104a46494600010100000100010000ffdb004300030202020202030202020303030304060404040404080606050609080a0a090809090a0c0f0c0a0b0e0b"
    "09090d110d0e0f101011100a0c12131210130f101010ffc9000b080001000101011100ffcc000600101005ffda0008010100003f00d2cf20ffd9"
)


WIDTHS = (320, 390, 820, 1920)


def is_in_order_everywhere(page: Page) -> None:
    """In windows from the smallest phone's to a desktop's, light and dark: nothing is wider than the window, and nobody is shut out."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (scheme, width)
            found = Axe().run(page).response["violations"]
            assert [(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found] == [], (scheme, width)


def first_round(table: Running) -> None:
    table.place("blue", (0, 0), (0, 1), (1, 1))
    table.place("yellow", (0, 19), (1, 19))
    table.place("red", (19, 19))
    table.place("green", (19, 0))


def foul(table: Running) -> None:
    """Blue lays a domino beside its own piece, before the camera's eyes."""
    change = Change(added=frozenset({((1, 2), "blue"), ((1, 3), "blue")}))
    table.live.observe(Sighting(((change, 1.0),), frame=9, evidence=("f9a", "f9b")), {"f9a": JPEG, "f9b": JPEG})


def title(page: Page) -> Locator:
    return page.locator(".banner-title")


def tap_cell(page: Page, row: int, col: int, board: str = "#editor-board") -> None:
    """Tap a cell of the editor's board, or of another one of 20 by 20."""
    holder = page.locator(board).first
    left, top, side = holder.evaluate(
        """(holder) => {
            const [outer, face] = [holder, holder.querySelector(".board-face")].map((one) => one.getBoundingClientRect());
            return [face.left - outer.left - holder.clientLeft, face.top - outer.top - holder.clientTop, face.width / 20.25];
        }"""
    )
    # The place is told relative to the board's holder: what opens above it meanwhile may move it.
    holder.click(position={"x": left + (col + 0.625) * side, "y": top + (row + 0.625) * side})


def editor_place(page: Page, piece: str, row: int, col: int) -> None:
    """Choose a piece in the editor and tap where it goes."""
    page.locator(f"#editor-pieces [data-piece='{piece}']").click()
    tap_cell(page, row, col)


def press_tool(page: Page, window: str, name: str) -> None:
    """Open one of the windows of the tools and press a button in it."""
    page.locator(f".tools [data-dialog='{window}']").click()
    page.locator(f"#{window}").get_by_role("button", name=name).click()
