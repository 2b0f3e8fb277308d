"""Single pictures of positions, with their truth in the form of the shared pictures."""

from __future__ import annotations

import json
import struct
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.pose import FloatArray, GridPose

from .arrays import F32, U8
from .dress import dress, random_hand, thing_on_board, things_around
from .leftovers import STYLES, arrange, colored_things, outline
from .scene import Loose, Scene, build, draw, random_scene, scatter, table_margin
from .sensor import develop, metered
from .shapes import KINDS, Cells, Placed, Player, grid_of

FORMATS = ((1280, 960), (1280, 960), (1280, 960), (1600, 1200), (1280, 720), (960, 1280))


@dataclass(frozen=True)
class Position:
    """A game as it stands: the player's state, pieces beside the board, cells covered by paper stand-ins."""

    placed: tuple[Placed, ...]
    loose: tuple[Loose, ...]
    paper: tuple[Cells, ...]
    next_color: str


def random_position(scene: Scene, rng: np.random.Generator, count: int | None = None) -> Position:
    """A legal position of 0 to 80 pieces whose colours start from any corner, perhaps with a paper stand-in."""
    kind = scene.kind
    starts = list(kind.starts)
    if rng.random() < 0.7:
        rng.shuffle(starts)
    if kind.size == 14 and rng.random() < 0.5:
        starts = [(r, 13 - c) for r, c in starts]
    player = Player(kind, rng, starts)
    most = 80 if kind.size == 20 else 42
    if count is None:
        bounds = ((0, 1), (1, 9), (9, most), (most, most + 1))[rng.choice(4, p=[0.04, 0.08, 0.43, 0.45])]
        count = int(rng.integers(*bounds))
    player.play(count)
    share = float(rng.choice([0.0, rng.uniform(0.3, 1.0), 1.0], p=[0.25, 0.35, 0.4]))
    loose = scatter(scene, player.hands, rng, share)
    paper = tuple(p.cells for p in player.placed if rng.random() < 0.02)[:1]
    return Position(tuple(player.placed), tuple(loose), paper, kind.colors[len(player.placed) % len(kind.colors)])


def camera_json(pose: GridPose) -> dict[str, object]:
    """The camera in OpenCV's terms, lengths in cells."""
    return {
        "K": pose.camera_matrix.tolist(),
        "dist_k1_k2_p1_p2_k3": [pose.k1, 0, 0, 0, 0],
        "rvec": [float(v) for v in pose.rvec],
        "tvec_cells": [float(v) for v in pose.tvec],
        "tilt_deg": pose.tilt_deg,
    }


def hidden_cells(pose: GridPose, board: list[str], height: float, mask: U8 | None) -> list[list[float]]:
    """``[row, col, share]`` of the cells that a hand or thing hides, looked up where each one's top appears."""
    if mask is None or not mask.any():
        return []
    n = pose.size
    at = (np.arange(5) + 0.5) / 5
    rows, cols = np.mgrid[0:n, 0:n]
    spots = np.stack(np.broadcast_arrays(cols[..., None, None] + at, rows[..., None, None] + at[:, None]), -1)
    tall = np.array([[height if board[r][c] != "." else 0.0 for c in range(n)] for r in range(n)])
    points = pose.project(spots, np.broadcast_to(tall[..., None, None], spots.shape[:-1]))
    x = np.clip(points[..., 0].round().astype(int), 0, mask.shape[1] - 1)
    y = np.clip(points[..., 1].round().astype(int), 0, mask.shape[0] - 1)
    share = (mask[y, x] > 127).mean((2, 3))
    return [[int(r), int(c), round(float(share[r, c]), 2)] for r, c in zip(*np.nonzero(share), strict=True)]


def conditions(scene: Scene) -> dict[str, object]:
    """What to tell figures apart by."""
    return {
        "seed": scene.seed,
        "game": scene.kind.name,
        "tilt_deg": scene.pose.tilt_deg,
        "azimuth_deg": scene.view.azimuth_deg,
        "roll_deg": scene.view.roll_deg,
        "hfov_deg": scene.view.hfov_deg,
        "k1": scene.view.k1,
        "size": list(scene.pose.image_wh),
        "cell_px_min": float(scene.pose.cell_sizes_px().min()),
        "lighting": scene.light.name,
        "color_temp_k": scene.light.kelvin,
        "table": scene.table.name,
        "board_color": scene.board.color,
        "board_design": scene.board.design,
        "line": scene.board.line,
        "line_depth": scene.board.line_depth,
        "line_tone": scene.board.line_tone,
        "piece_style": scene.pieces.relief,
        "piece_finish": "opaque" if scene.pieces.clear == 0 else "semi" if scene.pieces.clear < 0.35 else "translucent",
        "piece_rough": scene.pieces.rough,
        "piece_height_cells": scene.pieces.height,
        "jitter_cells": scene.pieces.jitter,
        "sensor": asdict(scene.sensor),
    }


