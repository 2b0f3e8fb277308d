// The editor: enter a placement by hand, ask whether one would be legal, correct a move, correct single squares.
//
// Its drawn board is a copy of the page's. A draft lies over it: a piece that moves as one, or squares set one by one.

import { carryOut } from "./actions.js";
import { decide } from "./server.js";
import { area, border, extent, flipped, moved, picture, readShapes, svg, turned } from "./shapes.js";

const MODES = {
  place: { title: "Enter a placement", done: "Place it", hint: "Choose a piece, then tap the board." },
  ask: { title: "Is this legal?", done: "", hint: "Choose a piece, then tap the board: nothing is placed." },
  correct: { title: "Correct a move", done: "Correct it", hint: "Move the piece, choose another, or set its squares." },
  cells: { title: "Correct squares", done: "Correct them", hint: "Choose what really lies there, then tap the squares." },
};
const ASK_AFTER_MS = 120; // a moving piece asks when it rests, not at every square

const draft = { mode: "place", turn: null, color: "", piece: "", shape: [], at: null, squares: null };
let shapes = new Map();
let askTimer = 0;
let asked = 0;

const byId = (id) => document.getElementById(id);

/** Let the buttons that open the editor, and the editor itself, work. */
export function watchEditor() {
  shapes = readShapes();
  document.addEventListener("click", (click) => {
    const opener = click.target.closest("[data-editor]");
    if (opener) openEditor(opener.dataset.editor);
  });
  document.addEventListener("game-changed", () => byId("editor").open && drawBoard());
  byId("editor-colors").addEventListener("change", (change) => chooseColor(change.target.value));
  byId("editor").querySelector(".palette").addEventListener("click", (click) => {
    const button = click.target.closest("[data-piece]");
    if (button) choosePiece(button.dataset.piece);
  });
  byId("editor-turns").addEventListener("click", turnButton);
  byId("editor-done").addEventListener("click", finish);
  watchBoard(byId("editor-board"));
}

/** Open the editor in one of its modes; `move` is the placement to correct. */
export function openEditor(mode, move = null) {
  Object.assign(draft, { mode, turn: move?.turn ?? null, piece: move?.piece ?? "", shape: [], at: null, squares: mode === "cells" ? [] : null });
  if (move) {
    draft.shape = moved(move.cells);
    draft.at = [Math.min(...move.cells.map(([row]) => row)), Math.min(...move.cells.map(([, col]) => col))];
    if (!move.piece) draft.squares = move.cells;
  }
  byId("editor-title").textContent = MODES[mode].title;
  byId("editor-done").textContent = MODES[mode].done;
  byId("editor-done").hidden = !MODES[mode].done;
  byId("editor-pieces").hidden = byId("editor-turns").hidden = mode === "cells";
  drawColors(move?.color ?? onTurn());
  drawBoard();
  verdict("", MODES[mode].hint);
  byId("editor").showModal();
  byId("editor-board").focus();
  changed();
}

function cards() {
  return [...document.querySelectorAll("#colors [data-color]")];
}

function onTurn() {
  return (document.querySelector("#colors .on-turn") ?? cards()[0]).dataset.color;
}

function drawColors(chosen) {
  const colors = cards().map((card) => card.dataset.color);
  const choices = draft.mode === "cells" ? [...colors, "empty"] : colors;
  const chips = choices.map((color) => {
    const label = document.createElement("label");
    const radio = Object.assign(document.createElement("input"), { type: "radio", name: "color", value: color, checked: color === chosen });
    label.append(radio);
    if (color !== "empty") label.append(picture([[0, 0]], color, 16));
    label.append(color === "empty" ? "Empty" : color[0].toUpperCase() + color.slice(1));
    return label;
  });
  byId("editor-colors").replaceChildren(byId("editor-colors").querySelector("legend"), ...chips);
  chooseColor(chosen);
}

