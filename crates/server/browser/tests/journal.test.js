// The auditor's journal: every kind of record says what happened in words, and every holder of chips has one line.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { NARROW, WIDE, visit } from '../house.js';
import { bet, finish } from '../play.js';
import { employee, hire, player } from '../staff.js';
import { browser, house } from '../site.js';

/** Returns the cases that a module of the page tells. */
const cases = (module) =>
  Array.from(
    readFileSync(new URL(`../../web/page/${module}`, import.meta.url), 'utf8').matchAll(/case '([a-z-]+)'/g),
    ([, word]) => word,
  );

const KINDS =
  'significant table table-open joined guest-removed capital buy-in cash-out cash-wager-called cash-wager-confirmed refill limit exclusion register rack-count people seal taken-over given-back'.split(
    ' ',
  );

/** Finds keys, gaps and names of a program in a text. */
const RAW = /undefined|null|NaN|\[object|[{}]|\w_\w|^\W*$/;

test('every kind of record and every significant event is told in words', async () => {
  assert.deepEqual(cases('staff/journal.js').toSorted(), KINDS.toSorted());
  const events = cases('staff/happened.js');
  assert.ok(events.length > 25, `${events}`);
  for (const locale of ['en', 'es']) {
    const visitor = await visit(browser, house, '/protect', { locale });
    const told = await visitor.page.evaluate(
      async ([kinds, whats]) => {
        const { told: words } = await import('/page/staff/journal.js');
        const record = (kind, event) => [
          event?.what ?? kind,
          words({ kind, event, table: 3, name: 'ann', about: 'bob', legs: [] }),
        ];
        return [
          ...kinds
            .filter((kind) => kind !== 'significant')
            .map((kind) => record(kind, { name: 'bob', amount: '5.00' })),
          ...whats.map((what) =>
            record('significant', {
              what,
              details: { table: 3, name: 'bob', amount: '5.00', role: 'dealer', wager: 'main', kind: 'buy-in' },
            }),
          ),
        ];
      },
      [KINDS, events],
    );
    assert.equal(told.length, KINDS.length - 1 + events.length);
    assert.deepEqual(
      told.filter(([kind, words]) => !words || words === kind),
      [],
      locale,
    );
    await visitor.close();
  }
});

test('the journal of a house in use has no blank cell, and no key', async () => {
  const { boss, passwords } = await hire(browser, house, ['cashier', 'auditor', 'dealer']);
  const cashier = await employee(browser, house, passwords, 'cashier');
  const ann = await player(browser, house, cashier, 'ann', '200.00');
  await ann.api('PUT', '/api/me/limits', { id: 'limit-1', measure: 'loss', span: 'day', most: 10000 });
  await boss.api('POST', '/api/register', { id: 'entry', kind: 'notice', clause: 'nj-47-2.3', text: 'on file' });
  await boss.api('POST', '/api/tables/10/counts', { id: 'count', why: 'opening', chips: { '25.00': 4 } });
  const guest = await visit(browser, house, '/table/1');
  await bet(guest, 2, 'mouse');
  await finish(guest, 1, 'mouse');
  const auditor = await employee(browser, house, passwords, 'auditor');
  const { page } = auditor;
  await page.goto('/audit');
  await page.waitForSelector('[aria-label="Journal"] tbody tr');
  const seen = new Set();
  for (;;) {
    const rows = await page.$$eval('[aria-label="Journal"] tbody tr', (all) =>
      all.map((row) => [row.children[2].textContent, row.querySelector('.small').innerText.trim()]),
    );
    for (const [kind, words] of rows) {
      seen.add(kind);
      assert.doesNotMatch(words, RAW, kind);
      assert.match(words, /[A-Za-z]{3}.* /, kind);
    }
    const older = page.locator('button:has-text("Older")');
    if (!(await older.count())) break;
    const first = await page.textContent('[aria-label="Journal"] tbody td');
    await older.click();
    await page.waitForFunction(
      (before) => document.querySelector('[aria-label="Journal"] tbody td').textContent !== before,
      first,
    );
  }
  assert.ok(seen.size >= 8, [...seen].join());
  const { items } = (await auditor.api('GET', '/api/journal?limit=500&newest=true')).body;
  assert.deepEqual(
    [...new Set(items.map(({ kind }) => kind))].filter((kind) => !KINDS.includes(kind)),
    [],
    'kinds without words',
  );
  for (const one of [boss, cashier, ann, guest, auditor]) {
    assert.deepEqual(one.problems, []);
    await one.close();
  }
});

test('a settlement of six players is one line for each of them', async () => {
  const visitor = await visit(browser, house, '/protect');
  const { page } = visitor;
  await page.waitForSelector('.plain-list');
  const leg = (account, amount, name) => ({ account, amount, after: '0.00', ...(name ? { name } : {}) });
  const names = ['ann', 'bob', 'cid', 'dot', 'eve', 'fay'];
  const legs = names.flatMap((name, at) => [
    leg('cash:layout:3', '-20.00'),
    leg(`cash:player:${at + 10}`, '20.00', name),
    leg('cash:bank', '-10.00'),
    leg(`cash:player:${at + 10}`, '10.00', name),
  ]);
  await page.evaluate(async (given) => {
    const { transfers } = await import('/page/staff/journal.js');
    document.querySelector('main').replaceChildren(transfers(given));
  }, legs);
  for (const size of [WIDE, NARROW]) {
    await page.setViewportSize(size);
    const lines = await page.$$eval('.legs li', (all) =>
      all.map((line) => [line.innerText.replace(/\s+/g, ' '), Math.round(line.getBoundingClientRect().top)]),
    );
    assert.deepEqual(
      lines.map(([words]) => words),
      [...names.map((name) => `${name} +30`), 'On table 3 −120', 'Bank −60'],
    );
    assert.equal(new Set(lines.map(([, top]) => top)).size, 8, 'each below the other');
  }
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});
