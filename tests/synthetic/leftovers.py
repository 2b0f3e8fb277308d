"""Leftovers as people leave them: strewn, laid side by side, pushed together, one upon another; and things of their colours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from .arrays import Bgr, from_hsv
from .dress import by_distance, grid_mask_share
from .scene import Loose, Scene, scatter, table_margin
from .shapes import Cells, normal, orientations
from .solids import Solid

STYLES = ("strewn", "block", "pushed", "stacked")

MASK_PX = 16
"""Pixels a cell of the masks by which pieces are pushed together."""


def arrange(scene: Scene, hands: dict[str, list[str]], rng: np.random.Generator, styles: dict[str, str]) -> list[Loose]:
    """Pieces beside the board: strewn ones first, then some of each colour moved as its style says, some lying upside down."""
    found = [replace(item, upside=bool(rng.random() < 0.2)) for item in scatter(scene, hands, rng)]
    out: list[Loose] = []
    for color in hands:
        own = [item for item in found if item.color == color]
        others = [item for item in found if item.color != color] + out
        out += list(_moved(scene, own, others, styles[color], rng))
    return out


def _moved(scene: Scene, own: list[Loose], others: list[Loose], style: str, rng: np.random.Generator) -> Iterator[Loose]:
    if style == "block":
        count = min(len(own), int(rng.integers(2, 7)))
        block = _block(own[:count], rng) if count > 1 else []
        apart = (
            block and all(_far(item, other) for item in block for other in others + own[count:]) and all(_on_table(scene, b) for b in block)
        )
        yield from block if apart else own[:count]
        yield from own[count:]
    elif style in ("pushed", "stacked"):
        while len(own) > 1 and rng.random() < 0.6:
            first, second, *own = own
            pushed = _pushed(first, second, rng, overlap=style == "stacked")
            fits = _on_table(scene, pushed) and all(_far(pushed, other) for other in own + others)
            if fits:
                up = scene.pieces.height if style == "stacked" else 0.0
                yield replace(first, touching=True)
                yield replace(pushed, touching=True, up=up)
            else:
                yield from (first, second)
        yield from own
    else:
        yield from own


def _radius(item: Loose) -> float:
    rows, cols = (max(c[i] for c in item.cells) + 1 for i in (0, 1))
    return float(np.hypot(rows, cols)) / 2


def _far(item: Loose, other: Loose) -> bool:
    return float(np.hypot(item.at[0] - other.at[0], item.at[1] - other.at[1])) > _radius(item) + _radius(other) + 0.3


def _on_table(scene: Scene, item: Loose) -> bool:
    """Whether it lies beside the board, on the part of the table that can be drawn."""
    half = scene.kind.size / 2
    out = max(abs(item.at[0] - half), abs(item.at[1] - half)) - half
    return scene.board.rim + _radius(item) + 0.2 < out < table_margin(scene) - _radius(item) - 0.5


def _block(items: list[Loose], rng: np.random.Generator) -> list[Loose]:
    """Pieces laid side by side on one lattice, as close as they go, about where the first one lies."""
    turn, laid = float(rng.uniform(0, 360)), list[Cells]()
    filled: set[tuple[int, int]] = set()
    for item in items:
        cells = _nearest(item.piece, filled)
        filled |= set(cells)
        laid.append(cells)
    c, s = np.cos(np.radians(-turn)), np.sin(np.radians(-turn))
    middle = np.mean([_middle(cells) for cells in laid], axis=0)
    out = []
    for item, cells in zip(items, laid, strict=True):
        x, y = _middle(cells) - middle
        at = (items[0].at[0] + c * x - s * y, items[0].at[1] + s * x + c * y)
        out.append(replace(item, cells=normal(cells), at=(float(at[0]), float(at[1])), turn_deg=turn, touching=True))
    return out


def _nearest(name: str, filled: set[tuple[int, int]]) -> Cells:
    """The shape where it touches what is filled and keeps it as compact as possible."""
    if not filled:
        return orientations(name)[0]
    beside = {(r + a, c + b) for r, c in filled for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))} - filled
    middle = np.mean(list(filled), axis=0)
    best: tuple[float, Cells] | None = None
    for shape in orientations(name):
        for row, col in beside:
            for down, right in shape:
                cells = tuple((r + row - down, c + col - right) for r, c in shape)
                if not filled & set(cells):
                    spread = float(sum(np.hypot(r - middle[0], c - middle[1]) for r, c in cells))
                    best = min(best or (spread, cells), (spread, cells))
    assert best is not None
    return best[1]


def _middle(cells: Cells) -> NDArray[np.float64]:
    """(2,) middle (x, y) of the cells' bounding box."""
    rows, cols = zip(*cells, strict=True)
    return np.array([(min(cols) + max(cols) + 1) / 2, (min(rows) + max(rows) + 1) / 2])


