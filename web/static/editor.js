// The editor: enter a placement by hand, ask whether one would be legal, correct or delete a move, insert one that was missed,
// say what the camera misread, correct single squares.
//
// Its drawn board is a copy of the page's. A draft lies over it: a piece that moves as one, or squares set one by one.

import { agreed, carryOut } from "./actions.js";
import { aboutMove } from "./about.js";
import { copyOfBoard, cursorMark, drawnPiece, hazard } from "./drawing.js";
import { cellAt, Held, STEPS } from "./held.js";
import { colorOnTurn, colorsOfGame, fillColors, pieceButtons, shapeOf } from "./palette.js";
import { decide, mayChange, readState, tryOut } from "./server.js";
import { svg } from "./shapes.js";
import { notify } from "./windows.js";
import { pieceWords, say, told } from "./words.js";

const ASK_AFTER_MS = 120; // a moving piece asks when it rests, not at every square

const draft = { mode: "place", move: null, turn: null, dispute: null, color: "", piece: "", held: new Held(20, 20), squares: null, cursor: null };
let askTimer = 0;
let asked = 0;

const byId = (id) => document.getElementById(id);
const board = () => byId("editor-board");
const isSame = (one, other) => String(one) === String(other);

/** Let the buttons that open the editor, the moves and pieces, and the editor itself, work. */
export function watchEditor() {
  document.addEventListener("click", (click) => {
    const opener = click.target.closest("[data-editor]");
    if (opener) openFrom(opener);
    const turn = click.target.closest(".moves button")?.id.slice("move-".length) ?? click.target.closest("#board [data-turn]")?.dataset.turn;
    if (turn) openMove(Number(turn));
  });
  document.addEventListener("game-changed", () => byId("editor").open && drawBoard());
  byId("editor-colors").addEventListener("change", (change) => chooseColor(change.target.value));
  byId("editor-when").addEventListener("change", () => {
    draft.turn = Number(byId("editor-turn").value);
    changed();
  });
  byId("editor").querySelector(".palette").addEventListener("click", (click) => {
    const button = click.target.closest("[data-piece]");
    if (button) choosePiece(button.dataset.piece);
  });
  byId("editor-turns").addEventListener("click", turnButton);
  byId("editor-done").addEventListener("click", finish);
  byId("editor-delete").addEventListener("click", remove);
  board().addEventListener("pointerdown", press);
  board().addEventListener("pointermove", (move) => board().hasPointerCapture(move.pointerId) && !draft.squares && point(move));
  board().addEventListener("keydown", key);
}

// -- opening

async function openFrom(opener) {
  const mode = opener.dataset.editor;
  opener.closest("dialog")?.close();
  const state = mode === "insert" || mode === "misread" ? await stateOrNotice() : null;
  if (mode === "insert" && state) openEditor(state.placements.length ? mode : "place", { moves: state.placements });
  else if (mode === "misread" && state) {
    const dispute = state.disputes.find((one) => one.id === Number(opener.dataset.dispute));
    if (dispute) openEditor(mode, { dispute, move: { ...dispute, turn: null } });
  } else if (!state) openEditor(mode);
}

async function openMove(turn) {
  const state = await stateOrNotice();
  const move = state?.placements.find((placement) => placement.turn === turn);
  if (move) openEditor("correct", { move });
}

async function stateOrNotice() {
  try {
    return await readState();
  } catch (error) {
    notify(error.message, { stay: true });
    return null;
  }
}

function openEditor(mode, { move = null, moves = [], dispute = null } = {}) {
  const side = Number(byId("board-svg").dataset.size);
  Object.assign(draft, { mode, move, dispute, turn: move?.turn ?? null, piece: move?.piece ?? "", held: new Held(side, side), cursor: null });
  draft.squares = mode === "cells" ? [] : null;
  if (move?.cells.length) {
    draft.held.lift(move.cells);
    if (!move.piece) draft.squares = move.cells;
  }
  byId("editor").dataset.mode = mode;
  byId("editor-title").textContent = mode === "correct" ? say("editor.correct", { turn: move.turn, piece: pieceWords(move.color, move.piece) }) : say(`editor.${mode}`);
  byId("editor-about").replaceChildren(...(mode === "correct" ? aboutMove(move) : []));
  fillTurns(moves);
  drawBoard();
  drawColors(move?.color ?? colorOnTurn());
  byId("editor").showModal();
  board().focus();
}

