"""A board whose place is known from before: tried first, and believed only as far as the picture bears it out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from calibration.extent import find_extent, line_contrast
from calibration.locate import WHOLE, locate_board
from calibration.mend import EXACT_FIT, with_doubt
from calibration.pose import GridPose
from calibration.refine import refine
from calibration.settings import DEFAULT_LOCATE, LocateSettings
from calibration.views import Image, Views

NEAR_CELLS = 0.35
"""How far a board may have been pushed since: farther off, its lines are mistaken for their neighbours."""

LEAST_CONTRAST = 0.06
"""Mean contrast of the lines at corners given by hand: those between them, or where there is no board, give none."""

PARTS, SEEN_PARTS = 4, 4
"""The board is looked at in 4x4 parts; where it still lies, lines are plain in four of them, whatever lies on the others."""

LEAST_PLAIN = 0.25
"""Mean contrast of plain lines in a part. On drawn boards of twelve seeds it was 0.41 and more in the fourth best part, 0.32 and more under
heads, sheets and shadows, and up to 0.2 in three of four boards that lay elsewhere (0.56 at most)."""


def confirmed(image_bgr: Image, start: GridPose, settings: LocateSettings = DEFAULT_LOCATE) -> GridPose | None:
    """The board in a picture when it lies about where it lay before; None when that is not plain to see.

    As much is asked of it as of a board at which the search ends without looking further.

    Args:
        image_bgr: (h, w, 3) uint8, of the size for which ``start`` was found.
        start: where it lay.
        settings: numbers of the search.
    """
    views = Views(image_bgr)
    whole, view = views.at(WHOLE), views.at(settings.exact_px)
    before = whole.pose_in(start, view)
    pose = refine(view.image_bgr, before, rounds=2, settings=EXACT_FIT)
    if not np.isfinite(pose.corners_px).all() or np.abs(before.unproject(pose.corners_px) - before.grid_corners).max() > NEAR_CELLS:
        return None
    found = find_extent(view.gray, pose, np.full(2, pose.size / 2), (pose.size,), reach=pose.size // 2 + 3)
    if found is None or not settings.is_good(with_doubt(found, view)) or np.abs(found.pose.unproject(pose.corners_px[:1])).max() > 0.5:
        return None
    return view.pose_in(pose, whole)


def bears_out(image_bgr: Image, pose: GridPose, settings: LocateSettings = DEFAULT_LOCATE) -> bool:
    """Whether a picture has lines where a pose given by hand wants them, and none in the middle between.

    What it does not check: whether the grid is a whole cell off; people see that better.
    """
    views = Views(image_bgr)
    view = views.at(settings.search_px)
    here = views.at(WHOLE).pose_in(pose, view)
    lines = line_contrast(view.gray, here, (0, 0), (here.size, here.size))
    return float(lines[0, :, 1:].mean() + lines[1, 1:].mean()) / 2 >= LEAST_CONTRAST


def is_elsewhere(image_bgr: Image, pose: GridPose, settings: LocateSettings = DEFAULT_LOCATE) -> bool:
    """Whether hardly anywhere on the board lines are seen where a pose wants them; a hand or a cup leaves them plain all around.

    What it does not check: whether the lines seen are those of a board pushed by whole cells, or turned about its middle.

    Args:
        image_bgr: (h, w, 3) uint8.
        pose: where the board lay.
        settings: numbers of the search.
    """
    views = Views(image_bgr)
    view = views.at(settings.search_px)
    contrast = line_contrast(view.gray, views.at(WHOLE).pose_in(pose, view), (0, 0), (pose.size, pose.size)).mean(0)
    parts = [float(part.mean()) for band in np.array_split(contrast, PARTS) for part in np.array_split(band, PARTS, axis=1)]
    return float(np.partition(parts, -SEEN_PARTS)[-SEEN_PARTS]) < LEAST_PLAIN


class KnownBoard:
    """Finds the board in the pictures of a camera for which its place is known; called like `locate_board`.

    Args:
        pose: where it lay.
        by_hand: people gave its corners because it was not found: taken as they are while lines are seen there.
        told: told once in one line when the place no longer fits.
        locate: finds it otherwise.

    Attributes:
        pose: the place; the board found there by hand is this very object.
        by_hand: as above.
    """

    def __init__(
        self,
        pose: GridPose,
        *,
        by_hand: bool = False,
        told: Callable[[str], None] = lambda _: None,
        locate: Callable[[Image, int], GridPose] = locate_board,
    ) -> None:
        self.pose = pose
        self.by_hand = by_hand
        self._told = told
        self._locate = locate
        self._has_told = False

    def __call__(self, image_bgr: Image, size: int) -> GridPose:
        """The board where it was known to be, else wherever it is found.

        Raises:
            BoardNotFoundError: it is nowhere.
        """
        known = self._where_it_was(image_bgr, size)
        if known is not None:
            return known
        if not self._has_told:
            self._has_told = True
            self._told("The board is not where this camera's calibration has it: searching the whole picture.")
        return self._locate(image_bgr, size)

    def _where_it_was(self, image_bgr: Image, size: int) -> GridPose | None:
        if size != self.pose.size or (image_bgr.shape[1], image_bgr.shape[0]) != self.pose.image_wh:
            return None
        if self.by_hand:
            return self.pose if bears_out(image_bgr, self.pose) else None
        return confirmed(image_bgr, self.pose)
