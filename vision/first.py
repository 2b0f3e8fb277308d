"""The first look at a board of which nothing is known yet."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from calibration.pose import GridPose
from referee.cells import Cell, Cells, components, side_neighbors
from referee.pieces import identify
from vision.infer import InferSettings, infer
from vision.observation import EMPTY, Observation, letter_of
from vision.odds import cell_odds
from vision.steps import StepSettings


@dataclass(frozen=True)
class FirstSettings:
    """Thresholds of the first look.

    Attributes:
        named: probability of a label from which a cell is named.
        looks: looks that are taken together when there is something odd about the first.
        few: occupied cells up to which they must make pieces, or the board counts as empty.
        slack: share of the known cells that may be read otherwise when a board was turned.
        turned_nats: lead that a turn needs over none: more than five squares (6 nats each), so that no single piece does it.
        infer: costs of those pieces: a board is seldom met with a piece on it, and least of all with the single square.
    """

    named: float = 0.8
    looks: int = 3
    few: int = 12
    slack: float = 0.1
    turned_nats: float = 30.0
    infer: InferSettings = field(default_factory=lambda: InferSettings(steps=StepSettings(piece=4.0, single=6.0)))


@dataclass(frozen=True)
class FirstLook:
    """What lies on the board.

    Attributes:
        size: cells a side.
        board: occupied cells and their colours.
        unsure: cells that cannot be named.
        is_plain: whether there is nothing odd about it: the board is empty all over, or all that lies on it makes pieces.
    """

    size: int
    board: Mapping[Cell, str]
    unsure: Cells
    is_plain: bool

    @property
    def grid(self) -> tuple[str, ...]:
        """Rows of letters, ``?`` for unsure cells."""
        return tuple("".join(self._letter((row, col)) for col in range(self.size)) for row in range(self.size))

    def _letter(self, cell: Cell) -> str:
        return "?" if cell in self.unsure else letter_of(self.board.get(cell, EMPTY))


def first_look(seen: Observation, settings: FirstSettings | None = None) -> FirstLook:
    """Names the cells of an observation; a few specks that make no piece are taken for noise on an empty board.

    A block that is no piece and goes on in cells that cannot be named is not named either: it is a shadow's, as far as anybody knows.
    """
    s = settings or FirstSettings()
    odds = cell_odds({}, seen)
    occupied = int((odds.best > 0).sum())
    if occupied <= s.few:
        return FirstLook(seen.size, infer(odds, settings=s.infer).best.apply({}), frozenset(), is_plain=not occupied)
    named = seen.confidence >= s.named
    board = {
        (row, col): seen.labels[seen.best[row, col]]
        for row, col in np.argwhere(named).tolist()
        if seen.labels[seen.best[row, col]] in seen.colors
    }
    unsure = frozenset((row, col) for row, col in np.argwhere(~named).tolist())
    blocks = [block for color in seen.colors for block in components(cell for cell, found in board.items() if found == color)]
    odd = [block for block in blocks if identify(block) is None]
    frayed = frozenset[Cell]().union(*(block for block in odd if any(side_neighbors(cell) & unsure for cell in block)))
    board = {cell: color for cell, color in board.items() if cell not in frayed}
    return FirstLook(seen.size, board, unsure | frayed, is_plain=not unsure and not odd)


def taken_together(looks: Collection[Observation]) -> Observation:
    """What several looks at one board say: the median of each cell's log probabilities, so that no single one misleads."""
    log_p = np.median([look.log_p for look in looks], axis=0)
    return replace(next(iter(looks)), log_p=(log_p - np.logaddexp.reduce(log_p, axis=-1, keepdims=True)).astype(np.float32))


def turned_alike(pose: GridPose, seen: Observation, board: Mapping[Cell, str], before: GridPose) -> GridPose:
    """The pose of a board found anew, its rows and columns named as before: the pieces on it tell which side is up.

    Args:
        pose: the board as found, any side up.
        seen: its cells as that pose names them.
        board: what should lie on it.
        before: the pose that it had; decides where the pieces leave it open.
    """
    near = [-np.abs(pose.turned(k).corners_px - before.corners_px).max() / max(pose.image_wh) for k in range(4)]
    return pose.turned(int(np.argmax(_fits(seen, board) + near)))


def quarter_turns(seen: Observation, board: Mapping[Cell, str], settings: FirstSettings | None = None, *, grown: bool = False) -> int:
    """Quarter turns (0 to 3) after which the board read is just the board known; 0 when none or too few pieces tell.

    Args:
        seen: the board as read.
        board: what should lie on it.
        settings: thresholds.
        grown: whether other pieces may have come since.
    """
    s = settings or FirstSettings()
    fits = _fits(seen, board)
    occupied = int(np.isin(seen.best, [seen.labels.index(color) for color in seen.colors]).sum())
    best = int(np.argmax(fits))
    more = 0 if grown else occupied - len(board)
    alike = more <= s.slack * len(board) and len(board) - occupied <= s.slack * len(board) and fits[best] > -6 * s.slack * len(board)
    return best if alike and fits[best] - fits[0] > s.turned_nats else 0


def _fits(seen: Observation, board: Mapping[Cell, str]) -> NDArray[np.float64]:
    """(4,) log probability of the board's pieces after so many quarter turns; no cell counts for more than -6."""
    row_col = np.array(sorted(board), np.intp).reshape(-1, 2)
    label = [seen.labels.index(board[row, col]) for row, col in row_col.tolist()]
    return np.array([np.maximum(np.rot90(seen.log_p, k)[row_col[:, 0], row_col[:, 1], label], -6).sum() for k in range(4)], np.float64)
