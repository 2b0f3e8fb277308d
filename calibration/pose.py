"""The pose of the playing grid in one picture: where every point above the board appears.

Frames of reference used by the whole program:

- image points ``(x, y)``: float pixels, pixel centres at whole numbers, y down;
- board points ``(col, row, height)``: floats in cells, ``(0, 0)`` the outer corner of cell ``(0, 0)``,
  ``(size, size)`` the opposite one, height 0 on the board's surface and positive towards the camera.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

PIECE_HEIGHT_CELLS = 0.26
"""Height of the piece tops above the grid: 5 to 6 mm on cells of 20 to 21 mm (shared notes, optics)."""

EDGE_HEIGHT_CELLS = 0.155
"""Height at which the edges of pieces and the grooves between their squares are seen: bevels begin 2 mm below the tops (measured)."""

USUAL_FOCAL = 0.80
"""Usual focal length of phone and web cameras in units of the longer picture side (65 degrees across)."""

FOCAL_SPREAD = 0.22
"""Standard deviation of the logarithm of the focal length among those cameras (50 to 80 degrees across)."""


class PoseError(ValueError):
    """The corners given cannot be a picture of a flat square board (the message says why)."""


def sample(image: NDArray[np.uint8], at_px: NDArray[np.float32]) -> NDArray[np.uint8]:
    """The picture's values at given image points, bilinear, 0 outside.

    Args:
        image: (h, w) or (h, w, 3) uint8.
        at_px: (r, c, 2) float32 image points.

    Returns:
        (r, c) or (r, c, 3) uint8.
    """
    return np.asarray(cv2.remap(image, at_px, np.empty(0, np.float32), cv2.INTER_LINEAR), np.uint8)


@dataclass(frozen=True)
class GridPose:
    """A pinhole camera with one radial term (OpenCV's ``k1``) looking at the grid.

    Attributes:
        size: cells a side (20 or 14).
        image_wh: width and height of the picture in px.
        focal_px: focal length in px, the same along both axes.
        center_xy: principal point in px (the picture's middle).
        k1: first radial distortion term, as in ``cv2.projectPoints``.
        rvec: (3,) rotation vector, board to camera.
        tvec: (3,) translation in cells, board to camera.
        residual_cells: root mean square misfit of the lines or points it was fitted to; NaN when not fitted.
    """

    size: int
    image_wh: tuple[int, int]
    focal_px: float
    center_xy: tuple[float, float]
    k1: float
    rvec: FloatArray
    tvec: FloatArray
    residual_cells: float = float("nan")

    @cached_property
    def camera_matrix(self) -> FloatArray:
        """(3, 3) intrinsic matrix."""
        cx, cy = self.center_xy
        return np.array([[self.focal_px, 0, cx], [0, self.focal_px, cy], [0, 0, 1.0]])

    @cached_property
    def distortion(self) -> FloatArray:
        """(4,) OpenCV distortion vector."""
        return np.array([self.k1, 0.0, 0.0, 0.0])

    @cached_property
    def rotation(self) -> FloatArray:
        """(3, 3) rotation matrix, board to camera."""
        return np.asarray(cv2.Rodrigues(self.rvec)[0])

    def project(self, col_row: FloatArray, height: float | FloatArray = 0.0) -> FloatArray:
        """Image points of board points.

        Args:
            col_row: (..., 2) board points ``(col, row)`` in cells.
            height: scalar or (...,) height above the grid in cells.

        Returns:
            (..., 2) image points in px.
        """
        flat = np.asarray(col_row, np.float64).reshape(-1, 2)
        up = np.broadcast_to(np.asarray(height, np.float64), np.shape(col_row)[:-1]).reshape(-1)
        world = np.column_stack([flat, -up])  # x right, y down: z points into the table
        camera = world @ self.rotation.T + self.tvec
        x, y = camera[:, 0] / camera[:, 2], camera[:, 1] / camera[:, 2]
        bend = 1 + self.k1 * (x * x + y * y)
        cx, cy = self.center_xy
        points = np.column_stack([cx + self.focal_px * x * bend, cy + self.focal_px * y * bend])
        return points.reshape(np.shape(col_row))

    def unproject(self, points_xy: FloatArray, height: float = 0.0) -> FloatArray:
        """Board points ``(col, row)`` at a height, of image points: the inverse of `project`.

        Args:
            points_xy: (..., 2) image points in px.
            height: the plane in cells above the grid.

        Returns:
            (..., 2) board points in cells.
        """
        flat = np.asarray(points_xy, np.float64).reshape(-1, 1, 2)
        rays = cv2.undistortPoints(flat, self.camera_matrix, self.distortion).reshape(-1, 2)
        rot = self.rotation
        plane = np.column_stack([rot[:, 0], rot[:, 1], self.tvec - rot[:, 2] * height])
        board = np.column_stack([rays, np.ones(len(rays))]) @ np.linalg.inv(plane).T
        return np.asarray((board[:, :2] / board[:, 2:]).reshape(np.shape(points_xy)))

    @cached_property
    def corners_px(self) -> FloatArray:
        """(4, 2) image points of the outer grid corners: top-left, top-right, bottom-right, bottom-left."""
        return self.project(self.grid_corners)

    @cached_property
    def grid_corners(self) -> FloatArray:
        """(4, 2) board points of the outer grid corners, in the order of `corners_px`."""
        n = float(self.size)
        return np.array([[0, 0], [n, 0], [n, n], [0, n]])

    @cached_property
    def camera_position(self) -> FloatArray:
        """(3,) ``(col, row, height)`` of the camera in cells."""
        at = -self.rotation.T @ self.tvec
        return np.array([at[0], at[1], -at[2]])

    @cached_property
    def tilt_deg(self) -> float:
        """Angle between the view of the grid's middle and the vertical, in degrees."""
        middle = np.array([self.size / 2, self.size / 2, 0.0])
        ray = self.camera_position - middle
        return float(np.degrees(np.arccos(ray[2] / np.linalg.norm(ray))))

    def cell_sizes_px(self) -> FloatArray:
        """(size, size) side of each cell in px: the square root of its area in the picture."""
        corner = self.project(np.stack(np.meshgrid(*[np.arange(self.size + 1.0)] * 2), -1))
        a = corner[:-1, :-1] - corner[1:, 1:]
        b = corner[1:, :-1] - corner[:-1, 1:]
        return np.asarray(np.sqrt(np.abs(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]) / 2))

    def rectify_map(self, cell_px: int, margin_cells: float = 0.0, height: float = 0.0) -> NDArray[np.float32]:
        """(h, w, 2) float32 map for ``cv2.remap``: image point of each pixel of a board image.

        The board image has ``cell_px`` pixels a cell and ``margin_cells`` around the grid; pixel ``i`` lies at
        ``(i + 0.5) / cell_px - margin_cells`` cells.
        """
        count = round((self.size + 2 * margin_cells) * cell_px)
        at = (np.arange(count) + 0.5) / cell_px - margin_cells
        return self.project_grid(at, at, height)

    def project_grid(self, cols: FloatArray, rows: FloatArray, height: float = 0.0) -> NDArray[np.float32]:
        """(len(rows), len(cols), 2) float32 image points of a rectangular grid of board points: `project`, but fast.

        Args:
            cols: (C,) column coordinates in cells.
            rows: (R,) row coordinates in cells.
            height: height above the grid in cells.
        """
        at_px = np.empty((len(rows), len(cols), 2), np.float32)
        self.project_mesh(cols, rows[:, None], height, at_px)
        return at_px

    def project_mesh(self, cols: NDArray[np.floating], rows: NDArray[np.floating], height: float, out_px: NDArray[np.float32]) -> None:
        """Image points of a mesh of board points, in single precision, put where they are wanted.

        Args:
            cols, rows: coordinates in cells, each an array that broadcasts to (r, c).
            height: height above the grid in cells.
            out_px: (r, c, 2) float32, filled.
        """
        rot, base = self.rotation, self.tvec - self.rotation[:, 2] * height
        right, down = cols.astype(np.float32), rows.astype(np.float32)
        x, y, z = (np.float32(rot[k, 0]) * right + (np.float32(rot[k, 1]) * down + np.float32(base[k])) for k in range(3))
        z[z == 0] = np.float32(1e-9)
        x /= z
        y /= z
        if self.k1:
            np.multiply(x, x, out=z)
            z += y * y
            z *= np.float32(self.k1 * self.focal_px)
            z += np.float32(self.focal_px)
            x *= z
            y *= z
        else:
            x *= np.float32(self.focal_px)
            y *= np.float32(self.focal_px)
        np.add(x, np.float32(self.center_xy[0]), out=out_px[..., 0])
        np.add(y, np.float32(self.center_xy[1]), out=out_px[..., 1])

    def rectify(self, image_bgr: NDArray[np.uint8], cell_px: int, margin_cells: float = 0.0, height: float = 0.0) -> NDArray[np.uint8]:
        """Board image (h, w, 3) BGR uint8 of one plane, see `rectify_map`; black outside the picture."""
        return sample(image_bgr, self.rectify_map(cell_px, margin_cells, height))

    def apart_cells(self, other: GridPose) -> float:
        """Largest distance in cells of the other's grid corners, seen on this grid, from the nearest of its own."""
        theirs = self.unproject(other.corners_px)
        return float(np.linalg.norm(theirs[:, None] - self.grid_corners, axis=2).min(axis=1).max())

    def scaled(self, factor: float) -> GridPose:
        """The pose in the same picture resized by ``factor`` (pixel centres at whole numbers)."""
        cx, cy = self.center_xy
        w, h = self.image_wh
        return replace(
            self,
            image_wh=(round(w * factor), round(h * factor)),
            focal_px=self.focal_px * factor,
            center_xy=((cx + 0.5) * factor - 0.5, (cy + 0.5) * factor - 0.5),
        )

    def turned(self, quarter_turns: int) -> GridPose:
        """The same grid with its rows and columns named from another side: corner list shifted by that many places."""
        corners = np.roll(np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * float(self.size), -quarter_turns, axis=0)
        origin, x_axis, y_axis = corners[0], (corners[1] - corners[0]) / self.size, (corners[3] - corners[0]) / self.size
        turn = np.array([[x_axis[0], y_axis[0], 0], [x_axis[1], y_axis[1], 0], [0, 0, 1.0]])
        rotation = self.rotation @ turn
        tvec = self.rotation @ np.array([origin[0], origin[1], 0.0]) + self.tvec
        return replace(self, rvec=cv2.Rodrigues(rotation)[0].reshape(3), tvec=tvec)

    @classmethod
    def from_corners(
        cls, corners_px: FloatArray, image_wh: tuple[int, int], size: int = 20, k1: float = 0.0, focal_px: float | None = None
    ) -> GridPose:
        """The pose whose grid corners appear at the given image points.

        Four points of a flat square fix the focal length only at a slant, so it is chosen by the misfit together with
        the spread of real cameras (`USUAL_FOCAL`), unless it is given.

        Args:
            corners_px: (4, 2) top-left, top-right, bottom-right, bottom-left of the grid.
            image_wh: width and height of the picture in px.
            size: cells a side.
            k1: radial distortion, if known.
            focal_px: focal length in px, if known.

        Raises:
            PoseError: the corners are not a convex quadrilateral in clockwise order.
        """
        quad = np.asarray(corners_px, np.float64).reshape(4, 2)
        edge = np.roll(quad, -1, axis=0) - quad
        turn = edge[:, 0] * np.roll(edge, -1, axis=0)[:, 1] - edge[:, 1] * np.roll(edge, -1, axis=0)[:, 0]
        if not np.isfinite(quad).all() or (turn <= 1e-9).any():
            raise PoseError(f"corners {quad.round(1).tolist()} are not a convex quadrilateral in clockwise order")
        width, height = image_wh
        center = ((width - 1) / 2, (height - 1) / 2)
        usual = USUAL_FOCAL * max(image_wh)
        tries = [focal_px] if focal_px else list(usual * np.exp(FOCAL_SPREAD * np.linspace(-2.5, 2.5, 21)))
        n = float(size)
        world = np.array([[0, 0, 0], [n, 0, 0], [n, n, 0], [0, n, 0]])
        side = np.linalg.norm(edge, axis=1).mean()
        best: tuple[float, GridPose] | None = None
        for focal in tries:
            pose = cls(size, image_wh, float(focal), center, k1, np.zeros(3), np.zeros(3))
            ok, rvecs, tvecs, _ = cv2.solvePnPGeneric(world, quad, pose.camera_matrix, pose.distortion, flags=cv2.SOLVEPNP_IPPE)
            if not ok:
                continue
            for start in zip(rvecs, tvecs, strict=True):
                rvec, tvec = cv2.solvePnPRefineLM(world, quad, pose.camera_matrix, pose.distortion, *start)
                candidate = replace(pose, rvec=rvec.reshape(3).astype(float), tvec=tvec.reshape(3).astype(float))
                if candidate.tvec[2] <= 0 or candidate.camera_position[2] <= 0:
                    continue
                misfit = np.linalg.norm(candidate.corners_px - quad, axis=1).mean() / (0.002 * side)
                cost = misfit**2 + (np.log(focal / usual) / FOCAL_SPREAD) ** 2
                if best is None or cost < best[0]:
                    best = cost, candidate
        if best is None:
            raise PoseError(f"corners {quad.round(1).tolist()} are not a picture of a flat square board")
        return best[1]
