// Choosing a colour and a piece: what the colours' cards show, as buttons.

import { picture, readShapes } from "./shapes.js";
import { say } from "./words.js";

const shapes = readShapes();

/** The shape of a piece, lying down. */
export function shapeOf(name) {
  return shapes.get(name);
}

/** The colours of the game as their cards show them: name, pieces left, and why it plays no more ("" while it does). */
export function colorsOfGame() {
  return [...document.querySelectorAll("#colors [data-color]")].map(({ dataset, classList }) => ({
    name: dataset.color,
    left: dataset.left.split(" ").filter(Boolean),
    retired: dataset.retired,
    isOnTurn: classList.contains("on-turn"),
  }));
}

/** The colour on turn, else the first one. */
export function colorOnTurn() {
  const colors = colorsOfGame();
  return (colors.find((color) => color.isOnTurn) ?? colors[0]).name;
}

/** Fill a fieldset with a chip for each colour; `name` is that of the radio buttons, "empty" is no colour. */
export function fillColors(fieldset, colors, chosen, name) {
  const chips = colors.map((color) => {
    const label = document.createElement("label");
    label.append(Object.assign(document.createElement("input"), { type: "radio", name, value: color, checked: color === chosen }));
    if (color !== "empty") label.append(picture([[0, 0]], color, 16));
    label.append(say(`color.${color}`));
    return label;
  });
  fieldset.replaceChildren(fieldset.querySelector("legend"), ...chips);
}

/** A button for each piece of the variant's set; those that a colour has placed already say so. */
export function pieceButtons(color, chosen = "") {
  const left = colorsOfGame().find((one) => one.name === color)?.left ?? [];
  const names = document.getElementById("live").dataset.set.split(" ");
  return names.map((name) => pieceButton(name, color, { isUsed: !left.includes(name), isChosen: name === chosen }));
}

/** A button with the picture of a piece. */
export function pieceButton(name, color, { isUsed = false, isChosen = false } = {}) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "shape" });
  button.dataset.piece = name;
  button.classList.toggle("used", isUsed);
  button.setAttribute("aria-pressed", String(isChosen));
  button.setAttribute("aria-label", say(isUsed ? "piece.used" : "piece", { name }));
  button.append(picture(shapeOf(name), color, 9));
  return button;
}
