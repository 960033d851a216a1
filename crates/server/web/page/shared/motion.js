// Motion on the felt: cards slide out of the shoe and turn over, winnings rise. Only transforms and opacity are
// animated, nothing takes longer than 400 ms, a press finishes everything at once, and with reduced motion nothing
// moves.

import { words as write } from './patch.js';
import { all, next } from './turns.js';
import { atRest, moves } from './ui.js';

const SLIDE_MS = 220;
const TURN_MS = 160;

/** Returns by how many degrees the box around an element is turned. @param {Element} element */
const turnOf = (element) =>
  Number.parseFloat(
    /** @type {HTMLElement | null} */ (element.closest('.box'))?.style.getPropertyValue('--turn') || '0',
  );

/**
 * Returns the vector from an element to a place, in the element's own axes.
 * @param {Element} element @param {Element} place
 */
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

/** Cards that wait to slide out of the shoe. @type {HTMLElement[]} */
let coming = [];
/** Cards whose faces are not visible yet. @type {Set<HTMLElement>} */
const onWay = new Set();
/** Callbacks to run when the last card within an element is turned. @type {Map<Element, () => void>} */
const untold = new Map();

/** @param {Element} root */
const waits = (root) => onWay.size > 0 && Array.from(onWay).some((card) => root.contains(card));

/**
 * Runs a callback when all cards within an element are turned; a newer callback replaces a waiting one.
 * @param {Element} root @param {() => void} told
 */
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

/** Deals a card from the shoe face down, and turns it over in its place. @param {HTMLElement} card */
export function dealt(card) {
  if (!moves()) return;
  card.classList.add('unturned');
  // Wait until after the frame that adds the card: reading its position then forces no extra layout.
  if (!coming.length) setTimeout(slide);
  coming.push(card);
  onWay.add(card);
}

/** Time from the shoe until the face of a card is visible. */
export const WAY_MS = SLIDE_MS + TURN_MS;
const LIES = SLIDE_MS / WAY_MS;
const TURNED = (SLIDE_MS + TURN_MS / 2) / WAY_MS;

/** Reads all positions once, and only then starts the motion. */
function slide() {
  const ways = coming.flatMap((card) => {
    const mouth = card.closest('.felt')?.querySelector('.shoe-mouth');
    if (mouth) return [{ card, ...way(card, mouth) }];
    card.classList.remove('unturned');
    arrived([card]);
    return [];
  });
  coming = [];
  // Start the motion in a frame of its own.
  next(slide, () => {});
  // The whole path is one animation that the compositor knows from the start, so it needs no frames from the main
  // thread.
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

/** Cards that have arrived, with the animations that brought them. @type {Map<HTMLElement, Animation[]>} */
const lying = new Map();

/**
 * Marks a card as arrived. Its back, already turned away, is removed together with the others when the browser is idle.
 * @param {HTMLElement} card @param {Animation[]} motions
 */
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

/** Lets an element rise into place: the winnings of a hand. @param {Element} element */
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

/** Shakes an element once, slightly. @param {Element} element */
export function shake(element) {
  if (moves())
    element.animate(
      [0, -5, 4, -3, 2, 0].map((x) => ({ transform: `translateX(${x}px)` })),
      { duration: 320 },
    );
}

/** Finishes all motion within an element at once. @param {Element} root */
export function finish(root) {
  // read before anything changes: afterwards the call would force a layout
  const motions = root.getAnimations({ subtree: true });
  all();
  coming = coming.filter((card) => !root.contains(card));
  root.querySelectorAll('cut-card.unturned').forEach((card) => card.classList.remove('unturned'));
  for (const one of motions) one.finish();
  arrived(Array.from(onWay).filter((card) => root.contains(card)));
}

/** Timers of numbers that are counting to a new value. @type {WeakMap<Element, ReturnType<typeof setTimeout>>} */
const counting = new WeakMap();
/** Interval between digits: as fast as eyes can follow, with free frames in between. */
const DIGITS_MS = 50;

/**
 * Counts a number up or down to its new value.
 * @param {HTMLElement} element @param {number} from @param {number} to @param {(value: number) => string} words
 */
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
