// What there is to know about a move: turn, ruling, and the pictures taken before and after it.

import { BASE } from "./server.js";
import { counted, say } from "./words.js";

/** The facts of a placement, and its pictures as far as they are kept. */
export function aboutMove(move) {
  const facts = Object.assign(document.createElement("p"), { id: "editor-facts", textContent: factsOf(move) });
  const photos = Object.assign(document.createElement("div"), { className: "photos" });
  photos.append(...(move.evidence ?? []).map(photo));
  return [facts, photos];
}

function factsOf({ turn, ruling, kinds, cells, found }) {
  const why = kinds?.length ? ` (${kinds.map((kind) => say(`kind.${kind}`)).join(", ")})` : "";
  return say("about", { turn, squares: counted("squares", cells.length), ruling: say(found ? "ruling.found" : `ruling.${ruling}`), why });
}

function photo(name, i) {
  const figure = Object.assign(document.createElement("figure"), { className: "photo" });
  const caption = Object.assign(document.createElement("figcaption"), { textContent: say(i ? "photo.after" : "photo.before") });
  const picture = Object.assign(document.createElement("img"), { alt: say("photo.alt", { when: caption.textContent }) });
  picture.src = `${BASE}/evidence/${encodeURIComponent(name)}.jpg`;
  picture.onerror = () => figure.remove();
  figure.append(picture, caption);
  return figure;
}
