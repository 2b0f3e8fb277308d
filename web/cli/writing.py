"""Writing a file that a command was asked for: whole or not at all, and what lay there before is not lost on the way."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

from web.cli.program import Refusal


def check_place(out: Path, source: str = "", option: str = "--out") -> None:
    """Refuse a place that cannot or must not be written to before any work is done.

    Args:
        out: the place.
        source: what the command reads.
        option: named the place.

    Raises:
        Refusal: it is a folder, its folder is not there, or it is the source itself.
    """
    if out.is_dir():
        raise Refusal(f"{option} {out}: this is a folder; name a file in it")
    if not out.parent.is_dir():
        raise Refusal(f"{option} {out}: there is no folder {out.parent}; make it first")
    if source and "://" not in source and out.exists() and Path(source).exists() and out.samefile(source):
        raise Refusal(f"{option} {out}: this is the file to be read; name another")


def write_whole(out: Path, data: bytes, option: str = "--out") -> None:
    """Write the whole file or nothing: it is written beside its place and then put there; `option` named it.

    Raises:
        Refusal: it cannot be written.
    """
    place = out.resolve()  # a link stays one
    try:
        if place.exists() and not stat.S_ISREG(place.stat().st_mode):
            place.write_bytes(data)  # a pipe or a device is no file to be replaced
        else:
            _replace(place, data)
    except OSError as error:
        raise Refusal(f"{option} {out}: cannot be written ({error.strerror or error})") from error


def _replace(place: Path, data: bytes) -> None:
    if place.exists() and not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    draft = place.with_name(f".{place.name[:100]}.{os.getpid()}.part")
    try:
        with draft.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if place.exists():
            draft.chmod(stat.S_IMODE(place.stat().st_mode))
        draft.replace(place)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
