"""Things that do not belong on a board: sheets, cups, phones, hands, pieces that lie askew, one upon another or half on the rim."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from calibration.pose import FloatArray

from .arrays import F32, U8, Bgr, blur, cloud, from_hsv
from .atlas import PAPER, Atlas
from .dress import dress, random_hand
from .leftovers import THINGS as SMALL_THINGS
from .leftovers import outline
from .pieces import Spot, lay
from .scene import Loose, Scene, build, draw, random_scene, table_margin
from .shapes import SHAPES, normal, orientations
from .solids import Solid, random_solid
from .stills import FORMATS, Position, conditions, photograph, random_position, save, truth_of

THINGS = (
    "sheet_edge", "sheet_corner", "sheet_inside", "solid_rim", "solid_inside", "small", "hand", "askew", "stacked", "cast_off"
)  # fmt: skip
"""What lies on a board, by turns: sheets over rows at a side, over a corner, within; cups and phones over the rim or within; coins and
dice; a hand; pieces across cells, upon others, and half on the rim."""

PRINTS = ("plain", "plain", "ruled", "text", "woven", "chequered")
"""What is on a sheet: half of the sheets in use are blank or nearly so."""


@dataclass(frozen=True)
class Sheet:
    """Something flat.

    Attributes:
        corners: (n, 2) board points of its outline.
        height: of its top over the board's surface, in cells.
        color: linear BGR.
        print_name: what is on it.
    """

    corners: FloatArray
    height: float
    color: Bgr
    print_name: str


def thing_color(scene: Scene, rng: np.random.Generator) -> Bgr:
    """White, dark, the board's own colour or nearly so, a piece's, or any."""
    palette = list(scene.pieces.palette.values())
    board = tuple(float(v * f) for v, f in zip(scene.board.albedo, np.full(3, rng.uniform(0.7, 1.15)), strict=True))
    choices: list[Bgr] = [
        from_hsv(rng.uniform(0, 180), rng.uniform(0, 0.06), rng.uniform(0.85, 0.97)),
        from_hsv(rng.uniform(0, 180), rng.uniform(0, 0.3), rng.uniform(0.08, 0.35)),
        (board[0], board[1], board[2]),
        palette[rng.integers(len(palette))],
        from_hsv(rng.uniform(0, 180), rng.uniform(0, 0.8), rng.uniform(0.3, 0.95)),
    ]
    return choices[rng.choice(5, p=[0.2, 0.2, 0.25, 0.15, 0.2])]


def random_sheet(scene: Scene, rng: np.random.Generator, where: str, placed: Position) -> Sheet:
    """A sheet over some outer rows, over a corner, or within the board; it lies on pieces where there are any."""
    n = float(scene.kind.size)
    if where == "sheet_edge":
        deep, start, wide = rng.uniform(0.9, 4.5), rng.uniform(-3, 0.7 * n), rng.uniform(5, 22)
        lean = np.tan(rng.normal(0, 0.04))
        flat = np.array([[start, n + 3], [start + wide, n + 3], [start + wide, n - deep - lean * wide], [start, n - deep]])
    elif where == "sheet_corner":
        size, turn = (rng.uniform(4, 10), rng.uniform(4, 10)), rng.uniform(0, np.pi)
        flat = rectangle((n + rng.uniform(-1.5, 1.0), n + rng.uniform(-1.5, 1.0)), size, turn)
    else:
        size = (rng.uniform(2.2, 7), rng.uniform(2.2, 7))
        flat = rectangle((rng.uniform(3, n - 3), rng.uniform(3, n - 3)), size, float(rng.choice([0, rng.uniform(0, np.pi)])))
    turns = int(rng.integers(4))
    for _ in range(turns):
        flat = np.column_stack([n - flat[:, 1], flat[:, 0]])
    under = any(cv2.pointPolygonTest(flat.astype(np.float32), (c + 0.5, r + 0.5), measureDist=True) > -0.5
                for piece in placed.placed for r, c in piece.cells)  # fmt: skip
    thick = float(rng.choice([0.02, rng.uniform(0.03, 0.15)]))
    height = thick + (scene.pieces.height if under else scene.board.lip if where != "sheet_inside" else 0.0)
    return Sheet(flat, height, thing_color(scene, rng), str(rng.choice(PRINTS)))


def rectangle(middle: tuple[float, float], size: tuple[float, float], turn: float) -> FloatArray:
    """(4, 2) corners of a rectangle."""
    c, s = np.cos(turn), np.sin(turn)
    return np.asarray(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size) / 2 @ np.array([[c, s], [-s, c]]) + middle)


def lay_sheet(atlas: Atlas, sheet: Sheet, rng: np.random.Generator) -> None:
    """Lay it over whatever lies there."""
    px = np.array([[atlas.pixels(x), atlas.pixels(y)] for x, y in sheet.corners])
    low = np.maximum(np.floor(px.min(0)).astype(int) - 4, 0)
    high = np.minimum(np.ceil(px.max(0)).astype(int) + 5, atlas.base.shape[0])
    spot = np.s_[low[1] : high[1], low[0] : high[0]]
    cover = np.zeros(atlas.base[spot].shape, np.uint8)
    cv2.fillPoly(cover, [np.round((px - low) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    share, on = (cover / np.float32(255))[..., None], cover > 127
    body = np.array(sheet.color, np.float32) * printed(sheet, on.shape, atlas.scale, rng)[..., None]
    atlas.albedo[spot] += (body - atlas.albedo[spot]) * share
    atlas.base[spot][on], atlas.material[spot][on] = sheet.height, PAPER
    bumps = cloud(rng, on.shape, rng.uniform(1.5, 6) * atlas.scale) * np.float32(rng.choice([0.0, 0.03, 0.08]))
    atlas.relief[spot][on] = bumps[on]
    atlas.sway_x[spot][on], atlas.sway_y[spot][on] = 0, 0
    atlas.windows.append(spot)


def printed(sheet: Sheet, shape: tuple[int, ...], scale: int, rng: np.random.Generator) -> F32:
    """(h, w) factor of what is on a sheet, along its sides."""
    side = sheet.corners[1] - sheet.corners[0]
    side = side / np.linalg.norm(side)
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32) / np.float32(scale)
    along, across = x * side[0] + y * side[1], -x * side[1] + y * side[0]
    tone = 1 + np.float32(rng.uniform(0, 0.03)) * cloud(rng, shape, rng.uniform(1.5, 8)) + 0.02 * cloud(rng, shape, 3 * scale)
    ink = np.float32(rng.uniform(0.3, 0.9))
    if sheet.print_name in ("ruled", "text"):
        period = float(rng.uniform(0.25, 0.75))
        line = (across / period) % 1 < (0.12 if sheet.print_name == "ruled" else 0.5)
        if sheet.print_name == "text":
            line &= cloud(rng, shape, 0.12 * scale) > -0.2
        tone = tone * np.where(line, ink, 1)
    elif sheet.print_name == "woven":
        period = float(rng.uniform(0.05, 0.2))
        tone = tone * (1 + 0.12 * np.sin(2 * np.pi * along / period)) * (1 + 0.12 * np.sin(2 * np.pi * across / period))
    elif sheet.print_name == "chequered":
        period = float(rng.uniform(0.6, 3))
        tone = tone * np.where((along / period % 1 < 0.5) ^ (across / period % 1 < 0.5), ink, 1)
    return blur(np.clip(tone, 0.1, 1.5).astype(np.float32), 0.6)


def standing(scene: Scene, rng: np.random.Generator, where: str, placed: Position) -> Solid:
    """A cup, glass, phone, box or the like that stands over the rim or within the board, often in a piece's colour."""
    n, solid = float(scene.kind.size), random_solid(rng, 0.0)
    while solid.name == "coin" or (where == "solid_inside" and solid.reach > n / 4):
        solid = random_solid(rng, 0.0)
    if solid.name not in ("phone", "remote", "notepad"):
        solid = replace(solid, color=thing_color(scene, rng))
    low, high = (0.15, 0.85) if where == "solid_inside" else (0.05, 0.95)
    at = [float(rng.uniform(low, high)) * n, float(rng.uniform(low, high)) * n]
    if where == "solid_rim":
        over = float(rng.uniform(0.3, 1.1)) * solid.reach + 0.8
        at[int(rng.integers(2))] = float(rng.choice([over - solid.reach, n + solid.reach - over]))
    foot = scene.pieces.height if placed.placed else scene.board.lip
    return replace(solid, at=(at[0], at[1]), foot=foot + 0.01)