def loose_json(scene: Scene, loose: tuple[Loose, ...], mask: U8 | None = None) -> list[dict[str, object]]:
    """The pieces beside the board: outline on the table in px, and whether it is wholly in sight and touches no other.

    Args:
        scene: that they lie in.
        loose: the pieces.
        mask: (h, w) of what hides them.
    """
    w, h = scene.pose.image_wh
    out = []
    for item in loose:
        squares = np.array(outline(item))
        turn = np.radians(-item.turn_deg)
        spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        half = np.array([max(c[i] for c in item.cells) + 1 for i in (1, 0)]) / 2
        box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ spin + item.at
        top = scene.pieces.height - scene.board.slab + item.up
        px, box_px = scene.pose.project(squares, top), scene.pose.project(box, top)
        in_picture = bool(((px > 2) & (px < [w - 3, h - 3])).all())
        drawn = bool((np.abs(squares - scene.kind.size / 2) < scene.kind.size / 2 + table_margin(scene)).all())
        hidden = hidden_share(px, mask)
        out.append(
            {
                "color": item.color,
                "piece": item.piece,
                "squares": len(item.cells),
                "box_px": np.round(box_px, 1).tolist(),
                "whole": in_picture and drawn and hidden < 0.01 and not item.touching,
                "in_picture": in_picture and drawn,
                "hidden": round(hidden, 2),
                "touching": item.touching,
            }
        )
    return out


def hidden_share(squares_px: FloatArray, mask: U8 | None) -> float:
    """Share of polygons (n, 4, 2) that a mask (h, w) hides."""
    if mask is None:
        return 0.0
    ground = np.zeros_like(mask)
    for square in squares_px:
        cv2.fillConvexPoly(ground, np.round(square).astype(np.int32), 1)
    return float((mask[ground > 0] > 127).mean()) if ground.any() else 0.0


def truth_of(scene: Scene, position: Position, name: str, mask: U8 | None = None) -> dict[str, object]:
    """The truth of a still in the shared schema; paper stand-ins are ``?``."""
    size = scene.kind.size
    board = grid_of(size, position.placed)
    rows = [list(r) for r in board]
    for cells in position.paper:
        for r, c in cells:
            rows[r][c] = "?"
    low, high = -scene.board.rim, size + scene.board.rim
    outer = scene.pose.project(np.array([[low, low], [high, low], [high, high], [low, high]]))
    hidden = hidden_cells(scene.pose, board, scene.pieces.height, mask)
    return {
        "image": name,
        "width": scene.pose.image_wh[0],
        "height": scene.pose.image_wh[1],
        "variant": scene.kind.name,
        "board": ["".join(r) for r in rows],
        "placements": [p.as_json() for p in position.placed],
        "turns_played": len(position.placed),
        "next_player": position.next_color,
        "legal": True,
        "grid_corners_px": np.round(scene.pose.corners_px, 2).tolist(),
        "board_outer_corners_px_approx": np.round(outer, 1).tolist(),
        "camera": camera_json(scene.pose),
        "occluded": bool(hidden),
        "cell_occlusion": hidden,
        "loose": loose_json(scene, position.loose, mask),
        "conditions": conditions(scene),
    }


TURNS = {1: 0, 6: 1, 3: 2, 8: 3}
"""EXIF orientations, and the quarter turns clockwise that show a picture upright."""


