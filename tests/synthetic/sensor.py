"""From linear light to the file: white balance, exposure, lens faults, noise, tone curve, JPEG."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from .arrays import F32, U8, blur, resized


@dataclass(frozen=True)
class Sensor:
    """How a camera develops its picture. Blurs in px of a picture 1280 wide, noise in shares of full scale."""

    balance: tuple[float, float, float]
    exposure: float
    vignette: float
    bloom: float
    defocus: float
    motion: float
    motion_deg: float
    shot: float
    read: float
    smoothing: float
    contrast: float
    saturation: float
    sharpen: float
    jpeg: int


def random_sensor(rng: np.random.Generator, light: F32) -> Sensor:
    """A camera that balances white imperfectly for a light of the given colour (3,)."""
    adapt = float(rng.choice([rng.uniform(0.8, 1.02), rng.uniform(0.5, 0.8)], p=[0.8, 0.2]))
    gain = (light[1] / light) ** adapt * rng.uniform(0.95, 1.06, 3)
    gain = gain / gain[1]
    kind = rng.random()
    dim = rng.random() < 0.25
    return Sensor(
        balance=(float(gain[0]), float(gain[1]), float(gain[2])),
        exposure=float(rng.normal(0.05, 0.42)),
        vignette=float(rng.uniform(0, 0.5)),
        bloom=float(rng.uniform(0, 0.06)),
        defocus=float(rng.uniform(0.5, 1.5)) if kind < 0.25 else 0.0,
        motion=float(rng.uniform(1.2, 3.2)) if kind > 0.85 else 0.0,
        motion_deg=float(rng.uniform(0, 180)),
        shot=float(rng.uniform(0.002, 0.012)) if dim else float(rng.uniform(0.0002, 0.002)),
        read=float(rng.uniform(0.002, 0.008)) if dim else float(rng.uniform(0.0005, 0.002)),
        smoothing=float(rng.uniform(0.0, 0.9)),
        contrast=float(rng.uniform(0.0, 0.3)),
        saturation=float(rng.uniform(0.8, 1.12)),
        sharpen=float(rng.choice([0.0, rng.uniform(0.1, 0.8)])),
        jpeg=int(rng.integers(62, 95)),
    )


def metered(picture: F32, sensor: Sensor) -> Sensor:
    """The sensor with its exposure (a deviation in stops until now) fixed as a gain by what the picture shows."""
    small = cv2.resize(picture, None, fx=0.1, fy=0.1, interpolation=cv2.INTER_AREA) * np.array(sensor.balance, np.float32)
    grey = small.max(axis=-1)
    gain = 0.33 / (0.5 * float(np.minimum(grey, 1.5).mean()) + 0.5 * float(np.percentile(grey, 85)) * 0.55) * 2**sensor.exposure
    bright = float(np.percentile(grey, 92))  # cameras sacrifice the dark table before a white board
    return replace(sensor, exposure=min(gain, 1.2 / max(bright, 1e-3)))


def develop(picture: F32, sensor: Sensor, rng: np.random.Generator) -> U8:
    """(h, w, 3) BGR picture of linear light, by a metered sensor."""
    light = caught(picture, sensor)
    noise = rng.standard_normal(light.shape, dtype=np.float32)
    if sensor.smoothing > 0.2:
        noise = noise * np.float32(1 - 0.5 * sensor.smoothing) + blur(noise, 0.9) * np.float32(sensor.smoothing)
    light += noise * np.sqrt(light * np.float32(sensor.shot) + np.float32(sensor.read**2))
    return tone(light, sensor)


def exposed(picture: F32, sensor: Sensor) -> U8:
    """The same without noise."""
    return tone(caught(picture, sensor), sensor)


def caught(picture: F32, sensor: Sensor) -> F32:
    """(h, w, 3) light as it falls on the sensor, in shares of full scale, 0 to 1.5."""
    h, w = picture.shape[:2]
    light = picture * (np.array(sensor.balance, np.float32) * np.float32(sensor.exposure))
    if sensor.vignette:
        light *= _vignette(sensor.vignette, w, h)
    if sensor.bloom > 0.01:
        small = resized(np.minimum(light, 6), (w // 8, h // 8), cv2.INTER_AREA)
        halo = resized(blur(small, 0.02 * w / 8), (w, h))
        light += (halo - light) * np.float32(sensor.bloom)
    light = lens_blur(light, sensor, max(w, h) / 1280)
    return np.asarray(np.clip(light, 0, 1.5, out=light), np.float32)


@lru_cache(maxsize=4)
def _vignette(strength: float, w: int, h: int) -> F32:
    """(h, w, 1) share of the light that reaches each place of the picture."""
    x, y = np.linspace(-1, 1, w, dtype=np.float32), np.linspace(-h / w, h / w, h, dtype=np.float32)
    return (1 / (1 + strength * 0.5 * (x[None] ** 2 + y[:, None] ** 2)) ** 2)[..., None].astype(np.float32)


def lens_blur(light: F32, sensor: Sensor, unit: float) -> F32:
    """Defocus and motion blur."""
    if sensor.defocus:
        light = blur(light, sensor.defocus * unit)
    if sensor.motion:
        reach = sensor.motion * unit
        n = 2 * int(np.ceil(reach)) + 3
        line = np.zeros((n, n), np.float32)
        step = np.array([np.cos(np.radians(sensor.motion_deg)), np.sin(np.radians(sensor.motion_deg))]) * reach / 2
        a, b = ((n // 2 + step) * 16).astype(int), ((n // 2 - step) * 16).astype(int)
        cv2.line(line, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), 1.0, 1, cv2.LINE_AA, 4)
        light = np.asarray(cv2.filter2D(light, -1, line / line.sum()), np.float32)
    return light


@lru_cache(maxsize=8)
def _cut(sensor: Sensor) -> F32:
    """(4096,) grey levels of even steps of light from 0 to 1.5."""
    grid = np.linspace(0, 1.5, 4096, dtype=np.float32)
    knee = np.where(grid < 0.8, grid, 0.8 + 0.2 * (1 - np.exp(-(grid - 0.8) / 0.2)))
    s = np.where(knee <= 0.0031308, 12.92 * knee, 1.055 * knee ** (1 / 2.4) - 0.055)
    s = s + sensor.contrast * (s * s * (3 - 2 * s) - s)
    return np.asarray(np.clip(s * 255, 0, 255), np.float32)


def tone(light: F32, sensor: Sensor) -> U8:
    """Tone curve with a soft shoulder, saturation and sharpening, to 8 bits."""
    image = _cut(sensor)[np.clip(light * np.float32(4095 / 1.5), 0, 4095).astype(np.uint16)]
    grey = image @ np.array([0.11, 0.59, 0.3], np.float32)
    image = grey[..., None] + (image - grey[..., None]) * np.float32(sensor.saturation)
    if sensor.sharpen:
        image += (image - blur(image, 1.2)) * np.float32(sensor.sharpen)
    return np.asarray(np.clip(image + 0.5, 0, 255), np.uint8)
