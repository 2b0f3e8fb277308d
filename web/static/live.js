// Keeps the page true: listens to the server's events and swaps the parts of the page that have changed.
//
// The server renders everything; this only fetches "live" again after each event and puts in the parts whose HTML differs.
// After any gap (sleep, lost network, restarted server) the same fetch brings the page up to date.

import { BASE, renewSession } from "./server.js";
import { told } from "./words.js";

const SPOKEN = new Set(["placement", "dispute", "resolved", "question", "corrected", "rejudged", "skipped", "blocked", "unblocked", "finished", "game_over", "unfinished", "abandoned", "new_game", "reminder", "turn", "missing"]);
const LOST_AFTER_MS = 1500; // shorter gaps are reconnections that nobody needs to see
const RETRY_MS = 1500;

const known = new Map(); // part id -> HTML as the server sent it
let lastId = "";
let running = null;
let again = false;
let lostTimer = 0;

/** Start listening; never stops. */
export function followGame() {
  const live = document.getElementById("live");
  lastId = live.dataset.event;
  for (const part of live.querySelectorAll("[data-part]")) known.set(part.id, part.outerHTML);
  connect();
  document.addEventListener("visibilitychange", () => document.hidden || refresh());
}

/** Bring the page up to date. Resolves when it is; calls during a fetch lead to one more fetch. */
export function refresh() {
  if (running) {
    again = true;
    return running;
  }
  running = fetchLive().finally(() => {
    running = null;
    if (again) {
      again = false;
      refresh();
    }
  });
  return running;
}

async function fetchLive() {
  try {
    const answer = await fetch(`${BASE}/live`, { cache: "no-cache" });
    if (!answer.ok) throw new Error(answer.statusText);
    swap(new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("live"));
    document.documentElement.dataset.shown = lastId;
    return true;
  } catch {
    return false;
  }
}

function swap(fresh) {
  const live = document.getElementById("live");
  Object.assign(live.dataset, fresh.dataset);
  document.title = fresh.dataset.title;
  for (const part of fresh.querySelectorAll("[data-part]")) {
    const html = part.outerHTML;
    if (known.get(part.id) === html) continue;
    known.set(part.id, html);
    replace(document.getElementById(part.id), part);
  }
  document.dispatchEvent(new CustomEvent("game-changed"));
}

function replace(old, part) {
  const focused = old.contains(document.activeElement) ? document.activeElement.id : "";
  const scrolled = [...old.querySelectorAll("[data-scrolls]")].map((element) => element.scrollTop);
  old.replaceWith(document.adoptNode(part));
  part.querySelectorAll("[data-scrolls]").forEach((element, i) => (element.scrollTop = scrolled[i] ?? 0));
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

function connect() {
  const source = new EventSource(`${BASE}/api/events?after=${encodeURIComponent(lastId)}`);
  source.onopen = connected;
  source.onmessage = (message) => {
    if (message.lastEventId) lastId = message.lastEventId;
    announce(JSON.parse(message.data), Number(message.lastEventId));
    refresh();
  };
  source.onerror = () => {
    lostTimer ||= setTimeout(poll, LOST_AFTER_MS);
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, RETRY_MS);
  };
}

async function connected() {
  clearTimeout(lostTimer);
  lostTimer = 0;
  document.getElementById("connection").hidden = true;
  await renewSession();
  refresh();
}

// Without a stream the page asks now and then: either the server is gone, or it has no seat for one more listener.
async function poll() {
  document.getElementById("connection").hidden = await refresh();
  lostTimer = setTimeout(poll, RETRY_MS);
}

function announce(event, id) {
  if (!SPOKEN.has(event.event) || !event.sentence) return;
  document.getElementById("announcer").textContent = told(event);
  document.dispatchEvent(new CustomEvent("game-event", { detail: { event, id } }));
}
