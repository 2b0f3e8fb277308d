"""Array types and the few numeric helpers shared by the picture source."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
U8 = NDArray[np.uint8]
Bgr = tuple[float, float, float]
"""Linear blue, green, red; 1 is a perfect white under the picture's full light."""


def srgb_to_linear(value: F32) -> F32:
    """Linear light of sRGB values in 0..1."""
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4).astype(np.float32)


def from_hsv(hue: float, saturation: float, value: float) -> Bgr:
    """Linear BGR of a colour given on OpenCV's hue circle (0..180) with saturation and value in 0..1 (sRGB)."""
    pixel = np.array([[[hue * 2 % 360, saturation, value]]], np.float32)
    b, g, r = srgb_to_linear(np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR), np.float32))[0, 0]
    return float(b), float(g), float(r)


def kelvin(temperature: float) -> F32:
    """(3,) linear BGR of a black body at 1000 to 12000 K, green 1 (fit after T. Helland)."""
    t = temperature / 100
    if t <= 66:
        r, g = 255.0, 99.47 * np.log(t) - 161.12
        b = 0.0 if t <= 19 else 138.52 * np.log(t - 10) - 305.04
    else:
        r, g, b = 329.7 * (t - 60) ** -0.1332, 288.12 * (t - 60) ** -0.0755, 255.0
    linear = srgb_to_linear(np.clip(np.array([b, g, r], np.float32) / 255, 0.02, 1))
    return np.asarray(linear / linear[1], np.float32)


def smooth(edge: NDArray[np.float32] | NDArray[np.float64], width: float) -> F32:
    """A soft step from 0 to 1 as `edge` goes from ``-width`` to ``width``."""
    t = np.clip(edge / (2 * max(width, 1e-6)) + 0.5, 0, 1)
    return np.asarray(t * t * (3 - 2 * t), np.float32)


def blur(image: NDArray[np.float32] | NDArray[np.float64], sigma: float) -> F32:
    """Gaussian blur; nothing under 0.3 px."""
    if sigma < 0.3:
        return np.asarray(image, np.float32)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE), np.float32)


def cloud(rng: np.random.Generator, shape: tuple[int, ...], scale_px: float, stretch: float = 1.0) -> F32:
    """Smooth random field of about unit variance, features of `scale_px`, longer along x by `stretch`; it tiles."""
    h, w = shape[:2]
    rows, cols = max(2, round(h / scale_px)), max(2, round(w / scale_px / stretch))
    field = np.pad(rng.standard_normal((rows, cols), dtype=np.float32), 2, mode="wrap")
    y, x = (np.arange(n, dtype=np.float32) * np.float32(k / n) + 2 for n, k in ((h, rows), (w, cols)))
    if rows * cols > h * w // 16:
        wide = cv2.resize(field, (round(w * (cols + 4) / cols), round(h * (rows + 4) / rows)), interpolation=cv2.INTER_LINEAR)
        top, left = (wide.shape[0] - h) // 2, (wide.shape[1] - w) // 2
        return np.asarray(wide[top : top + h, left : left + w] * np.float32(1.4), np.float32)
    across = cv2.remap(field, np.tile(x, (rows + 4, 1)), np.tile(np.arange(rows + 4, dtype=np.float32)[:, None], (1, w)), cv2.INTER_CUBIC)
    return np.asarray(
        cv2.remap(across, np.tile(np.arange(w, dtype=np.float32), (h, 1)), np.tile(y[:, None], (1, w)), cv2.INTER_CUBIC) * np.float32(1.3),
        np.float32,
    )


def look_up(image: F32, u: F32, v: F32, outside: float = 0.0) -> F32:
    """Values of an image at points ``(u, v)``, each (h, w), bilinear; `outside` beyond its border."""
    found = cv2.remap(image, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(outside,) * 4)
    return np.asarray(found, np.float32)


def resized(image: F32, wh: tuple[int, int], how: int = cv2.INTER_LINEAR) -> F32:
    """The image at another size ``(w, h)``."""
    return np.asarray(cv2.resize(image, wh, interpolation=how), np.float32)
