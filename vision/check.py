"""Will camera, light and place do? Each thing that matters, measured, and what to change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from calibration.pose import GridPose
from vision.classify import CLASSIC_COLORS, classify_cells
from vision.colourless import is_grey
from vision.frames import BgrImage
from vision.observation import EMPTY, UNKNOWN, Observation
from vision.sharpness import Focus, FocusSettings, edge_width_px
from vision.survey import Survey, board_view, grey_level

Level = Literal["ok", "warn", "bad"]


@dataclass(frozen=True)
class CheckSettings:
    """From where a measured value is no longer good (``warn``), and from where it will not do (``bad``).

    Attributes:
        cell_px: least side of a cell: wanted, needed from straight above, needed at 60 degrees (measured on photographs and renders).
        tilt_deg: most angle from the vertical: pieces hide little up to the first, whole squares beyond the second.
        rim_cells: least distance of the grid from the picture's edge: the rim tells where the board ends; 0 is the grid itself.
        bright: mean level of the board: darkest and brightest good ones, then those that will not do.
        blown_share: share of a cell's points at full white from which it counts as glaring.
        glaring: cells that glare: from the first on a lamp should be moved; from the second on pieces cannot be told.
        blur_cells: width of edges in cells.
        noise: chance differences in grey levels: cells have 100 points and more, so that only much noise is a harm.
        flicker: change of the whole picture's brightness from one picture to the next, in percent.
        frame_rate: pictures a second; rulings come one second after the hand is gone at ten.
        shake_px: how far the board moves in the picture while nobody touches it.
        unread_share: share of the cells that cannot be told.
    """

    cell_px: tuple[float, float, float] = (20.0, 12.0, 16.0)
    tilt_deg: tuple[float, float] = (50.0, 62.0)
    rim_cells: tuple[float, float] = (0.7, -0.2)
    bright: tuple[float, float, float, float] = (55.0, 225.0, 20.0, 247.0)
    blown_share: float = 0.3
    glaring: tuple[float, float] = (0.5, 40.0)
    blur_cells: tuple[float, float] = (0.06, FocusSettings.most_cells)
    noise: tuple[float, float] = (6.0, 14.0)
    flicker: tuple[float, float] = (2.0, 10.0)
    frame_rate: tuple[float, float] = (8.0, 1.0)
    shake_px: tuple[float, float] = (1.0, 4.0)
    unread_share: tuple[float, float] = (0.01, 0.2)


@dataclass(frozen=True)
class Check:
    """One thing that matters.

    Attributes:
        name: a word for programs.
        level: ``ok``, ``warn`` (it will do, and could be better) or ``bad`` (it will not do).
        value: what was measured; None where there is nothing to measure.
        unit: of the value; empty for a mere number.
        message: what was found, in words.
        advice: what to change; empty when all is well.
    """

    name: str
    level: Level
    value: float | None
    unit: str
    message: str
    advice: str = ""

    def as_json(self) -> dict[str, Any]:
        """All of it, the value rounded."""
        value = None if self.value is None else round(self.value, 3)
        return {"name": self.name, "level": self.level, "value": value, "unit": self.unit, "message": self.message, "advice": self.advice}


def will_do(checks: list[Check]) -> bool:
    """Whether a game can be watched: nothing is bad."""
    return all(check.level != "bad" for check in checks)


def check_setup(
    seen: Survey,
    colors: tuple[str, ...] = CLASSIC_COLORS,
    settings: CheckSettings | None = None,
    *,
    cells: Observation | None = None,
) -> list[Check]:
    """Everything that can be said of a source, the board first.

    Args:
        seen: the look at it.
        colors: colours of the game's pieces.
        settings: what is good and what will not do.
        cells: what is read of its best picture, where that is known already.
    """
    s = settings or CheckSettings()
    pose = seen.pose
    if pose is None:
        blur = Focus().whole_complaint(seen.kept[-1])
        sharp = [Check("sharpness", "bad", edge_width_px(seen.kept[-1]), "px", *blur.split(": ", 1))] if blur else []
        return [Check("board", "bad", None, "", "no board was found", seen.not_found[-1]), *sharp, *_of_pictures(seen, s)]
    some = bool(seen.not_found)
    found = f"a board of {pose.size} x {pose.size} in {len(seen.poses)} of {len(seen.kept)} pictures"
    board = Check("board", "warn" if some else "ok", float(len(seen.poses)), "pictures", found, seen.not_found[-1] if some else "")
    return [
        board,
        *_of_place(pose, s),
        *_of_light(seen.best, pose, s),
        *_of_pictures(seen, s),
        *_of_cells(cells or classify_cells(seen.best, pose, colors), s),
    ]


def _of_place(pose: GridPose, s: CheckSettings) -> Iterator[Check]:
    """Where the camera stands."""
    wanted, above, slanted = s.cell_px
    needed = above + (slanted - above) * min(pose.tilt_deg / 60, 1.0)
    cell_px = float(np.quantile(pose.cell_sizes_px(), 0.05))
    yield _graded(
        "cell_size",
        cell_px,
        "px",
        (wanted, needed),
        f"the smallest squares are {cell_px:.0f} px wide",
        "move the camera nearer",
        least=True,
    )
    tilt = pose.tilt_deg
    yield _graded("angle", tilt, "degrees", s.tilt_deg, f"the camera leans {tilt:.0f} degrees", "look more from above")
    width, height = pose.image_wh
    beyond = np.minimum(pose.corners_px, np.array([width - 1, height - 1]) - pose.corners_px).min()
    rim = float(beyond) / float(np.median(pose.cell_sizes_px()))
    message = f"the grid ends {rim:.1f} squares inside the picture" if rim >= 0 else "a corner of the grid is outside the picture"
    yield _graded("rim", rim, "cells", s.rim_cells, message, "show the whole board with its rim", least=True)


def _of_light(image_bgr: BgrImage, pose: GridPose, s: CheckSettings) -> Iterator[Check]:
    """Brightness and glare over the board, and how sharp it is."""
    cells = board_view(image_bgr, pose)
    level = float(grey_level(cells).mean())
    dark, bright, too_dark, too_bright = s.bright
    grade: Level = "bad" if not too_dark <= level <= too_bright else "warn" if not dark <= level <= bright else "ok"
    advice = "" if grade == "ok" else "add light" if level < dark else "take light away, or expose less"
    yield Check("brightness", grade, level, "of 255", f"the board's brightness is {level:.0f} of 255", advice)
    glaring = int(((cells.min(-1) >= 250).mean(-1) >= s.blown_share).sum())
    message = f"{glaring} squares are blown out to white" if glaring else "no square is blown out to white"
    yield _graded("glare", float(glaring), "cells", s.glaring, message, "move the lamp or the camera until no reflection lies on the board")
    width = edge_width_px(image_bgr, pose)
    blur = width / float(np.median(pose.cell_sizes_px()))
    yield _graded(
        "sharpness",
        blur,
        "cells",
        s.blur_cells,
        f"edges are {max(width, 0.5):.1f} px wide, {max(blur, 0.01):.2f} of a square",
        "focus the camera and clean its lens",
    )


def _of_pictures(seen: Survey, s: CheckSettings) -> Iterator[Check]:
    """What the pictures are like, wherever the board is."""
    if all(is_grey(image) for image in seen.kept):
        yield Check("colour", "bad", 0.0, "", "the pictures have no colours", "turn off night vision or black-and-white mode")
    if seen.lost:
        yield Check("gaps", "warn", float(len(seen.lost)), "times", seen.lost[-1], "check the cable or the network")
    if seen.noise:
        noise = float(np.median(seen.noise))
        yield _graded("noise", noise, "levels", s.noise, f"points differ by {noise:.1f} of 255 by chance", "add light")
        levels = np.array(seen.levels)
        flicker = 100 * float(np.median(np.abs(np.diff(levels)))) / max(float(levels.mean()), 1.0)
        message = f"the brightness changes by {flicker:.1f} % from picture to picture"
        yield _graded(
            "flicker", flicker, "percent", s.flicker, message, "set the camera's flicker protection to 50 or 60 Hz, or use another lamp"
        )
    if seen.frame_rate is not None:
        rate = seen.frame_rate
        message = f"{rate:.1f} pictures come a second"
        yield _graded(
            "frame_rate", rate, "per second", s.frame_rate, message, "add light, choose a smaller picture or a better network", least=True
        )
    if seen.moved_px:
        shake = max(seen.moved_px)
        message = f"the board moves by {shake:.1f} px in the picture"
        yield _graded("steadiness", shake, "px", s.shake_px, message, "put the camera on a stand that nobody touches")


def _of_cells(seen: Observation, s: CheckSettings) -> Iterator[Check]:
    """What can be read of the board as it lies."""
    grid = np.array([list(row) for row in seen.grid()])
    unread = float((grid == "?").mean())
    message = f"{int((grid == '?').sum())} of {grid.size} squares cannot be told"
    yield _graded("unread", unread, "share", s.unread_share, message, "take hands and things off the board, and see to light and glare")
    pieces = ~np.isin(seen.best, [seen.labels.index(label) for label in (EMPTY, UNKNOWN) if label in seen.labels])
    if not pieces.any():
        yield Check("colours", "ok", None, "", "no pieces on the board: lay one of each colour on it to try the colours too")
        return
    names = [name for name in seen.colors if (seen.best == seen.labels.index(name)).any()]
    told = float((grid[pieces] != "?").mean())
    message = f"{', '.join(names)}: {100 * told:.0f} % of their squares are told for certain"
    yield _graded("colours", told, "share", (0.98, 0.7), message, "use white light, and light from everywhere", least=True)


def _graded(name: str, value: float, unit: str, limits: tuple[float, float], message: str, advice: str, *, least: bool = False) -> Check:
    """A check by its limits for ``warn`` and ``bad``; ``least``: values under the limits are the worse ones."""
    sign = -1 if least else 1
    warn, bad = limits
    level: Level = "bad" if sign * value > sign * bad else "warn" if sign * value > sign * warn else "ok"
    return Check(name, level, value, unit, message, "" if level == "ok" else advice)
