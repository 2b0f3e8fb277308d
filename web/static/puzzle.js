// Puzzles by hand: choose a piece, tap or drag it onto the board, turn it; everything laid is checked with every change.

import { choice, choose } from "./choices.js";
import { drawnPiece, hazard } from "./drawing.js";
import { cellAt, Held, STEPS } from "./held.js";
import { pieceButton, shapeOf } from "./palette.js";
import { ask } from "./server.js";
import { border, svg } from "./shapes.js";
import { wake } from "./wake.js";
import { say } from "./words.js";

const page = document.querySelector("[data-puzzle]");
for (const link of document.querySelectorAll("[data-number]")) link.querySelector(".solved").hidden = choice(`puzzle-${link.dataset.number}`) !== "solved";
if (page) play();
wake();

function play() {
  const { puzzle, rows, cols, pieces } = page.dataset;
  const side = { rows: Number(rows), cols: Number(cols) };
  const given = pieces.split(" ").map((name) => ({ name, held: new Held(side.rows, side.cols) }));
  const board = page.querySelector("#puzzle-board");
  const drawing = board.querySelector("svg");
  const layer = svg("g");
  const list = page.querySelector(".given");
  let active = null;
  let isDragged = false;
  let grip = null; // which of the piece's squares is held, null for its middle
  let asked = 0;

  drawing.append(layer);
  list.replaceChildren(...given.map(({ name }, i) => {
    const item = document.createElement("li");
    const button = pieceButton(name, "green");
    button.dataset.number = i;
    item.append(button);
    return item;
  }));
  given.forEach(({ name, held }) => held.take(shapeOf(name)));
  list.addEventListener("pointerdown", (press) => press.target.closest("[data-piece]") && hold(Number(press.target.closest("[data-piece]").dataset.number), null, true));
  list.addEventListener("click", (click) => click.target.closest("[data-piece]") && hold(Number(click.target.closest("[data-piece]").dataset.number), null, false));
  board.addEventListener("pointerdown", press);
  document.addEventListener("pointermove", (move) => isDragged && carry(move));
  document.addEventListener("pointerup", () => (isDragged = false));
  document.addEventListener("pointercancel", () => (isDragged = false));
  board.addEventListener("keydown", key);
  page.querySelector("#puzzle-turns").addEventListener("click", (click) => {
    const { turnBy, takeBack } = click.target.closest("button")?.dataset ?? {};
    if (turnBy) change((held) => held.turn(turnBy));
    else if (takeBack !== undefined) change(lay);
  });
  page.querySelector("[data-camera]")?.addEventListener("click", lookNow);
  page.querySelector("[data-again]").addEventListener("click", () => {
    given.forEach(({ held }) => lay(held));
    active = null;
    changed();
  });
  changed();

  function lay(held) {
    held.at = null;
  }

  function hold(number, by, dragged) {
    [active, grip, isDragged] = [given[number], by, dragged];
    draw();
  }

  function press(pointer) {
    const cell = cellAt(pointer, drawing, side.rows, side.cols);
    if (!cell) return;
    const number = given.findIndex(({ held }) => held.cells().some((one) => String(one) === String(cell)));
    if (number >= 0) hold(number, cell.map((at, i) => at - given[number].held.at[i]), true);
    else if (active) {
      [grip, isDragged] = [null, true];
      change((held) => held.moveTo(cell));
    }
  }

  function carry(pointer) {
    const cell = cellAt(pointer, drawing, side.rows, side.cols);
    if (cell) change((held) => held.moveTo(cell, grip));
  }

  function key(press_) {
    const step = STEPS[press_.key];
    const name = press_.key.toLowerCase();
    if (step) change((held) => held.nudge(step));
    else if (name === "r" || name === "f") change((held) => held.turn(name === "r" ? "rotate" : "flip"));
    else if (name === "delete" || name === "backspace") change(lay);
    else return;
    press_.preventDefault();
  }

  function change(act) {
    if (!active) return;
    const before = String(active.held.cells());
    act(active.held);
    if (String(active.held.cells()) !== before) changed();
  }

  function draw(offending = []) {
    const laid = given.filter(({ held }) => held.at);
    const edges = laid.map(({ held }) => svg("path", { d: border(held.cells()), class: "laid" })); // what is drawn cannot be moved, what is laid can
    layer.replaceChildren(...laid.flatMap((one) => drawnPiece(one.held.cells(), "green", { halo: one === active })), ...edges, ...offending.map(hazard));
    list.querySelectorAll("button").forEach((button, i) => {
      button.setAttribute("aria-pressed", String(given[i] === active));
      button.classList.toggle("used", Boolean(given[i].held.at));
      button.setAttribute("aria-label", say(given[i].held.at ? "piece.used" : "piece", { name: given[i].name }));
    });
  }

  async function changed() {
    draw();
    const number = ++asked;
    const solution = given.filter(({ held }) => held.at).map(({ name, held }) => ({ piece: name, cells: held.cells() }));
    try {
      const found = await ask(`/api/puzzles/${puzzle}`, { solution });
      if (number === asked) show(found, solution.length);
    } catch (error) {
      if (number === asked) verdict("bad", [error.message]);
    }
  }

  // The pieces on the real board are drawn in place of those laid by hand.
  async function lookNow({ currentTarget: button }) {
    const number = ++asked;
    button.disabled = true;
    verdict("", [say("puzzle.looking")]);
    try {
      const found = await ask(`/api/puzzles/${puzzle}/camera`, {});
      if (number !== asked) return;
      given.forEach(({ held }) => lay(held));
      active = null;
      show(found, 1);
      const seen = found.seen.flatMap((cells) => [...drawnPiece(cells, "green", { halo: false }), svg("path", { d: border(cells), class: "laid" })]);
      layer.prepend(...seen);
      layer.append(...found.unsure.map(unsure));
    } catch (error) {
      if (number === asked) verdict("bad", [error.message]);
    } finally {
      button.disabled = false;
    }
  }

  function unsure([row, col]) {
    const mark = svg("text", { x: col + 0.5, y: row + 0.72, class: "unsure" });
    mark.textContent = "?";
    return mark;
  }

  function show({ solved, wrong, open }, laid) {
    draw(wrong.flatMap(({ cells }) => cells));
    page.querySelector("#puzzle-next").hidden = !solved;
    if (solved) {
      choose(`puzzle-${puzzle}`, "solved");
      verdict("good", [say("puzzle.solved")]);
    } else if (!laid) verdict("", [say("puzzle.hint")]);
    else verdict(wrong.length ? "bad" : "", (wrong.length ? wrong : open).map(({ message }) => message));
  }

  function verdict(tone, lines) {
    const box = page.querySelector("#puzzle-verdict");
    box.className = `verdict needs-script ${tone}`;
    box.replaceChildren(...lines.map((line) => Object.assign(document.createElement("p"), { textContent: line })));
  }
}
