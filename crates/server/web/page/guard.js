// Guards against accidental answers: a new offer takes no answer before the player can have seen it, a held key decides
// once, and the second of two quick clicks decides nothing.

/** How long a new offer takes no answer. */
export const UNSEEN_MS = 300;

export class Guard {
  constructor() {
    this.since = -Infinity;
  }

  /** Starts the waiting time of a new offer. */
  offered() {
    this.since = performance.now();
  }

  /** Returns how long until the offer takes an answer. */
  wait() {
    return Math.max(0, UNSEEN_MS - (performance.now() - this.since));
  }

  /** Returns whether this is a deliberate answer. @param {MouseEvent | KeyboardEvent} [event] */
  takes(event) {
    if (event instanceof KeyboardEvent && event.repeat) return false;
    // `detail` counts successive clicks in the same place; it is 0 for keys and scripts.
    if (event instanceof MouseEvent && event.detail > 1) return false;
    return this.wait() === 0;
  }
}
