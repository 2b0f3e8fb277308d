// Talks to the server: decisions, with the token of this page's session.

import { decidesHere } from "./choices.js";
import { say } from "./words.js";

/** What stands in front of the addresses of this page's game: nothing, or the table it is played at. */
export const BASE = document.body.dataset.base;

const LONGEST_WHO = 60; // letters, as the record has room for

async function post(path, body) {
  return fetch(BASE + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRF-Token": document.body.dataset.token },
    body: JSON.stringify(body),
  });
}

async function send(path, body) {
  let answer;
  try {
    answer = await post(path, body);
    // The program has started again since this page was loaded: its sessions are new, the page need not be.
    if (answer.status === 403 && (await renewSession())) answer = await post(path, body);
  } catch {
    throw new Error(say("no.answer"));
  }
  const value = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(value.message || say("answered", { status: answer.status }));
  return value;
}

/** Send a decision; gives the events it caused. Throws an Error with a sentence for people. */
export async function decide(decision) {
  const who = decision.decision === "new_game" ? "" : decidesHere().slice(0, LONGEST_WHO);
  return (await send("/api/decisions", who ? { ...decision, who } : decision)).events;
}

/** The events that a decision would cause; nothing is changed. */
export async function tryOut(decision) {
  return (await send("/api/try", decision)).events;
}

/** Ask one of the routes that judge and change nothing. */
export function ask(path, body) {
  return send(path, body);
}

/** Whether this page may change the game. */
export function mayChange() {
  return document.body.dataset.role === "referee";
}

/** Exchange the table PIN for permission to change the game. */
export async function enterPin(pin) {
  adopt(await send("/api/session", { pin }));
}

/** Ask for this session's token and rights; true when the token is a new one. */
export async function renewSession() {
  try {
    const answer = await fetch(`${BASE}/api/session`, { cache: "no-store" });
    return answer.ok && adopt(await answer.json());
  } catch {
    return false;
  }
}

/** The whole state as JSON. */
export async function readState() {
  const answer = await fetch(`${BASE}/api/state`, { cache: "no-store" });
  if (!answer.ok) throw new Error(say("no.answer"));
  return answer.json();
}

function adopt({ token, may_change: mayChange }) {
  const changed = token !== document.body.dataset.token;
  document.body.dataset.token = token;
  document.body.dataset.role = mayChange ? "referee" : "watcher";
  return changed;
}