def _pushed(first: Loose, second: Loose, rng: np.random.Generator, *, overlap: bool) -> Loose:
    """The second piece moved towards the first one until they touch, or lie one upon the other."""
    angle = rng.uniform(0, 2 * np.pi)
    way = np.array([np.cos(angle), np.sin(angle)])
    ground = _mask(first, np.array(first.at))
    moved = second
    for out in np.arange(6.0, 0.0, -0.05):
        at = np.array(first.at) + way * out
        further = replace(second, at=(float(at[0]), float(at[1])))
        if (_mask(further, np.array(first.at)) & ground).any():
            closer = np.array(first.at) + way * max(0.5, out - 1.2)
            return replace(second, at=(float(closer[0]), float(closer[1]))) if overlap else moved
        moved = further
    return moved


def outline(item: Loose) -> list[NDArray[np.float64]]:
    """(4, 2) board points of each of its squares."""
    turn = np.radians(-item.turn_deg)
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
    return [(square + np.array([c, r]) - _middle(item.cells)) @ spin + item.at for r, c in item.cells]


def _mask(item: Loose, about: NDArray[np.float64]) -> NDArray[np.bool_]:
    side = 14 * MASK_PX
    mask = np.zeros((side, side), np.uint8)
    for square in outline(item):
        cv2.fillConvexPoly(mask, np.round((square - about) * MASK_PX + side / 2).astype(np.int32), 1)
    return np.asarray(mask > 0)


THINGS: tuple[tuple[str, tuple[float, float, float], bool], ...] = (
    ("pen", (0.45, 7.0, 0.4), False),
    ("die", (0.8, 0.8, 0.8), False),
    ("brick", (0.8, 1.6, 0.5), False),
    ("notes", (3.7, 3.7, 0.1), False),
    ("pawn", (0.7, 0.7, 1.2), True),
    ("token", (1.0, 1.0, 0.15), True),
    ("coaster", (4.6, 4.6, 0.2), True),
    ("card", (3.1, 4.4, 0.02), False),
)
"""Small coloured things: name, lengths in cells, round or not."""


def colored_things(scene: Scene, loose: list[Loose], rng: np.random.Generator, count: int) -> list[Solid]:
    """Things of the pieces' colours, or of others, that stand clear of the pieces."""
    palette, half = list(scene.pieces.palette.values()), scene.kind.size / 2
    found: list[Solid] = []
    for _ in range(6 * count):
        name, size, is_round = THINGS[rng.integers(len(THINGS))]
        plain: Bgr = from_hsv(rng.uniform(0, 180), rng.uniform(0.2, 0.95), rng.uniform(0.2, 0.95))
        color = palette[rng.integers(len(palette))] if rng.random() < 0.5 else plain
        angle = rng.uniform(0, 2 * np.pi)
        out = half / max(abs(np.cos(angle)), abs(np.sin(angle))) + scene.board.rim + np.hypot(*size[:2]) / 2 + abs(rng.normal(0, 3))
        at = (float(half + out * np.cos(angle)), float(half + out * np.sin(angle)))
        solid = Solid(name, at, size, float(rng.uniform(0, np.pi)), -scene.board.slab, color, color, is_round)
        clear = all(np.hypot(at[0] - o.at[0], at[1] - o.at[1]) > solid.reach + _radius(o) + 0.5 for o in loose)
        apart = all(np.hypot(at[0] - o.at[0], at[1] - o.at[1]) > solid.reach + o.reach for o in found)
        if clear and apart and grid_mask_share(scene, solid) < 0.02:
            found.append(solid)
        if len(found) == count:
            break
    return by_distance(scene, found)