def small_thing(scene: Scene, rng: np.random.Generator) -> Solid:
    """A coin, die, token, pawn, pen or the like on the board."""
    n = scene.kind.size
    name, size, is_round = [*SMALL_THINGS, ("coin", (1.2, 1.2, 0.1), True)][rng.integers(len(SMALL_THINGS) + 1)]
    silver = from_hsv(rng.uniform(15, 25), rng.uniform(0, 0.35), rng.uniform(0.45, 0.75))
    color = silver if name == "coin" else thing_color(scene, rng)
    at = (float(rng.uniform(1, n - 1)), float(rng.uniform(1, n - 1)))
    return Solid(name, at, size, float(rng.uniform(0, np.pi)), 0.02, color, color, is_round)


def stray(scene: Scene, rng: np.random.Generator, where: str, placed: Position) -> Loose:
    """A piece that lies across cells, upon others or half on the rim; `up` is its floor's height over the board."""
    n = scene.kind.size
    name = str(rng.choice([name for name in SHAPES if len(SHAPES[name]) > 1]))
    cells = orientations(name)[rng.integers(len(orientations(name)))]
    color = str(rng.choice(list(scene.kind.colors)))
    turn = float(rng.choice([rng.uniform(8, 82), rng.normal(0, 2)], p=[0.75, 0.25]))
    taken = {cell for piece in placed.placed for cell in piece.cells}
    item = Loose(color, name, cells, (0, 0), turn)
    for _ in range(300):
        if where == "cast_off":
            at = [float(rng.uniform(2, n - 2)), float(rng.choice([rng.uniform(-0.8, 0.6), n + rng.uniform(-0.6, 0.8)]))]
            if rng.random() < 0.5:
                at.reverse()
        else:
            at = [float(v) for v in rng.uniform(2, n - 2, 2)]
            if abs(turn) < 7 and max(abs(v * 2 % 1 - 0.5) for v in at) > 0.2:
                continue  # in line with the cells it lies a quarter to three quarters of a cell off
        item = replace(item, at=(at[0], at[1]))
        squares = outline(item)
        on = [cell for cell in taken if any(_touches(square, cell) for square in squares)]
        if where == "stacked" and len(on) >= 3:
            return replace(item, up=scene.pieces.height + 0.01)
        if where == "askew" and not on:
            return item
        if where == "cast_off" and not on:
            return replace(item, up=scene.board.lip)
    return replace(item, up=scene.pieces.height + 0.01)


