"""The game in a file of diagnostics: taken out of a ZIP that anybody may have made, in memory and within bounds.

Nothing is written to the disk, and nothing but the one part is unpacked, so that names of other parts can lead nowhere.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

MARK = b"PK\x03\x04"
"""How a ZIP begins."""

MOST_ZIP_BYTES = 64 * 2**20
"""Bytes of a file of diagnostics: its pictures take up to 32 MiB, and the game a tenth of what one may have."""

MOST_PARTS = 4096
"""Parts of it: a game with a foul at every third piece has some 200 pictures."""

MOST_INDEX_BYTES = 2**20
"""Bytes of its list of parts, each of which takes some 70."""

RECORD_NAME = "record.json"

PACKED_AS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""How its parts are packed; others are not unpacked, for a few hundred bytes of those can become hundreds of megabytes at once."""

_END = struct.Struct("<4s4H2LH")
_END_MARK = b"PK\x05\x06"
_LARGE_MARK = b"PK\x06\x07"
_LARGE_BYTES = 20


class ZipError(ValueError):
    """There is no game to be had from a ZIP; the text says why."""


def record_in(data: bytes, most_bytes: int) -> bytes:
    """The recorded game in the bytes of a file of diagnostics, at most so many bytes of it.

    Raises:
        ZipError: it is damaged, holds no game, or is larger than diagnostics are.
    """
    _check_index(data)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            names = packed.namelist()
            if names.count(RECORD_NAME) != 1:
                raise ZipError(f"a ZIP without a game: diagnostics hold one {RECORD_NAME}")
            if packed.getinfo(RECORD_NAME).compress_type not in PACKED_AS:
                raise ZipError("its game is packed in another way than diagnostics are; download the diagnostics again")
            with packed.open(RECORD_NAME) as part:
                found = part.read(most_bytes + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError, struct.error) as error:
        if isinstance(error, ZipError):
            raise
        raise ZipError("the ZIP is damaged; download the diagnostics again") from error
    if len(found) > most_bytes:
        raise ZipError(f"more than {most_bytes // 2**20} MiB are no recorded game")
    return found


def _check_index(data: bytes) -> None:
    """Refuse a ZIP whose list of parts is larger than that of diagnostics, before anything reads it.

    Raises:
        ZipError: it is, or there is none where diagnostics have it, at the very end.
    """
    end = data[-_END.size :]
    if len(end) < _END.size or not end.startswith(_END_MARK):
        raise ZipError("the ZIP is cut short, or none of this program's")
    _, _, _, _, parts, index_bytes, _, comment = _END.unpack(end)
    is_large = data[-_END.size - _LARGE_BYTES :].startswith(_LARGE_MARK)
    if is_large or comment or parts > MOST_PARTS or index_bytes > MOST_INDEX_BYTES:
        raise ZipError("it has more parts than any diagnostics")
