// Safe hands: what is offered takes no answer before anybody can have seen it, a key that is held down decides once, and of
// two quick clicks the second decides nothing.

/** A new offer takes no answer for this long. */
export const UNSEEN_MS = 300;

export class Guard {
  constructor() {
    this.since = -Infinity;
  }

  /** Something new is offered from now on. */
  offered() {
    this.since = performance.now();
  }

  /** How long until the offer takes an answer. */
  wait() {
    return Math.max(0, UNSEEN_MS - (performance.now() - this.since));
  }

  /** Is this a deliberate answer? @param {MouseEvent | KeyboardEvent} [event] */
  takes(event) {
    if (event instanceof KeyboardEvent && event.repeat) return false;
    // A click counts how many came before it in the same place; keys and programs count none.
    if (event instanceof MouseEvent && event.detail > 1) return false;
    return this.wait() === 0;
  }
}
