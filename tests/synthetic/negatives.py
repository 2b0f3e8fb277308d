"""Pictures that show no board to read: bare tables, other games, grids of other counts, half a board."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from calibration.pose import GridPose

from .arrays import F32, from_hsv
from .atlas import BOARD, PAPER, Atlas, draw_board, empty_atlas
from .camera import look
from .scene import Scene, build, draw, lay_placed, random_scene, scatter, table_margin
from .shapes import KINDS, Player
from .stills import FORMATS, photograph, random_position, save

SUBJECTS = ("table", "leftovers", "chess", "tiles", "graph", "sheet", "keyboard", "lid", "half_board", "scrabble", "two_boards")


def picture(seed: int, subject: str, image_wh: tuple[int, int] | None = None) -> tuple[Scene, F32]:
    """The scene and linear picture of a subject; the picture's size is drawn from the seed unless it is given."""
    rng = np.random.default_rng([seed, 2])
    drawn = FORMATS[rng.integers(len(FORMATS))]
    scene = random_scene(seed + 500_000, "classic", image_wh or drawn)
    if subject == "half_board":
        return half_board(scene, rng)
    if subject == "two_boards":
        return two_boards(scene, rng)
    slab = 0.0 if subject in ("tiles", "graph", "sheet", "table", "leftovers") else scene.board.slab
    scene = replace(scene, board=replace(scene.board, slab=max(slab, 0.02), metal=False))
    if subject == "leftovers":
        loose = scatter(scene, Player(scene.kind, rng).hands, rng, 0.8)
        bare = build(scene, [], loose)
        board = bare.material == BOARD
        bare.base[board], bare.relief[board], bare.material[board] = -scene.board.slab, 0, 0
        return scene, draw(scene, bare)
    scale = int(np.clip(round(float(scene.pose.cell_sizes_px().max())), 22, 40))
    atlas = empty_atlas(scene.kind.size, scale, table_margin(scene), -scene.board.slab)
    if subject != "table":
        paint(atlas, subject, rng)
    return scene, draw(scene, atlas)


def half_board(scene: Scene, rng: np.random.Generator) -> tuple[Scene, F32]:
    """A real board of which one or two corners lie outside the picture."""
    position = random_position(scene, rng, int(rng.integers(4, 60)))
    angle = rng.uniform(0, 2 * np.pi)
    shift = np.array([np.cos(angle), np.sin(angle), 0.0]) * scene.kind.size * rng.uniform(0.45, 0.6)
    moved = scene.pose
    for _ in range(30):
        shift *= 1.05
        moved = replace(scene.pose, tvec=scene.pose.tvec - scene.pose.rotation @ shift)
        if cells_outside(moved) > 0.25:
            break
    scene = replace(scene, pose=moved)
    return scene, draw(scene, build(scene, list(position.placed), list(position.loose)))


