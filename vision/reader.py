"""Reading the cells of settled looks: the whole board now and then, and in between only what may have changed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose
from vision.classify import CellReading, read_again, read_cells
from vision.observation import UNKNOWN, Observation

BgrImage = NDArray[np.uint8]
CellMask = NDArray[np.bool_]


@dataclass(frozen=True)
class ReaderSettings:
    """When a part of the board is enough.

    Attributes:
        most_cells: cells up to which a part is read; more cost as much as the whole board.
        most_parts: looks at parts in a row: the light and the colours are learnt anew from the whole board after that.
    """

    most_cells: int = 80
    most_parts: int = 8


class Reader:
    """Reads one game's looks.

    Args:
        colors: colours of the set.
        settings: when a part of the board is enough.
    """

    def __init__(self, colors: tuple[str, ...], settings: ReaderSettings | None = None) -> None:
        self.settings = settings or ReaderSettings()
        self._colors = colors
        self._pose: GridPose | None = None
        self._last: CellReading | None = None
        self._parts = 0

    def whole(self, image_bgr: BgrImage, pose: GridPose) -> Observation:
        """Every cell of a (h, w, 3) picture whose grid is ``pose``."""
        self._pose, self._last, self._parts = pose, read_cells(image_bgr, pose, self._colors), 0
        return self._last.seen

    def part(self, image_bgr: BgrImage, pose: GridPose, changed: CellMask) -> Observation | None:
        """The same with only the ``changed`` (size, size) cells read, and those of which nothing was known.

        None when the board lies elsewhere than at the last read, or when it is time for the whole.
        """
        last, s = self._last, self.settings
        if last is None or self._pose is not pose or self._parts >= s.most_parts:
            return None
        only = changed | (last.seen.best == last.seen.labels.index(UNKNOWN))
        if only.sum() > s.most_cells:
            return None
        self._last, self._parts = read_again(image_bgr, pose, last, only), self._parts + 1
        return self._last.seen
