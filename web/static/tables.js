// The list of tables and games: asks once a second, while somebody looks, whether anything has changed.

import { wake } from "./wake.js";

const EVERY_MS = 1000;
const MISSED_MOST = 2; // answers; a single one may be late
let shown = "";
let missed = 0;
let asking = false;

async function refresh() {
  if (document.hidden || asking) return;
  asking = true;
  try {
    const answer = await fetch(`/tables-list${location.search}`, { cache: "no-cache" });
    if (!answer.ok) throw new Error(answer.statusText);
    missed = 0;
    show(await answer.text());
  } catch {
    missed += 1; // the list stays as it is until the program answers again
  }
  asking = false;
  document.getElementById("connection").hidden = missed < MISSED_MOST;
}

function show(html) {
  if (html === shown) return;
  shown = html;
  replace(new DOMParser().parseFromString(html, "text/html").getElementById("tables-list"));
}

// Where the reader is stays where it is.
function replace(fresh) {
  const old = document.getElementById("tables-list");
  const focused = old.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  old.replaceWith(document.adoptNode(fresh));
  if (focused) fresh.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

if (document.getElementById("tables-list")) setInterval(refresh, EVERY_MS);
wake();
