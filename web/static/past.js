// The board as it was after any turn: a slider under it. Pieces lie where they were put down then.

import { svg } from "./shapes.js";
import { say } from "./words.js";

const byId = (id) => document.getElementById(id);
let shown = null; // the turn after which the board is shown, null for now
let game = "";

/** Let the slider work; it is drawn anew with every move. */
export function watchPast() {
  document.addEventListener("input", (input) => input.target.id === "past" && show(Number(input.target.value)));
  document.addEventListener("click", (click) => click.target.id === "past-now" && goToNow());
  document.addEventListener("game-changed", drawAgain);
  drawAgain();
}

function goToNow() {
  show(Number(byId("past").max));
  byId("past").focus();
}

function drawAgain() {
  const number = byId("live").dataset.game;
  if (number !== game) shown = null;
  game = number;
  if (byId("past")) show(shown ?? Number(byId("past").max));
}

function show(turn) {
  const slider = byId("past");
  const last = Number(slider.max);
  shown = turn < last ? turn : null;
  slider.value = turn;
  const words = wordsOf(turn, last);
  slider.setAttribute("aria-valuetext", words);
  byId("past-words").textContent = words;
  byId("past-now").hidden = shown === null;
  drawPieces();
}

function wordsOf(turn, last) {
  if (turn === last) return say("past.now", { turn });
  if (!turn) return say("past.empty");
  const what = [...(byId(`move-${turn}`)?.children ?? [])].slice(2).map((part) => part.textContent).join("");
  return say(what ? "past" : "past.plain", { turn, last, what });
}

function drawPieces() {
  const board = byId("board-svg");
  const isPast = shown !== null;
  board.classList.toggle("past", isPast);
  board.querySelectorAll(".past-halo").forEach((halo) => halo.remove());
  const moved = new Set([...board.querySelectorAll(".was [data-turn]")].map((piece) => piece.dataset.turn));
  for (const piece of board.querySelectorAll(".piece")) {
    const isAsItWas = Boolean(piece.closest(".was")) || !moved.has(piece.dataset.turn);
    piece.classList.toggle("later", isPast && !(isAsItWas && Number(piece.dataset.turn) <= shown));
  }
  const last = isPast && [...board.querySelectorAll(`.piece[data-turn="${shown}"]:not(.later) > path`)][0];
  if (last) board.append(...["halo", "halo-line halo-last"].map((name) => svg("path", { d: last.getAttribute("d"), class: `${name} past-halo` })));
}
