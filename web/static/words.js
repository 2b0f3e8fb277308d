// The words of the page's script: they come with the page from the one catalogue, so that a translation has one place to go.

const words = new Map([...document.getElementById("words").content.children].map((item) => [item.dataset.key, item.textContent]));

/** The words of a key, with `{name}` filled in from `values`. */
export function say(key, values = {}) {
  return (words.get(key) ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** A piece as people name it: "Red W", or "Red" when it is none. */
export function pieceWords(color, piece) {
  return [say(`color.${color}`), piece].filter(Boolean).join(" ");
}

/** The sentence of an event, in the page's language. */
export const told = (event) => event.said ?? event.sentence;

/** "1 square" or "3 squares": the keys are `<key>.one` and `<key>.many`. */
export function counted(key, number) {
  return say(number === 1 ? `${key}.one` : `${key}.many`, { n: number });
}
