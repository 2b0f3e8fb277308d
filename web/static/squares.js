// Setting squares one by one on a drawn board, by taps and by keys.

import { cellAt, STEPS } from "./held.js";

const isSame = (one, other) => String(one) === String(other);

/** The squares set on a drawing of `rows` by `cols`; `changed` is called after every change and every move of the cursor. */
export class Squares {
  constructor(holder, { rows, cols, cells = [], changed }) {
    Object.assign(this, { rows, cols, cells, changed, cursor: null });
    holder.addEventListener("pointerdown", (press) => {
      const cell = cellAt(press, holder.querySelector("svg"), rows, cols);
      if (cell) this.toggle(cell);
    });
    holder.addEventListener("keydown", (press) => this.#key(press));
  }

  /** Set a square, or clear it. */
  toggle(cell) {
    const without = this.cells.filter((other) => !isSame(other, cell));
    this.cells = without.length < this.cells.length ? without : [...without, cell];
    this.changed();
  }

  /** Set exactly these squares. */
  reset(cells) {
    this.cells = cells;
    this.changed();
  }

  #key(press) {
    const step = STEPS[press.key];
    const [row, col] = this.cursor ?? this.cells.at(-1) ?? [0, 0];
    if (step) {
      this.cursor = this.cursor ? [Math.max(0, Math.min(this.rows - 1, row + step[0])), Math.max(0, Math.min(this.cols - 1, col + step[1]))] : [row, col];
      this.changed();
    } else if (press.key === " ") this.toggle([row, col]);
    else return;
    press.preventDefault();
  }
}
