// Defers updates of elements that are not visible until they scroll into view.

import { atRest, moves } from './ui.js';

/**
 * The pending update of each element, and whether the element is visible.
 * @type {WeakMap<Element, { todo: (() => void) | null, seen: boolean }>}
 */
const watched = new WeakMap();

const sight = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    const about = watched.get(target);
    if (!about) continue;
    about.seen = isIntersecting;
    if (isIntersecting) atRest(() => put(target));
  }
});

/** @param {Element} element */
function put(element) {
  const about = watched.get(element);
  const todo = about?.todo;
  if (!about || !todo) return;
  about.todo = null;
  todo();
}

/**
 * Runs the latest update of an element once it is visible and the browser is idle; at once if motion is off.
 * @param {Element} element @param {() => void} todo
 */
export function inSight(element, todo) {
  const about = watched.get(element) ?? { todo, seen: false };
  about.todo = todo;
  if (!watched.has(element)) {
    watched.set(element, about);
    sight.observe(element);
  }
  if (!moves()) put(element);
  else if (about.seen) atRest(() => put(element));
}
