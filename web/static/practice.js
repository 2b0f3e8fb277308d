// Practice: whoever likes to may set other squares than those shown, and hears what the rules say of them.

import { cursorMark, drawnPiece, hazard } from "./drawing.js";
import { ask } from "./server.js";
import { svg } from "./shapes.js";
import { Squares } from "./squares.js";
import { wake } from "./wake.js";
import { say } from "./words.js";

for (const lesson of document.querySelectorAll("[data-lesson]")) watchLesson(lesson);
wake();

function watchLesson(lesson) {
  const holder = lesson.querySelector(".pad");
  const { lesson: name, color, size, cells } = lesson.dataset;
  const shown = JSON.parse(cells);
  const layer = svg("g", { class: "draft" });
  holder.querySelector(".shown").remove();
  holder.querySelector("svg").append(layer);
  let asked = 0;
  const squares = new Squares(holder, { rows: Number(size), cols: Number(size), cells: shown, changed: () => draw(true) });
  lesson.querySelector("[data-again]").addEventListener("click", () => squares.reset(shown));
  draw(false);
  judge();

  function draw(isNew, offending = []) {
    const piece = squares.cells.length ? drawnPiece(squares.cells, color) : [];
    layer.replaceChildren(...piece, ...(squares.cursor ? [cursorMark(squares.cursor)] : []), ...offending.map(hazard));
    if (isNew) judge();
  }

  async function judge() {
    const number = ++asked;
    const line = lesson.querySelector(".verdict");
    try {
      const ruling = squares.cells.length ? await ask("/api/practice", { name, cells: squares.cells }) : null;
      if (number !== asked) return;
      line.className = `verdict ${ruling ? (ruling.legal ? "good" : "bad") : ""}`;
      line.textContent = ruling ? ruling.message : say("practice.hint");
      draw(false, ruling?.offending_cells);
    } catch (error) {
      line.textContent = error.message;
    }
  }
}
