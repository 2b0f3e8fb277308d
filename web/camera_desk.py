"""Where the set-up page and whoever watches meet: cameras to choose from, pictures of them, and where the board is in these.

Opening addresses: a typed address makes this program fetch whatever it names, from inside the network. So one can be typed only at this
computer (`may_type`: served on loopback alone), where the same could be typed at a prompt; over the network only the cameras of this
computer and what the program was started with are opened, with the PIN or without. Files and folders are never opened from the page.
"""

from __future__ import annotations

import itertools
import re
import shlex
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from calibration.known import KnownBoard
from calibration.locate import locate_board
from calibration.store import Calibration, Store
from vision.calibrating import label_of, search_for
from vision.devices import Devices
from vision.frames import Frame, SourceError
from vision.http_camera import without_secrets
from vision.selfcheck import SelfCheck, self_check, self_check_at, still
from vision.sources import camera_of
from vision.viewfinder import Viewfinder, one_picture
from web.pictures import PictureStore
from web.translating import tr

if TYPE_CHECKING:
    from referee.variants import Variant
    from vision.camera import Camera
    from vision.items import Locate

STILL_PX = 480
"""Longer side of a preview: enough to see a table, 30 kB."""

KEPT_BYTES = 8 * 1024 * 1024
"""Bytes of pictures kept for the page: two of a look with half a megabyte each, and a preview of every camera."""

WAIT_S = 20.0
"""Seconds that a request waits for another one to be done with the cameras, which takes eight at most."""

WATCHED = "watched"
"""What the page calls what is watched: its address may hold a password."""

LONGEST_ADDRESS = 300
UNLISTED = 3
"""Cameras offered by number where the system does not list them."""

_ADDRESS = re.compile(r"(?:https?|rtsps?)://[^\s/]\S*", re.IGNORECASE)


class DeskError(ValueError):
    """What is asked for cannot be done at the desk; the message says why and what to do, in one line."""


@dataclass(frozen=True)
class CameraChoice:
    """One camera to choose from.

    Attributes:
        spec: what the page calls it: its number, or `WATCHED`.
        name: for people.
    """

    spec: str
    name: str

    @property
    def is_watched(self) -> bool:
        """Whether it is the one that is watched."""
        return self.spec == WATCHED


@dataclass(frozen=True)
class Look:
    """A picture of a camera with what is made of it.

    Attributes:
        number: of the look; corners are given for one.
        spec: the camera.
        check: what is made of it.
    """

    number: int
    spec: str
    check: SelfCheck


