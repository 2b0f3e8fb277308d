"""Watching a game: frames in, what happened out, one item after another.

SEARCH for the board, take a first look at it, then for each frame: is the board still, and if so, what is new? The
consumer tells the table about each item before it asks for the next one.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from calibration.locate import BoardNotFoundError, locate_board
from vision.board_shot import BoardShot
from vision.frames import Frame, Lost, Source
from vision.hold import Hold
from vision.items import BoardFound, CameraState, Item, Locate, Progress, Seen, StartSeen, View
from vision.judge import Judge
from vision.look import JudgeSettings, Look, Patience, Verdict
from vision.lookback import Lookback
from vision.settle import GateSettings, MotionGate, Phase
from vision.sharpness import Focus, FocusSettings

__all__ = ["BoardFound", "CameraState", "Item", "Progress", "Seen", "StartSeen", "View", "WatchSettings", "Watcher"]


@dataclass(frozen=True)
class WatchSettings:
    """How a source is watched; times in seconds of the source's own time line.

    Attributes:
        stills: each picture is one moment: no waiting for stillness.
        search_s: first pause between searches for the board; doubled up to ``search_most_s``.
        search_most_s: longest such pause, so that a board put back is found soon.
        clear_s: how long an unclear first look is put off.
        clear_share: share of unsure cells up to which a first look is clear.
        doubt_s: pause before a look that left doubt is repeated.
        patience_s: doubt is told this long after the last motion, and that a piece is gone, which may be on its way to another
            place: a ruling may take one second in all.
        alive_s: a live source's state is told at least this often.
        progress_s: pause between two words of progress, on the machine's clock.
        gate: the motion gate's settings.
        judge: the judge's settings.
        focus: what counts as blurred.
    """

    stills: bool = False
    search_s: float = 0.5
    search_most_s: float = 4.0
    clear_s: float = 5.0
    clear_share: float = 0.1
    doubt_s: float = 0.2
    patience_s: float = 0.85
    alive_s: float = 1.0
    progress_s: float = 1.0
    gate: GateSettings = field(default_factory=GateSettings)
    judge: JudgeSettings = field(default_factory=JudgeSettings)
    focus: FocusSettings = field(default_factory=FocusSettings)


_REASONS = {
    "ready": "watching",
    "motion": "something moves over the board",
    "settling": "waiting for the board to be still",
    "hidden": "a hand or something else lies over the board",
    "dark": "too dark to see the board",
    "lost": "the board has moved and is being searched for",
}

_STATE_OF_PHASE = {Phase.QUIET: "ready", Phase.MOTION: "motion", Phase.SETTLING: "settling"}

_STATE_OF_VERDICT = {
    Verdict.SAME: "ready",
    Verdict.NEWS: "ready",
    Verdict.HIDDEN: "hidden",
    Verdict.DOUBT: "settling",
    Verdict.LOST: "lost",
    Verdict.DARK: "dark",
}


class Watcher:
    """Watches one source.

    Args:
        source: where frames come from; closed by its owner.
        view: the game.
        size: cells a side of the board.
        colors: colours of the game's pieces.
        settings: how to watch.
        locate: finds the board.

    Attributes:
        frame: number of the last frame read; None before the first.
        time_s: its time; None for single moments.
    """

    def __init__(
        self,
        source: Source,
        view: View,
        size: int = 20,
        colors: tuple[str, ...] = ("blue", "yellow", "red", "green"),
        settings: WatchSettings | None = None,
        *,
        locate: Locate = locate_board,
    ) -> None:
        self.settings = settings or WatchSettings()
        self.frame: int | None = None
        self.time_s: float | None = None
        self._source = source
        self._view = view
        self._size = size
        self._locate = locate
        self._colors = colors
        self._session = f"{uuid.uuid4().hex[:6]}-" if source.live else "f"
        self._judge: Judge | None = None
        self._newest: Frame | None = None
        self._shot: BoardShot | None = None
        self._gate = MotionGate(self.settings.gate)
        self._focus = Focus(self.settings.focus)
        self._placed = False
        self._started = False
        self._game: object = getattr(view, "game_number", None)
        self._state, self._reason = "", ""
        self._said_s = 0.0
        self._search_due_s = 0.0
        self._search_pause_s = self.settings.search_s
        self._first_look_s: float | None = None
        self._first_looks = 0
        self._unsettled: Frame | None = None
        self._lookback = Lookback()
        self._still_frame: int | None = None

    def run(self) -> Iterator[Item]:
        """Everything that is seen, until the source ends.

        Raises:
            SourceError: the source holds nothing that can be watched.
        """
        done, said_s = 0, time.monotonic()
        for thing in self._source:
            self._newest = thing if isinstance(thing, Frame) else None
            if isinstance(thing, Lost):
                self._gate.restart()
                yield self._say(thing.state, thing.reason)
                continue
            self.frame, self.time_s = thing.index, thing.time_s
            yield from self._take(thing)
            done += 1
            if not self._source.live and time.monotonic() - said_s >= self.settings.progress_s:
                said_s = time.monotonic()
                yield Progress(done, self._source.total, thing.index, thing.time_s)
        yield from self._end()

    def shot(self) -> BoardShot | None:
        """The newest picture with where the board is in it; None while there is no picture or no board. From any thread."""
        frame, judge = self._newest, self._judge
        if frame is None or judge is None or not self._placed:
            return None
        pose, shot = judge.hold.pose, self._shot
        if shot is None or shot.frame != frame.index or shot.pose is not pose:
            shot = self._shot = BoardShot(frame.image_bgr, pose, frame.index)
        return shot

    def _take(self, frame: Frame) -> Iterator[Item]:
        """One frame."""
        if getattr(self._view, "game_number", None) != self._game:
            self._game, self._started = getattr(self._view, "game_number", None), False
            self._gate.look_again(0.0)
        if not self._placed:
            yield from self._search(frame)
        if self._placed:
            yield from self._see(frame)

    def _see(self, frame: Frame) -> Iterator[Item]:
        """One frame, in which it is known where the board is."""
        judge = self._judge
        if judge is None:
            return
        if frame.image_bgr.shape[1::-1] != judge.hold.pose.image_wh and not judge.hold.resize(frame.image_bgr.shape[1::-1]):
            yield from self._lost(frame)
            if not self._placed:
                return
        phase = Phase.LOOK if self.settings.stills else self._gate.see(judge.hold.glance(frame.image_bgr), _time(frame))
        if phase not in (Phase.QUIET, Phase.WAITING):
            self._unsettled = frame
        if phase is Phase.MOTION or self.settings.stills:
            self._still_frame = None
        elif self._still_frame is None:
            self._still_frame = frame.index
        if phase is Phase.LOOK:
            yield from self._look(judge, frame)
        elif phase is Phase.WAITING:
            yield from self._changed(self._state, self._reason)
        else:
            yield from self._changed(_STATE_OF_PHASE[phase])

    def _search(self, frame: Frame) -> Iterator[Item]:
        """Looks for the board in the whole picture, not too often."""
        if not self.settings.stills and _time(frame) < self._search_due_s:
            self._put_off(frame)
            return
        if self._judge is not None and self._judge.regain(frame):
            self._gate.restart()
            self._placed, self._search_pause_s = True, self.settings.search_s
            return
        try:
            pose = self._locate(frame.image_bgr, self._size)
        except BoardNotFoundError as error:
            self._search_due_s = _time(frame) + self._search_pause_s
            self._search_pause_s = min(2 * self._search_pause_s, self.settings.search_most_s)
            dark = float(frame.image_bgr[::16, ::16].mean()) < self.settings.judge.dark_level
            blur = "" if dark or self.settings.stills else self._focus.whole_complaint(frame.image_bgr)
            self._put_off(frame)
            yield from self._changed("dark" if dark else "blurred" if blur else "no_board", blur or str(error))
            return
        self._gate.restart()
        self._placed, self._search_pause_s = True, self.settings.search_s
        if self._judge is not None:
            self._judge.find_again(frame, pose)
            return
        missed, pose = self._lookback.recall(frame.image_bgr, pose, self.settings.judge.hold.track)
        first = missed[0] if missed else frame
        hold = Hold(first.image_bgr, pose, self.settings.judge.hold)
        self._judge = Judge(self._view, self._colors, hold, self.settings.judge, self._session, self._locate)
        corners = tuple((float(x), float(y)) for x, y in pose.corners_px.tolist())
        yield BoardFound(corners, pose.size, pose.size, first.index, first.time_s)
        for earlier in missed:
            if self._placed:
                self.frame, self.time_s = earlier.index, earlier.time_s
                yield from self._see(earlier)
        self.frame, self.time_s = frame.index, frame.time_s

    def _put_off(self, frame: Frame) -> None:
        """Keeps a picture of a recording in which no board has been found yet."""
        if self._judge is None and not self._source.live:
            self._lookback.keep(frame)

    def _look(self, judge: Judge, frame: Frame, *, last: bool = False, searched: bool = False) -> Iterator[Item]:
        """Judges a still board and tells the gate what came of it."""
        if not (self.settings.stills or last) and (blur := self._focus.complaint(frame.image_bgr, judge.hold.pose, _time(frame))):
            self._gate.look_again(self.settings.doubt_s)
            yield from self._changed("blurred", blur)
            return
        if not self._started:
            yield from self._first_look(judge, frame, last=last)
            return
        look = judge.look(frame, Patience(doubt=self._patient(frame), last=last))
        astray = look.verdict in (Verdict.HIDDEN, Verdict.DOUBT) and look.news is None and judge.hold.is_astray
        if (astray or look.verdict is Verdict.LOST) and not (last or searched):
            yield from self._lost(frame)
            if self._placed:
                yield from self._look(judge, frame, searched=True)
            return
        if look.news is not None:
            sighting = look.news.sighting
            seen_frame = sighting.frame if self._still_frame is None else self._still_frame
            yield Seen(replace(sighting, seen_frame=seen_frame), look.news.pictures)
        self._settle(look, frame)
        yield from self._changed(_STATE_OF_VERDICT[look.verdict])

    def _patient(self, frame: Frame) -> bool:
        """Whether a doubtful look may be repeated before anything is told."""
        still_since = self._gate.still_since_s
        if self.settings.stills or still_since is None:
            return False
        return _time(frame) - still_since < self.settings.patience_s

    def _settle(self, look: Look, frame: Frame) -> None:
        """Tells the gate whether the board is understood."""
        doubtful = look.verdict is Verdict.DOUBT and self._patient(frame)
        if look.verdict in (Verdict.SAME, Verdict.NEWS) or (look.verdict is Verdict.DOUBT and not doubtful):
            self._gate.judged()
            self._unsettled = None
            if look.verdict is not Verdict.DOUBT:
                self._focus.judged()
        else:
            self._gate.look_again(self.settings.doubt_s if doubtful else None)

    def _lost(self, frame: Frame) -> Iterator[Item]:
        """The board is not where it was: it is searched for at once."""
        yield from self._changed("lost")
        self._placed, self._search_due_s = False, 0.0
        yield from self._search(frame)

    def _first_look(self, judge: Judge, frame: Frame, *, last: bool) -> Iterator[Item]:
        """The first clear look at the board of a game."""
        s = self.settings
        if self._first_look_s is None:
            self._first_look_s, self._first_looks = _time(frame), 0
        first = judge.begin(frame, anew=not self._first_looks)
        self._first_looks += 1
        unclear = len(first.unsure) > s.clear_share * self._size**2 and _time(frame) - self._first_look_s < s.clear_s
        under_way = bool(self._view.standing())
        odd = not (first.is_plain or under_way) and self._first_looks < s.judge.first.looks
        if (unclear or odd) and not (s.stills or last):
            self._gate.look_again(None if unclear else 0.0)
            yield from self._changed("hidden" if unclear else "settling", "the board cannot be read clearly yet")
            return
        self._started, self._first_look_s = True, None
        self._focus.judged()
        yield StartSeen(first.grid, first.unsure, frame.index, frame.time_s)
        if under_way:  # what has happened while nobody watched is judged like any other change
            self._gate.look_again(0.0)
            return
        self._gate.judged()
        self._unsettled = None
        yield from self._changed("ready")

    def _end(self) -> Iterator[Item]:
        """Decides what is pending when nothing more will come."""
        if self._unsettled is not None and self._judge is not None and self._placed:
            yield from self._look(self._judge, self._unsettled, last=True)

    def _changed(self, state: str, reason: str = "") -> Iterator[CameraState]:
        """The state, when it is a new one, or when a live source was silent for long."""
        overdue = self._source.live and self.time_s is not None and self.time_s - self._said_s >= self.settings.alive_s
        if state != self._state or overdue:
            yield self._say(state, reason)

    def _say(self, state: str, reason: str = "") -> CameraState:
        self._state, self._reason, self._said_s = state, reason or _REASONS.get(state, ""), self.time_s or 0.0
        return CameraState(state, self._reason, self.frame, self.time_s)


def _time(frame: Frame) -> float:
    """A frame's time; single moments count as seconds."""
    return float(frame.index) if frame.time_s is None else frame.time_s
