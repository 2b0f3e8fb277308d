"""The yardstick of difficulty: a reader with true corners, one fixed saturation threshold and the nearest hue."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.pose import FloatArray, GridPose

from .arrays import U8

HUES = {"B": 115.0, "Y": 25.0, "R": 177.0, "G": 68.0, "O": 9.0, "P": 140.0}
EMPTY_BELOW = 80


@dataclass(frozen=True)
class NaiveScore:
    """How the naive reader did on one picture: cells that count, and those that it got right."""

    name: str
    cells: int
    right: int
    conditions: dict[str, object]

    def __str__(self) -> str:
        """One line."""
        known = {k: v for k, v in self.conditions.items() if k in ("lighting", "board_color", "tilt_deg")}
        return f"{self.name}: {self.right} of {self.cells} {known}"


def summary(scores: Sequence[NaiveScore]) -> str:
    """The figure that pictures are compared by."""
    cells, right = sum(s.cells for s in scores), sum(s.right for s in scores)
    exact = sum(s.cells == s.right for s in scores)
    middle = float(np.median([s.right / max(1, s.cells) for s in scores]))
    return (
        f"{len(scores)} pictures, {100 * right / max(1, cells):.2f} % of {cells} cells right (median {100 * middle:.2f} %), {exact} exact"
    )


def read(image: U8, pose: GridPose, letters: str) -> list[str]:
    """The board as the fixed rule reads it, from the median of the middle of each cell of the floor.

    The floor's middle rather than a top's: at a slant a piece's own near half lies there, and an empty cell's floor.
    """
    n = pose.size
    at = np.linspace(-0.15, 0.15, 5)
    rows, cols = np.mgrid[0:n, 0:n] + 0.5
    spots: FloatArray = np.stack(np.broadcast_arrays(cols[..., None, None] + at, rows[..., None, None] + at[:, None]), -1)
    points = pose.project(spots).astype(np.float32).reshape(n, -1, 2)
    patch = cv2.remap(image, points[..., 0], points[..., 1], cv2.INTER_LINEAR).reshape(n, n, -1, 3)
    middle = np.median(patch, axis=2).astype(np.uint8)
    hsv = cv2.cvtColor(middle, cv2.COLOR_BGR2HSV).astype(float)
    hues = np.array([HUES[k] for k in letters])
    off = np.abs((hsv[..., :1] - hues + 90) % 180 - 90).argmin(-1)
    return ["".join("." if hsv[r, c, 1] < EMPTY_BELOW else letters[off[r, c]] for c in range(n)) for r in range(n)]


def score(folder: Path) -> list[NaiveScore]:
    """Read every picture with truth in a folder with its true corners; hidden and ``?`` cells do not count."""
    scores = []
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text())
        if "image" not in truth:
            continue
        image = np.asarray(cv2.imread(str(folder / truth["image"])), np.uint8)
        board, camera = truth["board"], truth.get("camera", {})
        k1 = camera.get("dist_k1_k2_p1_p2_k3", [0.0])[0]
        focal = camera["K"][0][0] if camera else None
        pose = GridPose.from_corners(np.array(truth["grid_corners_px"]), (image.shape[1], image.shape[0]), len(board), k1, focal)
        grid = read(image, pose, {"duo": "PO", "junior": "GO"}.get(truth.get("variant", ""), "BYRG"))
        hidden = {(r, c) for r, c, share in truth.get("cell_occlusion", []) if share > 0.15}
        scored = [(r, c) for r in range(len(board)) for c in range(len(board)) if board[r][c] != "?" and (r, c) not in hidden]
        right = sum(grid[r][c] == board[r][c] for r, c in scored)
        scores.append(NaiveScore(path.stem, len(scored), right, truth.get("conditions", {})))
    return scores
