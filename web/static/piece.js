// A piece's own window: what it is, its pictures, and how to correct it.

import { carryOut } from "./actions.js";
import { openEditor } from "./editor.js";
import { decide, readState } from "./server.js";
import { confirmed, notify } from "./windows.js";

let shown = null;

/** Let pieces on the board and moves in the list open their window. */
export function watchPieces() {
  document.addEventListener("click", (click) => {
    const turn = click.target.closest("[data-open-turn]")?.dataset.openTurn ?? click.target.closest("#board [data-turn]")?.dataset.turn;
    if (turn) open(Number(turn));
  });
  document.getElementById("piece-replace").addEventListener("click", () => {
    document.getElementById("piece").close();
    openEditor("correct", shown);
  });
  document.getElementById("piece-delete").addEventListener("click", remove);
}

async function open(turn) {
  let state;
  try {
    state = await readState();
  } catch (error) {
    notify(error.message, { stay: true });
    return;
  }
  shown = state.placements.find((placement) => placement.turn === turn);
  if (!shown) return;
  document.getElementById("piece-title").textContent = `${capital(shown.color)} ${shown.piece ?? ""}`;
  document.getElementById("piece-facts").textContent = facts(shown);
  document.getElementById("piece-photos").replaceChildren(...(shown.evidence ?? []).map(photo));
  document.getElementById("piece").showModal();
}

function facts({ turn, ruling, kinds, cells }) {
  const words = { legal: "legal", illegal: "disputed", let_stand: "against the rules, but the table let it stand" };
  const why = kinds?.length ? ` (${kinds.join(", ").replaceAll("_", " ")})` : "";
  return `Turn ${turn}, ${cells.length === 1 ? "1 square" : `${cells.length} squares`}: ${words[ruling] ?? ruling}${why}.`;
}

function photo(name, i) {
  const figure = document.createElement("figure");
  const picture = document.createElement("img");
  const caption = document.createElement("figcaption");
  caption.textContent = i ? "After" : "Before";
  picture.alt = `Photograph of the board ${caption.textContent.toLowerCase()} this placement`;
  picture.src = `/evidence/${encodeURIComponent(name)}.jpg`;
  picture.onerror = () => figure.remove();
  figure.append(picture, caption);
  figure.className = "photo";
  return figure;
}

async function remove() {
  const decision = { decision: "correct", turn: shown.turn, now: null };
  document.getElementById("piece").close();
  if (await agreed(decision)) await carryOut(decision);
}

// Taking a piece away may change later rulings: people see which before they agree.
async function agreed(decision) {
  try {
    const broken = (await decide({ ...decision, preview: true })).flatMap((event) => event.rejudged ?? []);
    if (!broken.length) return true;
    const turns = broken.map((one) => one.turn).filter(Boolean).join(", ");
    return confirmed("Delete this placement?", `Later moves will be judged anew${turns ? `: turn ${turns}` : ""}.`);
  } catch (error) {
    notify(error.message, { stay: true });
    return false;
  }
}

function capital(word) {
  return word[0].toUpperCase() + word.slice(1);
}
