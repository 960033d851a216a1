// The replay of a finished round, step by step: every card and decision with its clause, balances before and after.

import { ofRound } from './analysis.js';
import { felt, frame } from '../felt/felt.js';
import { apply, empty, spotOf } from '../shared/model.js';
import { Names } from '../shared/names.js';
import { ask, beSomebody, get, me } from '../shared/net.js';
import { tell } from '../shared/tell.js';
import {
  cardWords,
  clauseLink,
  complain,
  download,
  fill,
  forThePage,
  h,
  money,
  readdress,
  say,
  signed,
  tableName,
  toast,
  when,
} from '../shared/ui.js';
import { t } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Event} Event */

/**
 * Scrolls a list to one of its items without scrolling the page, so that the felt stays visible.
 * @param {HTMLElement} list @param {HTMLElement} item
 */
function showIn(list, item) {
  const [all, one] = [list, item].map((element) => element.getBoundingClientRect());
  list.scrollTop += Math.min(0, one.top - all.top) + Math.max(0, one.bottom - all.bottom);
}

/** @param {HTMLElement} main @param {string[]} params @param {URLSearchParams} query */
export async function show(main, [table, round], query) {
  // A link to a round works for anybody, so sign in as a guest if needed.
  await beSomebody();
  const [{ card }, layout, told] = await Promise.all([
    get(`/api/tables/${table}`),
    get(`/api/tables/${table}/rules`),
    get(`/api/tables/${table}/rounds/${round}`),
  ]);
  document.title = t('replay.page_title', { table, round });
  main.className = 'wide';
  /** @type {{ event: Event, step: (typeof told.steps)[number] }[]} */
  const moments = told.steps.flatMap((step) => step.events.map((event) => ({ event, step })));
  const names = new Names();
  names.take(told.names);
  const name = (/** @type {number | null} */ person) =>
    person === null || person === 0 ? t('filter.house') : names.of(person);
  const board = felt({
    positions: card.positions,
    inscriptions: layout.inscriptions,
    game: card.game,
    spots: card.spots,
  });
  const slider = /** @type {HTMLInputElement} */ (
    h('input', {
      type: 'range',
      min: 0,
      max: moments.length,
      value: 0,
      'aria-label': t('replay.step'),
      oninput: () => at(Number(slider.value)),
    })
  );
  const words = h('p', { class: 'status', 'aria-live': 'polite' });
  const cite = h('span', null);
  const balances = h('div', { class: 'balances small' });
  const items = moments.map(({ event }, n) =>
    h(
      'li',
      { class: `log-${event.event}` },
      h(
        'button',
        { class: 'step', type: 'button', onclick: () => at(n + 1) },
        tell(event, name, cardWords),
        event.by === 'platform-for-absent' ? [' ', h('span', { class: 'tag' }, t('log.played_by_house'))] : null,
      ),
      clauseLink(event.clause),
    ),
  );
  const steps = h(
    'div',
    { class: 'log-box', tabindex: '0', role: 'region', 'aria-label': t('replay.steps.text') },
    h('ol', { class: 'log' }, items),
  );
  let now = 0;
  /** @type {number | undefined} */
  let playing;

  /** @param {number} step */
  function at(step, speak = true) {
    now = Math.max(0, Math.min(moments.length, step));
    const model = empty();
    for (const { event } of moments.slice(0, now)) apply(model, event);
    const mine = new Set(
      model.boxes.filter((box) => box.bettors.some((b) => b.person === me()?.person)).map((box) => box.box),
    );
    const moment = moments[now - 1];
    board.draw(model, { mine, name, ...spotOf(moment?.event) });
    slider.value = String(now);
    const absent = moment?.event.by === 'platform-for-absent' ? ` (${t('log.played_by_house')})` : '';
    const text = moment ? tell(moment.event, name, cardWords) + absent : t('replay.start', { round });
    words.textContent = `${now}/${moments.length} ${text}`;
    if (speak) say(text);
    fill(cite, moment ? clauseLink(moment.event.clause) : '');
    fill(
      balances,
      moment
        ? [
            t('replay.record', { at: when(moment.step.at), seq: moment.step.seq }),
            ...moment.step.balances.map((b) =>
              h(
                'span',
                { class: 'balance-line' },
                `${name(b.person)}: ${money(b.before)} → `,
                h('b', null, money(b.after)),
                ` (${signed((Number(b.after) - Number(b.before)) * 100)})`,
              ),
            ),
          ]
        : '',
    );
    items.forEach((item, n) => item.classList.toggle('now', n === now - 1));
    if (items[now - 1]) showIn(steps, items[now - 1]);
    readdress(`/round/${table}/${round}${now === moments.length ? '' : `?step=${now}`}`);
  }
  const play = h(
    'button',
    {
      class: 'act primary',
      type: 'button',
      onclick: () => {
        if (playing) {
          stop();
          return;
        }
        if (now === moments.length) at(0);
        play.textContent = t('replay.pause');
        playing = window.setInterval(() => {
          if (now >= moments.length) stop();
          else at(now + 1);
        }, 450);
      },
    },
    t('replay.play'),
  );
  function stop() {
    clearInterval(playing);
    playing = undefined;
    play.textContent = t('replay.play');
  }
  const button = (/** @type {string} */ label, /** @type {string} */ text, /** @type {() => void} */ run) =>
    h(
      'button',
      {
        class: 'act',
        type: 'button',
        'aria-label': label,
        title: label,
        onclick: () => {
          stop();
          run();
        },
      },
      text,
    );
  const save = (/** @type {string} */ what, /** @type {string} */ file, /** @type {string} */ type) => async () =>
    download(file, await ask('GET', `/api/tables/${table}/rounds/${round}/${what}`), type);
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (!forThePage(event)) return;
    if (event.key === 'ArrowRight') at(now + 1);
    else if (event.key === 'ArrowLeft') at(now - 1);
    else if (event.key === 'Home') at(0);
    else if (event.key === 'End') at(moments.length);
    else return;
    event.preventDefault();
    stop();
  };
  document.addEventListener('keydown', key);
  const mine = h('div', { class: 'my-play' });
  if (me()?.role === 'player')
    ofRound(card, Number(round), at).then(
      (panel) => panel && fill(mine, panel),
      (error) => error.status !== 404 && complain(error),
    );
  fill(
    main,
    frame(
      [
        h('h1', null, t('round.name', { round })),
        h('span', { class: 'dim' }, tableName(card.name)),
        h('span', { class: 'tag free' }, t('nav.replay')),
      ],
      board,
      [
        h('div', { class: 'status-row' }, words, cite),
        balances,
        slider,
        h(
          'div',
          { class: 'actions' },
          button(t('replay.first'), '|◀', () => at(0)),
          button(t('replay.back'), '◀', () => at(now - 1)),
          play,
          button(t('replay.forward'), '▶', () => at(now + 1)),
          button(t('replay.last'), '▶|', () => at(moments.length)),
        ),
      ],
      h(
        'aside',
        { class: 'panel table-side', 'aria-label': t('replay.steps.label') },
        h('div', { class: 'panel-head' }, h('h2', null, t('replay.steps.text'))),
        h('div', { class: 'tab-panel' }, steps),
        mine,
        h(
          'div',
          { class: 'pad actions' },
          h(
            'button',
            { class: 'act', onclick: save('notation', `${table}-${round}.round`, 'text/plain') },
            t('replay.notation'),
          ),
          h('button', { class: 'act', onclick: save('csv', `${table}-${round}.csv`, 'text/csv') }, 'CSV'),
          h(
            'button',
            {
              class: 'act',
              'data-act': 'share',
              onclick: async () => {
                try {
                  await navigator.clipboard.writeText(location.href);
                  toast(t('replay.link_copied'));
                } catch {
                  toast(location.href);
                }
              },
            },
            t('action.copy_link'),
          ),
          h(
            'button',
            {
              class: 'act',
              onclick: () => download(`${table}-${round}.json`, JSON.stringify(told, null, 1), 'application/json'),
            },
            'JSON',
          ),
        ),
      ),
    ),
  );
  at(query.has('step') ? Number(query.get('step')) : moments.length, false);
  return () => {
    stop();
    document.removeEventListener('keydown', key);
  };
}
