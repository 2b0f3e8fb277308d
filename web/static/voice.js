// Rulings spoken by the browser, and short sounds, for whoever switches them on. Each event is said once, whatever is sent again.

import { choice, choose } from "./choices.js";
import { told } from "./words.js";

const SOUNDS = { placement: [660], dispute: [220, 175], question: [440, 440], game_over: [523, 659, 784] }; // hertz, one after the other
const TONE_S = 0.14;

let lastSaid = 0;
let sound = null;

/** Let the two switches work; `game-event` is what the stream tells. */
export function watchVoice() {
  for (const name of ["voice", "sounds"]) {
    const box = document.getElementById(`use-${name}`);
    box.checked = choice(name) === "on";
    box.addEventListener("change", () => {
      choose(name, box.checked ? "on" : "");
      if (name === "voice") speechSynthesis?.cancel();
    });
  }
  document.getElementById("voice-line").hidden = !("speechSynthesis" in window);
  // A program that keeps nothing counts from the beginning when it starts again.
  document.addEventListener("game-changed", () => (lastSaid = Math.min(lastSaid, Number(document.getElementById("live").dataset.event))));
  document.addEventListener("game-event", ({ detail }) => hear(detail));
}

function hear({ event, id }) {
  if (id) {
    if (id <= lastSaid) return;
    lastSaid = id;
  }
  if (choice("sounds") === "on" && SOUNDS[event.event]) play(SOUNDS[event.event]);
  if (choice("voice") === "on" && event.sentence) speak(told(event));
}

// In the page's own language, with a voice for it where the system has one.
function speak(sentence) {
  const said = new SpeechSynthesisUtterance(sentence);
  said.lang = document.documentElement.lang;
  said.voice = speechSynthesis.getVoices().find((voice) => voice.lang.startsWith(said.lang)) ?? null;
  speechSynthesis.speak(said);
}

function play(tones) {
  sound ??= new AudioContext();
  tones.forEach((hertz, i) => {
    const start = sound.currentTime + i * TONE_S;
    const tone = new OscillatorNode(sound, { frequency: hertz });
    const volume = new GainNode(sound, { gain: 0.12 });
    volume.gain.setTargetAtTime(0, start + TONE_S / 2, TONE_S / 5);
    tone.connect(volume).connect(sound.destination);
    tone.start(start);
    tone.stop(start + TONE_S);
  });
}
