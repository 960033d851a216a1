// The rounds I played, newest first.

import { get } from '../shared/net.js';
import { cents, complain, fill, grid, h, money, signed, tableName, when } from '../shared/ui.js';
import { t } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */

/** Rounds further apart than this belong to different sessions. */
const APART_MS = 30 * 60_000;

/** Groups rounds into sessions, newest first. @param {Schemas['PlayedRound'][]} items */
export function sittings(items) {
  /** @type {Schemas['PlayedRound'][][]} */
  const all = [];
  let last = Infinity;
  for (const item of items) {
    const at = new Date(item.at).getTime();
    if (last - at > APART_MS || !all.length) all.push([]);
    all.at(-1)?.push(item);
    last = at;
  }
  return all;
}

/** @param {HTMLElement} main */
export async function show(main) {
  const tables = Object.fromEntries((await get('/api/tables')).map((t) => [t.table, tableName(t.name)]));
  const place = h('div', { class: 'panel' });
  const looked = h('section', { class: 'panel', 'aria-label': t('analysis.title'), hidden: true });
  const analyse = h('button', { class: 'act', type: 'button', 'data-act': 'analyse' }, t('history.analyze'));
  /** Which rounds to analyze: the last ones, or those of one session. */
  const which = /** @type {HTMLSelectElement} */ (
    h('select', { 'aria-label': t('analysis.scope.label'), name: 'sitting' })
  );
  analyse.addEventListener('click', async () => {
    // The `disabled` attribute would move the focus to the top of the page.
    if (analyse.hasAttribute('aria-disabled')) return;
    analyse.setAttribute('aria-disabled', 'true');
    looked.hidden = false;
    try {
      const { ofRounds } = await import('./analysis.js');
      const chosen = which.value ? sittings(items)[Number(which.value)] : items;
      await ofRounds(chosen.slice(0, 50), looked);
    } catch (error) {
      complain(error);
    } finally {
      analyse.removeAttribute('aria-disabled');
    }
  });
  const choose = () => {
    const now = which.value;
    fill(
      which,
      h('option', { value: '' }, t('analysis.scope.last', { count: Math.min(50, items.length) })),
      sittings(items).map((sitting, at) =>
        h(
          'option',
          { value: at, selected: now === String(at) },
          `${when(sitting.at(-1)?.at ?? '')} · ${t('round.count', { count: sitting.length })} · ${signed(
            sitting.reduce((sum, r) => sum + cents(r.returned) - cents(r.staked), 0),
          )}`,
        ),
      ),
    );
  };
  fill(main, h('div', { class: 'row' }, h('h1', null, t('history.title')), which, analyse), looked, place);
  /** @type {Schemas['PlayedRound'][]} */
  let items = [];
  const more = async (/** @type {number | null} */ cursor) => {
    const page = await get(`/api/me/rounds?limit=50${cursor ? `&cursor=${cursor}` : ''}`);
    const before = items.length;
    items = [...items, ...page.items];
    // Without rounds there is nothing to choose or analyze.
    which.hidden = !items.length;
    analyse.hidden = !items.length;
    choose();
    fill(
      place,
      items.length
        ? grid(
            [
              t('record.round'),
              t('nav.table'),
              t('record.when'),
              `#${t('record.bet')}`,
              `#${t('audit.returned')}`,
              `#${t('result.label')}`,
            ],
            items.map((r) => [
              h('a', { href: `/round/${r.table}/${r.round}` }, `${r.table}-${r.round}`),
              tables[r.table % 1000] ?? r.table,
              when(r.at),
              money(r.staked),
              money(r.returned),
              h(
                'b',
                {
                  class:
                    cents(r.returned) > cents(r.staked) ? 'ok' : cents(r.returned) < cents(r.staked) ? 'wrong' : '',
                },
                signed(cents(r.returned) - cents(r.staked)),
              ),
            ]),
            t('history.caption'),
          )
        : h('p', { class: 'pad dim' }, t('history.empty'), ' ', h('a', { href: '/' }, t('nav.to_tables'))),
      page.next
        ? h(
            'p',
            { class: 'pad' },
            h('button', { class: 'act', onclick: () => more(page.next ?? null) }, t('action.more')),
          )
        : null,
    );
    // After "more", the focus goes to the first new row.
    if (before) place.querySelectorAll('a')[before]?.focus();
  };
  await more(null);
}
