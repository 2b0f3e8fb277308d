"""Small files that nobody but this user may read: the key of the certificate, and that of the sessions."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
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


@contextmanager
def alone(file: Path) -> Iterator[None]:
    """Let one program at a time make ``file``, so that two that start together do not each go on with one of their own.

    Where the system has no such locks, as on some network drives, nobody is held up.
    """
    with ExitStack() as stack:
        if sys.platform != "win32":
            import fcntl

            with contextlib.suppress(OSError):
                file.parent.mkdir(parents=True, exist_ok=True)
                folder = os.open(file.parent, os.O_RDONLY)
                stack.callback(os.close, folder)  # which ends the lock as well
                fcntl.flock(folder, fcntl.LOCK_EX)
        yield


def kept_secret(file: Path) -> bytes:
    """The random secret that ``file`` keeps, made at the first call.

    Raises:
        PrivateFileError: it cannot be kept.
    """
    return _secret(file) or _made_secret(file)


def _secret(file: Path) -> bytes | None:
    kept = read_private(file)
    return kept if kept is not None and len(kept) == SECRET_BYTES else None


def _made_secret(file: Path) -> bytes:
    with alone(file):
        secret = _secret(file)
        if secret is None:
            secret = secrets.token_bytes(SECRET_BYTES)
            write_private(file, secret)
        return secret
