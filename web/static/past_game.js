// A game of the past: the slider looks back to any turn, and a tap on a move goes there.

import { watchPast } from "./past.js";
import { wake } from "./wake.js";

watchPast();
document.addEventListener("click", (click) => {
  const move = click.target.closest("[id^='move-']");
  if (!move) return;
  const slider = document.getElementById("past");
  slider.value = move.id.slice("move-".length);
  slider.dispatchEvent(new Event("input", { bubbles: true }));
});
wake();