function chooseColor(color) {
  draft.color = color;
  const left = (cards().find((card) => card.dataset.color === color)?.dataset.left ?? "").split(" ");
  const buttons = color === "empty" ? [] : [...shapes].filter(([name]) => inSet(name)).map(([name, cells]) => {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "shape" });
    button.dataset.piece = name;
    button.classList.toggle("used", !left.includes(name));
    button.setAttribute("aria-pressed", String(name === draft.piece));
    button.setAttribute("aria-label", left.includes(name) ? `Piece ${name}` : `Piece ${name}, placed already`);
    button.append(picture(cells, color, 9));
    return button;
  });
  byId("editor").querySelector(".palette").replaceChildren(...buttons);
  changed();
}

function inSet(name) {
  return document.getElementById("live").dataset.set.split(" ").includes(name);
}

function choosePiece(name) {
  draft.piece = name;
  draft.shape = shapes.get(name);
  draft.squares = null;
  if (draft.at) draft.at = kept(draft.at);
  for (const button of document.querySelectorAll(".palette button")) button.setAttribute("aria-pressed", String(button.dataset.piece === name));
  changed();
}

function turnButton(click) {
  const button = click.target.closest("button");
  if (button?.dataset.turnBy) turnPiece(button.dataset.turnBy);
  else if (button?.id === "editor-squares") toggleSquares();
}

function turnPiece(way) {
  if (!draft.shape.length || draft.squares) return;
  draft.shape = way === "flip" ? flipped(draft.shape) : turned(draft.shape);
  if (draft.at) draft.at = kept(draft.at);
  changed();
}

function toggleSquares() {
  if (draft.squares?.length) {
    const cells = draft.squares;
    draft.at = [Math.min(...cells.map(([row]) => row)), Math.min(...cells.map(([, col]) => col))];
    draft.shape = moved(cells);
    draft.squares = null;
  } else {
    draft.squares = draft.squares ? null : cellsOf();
  }
  changed();
}

function size() {
  return Number(byId("board-svg").dataset.size);
}

function cellsOf() {
  if (draft.squares) return draft.squares;
  return draft.at ? draft.shape.map(([row, col]) => [row + draft.at[0], col + draft.at[1]]) : [];
}

// The nearest place at which the whole piece lies on the board.
function kept([row, col]) {
  const [rows, cols] = extent(draft.shape);
  return [Math.max(0, Math.min(size() - rows, row)), Math.max(0, Math.min(size() - cols, col))];
}

function watchBoard(board) {
  board.addEventListener("pointerdown", (press) => {
    board.setPointerCapture(press.pointerId);
    point(press, true);
  });
  board.addEventListener("pointermove", (move) => board.hasPointerCapture(move.pointerId) && point(move, false));
  board.addEventListener("keydown", key);
}

function point(pointer, first) {
  const drawing = byId("editor-board").querySelector("svg");
  const spot = new DOMPoint(pointer.clientX, pointer.clientY).matrixTransform(drawing.getScreenCTM().inverse());
  const cell = [Math.floor(spot.y), Math.floor(spot.x)];
  if (cell.some((number) => number < 0 || number >= size())) return;
  if (draft.squares) {
    if (first) toggleSquare(cell);
  } else if (draft.shape.length) {
    const [rows, cols] = extent(draft.shape);
    draft.at = kept([cell[0] - Math.floor((rows - 1) / 2), cell[1] - Math.floor((cols - 1) / 2)]);
    changed();
  }
}

function toggleSquare(cell) {
  const without = draft.squares.filter((other) => String(other) !== String(cell));
  draft.squares = without.length < draft.squares.length ? without : [...without, cell];
  changed();
}

function key(press) {
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const step = steps[press.key];
  if (step && draft.shape.length && !draft.squares) {
    const middle = Math.floor(size() / 2);
    const [row, col] = draft.at ?? [middle - step[0], middle - step[1]];
    draft.at = kept([row + step[0], col + step[1]]);
    changed();
  } else if (press.key.toLowerCase() === "r") turnPiece("rotate");
  else if (press.key.toLowerCase() === "f") turnPiece("flip");
  else if (press.key === "Enter" && !byId("editor-done").disabled && !byId("editor-done").hidden) finish();
  else return;
  press.preventDefault();
}

