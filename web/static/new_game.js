// The form for a new game: shows what the chosen variant leaves open, begins with what the present game was agreed on.

import { BASE, decide } from "./server.js";
import { submitted } from "./windows.js";
import { say } from "./words.js";

const capital = (color) => say(`color.${color}`);

/** Let the form work; afterwards the page of the game is shown. */
export function watchNewGame(form) {
  const fields = form.elements;
  fields.variant.addEventListener("change", () => fit(form));
  fields.shared.addEventListener("change", () => drawNames(form));
  form.addEventListener("change", () => showParts(form));
  form.addEventListener("submit", async (submit) => {
    submit.preventDefault();
    if (await submitted(form, () => decide(agreement(form)))) location.assign(`${BASE}/`);
  });
  fill(form, JSON.parse(form.dataset.agreed));
}

function facts(form) {
  const { colors, people, teams, shared, fixed, scoring, size } = form.elements.variant.selectedOptions[0].dataset;
  return { colors: colors.split(" "), people: Number(people), teams: teams.split(" "), shared, fixed: Boolean(fixed), scoring, size: Number(size) };
}

// The corners in the order of the form's fields: clockwise from the top left of the drawn board.
function corners(size) {
  return [[0, 0], [0, size - 1], [size - 1, size - 1], [size - 1, 0]];
}

// Show what the chosen variant leaves open.
function fit(form) {
  const { colors, shared, scoring } = facts(form);
  const fields = form.elements;
  fields.scoring.value = scoring;
  fields.shared.replaceChildren(...options(colors, shared));
  document.getElementById("order").replaceChildren(...colors.map((color, i) => orderChoice(colors, color, i)));
  document.getElementById("lost").replaceChildren(...colors.map((color) => field(capital(color), `lost-${color}`, "W, I5")));
  form.querySelectorAll("[name='corner']").forEach((select, i) => select.replaceChildren(...options(colors, colors[i])));
  drawNames(form);
  showParts(form);
}

// Hide what does not apply.
function showParts(form) {
  const { colors, shared, fixed } = facts(form);
  const fields = form.elements;
  const assignable = colors.length === 4;
  if (!assignable && fields.starts.value === "assigned") fields.starts.value = "seated";
  form.querySelector("[data-for='shared']").hidden = !shared;
  form.querySelector("[data-for='order']").hidden = fixed;
  form.querySelector("[data-for='assigned']").hidden = !assignable;
  document.getElementById("order").hidden = !fields["order-known"].checked;
  document.getElementById("corners").hidden = fields.starts.value !== "assigned";
}

function options(colors, chosen) {
  return colors.map((color) => new Option(capital(color), color, false, color === chosen));
}

function drawNames(form) {
  const { colors, people, teams, shared } = facts(form);
  const own = shared ? colors.filter((color) => color !== form.elements.shared.value) : colors;
  const seats = people === own.length ? own : teams;
  const holder = document.getElementById("names");
  const kept = [...holder.querySelectorAll("input")].map((input) => input.value);
  holder.replaceChildren(...seats.map((seat, i) => field(seat.split("+").map(capital).join(say("and")), "player", "", kept[i])));
}

function field(title, name, placeholder = "", value = "") {
  const label = document.createElement("label");
  label.className = "names-of";
  label.append(title, Object.assign(document.createElement("input"), { name, placeholder, value: value ?? "", maxLength: 40, autocomplete: "off" }));
  return label;
}

function orderChoice(colors, chosen, i) {
  const label = document.createElement("label");
  const select = Object.assign(document.createElement("select"), { name: "order" });
  select.append(...options(colors, chosen));
  label.append(say(i ? "order.then" : "order.first"), select);
  return label;
}

// What the present game was agreed on.
function fill(form, agreed) {
  const fields = form.elements;
  const all = (name) => form.querySelectorAll(`[name='${name}']`);
  fields.variant.value = agreed.variant;
  fit(form);
  const { colors, size } = facts(form);
  if (agreed.scoring) fields.scoring.value = agreed.scoring;
  if (agreed.shared) fields.shared.value = agreed.shared;
  drawNames(form);
  all("player").forEach((input, i) => (input.value = agreed.players[i] ?? ""));
  fields.starts.value = agreed.starts;
  fields["order-known"].checked = Boolean(agreed.order);
  all("order").forEach((select, i) => (select.value = (agreed.order ?? colors)[i]));
  all("corner").forEach((select, i) => (select.value = colorAt(agreed.start_cells, corners(size)[i]) ?? colors[i]));
  fields.touch.value = agreed.touch;
  fields.mirrored.checked = agreed.mirrored;
  colors.forEach((color) => (fields[`lost-${color}`].value = (agreed.missing[color] ?? []).join(", ")));
  document.getElementById("lost").closest("details").open = colors.some((color) => agreed.missing[color]?.length);
  showParts(form);
}

function colorAt(cells, corner) {
  return Object.entries(cells ?? {}).find(([, cell]) => String(cell) === String(corner))?.[0];
}

// What the form says, as a decision; what is left open is left out.
function agreement(form) {
  const { colors, shared, fixed, size } = facts(form);
  const fields = form.elements;
  const values = (name) => [...form.querySelectorAll(`[name='${name}']`)].map((input) => input.value.trim());
  const decision = { decision: "new_game", variant: fields.variant.value, scoring: fields.scoring.value, touch: fields.touch.value, starts: fields.starts.value };
  const names = values("player");
  if (names.some(Boolean)) decision.players = names.map((name, i) => name || say("player", { n: i + 1 }));
  if (shared) decision.shared = fields.shared.value;
  if (!fixed && fields["order-known"].checked) decision.order = values("order");
  if (decision.starts === "assigned") decision.start_cells = Object.fromEntries(values("corner").map((color, i) => [color, corners(size)[i]]));
  if (fields.mirrored.checked) decision.mirrored = true;
  decision.missing = Object.fromEntries(colors.map((color) => [color, lost(fields[`lost-${color}`].value)]).filter(([, pieces]) => pieces.length));
  return decision;
}

function lost(text) {
  return text.split(/[\s,]+/).filter(Boolean).map((name) => (name.length === 1 || /^[a-z]\d$/i.test(name) ? name.toUpperCase() : name));
}
