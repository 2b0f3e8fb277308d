"""The yardstick of difficulty: a reader with true corners, one fixed saturation threshold and the nearest hue."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.pose import PIECE_HEIGHT_CELLS, FloatArray, GridPose

from .arrays import U8

HUES = {"B": 115.0, "Y": 25.0, "R": 177.0, "G": 68.0, "O": 9.0, "P": 140.0}
EMPTY_BELOW = 80


@dataclass(frozen=True)
class NaiveScore:
    """How the naive reader did on a folder."""

    pictures: int
    cells: int
    right: int
    exact: int

    def __str__(self) -> str:
        share = 100 * self.right / max(1, self.cells)
        return f"{self.pictures} pictures, {share:.2f} % of {self.cells} cells right, {self.exact} boards exact"


def read(image: U8, pose: GridPose, letters: str) -> list[str]:
    """The board as the fixed rule reads it: median of the middle of each cell, where a piece's top would appear."""
    n = pose.size
    at = np.linspace(-0.15, 0.15, 5)
    rows, cols = np.mgrid[0:n, 0:n] + 0.5
    spots: FloatArray = np.stack(np.broadcast_arrays(cols[..., None, None] + at, rows[..., None, None] + at[:, None]), -1)
    points = pose.project(spots, PIECE_HEIGHT_CELLS).astype(np.float32).reshape(n, -1, 2)
    patch = cv2.remap(image, points, None, cv2.INTER_LINEAR).reshape(n, n, -1, 3)
    middle = np.median(patch, axis=2).astype(np.uint8)
    hsv = cv2.cvtColor(middle, cv2.COLOR_BGR2HSV).astype(float)
    hues = np.array([HUES[k] for k in letters])
    off = np.abs((hsv[..., :1] - hues + 90) % 180 - 90).argmin(-1)
    return ["".join("." if hsv[r, c, 1] < EMPTY_BELOW else letters[off[r, c]] for c in range(n)) for r in range(n)]


def score(folder: Path, verbose: bool = False) -> NaiveScore:
    """Read every picture with truth in a folder with its true corners; hidden and ``?`` cells do not count."""
    total = [0, 0, 0, 0]
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text())
        if "image" not in truth:
            continue
        image = np.asarray(cv2.imread(str(folder / truth["image"])), np.uint8)
        board = truth["board"]
        camera = truth.get("camera", {})
        k1 = camera.get("dist_k1_k2_p1_p2_k3", [0.0])[0]
        focal = camera["K"][0][0] if camera else None
        pose = GridPose.from_corners(np.array(truth["grid_corners_px"]), (image.shape[1], image.shape[0]), len(board), k1, focal)
        letters = {"duo": "PO", "junior": "GO"}.get(truth.get("variant", ""), "BYRG")
        grid = read(image, pose, letters)
        hidden = {(r, c) for r, c, share in truth.get("cell_occlusion", []) if share > 0.15}
        scored = [(r, c) for r in range(len(board)) for c in range(len(board)) if board[r][c] != "?" and (r, c) not in hidden]
        right = sum(grid[r][c] == board[r][c] for r, c in scored)
        if verbose:
            print(f"{path.stem}: {right} of {len(scored)}", {k: v for k, v in truth.get("conditions", {}).items() if k in ("lighting", "board_color", "tilt_deg")})
        total = [a + b for a, b in zip(total, (1, len(scored), right, right == len(scored)), strict=True)]
    return NaiveScore(*total)
