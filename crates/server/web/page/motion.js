// Motion on the felt: cards slide out of the shoe and turn, what is won rises. Only transforms and opacity move, nothing
// takes longer than 400 ms, a press finishes everything at once, and where motion is not wanted nothing moves.

import { words as write } from './patch.js';
import { all, next } from './turns.js';
import { atRest, moves } from './ui.js';

const SLIDE_MS = 220;
const TURN_MS = 160;

/** By how many degrees the box around an element is turned. @param {Element} element */
const turnOf = (element) =>
  Number.parseFloat(
    /** @type {HTMLElement | null} */ (element.closest('.box'))?.style.getPropertyValue('--turn') || '0',
  );

/** The way from an element to a place, as the element's own axes see it. @param {Element} element @param {Element} place */
export function way(element, place) {
  const [a, b] = [element.getBoundingClientRect(), place.getBoundingClientRect()];
  const x = b.left + b.width / 2 - a.left - a.width / 2;
  const y = b.top + b.height / 2 - a.top - a.height / 2;
  const turn = (-turnOf(element) * Math.PI) / 180;
  return {
    x: Math.round(x * Math.cos(turn) - y * Math.sin(turn)),
    y: Math.round(x * Math.sin(turn) + y * Math.cos(turn)),
  };
}

/** Cards that are to come out of the shoe. @type {HTMLElement[]} */
let coming = [];
/** Cards whose faces cannot be seen yet. @type {Set<HTMLElement>} */
const onWay = new Set();
/** What is told of cards when the last of them is turned. @type {Map<Element, () => void>} */
const untold = new Map();

/** @param {Element} root */
const waits = (root) => onWay.size > 0 && Array.from(onWay).some((card) => root.contains(card));

/** Tells something of the cards within an element when all of them are turned; the last thing to be told counts. @param {Element} root @param {() => void} told */
export function turned(root, told) {
  untold.delete(root);
  if (waits(root)) untold.set(root, told);
  else told();
}

/** @param {HTMLElement[]} cards */
function arrived(cards) {
  for (const card of cards) onWay.delete(card);
  for (const [root, told] of untold) {
    if (waits(root)) continue;
    untold.delete(root);
    told();
  }
}

/** A card comes out of the shoe with its back up, and is turned where it lies. @param {HTMLElement} card */
export function dealt(card) {
  if (!moves()) return;
  card.classList.add('unturned');
  // After the frame in which it was laid down: to ask then where it lies makes nobody lay everything out again.
  if (!coming.length) setTimeout(slide);
  coming.push(card);
  onWay.add(card);
}

/** How long a card is on its way until its face is seen. */
export const WAY_MS = SLIDE_MS + TURN_MS;
const LIES = SLIDE_MS / WAY_MS;
const TURNED = (SLIDE_MS + TURN_MS / 2) / WAY_MS;

/** Asks once where everything lies, and only then lets it move. */
function slide() {
  const ways = coming.flatMap((card) => {
    const mouth = card.closest('.felt')?.querySelector('.shoe-mouth');
    if (mouth) return [{ card, ...way(card, mouth) }];
    card.classList.remove('unturned');
    arrived([card]);
    return [];
  });
  coming = [];
  // Motion begins with a frame of its own.
  next(slide, () => {});
  // Its whole way is one motion that the compositor knows from the beginning: no frame has to be drawn for it to go on.
  for (const { card, x, y } of ways) {
    const how = { duration: WAY_MS, fill: /** @type {FillMode} */ ('forwards') };
    const back = card.animate(
      [{ opacity: 1 }, { opacity: 1, offset: TURNED }, { opacity: 0, offset: TURNED }, { opacity: 0 }],
      {
        ...how,
        pseudoElement: '::after',
      },
    );
    const motion = card.animate(
      [
        { transform: `translate(${x}px, ${y}px) rotate(20deg)`, opacity: 0.4, easing: 'cubic-bezier(.2, .7, .3, 1)' },
        { transform: 'none', opacity: 1, offset: LIES, easing: 'ease-in' },
        { transform: 'scaleX(0)', opacity: 1, offset: TURNED, easing: 'ease-out' },
        { transform: 'none', opacity: 1 },
      ],
      how,
    );
    motion.onfinish = () => lies(card, [motion, back]);
  }
}

/** Cards that have come to where they lie, with the motions that brought them. @type {Map<HTMLElement, Animation[]>} */
const lying = new Map();

/** A back that is turned away already is taken off with the others, when nothing else is to do. @param {HTMLElement} card @param {Animation[]} motions */
function lies(card, motions) {
  arrived([card]);
  if (!lying.size)
    atRest(() => {
      for (const [one, ways] of lying) {
        one.classList.remove('unturned');
        for (const way of ways) way.cancel();
      }
      lying.clear();
    });
  lying.set(card, motions);
}

/** Comes up from below: what a hand has won. @param {Element} element */
export function rise(element) {
  if (moves())
    element.animate(
      [
        { transform: 'translateY(14px)', opacity: 0 },
        { transform: 'none', opacity: 1 },
      ],
      {
        duration: 300,
        easing: 'cubic-bezier(.2, .8, .3, 1.3)',
      },
    );
}

/** A small shake, once. @param {Element} element */
export function shake(element) {
  if (moves())
    element.animate(
      [0, -5, 4, -3, 2, 0].map((x) => ({ transform: `translateX(${x}px)` })),
      { duration: 320 },
    );
}

/** Everything is where it goes, at once. @param {Element} root */
export function finish(root) {
  // asked for before anything changes: afterwards the question would force a layout
  const motions = root.getAnimations({ subtree: true });
  all();
  coming = coming.filter((card) => !root.contains(card));
  root.querySelectorAll('cut-card.unturned').forEach((card) => card.classList.remove('unturned'));
  for (const one of motions) one.finish();
  arrived(Array.from(onWay).filter((card) => root.contains(card)));
}

/** Numbers that count to their new value. @type {WeakMap<Element, ReturnType<typeof setTimeout>>} */
const counting = new WeakMap();
/** As often as eyes can follow digits; a frame is left alone in between. */
const DIGITS_MS = 50;

/** Lets a number count to its new value. @param {HTMLElement} element @param {number} from @param {number} to @param {(value: number) => string} words */
export function count(element, from, to, words) {
  clearTimeout(counting.get(element));
  if (!moves() || from === to) {
    write(element, words(to));
    return;
  }
  const begun = performance.now();
  const step = () => {
    const part = Math.min(1, (performance.now() - begun) / 380);
    write(element, words(part === 1 ? to : Math.round((from + (to - from) * (1 - (1 - part) ** 3)) / 100) * 100));
    if (part < 1) counting.set(element, setTimeout(step, DIGITS_MS));
  };
  step();
}
