// A full round of every preset, by mouse and by keyboard alone. What the page shows is compared with the server's view.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../house.js';
import { compareResults, deal, finish } from '../play.js';
import { browser, house } from '../site.js';

const TABLES = [
  'nj-blackjack',
  'nj-blackjack-reader',
  'nj-blackjack-face-up',
  'nj-six-to-five',
  'nj-multiple-action',
  'nj-switch',
  'ma-switch',
  'nj-double-attack',
  'nj-triple-attack',
];

for (const [at, name] of TABLES.entries()) {
  for (const how of ['mouse', 'keyboard']) {
    test(`a round of ${name} by ${how}`, async () => {
      const table = at + 1;
      const visitor = await visit(browser, house, `/table/${table}`);
      const card = (await visitor.api('GET', `/api/tables/${table}`)).body.card;
      assert.equal(card.name, name);
      const round = await deal(visitor, how === 'mouse' ? 2 : 3, how, card.variation === 'multiple-action' ? 3 : 1);
      await finish(visitor, table, how);
      await compareResults(visitor, table, round);
      assert.deepEqual(visitor.problems, []);
      await visitor.close();
    });
  }
}
