// Quiet synthesized sounds: a burst of noise for a card, two short resonances for chips, two notes for a win, one for a
// turn. Sound is off until the user switches it on.

import { pref } from './ui.js';

/** @type {AudioContext | null} */
let audio = null;

/** Returns the audio output at the preferred volume, or `null` if sound is off or unavailable. */
function out() {
  const loud = Number(pref('sound'));
  if (!loud) return null;
  try {
    audio ??= new AudioContext();
    if (audio.state === 'suspended') audio.resume();
    const gain = audio.createGain();
    gain.gain.value = (loud / 100) ** 2;
    gain.connect(audio.destination);
    return { audio, gain };
  } catch {
    return null;
  }
}

/**
 * Plays a tone that fades out.
 * @param {number} pitch @param {number} after @param {number} lasts @param {number} size
 * @param {OscillatorType} [shape]
 */
function tone(pitch, after, lasts, size, shape = 'sine') {
  const way = out();
  if (!way) return;
  const from = way.audio.currentTime + after;
  const source = way.audio.createOscillator();
  const envelope = way.audio.createGain();
  source.type = shape;
  source.frequency.value = pitch;
  envelope.gain.setValueAtTime(0.0001, from);
  envelope.gain.exponentialRampToValueAtTime(size, from + 0.006);
  envelope.gain.exponentialRampToValueAtTime(0.0001, from + lasts);
  source.connect(envelope).connect(way.gain);
  source.start(from);
  source.stop(from + lasts);
}

/** Plays forty milliseconds of band-passed noise. */
function card() {
  const way = out();
  if (!way) return;
  const { sampleRate } = way.audio;
  const noise = way.audio.createBuffer(1, Math.ceil(sampleRate * 0.04), sampleRate);
  const data = noise.getChannelData(0);
  for (let at = 0; at < data.length; at += 1) data[at] = (Math.random() * 2 - 1) * (1 - at / data.length) ** 2;
  const source = way.audio.createBufferSource();
  const band = way.audio.createBiquadFilter();
  band.type = 'bandpass';
  band.frequency.value = 2600;
  band.Q.value = 0.9;
  source.buffer = noise;
  source.connect(band).connect(way.gain);
  source.start();
}

function chips() {
  tone(3100, 0, 0.05, 0.25, 'triangle');
  tone(3900, 0.035, 0.06, 0.2, 'triangle');
}

function win() {
  tone(659, 0, 0.25, 0.2);
  tone(880, 0.11, 0.35, 0.2);
}

const SOUNDS = { card, chips, win, turn: () => tone(587, 0, 0.18, 0.14) };

/** @param {keyof typeof SOUNDS} what */
export const sound = (what) => SOUNDS[what]();

/** Vibrates briefly, on devices that can. @param {number} ms */
export const buzz = (ms) => {
  if (pref('touch') !== 'off') navigator.vibrate?.(ms);
};
