// The page's plain buttons: remedies of a dispute, answers to a question, undo and redo, claims.

import { refresh } from "./live.js";
import { decide } from "./server.js";
import { confirmed, notify } from "./windows.js";

const ANSWERS = new Set(["claim", "legality"]);

/** Let the buttons work; they come and go with the game, so one listener serves them all. */
export function watchActions() {
  document.addEventListener("click", (click) => {
    const button = click.target.closest("button");
    if (!button || button.disabled) return;
    const { resolve, how, answer, choice, claim } = button.dataset;
    if (resolve) resolveDispute(button, Number(resolve), how);
    else if (answer) carryOut({ decision: "answer", id: Number(answer), choice: Number(choice) }, button);
    else if (claim) carryOut({ decision: "claim_blocked", color: claim }, button);
    else if (button.id === "undo" || button.id === "redo") carryOut({ decision: button.id }, button);
  });
}

async function resolveDispute(button, id, how) {
  const label = button.querySelector("b").textContent;
  if (how === "abandon" && !(await confirmed(`${label}?`, "The game ends without a winner."))) return;
  await carryOut({ decision: "resolve", id, how }, button);
}

/** Send a decision and show what came of it; gives its events, or null when it was refused. */
export async function carryOut(decision, button = null) {
  if (button) button.disabled = true;
  try {
    const events = await decide(decision);
    sayWhatCame(events);
    await refresh();
    return events;
  } catch (error) {
    notify(error.message, { stay: true });
    return null;
  } finally {
    if (button) button.disabled = false;
  }
}

// The page itself shows what has changed; a message is due for answers, and for later moves that were judged anew.
function sayWhatCame(events) {
  const said = events.filter((event) => ANSWERS.has(event.event) || event.event === "rejudged").map((event) => event.sentence);
  if (said.length) notify(said.join(" "));
}
