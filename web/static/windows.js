// Windows over the page, messages at its foot, and questions of yes or no.

let noticeTimer = 0;
const NOTICE_MS = 9000;

/** Let the buttons that open and close windows work. */
export function watchWindows() {
  document.addEventListener("click", (click) => {
    const opener = click.target.closest("[data-dialog]");
    if (opener) {
      opener.closest("dialog")?.close();
      document.getElementById(opener.dataset.dialog).showModal();
    }
    if (click.target.closest("[data-close]")) click.target.closest("dialog").close();
    if (click.target instanceof HTMLDialogElement) click.target.close(); // a click beside the window
  });
  // A message in a window outlives it.
  document.addEventListener("close", (close) => close.target.contains(document.getElementById("notice")) && document.body.append(document.getElementById("notice")), true);
  document.querySelector("#notice .plain").addEventListener("click", hideNotice);
}

/** Show a sentence at the foot of the page for a while; errors stay until closed. `action` is one more button: label and what it does. */
export function notify(text, { stay = false, action = null } = {}) {
  const notice = document.getElementById("notice");
  notice.hidden = false;
  notice.querySelector("p").textContent = text;
  const button = notice.querySelector(".notice-act");
  button.hidden = !action;
  button.textContent = action?.label ?? "";
  button.onclick = () => (hideNotice(), action.run());
  // A window lies above the page: the message must lie above the window.
  (document.querySelector("dialog[open]") ?? document.body).append(notice);
  clearTimeout(noticeTimer);
  if (!stay) noticeTimer = setTimeout(hideNotice, NOTICE_MS);
}

function hideNotice() {
  const notice = document.getElementById("notice");
  notice.hidden = true;
  document.body.append(notice);
}

/** Ask for a yes; resolves to true or false. */
export function confirmed(title, text) {
  const dialog = document.getElementById("confirm");
  dialog.querySelector("h2").textContent = title;
  dialog.querySelector("p").textContent = text;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true }));
}

/** Do what a form asks; while it runs the form rests, and what goes wrong is said in it. True when it went well. */
export async function submitted(form, act) {
  const complaint = form.querySelector(".form-error");
  const buttons = form.querySelectorAll("button");
  complaint.hidden = true;
  buttons.forEach((button) => (button.disabled = true));
  try {
    await act();
    return true;
  } catch (error) {
    complaint.textContent = error.message;
    complaint.hidden = false;
    return false;
  } finally {
    buttons.forEach((button) => (button.disabled = false));
  }
}
