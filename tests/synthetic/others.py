"""Boards of other games, of other counts of squares: seen as boards are, and to be refused by their count."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from .arrays import F32
from .atlas import BOARD, Atlas, draw_board, empty_atlas
from .negatives import checker, grooves, slab, some_color
from .scene import Scene, draw, fitted, lay_placed, random_scene, table_margin
from .shapes import Player
from .stills import FORMATS, photograph, save

GAMES = ("chess", "draughts", "go", "small_go", "tiles", "letters", "relief")
"""Chequered ones with men, crossing lines with stones, squares with letters on them, and boards with ridges and pieces like this game's."""

COUNTS = {
    "chess": (8,),
    "draughts": (8, 10, 12),
    "go": (18,),
    "small_go": (8, 12),
    "tiles": (9, 10, 11, 16),
    "letters": (15, 13),
    "relief": (8, 10, 12, 15, 16, 17, 19),
}
"""Squares a side."""


def other_board(seed: int, game: str, image_wh: tuple[int, int] | None = None) -> tuple[Scene, F32]:
    """The scene, whose kind has the board's count of squares, and its linear picture, in a drawn size unless one is given."""
    rng = np.random.default_rng([seed, 63])
    scene = random_scene(seed, "duo", image_wh or FORMATS[rng.integers(len(FORMATS))])
    count = int(rng.choice(COUNTS[game]))
    view, pose = fitted(scene.view, count, scene.pose.image_wh, max(1.0, scene.board.rim))
    kind = replace(scene.kind, size=count, starts=((0, 0), (count - 1, count - 1)))
    scene = replace(scene, kind=kind, view=view, pose=pose)
    scale = int(np.clip(round(float(pose.cell_sizes_px().max())), 22, 60))
    atlas = empty_atlas(count, scale, min(table_margin(scene), 4 if count < 12 else 9), -scene.board.slab)
    if game == "relief":
        draw_board(atlas, scene.board, rng)
        lay_placed(scene, atlas, Player(kind, rng).play(int(rng.integers(0, 20))))
        return scene, draw(scene, atlas)
    scene = replace(scene, board=replace(scene.board, metal=False))
    half, light = count / 2, some_color(rng, (0, 0.5), (0.5, 0.95))
    slab(
        atlas, half + rng.uniform(0.2, 1.0), half + rng.uniform(0.2, 1.0), light if "go" in game else some_color(rng, (0, 0.6), (0.1, 0.9))
    )
    spot = slab(atlas, half, half, light)
    if game in ("chess", "draughts"):
        checker(atlas, spot, count, count, [light, some_color(rng, (0.1, 0.6), (0.05, 0.4))])
        discs(atlas, rng, int(rng.integers(0, 3 * count)), 0.5, 0.38, float(rng.uniform(0.1, 0.8 if game == "chess" else 0.25)))
    elif game in ("go", "small_go"):
        grooves(atlas, spot, count, count, float(rng.uniform(0.03, 0.08)), 0.0, float(rng.uniform(0.1, 0.5)))
        discs(atlas, rng, int(rng.integers(0, count * count // 2)), 0.0, 0.46, 0.3)
    else:
        tones = [light, light * np.float32(rng.uniform(0.9, 1.0)), some_color(rng, (0.2, 0.8), (0.4, 0.9))]
        if game == "letters":
            patches = rng.choice(3, (count, count), p=[0.6, 0.2, 0.2])
            atlas.albedo[spot] = cv2.resize(np.stack(tones)[patches], atlas.albedo[spot].shape[1::-1], interpolation=cv2.INTER_NEAREST)
        grooves(atlas, spot, count, count, float(rng.uniform(0.03, 0.12)), 0.02, float(rng.uniform(0.4, 1.2)))
    return scene, draw(scene, atlas)


def discs(atlas: Atlas, rng: np.random.Generator, count: int, offset: float, radius: float, height: float) -> None:
    """Round men or stones of two colours, on squares (offset a half) or on crossings (offset 0)."""
    colors = [some_color(rng, (0, 0.8), value) for value in ((0.02, 0.3), (0.7, 0.95))]
    for _ in range(count):
        at = [int(rng.integers(0, atlas.size + (offset == 0))) + offset for _ in range(2)]
        mask = np.zeros(atlas.base.shape, np.uint8)
        cv2.circle(mask, (round(atlas.pixels(at[0])), round(atlas.pixels(at[1]))), round(radius * atlas.scale), 1, -1)
        on = mask > 0
        atlas.base[on], atlas.albedo[on], atlas.material[on] = height, colors[int(rng.integers(2))], BOARD
        reach = int(atlas.scale)
        y, x = (round(atlas.pixels(v)) for v in at[::-1])
        atlas.windows.append(np.s_[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach])


def write_others(folder: Path, count: int, seed: int) -> None:
    """`count` pictures named ``other_*``, games by turns, with their count of squares beside."""
    folder.mkdir(parents=True, exist_ok=True)
    for i in range(count):
        game = GAMES[i % len(GAMES)]
        scene, linear = other_board(seed + i, game)
        name = f"other_{i:03d}_{game}"
        save(folder / f"{name}.jpg", photograph(scene, linear, seed + i), scene.sensor.jpeg)
        corners = np.round(scene.pose.corners_px, 2).tolist()
        (folder / f"{name}.other").write_text(json.dumps({"squares": scene.kind.size, "grid_corners_px": corners}))
