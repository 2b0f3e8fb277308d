// What is laid over a drawn board: pieces with their marks, squares that break a rule, the cursor of the keys.

import { area, border, svg } from "./shapes.js";

/** A copy of the page's board to draw on, without what marks the game's last move. */
export function copyOfBoard() {
  const copy = document.getElementById("board-svg").cloneNode(true);
  copy.querySelectorAll(".halo, .halo-line, .offending, .ghost, .was, title").forEach((mark) => mark.remove());
  copy.querySelectorAll(".later").forEach((piece) => piece.classList.remove("later"));
  [copy, ...copy.querySelectorAll("[id]")].forEach((element) => element.removeAttribute("id"));
  copy.classList.remove("past");
  copy.removeAttribute("role"); // what is around it has a role and a name
  copy.setAttribute("aria-hidden", "true");
  return copy;
}

/** A piece in its colour, with the halo of what is looked at; "empty" clears the squares. */
export function drawnPiece(cells, color, { halo = true } = {}) {
  const isEmpty = color === "empty";
  const parts = [
    svg("path", { d: area(cells), class: isEmpty ? "board-face" : `fill-${color}` }),
    svg("path", { d: area(cells), fill: isEmpty ? "none" : `url(#mark-${color})` }),
  ];
  if (halo) parts.push(svg("path", { d: border(cells), class: "halo" }), svg("path", { d: border(cells), class: "halo-line halo-last" }));
  return parts;
}

/** The mark of a square that breaks a rule. */
export function hazard([row, col]) {
  const mark = svg("g", { class: "offending", transform: `translate(${col} ${row})` });
  mark.append(svg("rect", { class: "offending-edge", x: 0.02, y: 0.02, width: 0.96, height: 0.96, rx: 0.12 }), svg("rect", { fill: "url(#hazard)", x: 0.12, y: 0.12, width: 0.76, height: 0.76 }));
  return mark;
}

/** Where the keys are. */
export function cursorMark([row, col]) {
  return svg("rect", { class: "cursor", x: col, y: row, width: 1, height: 1 });
}
