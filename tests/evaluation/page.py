"""A page of the pictures that went wrong, each with its faults marked, to be looked at."""

from __future__ import annotations

import base64
import html
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from calibration.pose import GridPose
from tests.evaluation.stills import Score

LONGEST_PX = 900
WRONG_BGR, UNSURE_BGR, GRID_BGR = (40, 40, 255), (0, 200, 255), (0, 255, 0)
STYLE = "body{font:15px sans-serif;margin:2em}img{max-width:100%}figure{margin:0 0 2em}"


def write_page(path: Path, scores: Sequence[Score]) -> int:
    """Write the page of all failures among the pictures; gives how many there are."""
    failures = [score for score in scores if score.is_failure]
    figures = "\n".join(_figure(score) for score in failures) or "<p>Nothing went wrong.</p>"
    path.parent.mkdir(parents=True, exist_ok=True)
    title = f"{len(failures)} of {len(scores)} pictures went wrong"
    page = f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title><style>{STYLE}</style><h1>{title}</h1>{figures}</html>"
    path.write_text(page, encoding="utf-8")
    return len(failures)


def _figure(score: Score) -> str:
    picture = base64.b64encode(_drawn(score)).decode()
    name, words = html.escape(score.image.name), html.escape(_words(score))
    return f'<figure><img alt="{name}" src="data:image/jpeg;base64,{picture}"><figcaption><b>{name}</b>: {words}</figcaption></figure>'


def _words(score: Score) -> str:
    conditions = ", ".join(f"{key} {value}" for key, value in score.conditions.items() if isinstance(value, str | int | float))
    if not score.is_board:
        return "no board, but one was read"
    if score.error:
        return f"not read: {score.error} ({conditions})"
    wrong = "; ".join(f"{cell} is {true} and was called {called}" for cell, (true, called) in sorted((score.wrong or {}).items())[:12])
    off, count = max(score.corners_off), len(score.wrong or ())
    return f"corners off by {off:.2f} cells; {count} wrong: {wrong}; {len(score.unsure)} unsure ({conditions})"


def _drawn(score: Score) -> bytes:
    """The picture as a small JPEG, with the grid as found, wrong cells in red and unsure ones in yellow."""
    image = np.asarray(cv2.imread(str(score.image)), np.uint8)
    factor = LONGEST_PX / max(image.shape[:2])
    small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    if score.corners_px:
        size = 20 if score.cells > 14 * 14 else 14
        wh = (small.shape[1], small.shape[0])
        pose = GridPose.from_corners(np.array(score.corners_px) * factor, wh, size=size)
        _outline(small, pose, [(0, 0), (0, size), (size, size), (size, 0)], GRID_BGR)
        for cells, color in ((score.unsure, UNSURE_BGR), (score.wrong or {}, WRONG_BGR)):
            for row, col in cells:
                _outline(small, pose, [(row, col), (row, col + 1), (row + 1, col + 1), (row + 1, col)], color)
    return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()


def _outline(image: np.ndarray, pose: GridPose, corners_rc: list[tuple[int, int]], color_bgr: tuple[int, int, int]) -> None:
    points = pose.project(np.array([(col, row) for row, col in corners_rc], np.float64))
    cv2.polylines(image, [points.round().astype(np.int32)], isClosed=True, color=color_bgr, thickness=2, lineType=cv2.LINE_AA)
