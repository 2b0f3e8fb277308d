"""Evidence pictures by name, the newest in memory and bounded; others are fetched from where they are kept.

Names come from the watcher and are the only way to a picture; no path of the file system is ever made from one.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping

from referee.journal import Picture

__all__ = ["Picture", "PictureStore", "named"]

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")


class PictureStore:
    """Keeps the newest pictures up to ``max_bytes``; those that are ``wanted`` when room is needed go last. Thread safe."""

    def __init__(self, max_bytes: int, fetch: Callable[[str], Picture | None] = lambda _name: None) -> None:
        """``fetch`` is asked for pictures that are not in memory; it is called without any lock of this store."""
        self._max_bytes = max_bytes
        self._fetch = fetch
        self._pictures: OrderedDict[str, Picture] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def keep(self, name: str, picture: Picture | bytes, *, wanted: Collection[str] = ()) -> None:
        """Keep ``picture`` under ``name``, in place of an older one of that name; drop old ones that do not fit any more.

        Raises ValueError for a name outside ``[A-Za-z0-9_-]{1,64}``. A picture larger than the whole store is not kept.
        """
        new = named({name: picture})[name]
        with self._lock:
            self._drop(name)
            self._pictures[name] = new
            self._bytes += len(new.jpeg)
            self._make_room(frozenset(wanted))

    def get(self, name: str) -> Picture | None:
        """The picture called ``name``, or None when there is none (any more)."""
        with self._lock:
            found = self._pictures.get(name)
        # Not kept here afterwards: a new game may have begun meanwhile, whose pictures may have the same names.
        return found if found is not None or not _NAME.match(name) else self._fetch(name)

    def clear(self) -> None:
        """Forget all pictures."""
        with self._lock:
            self._pictures.clear()
            self._bytes = 0

    def _make_room(self, wanted: frozenset[str]) -> None:
        by_worth = [name for name in self._pictures if name not in wanted] + [name for name in self._pictures if name in wanted]
        for name in by_worth:
            if self._bytes <= self._max_bytes:
                return
            self._drop(name)

    def _drop(self, name: str) -> None:
        old = self._pictures.pop(name, None)
        if old is not None:
            self._bytes -= len(old.jpeg)


def named(pictures: Mapping[str, Picture | bytes]) -> dict[str, Picture]:
    """The pictures by name; plain bytes show a rim of one cell. Raises ValueError for a name outside ``[A-Za-z0-9_-]{1,64}``."""
    for name in pictures:
        if not _NAME.match(name):
            raise ValueError(f"not a picture name: {name!r} (1 to 64 of A-Z a-z 0-9 _ -)")
    return {name: picture if isinstance(picture, Picture) else Picture(picture) for name, picture in pictures.items()}
