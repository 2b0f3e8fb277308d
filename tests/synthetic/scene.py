"""One scene: a kind of game on a board on a table under a light, seen by a camera; and its drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.pose import GridPose

from .arrays import F32
from .atlas import Atlas, draw_board, empty_atlas
from .camera import View, look
from .light import Light, random_light
from .looks import BoardLook, PieceLook, board_look, piece_look
from .pieces import Spot, lay
from .render import backdrop, render
from .sensor import Sensor, random_sensor
from .shading import shade
from .shapes import KINDS, SHAPES, Cells, Kind, Placed, normal, orientations
from .tables import Table, random_table


@dataclass(frozen=True)
class Loose:
    """A piece lying beside the board: its middle (col, row) and turn.

    `up` is how far it lies above the table, in cells; `upside` shows its smooth underside; `touching` pieces lie against others.
    """

    color: str
    piece: str
    cells: Cells
    at: tuple[float, float]
    turn_deg: float
    up: float = 0.0
    upside: bool = False
    touching: bool = False


@dataclass(frozen=True)
class Scene:
    """Everything that stays the same while a game is played."""

    seed: int
    kind: Kind
    board: BoardLook
    pieces: PieceLook
    table: Table
    light: Light
    pose: GridPose
    view: View
    sensor: Sensor
    supersample: float


def random_view(rng: np.random.Generator, tilt: float | None = None) -> View:
    """A camera from 0 to 60 degrees off the vertical, from any side."""
    if tilt is None:
        tilt = float(rng.choice([rng.uniform(0, 12), rng.uniform(12, 45), rng.uniform(45, 60)], p=[0.35, 0.4, 0.25]))
    azimuth = float(rng.choice([90 * rng.integers(0, 4) + rng.normal(0, 8), rng.uniform(0, 360)], p=[0.75, 0.25]))
    k1 = float(rng.choice([0.0, rng.uniform(-0.06, 0.04), rng.uniform(-0.2, 0.2)], p=[0.15, 0.55, 0.3]))
    tight = 0.97 if abs(k1) < 0.1 else 0.9
    return View(
        tilt, azimuth, float(rng.normal(0, 3)), float(rng.uniform(55, 80)), k1, float(rng.uniform(0.62, tight)),
        (float(rng.uniform(-0.8, 0.8)), float(rng.uniform(-0.8, 0.8))),
    )  # fmt: skip


def least_cell_px(tilt_deg: float) -> float:
    """The smallest cell that a reader must manage: 12 px to 45 degrees, 16 px at 60."""
    return 12.0 + 4.0 * float(np.clip((tilt_deg - 45) / 15, 0, 1))


def whole(pose: GridPose, rim: float) -> bool:
    """Whether the board, rim included, lies in the picture."""
    low, high = -rim, pose.size + rim
    outer = pose.project(np.array([[low, low], [high, low], [high, high], [low, high]]))
    return bool(((outer > 1) & (outer < np.array(pose.image_wh) - 2)).all())


def fitted(view: View, size: int, image_wh: tuple[int, int], rim: float) -> tuple[View, GridPose]:
    """The view nearest to one asked for that has the whole board in the picture, with cells that a reader must manage; and its pose."""
    pose = look(view, size, image_wh, rim)
    for _ in range(60):
        small, cut = float(pose.cell_sizes_px().min()) < least_cell_px(pose.tilt_deg) + 0.5, not whole(pose, rim)
        if not small and not cut and pose.tilt_deg < 60.5:
            break
        view = replace(
            view,
            fill=min(0.96, view.fill * (0.97 if cut else 1.04 if small else 1)),
            tilt_deg=view.tilt_deg * 0.985,
            hfov_deg=max(55, view.hfov_deg * 0.98),
            shift=(view.shift[0] * 0.9, view.shift[1] * 0.9),
        )
        pose = look(view, size, image_wh, rim)
    return view, pose


def random_scene(
    seed: int,
    kind: str = "classic",
    image_wh: tuple[int, int] = (1280, 960),
    *,
    tilt: float | None = None,
    board: str | None = None,
    light: str | None = None,
    table: str | None = None,
) -> Scene:
    """The scene of a seed; the keywords fix what the seed would choose."""
    rng = np.random.default_rng([seed, 11])
    game = KINDS[kind]
    plate, pieces = board_look(rng, board), piece_look(rng, kind)
    view, pose = fitted(random_view(rng, tilt), game.size, image_wh, plate.rim)
    room = random_light(rng, game.size, pose.camera_position, light)
    return Scene(
        seed, game, plate, pieces, random_table(rng, game.size, plate.albedo, table), room, pose, view,
        random_sensor(rng, room.whole()), 1.5 if max(image_wh) <= 1300 else 1.25,
    )  # fmt: skip


def table_margin(scene: Scene) -> float:
    """Cells of table around the grid that need heights: what the camera sees, at most 9."""
    w, h = scene.pose.image_wh
    border = np.array([[x, y] for x in (0, w / 2, w) for y in (0, h / 2, h) if (x, y) != (w / 2, h / 2)], float)
    reach = 0.0
    for point in border:
        at = scene.pose.unproject(point)
        seen = np.abs(scene.pose.project(at) - point).max() < 2 and np.isfinite(at).all()
        reach = max(reach, float(np.max(np.abs(at - scene.kind.size / 2))) - scene.kind.size / 2 if seen else 9.0)
    return float(np.clip(np.ceil(reach), 2, 9))


def scatter(scene: Scene, hands: dict[str, list[str]], rng: np.random.Generator, share: float = 1.0) -> list[Loose]:
    """Pieces left over, lying around the board by colour: near its side, any turn, not touching each other."""
    found: list[Loose] = []
    size, half = scene.kind.size, scene.kind.size / 2
    margin = table_margin(scene)
    taken: list[tuple[float, float, float]] = []
    for side, (color, names) in enumerate(hands.items()):
        angle = np.pi / 2 * (side + rng.integers(0, 4))
        for name in names:
            if rng.random() > share:
                continue
            shape = orientations(name)[rng.integers(len(orientations(name)))]
            radius = float(np.hypot(max(r for r, _ in shape) + 2, max(c for _, c in shape) + 2)) / 2
            for _ in range(8):
                out = half + scene.board.rim + radius + abs(rng.normal(0, 0.3 * margin))
                across = rng.uniform(-half * 1.05, half * 1.05)
                x = half + out * np.cos(angle) - across * np.sin(angle)
                y = half + out * np.sin(angle) + across * np.cos(angle)
                low, high = -margin + radius, size + margin - radius
                if not (low < x < high and low < y < high) or any(np.hypot(x - a, y - b) < radius + r for a, b, r in taken):
                    continue
                taken.append((x, y, radius))
                found.append(Loose(color, name, shape, (float(x), float(y)), float(rng.uniform(0, 360))))
                break
    return found


def lay_placed(scene: Scene, atlas: Atlas, placed: Sequence[Placed], paper: tuple[Cells, ...] = ()) -> None:
    """Lay a position's pieces. Each one's carelessness follows from its cells, so that it lies still over a game."""
    for piece in placed:
        rng = np.random.default_rng([scene.seed, 31, *(r * 20 + c for r, c in piece.cells)])
        rows, cols = zip(*piece.cells, strict=True)
        at = np.array([(min(cols) + max(cols) + 1) / 2, (min(rows) + max(rows) + 1) / 2]) + rng.normal(0, scene.pieces.jitter, 2)
        turn = float(rng.normal(0, scene.pieces.turn_deg)) / max(1.0, len(piece.cells) / 2)
        spot = Spot((float(at[0]), float(at[1])), turn, 0.0)
        lay(atlas, piece.cells, piece.color, scene.pieces, spot, rng, paper=piece.cells in paper)


def build(scene: Scene, placed: Sequence[Placed], loose: Sequence[Loose], paper: tuple[Cells, ...] = ()) -> Atlas:
    """The atlas of a position."""
    cell = float(scene.pose.cell_sizes_px().max())
    scale = int(np.clip(round(cell), 22, 38))
    atlas = empty_atlas(scene.kind.size, scale, table_margin(scene), -scene.board.slab)
    draw_board(atlas, scene.board, np.random.default_rng([scene.seed, 21]))
    lay_placed(scene, atlas, placed, paper)
    for item in loose:
        rng = np.random.default_rng([scene.seed, 41, int(item.at[0] * 100) % 100000 + 5000])
        seen = replace(scene.pieces, relief="flat") if item.upside else scene.pieces
        lay(atlas, item.cells, item.color, seen, Spot(item.at, item.turn_deg, item.up - scene.board.slab), rng)
    return atlas


def bare(scene: Scene, pose: GridPose | None = None) -> F32:
    """(h, w, 3) linear BGR picture of the scene's table alone."""
    return backdrop(scene.table, -scene.board.slab, scene.light, pose or scene.pose)


def draw(scene: Scene, atlas: Atlas, pose: GridPose | None = None, under: F32 | None = None) -> F32:
    """(h, w, 3) linear BGR picture of an atlas of the scene, perhaps from a nudged pose, over its table's picture."""
    pose = pose or scene.pose
    shaded = shade(atlas, scene.board, scene.pieces, scene.light, pose)
    return render(atlas, shaded, bare(scene, pose) if under is None else under, pose, scene.supersample)


__all__ = ["SHAPES", "Loose", "Scene", "build", "draw", "normal", "random_scene", "scatter"]