def two_boards(scene: Scene, rng: np.random.Generator) -> tuple[Scene, F32]:
    """Two whole boards side by side: nobody can say which one is meant."""
    size, gap = scene.kind.size, 4
    whole = 2 * (size + gap)
    view = replace(scene.view, fill=0.95, tilt_deg=0.6 * scene.view.tilt_deg, k1=0.3 * scene.view.k1, shift=(0.0, 0.0))
    reach = (1.6 * whole, 1.6 * whole, scene.table.reach[2])
    scene = replace(
        scene,
        pose=look(view, whole, scene.pose.image_wh, 0.0),
        kind=replace(scene.kind, size=whole),
        table=replace(scene.table, size=whole, reach=reach),
    )
    scale = int(np.clip(round(float(scene.pose.cell_sizes_px().max())), 22, 38))
    atlas = empty_atlas(whole, scale, 2.0, -scene.board.slab)
    for left in (2, size + gap + 2):
        rows, cols = (slice(first * scale, (first + size + 4) * scale) for first in ((whole - size) // 2, left))
        part = replace(
            atlas,
            size=size,
            windows=[],
            **{name: getattr(atlas, name)[rows, cols] for name in ("base", "relief", "albedo", "material", "sway_x", "sway_y")},
        )
        draw_board(part, scene.board, rng)
        lay_placed(scene, part, Player(KINDS["classic"], rng).play(int(rng.integers(0, 60))))
        shift = [
            (slice(w[0].start + rows.start, w[0].stop + rows.start), slice(w[1].start + cols.start, w[1].stop + cols.start))
            for w in part.windows
        ]
        atlas.windows.extend(shift)
    return scene, draw(scene, atlas)


def cells_outside(pose: GridPose) -> float:
    """Share of the grid's points that lie outside the picture."""
    at = np.linspace(0, pose.size, 15)
    points = pose.project(np.stack(np.meshgrid(at, at), -1))
    return float(((points < 0) | (points > np.array(pose.image_wh) - 1)).any(-1).mean())


def slab(atlas: Atlas, half_x: float, half_y: float, color: F32, material: int = BOARD) -> tuple[slice, slice]:
    """A flat rectangle in the middle at height 0; the region it covers."""
    c = atlas.size / 2
    x0, x1 = (int(np.clip(atlas.pixels(v), 0, atlas.base.shape[1])) for v in (c - half_x, c + half_x))
    y0, y1 = (int(np.clip(atlas.pixels(v), 0, atlas.base.shape[0])) for v in (c - half_y, c + half_y))
    spot = np.s_[y0:y1, x0:x1]
    atlas.windows.append(np.s_[max(0, y0 - 3) : y1 + 3, max(0, x0 - 3) : x1 + 3])
    atlas.base[spot], atlas.material[spot], atlas.albedo[spot] = 0.0, material, color
    return spot


def checker(atlas: Atlas, spot: tuple[slice, slice], rows: int, cols: int, colors: list[F32]) -> None:
    """Fill a region with squares of changing colours."""
    h, w = (s.stop - s.start for s in spot)
    r, c = (np.arange(h) * rows // h)[:, None], (np.arange(w) * cols // w)[None]
    atlas.albedo[spot] = np.stack(colors)[(r + c) % len(colors)]


def grooves(atlas: Atlas, spot: tuple[slice, slice], rows: int, cols: int, width: float, depth: float, ink: float) -> None:
    """Lines across a region: grooves of a depth, darkened by a factor."""
    h, w = (s.stop - s.start for s in spot)
    for n, length, axis in ((rows, h, 0), (cols, w, 1)):
        off = np.abs((np.arange(length) / length * n + 0.5) % 1 - 0.5) * length / n / atlas.scale
        line = (off < max(width / 2, 0.6 / atlas.scale)).astype(np.float32)
        line = line[:, None] if axis == 0 else line[None]
        atlas.relief[spot] -= depth * line
        atlas.albedo[spot] *= (1 - (1 - ink) * line)[..., None]


def some_color(rng: np.random.Generator, saturation: tuple[float, float] = (0, 0.9), value: tuple[float, float] = (0.1, 0.95)) -> F32:
    """(3,) a random linear BGR colour."""
    return np.array(from_hsv(rng.uniform(0, 180), rng.uniform(*saturation), rng.uniform(*value)), np.float32)


def paint(atlas: Atlas, subject: str, rng: np.random.Generator) -> None:
    """Draw the subject into the middle of the atlas."""
    half = atlas.size / 2
    grey = some_color(rng, (0, 0.15), (0.5, 0.95))
    if subject == "chess":
        slab(atlas, half, half, some_color(rng, (0.1, 0.6), (0.2, 0.6)))
        edge = half * rng.uniform(0.8, 0.95)
        spot = slab(atlas, edge, edge, grey)
        n = int(rng.choice([8, 8, 10]))
        checker(atlas, spot, n, n, [grey, some_color(rng, (0.1, 0.6), (0.1, 0.4))])
        for _ in range(int(rng.integers(0, 24))):
            man(atlas, rng, edge, n)
    elif subject == "tiles":
        reach = half + atlas.margin
        spot = slab(atlas, reach, reach, grey, PAPER)
        n = int(rng.integers(5, 16))
        checker(atlas, spot, n, n, [grey, grey * np.float32(rng.uniform(0.5, 1.05))])
        grooves(atlas, spot, n, n, rng.uniform(0.06, 0.2), 0.02, rng.uniform(0.4, 1.3))
    elif subject == "graph":
        wide = half * rng.uniform(0.6, 0.75)
        spot = slab(atlas, wide, half, grey * 0 + 0.85, PAPER)
        n = int(rng.choice([28, 36, 42, 50]))
        grooves(atlas, spot, n, max(6, round(n * wide / half)), 0.04, 0, rng.uniform(0.4, 0.8))
    elif subject == "sheet":
        spot = slab(atlas, half, half * 0.7, grey * 0 + 0.85, PAPER)
        rows, cols = int(rng.integers(24, 45)), int(rng.integers(5, 13))
        grooves(atlas, spot, rows, cols, 0.04, 0, 0.4)
        scribble(atlas, spot, rng, rows, cols)
    elif subject == "keyboard":
        slab(atlas, half, half * 0.42, some_color(rng, (0, 0.2), (0.05, 0.8)))
        spot = slab(atlas, half * 0.97, half * 0.36, some_color(rng, (0, 0.2), (0.05, 0.9)))
        grooves(atlas, spot, 6, int(rng.integers(15, 22)), 0.2, 0.08, 0.3)
        scribble(atlas, spot, rng, 6, 18)
    elif subject == "scrabble":
        spot = slab(atlas, half, half, grey)
        n = 15
        checker(atlas, spot, n, n, [grey, grey * np.float32(0.96), some_color(rng, (0.2, 0.7), (0.4, 0.9))])
        grooves(atlas, spot, n, n, 0.08, 0.02, 0.8)
        scribble(atlas, spot, rng, n, n)
    else:
        lid(atlas, rng, half)


def man(atlas: Atlas, rng: np.random.Generator, edge: float, n: int) -> None:
    """A round flat man on a square."""
    at = [(rng.integers(0, n) + 0.5) * 2 * edge / n + atlas.size / 2 - edge for _ in range(2)]
    mask = np.zeros(atlas.base.shape, np.uint8)
    cv2.circle(mask, (round(atlas.pixels(at[0])), round(atlas.pixels(at[1]))), round(0.75 * edge / n * atlas.scale), 1, -1)
    on = mask > 0
    atlas.base[on], atlas.albedo[on] = 0.5, np.float32(rng.choice([0.03, 0.8]))


def scribble(atlas: Atlas, spot: tuple[slice, slice], rng: np.random.Generator, rows: int, cols: int) -> None:
    """Letters and numbers in some of the fields."""
    h, w = (s.stop - s.start for s in spot)
    ink = np.zeros((h, w), np.uint8)
    size = 0.55 * h / rows
    for r in range(rows):
        for c in range(cols):
            if rng.random() < 0.6:
                text = "".join(
                    rng.choice(list("ABCDEFGHKLMNPRST0123456789"), int(rng.integers(1, 1 + max(1, min(5, (w * rows) // (h * cols))))))
                )
                cv2.putText(
                    ink,
                    text,
                    (int((c + 0.2) * w / cols), int((r + 0.8) * h / rows)),
                    cv2.FONT_HERSHEY_SIMPLEX,
                    size / 22,
                    255,
                    1,
                    cv2.LINE_AA,
                )
    atlas.albedo[spot] *= (1 - 0.8 * ink.astype(np.float32) / 255)[..., None]


def lid(atlas: Atlas, rng: np.random.Generator, half: float) -> None:
    """A game's box: four coloured quarters, a picture of a corner of a board, big letters."""
    wide = half * rng.uniform(0.75, 1)
    spot = slab(atlas, wide, half, some_color(rng))
    h, w = (s.stop - s.start for s in spot)
    hues = [from_hsv(hue + rng.uniform(-5, 5), 0.85, 0.85) for hue in (112, 24, 178, 68)]
    view = atlas.albedo[spot]
    for k, color in enumerate(hues):
        view[(k // 2) * h // 2 : (k // 2 + 1) * h // 2, (k % 2) * w // 2 : (k % 2 + 1) * w // 2] = color
    n = int(rng.integers(6, 11))
    side = int(min(h, w) * 0.5)
    y, x = (h - side) // 2, (w - side) // 2
    letters = rng.integers(0, 6, (n, n))
    colors = np.array([*hues, (0.8, 0.8, 0.8), (0.8, 0.8, 0.8)], np.float32)
    view[y : y + side, x : x + side] = cv2.resize(colors[letters], (side, side), interpolation=cv2.INTER_NEAREST)
    ink = np.zeros((h, w), np.uint8)
    cv2.putText(ink, "QUADRA", (w // 10, h // 2), cv2.FONT_HERSHEY_TRIPLEX, w / 150, 255, max(2, w // 60), cv2.LINE_AA)
    view += (np.float32(0.9) - view) * (ink.astype(np.float32) / 255)[..., None]


def write_negatives(folder: Path, count: int, seed: int) -> None:
    """`count` pictures named ``negative_*``, subjects in turn."""
    folder.mkdir(parents=True, exist_ok=True)
    for i in range(count):
        subject = SUBJECTS[i % len(SUBJECTS)]
        scene, linear = picture(seed + i, subject)
        save(folder / f"negative_{i:03d}_{subject}.jpg", photograph(scene, linear, seed + i), scene.sensor.jpeg)
