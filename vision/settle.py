"""The motion gate: when is the board still enough to be looked at?

Motion is what changes between two glances of the grid a tenth of a second apart once a common gain is taken out;
nothing outside the grid counts. A board that has been still long enough is looked at once, and again when it moved or
when it slowly came to differ from the last judged look.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.glance import CELL_PX, EDGE_PX, LEVEL_FLOOR

FloatArray = NDArray[np.float32]

DIM_FLOOR = 25.0
"""Grey levels added to the board's own before percentages are taken: in the dark, sensor noise is not motion."""


class Phase(Enum):
    """What the gate makes of a frame."""

    QUIET = "quiet"
    """Still, and already judged."""
    MOTION = "motion"
    """Something moves over the board."""
    SETTLING = "settling"
    """Still, but not for long enough."""
    LOOK = "look"
    """Still long enough, and not judged since it moved: look now."""
    WAITING = "waiting"
    """Still, and looked at without being understood: it will be looked at again."""


@dataclass(frozen=True)
class GateSettings:
    """Times and thresholds of the gate; differences are in percent of the board's level.

    Attributes:
        still_s: stillness before a look: hands that adjust a piece, or lift it again, pause for less, and one second is allowed
            in all from the last motion to the ruling.
        still_frames: frames of stillness, for slow sources.
        apart_s: glances compared lie this far apart, so that 10 and 30 frames a second are judged alike.
        moving: difference of a cell that moves; noise and video compression reach 2 on renders, hands 5 and more.
        cells: cells that must move: one alone may be a reflection.
        noise_times: how far above the usual noise of this source motion must lie.
        noise_most: noise that is believed; what is more than that is motion.
        drifted: difference from the judged look, cell means only, that calls for another.
        drifted_s: how long it must last.
        again_s: a look that settled nothing is repeated after this long.
    """

    still_s: float = 0.7
    still_frames: int = 3
    apart_s: float = 0.08
    moving: float = 3.0
    cells: int = 3
    noise_times: float = 2.5
    noise_most: float = 4.0
    drifted: float = 8.0
    drifted_s: float = 0.5
    again_s: float = 1.0


@dataclass(frozen=True)
class _Small:
    """What is kept of a glance: (n * 8, n * 8) grey levels and (n, n, 3) cell means, and their common level."""

    gray: FloatArray
    cells: FloatArray
    level: float
    time_s: float


@dataclass
class _Memory:
    """What the gate remembers: glances, the source's noise, and when things happened (seconds)."""

    last: _Small | None = None
    judged: _Small | None = None
    newest: _Small | None = None
    noise: float = 1.0
    moved_s: float | None = None
    still_frames: int = 0
    look_due_s: float | None = None
    drifted_since_s: float | None = None


class MotionGate:
    """Follows the glances of one source.

    Args:
        settings: times and thresholds.
    """

    def __init__(self, settings: GateSettings | None = None) -> None:
        self.settings = settings or GateSettings()
        self._memory = _Memory()

    @property
    def still_since_s(self) -> float | None:
        """Time of the last frame in which something moved; None when nothing did so far."""
        return self._memory.moved_s

    def see(self, glance: FloatArray, time_s: float) -> Phase:
        """Takes the glance of the next frame.

        Args:
            glance: (m, m, 3) as `vision.glance.Glancer` gives it.
            time_s: seconds on the source's time line, never going back.
        """
        s, m = self.settings, self._memory
        now = m.newest = _small(glance, time_s)
        if m.last is None:
            m.last, m.moved_s, m.look_due_s = now, time_s, time_s
            return Phase.SETTLING
        moving = self._moves(m.last, now)
        if moving or time_s - m.last.time_s >= s.apart_s:
            m.last = now
        if moving:
            m.moved_s, m.still_frames, m.look_due_s, m.drifted_since_s = time_s, 0, time_s, None
            return Phase.MOTION
        m.still_frames += 1
        if m.look_due_s is None and self._drifts(now):
            m.look_due_s = time_s
        if m.look_due_s is None:
            return Phase.QUIET
        still_s = time_s - (time_s if m.moved_s is None else m.moved_s)
        if still_s < s.still_s - 1e-6 or m.still_frames < s.still_frames:
            return Phase.SETTLING
        return Phase.LOOK if time_s >= m.look_due_s - 1e-6 else Phase.WAITING

    def judged(self) -> None:
        """The newest frame was looked at and understood: quiet until something moves or drifts."""
        m = self._memory
        m.judged, m.look_due_s, m.drifted_since_s = m.newest, None, None

    def look_again(self, after_s: float | None = None) -> None:
        """The newest frame was looked at and left doubt: look again a little later if nothing moves before."""
        m = self._memory
        if m.newest is not None:
            m.look_due_s = m.newest.time_s + (self.settings.again_s if after_s is None else after_s)

    def restart(self) -> None:
        """Forget everything: the grid lies elsewhere in the picture now."""
        self._memory = _Memory()

    def _moves(self, before: _Small, now: _Small) -> bool:
        """Whether enough cells differ by more than this source's noise; keeps that noise up to date."""
        s = self.settings
        ratio = (now.cells + LEVEL_FLOOR) / (before.cells + LEVEL_FLOOR)
        off = cv2.absdiff(now.gray, before.gray * np.float32(np.median(ratio)))
        n = now.cells.shape[0]
        by_cell = cv2.resize(off, (n, n), interpolation=cv2.INTER_AREA).ravel() * (100 / now.level)
        score = float(np.partition(by_cell, -s.cells)[-s.cells])
        moving = score > max(s.moving, s.noise_times * self._memory.noise)
        if not moving:
            self._memory.noise += 0.05 * (min(score, s.noise_most) - self._memory.noise)
        return moving

    def _drifts(self, now: _Small) -> bool:
        """Whether some cell has differed from the judged look for long enough."""
        s, m = self.settings, self._memory
        if m.judged is None:
            return False
        ratio = (now.cells + LEVEL_FLOOR) / (m.judged.cells + LEVEL_FLOOR)
        off = np.abs(m.judged.cells * np.median(ratio, axis=(0, 1)) - now.cells).mean(-1) * (100 / now.level)
        if off.max() < s.drifted:
            m.drifted_since_s = None
            return False
        if m.drifted_since_s is None:
            m.drifted_since_s = now.time_s
        return now.time_s - m.drifted_since_s >= s.drifted_s


def _small(glance: FloatArray, time_s: float) -> _Small:
    """The grid's part of a glance."""
    grid = glance[EDGE_PX:-EDGE_PX, EDGE_PX:-EDGE_PX]
    n = grid.shape[0] // CELL_PX
    cells = np.asarray(cv2.resize(grid, (n, n), interpolation=cv2.INTER_AREA), np.float32)
    gray = np.asarray(cv2.cvtColor(grid, cv2.COLOR_BGR2GRAY), np.float32)
    return _Small(gray, cells, float(cells.mean()) + DIM_FLOOR, time_s)
