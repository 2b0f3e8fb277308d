// "Am I blocked?": yes or no with the proof in numbers; a placement that fits is advice, and comes only when asked for once more.

import { copyOfBoard, drawnPiece } from "./drawing.js";
import { refresh } from "./live.js";
import { colorsOfGame } from "./palette.js";
import { decide } from "./server.js";
import { picture } from "./shapes.js";
import { notify } from "./windows.js";
import { pieceWords, say, told } from "./words.js";

const byId = (id) => document.getElementById(id);
let claimed = "";

/** Let the buttons that ask, and the window with the answer, work. */
export function watchClaims() {
  document.addEventListener("click", (click) => {
    if (click.target.closest("[data-dialog='help']")) fillColors();
    const button = click.target.closest("[data-claim]");
    if (button) claim(button.dataset.claim);
  });
  byId("claim-show").addEventListener("click", () => claim(claimed, true));
}

function fillColors() {
  const playing = colorsOfGame().filter((color) => !color.retired);
  byId("claim-colors").replaceChildren(...playing.map(({ name }) => {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "chip" });
    button.dataset.claim = name;
    button.append(picture([[0, 0]], name, 16), say(`color.${name}`));
    return button;
  }));
}

async function claim(color, isShown = false) {
  claimed = color;
  try {
    const events = await decide({ decision: "claim_blocked", color, show: isShown });
    show(events.find((event) => event.event === "claim"));
    await refresh();
  } catch (error) {
    notify(error.message, { stay: true });
  }
}

function show(answer) {
  byId("help").close();
  byId("claim-title").textContent = say("claim.title", { color: say(`color.${answer.color}`) });
  byId("claim-answer").textContent = say(answer.blocked ? "claim.yes" : answer.retired ? "claim.finished" : "claim.no");
  byId("claim-proof").textContent = told(answer);
  byId("claim-show").hidden = !answer.fitting || Boolean(answer.example);
  byId("claim-example").replaceChildren(...(answer.example ? [drawn(answer.example, answer.color)] : []));
  byId("claim-caption").textContent = answer.example ? say("claim.example", { piece: pieceWords(answer.color, answer.example.piece) }) : "";
  if (!byId("claim").open) byId("claim").showModal();
}

function drawn({ cells }, color) {
  const copy = copyOfBoard();
  copy.append(...drawnPiece(cells, color));
  return copy;
}
