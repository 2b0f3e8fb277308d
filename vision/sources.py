"""From what the command line calls SOURCE to frames."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

from vision.camera import LiveSettings, LiveSource, OpenCvCamera
from vision.frames import Source, SourceError
from vision.recordings import PICTURE_SUFFIXES, FolderSource, VideoSource

LAST_CAMERA = 99
"""The largest number of a camera: OpenCV counts 100 of them to each of its interfaces, and larger numbers name interfaces."""


def open_source(spec: str, *, stills: bool = False, warn: Callable[[str], None] = lambda _: None) -> Source:
    """Opens what the command line calls SOURCE.

    Args:
        spec: a camera number, a stream's URL, a folder of pictures or a video file.
        stills: each picture of a folder is one moment (see `FolderSource`).
        warn: told in one line about what is passed over or tried again.

    Raises:
        SourceError: there is nothing to watch; the message says what was tried and what to do.
    """
    if stills and not Path(spec).is_dir():
        raise SourceError(f"--stills wants a folder of pictures, and {spec} is none")
    if spec.isdecimal() and not Path(spec).exists():
        if int(spec[:9]) > LAST_CAMERA or len(spec) > 9:
            raise SourceError(f"no camera has the number {spec[:20]}: they are counted from 0, and {LAST_CAMERA} is the last possible")
        return LiveSource(OpenCvCamera(int(spec)), LiveSettings(), clock=time.monotonic, warn=warn)
    if re.match(r"[a-z][a-z0-9+.-]+://", spec, re.IGNORECASE):
        return LiveSource(OpenCvCamera(spec), LiveSettings(), clock=time.monotonic, warn=warn)
    path = Path(spec)
    if path.is_dir():
        return FolderSource(path, stills=stills, warn=warn)
    if not path.exists():
        raise SourceError(f"no such file or folder: {spec} (a camera number, video file, stream URL or folder of pictures is wanted)")
    if path.is_fifo() or path.is_socket():
        raise SourceError(f"{spec} is a pipe, not a video file: save what comes through it in a file first, or give a stream's URL")
    if path.suffix.lower() in PICTURE_SUFFIXES:
        raise SourceError(f"{spec} is one picture: use `blokus-referee read` for it, or give the folder it lies in")
    return VideoSource(path)
