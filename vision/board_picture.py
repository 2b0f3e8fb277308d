"""The board drawn as a picture, for people who want it without a page: the pieces that lie on it, with coordinates along the edges.

The colours are told apart without colour too: every square carries its colour's mark, the same as on the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from string import ascii_lowercase

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cells import Cell, Cells, on_board
from vision.frames import BgrImage

Bgr = tuple[int, int, int]

Shape = tuple[tuple[float, float], ...]
"""Corners (x, y) of a mark, in squares from the middle of its square."""


def _ngon(corners: int, radius: float, turned: float = 0.0) -> Shape:
    angles = turned + np.arange(corners) * 2 * np.pi / corners
    return tuple((float(radius * np.sin(angle)), float(-radius * np.cos(angle))) for angle in angles)


_PLUS: Shape = tuple(
    (x * 0.2, y * 0.2)
    for x, y in (
        (-0.4, -1),
        (0.4, -1),
        (0.4, -0.4),
        (1, -0.4),
        (1, 0.4),
        (0.4, 0.4),
        (0.4, 1),
        (-0.4, 1),
        (-0.4, 0.4),
        (-1, 0.4),
        (-1, -0.4),
        (-0.4, -0.4),
    )
)


@dataclass(frozen=True)
class PictureStyle:
    """How the board is drawn.

    Attributes:
        cell_px: width of a square; 48 fill a television's height, and print sharply on half a page.
        margin: room for the names of rows and columns, in squares.
        fine: times finer it is drawn before it is made smaller, which smooths every edge.
        paper, board, line, ink: BGR of the ground, the board, its lines, and of names and edges.
        fills: BGR of each colour's pieces.
        marks: outline of each colour's mark.
        dark_marks: the colours so bright that their marks are dark.
        inset: of a piece's edge from that of its squares, in squares, so that neighbours stay two pieces.
        radius: of a piece's corners, in squares.
    """

    cell_px: int = 48
    margin: float = 1.0
    fine: int = 2
    paper: Bgr = (255, 255, 255)
    board: Bgr = (230, 238, 241)
    line: Bgr = (190, 204, 210)
    ink: Bgr = (28, 24, 22)
    fills: Mapping[str, Bgr] = field(
        default_factory=lambda: {
            "blue": (204, 104, 44),
            "yellow": (47, 192, 240),
            "red": (56, 58, 210),
            "green": (82, 145, 44),
            "orange": (44, 127, 236),
            "purple": (179, 72, 119),
        }
    )
    marks: Mapping[str, Shape] = field(
        default_factory=lambda: {
            "blue": _ngon(24, 0.17),
            "yellow": _ngon(3, 0.24),
            "red": _ngon(4, 0.24),
            "green": _PLUS,
            "orange": ((-0.23, -0.08), (0.23, -0.08), (0.23, 0.08), (-0.23, 0.08)),
            "purple": _ngon(4, 0.22, np.pi / 4),
        }
    )
    dark_marks: frozenset[str] = frozenset({"yellow", "orange"})
    inset: float = 0.05
    radius: float = 0.16


def draw_board(
    size: int,
    pieces: Iterable[tuple[str, Cells]],
    *,
    disputed: Cells = frozenset(),
    newest: Cells = frozenset(),
    style: PictureStyle | None = None,
) -> BgrImage:
    """The board of `size` rows and columns with its pieces, (h, w, 3) BGR, row 0 at the top, a1 at the bottom left.

    Args:
        size: rows and columns.
        pieces: each its colour and those of its squares that can be seen; outlined as one piece.
        disputed: squares of open disputes; they are hatched.
        newest: squares of the piece that was put down last; a dark line runs round them.
        style: how.
    """
    drawing = _Drawing(size, style or PictureStyle())
    drawing.lines()
    for color, cells in pieces:
        drawing.piece(color, cells)
    for cell in (cell for cell in disputed if on_board(cell, size)):
        drawing.hatch(cell)
    if newest:
        drawing.mark(newest)
    small = drawing.reduced()
    _write_names(small, size, drawing.style)
    return small


class _Drawing:
    """The board being drawn, `fine` times larger than it will be; units of its methods are squares, the grid's corner at (0, 0)."""

    def __init__(self, size: int, style: PictureStyle) -> None:
        self.size, self.style = size, style
        self.scale = style.cell_px * style.fine
        side = round((size + 2 * style.margin) * self.scale)
        self.image: BgrImage = np.full((side, side, 3), style.paper, np.uint8)

    def at(self, x: float, y: float) -> tuple[int, int]:
        """The pixel of a point."""
        return round((x + self.style.margin) * self.scale), round((y + self.style.margin) * self.scale)

    def lines(self) -> None:
        """The board's face and the lines between its squares."""
        cv2.rectangle(self.image, self.at(0, 0), self.at(self.size, self.size), self.style.board, -1)
        for i in range(self.size + 1):
            thick = self.style.fine * (3 if i in (0, self.size) else 1)
            cv2.line(self.image, self.at(i, 0), self.at(i, self.size), self.style.line, thick)
            cv2.line(self.image, self.at(0, i), self.at(self.size, i), self.style.line, thick)

    def piece(self, color: str, cells: Cells) -> None:
        """One piece: filled, with a dark edge round the whole of it, and the mark of its colour on every square."""
        mask, (left, top) = self._mask(cells)
        height, width = mask.shape
        part = self.image[top : top + height, left : left + width]
        fill = np.array(self.style.fills[color])
        edge = cv2.erode(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (self._odd(0.07),) * 2))
        part[mask > 0] = fill * 0.55
        part[edge > 0] = fill
        mark = (40, 40, 40) if color in self.style.dark_marks else (255, 255, 255)
        for row, col in cells:
            corners = [self.at(col + 0.5 + x, row + 0.5 + y) for x, y in self.style.marks[color]]
            cv2.fillPoly(self.image, [np.array(corners, np.int32)], mark)

    def hatch(self, cell: Cell) -> None:
        """Dark stripes over a square, inside a dark frame."""
        row, col = cell
        (left, top), (right, bottom) = self.at(col, row), self.at(col + 1, row + 1)
        part = self.image[top:bottom, left:right]
        ys, xs = np.mgrid[0 : bottom - top, 0 : right - left]
        part[(xs + ys) % (self.scale // 3) < self.scale // 10] = self.style.ink
        cv2.rectangle(self.image, (left, top), (right, bottom), self.style.ink, self.scale // 12)

    def mark(self, cells: Cells) -> None:
        """A dark line round some squares, inside a light one."""
        mask, (left, top) = self._mask(cells)
        outline, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        for width, color in ((0.3, self.style.paper), (0.15, self.style.ink)):
            cv2.drawContours(self.image, outline, -1, color, max(1, round(width * self.scale)), offset=(left, top))

    def reduced(self) -> BgrImage:
        """The picture at its own size, every edge smoothed."""
        side = self.image.shape[0] // self.style.fine
        return np.asarray(cv2.resize(self.image, (side, side), interpolation=cv2.INTER_AREA), np.uint8)

    def _mask(self, cells: Cells) -> tuple[NDArray[np.uint8], tuple[int, int]]:
        """255 inside the rounded outline of some squares, with the pixel (x, y) of the mask's corner."""
        rows, cols = [row for row, _ in cells], [col for _, col in cells]
        left, top = self.at(min(cols), min(rows))
        right, bottom = self.at(max(cols) + 1, max(rows) + 1)
        mask = np.zeros((bottom - top, right - left), np.uint8)
        for row, col in cells:
            (x0, y0), (x1, y1) = self.at(col, row), self.at(col + 1, row + 1)
            mask[y0 - top : y1 - top, x0 - left : x1 - left] = 255
        inset, round_ = self._odd(2 * self.style.inset), self._odd(2 * self.style.radius)
        mask = np.asarray(cv2.erode(mask, np.ones((inset, inset), np.uint8), borderValue=0), np.uint8)
        opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round_, round_)))
        return np.asarray(opened, np.uint8), (left, top)

    def _odd(self, squares: float) -> int:
        """A length as an odd number of pixels, as the middle of a brush needs."""
        return 2 * round(squares * self.scale / 2) + 1


def _write_names(image: BgrImage, size: int, style: PictureStyle) -> None:
    """The names of columns below and above, of rows left and right: a1 at the bottom left."""
    middle, far = style.margin / 2, style.margin * 1.5 + size
    for i in range(size):
        along = style.margin + i + 0.5
        for place in (middle, far):
            _write(image, ascii_lowercase[i], along * style.cell_px, place * style.cell_px, style)
            _write(image, str(size - i), place * style.cell_px, along * style.cell_px, style)


def _write(image: BgrImage, text: str, x: float, y: float, style: PictureStyle) -> None:
    """A text with its middle at a pixel (x, y)."""
    scale = style.cell_px * 0.4 / 22  # OpenCV's plain letters are about 22 pixels high at scale 1
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)
    cv2.putText(image, text, (round(x - width / 2), round(y + height / 2)), cv2.FONT_HERSHEY_SIMPLEX, scale, style.ink, 1, cv2.LINE_AA)
