// A full round of every preset, by mouse and by keyboard alone. What the page shows is compared with the server's view,
// and a choice costs what is bet.

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

test('at Multiple Action a choice costs all the wagers that it is made for', async () => {
  const visitor = await visit(browser, house, '/');
  const tables = (await visitor.api('GET', '/api/tables')).body;
  const { table } = tables.find(({ variation, dealing }) => variation === 'multiple-action' && dealing === 'automatic');
  await visitor.page.goto(`/table/${table}`);
  const round = await deal(visitor, 2, 'mouse', 3);
  await finish(visitor, table, 'mouse');
  const told = (await visitor.api('GET', `/api/tables/${table}/rounds/${round}`)).body;
  const wagered = told.steps.flatMap(({ events }) => events).find(({ event }) => event === 'wagered');
  assert.equal(wagered.amounts.length, 3);
  const sum = wagered.amounts.reduce((all, one) => all + Number(one), 0);
  const { body } = await visitor.api('GET', `/api/tables/${table}/rounds/${round}/analysis`);
  assert.equal(Number(body.wager), sum);
  for (const { wager } of body.decisions) assert.equal(Number(wager), sum);
  await visitor.close();
});
