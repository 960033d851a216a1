// Places the words that are printed on the felt: on arcs, as large as the space allows. The HTML of a table contains
// the felt with these words, and runs this module before all others, so that the felt is on the screen at once.

/** The window has room for a curve. */
export const ROOM = matchMedia('(min-width: 721px) and (min-height: 501px)');

/** The device is a phone in landscape. */
const LOW = matchMedia('(max-height: 500px)');

/** The window is as low as a small phone in portrait. */
const SHORT = matchMedia('(max-height: 780px)');

/** Returns whether a line is about insurance, which is printed last, on a band of its own. @param {string} text */
export const insures = (text) => /^insurance\b/i.test(text);

/** @typedef {{ left: number, right: number, top: number }} Spot */
/** @typedef {{ drawn: string, bandAt: (x: number) => number }} Placed */

/** How the lines of each print lie. @type {WeakMap<SVGElement, Placed>} */
const placed = new WeakMap();

/**
 * Returns the middle of the insurance band at a distance from the middle of the table.
 * @param {SVGElement} picture @param {number} x
 */
export const bandAt = (picture, x) => placed.get(picture)?.bandAt(x) ?? 0;

/** Scale factors for the print, tried in turn until the hands do not cover it. */
const SCALES = [1, 0.92, 0.85, 0.78, 0.72, 0.66, 0.6];

/**
 * Returns the size of the letters, the distance between lines, the depth of an arc, and the space after the first line.
 * @param {number} width @param {number} many how many lines
 */
function measures(width, many) {
  // A larger table has larger letters.
  const large = ROOM.matches ? Math.max(1, Math.min(1.4, width / 1060)) : 1;
  if (ROOM.matches) return [15 * large, (many > 3 ? 21 : 25) * large, 40 * large, 7 * large];
  if (LOW.matches) return [9, 12, 8, 0];
  return SHORT.matches ? [10, 12.5, 8, 0] : [10, 14, 12, 0];
}

/**
 * Prints the lines as large as the space between the dealer's cards and the hands allows.
 * @param {SVGElement} picture with a path for the band and one for each line, and a text for each line
 * @param {Spot[]} hands the hands in front of the print, relative to its corner
 */
export function place(picture, hands) {
  const width = Math.round(picture.clientWidth);
  if (!width) return;
  const wide = ROOM.matches;
  const shape = JSON.stringify([width, wide, LOW.matches, SHORT.matches, hands]);
  if (placed.get(picture)?.drawn === shape) return;
  const paths = picture.querySelectorAll('.arc');
  const texts = Array.from(picture.querySelectorAll('textPath'));
  const last = texts.length - 1;
  const banded = last >= 0 && insures(texts[last].textContent ?? '');
  const inset = wide ? width * 0.14 : 4;
  const [size, apart, depth, after] = measures(width, texts.length);
  /** Returns the y position at which the baseline of a line begins. @param {number} at @param {number} scale */
  const base = (at, scale) =>
    scale * (size + at * apart + (at ? after : 0) + (banded && at === last ? size * 0.55 : 0));
  const deepest = (/** @type {number} */ scale) =>
    hands.every(({ left, right, top }) => {
      // Check the point of the hand nearest the middle, where the arc is lowest.
      const x = Math.max(left, Math.min(right, width / 2));
      const along = (x - inset) / (width - 2 * inset);
      return (
        along <= 0 ||
        along >= 1 ||
        base(last, scale) + 4 * depth * scale * along * (1 - along) + (banded ? size * scale * 0.5 : 0) + 4 < top
      );
    });
  const scale = SCALES.find(deepest) ?? SCALES[SCALES.length - 1];
  const height = Math.round(base(last, scale) + scale * (depth + (wide ? 15 : 6)));
  picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
  picture.setAttribute('height', String(height));
  const arc = (/** @type {number} */ y) =>
    `M${inset} ${y.toFixed(1)}Q${width / 2} ${(y + depth * scale * 2).toFixed(1)} ${width - inset} ${y.toFixed(1)}`;
  const [over, under] = [1.12, 0.46].map((by) => by * size * scale);
  placed.set(picture, {
    drawn: shape,
    bandAt: (x) => {
      const along = 0.5 + x / (width - 2 * inset);
      return base(last, scale) + 4 * depth * scale * along * (1 - along) + (under - over) / 2;
    },
  });
  const band = banded ? arc(base(last, scale) - over) + arc(base(last, scale) + under) : '';
  picture.querySelector('.band')?.setAttribute('d', band);
  texts.forEach((text, at) => {
    // The first line is larger; `base` leaves the room for it.
    paths[at].setAttribute('d', arc(base(at, scale)));
    const first = at === 0 && wide ? 1.35 : 1;
    const most = ((width - 2 * inset) * 0.98) / ((text.textContent ?? '').length * 0.8);
    text.parentElement?.setAttribute('font-size', Math.min(size * scale * first, most).toFixed(1));
  });
}

/** The felt that came with the HTML. */
const first = /** @type {SVGElement | null} */ (document.querySelector('.first-view .print'));
if (first) new ResizeObserver(() => place(first, [])).observe(first);

/** How many modules are requested in one task. */
const SOME = 8;

/** Requests the modules of the table, a few at a time. */
function follow() {
  const links = document.querySelectorAll('link[rel="modulepreload"][data-href]:not([href])');
  for (const link of /** @type {HTMLLinkElement[]} */ (Array.from(links).slice(0, SOME)))
    link.href = link.dataset.href ?? '';
  if (links.length > SOME) setTimeout(follow);
}

// They follow once the felt is on the screen.
requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(follow)));
