"""What was read, drawn over the picture it was read from: the grid, each cell's colour, what is in doubt and what breaks a rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from string import ascii_lowercase

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import PIECE_HEIGHT_CELLS, GridPose
from referee.cells import COLOR_LETTER, EMPTY, UNSURE, Cell
from vision.findings import Finding
from vision.frames import BgrImage
from vision.loose import LoosePiece
from vision.verdicts import PictureViolation

Bgr = tuple[int, int, int]


@dataclass(frozen=True)
class OverlayStyle:
    """How it is drawn.

    Attributes:
        colors: BGR of each letter, bright enough for every board.
        line: BGR of the grid lines: a colour that no board and no piece has.
        wrong: BGR of the frame round cells that break a rule.
        ring: share of a cell between its border and the ring in its colour, so that the piece itself stays visible.
        wrong_ring: the same for the frame of a broken rule, outside the coloured ring.
        thickness: of the rings, in cells.
        text: height of the names of rows and columns, in cells.
    """

    colors: tuple[tuple[str, Bgr], ...] = (
        ("B", (255, 90, 30)),
        ("Y", (0, 225, 255)),
        ("R", (40, 40, 255)),
        ("G", (60, 230, 40)),
        ("O", (0, 140, 255)),
        ("P", (255, 60, 200)),
        (UNSURE, (255, 255, 255)),
    )
    line: Bgr = (255, 200, 0)
    wrong: Bgr = (255, 0, 255)
    ring: float = 0.22
    wrong_ring: float = 0.06
    thickness: float = 0.09
    text: float = 0.5


def draw(
    image_bgr: BgrImage,
    pose: GridPose,
    grid: tuple[str, ...],
    *,
    findings: Iterable[Finding] = (),
    violations: Iterable[PictureViolation] = (),
    loose: Iterable[LoosePiece] = (),
    style: OverlayStyle | None = None,
) -> BgrImage:
    """A copy of the picture with the reading drawn over it.

    Args:
        image_bgr: (h, w, 3) picture.
        pose: where the grid lies in it.
        grid: one string a row, as read.
        findings: their cells are crossed out in white.
        violations: their cells are framed.
        loose: they are outlined in their colour and named, in white where they are not sure.
        style: how.
    """
    drawing = _Drawing(np.array(image_bgr, np.uint8), pose, style or OverlayStyle())
    drawing.lines()
    drawing.names()
    for row, letters in enumerate(grid):
        for col, letter in enumerate(letters):
            if letter != EMPTY:
                drawing.ring((row, col), dict(drawing.style.colors)[letter], drawing.style.ring)
    for cell in {cell for finding in findings for cell in finding.cells}:
        drawing.cross(cell)
    for cell in {cell for violation in violations for cell in violation.cells}:
        drawing.ring(cell, drawing.style.wrong, drawing.style.wrong_ring)
    for piece in loose:
        drawing.loose(piece)
    return drawing.image


@dataclass(frozen=True)
class _Drawing:
    """A picture being drawn on, in board coordinates."""

    image: BgrImage
    pose: GridPose
    style: OverlayStyle

    @property
    def cell_px(self) -> float:
        """Usual width of a cell in the picture."""
        return float(np.median(self.pose.cell_sizes_px()))

    @property
    def thickness_px(self) -> int:
        """Of a ring's line."""
        return max(1, round(self.style.thickness * self.cell_px))

    def lines(self) -> None:
        """The grid's lines; bent where the lens bends them."""
        n = self.pose.size
        along = np.linspace(0, n, 41)
        for at in range(n + 1):
            thick = self.thickness_px if at in (0, n) else max(1, self.thickness_px // 2)
            for line in (np.stack([along, np.full_like(along, at)], 1), np.stack([np.full_like(along, at), along], 1)):
                self._stroke(line, self.style.line, thick, closed=False)

    def ring(self, cell: Cell, color: Bgr, inset: float) -> None:
        """A square frame inside a cell, at the height of a piece's top."""
        row, col = cell
        low, high = inset, 1 - inset
        square = np.add([(low, low), (high, low), (high, high), (low, high)], (col, row))
        self._stroke(square, color, self.thickness_px, closed=True, height=PIECE_HEIGHT_CELLS)

    def cross(self, cell: Cell) -> None:
        """Both diagonals of a cell, on the board's surface."""
        row, col = cell
        for ends in (((0.2, 0.2), (0.8, 0.8)), ((0.8, 0.2), (0.2, 0.8))):
            self._stroke(np.add(ends, (col, row)), dict(self.style.colors)[UNSURE], self.thickness_px, closed=False)

    def loose(self, piece: LoosePiece) -> None:
        """The outline of a piece beside the board, and its name or number of squares."""
        told = piece.piece or (str(piece.squares) if piece.squares else UNSURE)
        color = dict(self.style.colors)[UNSURE if piece.squares is None else COLOR_LETTER[piece.color]]
        self._outline(piece.polygon_px, color, self.thickness_px)
        self._write(told, (piece.polygon_px.min(0) + piece.polygon_px.max(0)) / 2)

    def names(self) -> None:
        """The names of columns and rows outside the grid: a1 at the bottom left."""
        n = self.pose.size
        for i in range(n):
            for text, point in ((ascii_lowercase[i], (i + 0.5, -0.7)), (str(n - i), (-0.7, i + 0.5))):
                self._write(text, self.pose.project(np.array([point]))[0])

    def _write(self, text: str, center_xy: NDArray[np.float64]) -> None:
        scale = self.style.text * self.cell_px / 22  # OpenCV's plain letters are about 22 pixels high at scale 1
        (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)
        at = (round(float(center_xy[0]) - width / 2), round(float(center_xy[1]) + height / 2))
        for color, thick in (((0, 0, 0), 3), (self.style.line, 1)):
            cv2.putText(self.image, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, color, thick * max(1, self.thickness_px // 2), cv2.LINE_AA)

    def _stroke(self, col_row: NDArray[np.float64], color: Bgr, thick: int, *, closed: bool, height: float = 0.0) -> None:
        self._outline(self.pose.project(col_row, height), color, thick, closed=closed)

    def _outline(self, points: NDArray[np.float64], color: Bgr, thick: int, *, closed: bool = True) -> None:
        """A line through image points (k, 2)."""
        sixteenths = np.round(points * 16).astype(np.int32).reshape(-1, 1, 2)
        cv2.polylines(self.image, [sixteenths], closed, color, thick, cv2.LINE_AA, shift=4)
