"""Games on a time line: hands come and go at ten frames a second, tables are knocked, lamps switched."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from .arrays import F32
from .dress import dress, random_hand
from .games import Game, middle_of, player_hand, random_game, truth_json
from .hand import Hand
from .script import Step
from .sensor import develop
from .shapes import Placed

FPS = 10


class Film:
    """A video being written, with the truth of its frames."""

    def __init__(self, path: Path, game: Game, seed: int) -> None:
        """Open the file; nothing is written yet."""
        self.game, self.rng = game, np.random.default_rng([seed, 6])
        self.seed = seed
        self.writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), FPS, game.scene.pose.image_wh)
        self.frames: list[dict[str, object]] = []
        self.gain: F32 = np.ones(3, np.float32)
        self.still = game.picture(game.initial)
        self.disturbances: set[str] = set()

    def shoot(self, step: int | None, note: str = "", hands: tuple[Hand, ...] = (), shake: tuple[float, float] = (0.0, 0.0)) -> None:
        """One frame of the present position with hands over it."""
        seen = self.still.copy()
        if hands:
            dress(self.game.scene, seen, np.random.default_rng([self.seed, 7]), [], list(hands))
        if shake != (0.0, 0.0):
            move = np.array([[1, 0, shake[0]], [0, 1, shake[1]]], np.float64)
            seen = np.asarray(cv2.warpAffine(seen, move, seen.shape[1::-1], borderMode=cv2.BORDER_REPLICATE), np.float32)
        seen *= self.gain
        self.writer.write(develop(seen, self.game.sensor, np.random.default_rng([self.seed, 8, len(self.frames)])))
        frame: dict[str, object] = {"index": len(self.frames), "step": step, "note": note}
        if not self.frames:
            frame["grid_corners_px"] = np.round(self.game.scene.pose.corners_px, 2).tolist()
        self.frames.append(frame)

    def rest(self, step: int | None, low: int, high: int) -> None:
        """Some frames in which nothing happens."""
        for _ in range(int(self.rng.integers(low, high))):
            self.shoot(step)

    def reach(self, step: int | None, hand: Hand, out: bool, frames: int, note: str = "") -> None:
        """The hand comes from its side to its tip, or goes back there."""
        far = np.array([np.cos(hand.from_angle), np.sin(hand.from_angle)]) * 26
        tip = np.array(hand.tip)
        start = np.array([*(tip[:2] + far), 4.0])
        for k in range(frames):
            t = (k + 1) / frames
            t = t * t * (3 - 2 * t)
            at = tip + (start - tip) * t if out else start + (tip - start) * t
            at += np.array([0, 0, 2.0 * np.sin(np.pi * t)])
            self.shoot(step, note, (replace(hand, tip=(float(at[0]), float(at[1]), float(at[2]))),))

    def act(self, index: int, step: Step) -> int:
        """A player does what a step says; returns the first frame after which nothing moves."""
        before = index - 1 if index else None
        placed = self.game.board(before)
        pace = (int(self.rng.integers(6, 13)), int(self.rng.integers(5, 10)))
        for piece in step.removed:
            hand = player_hand(self.game, step, (*middle_of(piece), 0.4), None)
            self.reach(before, hand, False, pace[0])
            placed = tuple(p for p in placed if p != piece)
            self.still = self.game.picture(placed)
            if not step.added:
                index_now: int | None = index if piece is step.removed[-1] else before
                self.reach(
                    index_now, replace(hand, carried=piece.cells, carried_color=self.game.scene.pieces.palette[piece.color]), True, pace[1]
                )
        for piece in step.added:
            self.lay_down(index, step, piece, placed, pace)
            placed = (*placed, piece)
        quiet = len(self.frames)
        self.rest(index, 14, 26)
        return quiet

    def lay_down(self, index: int, step: Step, piece: Placed, placed: tuple[Placed, ...], pace: tuple[int, int]) -> None:
        """A piece is brought, adjusted for a moment, let go."""
        before = index - 1 if index else None
        hand = player_hand(self.game, step, (*middle_of(piece), 0.45), piece)
        self.reach(before, hand, False, pace[0])
        for _ in range(int(self.rng.integers(1, 9))):
            wobble = self.rng.normal(0, 0.25, 2)
            tip = (hand.tip[0] + float(wobble[0]), hand.tip[1] + float(wobble[1]), 0.6)
            self.shoot(before, "", (replace(hand, tip=tip),))
        self.still = self.game.picture((*placed, piece))
        now = index if piece is step.added[-1] else before
        empty = replace(hand, carried=(), tip=(hand.tip[0], hand.tip[1], 0.5))
        for _ in range(int(self.rng.integers(0, 4))):
            self.shoot(now, "", (empty,))
        self.reach(now, empty, True, pace[1])

    def disturb(self, step: int | None) -> None:
        """Something that changes nothing on the board."""
        kind = str(self.rng.choice(["knock", "lamp", "hand"]))
        self.disturbances.add(kind)
        if kind == "knock":
            for k in range(int(self.rng.integers(5, 12))):
                size = 3.0 * 0.75**k
                self.shoot(step, kind, (), (float(self.rng.normal(0, size / 2)), float(self.rng.normal(0, size / 2))))
        elif kind == "lamp":
            goal = np.clip(self.gain * np.exp(self.rng.normal(0, 0.3)) * np.exp(self.rng.normal(0, 0.03, 3)), 0.5, 1.7).astype(np.float32)
            for _ in range(int(self.rng.integers(1, 9))):
                self.gain = self.gain + (goal - self.gain) * np.float32(0.6)
                self.shoot(step, kind)
        else:
            hand = replace(random_hand(self.game.scene, self.rng), carried=())
            self.reach(step, hand, False, int(self.rng.integers(6, 14)), kind)
            for _ in range(int(self.rng.integers(0, 15))):
                self.shoot(step, kind, (hand,))
            self.reach(step, hand, True, int(self.rng.integers(6, 12)), kind)
        self.rest(step, 8, 20)


def write_video(folder: Path, name: str, seed: int, moves: int = 12, fouls: int = 3, image_wh: tuple[int, int] = (1280, 960)) -> None:
    """NAME.mp4 and NAME.json of one game."""
    folder.mkdir(parents=True, exist_ok=True)
    game = random_game(seed, moves, fouls, 0, image_wh)
    calm = replace(game.sensor, shot=0.25 * game.sensor.shot, read=0.4 * game.sensor.read, smoothing=0.9)
    game = replace(game, sensor=calm)  # video cameras smooth their noise away, and what is left fills the file
    film = Film(folder / f"{name}.mp4", game, seed)
    film.rest(None, 15, 25)
    quiet = []
    for index, step in enumerate(game.steps):
        quiet.append(film.act(index, step))
        if film.rng.random() < 0.45:
            film.disturb(index)
    film.rest(len(game.steps) - 1, 15, 25)
    film.writer.release()
    truth = truth_json(game, film.frames, None)
    steps = [s.as_json(i, game.scene.kind.size) | {"quiet_from": quiet[i]} for i, s in enumerate(game.steps)]
    truth |= {"steps": steps, "video": f"{name}.mp4", "fps": FPS, "disturbances": sorted(film.disturbances)}
    (folder / f"{name}.json").write_text(json.dumps(truth))
