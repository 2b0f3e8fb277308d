"""One photograph from pixels to verdicts: find the board, read its cells, say what they make and what they prove."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.locate import locate_only_board
from calibration.pose import GridPose
from calibration.views import Views
from referee.placements import placement_table
from referee.variants import get_variant
from vision.classify import classify_cells
from vision.colourless import is_grey
from vision.findings import Finding, find
from vision.frames import SourceError
from vision.loose import LooseLook, LoosePiece, find_loose
from vision.loose_count import count_loose
from vision.observation import Observation
from vision.pose_check import corrected, taken_as
from vision.verdicts import ColorLeft, PictureViolation, SeenPiece, Verdicts

Locator = Callable[[NDArray[np.uint8], int], GridPose]
"""Finds the grid of that many cells a side in a picture, or raises with the reason why not."""

MOST_CORRECTIONS = 2
"""How often a pose is fitted to what was read with the one before: the first brings nearly all, and the same pieces the same pose."""


@dataclass(frozen=True)
class Reading:
    """What one photograph shows.

    Attributes:
        pose: where the grid lies.
        seen: the label probabilities of its cells.
        verdicts: what the letters make and prove.
        timing_ms: time of each stage.
        beside: what lies beside the board.
    """

    pose: GridPose
    seen: Observation
    verdicts: Verdicts
    timing_ms: dict[str, float]
    beside: LooseLook = field(default_factory=LooseLook)

    @property
    def grid(self) -> tuple[str, ...]:
        """One string a row: colours' letters, ``.`` empty, ``?`` not told."""
        return self.verdicts.grid

    @cached_property
    def confidence(self) -> float:
        """Probability that every cell that is told is right."""
        told = np.array([[letter != "?" for letter in row] for row in self.grid])
        return float(np.prod(self.seen.confidence.astype(np.float64)[told]))

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Cells that show something else, or are in doubt; then the loose pieces counted."""
        return find(self.seen, self.grid) + count_loose(self.beside, self.left, self.verdicts.variant)

    @property
    def loose(self) -> tuple[LoosePiece, ...]:
        """The pieces beside the board."""
        return self.beside.pieces

    @property
    def pieces(self) -> tuple[SeenPiece, ...]:
        """The pieces on the board."""
        return self.verdicts.pieces

    @property
    def violations(self) -> tuple[PictureViolation, ...]:
        """The rules that the picture proves broken."""
        return self.verdicts.violations

    @property
    def left(self) -> dict[str, ColorLeft]:
        """What each colour has left."""
        return self.verdicts.left

    def as_json(self, image: str) -> dict[str, Any]:
        """The contract's object for the picture of that name."""
        size = self.pose.size
        return {
            "image": image,
            "board": {"rows": size, "cols": size, "corners_px": [[round(float(v), 2) for v in xy] for xy in self.pose.corners_px]},
            "grid": list(self.grid),
            "confidence": round(self.confidence, 4),
            "pieces": [piece.as_json() for piece in self.pieces],
            "loose": [piece.as_json() for piece in self.loose],
            "violations": [violation.as_json() for violation in self.violations],
            "findings": [finding.as_json() for finding in self.findings],
            "colors": {color: left.as_json() for color, left in self.left.items()},
            "timing_ms": {"decode": 0.0} | {stage: round(ms, 1) for stage, ms in self.timing_ms.items()},
        }


def read_board(
    image_bgr: NDArray[np.uint8],
    *,
    variant: str = "classic",
    corners: Sequence[Sequence[float]] | None = None,
    locate: Locator = locate_only_board,
) -> Reading:
    """Reads the board in one photograph.

    Args:
        image_bgr: (h, w, 3) uint8.
        variant: the game's name.
        corners: (4, 2) outer grid corners in px, clockwise from the top left of the grid, when they are known.
        locate: finds the board when they are not.

    Raises:
        BoardNotFoundError: there is no whole board in the picture.
        PoseError: the corners given are no picture of a board.
        SourceError: the picture has no colours.
        UnknownNameError: no such variant.
    """
    rules = get_variant(variant)
    placement_table(rules.size)  # worked out once a run, like an import: no part of the reading's time
    begun_s = time.perf_counter()
    height, width = image_bgr.shape[:2]
    pose = (
        locate(image_bgr, rules.size)
        if corners is None
        else GridPose.from_corners(np.asarray(corners, np.float64), (width, height), size=rules.size)
    )
    if is_grey(image_bgr):
        raise SourceError("the picture has no colours, so that pieces cannot be told from the board: use a colour photograph")
    located_s = time.perf_counter()
    views, seen = Views(image_bgr), classify_cells(image_bgr, pose, rules.colors)
    for _ in range(MOST_CORRECTIONS if corners is None else 0):
        better = corrected(views, pose, seen)
        if better is None:
            break
        before, pose, seen = seen, better, classify_cells(image_bgr, better, rules.colors)
        if np.array_equal(taken_as(before), taken_as(seen)):
            break
    classified_s = time.perf_counter()
    verdicts = Verdicts(seen.grid(), rules)
    _ = verdicts.pieces, verdicts.violations, verdicts.left
    judged_s = time.perf_counter()
    beside = find_loose(image_bgr, pose, verdicts.grid, rules.colors, views=views)
    done_s = time.perf_counter()
    spans_s = {
        "locate": located_s - begun_s,
        "classify": classified_s - located_s,
        "judge": judged_s - classified_s,
        "loose": done_s - judged_s,
        "total": done_s - begun_s,
    }
    return Reading(pose, seen, verdicts, {stage: 1000 * span_s for stage, span_s in spans_s.items()}, beside)
