// Spreads rendering over frames during motion: one task per frame, so that no frame carries a whole change. Without
// motion everything is rendered at once.

import { moves } from './ui.js';

/** Tasks for the next frame, and tasks that can wait until those are done. The key of each is what it renders. */
const [first, later] = /** @type {[Map<unknown, () => void>, Map<unknown, () => void>]} */ ([new Map(), new Map()]);
let frame = 0;

/** Runs the next task. */
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

/**
 * Renders something with the next frame; a newer task with the same key replaces a waiting one.
 * @param {unknown} about @param {() => void} draw
 */
export const next = (about, draw) => wait(first, about, draw);

/** Renders something less urgent in a later frame of its own. @param {unknown} about @param {() => void} draw */
export const soon = (about, draw) => wait(later, about, draw);

/** Returns whether a task with this key is waiting. @param {unknown} about */
export const waits = (about) => first.has(about) || later.has(about);

/** @param {unknown} about */
export function forget(about) {
  first.delete(about);
  later.delete(about);
}

/** Runs all waiting tasks at once. */
export function all() {
  for (const queue of [first, later])
    for (const [about, draw] of queue) {
      queue.delete(about);
      draw();
    }
}
