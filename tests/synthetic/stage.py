"""A stage for short films: a board with pieces on it, what is played next, and its pictures from several sides and in several lights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from calibration.pose import GridPose

from .arrays import F32, U8
from .dress import dress
from .games import Game, middle_of, random_game
from .light import Light
from .pieces import Spot, lay
from .scene import Scene, bare, build, draw, fitted
from .script import Step
from .sensor import Sensor, metered
from .shapes import Cells, Placed

Offsets = Mapping[Cells, tuple[float, float, float]]
"""Pieces that were pushed: how far (columns, rows, in cells) and how far round (degrees) they lie from where they should."""

MOVES = 3
"""Placements that are ready to be played on a stage."""


@dataclass(frozen=True, eq=False)
class Side:
    """From where, and in what light, the board is seen. Told apart by identity, so that its pictures can be kept."""

    pose: GridPose
    light: Light
    under: F32


@dataclass(eq=False)
class Stage:
    """A board to be filmed.

    Attributes:
        game: the scene, what lies on the board at first, and the next `MOVES` placements.
        seed: of all that is chosen on it.
        front: the side from which it is seen at first.
        kept: developed pictures that all films have in common.
    """

    game: Game
    seed: int
    front: Side
    kept: dict[object, U8] = field(default_factory=dict)
    _pictures: dict[tuple[object, ...], F32] = field(default_factory=dict)

    @property
    def scene(self) -> Scene:
        """The scene as it is at first."""
        return self.game.scene

    @property
    def steps(self) -> tuple[Step, ...]:
        """The placements that come next."""
        return self.game.steps

    def seen_from(self, pose: GridPose | None = None, light: Light | None = None) -> Side:
        """Another side, or another light."""
        scene = replace(self.scene, pose=pose or self.scene.pose, light=light or self.scene.light)
        return Side(scene.pose, scene.light, bare(scene))

    def carried(self, rng: np.random.Generator, turn_deg: float) -> Side:
        """The board put down elsewhere in the picture, turned by about so much."""
        s = self.scene
        asked = replace(
            s.view,
            azimuth_deg=s.view.azimuth_deg + turn_deg,
            fill=float(s.view.fill * rng.uniform(0.88, 1.0)),
            shift=(float(rng.uniform(-0.9, 0.9)), float(rng.uniform(-0.9, 0.9))),
        )
        return self.seen_from(fitted(asked, s.kind.size, s.pose.image_wh, s.board.rim)[1])

    def picture(self, side: Side, placed: tuple[Placed, ...], pushed: Offsets | None = None, away: int = 0) -> F32:
        """(h, w, 3) linear picture; kept, so do not paint on it.

        Args:
            side: from where it is seen.
            placed: what lies on the board.
            pushed: pieces that do not lie where they should.
            away: so many of the pieces beside the board are gone.
        """
        key = (id(side), placed, tuple(sorted((pushed or {}).items())), away)
        if key not in self._pictures:
            self._pictures[key] = self._drawn(side, placed, pushed or {}, away)
        return self._pictures[key]

    def _drawn(self, side: Side, placed: tuple[Placed, ...], pushed: Offsets, away: int) -> F32:
        scene = replace(self.scene, pose=side.pose, light=side.light)
        atlas = build(scene, [p for p in placed if p.cells not in pushed], self.game.beside(placed)[away:])
        for piece in placed:
            if piece.cells in pushed:
                dx, dy, turn = pushed[piece.cells]
                col, row = middle_of(piece)
                rng = np.random.default_rng([scene.seed, 31, *(r * 20 + c for r, c in piece.cells)])
                lay(atlas, piece.cells, piece.color, scene.pieces, Spot((col + dx, row + dy), turn, 0.0), rng)
        linear = draw(scene, atlas, None, side.under)
        dress(scene, linear, np.random.default_rng(scene.seed), list(self.game.solids), [])
        return linear


def calm(sensor: Sensor) -> Sensor:
    """The sensor as video cameras have it: most of its noise smoothed away."""
    return replace(sensor, shot=0.25 * sensor.shot, read=0.4 * sensor.read, smoothing=0.9)


def random_stage(seed: int, image_wh: tuple[int, int] = (800, 600)) -> Stage:
    """The stage of a seed, up to 40 pieces on its board."""
    rng = np.random.default_rng([seed, 71])
    game = random_game(seed, MOVES, 0, int(rng.choice([rng.integers(0, 9), rng.integers(9, 41)])), image_wh)
    game = replace(game, sensor=metered(game.picture(game.initial), calm(game.scene.sensor)))
    return Stage(game, seed, Side(game.scene.pose, game.scene.light, game.under))
