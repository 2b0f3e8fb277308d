// What is chosen on this device and kept there: who decides here, voice and sounds. Without storage the choice lasts as long as the page.

const chosen = new Map();

/** The choice of that name, "" when none was made. */
export function choice(name) {
  try {
    return chosen.get(name) ?? localStorage.getItem(`referee-${name}`) ?? "";
  } catch {
    return "";
  }
}

/** Make a choice. */
export function choose(name, value) {
  chosen.set(name, value);
  try {
    localStorage.setItem(`referee-${name}`, value);
  } catch {
    // Private windows and full disks: the choice lasts as long as the page.
  }
}

/** The name of the person who decides on this device, "" for the table as a whole. */
export function decidesHere() {
  const name = choice("who");
  return playerNames().includes(name) ? name : "";
}

/** The names of this game's people. */
export function playerNames() {
  return JSON.parse(document.getElementById("live")?.dataset.players ?? "[]");
}

/** Let every field that says who decides work, those that come with a dispute as well. */
export function watchChoices() {
  document.addEventListener("change", (change) => {
    if (!change.target.matches("select.who")) return;
    choose("who", change.target.value);
    fillWho();
  });
  document.getElementById("language").addEventListener("change", ({ target }) => {
    document.cookie = `language=${target.value}; path=/; max-age=31536000; samesite=strict`;
    location.reload();
  });
  document.addEventListener("game-changed", fillWho);
  fillWho();
}

function fillWho() {
  for (const field of document.querySelectorAll("select.who")) {
    field.replaceChildren(field.options[0], ...playerNames().map((name) => new Option(name, name)));
    field.value = decidesHere();
  }
}
