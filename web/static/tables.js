// The list of tables and games: asks once a second, while somebody looks, whether anything has changed.

const EVERY_MS = 1000;
let shown = "";

async function refresh() {
  if (document.hidden) return;
  try {
    const answer = await fetch(`/tables-list${location.search}`, { cache: "no-cache" });
    if (!answer.ok) return;
    const html = await answer.text();
    if (html === shown) return;
    shown = html;
    replace(new DOMParser().parseFromString(html, "text/html").getElementById("tables-list"));
  } catch {
    // The program is away for a moment; the list stays as it is until it answers again.
  }
}

// Where the reader is stays where it is.
function replace(fresh) {
  const old = document.getElementById("tables-list");
  const focused = old.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  old.replaceWith(document.adoptNode(fresh));
  if (focused) fresh.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

if (document.getElementById("tables-list")) setInterval(refresh, EVERY_MS);
