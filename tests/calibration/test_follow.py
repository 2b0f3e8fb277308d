"""Following a lattice over a picture: from near lines to all of them, and telling it from one of twice or half its period."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.extent import likely_window
from calibration.fit import shifted
from calibration.follow import follow
from calibration.locate import WHOLE
from calibration.pose import GridPose
from calibration.views import View, Views

STILLS = Path(__file__).parents[2] / "sample_images" / "stills"
NAMES = sorted(path.stem for path in STILLS.glob("*.json"))
MIDDLE = np.full(2, 10.0)


def small(name: str) -> tuple[View, GridPose]:
    """A sample at the size in which lattices are followed, and where its grid is there."""
    truth = json.loads((STILLS / f"{name}.json").read_text())
    image = cv2.imread(str(STILLS / truth["image"]))
    assert image is not None
    views = Views(np.asarray(image, np.uint8))
    whole, view = views.at(WHOLE), views.at(640)
    return view, whole.pose_in(GridPose.from_corners(np.array(truth["grid_corners_px"]), whole.wh), view)


def coarser(pose: GridPose, factor: float) -> GridPose:
    """A lattice with cells so much larger around the middle of the grid."""
    aside = shifted(pose, *(MIDDLE * (1 - factor)))
    return replace(aside, tvec=aside.tvec / factor)


def off_lines(found: GridPose, truth: GridPose) -> float:
    """Farthest in cells of the true grid's corners from crossings of the lattice found."""
    at = found.unproject(truth.corners_px)
    return float(np.abs(at - np.round(at)).max())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("factor", [0.97, 1.03])
def test_a_lattice_that_drifts_by_a_third_of_a_cell_to_the_border_is_followed_to_it(name: str, factor: float) -> None:
    view, truth = small(name)
    found = follow(view.gray, coarser(truth, factor), MIDDLE)
    assert found is not None
    assert off_lines(found.pose, truth) < 0.35
    window = likely_window(view.gray, found.pose, found.center)
    assert window.apart_cells(truth) < 0.5


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_twice_or_half_the_period_is_weaker(name: str, factor: float) -> None:
    view, truth = small(name)
    right, wrong = (follow(view.gray, pose, middle) for pose, middle in ((truth, MIDDLE), (coarser(truth, factor), MIDDLE)))
    assert right is not None
    assert right.strength > 0.2
    assert wrong is None or wrong.strength < right.strength / 2


def test_nothing_is_followed_where_nothing_repeats() -> None:
    _, truth = small(NAMES[0])
    noise = np.random.default_rng(2).normal(128, 10, truth.image_wh[::-1])
    assert follow(np.clip(noise, 0, 255).astype(np.uint8), truth, MIDDLE) is None
