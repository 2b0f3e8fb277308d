"""Sources that pass on what another source gives: what all of them have in common. Loads nothing, for commands begin with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.frames import Source

PAUSED = "The people have paused the watching."
"""Why a source that rests gives no pictures."""


class Wrapped:
    """A source in front of another one; what it gives is for its own kind to say."""

    def __init__(self, source: Source) -> None:
        """What ``source`` gives; it is closed with this one."""
        self._source = source

    @property
    def live(self) -> bool:
        """As the source says."""
        return self._source.live

    @property
    def total(self) -> int | None:
        """As the source says."""
        return self._source.total

    def close(self) -> None:
        """Close the source."""
        self._source.close()
