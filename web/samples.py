"""The sample pictures that come with the program: beside the packages, in the source tree and where it is installed."""

from __future__ import annotations

from pathlib import Path

SAMPLE_IMAGES = Path(__file__).resolve().parent.parent / "sample_images"
"""The folder of samples; its README tells their origin."""


def sample_game() -> Path:
    """The folder of pictures of the sample game, one moment each, in name order.

    Raises:
        FileNotFoundError: the program was installed without its samples.
    """
    frames = SAMPLE_IMAGES / "full_game" / "frames"
    if not frames.is_dir():
        raise FileNotFoundError(
            2, "the sample game is not there; install the program again, or give `watch` pictures of your own", str(frames)
        )
    return frames