def save(path: Path, picture: U8, quality: int, orientation: int = 1) -> None:
    """Write a JPEG; with another EXIF orientation than 1 its pixels are stored turned and the tag says so."""
    stored = np.ascontiguousarray(np.rot90(picture, TURNS[orientation]))
    _, data = cv2.imencode(".jpg", stored, [cv2.IMWRITE_JPEG_QUALITY, quality])
    content = data.tobytes()
    if orientation != 1:
        entry = struct.pack(">HHHIHHI", 1, 0x0112, 3, 1, orientation, 0, 0)
        body = b"Exif\0\0MM\0*\0\0\0\x08" + entry
        content = content[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + content[2:]
    path.write_bytes(content)


def photograph(scene: Scene, linear: F32, seed: int) -> U8:
    """Develop a scene's linear picture with its own sensor."""
    return develop(linear, metered(linear, scene.sensor), np.random.default_rng([seed, 51]))


def write_still(folder: Path, seed: int, name: str, kind: str, image_wh: tuple[int, int] | None = None) -> None:
    """One picture with its truth; its size is drawn from the seed unless it is given."""
    rng = np.random.default_rng([seed, 1])
    drawn = FORMATS[rng.integers(len(FORMATS))]
    scene = random_scene(seed, kind, image_wh or drawn)
    position = random_position(scene, rng)
    linear = draw(scene, build(scene, list(position.placed), list(position.loose), position.paper))
    solids = things_around(scene, rng, int(rng.integers(1, 4))) if rng.random() < 0.45 else []
    if rng.random() < 0.05:
        solids.append(thing_on_board(scene, rng))
    hands = [random_hand(scene, rng)] if rng.random() < 0.12 else []
    mask = dress(scene, linear, rng, solids, hands)
    orientation = int(rng.choice(list(TURNS), p=[0.91, 0.03, 0.03, 0.03]))
    save(folder / f"{name}.jpg", photograph(scene, linear, seed), scene.sensor.jpeg, orientation)
    truth = truth_of(scene, position, f"{name}.jpg", mask)
    truth["conditions"] = conditions(scene) | {
        "props": [s.name for s in solids],
        "hand": bool(hands),
        "exif": orientation,
        "leftovers": bool(position.loose),
    }
    (folder / f"{name}.json").write_text(json.dumps(truth))


def write_table(folder: Path, seed: int, name: str, kind: str, image_wh: tuple[int, int] | None = None) -> None:
    """One picture whose leftovers are the matter: as people leave them, or whole sets beside an empty board, among coloured things."""
    rng = np.random.default_rng([seed, 3])
    scene = random_scene(seed, kind, image_wh or FORMATS[rng.integers(len(FORMATS))])
    count = int(rng.choice(np.array([0, rng.integers(4, 20), rng.integers(20, 90)]), p=[0.2, 0.25, 0.55]))
    played = random_position(scene, rng, count)
    hands = {color: _left(scene, played, color, rng) for color in scene.kind.colors}
    styles = {color: str(rng.choice(STYLES, p=[0.55, 0.15, 0.2, 0.1])) for color in hands}
    loose = arrange(scene, hands, rng, styles)
    position = Position(played.placed, tuple(loose), (), played.next_color)
    linear = draw(scene, build(scene, list(position.placed), loose))
    solids = colored_things(scene, loose, rng, int(rng.integers(0, 5))) + things_around(scene, rng, int(rng.integers(0, 2)))
    hands_over = [random_hand(scene, rng)] if rng.random() < 0.1 else []
    mask = dress(scene, linear, rng, solids, hands_over)
    save(folder / f"{name}.jpg", photograph(scene, linear, seed), scene.sensor.jpeg)
    truth = truth_of(scene, position, f"{name}.jpg", mask)
    truth["conditions"] = conditions(scene) | {
        "props": [s.name for s in solids],
        "hand": bool(hands_over),
        "styles": styles,
        "leftovers": True,
    }
    (folder / f"{name}.json").write_text(json.dumps(truth))


def _left(scene: Scene, played: Position, color: str, rng: np.random.Generator) -> list[str]:
    """What a colour has left; from some sets one piece is lost."""
    left = list((Counter(scene.kind.pieces) - Counter(p.piece for p in played.placed if p.color == color and p.piece)).elements())
    if left and rng.random() < 0.3:
        left.pop(int(rng.integers(len(left))))
    return left


def write_tables(folder: Path, count: int, seed: int, kind: str | None = None) -> None:
    """`count` pictures of leftovers; without a kind, one in eight is a 14x14 board."""
    folder.mkdir(parents=True, exist_ok=True)
    for i in range(count):
        write_table(folder, seed + i, f"{i:03d}", kind or ("duo" if i % 16 == 7 else "junior" if i % 16 == 15 else "classic"))


def write_stills(folder: Path, count: int, seed: int, kind: str | None = None) -> None:
    """`count` stills; without a kind, one in eight is a 14x14 board."""
    folder.mkdir(parents=True, exist_ok=True)
    for i in range(count):
        pick = kind or ("duo" if i % 16 == 7 else "junior" if i % 16 == 15 else "classic")
        assert pick in KINDS
        write_still(folder, seed + i, f"{i:03d}", pick)