function fillTurns(moves) {
  byId("editor-when").hidden = !moves.length;
  if (!moves.length) return;
  byId("editor-turn").replaceChildren(...moves.map((move) => new Option(say("editor.before", { turn: move.turn, piece: pieceWords(move.color, move.piece) }), move.turn)));
  draft.turn = moves.at(-1).turn;
  byId("editor-turn").value = draft.turn;
}

// -- choosing

function drawColors(chosen) {
  const names = colorsOfGame().map((color) => color.name);
  fillColors(byId("editor-colors"), draft.mode === "cells" ? [...names, "empty"] : names, chosen, "color");
  chooseColor(chosen);
}

function chooseColor(color) {
  draft.color = color;
  byId("editor").querySelector(".palette").replaceChildren(...(color === "empty" ? [] : pieceButtons(color, draft.piece)));
  changed();
}

function choosePiece(name) {
  Object.assign(draft, { piece: name, squares: null });
  draft.held.take(shapeOf(name));
  for (const button of byId("editor").querySelectorAll(".palette button")) button.setAttribute("aria-pressed", String(button.dataset.piece === name));
  changed();
}

function turnButton(click) {
  const button = click.target.closest("button");
  if (button?.dataset.turnBy) turnPiece(button.dataset.turnBy);
  else if (button?.id === "editor-squares") toggleSquares();
}

function turnPiece(way) {
  if (isFixed() || !draft.held.shape.length || draft.squares) return;
  draft.held.turn(way);
  changed();
}

function toggleSquares() {
  const set = draft.squares;
  draft.squares = set ? null : draft.held.cells();
  if (set?.length) draft.held.lift(set);
  changed();
}

// Whoever may not change the game looks at a move without moving it.
function isFixed() {
  return !mayChange() && draft.mode !== "ask";
}

// -- the board

function press(pointer) {
  board().setPointerCapture(pointer.pointerId);
  point(pointer);
}

function point(pointer) {
  const { rows, cols, shape } = draft.held;
  const cell = cellAt(pointer, board().querySelector("svg"), rows, cols);
  if (!cell || isFixed()) return;
  if (draft.squares) toggleSquare(cell);
  else if (shape.length) {
    draft.held.moveTo(cell);
    changed();
  }
}

function toggleSquare(cell) {
  const without = draft.squares.filter((other) => !isSame(other, cell));
  draft.squares = without.length < draft.squares.length ? without : [...without, cell];
  changed();
}

function key(press_) {
  const name = press_.key.toLowerCase();
  const step = STEPS[press_.key];
  if (isFixed()) return;
  if (step) arrow(step);
  else if (name === " " && draft.squares) toggleSquare(cursor());
  else if (name === "r") turnPiece("rotate");
  else if (name === "f") turnPiece("flip");
  else if (name === "enter" && !byId("editor-done").disabled && !byId("editor-done").hidden) finish();
  else return;
  press_.preventDefault();
}

function arrow([down, right]) {
  if (draft.squares) {
    const { rows, cols } = draft.held;
    const [row, col] = draft.cursor ? [draft.cursor[0] + down, draft.cursor[1] + right] : cursor();
    draft.cursor = [Math.max(0, Math.min(rows - 1, row)), Math.max(0, Math.min(cols - 1, col))];
    drawDraft();
  } else if (draft.held.shape.length) {
    draft.held.nudge([down, right]);
    changed();
  }
}

function cursor() {
  return draft.cursor ?? draft.squares?.at(-1) ?? [Math.floor(draft.held.rows / 2), Math.floor(draft.held.cols / 2)];
}