def _touches(square: FloatArray, cell: tuple[int, int]) -> bool:
    middle = (cell[1] + 0.5, cell[0] + 0.5)
    return cv2.pointPolygonTest(square.astype(np.float32), middle, measureDist=True) > -0.6


def fill_mask(scene: Scene, mask: U8, polygons: list[FloatArray], height: float) -> None:
    """Mark where polygons at a height over the board are seen."""
    t = np.linspace(0, 1, 9)[:-1, None]
    for corners in polygons:
        dense = np.concatenate([a + (b - a) * t for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)])
        px = np.clip(scene.pose.project(dense, height), -4000, 8000)
        cv2.fillPoly(mask, [np.round(px * 16).astype(np.int32)], 255, cv2.LINE_8, 4)


def write_thing(folder: Path, seed: int, name: str, thing: str, kind: str = "classic", image_wh: tuple[int, int] | None = None) -> None:
    """One picture of a board with a thing on it, and its truth: what lies under the thing, and which cells it hides."""
    rng = np.random.default_rng([seed, 71])
    scene = random_scene(seed, kind, image_wh or FORMATS[rng.integers(len(FORMATS))])
    position = replace(random_position(scene, rng, int(rng.choice([rng.integers(1, 16), rng.integers(8, 70)]))), loose=(), paper=())
    atlas = build(scene, list(position.placed), [])
    mask = np.zeros(scene.pose.image_wh[::-1], np.uint8)
    what, solids, hands = thing, [], []
    if thing.startswith("sheet"):
        sheet = random_sheet(scene, rng, thing, position)
        lay_sheet(atlas, sheet, rng)
        fill_mask(scene, mask, [sheet.corners], sheet.height)
        what = sheet.print_name
    elif thing in ("askew", "stacked", "cast_off"):
        item = stray(scene, rng, thing, position)
        lay(atlas, normal(item.cells), item.color, scene.pieces, Spot(item.at, item.turn_deg, item.up), rng)
        reach = np.array([[-4, -4], [4, 4]]) + np.array(item.at)
        (x0, y0), (x1, y1) = np.clip([[atlas.pixels(v) for v in point] for point in reach], 0, atlas.base.shape[0]).astype(int).tolist()
        atlas.windows.append(np.s_[y0:y1, x0:x1])
        fill_mask(scene, mask, outline(item), item.up + scene.pieces.height)
    elif thing == "hand":
        hands = [random_hand(scene, rng)]
    else:
        solids = [small_thing(scene, rng) if thing == "small" else standing(scene, rng, thing, position)]
        what = solids[0].name
    linear = draw(scene, atlas)
    painted = dress(scene, linear, rng, solids, hands)
    grain = 1 + np.float32(rng.uniform(0.01, 0.05)) * cloud(rng, painted.shape, rng.uniform(2, 12))
    linear *= np.where(painted > 127, grain, 1).astype(np.float32)[..., None]
    np.maximum(mask, painted, out=mask)
    save(folder / f"{name}.jpg", photograph(scene, linear, seed), scene.sensor.jpeg)
    truth = truth_of(scene, position, f"{name}.jpg", mask)
    truth["conditions"] = conditions(scene) | {"thing": thing, "what": what, "margin": table_margin(scene)}
    (folder / f"{name}.json").write_text(json.dumps(truth))


def write_things(folder: Path, count: int, seed: int, kind: str | None = None) -> None:
    """`count` pictures, with each thing by turns; without a kind, one in eight is a 14x14 board."""
    folder.mkdir(parents=True, exist_ok=True)
    for i in range(count):
        write_thing(folder, seed + i, f"{i:03d}", THINGS[i % len(THINGS)], kind or ("duo" if i % 8 == 7 else "classic"))
