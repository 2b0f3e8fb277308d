// The windows "new game" and "table PIN".

import { refresh } from "./live.js";
import { decide, enterPin } from "./server.js";
import { notify, submitted } from "./windows.js";
import { say } from "./words.js";

const capital = (color) => say(`color.${color}`);

/** Let both windows work. */
export function watchSetup() {
  watchNewGame(document.querySelector("#new-game form"));
  const pin = document.querySelector("#pin form");
  if (pin) watchPin(pin);
}

function watchPin(form) {
  form.addEventListener("submit", async (submit) => {
    submit.preventDefault();
    if (!(await submitted(form, () => enterPin(form.elements.pin.value)))) return;
    form.reset();
    form.closest("dialog").close();
    notify(say("pin.right"));
  });
}

function watchNewGame(form) {
  const fields = form.elements;
  fields.variant.value = document.getElementById("live").dataset.variant;
  fields.variant.addEventListener("change", () => fit(form));
  fields.shared.addEventListener("change", () => drawNames(form));
  fields["order-known"].addEventListener("change", () => (document.getElementById("order").hidden = !fields["order-known"].checked));
  form.addEventListener("submit", async (submit) => {
    submit.preventDefault();
    if (await submitted(form, () => decide(agreement(form)))) {
      form.closest("dialog").close();
      await refresh();
    }
  });
  fit(form);
}

function facts(form) {
  const { colors, people, teams, shared, fixed, scoring } = form.elements.variant.selectedOptions[0].dataset;
  return { colors: colors.split(" "), people: Number(people), teams: teams.split(" "), shared, fixed: Boolean(fixed), scoring };
}

// Show what the chosen variant leaves open.
function fit(form) {
  const { colors, shared, fixed, scoring } = facts(form);
  form.elements.scoring.value = scoring;
  form.querySelectorAll("[data-for='free']").forEach((part) => (part.hidden = fixed));
  form.querySelector("[data-for='shared']").hidden = !shared;
  form.elements.shared.replaceChildren(...colors.map((color) => new Option(capital(color), color, false, color === shared)));
  document.getElementById("order").replaceChildren(...colors.map((color, i) => orderChoice(colors, color, i)));
  document.getElementById("lost").replaceChildren(wrap(colors.map((color) => field(capital(color), `lost-${color}`, "W, I5"))));
  drawNames(form);
}

function drawNames(form) {
  const { colors, people, teams, shared } = facts(form);
  const own = shared ? colors.filter((color) => color !== form.elements.shared.value) : colors;
  const seats = people === own.length ? own : teams;
  const holder = document.querySelector("#names > div");
  const kept = [...holder.querySelectorAll("input")].map((input) => input.value);
  holder.replaceChildren(...seats.map((seat, i) => field(seat.split("+").map(capital).join(say("and")), "player", "", kept[i])));
}

function field(title, name, placeholder = "", value = "") {
  const label = document.createElement("label");
  label.className = "names-of";
  label.append(title, Object.assign(document.createElement("input"), { name, placeholder, value: value ?? "", maxLength: 40, autocomplete: "off" }));
  return label;
}

function wrap(children) {
  const holder = document.createElement("div");
  holder.append(...children);
  return holder;
}

function orderChoice(colors, chosen, i) {
  const label = document.createElement("label");
  const select = Object.assign(document.createElement("select"), { name: "order" });
  select.append(...colors.map((color) => new Option(capital(color), color, false, color === chosen)));
  label.append(say(i ? "order.then" : "order.first"), select);
  return label;
}

// What the form says, as a decision; what is left open is left out.
function agreement(form) {
  const { colors, shared, fixed } = facts(form);
  const fields = form.elements;
  const decision = { decision: "new_game", variant: fields.variant.value, scoring: fields.scoring.value, touch: fields.touch.value };
  const names = [...form.querySelectorAll("[name='player']")].map((input) => input.value.trim());
  if (names.some(Boolean)) decision.players = names.map((name, i) => name || say("player", { n: i + 1 }));
  if (shared) decision.shared = fields.shared.value;
  if (!fixed) {
    decision.starts = fields.starts.value;
    if (fields["order-known"].checked) decision.order = [...form.querySelectorAll("[name='order']")].map((select) => select.value);
  }
  decision.missing = Object.fromEntries(colors.map((color) => [color, lost(fields[`lost-${color}`].value)]).filter(([, names_]) => names_.length));
  return decision;
}

function lost(text) {
  return text.split(/[\s,]+/).filter(Boolean).map((name) => (name.length === 1 || /^[a-z]\d$/i.test(name) ? name.toUpperCase() : name));
}