function drawBoard() {
  const copy = copyOfBoard();
  if (draft.move) copy.querySelectorAll(`.piece[data-turn="${draft.move.turn}"]`).forEach((piece) => piece.remove());
  if (draft.dispute) copy.querySelectorAll(".piece.disputed").forEach((piece) => piece.remove());
  copy.append(svg("g", { class: "draft" }));
  board().replaceChildren(copy);
  drawDraft();
}

function cellsOf() {
  return draft.squares ?? draft.held.cells();
}

function drawDraft(offending = []) {
  const layer = board().querySelector(".draft");
  if (!layer) return;
  const cells = cellsOf();
  const parts = cells.length ? drawnPiece(cells, draft.color) : [];
  if (draft.squares && draft.cursor) parts.push(cursorMark(draft.cursor));
  layer.replaceChildren(...parts, ...offending.map(hazard));
}

// -- what the rules say of it

function isUntouched() {
  const { mode, move, color } = draft;
  return mode === "correct" && color === move.color && isSame([...cellsOf()].sort(), [...move.cells].sort());
}

// After every change of the draft: draw it, and ask what the rules say of it.
function changed() {
  drawDraft();
  byId("editor-squares").setAttribute("aria-pressed", String(draft.squares !== null));
  const cells = cellsOf();
  const isIdle = !cells.length || isUntouched();
  byId("editor-done").disabled = !cells.length;
  byId("editor-done").textContent = say(isUntouched() ? "editor.right" : `editor.${draft.mode}.done`);
  clearTimeout(askTimer);
  asked += 1;
  if (isIdle || draft.mode === "cells") verdict("", say(`editor.${draft.mode}.hint`));
  if (!isIdle) askTimer = setTimeout(ask, ASK_AFTER_MS, asked);
}

function decisionOf() {
  const { mode, turn, color, dispute } = draft;
  const cells = cellsOf();
  if (mode === "correct") return { decision: "correct", turn, now: { color, cells } };
  if (mode === "insert") return { decision: "place", turn, color, cells };
  if (mode === "misread") return { decision: "resolve", id: dispute.id, how: "misread", now: { color, cells } };
  if (mode === "cells") return { decision: "set_cells", cells, color: color === "empty" ? null : color };
  return { decision: "place", color, cells };
}

async function ask(number) {
  const isPlain = draft.mode === "place" || draft.mode === "ask";
  const question = isPlain ? { decision: "would_be_legal", color: draft.color, cells: cellsOf() } : decisionOf();
  try {
    const events = await (isPlain ? decide : tryOut)(question);
    if (number === asked) show(events);
  } catch (error) {
    if (number === asked) verdict("bad", error.message);
  }
}

function show(events) {
  const wrong = events.filter((event) => event.event === "dispute" || (event.event === "legality" && !event.legal));
  const later = events.filter((event) => event.event === "rejudged");
  const said = [...wrong, ...later].map((event) => told(event) ?? event.message);
  const answer = events.find((event) => event.event === "legality");
  const isRisky = later.some((event) => event.now === "illegal");
  verdict(wrong.length ? "bad" : isRisky ? "" : "good", said.join(" ") || (answer && told(answer)) || say("editor.fine"));
  drawDraft(wrong.flatMap((event) => event.offending_cells ?? []));
  if (draft.mode === "place" && wrong.length) byId("editor-done").textContent = say("editor.place.anyway");
}

function verdict(tone, text) {
  const line = byId("editor-verdict");
  line.className = `verdict ${tone}`;
  line.textContent = text;
}

async function finish() {
  if (isUntouched() || (await carryOut(decisionOf(), byId("editor-done")))) byId("editor").close();
}

async function remove() {
  const decision = { decision: "correct", turn: draft.turn, now: null };
  if (!(await agreed(decision, say("delete.title")))) return;
  if (await carryOut(decision, byId("editor-delete"))) byId("editor").close();
}
