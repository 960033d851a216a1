// The cage: finds a patron by name, sells chips and redeems them.

import { get, post } from '../shared/net.js';
import { mustWait, requests } from './requests.js';
import { cents, complain, decimal, faulty, field, fill, freshId, grid, h, money, signed, typed } from '../shared/ui.js';
import { rich, t } from '../shared/words.js';

/** @param {HTMLElement} main */
export async function show(main) {
  const name = /** @type {HTMLInputElement} */ (
    h('input', {
      name: 'patron',
      required: true,
      maxlength: 64,
      autocomplete: 'off',
      // The account shown belongs to the old name: clear it.
      oninput: () => {
        fill(found);
        faulty(name, '');
      },
    })
  );
  const amount = /** @type {HTMLInputElement} */ (h('input', { name: 'amount', inputmode: 'decimal', required: true }));
  const found = h('div', { class: 'patron', role: 'status' });
  const done = h('div', null);
  const waiting = requests(() => found.firstChild && look());
  /** @type {any[][]} */
  const receipts = [];
  const look = async () => {
    try {
      const patron = await get(`/api/cashier/patrons/${encodeURIComponent(name.value)}`);
      faulty(name, '');
      fill(
        found,
        rich('cage.balance', { name: h('b', null, patron.name), amount: money(patron.cash) }),
        ' ',
        patron.excluded ? h('span', { class: 'wrong' }, t('cage.excluded')) : null,
      );
    } catch (error) {
      wrong(error);
    }
  };
  /** @param {any} error */
  const wrong = (error) => {
    if (error.status !== 404) return complain(error);
    fill(found);
    return faulty(name, t('audit.no_person', { name: name.value.trim() }));
  };
  // One idempotency key per order until the order is known to be done, so that pressing twice sells once.
  let id = freshId();
  const order = async (
    /** @type {'/api/cashier/buy-ins' | '/api/cashier/cash-outs'} */ path,
    /** @type {number} */ sign,
  ) => {
    if (!typed(amount.value)) return complain(new Error(t('cage.amount_missing')));
    try {
      const receipt = await post(path, { id, patron: name.value, amount: decimal(typed(amount.value)) });
      id = freshId();
      if ('request' in receipt) {
        mustWait();
        amount.value = '';
        return await waiting.look();
      }
      // A repeated order has its receipt in the list already.
      if (receipts.some(([seq]) => seq === receipt.seq)) return undefined;
      receipts.unshift([
        receipt.seq,
        receipt.patron,
        signed(sign * cents(receipt.amount)),
        money(receipt.before),
        money(receipt.after),
      ]);
      fill(
        done,
        grid(
          [
            t('record.number'),
            t('cage.patron'),
            `#${t('record.amount')}`,
            `#${t('record.before')}`,
            `#${t('record.after')}`,
          ],
          receipts,
          t('cage.session'),
        ),
      );
      amount.value = '';
      await look();
    } catch (error) {
      // Without an answer the order may have been carried out: keep the key, so that a retry is the same order.
      const { status } = /** @type {import('../shared/net.js').Refused} */ (error);
      if (status >= 400 && status < 500) id = freshId();
      wrong(error);
    }
    return undefined;
  };
  fill(
    main,
    h('h1', null, t('nav.cage')),
    h(
      'section',
      { class: 'panel pad stack-y' },
      h(
        'form',
        {
          class: 'row',
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            look().then(() => found.firstChild && amount.focus());
          },
        },
        field(t('cage.patron'), name),
        h('button', { class: 'act' }, t('cage.look_up')),
      ),
      found,
      h(
        'form',
        {
          class: 'row',
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            order('/api/cashier/buy-ins', 1);
          },
        },
        field(t('record.amount'), amount),
        h('button', { class: 'act primary' }, t('cage.buy_in')),
        h(
          'button',
          { class: 'act', type: 'button', onclick: () => order('/api/cashier/cash-outs', -1) },
          t('cage.cash_out'),
        ),
      ),
      done,
    ),
    waiting.list,
  );
  await waiting.look();
}
