// The progress panel of a drill: daily results and the hands that will repeat.

import { inWords } from './drills.js';
import { h, percent } from '../shared/ui.js';
import { t } from '../shared/words.js';

/**
 * Builds the daily results and the hands that will repeat.
 * @param {import('./memory.js').Memory} memory @returns {import('../shared/ui.js').Child[]}
 */
export function progress(memory) {
  const days = memory.days();
  const weak = memory.weak();
  return [
    days.length
      ? h(
          'p',
          {
            class: 'days',
            role: 'img',
            'aria-label': days
              .map(([day, d]) => t('train.day', { day, hands: d.hands, percent: percent(d.right / d.hands, 0) }))
              .join('; '),
          },
          days.map(([day, d]) => {
            const bar = h('i', {
              title: t('train.day', { day, hands: d.hands, percent: percent(d.right / d.hands, 0) }),
            });
            bar.style.height = `${Math.round((d.right / d.hands) * 40) + 2}px`;
            return bar;
          }),
        )
      : h('p', { class: 'dim' }, t('train.progress.empty')),
    weak.length
      ? [
          h('p', null, t('train.weak_hands', { count: weak.length })),
          h(
            'ul',
            { class: 'weak' },
            weak.slice(0, 6).map(([name, known]) =>
              h(
                'li',
                { 'data-weak': name },
                t('train.missed', {
                  hand: inWords(known.spot),
                  wrong: known.wrong,
                  seen: known.seen,
                }),
              ),
            ),
          ),
        ]
      : null,
  ].flat();
}
