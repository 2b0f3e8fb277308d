"""Disturbances by people and animals, and by things they put down or push."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import cv2
import numpy as np

from .arrays import F32, Bgr, blur, cloud, from_hsv, resized
from .dress import random_hand
from .games import middle_of, player_hand
from .hand import Hand
from .shapes import Cell, Placed, orientations
from .solids import Solid, foot_points
from .take import Frame, Take, free_of


def some_hand(take: Take, **changes: object) -> Hand:
    """A hand of anybody somewhere over the board, with nothing in it."""
    return replace(random_hand(take.stage.scene, take.rng), **{"carried": (), **changes})  # type: ignore[arg-type]


def hand(take: Take) -> Iterator[Frame]:
    """A hand comes, waits, points elsewhere, and goes."""
    one = some_hand(take)
    yield from take.reach(one, out=False, frames=4)
    for _ in range(int(take.rng.integers(1, 4))):
        for _ in range(int(take.rng.integers(1, 14))):
            yield take.shoot((one,))
        one = replace(one, tip=some_hand(take).tip)
    yield take.shoot((one,))
    yield from take.reach(one, out=True, frames=4)


def resting_hand(take: Take) -> Iterator[Frame]:
    """A hand lies on the board for two minutes, trembling a little now and then."""
    one = some_hand(take)
    yield from take.reach(one, out=False, frames=4)
    off = take.rng.normal(0, 0.06, (4, 2))
    poses = [(replace(one, tip=(one.tip[0] + float(x), one.tip[1] + float(y), one.tip[2])),) for x, y in off]
    which = 0
    for _ in range(60):
        which = int(take.rng.integers(4)) if take.rng.random() < 0.2 else which
        yield take.shoot(poses[which], after_s=2.0)
    yield from take.reach(one, out=True, frames=4)


def sleeve(take: Take) -> Iterator[Frame]:
    """An arm in a sleeve, perhaps of a piece's colour, reaches over the board to something beyond it."""
    one = some_hand(take, bare=0.5, open=0.0)
    if take.rng.random() < 0.5:
        one = replace(one, sleeve=take.stage.scene.pieces.palette[str(take.rng.choice(list(take.stage.scene.kind.colors)))])
    n = take.stage.scene.kind.size
    out = np.array([np.cos(one.from_angle), np.sin(one.from_angle)])
    beyond = np.array(one.tip[:2]) - out * take.rng.uniform(0.2, 0.6) * n
    one = replace(one, tip=(float(beyond[0]), float(beyond[1]), 1.5))
    yield from take.reach(one, out=False, frames=5)
    for _ in range(int(take.rng.integers(2, 22))):
        yield take.shoot((one,))
    yield from take.reach(one, out=True, frames=5)


def beside(take: Take) -> Iterator[Frame]:
    """People reach for their pieces beside the board and take some."""
    n = take.stage.scene.kind.size
    for _ in range(int(take.rng.integers(1, 4))):
        seat = int(take.rng.integers(4))
        along, out = float(take.rng.uniform(0, n)), float(take.rng.uniform(3, 6))
        at = ((n + out, along), (along, n + out), (-out, along), (along, -out))[seat]
        one = some_hand(take, tip=(at[0], at[1], 0.3), from_angle=seat * np.pi / 2 + float(take.rng.normal(0, 0.25)))
        yield from take.reach(one, out=False, frames=3)
        yield take.shoot((one,))
        take.away += 1
        yield from take.reach(one, out=True, frames=3)


