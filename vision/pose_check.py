"""The pose checked with what was read: on steep pictures edges are seen at heights that depend on which cells hold pieces.

Before anything is read, that is guessed from colours alone; where pieces are pale or the light is coloured, a steep grid fitted under a
wrong guess hangs between the board and the tops of pieces, up to half a cell off.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.border import Border
from calibration.fit import fit_pose, misfit_cells
from calibration.locate import WHOLE
from calibration.mend import EXACT_FIT
from calibration.pose import GridPose
from calibration.refine import coloured_cells, marks_of_edges, measure_edges
from calibration.settings import DEFAULT_LOCATE
from calibration.views import Image, Views
from vision.observation import Observation

LEAST_OTHERS = 0.03
"""Share of the cells that must have been guessed wrongly for another fit."""

MOST_MISFIT = 0.93
"""Misfit after the fit, in units of that before, with which the new pose is taken: wrong readings of dark pictures give no more."""

LEAST_MARKS = 40
"""Edges without which nothing is fitted."""

REACHES_CELLS = (0.36, 0.26)
"""How far from its place each edge is looked for, round by round."""


def corrected(views: Views, pose: GridPose, seen: Observation) -> GridPose | None:
    """The pose fitted again with the cells that were read as pieces, or with all where it fits badly; None where that changes nothing.

    Args:
        views: of the picture.
        pose: as found, within about a third of a cell.
        seen: what was read with it.
    """
    if pose.tilt_deg <= DEFAULT_LOCATE.steep_deg:
        return None
    whole, view = views.at(WHOLE), views.at(DEFAULT_LOCATE.exact_px)
    here = whole.pose_in(pose, view)
    if pose.residual_cells > BAD_FIT_CELLS:
        better = _fitted_to_pieces_alone(view.image_bgr, here)
        if better is not None:
            return view.pose_in(better, whole)
    guessed = coloured_cells(view.image_bgr, here)
    pieces, untold = taken_as(seen)
    pieces = np.where(untold, guessed, pieces)
    if (pieces != guessed).mean() < LEAST_OTHERS:
        return None
    before, found = np.inf, here
    for reach in REACHES_CELLS:
        marks = marks_of_edges(found, measure_edges(view.image_bgr, found, pieces, reach))
        if len(marks.line) < LEAST_MARKS:
            return None
        if found is here:
            off = np.minimum(np.abs(misfit_cells(here, marks)), EXACT_FIT.most_off_cells)
            before = float(np.sqrt(np.average(off**2, weights=marks.weight)))
        found = fit_pose(found, marks, EXACT_FIT)
    return view.pose_in(found, whole) if found.residual_cells <= MOST_MISFIT * before else None


def _fitted_to_pieces_alone(image_bgr: Image, here: GridPose) -> GridPose | None:
    """The pose fitted as if every cell held a piece, where that fits better: in glare the guess from colours is at random.

    A better fit alone proves nothing: of grids that lie well some are moved off by it, so that only those that fit badly are to be given.
    """
    found, pieces = here, np.ones((here.size, here.size), bool)
    border = Border.of(image_bgr, here).doubt
    for reach in (*REACHES_CELLS, REACHES_CELLS[-1]):
        marks = marks_of_edges(found, measure_edges(image_bgr, found, pieces, reach))
        if len(marks.line) < LEAST_MARKS:
            return None
        found = fit_pose(found, marks, EXACT_FIT)
    fits = found.residual_cells <= MOST_MISFIT_ALONE * here.residual_cells
    return found if fits and Border.of(image_bgr, found).doubt <= border + SAME_DOUBT else None


BAD_FIT_CELLS = 0.08
"""Misfit from which the guess itself is in question."""

MOST_MISFIT_ALONE = 0.9
"""Misfit of the fit to pieces alone, in units of that found, with which it is taken."""

SAME_DOUBT = 0.01
"""Doubt of the border that may be added by it."""


def taken_as(seen: Observation) -> NDArray[np.bool_]:
    """(2, size, size) which cells the pose is fitted to as pieces, and which were not read: the guess stands there."""
    p = np.exp(seen.log_p)
    return np.stack([p[..., 1:-1].sum(axis=2) > 0.5, p[..., -1] > 0.5])
