"""What lies and moves about a board: household things round it or on it, and people's hands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .arrays import F32, U8
from .hand import Hand, paint_hand, random_person
from .scene import Scene
from .solids import Canvas, Solid, foot_points, paint_solid, random_solid


def grid_mask_share(scene: Scene, solid: Solid) -> float:
    """Share of the grid's points that the solid would hide (1 when a corner's neighbourhood is among them)."""
    points = np.concatenate([foot_points(solid, solid.foot), foot_points(solid, solid.foot + solid.size[2])])
    px = scene.pose.project(points[:, :2], points[:, 2])
    low, high = px.min(0), px.max(0)
    n = scene.kind.size
    at = np.linspace(0, n, 2 * n + 1)
    grid = scene.pose.project(np.stack(np.meshgrid(at, at), -1))
    under = ((grid > low) & (grid < high)).all(-1)
    corners = under[:3, :3].any() or under[:3, -3:].any() or under[-3:, :3].any() or under[-3:, -3:].any()
    return 1.0 if corners else float(under.mean())


def things_around(scene: Scene, rng: np.random.Generator, count: int) -> list[Solid]:
    """Up to `count` things beside the board that hide hardly any of it, far ones first."""
    half = scene.kind.size / 2
    found: list[Solid] = []
    for _ in range(4 * count):
        solid = random_solid(rng, -scene.board.slab)
        angle = rng.uniform(0, 2 * np.pi)
        square = half / max(abs(np.cos(angle)), abs(np.sin(angle)))
        out = square + scene.board.rim + solid.reach + abs(rng.normal(0, 4))
        at = (float(half + out * np.cos(angle)), float(half + out * np.sin(angle)))
        solid = replace(solid, at=at)
        px = scene.pose.project(np.array(at), solid.foot)
        seen = bool((px > -100).all() and (px < np.array(scene.pose.image_wh) + 100).all())
        apart = all(np.hypot(at[0] - o.at[0], at[1] - o.at[1]) > solid.reach + o.reach for o in found)
        if seen and apart and grid_mask_share(scene, solid) < 0.02:
            found.append(solid)
        if len(found) == count:
            break
    return by_distance(scene, found)


def thing_on_board(scene: Scene, rng: np.random.Generator) -> Solid:
    """Something that does not belong: put down on the board by mistake."""
    n = scene.kind.size
    solid = random_solid(rng, 0.26)
    while solid.reach > n / 5:
        solid = random_solid(rng, 0.26)
    return replace(solid, at=(float(rng.uniform(0.25, 0.75) * n), float(rng.uniform(0.25, 0.75) * n)))


def by_distance(scene: Scene, solids: list[Solid]) -> list[Solid]:
    """Far things first, as they must be painted."""
    eye = scene.pose.camera_position
    return sorted(solids, key=lambda s: -float(np.hypot(s.at[0] - eye[0], s.at[1] - eye[1])))


def reach_angle(rng: np.random.Generator, side: int | None = None) -> float:
    """Direction from a hand to its elbow: from one of the four seats, roughly."""
    seat = int(rng.integers(0, 4)) if side is None else side
    return float(seat * np.pi / 2 + rng.normal(0, 0.35))


def random_hand(scene: Scene, rng: np.random.Generator) -> Hand:
    """A hand somewhere over the board, gripping, pointing or resting flat."""
    n = scene.kind.size
    skin, sleeve, bare, left = random_person(rng)
    tip = (float(rng.uniform(0.1, 0.9) * n), float(rng.uniform(0.1, 0.9) * n), float(rng.uniform(0.25, 1.5)))
    carried = ((0, 0), (0, 1), (1, 1), (1, 2)) if rng.random() < 0.4 else ()
    letter = str(rng.choice(list(scene.kind.colors)))
    opened = float(rng.choice([0.0, 0.0, rng.uniform(0, 1), 1.0]))
    return Hand(tip, reach_angle(rng), opened, left, skin, sleeve, bare, carried, scene.pieces.palette[letter], float(rng.uniform(0, 6)))


def dress(scene: Scene, picture: F32, rng: np.random.Generator, solids: list[Solid], hands: list[Hand]) -> U8:
    """Paint things and hands over a linear picture; the mask of what hides the board, (h, w)."""
    canvas = Canvas(picture, scene.pose, scene.light)
    for solid in solids:
        paint_solid(canvas, solid)
    for hand in hands:
        paint_hand(canvas, hand, rng)
    return canvas.mask


__all__ = ["dress", "random_hand", "thing_on_board", "things_around"]
