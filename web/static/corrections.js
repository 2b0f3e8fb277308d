// The window "put something right": whose turn, mixed up colours, lost pieces, an early end. The editor does the rest.

import { agreed, carryOut } from "./actions.js";
import { colorsOfGame, fillColors, pieceButton } from "./palette.js";
import { picture } from "./shapes.js";
import { tryOut } from "./server.js";
import { confirmed, notify } from "./windows.js";
import { pieceWords, say, told } from "./words.js";

const byId = (id) => document.getElementById(id);

/** Let the window work. */
export function watchCorrections() {
  document.addEventListener("click", (click) => {
    if (click.target.closest("[data-dialog='correct']")) fill();
    if (click.target.closest("[data-dialog='lost-piece']")) chooseLost(colorsOfGame()[0].name);
    if (click.target.closest("[data-finish]")) finish();
  });
  byId("lost-colors").addEventListener("change", (change) => chooseLost(change.target.value));
  byId("lost-pieces").addEventListener("click", lose);
  byId("swap-pairs").addEventListener("click", swap);
}

function fill() {
  const colors = colorsOfGame();
  const others = colors.filter((color) => !color.retired && !color.isOnTurn);
  byId("turn-colors").replaceChildren(...others.map(({ name }) => button([name], { decision: "set_turn", color: name })));
  const pairs = colors.flatMap((one, i) => colors.slice(i + 1).map((other) => [one.name, other.name]));
  byId("swap-pairs").replaceChildren(...pairs.map((pair) => button(pair, null, pair)));
}

function button(colors, decision, pair = null) {
  const made = Object.assign(document.createElement("button"), { type: "button", className: "chip" });
  if (decision) made.dataset.decision = JSON.stringify(decision);
  if (pair) made.dataset.pair = pair.join(" ");
  const words = colors.map((color) => say(`color.${color}`));
  made.setAttribute("aria-label", words.join(say("and")));
  colors.forEach((color, i) => made.append(i ? " ⇄ " : "", picture([[0, 0]], color, 16), ` ${words[i]}`));
  return made;
}

async function swap(click) {
  const chosen = click.target.closest("[data-pair]");
  if (!chosen) return;
  const decision = { decision: "swap_colors", colors: chosen.dataset.pair.split(" ") };
  if ((await agreed(decision, say("swap.title"))) && (await carryOut(decision, chosen))) byId("correct").close();
}

function chooseLost(color) {
  const colors = colorsOfGame();
  fillColors(byId("lost-colors"), colors.map((one) => one.name), color, "lost-color");
  const left = colors.find((one) => one.name === color).left;
  byId("lost-pieces").replaceChildren(...[...new Set(left)].map((name) => pieceButton(name, color)));
  byId("lost-pieces").dataset.color = color;
}

async function lose(click) {
  const piece = click.target.closest("[data-piece]")?.dataset.piece;
  const color = byId("lost-pieces").dataset.color;
  if (!piece || !(await confirmed(say("lost.title", { piece: pieceWords(color, piece) }), say("lost.effect")))) return;
  if (await carryOut({ decision: "declare_missing", color, pieces: [piece] })) byId("lost-piece").close();
}

// Stopping early names who could still move, before anybody agrees.
async function finish() {
  byId("correct").close();
  try {
    const [event] = await tryOut({ decision: "finish" });
    if (await confirmed(say("finish.title"), `${told(event)} ${say("finish.effect")}`)) await carryOut({ decision: "finish" });
  } catch (error) {
    notify(error.message, { stay: true });
  }
}
