"""Drawn boards to learn from, and how the first judgement leaves them.

They are drawn into a folder unless they lie there, by the same hand as those of `make eval` but of other seeds. Each is read at its
true pose, off by about what found poses are off by.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose
from referee.variants import get_variant
from tests.synthetic.stills import write_still
from vision.classify import cells_in_doubt
from vision.marks import Facts

FIRST_SEED, COUNT = 500_000, 440
"""First seed of the pictures, and how many are learnt from unless something else is said."""

POSE_ERRORS_CELLS = (0.01, 0.12)
"""Range of the standard deviations of found corners, most of them small."""

COVERED, SEEN = 0.8, 0.15
"""Hidden share of a cell from which it is something else, and up to which it is what lies there; between them it teaches nothing."""


def pictures(name: str, about: str | None) -> list[Path]:
    """The truth files of the pictures that a command is to learn from: folder and number are read from its arguments.

    Args:
        name: of the command's module.
        about: what it does.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {name}", description=about)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=COUNT, help="pictures to learn from")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    return draw(args.folder, args.count)


def draw(folder: Path, count: int) -> list[Path]:
    """Truth files of that many pictures, drawn unless they lie there; one in eight is of a 14x14 board."""
    folder.mkdir(parents=True, exist_ok=True)
    for k in range(count):
        if not (folder / f"{k:03d}.json").exists():
            write_still(folder, FIRST_SEED + k, f"{k:03d}", "duo" if k % 16 == 7 else "junior" if k % 16 == 15 else "classic")
    return [folder / f"{k:03d}.json" for k in range(count)]


@dataclass(frozen=True)
class Drawn:
    """A drawn board as the first judgement leaves it, and the truth about it.

    Attributes:
        again: (size, size) cells in doubt.
        facts: of all cells.
        letters: (size, size) what truly lies on them, "." for nothing and "?" for a thing.
        hidden: (size, size) hidden share of each.
        colors: of the set in use.
    """

    again: NDArray[np.bool_]
    facts: Facts
    letters: NDArray[np.str_]
    hidden: NDArray[np.float64]
    colors: tuple[str, ...]


def judged(path: Path, rng: np.random.Generator) -> Drawn:
    """The picture of a truth file, read at about its true pose and turned at random."""
    truth: dict[str, Any] = json.loads(path.read_text())
    variant = get_variant(truth["variant"])
    image = np.asarray(cv2.imread(str(path.with_name(truth["image"]))), np.uint8)
    wh, k1 = (image.shape[1], image.shape[0]), truth["camera"]["dist_k1_k2_p1_p2_k3"][0]
    pose = GridPose.from_corners(np.array(truth["grid_corners_px"]), wh, size=variant.size, k1=k1)
    off_px = np.exp(rng.uniform(*np.log(POSE_ERRORS_CELLS))) * float(np.median(pose.cell_sizes_px()))
    pose = GridPose.from_corners(pose.corners_px + rng.normal(0, off_px, (4, 2)), wh, size=variant.size, k1=k1)
    turns = int(rng.integers(4))
    again, facts = cells_in_doubt(image, pose.turned(turns), variant.colors)
    letters = np.rot90(np.array([list(row) for row in truth["board"]]), turns)
    hidden = np.zeros(letters.shape)
    for row, col, share in truth["cell_occlusion"]:
        hidden[row, col] = share
    return Drawn(again, facts, letters, np.rot90(hidden, turns), variant.colors)
