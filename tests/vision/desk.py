"""A drawn table with a board on it, for the watcher's tests: flat, seen from above, with hands, lamps, shadows and nudges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose
from referee.cells import Cell, Cells
from referee.sightings import Change
from vision.frames import Frame, Lost

BgrImage = NDArray[np.uint8]
Board = Mapping[Cell, str]

PAINT = {"blue": (170, 70, 30), "yellow": (40, 200, 245), "red": (35, 30, 205), "green": (75, 140, 30)}
SIZE = 20
CELL_PX = 20
WH = (640, 520)
MIDDLE = ((WH[0] - 1) / 2, (WH[1] - 1) / 2)


@dataclass(frozen=True)
class Desk:
    """What the camera sees.

    Attributes:
        board: occupied cells and their colours.
        hand: centre (x, y) of a hand's tip in px, its arm coming from below; None: no hand.
        held: colour of a piece held by that hand, laid askew.
        gain: of the light.
        tint: gains of the channels.
        lamp: strength of a lamp at the left side.
        shadow: columns (first, last) of px under a soft shadow.
        nudge: (dx, dy, degrees) of the camera.
        busy: seed of motion beside the board; None: none.
        blur: standard deviation in px of what a camera out of focus does.
    """

    board: Board = field(default_factory=dict)
    hand: tuple[int, int] | None = None
    held: str | None = None
    gain: float = 1.0
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    lamp: float = 0.0
    shadow: tuple[int, int] | None = None
    nudge: tuple[float, float, float] = (0.0, 0.0, 0.0)
    busy: int | None = None
    blur: float = 0.7

    def put(self, color: str, cells: Iterable[Cell]) -> Desk:
        """The desk with one piece more."""
        return replace(self, board={**self.board, **dict.fromkeys(cells, color)})

    def take(self, cells: Iterable[Cell]) -> Desk:
        """The desk without what lay on the cells."""
        gone = set(cells)
        return replace(self, board={cell: color for cell, color in self.board.items() if cell not in gone})

    def but(self, **changes: object) -> Desk:
        """The desk with other attributes."""
        return replace(self, **changes)  # type: ignore[arg-type]

    @property
    def pose(self) -> GridPose:
        """The grid in its picture."""
        return GridPose.from_corners(self._warped(_corners()), WH, SIZE, focal_px=1e5)

    def _warped(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(points @ self._matrix[:, :2].T + self._matrix[:, 2])

    @property
    def _matrix(self) -> NDArray[np.float64]:
        dx, dy, degrees = self.nudge
        turn = np.asarray(cv2.getRotationMatrix2D(MIDDLE, degrees, 1.0), np.float64)
        return np.asarray(turn + np.array([[0, 0, dx], [0, 0, dy]]), np.float64)

    def picture(self, seed: int = 0) -> BgrImage:
        """The camera's picture, with its noise."""
        image = _table().copy()
        for cell, color in self.board.items():
            _draw_square(image, cell, PAINT[color])
        if self.busy is not None:
            _draw_passer_by(image, self.busy)
        light = self._light()
        if self.hand is not None:
            _draw_hand(image, self.hand, self.held)
        lit = image * (light[..., None] * np.array(self.tint, np.float32))
        if any(self.nudge):
            lit = np.asarray(cv2.warpAffine(lit, self._matrix, WH, borderMode=cv2.BORDER_REPLICATE), np.float32)
        noise = np.roll(_noise(), (37 * seed, 101 * seed), (0, 1))
        return np.asarray(np.clip(cv2.GaussianBlur(lit, (0, 0), self.blur) + noise, 0, 255), np.uint8)

    def _light(self) -> NDArray[np.float32]:
        light = np.full((WH[1], WH[0]), self.gain, np.float32)
        light *= (1 + self.lamp * np.linspace(1, 0, WH[0]) ** 2).astype(np.float32)[None, :]
        if self.shadow is not None:
            band = np.zeros((WH[1], WH[0]), np.float32)
            band[:, self.shadow[0] : self.shadow[1]] = 1
            light *= 1 - 0.35 * cv2.GaussianBlur(band, (0, 0), 9)
        return light


