"""A drawn table with a board and loose pieces beside it, seen from any side, for the tests of the loose pieces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import PIECE_HEIGHT_CELLS, GridPose
from referee.cells import Cells
from referee.pieces import PIECES

BgrImage = NDArray[np.uint8]
Points = NDArray[np.float64]
Bgr = tuple[int, int, int]

PAINT: dict[str, Bgr] = {"blue": (170, 80, 40), "yellow": (40, 200, 240), "red": (40, 35, 205), "green": (80, 150, 40)}
WHITE: Bgr = (225, 228, 230)
WOOD: Bgr = (120, 160, 195)
SLAB_CELLS = 0.5
"""Thickness of the board: the table lies that far below its surface."""

SHARPER = 2
"""Pictures are drawn larger and shrunk, so that their edges are soft as a camera's."""

GRID = ("BBBBB" + "." * 10 + "YYYYY", *["." * 20] * 18, "RRRRR" + "." * 10 + "GGGGG")
"""What lies on the board of every picture: one long piece of each colour, which shows the colours."""


def view(tilt_deg: float = 0.0, image_wh: tuple[int, int] = (800, 600), far_cells: float = 42.0) -> GridPose:
    """A camera over the middle of the board, leaning back by an angle from straight above."""
    width, height = image_wh
    lean = np.radians(tilt_deg)
    turn = np.array([lean, 0.0, 0.0])
    rotation = cv2.Rodrigues(turn)[0]
    tvec = np.array([0.0, 0.0, far_cells]) - rotation @ np.array([10.0, 10.0, 0.0])
    return GridPose(20, image_wh, 0.9 * width, ((width - 1) / 2, (height - 1) / 2), 0.0, turn, tvec)


@dataclass
class Tabletop:
    """A picture being drawn: the board first, then things around it."""

    pose: GridPose = field(default_factory=view)
    table: Bgr = WOOD
    seed: int = 1
    empty: bool = False

    def __post_init__(self) -> None:
        width, height = self.pose.image_wh
        self._big = self.pose.scaled(SHARPER)
        self._picture = np.full((height * SHARPER, width * SHARPER, 3), self.table, np.uint8)
        self._fill(_square(-0.3, 20.3), WHITE, 0.0)
        for at in range(21):
            for ends in (((0, at), (20, at)), ((at, 0), (at, 20))):
                self._line(np.array(ends, float), (200, 203, 205), 0.0)
        for row, line in enumerate(() if self.empty else GRID):
            for col, letter in enumerate(line):
                if letter != ".":
                    color = {name[0].upper(): paint for name, paint in PAINT.items()}[letter]
                    self._block(_square(0, 1) + np.array([col, row]), color, 0.0)

    def lay(self, color: str, piece: str | Cells, at: tuple[float, float], turn_deg: float = 0.0) -> Tabletop:
        """A piece on the table, its middle at a board point (col, row)."""
        cells = PIECES[piece].orientations[0] if isinstance(piece, str) else piece
        for square in _turned(cells, at, turn_deg):
            self._block(square, PAINT[color], -SLAB_CELLS)
        return self

    def put(self, outline: Points, paint: Bgr, height: float = 0.0) -> Tabletop:
        """Anything flat, by its outline (k, 2) in board points, at a height over the table."""
        self._fill(outline, paint, height - SLAB_CELLS)
        return self

    def photograph(self) -> BgrImage:
        """The picture, with a camera's noise."""
        width, height = self.pose.image_wh
        small = cv2.resize(self._picture, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)
        noise = np.random.default_rng(self.seed).normal(0, 3, small.shape)
        return np.asarray(np.clip(small + noise, 0, 255), np.uint8)

    def _block(self, square: Points, paint: Bgr, foot: float) -> None:
        """One unit square: its walls darker, its top with a bevel."""
        top = foot + PIECE_HEIGHT_CELLS
        walls = np.concatenate([self._big.project(square, height) for height in (foot, top)])
        dark = tuple(0.55 * np.array(paint))
        self._polygon(np.asarray(cv2.convexHull(walls.astype(np.float32)), np.float64).reshape(-1, 2), dark)
        self._fill(square, tuple(0.8 * np.array(paint)), top)
        middle = square.mean(0)
        self._fill(middle + 0.9 * (square - middle), paint, top)

    def _fill(self, outline: Points, paint: Sequence[float], height: float) -> None:
        self._polygon(self._big.project(outline, height), paint)

    def _polygon(self, points_px: Points, paint: Sequence[float]) -> None:
        cv2.fillPoly(self._picture, [np.round(points_px).astype(np.int32)], tuple(float(v) for v in paint))

    def _line(self, ends: Points, paint: Bgr, height: float) -> None:
        first, last = np.round(self._big.project(ends, height)).astype(int).tolist()
        cv2.line(self._picture, first, last, paint, SHARPER)


def disc(at: tuple[float, float], radius: float) -> Points:
    """(48, 2) the outline of a round thing."""
    angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    return np.asarray(np.stack([np.cos(angles), np.sin(angles)], -1) * radius + at)


def bar(at: tuple[float, float], size: tuple[float, float], turn_deg: float) -> Points:
    """(4, 2) the outline of a rectangle: a pen, a phone, a die."""
    return (_square(-0.5, 0.5) * size) @ _spin(turn_deg) + at


def _turned(cells: Iterable[tuple[int, int]], at: tuple[float, float], turn_deg: float) -> list[Points]:
    corner = np.array(sorted(cells), float)[:, ::-1]
    middle = (corner.min(0) + corner.max(0) + 1) / 2
    return [(_square(0, 1) + one - middle) @ _spin(turn_deg) + at for one in corner]


def _spin(turn_deg: float) -> Points:
    c, s = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    return np.array([[c, s], [-s, c]])


def _square(low: float, high: float) -> Points:
    return np.array([[low, low], [high, low], [high, high], [low, high]], float)
