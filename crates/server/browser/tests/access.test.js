// Accessibility of every page: no axe findings and no overflow, in every state, in both themes, on a small phone and at
// 200 % zoom, in the language with the longest words; for players and for staff.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings } from '../axe.js';
import { DEEP, visit } from '../house.js';
import { press, until } from '../play.js';
import { browser, house } from '../site.js';
import { employee, hire } from '../staff.js';

const THEMES = ['dark', 'light'];
/** A window of 1440 x 900 has half as many points at 200 %. */
const ZOOMED = { width: 720, height: 450 };
const SMALL = { width: 360, height: 640 };
const SIZES = [SMALL, ZOOMED];

/**
 * Checks a page in its current state: one page small and dark, the next zoomed and light. `./test deep` looks at each
 * in all four ways.
 */
async function look(page, name, wrong) {
  look.pages += 1;
  const turn = look.pages % 2;
  for (const viewport of DEEP ? SIZES : [SIZES[turn]]) {
    await page.setViewportSize(viewport);
    for (const colorScheme of DEEP ? THEMES : [THEMES[turn]]) {
      await page.emulateMedia({ colorScheme });
      const where = `${name}, ${viewport.width} px, ${colorScheme}`;
      wrong.push(...(await findings(page)).map((text) => `${where}: ${text}`));
      look.states += 1;
    }
  }
}
look.states = 0;
look.pages = 0;

/** Pages, and the element that shows that each is loaded. */
const PAGES = [
  ['/', '.game'],
  ['/table/5', '[data-awaiting="wagers"]'],
  ['/table/9', '[data-awaiting="wagers"]'],
  ['/rules/6', '.words li'],
  ['/clauses?q=insurance', '.clause-entry'],
  ['/lab?table=nj-six-to-five', '.strategy'],
  ['/lab?view=report', '.lab'],
  ['/lab?view=sweep', '.lab'],
  ['/lab?view=compare', '.lab'],
  ['/lab?view=shoe', '.lab'],
  ['/lab?view=count', '.lab'],
  ['/lab?view=atlas', '.lab'],
  ['/train', '[data-act="ask"]'],
  ['/train?kind=count', '.train'],
  ['/train?kind=switch&table=nj-switch', '[data-act="ask"]'],
  ['/history', 'main h1'],
  ['/account', 'main h1'],
  ['/sign-in', 'form'],
  ['/protect', '.plain-list'],
  ['/rehearse', '.console-next .status'],
  ['/nowhere', 'main h1'],
];

test('every page, in Spanish, small and at 200 %, dark and light', async () => {
  const visitor = await visit(browser, house, '/', { viewport: SMALL, locale: 'es-ES' });
  const { page } = visitor;
  const wrong = [];
  for (const [path, ready] of PAGES) {
    await page.goto(path);
    await page.waitForSelector(ready, { timeout: 60_000 });
    await look(page, path, wrong);
  }
  assert.deepEqual(wrong, []);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

/** Hands that bring up everything a bar can hold. */
const HANDS = [
  ['nj-blackjack', '8s 6h 8d 8c 3h Td Ts', [], ['split']],
  ['nj-blackjack', 'As Ah Kd Kh', ['even_money=true'], []],
  ['nj-switch', 'Ts 6s 6h 5d Td', [], []],
  ['nj-triple-attack', 'As 6h Kd', [], ['attack']],
];

test('hands in play and what is said about them, in Spanish, small and at 200 %, dark and light', async () => {
  const visitor = await visit(browser, house, '/', { viewport: SMALL, locale: 'es-ES' });
  const { page } = visitor;
  const wrong = [];
  for (const [table, cards, set, acts] of HANDS) {
    const query = new URLSearchParams({ play: '1', table, cards });
    for (const one of set) query.append('set', one);
    await page.setViewportSize(SMALL);
    await page.goto(`/train?${query}`);
    await page.waitForSelector('[data-awaiting="wagers"]');
    await page.click('[data-box="1"] [data-area="main-0"]');
    await press(page, 'mouse', 'deal');
    for (const act of acts) await press(page, 'mouse', act);
    await page.waitForSelector('.play [data-act]:not([aria-disabled])');
    await look(page, `${table} ${cards}`, wrong);
  }
  // A round at a table of the house, the explanation of its result, its replay and its analysis.
  await page.setViewportSize(SMALL);
  await page.goto('/table/1');
  await page.waitForSelector('[data-awaiting="wagers"]');
  const round = await page.getAttribute('.table-page', 'data-round');
  await page.click('[data-box="1"] [data-area="main-0"]');
  await press(page, 'mouse', 'deal');
  const plain = ['stand', 'decline'].map((act) => `.play [data-act="${act}"]:not([aria-disabled])`).join();
  for (let step = 0; step < 20; step += 1) {
    await page.waitForSelector(`${plain}, [data-act="again"]`);
    if (await page.$('[data-act="again"]')) break;
    await page.click(plain);
    await page.waitForTimeout(60);
  }
  await look(page, 'a round that is over', wrong);
  await page.click('.box .pill[data-net]');
  await page.waitForSelector('.why-panel .why');
  await look(page, 'why', wrong);
  await page.keyboard.press('Escape');
  await page.click('[aria-label="Ajustes"]');
  await page.waitForSelector('dialog[open]');
  await look(page, 'preferences', wrong);
  await page.keyboard.press('Escape');
  for (const [path, ready] of [
    [`/round/1/${round}`, '.log li'],
    ['/history', '.grid tbody tr'],
    ['/account', '.grid tbody tr'],
  ]) {
    await page.goto(path);
    await page.waitForSelector(ready);
    await look(page, path, wrong);
  }
  assert.deepEqual(wrong, []);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('the pages of the people of the house, small and at 200 %, dark and light', async () => {
  const { boss, passwords } = await hire(browser, house, ['dealer', 'floor', 'auditor', 'cashier']);
  const wrong = [];
  for (const [role, path, ready] of [
    ['cashier', '/cashier', '[name="patron"]'],
    ['auditor', '/audit', '[aria-label="Journal"] tbody tr'],
    ['floor', '/floor', 'main h1'],
    ['dealer', '/console/10', '.console-next .status'],
  ]) {
    const visitor = await employee(browser, house, passwords, role);
    await visitor.page.goto(path);
    await visitor.page.waitForSelector(ready);
    await look(visitor.page, role, wrong);
    if (role === 'dealer') {
      // A floor call, on the dealer's page and on another page.
      await visitor.page.click('[data-act="call-floor"]');
      await visitor.page.waitForSelector('dialog[open] [name="reason"]');
      await look(visitor.page, 'calling the floor', wrong);
      await visitor.page.fill('dialog [name="reason"]', 'A player disputes a card');
      await visitor.page.keyboard.press('Enter');
      await boss.page.goto('/staff');
      await boss.page.waitForSelector('.grid:visible');
      await boss.page.waitForSelector('[data-call="10"]');
      await look(boss.page, 'people, with a call', wrong);
      await look(visitor.page, 'the dealer who called', wrong);
    }
    assert.deepEqual(visitor.problems, []);
    await visitor.close();
  }
  console.log(`axe: ${look.states} states looked at, ${wrong.length} findings`);
  assert.deepEqual(wrong, []);
  await until(boss.page, () => document.querySelector('.grid'));
  await boss.close();
});
