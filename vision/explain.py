"""A settled look explained: its cells read, and what may have happened ranked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose
from referee.cells import Cell
from vision.bright import change_log_odds
from vision.came import settled_by_change
from vision.frames import BgrImage
from vision.glance import ChangeSettings, Difference
from vision.infer import Inference, InferSettings, infer
from vision.items import View
from vision.masked import Masked, cells_of, mask_of, unread_pieces
from vision.observation import MIN_EMPTY_CONFIDENCE, Observation
from vision.odds import OddsSettings, cell_odds
from vision.reader import Reader

CellMask = NDArray[np.bool_]


@dataclass(frozen=True)
class ExplainSettings:
    """Thresholds of the explaining and the settings of its parts.

    Attributes:
        sure: probability of an explanation from which it is told without another look.
        change: what counts as changed.
        odds: trust in single cells.
        infer: how explanations are searched and weighed.
    """

    sure: float = 0.9
    change: ChangeSettings = field(default_factory=ChangeSettings)
    odds: OddsSettings = field(default_factory=OddsSettings)
    infer: InferSettings = field(default_factory=InferSettings)


@dataclass(frozen=True)
class Explained:
    """What was read, and what may have happened.

    Attributes:
        seen: the cells.
        found: the explanations.
        unread: (size, size) cells on which something has come that cannot be read.
    """

    seen: Observation
    found: Inference
    unread: CellMask

    @property
    def is_sure(self) -> CellMask:
        """(size, size) cells whose reading leaves no doubt."""
        return np.asarray((self.seen.confidence >= MIN_EMPTY_CONFIDENCE) & ~self.unread)


class Explainer:
    """Explains the looks of one game.

    Args:
        view: the game.
        colors: colours of its pieces.
        settings: thresholds.
    """

    def __init__(self, view: View, colors: tuple[str, ...], settings: ExplainSettings) -> None:
        self.settings = settings
        self._view = view
        self._reader = Reader(colors)

    def read(self, image_bgr: BgrImage, pose: GridPose) -> Observation:
        """Every cell of a (h, w, 3) picture whose grid is ``pose``."""
        return self._reader.whole(image_bgr, pose)

    def explain(
        self, image_bgr: BgrImage, pose: GridPose, difference: Difference | None, masked: Masked, board: Mapping[Cell, str]
    ) -> Explained:
        """A reading of the cells that may have changed if that leaves no doubt, else of the whole board, and its explanations.

        Args:
            image_bgr: (h, w, 3) of the look.
            pose: the grid in it.
            difference: from the last look that was understood; None when they cannot be compared.
            masked: its cells that cannot be seen.
            board: what lay there at that look.
        """
        if difference is not None:
            change = self.settings.change
            part = self._reader.part(image_bgr, pose, change_log_odds(difference, change) > -change.calm_nats)
            explained = None if part is None else self._infer(part, difference, masked, board)
            if explained is not None and self._is_enough(explained, difference, masked):
                return explained
        return self._infer(self._reader.whole(image_bgr, pose), difference, masked, board)

    def _is_enough(self, explained: Explained, difference: Difference, masked: Masked) -> bool:
        """Whether a reading of the changed cells is enough: a piece came for sure, and every cell that surely changed is in it.

        Cells beside the piece that are surely read change as well, where it leans over them.
        """
        found, left = explained.found, (difference.cell > self.settings.change.surely) & ~masked.covered & ~masked.blown
        piece = mask_of(found.best.cells, len(left))
        beside = cv2.dilate(piece.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        left &= ~piece & ~(beside & explained.is_sure)
        return found.p >= self.settings.sure and not found.is_odd and not found.best.removed and not left.any()

    def _infer(self, seen: Observation, difference: Difference | None, masked: Masked, board: Mapping[Cell, str]) -> Explained:
        """The explanations of a reading; when nothing seems to have happened, once more with what may have come unread."""
        none = np.zeros((seen.size, seen.size), np.bool_)
        if difference is not None:
            seen = settled_by_change(seen, difference, masked.covered | masked.blown, board)
        found = self._ranked(seen, difference, masked, board, none)
        if difference is None or masked.covered.any():
            return Explained(seen, found, none)
        unread = unread_pieces(seen, difference, self.settings.change, masked, board)
        if found.best.is_empty and unread.any():
            return Explained(seen, self._ranked(seen, difference, masked, board, unread), unread)
        return Explained(seen, replace(found, hidden=found.hidden | cells_of(unread)), unread)

    def _ranked(
        self, seen: Observation, difference: Difference | None, masked: Masked, board: Mapping[Cell, str], unread: CellMask
    ) -> Inference:
        s = self.settings
        odds = cell_odds(
            self._view.standing(),
            seen,
            change_log_odds=None if difference is None else change_log_odds(difference, s.change),
            covered=masked.by_hand | masked.blown,
            before=board,
            unread=unread,
            settings=s.odds,
        )
        return infer(odds, self._view.pieces_on_board(), self._view.on_turn(), s.infer)