function drawBoard() {
  const copy = byId("board-svg").cloneNode(true);
  copy.id = "editor-svg";
  copy.querySelectorAll(".halo, .halo-line, .offending, .ghost").forEach((mark) => mark.remove());
  copy.querySelectorAll("[id]").forEach((element) => element.removeAttribute("id"));
  copy.querySelectorAll("title").forEach((title) => title.remove());
  copy.querySelector(`.piece[data-turn="${draft.turn}"]`)?.remove();
  copy.append(svg("g", { class: "draft" }));
  byId("editor-board").replaceChildren(copy);
  drawDraft();
}

function drawDraft(offending = []) {
  const layer = byId("editor-board").querySelector(".draft");
  const cells = cellsOf();
  const fill = draft.color === "empty" ? { class: "board-face" } : { class: `fill-${draft.color}` };
  const parts = cells.length ? [
    svg("path", { d: area(cells), ...fill }),
    svg("path", { d: area(cells), fill: draft.color === "empty" ? "none" : `url(#mark-${draft.color})` }),
    svg("path", { d: border(cells), class: "halo" }),
    svg("path", { d: border(cells), class: "halo-line halo-last" }),
  ] : [];
  for (const [row, col] of offending) {
    const mark = svg("g", { class: "offending", transform: `translate(${col} ${row})` });
    mark.append(svg("rect", { class: "offending-edge", x: 0.02, y: 0.02, width: 0.96, height: 0.96, rx: 0.12 }), svg("rect", { fill: "url(#hazard)", x: 0.12, y: 0.12, width: 0.76, height: 0.76 }));
    parts.push(mark);
  }
  layer.replaceChildren(...parts);
}

// After every change of the draft: draw it, and ask what the rules say of it.
function changed() {
  if (!byId("editor-board").firstChild) return;
  drawDraft();
  byId("editor-squares").setAttribute("aria-pressed", String(draft.squares !== null));
  const cells = cellsOf();
  byId("editor-done").disabled = !cells.length;
  byId("editor-done").textContent = MODES[draft.mode].done;
  clearTimeout(askTimer);
  asked += 1;
  if (!cells.length) verdict("", MODES[draft.mode].hint);
  else if (draft.mode !== "cells") askTimer = setTimeout(ask, ASK_AFTER_MS, asked);
}

async function ask(number) {
  const cells = cellsOf();
  const question = draft.mode === "correct"
    ? { decision: "correct", turn: draft.turn, now: { color: draft.color, cells }, preview: true }
    : { decision: "would_be_legal", color: draft.color, cells };
  try {
    const events = await decide(question);
    if (number === asked) show(events);
  } catch (error) {
    if (number === asked) verdict("bad", error.message);
  }
}

function show(events) {
  const [answer] = events;
  const legal = answer?.legal ?? null;
  verdict(legal === null ? "" : legal ? "good" : "bad", events.map((event) => event.sentence || event.message).join(" "));
  drawDraft(answer?.offending_cells ?? []);
  if (draft.mode === "place" && legal === false) byId("editor-done").textContent = "Place it all the same";
}

function verdict(tone, text) {
  const line = byId("editor-verdict");
  line.className = `verdict ${tone}`;
  line.textContent = text;
}

async function finish() {
  const cells = cellsOf();
  const { mode, turn, color } = draft;
  const decision = mode === "correct" ? { decision: "correct", turn, now: { color, cells } }
    : mode === "cells" ? { decision: "set_cells", cells, color: color === "empty" ? null : color }
    : { decision: "place", color, cells };
  if (await carryOut(decision, byId("editor-done"))) byId("editor").close();
}
