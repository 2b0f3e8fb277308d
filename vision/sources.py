"""From what the command line calls SOURCE to frames."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

from vision.camera import LiveSettings, LiveSource
from vision.cameras import LocalCamera, StreamCamera
from vision.colourless import Coloured
from vision.devices import Devices
from vision.frames import Source, SourceError
from vision.http_camera import without_secrets
from vision.phone import PHONE
from vision.recordings import PICTURE_SUFFIXES, FolderSource, VideoSource

SCHEMES = ("http", "https", "rtsp", "rtsps", "rtmp", "rtmps", "rtp", "udp", "tcp", "srt")
"""Kinds of streams that can be live."""

WANTED = "a camera's number or name, `phone`, a video file, a stream's URL or a folder of pictures is wanted"


def open_source(spec: str, *, stills: bool = False, warn: Callable[[str], None] = lambda _: None) -> Source:
    """Opens what the command line calls SOURCE; pictures without colours are left out (see `Coloured`).

    Args:
        spec: a camera's number or name, a stream's URL, a folder of pictures or a video file.
        stills: each picture of a folder is one moment (see `FolderSource`).
        warn: told in one line about what is passed over or tried again.

    Raises:
        SourceError: there is nothing to watch; the message says what was tried and what to do.
    """
    return Coloured(open_plain(spec, stills=stills, warn=warn), warn)


def open_plain(spec: str, *, stills: bool = False, warn: Callable[[str], None] = lambda _: None) -> Source:
    """`open_source`, pictures without colours included."""
    if spec == PHONE:
        raise SourceError(
            "a phone sends its pictures through a page, which `blokus-referee watch phone --lan --https` serves, and nothing else"
        )
    if stills and not Path(spec).is_dir():
        raise SourceError(f"--stills wants a folder of pictures, and {without_secrets(spec) if '://' in spec else spec} is none")
    camera = camera_of(spec)
    if camera is not None:
        return LiveSource(camera, LiveSettings(), clock=time.monotonic, warn=warn)
    return _recording(Path(spec), stills=stills, warn=warn)


def camera_of(spec: str, devices: Devices | None = None) -> LocalCamera | StreamCamera | None:
    """The camera or stream that SOURCE names; None for files and folders.

    Raises:
        SourceError: there is no such camera, or no such kind of stream, or the name is empty, which would mean the folder one is in.
    """
    if not spec.strip():
        raise SourceError(f"the name of what to watch is empty: {WANTED}")
    if (scheme := re.match(r"([a-z][a-z0-9+.-]+)://", spec, re.IGNORECASE)) is not None:
        if scheme[1].lower() not in SCHEMES:
            raise SourceError(f"{scheme[1]}:// is no kind of stream that can be watched: {', '.join(SCHEMES[:4])} and some others are")
        return StreamCamera(spec)
    if device := re.fullmatch(r"(?:/dev/video)?(\d+)", spec):
        if spec.isdecimal() and Path(spec).exists():
            return None
        return LocalCamera(int(device[1]) if len(device[1]) < 10 else 10**9, devices)
    if spec == PHONE or Path(spec).exists():
        return None
    known = devices or Devices()
    return LocalCamera(spec, known) if known.named(spec) is not None else None


def _recording(path: Path, *, stills: bool, warn: Callable[[str], None]) -> Source:
    if path.is_dir():
        return FolderSource(path, stills=stills, warn=warn)
    if not path.exists():
        raise SourceError(f"no such file, folder or camera: {path} ({WANTED}; {Devices().overview()})")
    if path.is_fifo() or path.is_socket():
        raise SourceError(f"{path} is a pipe, not a video file: save what comes through it in a file first, or give a stream's URL")
    if path.suffix.lower() in PICTURE_SUFFIXES:
        raise SourceError(f"{path} is one picture: use `blokus-referee read` for it, or give the folder it lies in")
    return VideoSource(path, warn=warn)
