"""Which cells show a thing that belongs on no board: a sheet of paper, a mug, a coin, a piece laid askew or upon others.

To the samples alone such things look like an empty board or like pieces. Two small networks that have learnt from drawn boards see
more: the first the marks of each cell (`vision.thing_marks`), the second those and what the first says of the cells around, for
things cover neighbouring cells. ``python -m tests.learning.things FOLDER`` draws the boards and learns the weights anew.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np

from vision.light import FloatArray
from vision.second import Network

WEIGHTS = Path(__file__).with_name("things.npz")
"""What was learnt: arrays named by the network, ``cell_`` or ``around_``, and by its attribute."""

THING = 0.95
"""Probability from which a cell is not told: of the squares of drawn boards that lie far from things fewer than two in 10,000 reach it."""


@cache
def learnt() -> tuple[Network, Network]:
    """The networks that come with the program."""
    with np.load(WEIGHTS) as arrays:
        cell, around = ({name.removeprefix(part): arrays[name].astype(np.float32) for name in arrays.files if name.startswith(part)}
                        for part in ("cell_", "around_"))  # fmt: skip
    return Network(**cell), Network(**around)


def of_things(network: Network, marks: FloatArray) -> FloatArray:
    """(size, size) probability that a cell shows a thing, by its marks (size, size, n)."""
    return network(marks.reshape(-1, marks.shape[-1]))[:, -1].reshape(marks.shape[:2])


def marks_around(marks: FloatArray, p: FloatArray) -> FloatArray:
    """(size, size, n) marks of cells, and what the first network says of them and of the cells around.

    Args:
        marks: (size, size, m) of the cells.
        p: (size, size) by the first network.
    """
    n, wide = len(p), np.pad(p, 1, mode="edge")
    near = np.stack([wide[1 + row : 1 + row + n, 1 + col : 1 + col + n] for row in (-1, 0, 1) for col in (-1, 0, 1) if row or col])
    columns = [
        np.log(p + 1e-5) / 3,
        *np.sort(near, axis=0)[-4:],
        *(cv2.blur(p, (side, side), borderType=cv2.BORDER_REFLECT) for side in (3, 5, 7)),
        np.log(cv2.dilate(p, np.ones((5, 5), np.uint8)) + 1e-5) / 3,
        np.full(p.shape, np.sort(p, axis=None)[-12:].mean()),
    ]
    return np.concatenate([np.stack(columns, -1), marks], -1, dtype=np.float32)


def thing_probability(marks: FloatArray) -> FloatArray:
    """(size, size) probability that a cell shows a thing, by the marks (size, size, n) of the cells: a thing from `THING` on."""
    cell, around = learnt()
    return of_things(around, marks_around(marks, of_things(cell, marks)))