def _corners() -> NDArray[np.float64]:
    left, top = (WH[0] - SIZE * CELL_PX) / 2 - 0.5, (WH[1] - SIZE * CELL_PX) / 2 - 0.5
    side = SIZE * CELL_PX
    return np.array([[left, top], [left + side, top], [left + side, top + side], [left, top + side]])


@cache
def _noise() -> NDArray[np.float32]:
    return np.random.default_rng(2).normal(0, 2, (WH[1], WH[0], 3)).astype(np.float32)


@cache
def _table() -> NDArray[np.float32]:
    """Wood with a grain, a board with a rim and grid lines."""
    rng = np.random.default_rng(1)
    grain = cv2.GaussianBlur(rng.normal(0, 40, (WH[1], WH[0])), (0, 0), 3)
    image = np.full((WH[1], WH[0], 3), (70, 100, 135), np.float32) + grain[..., None].astype(np.float32)
    (left, top), _, (right, bottom), _ = (_corners() + 0.5).astype(int).tolist()
    rim = CELL_PX // 2
    cv2.rectangle(image, (left - rim, top - rim), (right + rim, bottom + rim), (175, 178, 180), -1)
    for k in range(SIZE + 1):
        at = k * CELL_PX
        cv2.line(image, (left + at, top), (left + at, bottom), (120, 122, 125), 2)
        cv2.line(image, (left, top + at), (right, top + at), (120, 122, 125), 2)
    return image


def _draw_square(image: NDArray[np.float32], cell: Cell, paint: tuple[int, int, int]) -> None:
    left, top = (_corners()[0] + 0.5).astype(int).tolist()
    x, y = left + cell[1] * CELL_PX, top + cell[0] * CELL_PX
    cv2.rectangle(image, (x, y), (x + CELL_PX - 1, y + CELL_PX - 1), [0.7 * p for p in paint], -1)
    cv2.rectangle(image, (x + 2, y + 2), (x + CELL_PX - 3, y + CELL_PX - 3), paint, -1)


def _draw_hand(image: NDArray[np.float32], tip: tuple[int, int], held: str | None) -> None:
    x, y = tip
    if held is not None:
        piece = cv2.boxPoints(((x - 4.0, y - 22.0), (4.3 * CELL_PX, 1.0 * CELL_PX), 23.0)).astype(int)
        cv2.fillPoly(image, [piece], PAINT[held])
    skin = (95, 130, 190)
    cv2.ellipse(image, (x, y + 30), (26, 38), 0, 0, 360, skin, -1)
    for finger in (-16, -5, 6, 17):
        cv2.line(image, (x + finger, y + 15), (x + finger, y - 15), skin, 9)
        cv2.line(image, (x + finger + 5, y + 15), (x + finger + 5, y - 15), (70, 100, 150), 2)
    cv2.rectangle(image, (x - 18, y + 55), (x + 18, WH[1]), (120, 60, 60), -1)


def _draw_passer_by(image: NDArray[np.float32], seed: int) -> None:
    at = int(np.random.default_rng(seed).integers(0, WH[1] - 60))
    cv2.rectangle(image, (0, at), (70, at + 60), (40, 60, 150), -1)


@dataclass
class Film:
    """A source made of desks.

    Attributes:
        desks: what is seen, frame by frame.
        fps: frames a second; None: single moments.
    """

    desks: Sequence[Desk]
    fps: float | None = 10.0
    live: bool = False

    @property
    def total(self) -> int:
        return len(self.desks)

    def __iter__(self) -> Iterator[Frame | Lost]:
        for index, desk in enumerate(self.desks):
            yield Frame(index, None if self.fps is None else index / self.fps, desk.picture(index))

    def close(self) -> None:
        """Nothing to close."""


@dataclass
class Believer:
    """A game that believes the likeliest explanation at once."""

    board: dict[Cell, str] = field(default_factory=dict)

    def standing(self) -> Mapping[Cell, str]:
        return dict(self.board)

    def on_turn(self) -> str | None:
        return None

    def pieces_on_board(self) -> Sequence[tuple[str, Cells]]:
        return ()

    def believe(self, change: Change) -> None:
        self.board = change.apply(self.board)
