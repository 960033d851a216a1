// Updates the DOM to match the state. Unchanged elements are not touched: they keep their focus and motion, and a frame
// costs only what has changed.

import { fill } from './ui.js';

/** @typedef {import('./ui.js').Child} Child */

/** The inputs that each element was last rendered from. @type {WeakMap<Element, string>} */
const drawn = new WeakMap();

/** Returns whether an element's inputs differ from the last time. @param {Element} el @param {unknown} from */
export function changed(el, from) {
  const shape = JSON.stringify(from);
  if (drawn.get(el) === shape) return false;
  drawn.set(el, shape);
  return true;
}

/**
 * Renders the contents of an element, unless its inputs are unchanged.
 * @param {Element} el @param {unknown} from @param {() => Child | Child[]} make
 */
export function inside(el, from, make) {
  if (changed(el, from)) fill(el, make());
}

/** @param {Element} el @param {string} words */
export function words(el, words) {
  const text = el.firstChild;
  // Changing the existing text node is cheaper than replacing it.
  if (text instanceof Text && !text.nextSibling) {
    if (text.data !== words) text.data = words;
  } else if (el.textContent !== words) el.textContent = words;
}

/**
 * Sets an attribute, or removes it if the value is `null`.
 * @param {Element} el @param {string} name @param {string | number | null} value
 */
export function attribute(el, name, value) {
  if (value === null) el.removeAttribute(name);
  else if (el.getAttribute(name) !== String(value)) el.setAttribute(name, String(value));
}

/**
 * Updates the children of an element to match a list; `data-key` identifies each child.
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
