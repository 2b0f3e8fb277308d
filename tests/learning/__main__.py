"""Learns what a board's border looks like from drawn boards: ``python -m tests.learning FOLDER`` writes ``calibration/border.npy``.

The pictures are drawn into the folder unless they lie there: ordinary and hard ones whose grids are known exactly. A side at its place,
the pose as far off as fits are, is a border; a side some cells from its place is none.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.border import CHANNELS, OFFSETS, TAPS, WEIGHTS, features, windows
from calibration.fit import shifted
from calibration.pose import GridPose
from calibration.settings import DEFAULT_LOCATE
from calibration.views import Views
from tests.synthetic.hard import write_hard_stills
from tests.synthetic.stills import write_stills

FloatArray = NDArray[np.float32]

SETS = (("stills", write_stills, 80, 91_000), ("hard", write_hard_stills, 84, 201_000), ("more", write_hard_stills, 84, 202_000))
"""Name, writer, count and first seed of what is learnt from."""

FIT_ERROR_CELLS = 0.05
"""Standard deviation of the corners of a fitted grid."""

SHARPNESS_CELLS = 0.15
"""Standard deviation of the places at which a border counts as found."""

AWAY_CELLS = (2.8, 9.0)
"""How far from its place a side is moved to show no border."""


@dataclass(frozen=True)
class Shown:
    """Sides of boards as `calibration.border` sees them, and whether they are borders.

    Attributes:
        windows: (N, 15, W) as from `calibration.border.windows`.
        border: (N,) bool.
    """

    windows: FloatArray
    border: NDArray[np.bool_]


def true_pose(truth: dict[str, object]) -> GridPose:
    """The pose of a truth file's camera."""
    board, camera = truth["board"], truth["camera"]
    assert isinstance(board, list)
    assert isinstance(camera, dict)
    (focal, _, center_x), (_, _, center_y), _ = camera["K"]
    bend = camera["dist_k1_k2_p1_p2_k3"][0]
    turn, at = (np.array(camera[name], np.float64).reshape(3) for name in ("rvec", "tvec_cells"))
    return GridPose(len(board), (int(str(truth["width"])), int(str(truth["height"]))), focal, (center_x, center_y), bend, turn, at)


def examples(folder: Path, rng: np.random.Generator, count: int) -> Iterator[tuple[FloatArray, bool]]:
    """(sides, 15, W) windows of the first pictures in a folder, and whether they show borders."""
    for path in sorted(folder.glob("[0-9]*.json"))[:count]:
        pose, image = true_pose(json.loads(path.read_text())), cv2.imread(str(path.with_suffix(".jpg")))
        assert image is not None
        view = Views(np.asarray(image, np.uint8)).at(DEFAULT_LOCATE.exact_px)
        pose = replace(pose.scaled(view.factor), image_wh=view.wh)
        corners = pose.corners_px + rng.normal(0, FIT_ERROR_CELLS, (4, 2)) * np.median(pose.cell_sizes_px())
        fitted = GridPose.from_corners(corners, pose.image_wh, pose.size, pose.k1, pose.focal_px)
        yield windows(features(view.image_bgr, fitted)), True
        for sides, col, row in (([1, 3], 1, 0), ([0, 2], 0, 1)):
            by = float(rng.choice([-1, 1]) * rng.uniform(*AWAY_CELLS))
            moved = shifted(pose, by * col, by * row)
            yield windows(features(view.image_bgr, moved))[sides], False


def learn(shown: Shown, rounds: int = 300, decay: float = 1e-3) -> FloatArray:
    """(W + 1,) weights of the logistic model of the place of a border, and the score of none (Adam, all examples a step)."""
    spread = shown.windows.std(axis=(0, 1)) + np.float32(0.05)
    flat = (shown.windows / spread).reshape(-1, len(spread))
    count = len(shown.border)
    near = np.append(np.exp(-0.5 * (OFFSETS / SHARPNESS_CELLS) ** 2), 0)
    nowhere = np.append(np.zeros(len(OFFSETS)), 1)
    wanted = np.asarray(np.where(shown.border[:, None], near / near.sum(), nowhere), np.float32)
    share = np.float32(shown.border.mean())
    balance = np.asarray(np.where(shown.border, 0.5 / share, 0.5 / (1 - share)), np.float32)[:, None]
    numbers, mean, square = (np.zeros(len(spread) + 1, np.float32) for _ in range(3))
    for k in range(rounds):
        score = np.column_stack([(flat @ numbers[:-1]).reshape(count, -1), np.full(count, numbers[-1])])
        excess = (np.exp(score - np.logaddexp.reduce(score, axis=1, keepdims=True)) - wanted) * balance
        slope = np.append(excess[:, :-1].reshape(-1) @ flat / count + decay * numbers[:-1], excess[:, -1].mean()).astype(np.float32)
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        step = mean / (1 - 0.9 ** (k + 1)) / (np.sqrt(square / (1 - 0.99 ** (k + 1))) + 1e-6)
        numbers = (numbers - 0.03 * (1 - k / rounds) * step).astype(np.float32)
    return np.append(numbers[:-1] / spread, numbers[-1]).astype(np.float32)


def main() -> None:
    """Draw what is missing, learn, write the weights."""
    parser = argparse.ArgumentParser(prog="python -m tests.learning", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, help="pictures of each kind at most (default: all)")
    args = parser.parse_args()
    folder = args.folder
    cv2.setNumThreads(1)
    rng = np.random.default_rng(0)
    seen: list[tuple[FloatArray, bool]] = []
    for name, write, most, seed in SETS:
        count = min(most, args.count or most)
        if not (folder / name / f"{count - 1:03d}.json").exists():
            write(folder / name, count, seed)
        seen += examples(folder / name, rng, count)
    shown = Shown(np.concatenate([w for w, _ in seen]), np.concatenate([np.full(len(w), border) for w, border in seen]))
    numbers = learn(shown)
    assert numbers.shape == (3 * CHANNELS * TAPS + 1,)
    np.save(WEIGHTS, numbers.astype(np.float16))
    print(f"{len(shown.border)} sides; {WEIGHTS} written")


if __name__ == "__main__":
    main()
