// Guards against accidental answers: a new offer takes no answer before the player can have seen it, a held key decides
// once, and the second of two quick clicks decides nothing. A button that would ignore a press is disabled meanwhile.

/** How long a new offer takes no answer. */
export const UNSEEN_MS = 300;
/** How far apart the two clicks of a double click can be. */
const DOUBLE_MS = 500;

export class Guard {
  constructor() {
    /** Until when the offer takes no answer. */
    this.until = -Infinity;
    /** When this offer was answered by a click. */
    this.clicked = -Infinity;
  }

  /** Starts the waiting time of a new offer; the double click that may have brought it must be over too. */
  offered() {
    this.until = Math.max(performance.now() + UNSEEN_MS, this.clicked + DOUBLE_MS);
    this.clicked = -Infinity;
  }

  /** Returns how long until the offer takes an answer. */
  wait() {
    return Math.max(0, this.until - performance.now());
  }

  /** Returns whether this is a deliberate answer. @param {MouseEvent | KeyboardEvent} [event] */
  takes(event) {
    if (event instanceof KeyboardEvent && event.repeat) return false;
    if (this.wait() > 0) return false;
    // `detail` counts successive clicks in the same place; it is 0 for keys and scripts.
    if (event instanceof MouseEvent && event.detail > 0) {
      const double = event.detail > 1 && this.clicked > -Infinity;
      if (double) return false;
      this.clicked = performance.now();
    }
    return true;
  }
}
