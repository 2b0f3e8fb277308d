// The set-up page: which camera, where the board is in its picture, what is read of it.

import { Corners } from "./corners.js";
import { watchNewGame } from "./new_game.js";
import { watchPin } from "./pin.js";
import { ask } from "./server.js";
import { wake } from "./wake.js";
import { notify, watchWindows } from "./windows.js";
import { say } from "./words.js";

const WATCHED = "watched"; // what the page calls the camera that is watched
const one = (selector) => document.querySelector(selector);

watchWindows();
watchPin();
const game = document.getElementById("new-game");
if (game) watchNewGame(game);
const parts = one(".setup-parts");
if (parts) setUp();
wake();

function setUp() {
  const { canExchange, command } = parts.dataset;
  const choices = [...parts.querySelectorAll("[data-camera]")];
  const [words, tools, tryIt, useIt] = ["#place-words", "#place-tools", "#try-corners", "#use-corners"].map(one);
  const corners = new Corners(one("#stage"), moved);
  let chosen = "";
  let look = null;
  let [isMoved, isUsed] = [false, false];

  for (const choice of choices) choice.addEventListener("click", () => choose(choice.dataset.camera));
  one("#address")?.addEventListener("submit", (submit) => {
    submit.preventDefault();
    choose(submit.target.elements.address.value.trim());
  });
  one("#watch-this").addEventListener("click", () => busy(say("setup.changing"), watchThis));
  one("#find-again").addEventListener("click", () => takeLook(true));
  tryIt.addEventListener("click", () => busy(say("setup.reading"), async () => show(await ask("/api/setup/corners", { look: look.look, corners: corners.points }))));
  useIt.addEventListener("click", () => busy(say("setup.keeping"), useThem));
  begin();

  async function begin() {
    const watched = choices.find((choice) => choice.getAttribute("aria-pressed") === "true");
    if (watched) await choose(watched.dataset.camera);
    for (const choice of choices) await preview(choice); // one after the other: a camera is opened for each
  }

  async function preview(choice) {
    const still = choice.querySelector(".still");
    try {
      const { picture } = await ask("/api/setup/preview", { camera: choice.dataset.camera });
      still.replaceChildren(Object.assign(new Image(), { src: picture, alt: "" }));
    } catch (error) {
      still.textContent = error.message;
    }
  }

  async function choose(camera) {
    if (camera !== chosen) showPicture(false); // the other camera's must not pass for this one's
    chosen = camera;
    for (const choice of choices) choice.setAttribute("aria-pressed", String(choice.dataset.camera === camera));
    one("#camera-act").hidden = !canExchange || camera === WATCHED;
    one("#camera-command").hidden = Boolean(canExchange) || camera === WATCHED;
    one("#camera-command code").textContent = choices.find((choice) => choice.dataset.camera === camera)?.dataset.command ?? command.replace("ADDRESS", () => quoted(camera));
    await takeLook(false);
  }

  function takeLook(anew) {
    const camera = chosen;
    return busy(say("setup.looking"), async () => {
      const found = await ask("/api/setup/look", { camera, anew });
      if (camera === chosen) show(found);
    });
  }

  async function watchThis() {
    await ask("/api/setup/camera", { camera: chosen });
    location.reload();
  }

  async function useThem() {
    const { message } = await ask("/api/setup/use", { look: look.look });
    isUsed = true;
    tell(message);
    notify(message);
  }

  // While something runs the buttons rest; what goes wrong is said where people look.
  async function busy(text, act) {
    tell(text);
    rest(true);
    try {
      await act();
    } catch (error) {
      tell(error.message, "complaint");
    }
    rest(false);
  }

  function rest(resting) {
    parts.setAttribute("aria-busy", String(resting));
    for (const id of ["#find-again", "#watch-this"]) one(id).disabled = resting;
    tryIt.disabled = resting || !isMoved;
    useIt.disabled = resting || isMoved || isUsed || !look?.corners_px;
  }

  function tell(text, tone = "") {
    words.className = tone;
    words.textContent = text;
  }

  function show(found) {
    [look, isMoved, isUsed] = [found, false, false];
    corners.show(found.picture, found.image_wh, found.corners_px, found.lines_px);
    showPicture(true);
    if (found.corners_px) tell(say(found.by_hand ? "setup.hand" : "setup.found"));
    else tell(say("setup.none", { doubt: found.doubt }), "complaint");
    const check = new DOMParser().parseFromString(found.html, "text/html").body;
    one("#seen-check").replaceChildren(...check.childNodes);
  }

  function showPicture(shown) {
    for (const part of [tools, ...["#stage", "#place-how", "#seen"].map(one)]) part.hidden = !shown;
    if (!shown) look = null;
  }

  function moved() {
    isMoved = true;
    tell(say("setup.moved"));
    rest(false);
  }
}

// As one word for a shell, whatever is in it.
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
