// The log of a table: its events, newest first, each with its clause.

import { clauseLink, h } from './ui.js';
import { t } from './words.js';

/** @typedef {import('../../../browser/types').Event} Event */

const MOST = 150;

export class Log {
  constructor() {
    this.element = h('ol', { class: 'log' });
    this.box = h(
      'div',
      { class: 'log-box', tabindex: '0', role: 'region', 'aria-label': t('log.title') },
      this.element,
    );
    /** Lines not yet rendered. @type {(() => HTMLElement)[]} */
    this.waiting = [];
  }

  /** @param {Event} event @param {number} round @param {() => string} text @param {string | null} [aside] */
  note(event, round, text, aside = null) {
    this.waiting.unshift(() =>
      h(
        'li',
        { class: `log-${event.event}`, 'data-round': round },
        h('span', null, text(), aside ? h('em', null, aside) : null),
        clauseLink(event.clause),
      ),
    );
  }

  /** Renders the waiting lines; called when nothing moves. */
  write() {
    this.element.prepend(...this.waiting.splice(0).map((line) => line()));
    while (this.element.children.length > MOST) this.element.lastElementChild?.remove();
  }

  /** Removes a round from the log, so that it can be written again. @param {number} round */
  forget(round) {
    this.write();
    this.element.querySelectorAll(`[data-round="${round}"]`).forEach((line) => line.remove());
  }
}
