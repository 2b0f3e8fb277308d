// The server sends every page with its controls at rest: what is tapped or entered before the script works would be lost or undone.

/** Let people in: to be called last, when everything that listens and fills in has done so. */
export function wake() {
  document.getElementById("page").disabled = false;
}