def hovering(take: Take) -> Iterator[Frame]:
    """A player slides a piece over the board, holds it here and there, and takes it away again."""
    step = take.stage.steps[1]
    piece, n = step.added[0], take.stage.scene.kind.size
    one = player_hand(take.stage.game, step, (*middle_of(piece), 0.45), piece)
    if take.rng.random() < 0.5:
        one = replace(one, carried_turn=float(take.rng.uniform(0, 6)))
    yield from take.reach(one, out=False, frames=4)
    at = np.array(one.tip[:2])
    for _ in range(int(take.rng.integers(2, 5))):
        goal = np.clip(np.round(at + take.rng.normal(0, 3, 2)), 2, n - 2) + (np.array(one.tip[:2]) % 1)
        for k in range(3):
            now = at + (goal - at) * (k + 1) / 3
            one = replace(one, tip=(float(now[0]), float(now[1]), float(take.rng.uniform(0.35, 0.8))))
            yield take.shoot((one,))
        for _ in range(int(take.rng.integers(1, 14))):
            yield take.shoot((one,))
        at = goal
    yield from take.reach(one, out=True, frames=4)


def leaning(take: Take) -> Iterator[Frame]:
    """Somebody leans over the board: a head and shoulders hide a part of it for some seconds."""
    rng, (w, h) = take.rng, take.side.pose.image_wh
    angle, near = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.1, 0.45)) * min(w, h)
    hair, cloth = from_hsv(12, float(rng.uniform(0, 0.6)), float(rng.uniform(0.08, 0.7))), from_hsv(float(rng.uniform(0, 180)), 0.5, 0.5)
    radius = float(rng.uniform(0.16, 0.24)) * min(w, h)
    for place in _way(rng, 5, int(rng.integers(4, 22))):
        far = near + place * 0.9 * max(w, h)
        at = np.array([w / 2 + far * np.cos(angle), h / 2 + far * np.sin(angle)])
        body = at + 1.9 * radius * np.array([np.cos(angle), np.sin(angle)])
        blobs = (Blob(tuple(body), (1.3 * radius, 2.3 * radius), angle, cloth), Blob(tuple(at), (1.15 * radius, 0.9 * radius), angle, hair))
        yield take.shoot(paint=lambda picture, blobs=blobs: paint_blobs(picture, blobs, take.stage.seed))  # type: ignore[misc]


def cat(take: Take) -> Iterator[Frame]:
    """A cat walks over the board, sits down for a while, and walks on."""
    rng, (w, h) = take.rng, take.side.pose.image_wh
    fur = from_hsv(*((0, 0.0, 0.1), (14, 0.75, 0.75), (0, 0.0, 0.9), (15, 0.2, 0.4))[int(rng.integers(4))])
    angle, size = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.1, 0.15)) * w
    to = np.array([np.cos(angle), np.sin(angle)])
    middle = np.array([w, h]) * rng.uniform(0.35, 0.65, 2)
    way = [*np.linspace(-1, 0, 7).tolist(), *[0.0] * int(rng.integers(1, 20)), *np.linspace(0, 1, 7).tolist()[1:]]
    for k, place in enumerate(way):
        at = middle + to * place * 0.9 * w
        tail = [
            Blob(
                tuple(at - to * size * (1.5 + 0.2 * i) + np.array([-to[1], to[0]]) * size * 0.4 * np.sin(0.6 * i + 0.3 * k)), (9, 9), 0, fur
            )
            for i in range(7)
        ]
        blobs = (
            *tail,
            Blob(tuple(at), (1.6 * size, 0.75 * size), angle, fur),
            Blob(tuple(at + to * 1.6 * size), (0.6 * size,) * 2, angle, fur),
        )
        yield take.shoot(paint=lambda picture, blobs=blobs: paint_blobs(picture, blobs, take.stage.seed))  # type: ignore[misc]


def _way(rng: np.random.Generator, steps: int, stay: int) -> list[float]:
    """From 1 to 0, some time there with a little swaying, and back to 1."""
    sway = np.cumsum(rng.normal(0, 0.002, stay)) * (rng.random() < 0.5)
    return [*np.linspace(1, 0, steps).tolist(), *sway.tolist(), *np.linspace(0, 1, steps).tolist()]


