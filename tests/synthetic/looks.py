"""What one picture looks like: every choice about board, pieces, table, light and sensor, drawn from a seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import Bgr, from_hsv

DESIGNS = ("narrow", "wide", "lip")
RELIEFS = ("frame", "pyramid", "bead", "flat")


@dataclass(frozen=True)
class BoardLook:
    """The board: lengths in cells, albedo linear BGR."""

    design: str
    color: str
    albedo: Bgr
    metal: bool
    rim: float
    slab: float
    lip: float
    radius: float
    line: str
    line_width: float
    line_depth: float
    line_tone: float
    inner: float
    letters: bool
    rough: float
    shine: float


@dataclass(frozen=True)
class PieceLook:
    """The pieces: lengths in cells, palette linear BGR by colour letter."""

    relief: str
    relief_depth: float
    clear: float
    height: float
    gap: float
    jitter: float
    turn_deg: float
    sway: float
    palette: dict[str, Bgr]
    rough: float
    shine: float


BOARD_COLORS: dict[str, tuple[float, float, float]] = {
    "white": (0, 0.01, 0.93),
    "off_white": (22, 0.08, 0.88),
    "light_grey": (105, 0.03, 0.75),
    "mid_grey": (108, 0.05, 0.55),
    "dark_grey": (106, 0.08, 0.33),
    "beige": (18, 0.24, 0.76),
    "silver": (20, 0.06, 0.66),
}
"""Hue, saturation and value (sRGB) of each board colour."""


def board_look(rng: np.random.Generator, color: str | None = None, design: str | None = None) -> BoardLook:
    """A board of a random colour and design, or of those given."""
    names = list(BOARD_COLORS)
    color = color or str(rng.choice(names, p=[0.2, 0.15, 0.15, 0.14, 0.14, 0.08, 0.14]))
    metal = color == "silver"
    design = design or ("wide" if metal else str(rng.choice(DESIGNS, p=[0.45, 0.25, 0.3])))
    hue, saturation, value = BOARD_COLORS[color]
    if metal:
        saturation = rng.uniform(0.06, 0.28)  # from nickel to champagne
    value = float(np.clip(value * rng.uniform(0.9, 1.06), 0, 0.96))
    line = str(rng.choice(["ridge", "groove"], p=[0.7, 0.3]))
    strength = float(rng.beta(1.6, 1.8))
    return BoardLook(
        design=design,
        color=color,
        albedo=from_hsv(hue + rng.uniform(-4, 4), saturation * rng.uniform(0.5, 1.3), value),
        metal=metal,
        rim={"narrow": rng.uniform(0.24, 0.36), "wide": rng.uniform(0.62, 0.82), "lip": rng.uniform(0.7, 1.1)}[design],
        slab=rng.uniform(0.35, 1.0) if design == "narrow" else rng.uniform(0.25, 0.6),
        lip={"narrow": rng.uniform(0.05, 0.16), "wide": rng.uniform(0.02, 0.1), "lip": rng.uniform(0.1, 0.22)}[design],
        radius=rng.uniform(0.05, 0.15) if design == "wide" else rng.uniform(0.25, 0.7),
        line=line,
        line_width=rng.uniform(0.045, 0.11) if line == "ridge" else rng.uniform(0.03, 0.08),
        line_depth=0.012 + 0.05 * strength,
        line_tone=1 - rng.uniform(0, 0.1) - (0.35 * strength if line == "groove" else 0.12 * strength),
        inner=float(rng.choice([0.0, 0.0, rng.uniform(0.008, 0.025)])),
        letters=design == "wide" or rng.random() < 0.2,
        rough=rng.uniform(0.12, 0.3) if metal else rng.uniform(0.18, 0.5),
        shine=rng.uniform(0.25, 0.5) if metal else rng.uniform(0.02, 0.05),
    )


def palette(rng: np.random.Generator, kind: str) -> dict[str, Bgr]:
    """Linear BGR by letter: one set's plastics, as they differ between editions."""
    blue = (rng.uniform(108, 118), rng.uniform(0.72, 0.92), rng.uniform(0.5, 0.8))
    if rng.random() < 0.35:
        blue = (rng.uniform(113, 121), rng.uniform(0.36, 0.62), rng.uniform(0.6, 0.8))
    elif rng.random() < 0.15:
        blue = (rng.uniform(116, 121), rng.uniform(0.85, 0.97), rng.uniform(0.35, 0.55))
    green = (rng.uniform(64, 72), rng.uniform(0.75, 0.95), rng.uniform(0.4, 0.62))
    if rng.random() < 0.45:
        green = (rng.uniform(74, 86), rng.uniform(0.7, 0.98), rng.uniform(0.45, 0.65))
    if kind == "junior":
        green = (rng.uniform(42, 66), rng.uniform(0.6, 0.9), rng.uniform(0.5, 0.75))
    hsv = {
        "B": blue,
        "Y": (rng.uniform(20, 28), rng.uniform(0.6, 0.97), rng.uniform(0.8, 0.97)),
        "R": (rng.uniform(173, 184), rng.uniform(0.75, 0.95), rng.uniform(0.6, 0.88)),
        "G": green,
        "P": (rng.uniform(128, 148), rng.uniform(0.45, 0.8), rng.uniform(0.35, 0.65)),
        "O": (rng.uniform(6, 13), rng.uniform(0.75, 0.95), rng.uniform(0.85, 0.98)),
    }
    letters = {"classic": "BYRG", "duo": "PO", "junior": "GO"}[kind]
    return {k: from_hsv(*hsv[k]) for k in letters}


def piece_look(rng: np.random.Generator, kind: str, relief: str | None = None) -> PieceLook:
    """A set of pieces: relief, material, colours, how carelessly they are laid."""
    relief = relief or str(rng.choice(RELIEFS, p=[0.35, 0.25, 0.25, 0.15]))
    return PieceLook(
        relief=relief,
        relief_depth=rng.uniform(0.5, 1.3),
        clear=float(rng.choice([0.0, rng.uniform(0.1, 0.35), rng.uniform(0.35, 0.65)])),
        height=rng.uniform(0.22, 0.29),
        gap=rng.uniform(0.015, 0.05),
        jitter=rng.uniform(0.005, 0.03),
        turn_deg=rng.uniform(0.2, 1.0),
        sway=rng.uniform(0.004, 0.03),
        palette=palette(rng, kind),
        rough=float(rng.choice([rng.uniform(0.03, 0.12), rng.uniform(0.12, 0.35)])),
        shine=rng.uniform(0.035, 0.06),
    )
