"""Whole games as folders of pictures: settled looks and looks with a hand in, with their truth."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from calibration.pose import FloatArray, GridPose

from .arrays import F32, U8
from .dress import dress, reach_angle, things_around
from .hand import Hand, random_person
from .scene import Loose, Scene, bare, build, draw, random_scene, scatter
from .script import FOULS, Step, write_script
from .sensor import Sensor, develop, metered
from .shapes import Placed, Player, grid_of
from .solids import Solid
from .stills import camera_json, conditions, hidden_cells, save


@dataclass(frozen=True)
class Game:
    """A scene, what lay on the board at first, and what happens."""

    scene: Scene
    initial: tuple[Placed, ...]
    first: str
    steps: tuple[Step, ...]
    loose: tuple[Loose, ...]
    solids: tuple[Solid, ...]
    sensor: Sensor
    under: F32

    def board(self, step: int | None) -> tuple[Placed, ...]:
        """The pieces on the board after a step (None: before the first)."""
        return self.initial if step is None or step < 0 else self.steps[step].after

    def beside(self, placed: tuple[Placed, ...]) -> list[Loose]:
        """The loose pieces that are not on the board."""
        played = [(p.color, p.piece) for p in placed]
        out = []
        for item in self.loose:
            if (item.color, item.piece) in played:
                played.remove((item.color, item.piece))
            else:
                out.append(item)
        return out

    def picture(self, placed: tuple[Placed, ...], pose: GridPose | None = None) -> F32:
        """(h, w, 3) linear picture of a position without hands."""
        scene = replace(self.scene, pose=pose) if pose else self.scene
        linear = draw(scene, build(self.scene, list(placed), self.beside(placed)), pose, self.under if pose is None else None)
        dress(scene, linear, np.random.default_rng(scene.seed), list(self.solids), [])
        return linear


def random_game(seed: int, moves: int = 12, fouls: int = 3, start: int = 0, image_wh: tuple[int, int] = (1280, 960)) -> Game:
    """A classic game from the seed, perhaps begun with `start` pieces on the board."""
    rng = np.random.default_rng([seed, 3])
    scene = random_scene(seed + 900_000, "classic", image_wh, tilt=float(rng.uniform(2, 58)))
    player = Player(scene.kind, rng)
    loose = scatter(scene, player.hands, rng, 1.0 if rng.random() < 0.7 else 0.0)
    player.play(start)
    player.rng = rng
    initial = tuple(player.placed)
    chosen = tuple(str(f) for f in rng.permutation(FOULS if start == 0 else FOULS[:-1])[:fouls])
    steps = write_script(player, rng, moves, chosen)
    solids = things_around(scene, rng, int(rng.integers(0, 3)))
    game = Game(scene, initial, steps[0].expected, tuple(steps), tuple(loose), tuple(solids), scene.sensor, bare(scene))
    return replace(game, sensor=metered(game.picture(initial), scene.sensor))


def nudged(pose: GridPose, rng: np.random.Generator) -> GridPose:
    """The camera after a bump: up to about a quarter of a cell and a degree."""
    turn, _ = cv2.Rodrigues(rng.normal(0, 0.008, 3))
    rotation = np.asarray(turn @ pose.rotation)
    rvec: FloatArray = np.asarray(cv2.Rodrigues(rotation)[0].reshape(3), np.float64)
    return replace(pose, rvec=rvec, tvec=turn @ pose.tvec + rng.normal(0, 0.15, 3))


def player_hand(game: Game, step: Step, tip: tuple[float, float, float], carrying: Placed | None) -> Hand:
    """The hand of the player whose colour acts, always the same person for a colour."""
    acts = (*step.added, *step.removed)[0]
    seat = game.scene.kind.colors.index(acts.color)
    person = np.random.default_rng([game.scene.seed, 61, seat])
    skin, sleeve, bare, left = random_person(person)
    angle = reach_angle(person, (2, 3, 0, 1)[seat]) + 0.8
    color = game.scene.pieces.palette[carrying.color] if carrying else (0.0, 0.0, 0.0)
    return Hand(tip, angle, 0.1, left, skin, sleeve, bare, carrying.cells if carrying else (), color, 0.0)


def middle_of(piece: Placed) -> tuple[float, float]:
    """(col, row) of a piece's middle."""
    rows, cols = zip(*piece.cells, strict=True)
    return (min(cols) + max(cols) + 1) / 2, (min(rows) + max(rows) + 1) / 2


