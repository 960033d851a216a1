// What nobody can see is not kept in step: it is put right when it comes into sight.

import { atRest, moves } from './ui.js';

/** What is to be done with an element, and whether it can be seen. @type {WeakMap<Element, { todo: (() => void) | null, seen: boolean }>} */
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
 * Does the last thing that was asked for an element when it can be seen and nothing else is to do; at once where nothing moves.
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
