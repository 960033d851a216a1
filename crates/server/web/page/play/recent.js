// The last rounds at a table, each linked to its replay; three wins in a row earn a badge.

import { h, signed } from '../shared/ui.js';
import { t } from '../shared/words.js';

const MOST = 7;

export class Recent {
  /** @param {((round: number) => string) | null} replay returns the address of a round's replay, if there is one */
  constructor(replay) {
    this.replay = replay;
    this.streak = 0;
    this.element = h('span', { class: 'recent', role: 'group', 'aria-label': t('table.recent'), hidden: true });
  }

  /** @param {number} round @param {number} net @param {string} even label of a round that neither won nor lost */
  add(round, net, even = t('result.even')) {
    this.streak = net > 0 ? this.streak + 1 : net < 0 ? 0 : this.streak;
    this.element.querySelector('.badge')?.remove();
    const kind = net > 0 ? 'win' : net < 0 ? 'lose' : 'push';
    const words = net ? signed(net) : even;
    this.element.prepend(
      this.replay
        ? h('a', { class: `pill ${kind}`, href: this.replay(round), title: t('round.name', { round }) }, words)
        : h('span', { class: `pill ${kind}` }, words),
    );
    if (this.streak > 2)
      this.element.prepend(h('span', { class: 'badge' }, t('felt.streak.count', { count: this.streak })));
    while (this.element.children.length > MOST) this.element.lastElementChild?.remove();
    this.element.hidden = false;
  }
}