@dataclass(frozen=True)
class Blob:
    """An ellipse in the picture: middle and half axes in px, its long axis's direction in radians, linear colour."""

    at_xy: tuple[float, ...]
    axes_px: tuple[float, ...]
    angle: float
    color: Bgr


def paint_blobs(picture: F32, blobs: tuple[Blob, ...], seed: int) -> None:
    """Paint soft round bodies of fur, hair or cloth over a picture, in its own light, with their shade below."""
    h, w = picture.shape[:2]
    light = float(np.percentile(picture[::8, ::8].max(-1), 85))
    texture = 1 + 0.12 * cloud(np.random.default_rng([seed, 3]), (h, w), 6.0)
    for dark in (True, False):
        for blob in blobs:
            mask = np.zeros((h, w), np.uint8)
            center = (int(np.clip(blob.at_xy[0], -9000, 9000)), int(np.clip(blob.at_xy[1], -9000, 9000)))
            axes = (max(1, int(blob.axes_px[0])), max(1, int(blob.axes_px[1])))
            cv2.ellipse(mask, center, axes, float(np.degrees(blob.angle)), 0, 360, 255, -1)
            if not mask.any():
                continue
            if dark:
                small = np.asarray(cv2.resize(mask, (w // 4, h // 4), interpolation=cv2.INTER_AREA), np.float32) / 255
                picture *= (1 - np.float32(0.4) * resized(blur(small, w / 4 / 40), (w, h)))[..., None]
                continue
            cover = blur(mask.astype(np.float32) / 255, 1.2)[..., None]
            inner = blur(mask.astype(np.float32) / 255, max(axes[1] / 4, 1.0))[..., None]
            body = np.array(blob.color, np.float32) * np.float32(light) * (np.float32(0.5) + np.float32(0.5) * inner) * texture[..., None]
            picture += (body - picture) * cover


def cup(take: Take) -> Iterator[Frame]:
    """A cup is put down on the board, stands there for a while, and is taken away."""
    yield from _put_and_take(take, _solid(take, ("mug", "glass"), clear=False))


def cup_stays(take: Take) -> Iterator[Frame]:
    """A cup is put down on the board and left there; play goes on beside it."""
    thing = _solid(take, ("mug", "glass", "coin"), clear=True)
    yield from _bring(take, thing, out=False)
    take.put(solids=(thing,))
    yield from _leave(take, thing)


def sheet(take: Take) -> Iterator[Frame]:
    """A sheet of paper, the score, lies on the board for a while."""
    paper = _solid(take, ("notepad",), clear=False)
    large = ((10.5, 14.8, 0.02), (7.4, 10.5, 0.02), (5.2, 7.4, 0.05))[int(take.rng.integers(3))]
    yield from _put_and_take(take, replace(paper, size=large))


def phone_over_it(take: Take) -> Iterator[Frame]:
    """Somebody holds a phone over the board and photographs it."""
    n, up = take.stage.scene.kind.size, float(take.rng.uniform(6, 12))
    phone = Solid("phone", (0.0, 0.0), (3.7, 7.6, 0.4), float(take.rng.uniform(0, 3)), 0.3, (0.03, 0.03, 0.03), (0.05, 0.05, 0.05))
    one = some_hand(take, tip=(float(take.rng.uniform(0.3, 0.7) * n), float(take.rng.uniform(0.3, 0.7) * n), up))
    yield from take.reach(one, out=False, frames=4, solid=phone)
    held = replace(phone, at=one.tip[:2], foot=up)
    for _ in range(int(take.rng.integers(4, 24))):
        yield take.shoot((one,), solids=(*take.sight.solids, held))
    yield from take.reach(one, out=True, frames=4, solid=phone)


def _solid(take: Take, names: tuple[str, ...], *, clear: bool) -> Solid:
    """A thing for some place on the board; `clear` of what will be played next."""
    size = {"mug": (4.0, 4.0, 4.5), "glass": (3.5, 3.5, 5.5), "coin": (1.2, 1.2, 0.1), "notepad": (5.2, 7.4, 0.05)}
    rng, n = take.rng, take.stage.scene.kind.size
    name = str(rng.choice(names))
    color = (
        from_hsv(25, 0.1, 0.93)
        if name == "notepad"
        else from_hsv(float(rng.uniform(0, 180)), float(rng.uniform(0, 0.8)), float(rng.uniform(0.2, 0.95)))
    )
    second = from_hsv(110, 0.3, 0.7) if name == "notepad" else from_hsv(12, 0.8, 0.2)
    thing = Solid(name, (0.0, 0.0), size[name], float(rng.uniform(0, np.pi)), 0.26, color, second, name != "notepad")
    for _ in range(60):
        thing = replace(thing, at=(float(rng.uniform(0.15, 0.85) * n), float(rng.uniform(0.15, 0.85) * n)))
        if not clear or not _hides(take, thing, take.stage.steps[1].added[0]):
            break
    return thing


def _hides(take: Take, thing: Solid, piece: Placed) -> bool:
    """Whether a thing hides anything of a piece or of the cells beside it."""
    points = np.concatenate([foot_points(thing, thing.foot), foot_points(thing, thing.foot + thing.size[2])])
    hull = cv2.convexHull(take.side.pose.project(points[:, :2], points[:, 2]).astype(np.float32))
    around = {(r + a, c + b) for r, c in piece.cells for a in (-1, 0, 1) for b in (-1, 0, 1)}
    places = take.side.pose.project(np.array([(c + 0.5, r + 0.5) for r, c in sorted(around)]))
    cell = float(take.side.pose.cell_sizes_px().max())
    return any(cv2.pointPolygonTest(hull, (float(x), float(y)), measureDist=True) > -cell for x, y in places)


def _put_and_take(take: Take, thing: Solid) -> Iterator[Frame]:
    yield from _bring(take, thing, out=False)
    take.put(solids=(thing,))
    yield from _leave(take, thing)
    yield from take.rest(float(take.rng.uniform(0.5, 7)))
    one = _holder(take, thing)
    yield from take.reach(one, out=False, frames=4)
    take.put(solids=())
    yield from _bring(take, thing, out=True)


def _holder(take: Take, thing: Solid) -> Hand:
    return some_hand(take, tip=(*thing.at, thing.size[2]), open=0.2)


def _bring(take: Take, thing: Solid, *, out: bool) -> Iterator[Frame]:
    one = _holder(take, thing)
    yield from take.reach(one, out=out, frames=4, solid=replace(thing, foot=thing.foot - one.tip[2]))


def _leave(take: Take, thing: Solid) -> Iterator[Frame]:
    yield from take.reach(_holder(take, thing), out=True, frames=4)


def jostled(take: Take) -> Iterator[Frame]:
    """A sleeve brushes a piece: it lies a little askew from now on, but still on its cells."""
    rng = take.rng
    for index in rng.permutation(len(take.placed)).tolist():
        piece = take.placed[index]
        dr, dc = ((0, 1), (1, 0), (0, -1), (-1, 0))[int(rng.integers(4))]
        beside_it = [(r + dr, c + dc) for r, c in piece.cells if (r + dr, c + dc) not in piece.cells]
        if free_of(beside_it, take.placed):
            far = float(rng.uniform(0.1, 0.25))
            take.pushed = {piece.cells: (dc * far, dr * far, float(rng.normal(0, 2)))}
            one = some_hand(take, tip=(*middle_of(piece), 0.5))
            yield from take.reach(one, out=True, frames=4)
            return
    yield from hand(take)


def shoved(take: Take) -> Iterator[Frame]:
    """A sleeve pushes some pieces aside; hands put all of them right again before they leave."""
    rng = take.rng
    count = int(rng.integers(1, 4))
    pieces = [take.placed[k] for k in rng.permutation(len(take.placed))[:count].tolist()]
    one = some_hand(take, tip=(*middle_of(pieces[0]), 0.5)) if pieces else some_hand(take)
    yield from take.reach(one, out=False, frames=4)
    take.pushed = {p.cells: (float(rng.normal(0, 0.8)), float(rng.normal(0, 0.8)), float(rng.normal(0, 20))) for p in pieces}
    for piece in pieces:
        tip = (*middle_of(piece), 0.5)
        for _ in range(int(rng.integers(2, 5))):
            yield take.shoot((replace(one, tip=(tip[0] + float(rng.normal(0, 0.4)), tip[1] + float(rng.normal(0, 0.4)), 0.5)),))
        left = {cells: off for cells, off in (take.pushed or {}).items() if cells != piece.cells}
        take.pushed = left or None
    take.pushed = None
    yield from take.reach(one, out=True, frames=4)


def lifted(take: Take) -> Iterator[Frame]:
    """A player lifts a piece that lies, looks at it, and puts it back without leaving the board."""
    piece = take.placed[int(take.rng.integers(len(take.placed)))]
    one = some_hand(take, tip=(*middle_of(piece), 0.5), open=0.0)
    color = take.stage.scene.pieces.palette[piece.color]
    yield from take.reach(one, out=False, frames=4)
    before = take.placed
    take.placed = tuple(p for p in before if p is not piece)
    for _ in range(int(take.rng.integers(3, 10))):
        at = (one.tip[0] + float(take.rng.normal(0, 0.5)), one.tip[1] + float(take.rng.normal(0, 0.5)), float(take.rng.uniform(0.6, 1.5)))
        yield take.shoot((replace(one, tip=at, carried=piece.cells, carried_color=color),))
    take.placed = before
    yield take.shoot((one,))
    yield from take.reach(one, out=True, frames=4)


def second_thoughts(take: Take) -> Iterator[Frame]:
    """A player puts a piece down, takes it back before the hand has left the board, and puts it elsewhere."""
    step = take.stage.steps[1]
    piece = step.added[0]
    wrong = _elsewhere(take, piece)
    if wrong is not None:
        yield from take.lay_down(wrong, step, out=False)
        empty = player_hand(take.stage.game, step, (*middle_of(wrong), 0.45), None)
        away = list(islice(take.reach(empty, out=True, frames=6), int(take.rng.integers(1, 4))))
        yield from away
        for _ in range(int(take.rng.integers(1, 4))):
            yield take.frame(away[-1].image_bgr)
        yield take.shoot((empty,))
        take.placed = tuple(p for p in take.placed if p is not wrong)
        take.played.remove(wrong)
        lifted = replace(empty, tip=(*empty.tip[:2], 1.5), carried=wrong.cells, carried_color=take.stage.scene.pieces.palette[wrong.color])
        yield take.shoot((lifted,))
    yield from take.lay_down(piece, step)


def _elsewhere(take: Take, piece: Placed) -> Placed | None:
    """The piece on other free cells near to where it will be played."""
    n = take.stage.scene.kind.size
    for _ in range(60):
        shape = orientations(str(piece.piece))[int(take.rng.integers(len(orientations(str(piece.piece)))))]
        at = (piece.cells[0][0] + int(take.rng.integers(-4, 5)), piece.cells[0][1] + int(take.rng.integers(-4, 5)))
        cells: tuple[Cell, ...] = tuple(sorted((r + at[0], c + at[1]) for r, c in shape))
        if all(0 <= v < n for cell in cells for v in cell) and free_of(cells, take.placed) and cells != piece.cells:
            return replace(piece, cells=cells)
    return None


def quick_moves(take: Take) -> Iterator[Frame]:
    """The next two players put their pieces down within a second or so of each other."""
    first, second = take.stage.steps[1:3]
    yield from take.lay_down(first.added[0], first)
    if take.rng.random() < 0.5:
        yield from take.rest(float(take.rng.uniform(0.1, 0.6)))
    yield from take.lay_down(second.added[0], second)
