// The page's plain buttons: remedies of a dispute, answers to a question, undo and redo, and decisions that a button names whole.

import { refresh } from "./live.js";
import { decide, tryOut } from "./server.js";
import { confirmed, notify } from "./windows.js";
import { say, told } from "./words.js";

// What the page does not show by itself is said in a message.
const SAID = new Set(["corrected", "rejudged", "resolved", "turn", "missing", "unfinished", "abandoned"]);
const RISKY = new Set(["undo", "misread"]);
const TELLING_MOST = 3; // sentences in one message

/** Let the buttons work; they come and go with the game, so one listener serves them all. */
export function watchActions() {
  document.addEventListener("click", (click) => {
    const button = click.target.closest("button");
    if (!button || button.disabled) return;
    const { resolve, how, answer, choice, decision } = button.dataset;
    if (how) resolveDispute(button, Number(resolve), how);
    else if (answer) carryOut({ decision: "answer", id: Number(answer), choice: Number(choice) }, button);
    else if (decision) carryOut(JSON.parse(decision), button).then((events) => events && button.closest("dialog")?.close());
    else if (button.id === "undo" || button.id === "redo") carryOut({ decision: button.id }, button).then(() => button.closest("dialog")?.close());
  });
  document.addEventListener("game-changed", allow);
  allow();
}

function allow() {
  const { redo, canRest } = document.getElementById("live").dataset;
  document.getElementById("redo").disabled = !redo;
  document.getElementById("pause-line").hidden = !canRest;
}

async function resolveDispute(button, id, how) {
  const label = button.querySelector("b").textContent;
  const decision = { decision: "resolve", id, how };
  if (how === "abandon" && !(await confirmed(`${label}?`, say("abandon.effect")))) return;
  if (RISKY.has(how) && !(await agreed(decision, `${label}?`))) return;
  await carryOut(decision, button);
}

/** Whether people want a decision that makes later moves illegal: they see which before they agree. */
export async function agreed(decision, title) {
  try {
    const broken = (await tryOut(decision)).filter((event) => event.event === "rejudged" && event.now === "illegal");
    return !broken.length || (await confirmed(title, `${say("rejudged.title")} ${broken.map(told).join(" ")}`));
  } catch (error) {
    notify(error.message, { stay: true });
    return false;
  }
}

/** Send a decision and show what came of it; gives its events, or null when it was refused. */
export async function carryOut(decision, button = null) {
  if (button) button.disabled = true;
  try {
    const events = await decide(decision);
    sayWhatCame(decision.decision, events);
    await refresh();
    return events;
  } catch (error) {
    notify(error.message, { stay: true });
    return null;
  } finally {
    if (button) button.disabled = false;
  }
}

function sayWhatCame(name, events) {
  const said = events.filter((event) => SAID.has(event.event)).map(told);
  const isBack = name === "undo";
  if (!said.length && !isBack) return;
  const text = said.slice(0, TELLING_MOST).join(" ") || say("undo.done");
  notify(text, { action: isBack ? { label: say("redo"), run: () => carryOut({ decision: "redo" }) } : { label: say("undo"), run: () => carryOut({ decision: "undo" }) } });
}
