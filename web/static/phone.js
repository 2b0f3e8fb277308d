// The phone as camera: sends what it sees, one picture at a time, and shows what the referee says of it.
//
// Whatever breaks off (sleep, another app, the network, the program) is tried again by itself until somebody stops the camera.

import { BASE, enterPin, mayChange, renewSession } from "./server.js";
import { wake } from "./wake.js";
import { submitted } from "./windows.js";
import { say } from "./words.js";

const WISH = { audio: false, video: { facingMode: { ideal: "environment" }, width: { ideal: 1920 }, height: { ideal: 1440 } } };
const FRAME_PX = 1600; // longest side of a frame: 70 px a square of a board that fills the picture
const PHOTO_PX = 2400;
const PAUSE_MS = 200; // from one frame to the next: the referee needs five a second
const AGAIN_MS = 1000;
const STALLED_MS = 4000; // a camera without a new picture for so long is opened again
const ANSWER_MS = 10_000;
const NEWS_MS = 1500; // how old what is shown may get while no pictures are sent
const REFUSALS = { NotAllowedError: "camera.refused", NotFoundError: "camera.none", OverconstrainedError: "camera.none" }; // trying again would not help

const byId = (id) => document.getElementById(id);
const device = [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("");
const preview = byId("preview");
const canvas = document.createElement("canvas");

let wanted = false; // somebody started the camera and nobody stopped it
let starts = true; // the next picture makes this device the camera
let filming = false;
let media = null;
let awake = null;
let shownAt = -Infinity;

class Final extends Error {} // nothing that trying again would mend
class Silent extends Error {} // no answer: the network or the program is away

followGame();
if (byId("finder")) watchFinder();
wake();

function watchFinder() {
  const canFilm = window.isSecureContext && Boolean(navigator.mediaDevices?.getUserMedia);
  byId("streaming").hidden = !canFilm;
  byId("photos").hidden = canFilm;
  byId("start").addEventListener("click", start);
  byId("stop").addEventListener("click", stop);
  byId("photo").addEventListener("change", sendPhoto);
  byId("pin-form")?.addEventListener("submit", (submit) => {
    submit.preventDefault();
    const form = submit.target;
    submitted(form, () => enterPin(new FormData(form).get("pin")).then(() => form.reset()));
  });
  document.addEventListener("visibilitychange", () => !document.hidden && wanted && stayAwake());
}

function start() {
  wanted = starts = true;
  byId("start").hidden = true;
  byId("stop").hidden = false;
  stayAwake();
  film();
}

function stop() {
  wanted = false;
  byId("start").hidden = false;
  byId("stop").hidden = true;
  byId("sent").textContent = "";
  closeCamera();
  awake?.release();
}

async function film() {
  if (filming) return;
  filming = true;
  while (wanted) {
    const begunAt = performance.now();
    try {
      await until(() => !document.hidden && mayChange());
      await openCamera();
      await newPicture();
      await send("frame", await jpeg(preview, preview.videoWidth, preview.videoHeight, canvas, FRAME_PX));
      if (!wanted) break; // stopped while the picture was on its way
      byId("sent").textContent = say("sent");
      complain("");
    } catch (error) {
      if (!wanted) break;
      byId("sent").textContent = "";
      if (error instanceof Silent) showSilence();
      else complain(error.message);
      if (error instanceof Final) stop();
      await pause(AGAIN_MS);
    }
    await pause(PAUSE_MS - (performance.now() - begunAt));
  }
  filming = false;
}

async function openCamera() {
  if (media?.getVideoTracks()[0]?.readyState === "live") return;
  try {
    media = await navigator.mediaDevices.getUserMedia(WISH);
  } catch (error) {
    byId("photos").hidden = !REFUSALS[error.name];
    byId("why").hidden = true;
    if (REFUSALS[error.name]) throw new Final(say(REFUSALS[error.name]));
    throw new Error(say("camera.busy"));
  }
  byId("shot").hidden = true;
  preview.hidden = false;
  preview.srcObject = media;
  await preview.play();
}

function closeCamera() {
  media?.getTracks().forEach((track) => track.stop());
  media = preview.srcObject = null;
  preview.hidden = true;
}

// A picture that was not sent before: a camera that hangs must not look like one that sees nothing happen.
function newPicture() {
  return new Promise((resolve, reject) => {
    const stalled = setTimeout(() => {
      if (!document.hidden) closeCamera();
      reject(new Error(say("camera.stalled")));
    }, STALLED_MS);
    const seen = () => (clearTimeout(stalled), resolve());
    preview.requestVideoFrameCallback ? preview.requestVideoFrameCallback(seen) : requestAnimationFrame(seen);
  });
}

// The picture's own size is read each time: it changes when the phone is turned.
async function jpeg(picture, width, height, onto, longest) {
  const scale = Math.min(1, longest / Math.max(width, height));
  onto.width = Math.round(width * scale);
  onto.height = Math.round(height * scale);
  onto.getContext("2d", { alpha: false }).drawImage(picture, 0, 0, onto.width, onto.height);
  const blob = await new Promise((resolve) => onto.toBlob(resolve, "image/jpeg", 0.85));
  if (!blob) throw new Error(say("camera.stalled"));
  return blob;
}

async function sendPhoto() {
  const file = byId("photo").files[0];
  byId("photo").value = "";
  if (!file) return;
  byId("sent").textContent = say("photo.sending");
  try {
    const picture = await createImageBitmap(file).catch(() => Promise.reject(new Error(say("photo.unreadable"))));
    starts = true;
    await send("photo", await jpeg(picture, picture.width, picture.height, byId("shot"), PHOTO_PX));
    byId("shot").hidden = false;
    byId("sent").textContent = say("photo.sent");
    complain("");
  } catch (error) {
    byId("sent").textContent = "";
    complain(error.message);
  }
}

async function send(kind, blob) {
  let answer = await post(kind, blob);
  // The program has started again since this page was loaded: its sessions are new, the page need not be.
  if (answer.status === 403 && (await renewSession())) answer = await post(kind, blob);
  if (answer.status === 429 && kind === "frame") return; // answers were held up and pictures come in a bunch: the next one will do
  const value = await answer.json().catch(() => ({}));
  if (answer.status === 401) await renewSession();
  if (answer.status === 409) throw new Final(value.message);
  if (!answer.ok) throw new Error(value.message || say("answered", { status: answer.status }));
  starts = false;
  show(value);
}

async function post(kind, blob) {
  try {
    return await fetch(`${BASE}/api/phone/${kind}${starts ? "?start" : ""}`, {
      method: "POST",
      headers: { "Content-Type": "image/jpeg", "X-CSRF-Token": document.body.dataset.token, "X-Device": device },
      body: blob,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
  } catch {
    throw new Silent(say("no.answer"));
  }
}

async function followGame() {
  for (;;) {
    await askForNews();
    await pause(NEWS_MS / 3);
  }
}

async function askForNews() {
  if (document.hidden || performance.now() - shownAt < NEWS_MS) return;
  try {
    const answer = await fetch(`${BASE}/api/phone`, { cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) });
    if (answer.ok) show(await answer.json());
  } catch {
    showSilence();
  }
}

function showSilence() {
  show({ level: "loud", camera: say("no.answer") });
}

function show({ level, camera, reason = "", turn = "", who = "", sentence = "", is_asked: isAsked = false }) {
  shownAt = performance.now();
  byId("said").dataset.level = level;
  put("said-camera", camera);
  put("said-reason", level === "loud" ? reason : "");
  put("said-turn", turn);
  put("said-who", who);
  put("said-sentence", sentence);
  byId("said-asked").hidden = !isAsked;
}

// What is unchanged is left alone, or it would be read aloud again.
function put(id, text) {
  const line = byId(id);
  line.hidden = !text;
  if (line.textContent !== text) line.textContent = text;
}

function complain(text) {
  put("trouble", text);
}

async function stayAwake() {
  try {
    awake = await navigator.wakeLock?.request("screen");
  } catch {
    awake = null; // the battery is low, or the page is hidden: the people keep the phone awake themselves
  }
}

async function until(is) {
  while (wanted && !is()) await pause(PAUSE_MS);
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, Math.max(20, ms)));
}
