"""One settled look at the board: has anything happened, and what?

The judge keeps the last look that it understood as its reference: the picture, where the board was in it, and what lay
on it. A new look is compared with it and, where something differs, read cell by cell and explained.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.locate import BoardNotFoundError
from calibration.pose import GridPose
from referee.cells import Cell, components
from referee.sightings import Change, Sighting
from vision.bright import changed_cells
from vision.classify import classify_cells
from vision.explain import Explained, Explainer
from vision.first import FirstLook, first_look, quarter_turns, taken_together, turned_alike
from vision.frames import Frame
from vision.glance import Difference, FloatArray, compare, composed, core_means, spread_cells
from vision.hold import Hold, angle_between_deg
from vision.infer import Inference
from vision.items import Locate, View
from vision.look import JudgeSettings, Look, Patience, Verdict
from vision.masked import Masked, Masks, alike, cells_of, mask_of
from vision.observation import Observation
from vision.telling import News, Shot, Teller


@dataclass(frozen=True)
class _Reference:
    """The last look that was understood; without a glance when it cannot be compared with any more."""

    shot: Shot
    glance: FloatArray | None
    board: Mapping[Cell, str]


class Judge:
    """Judges the settled looks of one game.

    Args:
        view: the game.
        colors: colours of its pieces.
        hold: where the board is.
        settings: thresholds.
        session: begins the names of pictures.
        locate: finds the board in a picture, for a better pose when a look leaves doubt; None: the pose is as good as it gets.
    """

    def __init__(
        self, view: View, colors: tuple[str, ...], hold: Hold, settings: JudgeSettings, session: str = "f", locate: Locate | None = None
    ) -> None:
        self.settings = settings
        self.hold = hold
        self._view = view
        self._colors = colors
        self._locate = locate
        self._searches = settings.searches
        self._teller = Teller(view, session)
        self._reference: _Reference | None = None
        self._agreeing: tuple[Mapping[Cell, str], int] = ({}, 0)
        self._last_glance: FloatArray | None = None
        self._last_shot: Shot | None = None
        self._astray = 0
        self._first_looks: deque[Observation] = deque(maxlen=settings.first.looks)
        self._explainer = Explainer(view, colors, settings.explain)
        self._masks = Masks(hold.pose.size)

    def begin(self, frame: Frame, *, anew: bool = True) -> FirstLook:
        """The first look of a game, which becomes the reference; of a game under way what should lie there is that.

        Args:
            frame: a settled one.
            anew: otherwise it is taken together with the first looks before.
        """
        if anew:
            self._first_looks.clear()
        self._first_looks.append(self._explainer.read(frame.image_bgr, self.hold.pose))
        first = first_look(taken_together(self._first_looks), self.settings.first)
        standing, shot = dict(self._view.standing()), Shot(frame, self.hold.pose)
        glance = self.hold.glance(frame.image_bgr)
        self._reference = _Reference(shot, None, standing) if standing else _Reference(shot, glance, first.board)
        self._teller.forget()
        self._masks.begin(glance, first.board)
        return first

    def find_again(self, frame: Frame, pose: GridPose) -> None:
        """The board was lost and has been found: any side of it may be up now."""
        if self._reference is not None:
            seen = classify_cells(frame.image_bgr, pose, self._colors)
            pose = turned_alike(pose, seen, self._reference.board, self.hold.pose)
        self._place_again(frame, pose)

    def regain(self, frame: Frame) -> bool:
        """Whether a board that was lost is about where it was after all, as when a hand that hid it has left."""
        if not self.hold.regain(frame.image_bgr):
            return False
        self._last_glance = None
        return True

    def _place_again(self, frame: Frame, pose: GridPose) -> None:
        """The board lies elsewhere; seen from quite another side its looks can no more be compared."""
        if self._reference is not None and angle_between_deg(self.hold.pose, pose) > self.settings.same_side_deg:
            self._reference = _Reference(self._reference.shot, None, self._reference.board)
        self.hold.place(frame.image_bgr, pose)
        self._last_glance = None

    def look(self, frame: Frame, patience: Patience) -> Look:
        """Judges a settled frame, whose board must be about where it is held."""
        reference, s = self._reference, self.settings
        if reference is None:
            raise RuntimeError("there has been no first look yet")
        glance = self.hold.glance(frame.image_bgr)
        if float(core_means(glance).mean()) < s.dark_level:
            return Look(Verdict.DARK)
        if reference.glance is None:
            return self._explain(frame, glance, None, reference, patience)
        difference = compare(reference.glance, glance, s.explain.change)
        if self._calm(difference):
            return self._unchanged(frame, reference)
        moved = self.hold.follow(frame.image_bgr, glance, difference)
        astray = moved is None and float(np.median(difference.cell)) > s.shaken
        self._astray = self._astray + 1 if astray else 0
        if astray:
            waits = difference.covered.mean() > s.mostly_covered and self._astray < s.looks_astray
            return Look(Verdict.HIDDEN if waits else Verdict.LOST)
        if moved:
            glance = self.hold.glance(frame.image_bgr)
            difference = compare(reference.glance, glance, s.explain.change)
        return self._explain(frame, glance, self._masks.without_ghosts(difference, glance, s.explain.change), reference, patience)

    def _calm(self, difference: Difference) -> bool:
        """Whether the board looks just like the reference."""
        still = float(np.quantile(difference.cell, 0.75)) < self.settings.shaken
        return still and not difference.covered.any() and not changed_cells(difference, self.settings.explain.change).any()

    def _unchanged(self, frame: Frame, reference: _Reference) -> Look:
        """The board is as it was; the table may want to hear it when people decided otherwise meanwhile."""
        change = Change.between(self._view.standing(), reference.board)
        return Look(Verdict.SAME, self._news(frame, reference, Sighting.sure(change), sure=True))

    def _explain(self, frame: Frame, glance: FloatArray, difference: Difference | None, reference: _Reference, patience: Patience) -> Look:
        """Reads the cells and decides what to do about the likeliest explanation."""
        known = difference is not None and self._last_glance is not None and difference.covered.any()
        masked = self._masks.see(glance, difference, self._steady(glance) if known else None)
        explained = self._explainer.explain(frame.image_bgr, self.hold.pose, difference, masked, reference.board)
        found = explained.found
        if difference is not None and masked.resting.any():
            self._reference = reference = self._around(masked.resting, found, difference, glance, reference)
        if found.best.removed and (turns := quarter_turns(explained.seen, reference.board, self.settings.first)):
            self._place_again(frame, self.hold.pose.turned(turns))
            return self.look(frame, patience)
        unsure = found.p < self.settings.explain.sure
        covered = difference is not None and (
            self._under_hand(found, difference, masked) or (unsure and self._near_news(found, difference, glance))
        )
        if (unsure or found.is_odd) and not covered and self._better_placed(frame, reference):
            return self.look(frame, patience)
        waiting = Look(Verdict.HIDDEN if covered else Verdict.DOUBT)
        if unsure and (patience.doubt or covered) and not patience.last:
            return self._kept(glance, waiting)
        best, doubtful = (found.best, frozenset()) if not unsure else found.agreed(self.settings.explain.sure) or (None, frozenset())
        hidden = (found.hidden - masked.unasked) | doubtful
        if best is None:
            unsure_cells = hidden - found.weighed(cells_of(masked.by_hand))
            news = self._news(frame, reference, Sighting(found.candidates, unsure_cells), sure=False)
            return self._kept(glance, Look(Verdict.DOUBT, news))
        board = best.apply(self._view.standing())
        change = Change.between(reference.board, board)
        if change.removed and patience.doubt and not patience.last:
            return self._kept(glance, waiting)
        if (covered and change.is_empty) or not self._confirmed(board, self._looks_needed(change, found, patience, covered=covered)):
            return self._kept(glance, waiting)
        candidates = ((best, 1.0),) if doubtful else found.candidates
        news = self._news(frame, reference, Sighting(candidates, hidden - best.cells), sure=True)
        still_open = mask_of(found.open_cells(best, self.settings.still_open) - change.cells, self.hold.pose.size)
        self._rebase(frame, glance, difference, masked, explained, change, board, still_open)
        return self._kept(glance, Look(Verdict.NEWS if news else Verdict.SAME, news))

    def _under_hand(self, found: Inference, difference: Difference, masked: Masked) -> bool:
        """Whether a hand or another thing lies over the board: by what changed, or by hidden cells into which something reaches."""
        size = self.hold.pose.size
        may_hide = changed_cells(difference, self.settings.explain.change) & ~masked.blown & ~masked.resting
        hidden = (block for block in components(cell for cell in found.hidden if may_hide[cell]) if len(block) > 1)
        return bool(masked.by_hand.any()) or any(
            difference.beside(mask_of(block, size), self.settings.explain.change).any() for block in hidden
        )

    def _around(
        self, resting: NDArray[np.bool_], found: Inference, difference: Difference, glance: FloatArray, reference: _Reference
    ) -> _Reference:
        """The reference with a thing that lies on the board in it: play goes on around it, and nothing under it has changed."""
        thing = resting.copy()
        for change, _ in found.candidates:
            thing[tuple(np.array(sorted(change.cells), np.intp).reshape(-1, 2).T)] = False
        return _Reference(reference.shot, composed(difference, glance, ~spread_cells(thing)), reference.board)

    def _near_news(self, found: Inference, difference: Difference, glance: FloatArray) -> bool:
        """Whether something has just come or gone beside the cells in question: fingers that look like the board, perhaps."""
        cells = mask_of((cell for change, _ in found.candidates for cell in change.cells), self.hold.pose.size)
        beside = difference.beside(cells, self.settings.explain.change)
        return bool(beside.any() and (beside & ~self._steady(glance)).any())

    def _kept(self, glance: FloatArray, look: Look) -> Look:
        """The look, its glance kept for the next one."""
        self._last_glance = glance
        return look

    def _better_placed(self, frame: Frame, reference: _Reference) -> bool:
        """Searches for the board once more when cells are in doubt: its edges may fit better now that pieces lie there."""
        now = self.hold.pose
        if self._locate is None or self._searches <= 0 or now.residual_cells <= self.settings.good_cells:
            return False
        self._searches -= 1
        try:
            found = self._locate(frame.image_bgr, now.size)
        except BoardNotFoundError:
            return False
        pose = min((found.turned(k) for k in range(4)), key=lambda p: float(np.abs(p.corners_px - now.corners_px).max()))
        away = np.abs(now.unproject(pose.corners_px) - now.unproject(now.corners_px)).max()
        if away > self.settings.nearby_cells or not pose.residual_cells < now.residual_cells:
            return False
        self.hold.place(frame.image_bgr, pose)
        self._last_glance = None
        shot = Shot(reference.shot.frame, pose)
        comparable = reference.glance is not None and reference.shot.pose is now
        self._reference = _Reference(shot, self.hold.glance(shot.frame.image_bgr) if comparable else None, reference.board)
        return True

    def _looks_needed(self, change: Change, found: Inference, patience: Patience, *, covered: bool) -> int:
        """How many looks must agree on a change before it is told.

        Another piece may lie under a hand, and a piece that touches the hand may still be held: at once counts only
        what is seen of a board that is wholly in view.
        """
        s = self.settings
        if not covered:
            return s.looks_many if len(found.odd_cells) >= s.many and not patience.last else 1
        if found.near_hidden(change):
            return s.looks_around
        if patience.last:
            return 1
        return s.looks_around if change.removed else s.looks_beside

    def _confirmed(self, board: Mapping[Cell, str], needed: int) -> bool:
        """Counts looks in a row that agree on what lies on the board."""
        before, count = self._agreeing
        self._agreeing = (board, count + 1 if board == before else 1)
        return self._agreeing[1] >= needed

    def _news(self, frame: Frame, reference: _Reference, sighting: Sighting, *, sure: bool) -> News | None:
        return self._teller.news(sighting, sure=sure, lies=reference.board, before=reference.shot, after=self._shot(frame))

    def _shot(self, frame: Frame) -> Shot:
        """The look's picture: the same object each time, so that its file is made once."""
        if self._last_shot is None or self._last_shot.frame is not frame or self._last_shot.pose is not self.hold.pose:
            self._last_shot = Shot(frame, self.hold.pose)
        return self._last_shot

    def _rebase(
        self,
        frame: Frame,
        glance: FloatArray,
        difference: Difference | None,
        masked: Masked,
        explained: Explained,
        change: Change,
        board: Mapping[Cell, str],
        still_open: NDArray[np.bool_],
    ) -> None:
        """Makes a look that was understood the reference.

        What differs without being part of the change is a shadow or a hand: it must look the same twice to be believed, unless a piece
        leans over cells that are surely read all the same. Doubtful cells stay as they were.
        """
        if difference is not None:
            mine = mask_of(change.cells, self.hold.pose.size)
            beside = cv2.dilate(mine.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
            mine |= beside & explained.is_sure & ~difference.covered
            foreign = (difference.off > self.settings.explain.change.calm) & ~spread_cells(mine)
            if foreign.any():
                foreign &= ~self._steady(glance)
            unseen = difference.covered | explained.unread | (masked.blown & changed_cells(difference, self.settings.explain.change))
            glance = composed(difference, glance, foreign | spread_cells(unseen | still_open))
        self._reference = _Reference(self._shot(frame), glance, dict(board))
        self._masks.learn(glance, board)
        self.hold.renew(frame.image_bgr)

    def _steady(self, glance: FloatArray) -> NDArray[np.bool_]:
        """(m, m) what looks as it did in the look before."""
        if self._last_glance is None:
            return np.zeros(glance.shape[:2], bool)
        return alike(self._last_glance, glance, self.settings.explain.change)
