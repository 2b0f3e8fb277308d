// A held piece over a board: its shape as it is turned, and where it lies. A cell is [row, col].

import { extent, flipped, moved, turned } from "./shapes.js";

export class Held {
  /** Nothing held over a board of so many rows and columns. */
  constructor(rows, cols) {
    Object.assign(this, { rows, cols, shape: [], at: null });
  }

  /** Take a shape up; it stays where the last one was, as far as it fits there. */
  take(shape) {
    this.shape = shape;
    this.#keep();
  }

  /** Take up a piece as it lies on the board. */
  lift(cells) {
    this.shape = moved(cells);
    this.at = [Math.min(...cells.map(([row]) => row)), Math.min(...cells.map(([, col]) => col))];
  }

  /** Turn it a quarter clockwise ("rotate") or over ("flip"). */
  turn(way) {
    this.shape = way === "flip" ? flipped(this.shape) : turned(this.shape);
    this.#keep();
  }

  /** Hold it over a cell by one of its squares (`grip`, counted from its corner), else by its middle. */
  moveTo([row, col], grip = null) {
    const [down, right] = grip ?? extent(this.shape).map((length) => Math.floor((length - 1) / 2));
    this.at = [row - down, col - right];
    this.#keep();
  }

  /** Move it by so many rows and columns; from nowhere it comes to the middle. */
  nudge([down, right]) {
    const [row, col] = this.at ?? [Math.floor(this.rows / 2) - down, Math.floor(this.cols / 2) - right];
    this.at = [row + down, col + right];
    this.#keep();
  }

  /** The cells it covers, none while it is not over the board. */
  cells() {
    return this.at ? this.shape.map(([row, col]) => [row + this.at[0], col + this.at[1]]) : [];
  }

  // The nearest place at which the whole piece lies on the board.
  #keep() {
    if (!this.at || !this.shape.length) return;
    const [rows, cols] = extent(this.shape);
    this.at = [Math.max(0, Math.min(this.rows - rows, this.at[0])), Math.max(0, Math.min(this.cols - cols, this.at[1]))];
  }
}

/** The cell under a pointer on a drawing whose unit is one square, null outside the board. */
export function cellAt(pointer, drawing, rows, cols) {
  const spot = new DOMPoint(pointer.clientX, pointer.clientY).matrixTransform(drawing.getScreenCTM().inverse());
  const [row, col] = [Math.floor(spot.y), Math.floor(spot.x)];
  return row >= 0 && row < rows && col >= 0 && col < cols ? [row, col] : null;
}

/** The rows and columns by which an arrow key moves, undefined for other keys. */
export const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
