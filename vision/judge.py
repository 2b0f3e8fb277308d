"""One settled look at the board: has anything happened, and what?

The judge keeps the last look that it understood as its reference: the picture, where the board was in it, and what lay
on it. A new look is compared with it and, where something differs, read cell by cell and explained.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from calibration.locate import BoardNotFoundError
from calibration.pose import GridPose
from referee.cells import Cell, Cells
from referee.sightings import Change, Sighting
from vision.classify import classify_cells
from vision.evidence import board_jpeg
from vision.frames import Frame
from vision.glance import ChangeSettings, Difference, FloatArray, Glancer, compare, composed, core_means, spread_cells
from vision.infer import Inference, InferSettings, infer
from vision.items import Locate, View
from vision.observation import EMPTY, Observation, letter_of
from vision.odds import OddsSettings, cell_odds
from vision.registration import Anchor, TrackSettings, anchor, track


class Verdict(Enum):
    """What a look came to."""

    SAME = "same"
    """Nothing happened."""
    NEWS = "news"
    """Something happened; there is a sighting."""
    HIDDEN = "hidden"
    """A hand or another thing lies over the board: wait."""
    DOUBT = "doubt"
    """Something differs, but it cannot be told what: look again."""
    LOST = "lost"
    """The board is not where it was: search for it."""
    DARK = "dark"
    """Too dark to see anything."""


@dataclass(frozen=True)
class JudgeSettings:
    """Thresholds of the decision and the settings of its parts.

    Attributes:
        sure: probability of an explanation from which it is told without another look.
        dark_level: mean grey level of the board under which nothing is read.
        shaken: upper quartile of the cells' differences (percent of the level) from which the board may have moved.
        named: probability of a label from which a cell of the first look is named.
        few: occupied cells of a first look up to which they must make pieces, or the board counts as empty.
        many: changed cells that are no pieces from which a look must be repeated: a hand that was not known as one.
        looks_many: looks that must agree on so many.
        looks_beside: looks that must agree on a piece that came well clear of a hand or another thing on the board.
        looks_around: looks that must agree on anything else while such a thing lies there, which then is no hand.
        mostly_covered: share of the cells under a thing from which it is to blame when the board cannot be followed.
        searches: times in a game that a better pose is searched for when a look leaves doubt.
        nearby_cells: how far a better pose may lie from the one held; farther off it is another grid.
        same_side_deg: turn of the camera about the board up to which looks can still be compared.
        worn: share of agreeing points under which the board is followed from a newer picture.
    """

    sure: float = 0.9
    dark_level: float = 7.0
    shaken: float = 3.0
    named: float = 0.8
    few: int = 12
    many: int = 12
    looks_many: int = 2
    looks_beside: int = 2
    looks_around: int = 8
    searches: int = 6
    nearby_cells: float = 0.8
    same_side_deg: float = 8.0
    worn: float = 0.7
    mostly_covered: float = 0.3
    change: ChangeSettings = field(default_factory=ChangeSettings)
    odds: OddsSettings = field(default_factory=OddsSettings)
    infer: InferSettings = field(default_factory=InferSettings)
    track: TrackSettings = field(default_factory=TrackSettings)


@dataclass(frozen=True)
class Look:
    """What a look came to.

    Attributes:
        verdict: in a word.
        sighting: what to tell the table; with `Verdict.NEWS`, and with `Verdict.DOUBT` when doubt was to be told.
        pictures: JPEG files that the sighting names.
    """

    verdict: Verdict
    sighting: Sighting | None = None
    pictures: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class _Reference:
    """The last look that was understood; without a glance when the board was found anew since."""

    frame: Frame
    pose: GridPose
    glance: FloatArray | None
    board: Mapping[Cell, str]


class Judge:
    """Judges the settled looks of one game.

    Args:
        view: the game.
        colors: colours of its pieces.
        settings: thresholds.
        session: begins the names of pictures, so that they stay unique in a game that is watched several times.
        locate: finds the board in a picture, for a better pose when a look leaves doubt; None: the pose is as good as it gets.
    """

    def __init__(
        self,
        view: View,
        colors: tuple[str, ...],
        settings: JudgeSettings | None = None,
        session: str = "f",
        locate: Locate | None = None,
    ) -> None:
        self.settings = settings or JudgeSettings()
        self._locate = locate
        self._searches = self.settings.searches
        self._view = view
        self._colors = colors
        self._session = session
        self._glancer: Glancer | None = None
        self._anchor: Anchor | None = None
        self._reference: _Reference | None = None
        self._pending: Mapping[Cell, str] | None = None
        self._pending_looks = 0
        self._last_glance: FloatArray | None = None
        self._steady: NDArray[np.bool_] | None = None
        self._worn = False
        self._told: tuple[frozenset[tuple[Cell, str]], Change, bool] | None = None

    @property
    def glancer(self) -> Glancer:
        """Takes glances of the board where it was last seen."""
        if self._glancer is None:
            raise RuntimeError("the board has not been placed yet")
        return self._glancer

    def place(self, frame: Frame, pose: GridPose) -> None:
        """Where the board is in a frame; seen from quite another side its looks can no more be compared."""
        before = self._glancer.pose if self._glancer else pose
        self._put(frame, pose)
        if self._reference is not None and _angle_deg(before, pose) > self.settings.same_side_deg:
            self._reference = replace(self._reference, glance=None)

    def _put(self, frame: Frame, pose: GridPose) -> None:
        self._glancer, self._anchor = Glancer.of(pose), anchor(frame.image_bgr, pose, self.settings.track)

    def turned_like_before(self, frame: Frame, pose: GridPose) -> GridPose:
        """The pose of a board found anew, its rows and columns named as in the game: its pieces tell which side is up."""
        board = self._reference.board if self._reference else {}
        seen = classify_cells(frame.image_bgr, pose, self._colors)
        row_col = np.array(sorted(board), np.intp).reshape(-1, 2)
        label = [seen.labels.index(board[row, col]) for row, col in row_col.tolist()]
        fits = [np.maximum(np.rot90(seen.log_p, k)[row_col[:, 0], row_col[:, 1], label], -6).sum() for k in range(4)]
        near = [-np.abs(pose.turned(k).corners_px - self.glancer.pose.corners_px).max() / max(pose.image_wh) for k in range(4)]
        return pose.turned(int(np.argmax(np.array(fits) + near)))

    def begin(self, frame: Frame) -> tuple[tuple[str, ...], Cells]:
        """The first look of a game: rows of letters and the cells that are unsure. Becomes the reference."""
        seen = classify_cells(frame.image_bgr, self.glancer.pose, self._colors)
        board, unsure = self._first_board(seen)
        self._reference = _Reference(frame, self.glancer.pose, self.glancer.glance(frame.image_bgr), board)
        self._pending, self._told = None, None
        return _rows(board, unsure, seen.size), unsure

    def _first_board(self, seen: Observation) -> tuple[Mapping[Cell, str], Cells]:
        """What lies on a board of which nothing is known yet, and the cells that are unsure."""
        odds = cell_odds({}, seen, settings=self.settings.odds)
        if (odds.best > 0).sum() <= self.settings.few:
            found = infer(odds, settings=self.settings.infer)
            return found.best.apply({}), frozenset()
        named = seen.confidence >= self.settings.named
        board = {
            (r, c): seen.labels[seen.best[r, c]]
            for r, c in np.argwhere(named & (seen.best > 0)).tolist()
            if seen.labels[seen.best[r, c]] != EMPTY
        }
        return board, frozenset((r, c) for r, c in np.argwhere(~named).tolist())

    def look(self, frame: Frame, *, patient: bool, last: bool = False) -> Look:
        """Judges a settled frame.

        Args:
            frame: the picture; its board must be about where the reference has it.
            patient: doubt is kept for another look instead of being told.
            last: nothing more will come: what can be told is told.
        """
        reference, s = self._reference, self.settings
        if reference is None:
            raise RuntimeError("there has been no first look yet")
        glance = self.glancer.glance(frame.image_bgr)
        if float(core_means(glance).mean()) < s.dark_level:
            return Look(Verdict.DARK)
        last_glance, self._last_glance = self._last_glance, glance
        if reference.glance is None:
            return self._explain(frame, glance, None, reference, patient=patient, last=last)
        difference = compare(reference.glance, glance, s.change)
        if self._calm(difference):
            return self._unchanged(frame, reference)
        shaken = float(np.median(difference.cell)) > s.shaken
        followed = track(self._anchor, frame.image_bgr, s.track) if self._anchor else None
        if followed is None and shaken:
            return Look(Verdict.HIDDEN if difference.covered.mean() > s.mostly_covered else Verdict.LOST)
        if followed is not None and followed.moved:
            self._put(frame, followed.pose)
            glance = self._last_glance = self.glancer.glance(frame.image_bgr)
            difference = compare(reference.glance, glance, s.change)
        elif followed is None or followed.share < s.worn:
            self._worn = True
        self._steady = self._steady_pixels(last_glance, glance)
        return self._explain(frame, glance, difference, reference, patient=patient, last=last)

    def _steady_pixels(self, last_glance: FloatArray | None, glance: FloatArray) -> NDArray[np.bool_] | None:
        """(m, m) what looks as it did in the look before; None when there was none."""
        if last_glance is None:
            return None
        again = compare(last_glance, glance, self.settings.change)
        return np.asarray(again.off < self.settings.change.pixel)

    def _calm(self, difference: Difference) -> bool:
        """Whether the board looks just like the reference."""
        still = float(np.quantile(difference.cell, 0.75)) < self.settings.shaken
        return still and not difference.covered.any() and not difference.changed(self.settings.change).any()

    def _unchanged(self, frame: Frame, reference: _Reference) -> Look:
        """The board is as it was; the table may want to hear it when people decided otherwise meanwhile."""
        self._pending = None
        change = Change.between(self._view.standing(), reference.board)
        return self._tell(frame, reference, Sighting.sure(change), Verdict.SAME)

    def _explain(
        self, frame: Frame, glance: FloatArray, difference: Difference | None, reference: _Reference, *, patient: bool, last: bool
    ) -> Look:
        """Reads the cells and decides what to do about the likeliest explanation."""
        s = self.settings
        standing = self._view.standing()
        seen = classify_cells(frame.image_bgr, self.glancer.pose, self._colors)
        odds = cell_odds(
            standing,
            seen,
            change_log_odds=None if difference is None else difference.log_odds(s.change),
            covered=None if difference is None else difference.covered,
            before=reference.board,
            settings=s.odds,
        )
        found = infer(odds, self._view.pieces_on_board(), self._view.on_turn(), s.infer)
        covered = difference is not None and bool(difference.covered.any())
        if (found.p < s.sure or found.is_odd) and not covered and self._better_placed(frame, reference):
            return self.look(frame, patient=patient, last=last)
        if found.p < s.sure and ((patient or covered) and not last):
            self._pending = None
            return Look(Verdict.HIDDEN if covered else Verdict.DOUBT)
        sure_part = found.agreed(s.sure) if found.p < s.sure else (found.best, frozenset())
        if sure_part is None:
            self._pending = None
            return self._tell(frame, reference, Sighting(found.candidates, found.hidden), Verdict.DOUBT)
        best, doubtful = sure_part
        board = best.apply(standing)
        change = Change.between(reference.board, board)
        if not self._confirmed(board, self._looks_needed(change, found, covered=covered, last=last)):
            return Look(Verdict.HIDDEN if covered else Verdict.DOUBT)
        candidates = ((best, 1.0),) if doubtful else found.candidates
        sighting = Sighting(candidates, (found.hidden | doubtful) - best.cells)
        look = self._tell(frame, reference, sighting, Verdict.SAME if change.is_empty else Verdict.NEWS)
        self._rebase(frame, glance, difference, change, board)
        return look

    def _better_placed(self, frame: Frame, reference: _Reference) -> bool:
        """Searches for the board once more when cells are in doubt: its edges may fit better now that pieces lie there."""
        if self._locate is None or self._searches <= 0:
            return False
        self._searches -= 1
        now = self.glancer.pose
        try:
            found = self._locate(frame.image_bgr, now.size)
        except BoardNotFoundError:
            return False
        pose = min((found.turned(k) for k in range(4)), key=lambda p: float(np.abs(p.corners_px - now.corners_px).max()))
        away = np.abs(now.unproject(pose.corners_px) - now.unproject(now.corners_px)).max()
        if away > self.settings.nearby_cells or not pose.residual_cells < now.residual_cells:
            return False
        self._put(frame, pose)
        same_view = reference.pose is now
        self._reference = replace(reference, pose=pose, glance=self.glancer.glance(reference.frame.image_bgr) if same_view else None)
        self._last_glance = None
        return True

    def _looks_needed(self, change: Change, found: Inference, *, covered: bool, last: bool) -> int:
        """How many looks must agree on a change before it is told.

        Another piece may lie under a hand, and a piece that touches the hand may still be held: at once counts only
        what is seen of a board that is wholly in view.
        """
        s = self.settings
        if not covered:
            return s.looks_many if found.is_odd and len(change.cells) >= s.many and not last else 1
        if change.is_empty or found.near_hidden(change):
            return s.looks_around
        if last:
            return 1
        return s.looks_around if change.removed else s.looks_beside

    def _confirmed(self, board: Mapping[Cell, str], needed: int) -> bool:
        """Counts looks in a row that agree on what lies on the board."""
        self._pending_looks = self._pending_looks + 1 if board == self._pending else 1
        self._pending = board
        return self._pending_looks >= needed

    def _tell(self, frame: Frame, reference: _Reference, sighting: Sighting, verdict: Verdict) -> Look:
        """The look with its sighting when that is new to the table."""
        change, p = sighting.candidates[0]
        standing, sure = frozenset(self._view.standing().items()), p >= self.settings.sure
        told = self._told
        at_peace = told is None or (told[2] and frozenset(reference.board.items()) == standing)
        self._told = (standing, change, sure or (change.is_empty and at_peace))
        if told == self._told or (change.is_empty and at_peace):
            return Look(verdict)
        names = (f"{self._session}{frame.index:06d}a", f"{self._session}{frame.index:06d}b")
        pictures = {
            names[0]: board_jpeg(reference.frame.image_bgr, reference.pose),
            names[1]: board_jpeg(frame.image_bgr, self.glancer.pose),
        }
        full = replace(sighting, frame=frame.index, seen_frame=frame.index, time_s=frame.time_s, evidence=names)
        return Look(Verdict.NEWS if sure else verdict, full, pictures)

    def _rebase(self, frame: Frame, glance: FloatArray, difference: Difference | None, change: Change, board: Mapping[Cell, str]) -> None:
        """Makes a look that was understood the reference.

        What differs without being part of the change is a shadow or a hand: it must look the same twice to be believed.
        """
        if difference is not None:
            foreign = difference.off > self.settings.change.calm
            if self._steady is not None:
                foreign &= ~self._steady
            mine = np.zeros(difference.cell.shape, bool)
            for cell in change.cells:
                mine[cell] = True
            glance = composed(difference, glance, (foreign & ~spread_cells(mine)) | spread_cells(difference.covered))
        self._reference = _Reference(frame, self.glancer.pose, glance, dict(board))
        if self._worn:
            self._put(frame, self.glancer.pose)
            self._worn = False


def _angle_deg(one: GridPose, other: GridPose) -> float:
    """Angle between the directions from the board's middle to two cameras."""
    middle = np.array([one.size / 2, one.size / 2, 0.0])
    a, b = one.camera_position - middle, other.camera_position - middle
    return float(np.degrees(np.arccos(np.clip(a @ b / np.linalg.norm(a) / np.linalg.norm(b), -1, 1))))


def _rows(board: Mapping[Cell, str], unsure: Cells, size: int) -> tuple[str, ...]:
    def letter(cell: Cell) -> str:
        return "?" if cell in unsure else letter_of(board.get(cell, EMPTY))

    return tuple("".join(letter((row, col)) for col in range(size)) for row in range(size))
