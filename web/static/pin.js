// Entering the table PIN: in its window, or on a page that shows nothing else without it.

import { enterPin } from "./server.js";
import { notify, submitted } from "./windows.js";
import { say } from "./words.js";

/** Let the form work. */
export function watchPin() {
  const form = document.querySelector("#pin form");
  form?.addEventListener("submit", async (submit) => {
    submit.preventDefault();
    if (!(await submitted(form, () => enterPin(form.elements.pin.value)))) return;
    const dialog = form.closest("dialog");
    if (!dialog) return location.reload();
    form.reset();
    dialog.close();
    notify(say("pin.right"));
  });
}
