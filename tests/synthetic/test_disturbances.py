"""Films of disturbances follow from their seed, and show that nothing has changed when nothing has."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tests.synthetic.disturbances import KINDS, PLAYED_BY_ITSELF, film, take_of
from tests.synthetic.shapes import Placed
from tests.synthetic.stage import Stage, random_stage
from tests.synthetic.take import FPS, Frame, Take


@pytest.fixture(scope="module")
def stage() -> Stage:
    return random_stage(650021, (320, 240))


def disturbed(take: Take, kind: str) -> Iterator[Frame]:
    """The pictures of the disturbance alone, after the first placement."""
    step = take.stage.steps[0]
    take.placed, take.played = step.after, [step.added[0]]
    yield from (thing for thing in KINDS[kind](take) if isinstance(thing, Frame))


def test_the_same_film_again_for_the_same_seed(stage: Stage) -> None:
    films = [[thing for thing in film(take_of(stage, "cloud"), "cloud") if isinstance(thing, Frame)] for _ in range(2)]
    assert [frame.index for frame in films[0]] == list(range(len(films[0])))
    assert all(np.array_equal(one.image_bgr, other.image_bgr) for one, other in zip(*films, strict=True))


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_what_is_played_lies_there_in_the_end_and_nothing_else(stage: Stage, kind: str) -> None:
    take = take_of(stage, kind)
    frames = list(disturbed(take, kind))
    assert frames
    assert take.time_s >= len(frames) / FPS
    expected: tuple[Placed, ...] = stage.steps[{"second thoughts": 1, "two quick moves": 2}.get(kind, 0)].after
    assert sorted(take.placed, key=str) == sorted(expected, key=str)
    assert (len(take.played) > 1) == (kind in PLAYED_BY_ITSELF)


@pytest.mark.parametrize("kind", ["a cat", "dark room", "flash", "knock", "pieces shoved and put right", "a cup comes and goes"])
def test_what_passes_changes_pictures_for_a_while_only(stage: Stage, kind: str) -> None:
    take = take_of(stage, kind)
    step = stage.steps[0]
    take.placed = step.after
    before = take.shoot().image_bgr.astype(int)
    moved = [np.abs(frame.image_bgr.astype(int) - before).mean() for frame in disturbed(take, kind)]
    assert max(moved) > 1.5 * np.abs(take.shoot().image_bgr.astype(int) - before).mean()
    assert np.abs(take.shoot().image_bgr.astype(int) - before).mean() < 6