def frame_json(
    game: Game, index: int, step: int | None, phase: str, placed: tuple[Placed, ...], gain: float, pose: GridPose, mask: U8
) -> dict[str, object]:
    """One frame's truth in the shared schema."""
    board = grid_of(game.scene.kind.size, placed)
    hidden = hidden_cells(pose, board, game.scene.pieces.height, mask)
    return {
        "file": f"frames/{index:04d}.jpg",
        "index": index,
        "phase": phase,
        "step": step,
        "settled": phase == "settled",
        "board": board,
        "pieces_on_board": len(placed),
        "occluded": bool(hidden),
        "cell_occlusion": hidden,
        "light_scale": gain,
        "grid_corners_px": np.round(pose.corners_px, 2).tolist(),
        "camera": camera_json(pose),
    }


def truth_json(game: Game, frames: list[dict[str, object]], bump: int | None) -> dict[str, object]:
    """A game's truth in the shared schema."""
    size = game.scene.kind.size
    return {
        "seed": game.scene.seed,
        "width": game.scene.pose.image_wh[0],
        "height": game.scene.pose.image_wh[1],
        "initial_board": grid_of(size, game.initial),
        "initial_placements": [p.as_json() for p in game.initial],
        "initial_next_player": game.first,
        "steps": [s.as_json(i, size) for i, s in enumerate(game.steps)],
        "frames": frames,
        "camera_bump_before_step": bump,
        "conditions": conditions(game.scene),
    }


def write_game(folder: Path, seed: int, moves: int = 12, fouls: int = 3, start: int = 0, image_wh: tuple[int, int] = (1280, 960)) -> None:
    """A game's folder: frames/NNNN.jpg and truth.json."""
    (folder / "frames").mkdir(parents=True, exist_ok=True)
    game = random_game(seed, moves, fouls, start, image_wh)
    rng = np.random.default_rng([seed, 4])
    pose, gain, tint = game.scene.pose, 1.0, np.ones(3)
    bump = int(rng.integers(2, len(game.steps))) if rng.random() < 0.5 else None
    frames: list[dict[str, object]] = []

    def shoot(step: int | None, phase: str, placed: tuple[Placed, ...], hands: list[Hand], linear: F32) -> None:
        seen = linear.copy()
        mask = dress(replace(game.scene, pose=pose), seen, np.random.default_rng([seed, len(frames)]), [], hands)
        seen *= (tint * gain).astype(np.float32)
        image = develop(seen, game.sensor, np.random.default_rng([seed, 5, len(frames)]))
        save(folder / "frames" / f"{len(frames):04d}.jpg", image, game.sensor.jpeg)
        frames.append(frame_json(game, len(frames), step, phase, placed, gain, pose, mask))

    before = game.picture(game.initial)
    shoot(None, "settled", game.initial, [], before)
    for i, step in enumerate(game.steps):
        gain = float(np.clip(gain * np.exp(rng.normal(0, 0.045)), 0.6, 1.45))
        tint = np.clip(tint * np.exp(rng.normal(0, 0.008, 3)), 0.93, 1.07)
        if i == bump:
            pose = nudged(pose, rng)
            before = game.picture(game.board(i - 1), pose)
        after = game.picture(step.after, pose)
        pick = rng.random()
        piece = (*step.added, *step.removed)[0]
        if pick < 0.2 and step.added:
            tip = (*(np.array(middle_of(piece)) + rng.normal(0, 2, 2)).tolist(), float(rng.uniform(1, 4)))
            shoot(i, "hand_carrying", game.board(i - 1), [player_hand(game, step, (tip[0], tip[1], tip[2]), piece)], before)
        elif pick < 0.4:
            carried = None if step.added else piece
            tip = (*(np.array(middle_of(piece)) + rng.normal(0, 1, 2)).tolist(), float(rng.uniform(0.3, 2)))
            shoot(i, "hand_after_release", step.after, [player_hand(game, step, (tip[0], tip[1], tip[2]), carried)], after)
        shoot(i, "settled", step.after, [], after)
        before = after
    (folder / "truth.json").write_text(json.dumps(truth_json(game, frames, bump)))
