"""Learns which cells show things that belong on no board: ``python -m tests.learning.things FOLDER`` writes ``vision/things.npz``.

Two kinds of pictures are drawn into the folder unless they lie there: boards with a thing on them, and boards as people play on them,
by which glare, shade and reflections are learnt to be no things. Every cell is a lesson. What the second network is taught of the
first one's word comes from one that has not learnt from the same pictures.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.learning.cells import Lessons, together
from tests.learning.drawn import draw as draw_stills
from tests.learning.drawn import judged
from tests.synthetic.things import THINGS, write_thing
from vision.imprint import Imprint
from vision.second import Network
from vision.thing_marks import thing_marks
from vision.things import WEIGHTS, marks_around, of_things

FloatArray = NDArray[np.float32]

FIRST_SEED = 632_000
"""Of the boards with things."""

EPOCHS = 15
"""Fewer than for cells in doubt: of three times as many the networks become too sure of shade at the sun's edge."""

COVERED, SEEN = 0.5, 0.05
"""Hidden share of a cell from which it shows a thing, and up to which it shows what lies there; between them it teaches nothing."""


@dataclass(frozen=True)
class Board:
    """One drawn board.

    Attributes:
        marks: (size, size, n) of `vision.thing_marks`, perhaps with what the first network says.
        what: (size, size) 0 an empty cell, 1 a piece, 2 a thing, -1 what teaches nothing.
    """

    marks: FloatArray
    what: NDArray[np.intp]


def board_of(path: Path, rng: np.random.Generator) -> Board:
    """The board of a truth file."""
    drawn = judged(path, rng)
    thing = (drawn.letters == "?") | (drawn.hidden >= COVERED)
    what = np.select([thing, drawn.hidden > SEEN, drawn.letters == "."], [2, -1, 0], 1)
    return Board(thing_marks(Imprint.of(drawn.facts), drawn.facts), what)


def learnt_from(boards: Sequence[Board]) -> Network:
    """A network that has learnt from all cells of some boards."""
    known = [board.what >= 0 for board in boards]
    marks = np.concatenate([board.marks[some] for board, some in zip(boards, known, strict=True)])
    return together(Lessons(marks, np.concatenate([board.what[some] for board, some in zip(boards, known, strict=True)])), EPOCHS)


def told(boards: Sequence[Board], network: Network) -> list[Board]:
    """The boards with what a first network says of their cells."""
    return [replace(board, marks=marks_around(board.marks, of_things(network, board.marks))) for board in boards]


def learn(boards: Sequence[Board]) -> tuple[Network, Network]:
    """The network for each cell, and the one that knows what it says of those around."""
    half = boards[::2], boards[1::2]
    first, second = (learnt_from(some) for some in half)
    return learnt_from(boards), learnt_from([*told(half[0], second), *told(half[1], first)])


def draw_things(folder: Path, count: int) -> None:
    """Draw the boards with things that are not there; one in eight is of a 14x14 board."""
    folder.mkdir(parents=True, exist_ok=True)
    for k in range(count):
        if not (folder / f"{k:03d}.json").exists():
            write_thing(folder, FIRST_SEED + k, f"{k:03d}", THINGS[k % len(THINGS)], "duo" if k % 8 == 7 else "classic")


def main() -> None:
    """Draw, read, learn, write."""
    parser = argparse.ArgumentParser(prog="python -m tests.learning.things", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--things", type=int, default=300, help="boards with things to learn from")
    parser.add_argument("--stills", type=int, default=200, help="boards without")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    draw_things(args.folder / "things", args.things)
    draw_stills(args.folder / "stills", args.stills)
    rng = np.random.default_rng(FIRST_SEED)
    paths = [
        args.folder / part / f"{k:03d}.json" for part, count in (("things", args.things), ("stills", args.stills)) for k in range(count)
    ]
    cell, around = learn([board_of(path, rng) for path in paths])
    named = {"cell": cell, "around": around}
    arrays = {f"{name}_{one.name}": getattr(network, one.name) for name, network in named.items() for one in fields(network)}
    np.savez_compressed(WEIGHTS, **{name: array.astype(np.float16) for name, array in arrays.items()})
    sys.stdout.write(f"{len(paths)} boards; {WEIGHTS}\n")


if __name__ == "__main__":
    main()
