// Keeps what is drawn in step with what there is to show. What stays the same is not touched: it keeps its focus and its motion,
// and a frame costs what has changed in it.

import { fill } from './ui.js';

/** @typedef {import('./ui.js').Child} Child */

/** What each element was last drawn from. @type {WeakMap<Element, string>} */
const drawn = new WeakMap();

/** Is an element to be drawn from other things than the last time? @param {Element} el @param {unknown} from */
export function changed(el, from) {
  const shape = JSON.stringify(from);
  if (drawn.get(el) === shape) return false;
  drawn.set(el, shape);
  return true;
}

/**
 * Draws what an element holds, unless it was drawn from the same things.
 * @param {Element} el @param {unknown} from @param {() => Child | Child[]} make
 */
export function inside(el, from, make) {
  if (changed(el, from)) fill(el, make());
}

/** @param {Element} el @param {string} words */
export function words(el, words) {
  const text = el.firstChild;
  // The text that is there is changed: to put another in its place costs more.
  if (text instanceof Text && !text.nextSibling) {
    if (text.data !== words) text.data = words;
  } else if (el.textContent !== words) el.textContent = words;
}

/** Sets an attribute, or takes it away where there is no value. @param {Element} el @param {string} name @param {string | number | null} value */
export function attribute(el, name, value) {
  if (value === null) el.removeAttribute(name);
  else if (el.getAttribute(name) !== String(value)) el.setAttribute(name, String(value));
}

/**
 * Keeps the children of an element in step with a list; `data-key` says what each child is of.
 * @template T
 * @param {Element} parent @param {T[]} list @param {(item: T) => string} key
 * @param {(item: T) => HTMLElement} make @param {(element: HTMLElement, item: T) => void} update
 */
export function each(parent, list, key, make, update) {
  const old = new Map(
    Array.from(/** @type {HTMLCollectionOf<HTMLElement>} */ (parent.children), (child) => [child.dataset.key, child]),
  );
  let at = parent.firstElementChild;
  for (const item of list) {
    const name = key(item);
    let element = old.get(name);
    if (element) old.delete(name);
    else {
      element = make(item);
      element.dataset.key = name;
    }
    if (element === at) at = at.nextElementSibling;
    else parent.insertBefore(element, at);
    update(element, item);
  }
  old.forEach((element) => element.remove());
}
