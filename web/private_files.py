"""Small files that nobody but this user may read: the key of the certificate, and that of the sessions."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

SECRET_BYTES = 32


class PrivateFileError(OSError):
    """A private file cannot be kept; the text is one line that names it and says why."""


def write_private(file: Path, data: bytes) -> None:
    """Write ``data`` to ``file``, whole or not at all, readable by this user alone from the first byte on.

    Raises:
        PrivateFileError: that is not possible.
    """
    fresh = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
            opened.write(data)
        fresh.replace(file)
    except OSError as error:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise PrivateFileError(f"cannot keep {file}: {error.strerror or error}") from error


def read_private(file: Path) -> bytes | None:
    """What ``file`` holds; None when there is none, or when others could have read or written it."""
    try:
        others = file.stat().st_mode & 0o077 if os.name == "posix" else 0
        return None if others else file.read_bytes()
    except OSError:
        return None


def kept_secret(file: Path) -> bytes:
    """The random secret that ``file`` keeps, made at the first call.

    Raises:
        PrivateFileError: it cannot be kept.
    """
    kept = read_private(file)
    if kept is not None and len(kept) == SECRET_BYTES:
        return kept
    secret = secrets.token_bytes(SECRET_BYTES)
    write_private(file, secret)
    return secret
