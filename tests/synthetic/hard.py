"""Pictures in which the place of the grid is hard to tell: steep, faint, bent, small, dark, tables like boards, pieces along the rim."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from .arrays import blur, from_hsv
from .camera import View
from .dress import dress, random_hand, things_around
from .light import random_light
from .scene import Loose, Scene, build, draw, fitted, random_scene, table_margin
from .sensor import random_sensor
from .shapes import Player, orientations
from .stills import FORMATS, conditions, photograph, random_position, save, truth_of
from .tables import TILE, Table, random_table

WAYS = ("steep", "faint", "bent", "small", "tiled", "against", "dark")
"""What is hard about a picture, by turns; most are steep as well."""

PALE = ("white", "off_white", "light_grey", "beige")


def hard_scene(seed: int, way: str, kind: str = "classic", image_wh: tuple[int, int] = (1280, 960)) -> Scene:
    """A scene that is hard in one way."""
    rng = np.random.default_rng([seed, 61])
    pale = str(rng.choice(PALE)) if way in ("steep", "faint", "tiled") or rng.random() < 0.5 else None
    scene = random_scene(seed, kind, image_wh, board=pale)
    board, size = scene.board, scene.kind.size
    if way in ("steep", "faint"):
        depth = 0.012 + float(rng.uniform(0, 0.02 if way == "faint" else 0.05))
        board = replace(board, line_depth=depth, line_tone=float(rng.uniform(0.93, 1.0)))
    tilt = float(rng.uniform(45, 60) if way in ("steep", "tiled") or rng.random() < 0.6 else rng.uniform(0, 45))
    bend = float(rng.choice([-1, 1]) * rng.uniform(0.12, 0.2)) if way == "bent" else scene.view.k1
    fill = 0.3 if way == "small" else float(rng.uniform(0.6, 0.9))
    asked = View(tilt, scene.view.azimuth_deg, scene.view.roll_deg, scene.view.hfov_deg, bend, fill, scene.view.shift)
    view, pose = fitted(asked, size, image_wh, board.rim)
    if way == "tiled":
        table = tiled_table(rng, size, scene.table)
    elif way in ("steep", "faint"):
        table = random_table(rng, size, board.albedo, str(rng.choice(["board", "white", "plain", "cloth"])))
    else:
        table = scene.table
    light = random_light(rng, size, pose.camera_position)
    sensor = random_sensor(rng, light.whole())
    if way == "dark":
        sensor = replace(sensor, exposure=float(rng.uniform(-3.2, -1.8)), shot=float(rng.uniform(0.004, 0.012)))
    return replace(scene, board=board, view=view, pose=pose, table=table, light=light, sensor=sensor)


def tiled_table(rng: np.random.Generator, size: int, under: Table) -> Table:
    """A table of tiles or chequered cloth, half of them as large as the board's cells and along its sides."""
    count = int(rng.integers(8, 24))
    period = 1.0 if rng.random() < 0.5 else float(rng.uniform(0.6, 4))
    one, other, line = (np.array(from_hsv(rng.uniform(0, 180), rng.uniform(0, 0.5), rng.uniform(0.3, 0.95)), np.float32) for _ in range(3))
    at = np.arange(TILE) * count / TILE
    chequered = ((at.astype(int)[:, None] + at.astype(int)) % 2 * float(rng.choice([0.0, 1.0])))[..., None]
    edge = np.abs((at + 0.5) % 1 - 0.5)
    lines = (np.minimum(edge[:, None], edge) < rng.uniform(0.02, 0.08))[..., None] * float(rng.choice([0.0, 1.0, 1.0]))
    texture = one + (other - one) * np.float32(chequered)
    texture = texture + (line - texture) * np.float32(lines)
    return replace(under, name="tiled", texture=blur(texture.astype(np.float32), 1.0), span=float(count * period), size=size)


def along_the_rim(scene: Scene, hands: dict[str, list[str]], rng: np.random.Generator) -> list[Loose]:
    """Leftovers laid against the board, along its sides, in line with its cells or not."""
    size = scene.kind.size
    found: list[Loose] = []
    for side, (color, names) in enumerate(list(hands.items()) * (4 // len(hands))):
        along, gap = float(rng.uniform(-0.5, 4)), float(rng.choice([0.02, rng.uniform(0, 0.8)]))
        for name in names:
            turns = orientations(name)
            shape = turns[rng.integers(len(turns))]
            deep, wide = (max(c[i] for c in shape) + 1 for i in (0, 1))
            if along + wide > size + 1 or scene.board.rim + gap + deep > table_margin(scene) - 0.5:
                break
            out, across = size / 2 + scene.board.rim + gap + deep / 2, along + wide / 2 - size / 2
            x, y = [(across, out), (-out, across), (-across, -out), (out, -across)][side]
            found.append(Loose(color, name, shape, (size / 2 + x, size / 2 + y), 90.0 * side + float(rng.normal(0, 1)), touching=True))
            along += wide + float(rng.choice([0.05, rng.uniform(0, 3)]))
    return found


def write_hard_still(folder: Path, seed: int, name: str, way: str, kind: str = "classic", image_wh: tuple[int, int] | None = None) -> None:
    """One picture with its truth; its size is drawn from the seed unless it is given."""
    rng = np.random.default_rng([seed, 62])
    scene = hard_scene(seed, way, kind, image_wh or FORMATS[rng.integers(len(FORMATS))])
    position = random_position(scene, rng)
    if way == "against":
        player = Player(scene.kind, rng)
        player.play(int(rng.integers(0, 40)))
        hands = {c: [str(n) for n in rng.permutation(names)] for c, names in player.hands.items()}
        position = replace(position, placed=tuple(player.placed), loose=tuple(along_the_rim(scene, hands, rng)), paper=())
    linear = draw(scene, build(scene, list(position.placed), list(position.loose), position.paper))
    solids = things_around(scene, rng, 2) if rng.random() < 0.3 else []
    hands_over = [random_hand(scene, rng)] if rng.random() < 0.06 else []
    mask = dress(scene, linear, rng, solids, hands_over)
    save(folder / f"{name}.jpg", photograph(scene, linear, seed), scene.sensor.jpeg)
    truth = truth_of(scene, position, f"{name}.jpg", mask)
    props = {"props": [s.name for s in solids], "hand": bool(hands_over), "leftovers": bool(position.loose), "way": way}
    truth["conditions"] = conditions(scene) | props
    (folder / f"{name}.json").write_text(json.dumps(truth))


def write_hard_stills(folder: Path, count: int, seed: int, kind: str | None = None) -> None:
    """`count` pictures, hard in each way by turns; without a kind, one in eight is a 14x14 board."""
    folder.mkdir(parents=True, exist_ok=True)
    for i in range(count):
        write_hard_still(folder, seed + i, f"{i:03d}", WAYS[i % len(WAYS)], kind or ("duo" if i % 8 == 7 else "classic"))
