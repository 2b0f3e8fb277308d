"""Boards for the tests of the cells: shipped pictures with their truth, and flat drawings seen from above."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose

SAMPLES = Path(__file__).parents[2] / "sample_images"
STILLS = sorted((SAMPLES / "stills").glob("*.json"))

PAINT = {
    ".": (225, 228, 230),
    "B": (170, 70, 30),
    "Y": (40, 200, 245),
    "R": (35, 30, 205),
    "G": (75, 140, 30),
    "O": (20, 110, 240),
    "P": (140, 50, 100),
}


def truth_pose(truth: dict[str, Any], image: NDArray[np.uint8]) -> GridPose:
    k1 = truth["camera"]["dist_k1_k2_p1_p2_k3"][0] if "camera" in truth else 0.0
    return GridPose.from_corners(np.array(truth["grid_corners_px"]), (image.shape[1], image.shape[0]), k1=k1)


def still(path: Path) -> tuple[dict[str, Any], NDArray[np.uint8]]:
    truth = json.loads(path.read_text())
    image = cv2.imread(str(path.with_name(truth["image"])))
    assert image is not None
    return truth, np.asarray(image, np.uint8)


def wrong_and_unsure(grid: tuple[str, ...], board: list[str]) -> tuple[int, int]:
    pairs = [(got, want) for seen, true in zip(grid, board, strict=True) for got, want in zip(seen, true, strict=True)]
    return sum(got not in ("?", want) for got, want in pairs), sum(got == "?" for got, _ in pairs)


def drawn(
    rows: list[str], cell_px: int = 24, light: NDArray[np.float64] | float = 1.0, glare: NDArray[np.float64] | float = 0.0
) -> tuple[NDArray[np.uint8], GridPose]:
    """A flat drawing of a board seen from above, with grid lines, on a brown table, and its pose.

    Args:
        rows: the board.
        cell_px: side of a cell.
        light: factor of what is drawn, for each pixel or all.
        glare: grey levels added to it, the same.
    """
    size, edge = len(rows), 3 * cell_px
    side = size * cell_px + 2 * edge
    image = np.full((side, side, 3), (60, 90, 120), np.uint8)
    cv2.rectangle(image, (edge - 12, edge - 12), (side - edge + 12, side - edge + 12), (215, 218, 220), -1)
    for row, line in enumerate(rows):
        for col, letter in enumerate(line):
            y, x = edge + row * cell_px, edge + col * cell_px
            cv2.rectangle(image, (x, y), (x + cell_px, y + cell_px), PAINT[letter], -1)
            cv2.rectangle(image, (x, y), (x + cell_px, y + cell_px), tuple(0.8 * v for v in PAINT[letter]), 1)
    lit = image * np.reshape(light, (*np.shape(light), 1)) + np.reshape(glare, (*np.shape(glare), 1))
    noisy = lit + np.random.default_rng(5).normal(0, 3, image.shape)
    far = side - edge
    corners = np.array([[edge, edge], [far, edge], [far, far], [edge, far]], float)
    return np.clip(noisy, 0, 255).astype(np.uint8), GridPose.from_corners(corners, (side, side), size=size)


def random_rows(size: int, letters: str, seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    return ["".join(rng.choice(list(letters), size)) for _ in range(size)]


def spot(side_px: int, at_xy: tuple[float, float], radius_px: float, power: float) -> NDArray[np.float64]:
    """(side_px, side_px) a soft round spot of light, ``power`` in its middle."""
    x, y = np.meshgrid(np.arange(side_px) - at_xy[0], np.arange(side_px) - at_xy[1])
    return np.asarray(power * np.exp(-0.5 * (x**2 + y**2) / radius_px**2))
