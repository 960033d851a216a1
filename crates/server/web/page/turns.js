// While things move, what is drawn takes turns: one thing a frame, so that no frame carries all of a change. Where nothing
// moves everything is drawn at once.

import { moves } from './ui.js';

/** What nobody should wait for, and what can wait until that is drawn; each is known by what it is about. */
const [first, later] = /** @type {[Map<unknown, () => void>, Map<unknown, () => void>]} */ ([new Map(), new Map()]);
let frame = 0;

/** Draws what is next. */
function turn() {
  frame = 0;
  const queue = first.size ? first : later;
  for (const [about, draw] of queue) {
    queue.delete(about);
    draw();
    break;
  }
  if (first.size || later.size) frame ||= requestAnimationFrame(turn);
}

/** @param {Map<unknown, () => void>} queue @param {unknown} about @param {() => void} draw */
function wait(queue, about, draw) {
  if (!moves()) {
    forget(about);
    draw();
    return;
  }
  queue.set(about, draw);
  frame ||= requestAnimationFrame(turn);
}

/** Draws something with the next frame; of what is asked about the same thing the last counts. @param {unknown} about @param {() => void} draw */
export const next = (about, draw) => wait(first, about, draw);

/** Draws what can wait in a frame of its own. @param {unknown} about @param {() => void} draw */
export const soon = (about, draw) => wait(later, about, draw);

/** Whether something about this is still to be drawn. @param {unknown} about */
export const waits = (about) => first.has(about) || later.has(about);

/** @param {unknown} about */
export function forget(about) {
  first.delete(about);
  later.delete(about);
}

/** Draws everything that waits, at once. */
export function all() {
  for (const queue of [first, later])
    for (const [about, draw] of queue) {
      queue.delete(about);
      draw();
    }
}