class CameraDesk:
    """All methods may be called from any thread.

    Args:
        store: where calibrations are kept.
        rules: the variant played now.
        viewfinder: into what is watched here; None when this program watches nothing.
        command: what watches a camera from a prompt, with `{camera}` in it.
        devices: the cameras of this computer.
        camera: gives a camera that is not watched, closed, by what the command line calls it; None when there is none.
        warn: told in one line what people at the terminal should know.

    Attributes:
        may_type: whether addresses of streams may be typed in.
        pictures: those of the looks and previews, by name; none of them is ever written down.
    """

    def __init__(
        self,
        store: Store,
        rules: Callable[[], Variant],
        viewfinder: Viewfinder | None = None,
        *,
        command: str = "blokus-referee watch {camera}",
        devices: Devices | None = None,
        camera: Callable[[str], Camera | None] | None = None,
        warn: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.pictures = PictureStore(KEPT_BYTES)
        self.may_type = False
        self._store = store
        self._rules = rules
        self._viewfinder = viewfinder
        self._command = command
        self._devices = devices or Devices()
        self._camera = camera or partial(camera_of, devices=self._devices)
        self._warn = warn
        self._one_at_a_time = threading.Lock()
        self._look: Look | None = None
        self._numbers = itertools.count(1)
        self._given: dict[tuple[str, int], Locate] = {}

    # What is watched

    @property
    def watched(self) -> str | None:
        """What the command line calls what is watched here; None when nothing is."""
        return None if self._viewfinder is None else self._viewfinder.spec

    @property
    def can_exchange(self) -> bool:
        """Whether what is watched here can be exchanged for another camera."""
        return self._viewfinder is not None and self._viewfinder.can_exchange

    def begin_again(self) -> None:
        """Let whoever watches begin anew."""
        if self._viewfinder is not None:
            self._viewfinder.begin_again()

    def search(self) -> Locate:
        """How the board is to be found in what is watched: at corners given here, else as its calibration says, else anywhere.

        Raises:
            SourceError: there is no such camera.
        """
        assert self._viewfinder is not None  # noqa: S101 - only a watcher asks
        return self._search(self._viewfinder.spec)

    def _search(self, spec: str) -> Locate:
        size = self._rules().size
        return self._given.get((spec, size)) or search_for(spec, size, self._store, self._warn, self._devices)

    # What can be chosen

    def cameras(self) -> list[CameraChoice]:
        """What is watched, and the other cameras of this computer."""
        watched = self.watched
        device = None if watched is None else self._devices.meant_by(watched)
        found = [] if watched is None else [CameraChoice(WATCHED, device.name if device else shown(watched))]
        if not self._devices.is_listed:
            numbers = (str(number) for number in range(UNLISTED))
            return found + [CameraChoice(number, f"Camera {number}") for number in numbers if number != watched]
        return found + [CameraChoice(str(one.number), one.name) for one in self._devices.all() if one != device]

    def command(self, spec: str) -> str:
        """What to type at a prompt to watch another camera; empty for what is watched."""
        return "" if spec == WATCHED else self._command.replace("{camera}", shlex.quote(shown(spec)))

    def preview(self, spec: str) -> str:
        """Take a small picture of a camera; gives its name.

        Raises:
            DeskError, SourceError: it cannot be had.
        """
        with self._alone():
            return self._keep(still(self._picture(spec).image_bgr, STILL_PX))

    def choose(self, spec: str) -> None:
        """Watch another camera from now on.

        Raises:
            DeskError, SourceError: it cannot be watched here, or gives no picture; nothing was changed.
        """
        if self._viewfinder is None or not self._viewfinder.can_exchange:
            raise DeskError(
                tr("what is watched cannot be exchanged here: {command} watches this camera").format(command=self.command(spec))
            )
        with self._alone():
            self._picture(spec)
            if not self._is_watched(spec):
                self._viewfinder.exchange(spec)

    # Where the board is

    def look(self, spec: str, *, anew: bool = False) -> Look:
        """Take a picture and find the board in it; ``anew``: by a search, whatever is known of the camera.

        Raises:
            DeskError, SourceError: there is no picture to be had.
        """
        with self._alone():
            picture = self._picture(spec)
            spec = self.watched or spec if self._is_watched(spec) else spec
            locate = locate_board if anew else self._search(spec)
            rules = self._rules()
            check = self_check(picture.image_bgr, rules.size, rules.colors, locate)
            by_hand = isinstance(locate, KnownBoard) and locate.by_hand and check.pose is locate.pose
            return self._remember(spec, replace(check, by_hand=by_hand))

    def place(self, number: int, corners: Sequence[Sequence[float]]) -> Look:
        """Read the board of a look at corners given by hand.

        Raises:
            DeskError: the look is no longer kept.
            CornersError: no board can be there.
        """
        with self._alone():
            look, rules = self._known(number), self._rules()
            return self._remember(look.spec, self_check_at(look.check.image_bgr, corners, rules.size, rules.colors))

    def use(self, number: int) -> str:
        """Keep where the board of a look is under its camera's name, and watch with it; gives what to tell people.

        Raises:
            DeskError: the look is no longer kept, or has no board.
        """
        with self._alone():
            look = self._known(number)
            pose, by_hand = look.check.pose, look.check.by_hand
            if pose is None:
                raise DeskError("no board is placed in this picture: drag its corners first")
            self._given[look.spec, pose.size] = KnownBoard(pose, by_hand=by_hand, told=self._warn)
            watching = self._is_watched(look.spec)
            if watching:
                self.begin_again()
            label = label_of(look.spec, self._devices)
            if label is None:
                return "These corners hold until the program ends."
            try:
                self._store.save(Calibration.of(label, pose, by_hand=by_hand))
            except OSError as error:
                return f"These corners hold until the program ends; they could not be kept: {error.strerror or error}."
            return f"Kept for {label}{': the watching goes on with these corners' if watching else ''}."

    # Inside

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """One request at a time: cameras can be opened once only, and reading pictures takes a whole processor."""
        if not self._one_at_a_time.acquire(timeout=WAIT_S):
            raise DeskError("another device is busy with the cameras: try again in a moment")
        try:
            yield
        finally:
            self._one_at_a_time.release()

    def _is_watched(self, spec: str) -> bool:
        watched = self.watched
        if watched is None or spec in (watched, WATCHED):
            return watched is not None
        device = self._devices.meant_by(spec)
        return device is not None and device == self._devices.meant_by(watched)

    def _picture(self, spec: str) -> Frame:
        """The newest picture of what is watched, or one of another camera.

        Raises:
            DeskError: it may not be opened from the page, or shows nothing yet.
            SourceError: it gives none.
        """
        if self._viewfinder is not None and self._is_watched(spec):
            frame = self._viewfinder.newest()
            if self._viewfinder.lost:
                raise SourceError(self._viewfinder.lost)
            if frame is None:
                raise DeskError("what is watched has given no picture yet: look again in a moment")
            return frame
        camera = self._camera(spec) if self._may_open(spec) else None
        if camera is None:
            raise SourceError(tr("there is no such camera: {known}").format(known=self._devices.overview()))
        return one_picture(camera)

    def _may_open(self, spec: str) -> bool:
        """Whether the page may have a camera opened that is not watched.

        Raises:
            DeskError: it is an address, and none may be typed, or not such a one.
        """
        if "://" not in spec:
            return any(spec == one.spec for one in self.cameras())
        if not self.may_type:
            raise DeskError("addresses can be typed in at the computer itself only: start the program with this one instead")
        if len(spec) > LONGEST_ADDRESS or not spec.isprintable() or not _ADDRESS.fullmatch(spec):
            raise DeskError("a stream's address looks like http://192.168.1.20:8080/video or rtsp://192.168.1.20/live")
        return True

    def _known(self, number: int) -> Look:
        if self._look is None or self._look.number != number:
            raise DeskError("another picture has been taken since: look again")
        return self._look

    def _remember(self, spec: str, check: SelfCheck) -> Look:
        self._look = Look(next(self._numbers), spec, check)
        return self._look

    def _keep(self, jpeg: bytes) -> str:
        name = f"p{next(self._numbers)}"
        self.pictures.keep(name, jpeg)
        return name

    def show(self, look: Look) -> dict[str, Any]:
        """A look as the page's script wants it; its two pictures are kept by name."""
        check = look.check
        return {
            "look": look.number,
            "image_wh": list(check.image_wh),
            "corners_px": check.corners_px,
            "lines_px": check.lines_px,
            "by_hand": check.by_hand,
            "doubt": check.doubt,
            "picture": self._keep(check.picture()),
            "overlay": self._keep(check.overlay()),
        }


def shown(spec: str) -> str:
    """A SOURCE as people may see it: without passwords."""
    return without_secrets(spec) if "://" in spec else spec
